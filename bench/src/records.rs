//! Reads of a site's past: pages of its history (P12) and its numbers (P16), in the largest world.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

use crate::client::Client;
use crate::crowd::{Latency, Step, Until, Work};
use crate::database::Database;
use crate::measures::{all_well, warm};
use crate::platform::{database_of, large_targets};
use crate::runner::{Bench, Running};
use crate::work;
use crate::world::global;

/// People who read at once.
const READERS: usize = 2;
/// Rows on a page of the history.
const SIZE: usize = 10;
/// Total number of past and present guests of the operator whose history is read, if the world has that many.
const GUESTS: i64 = 350_000;

/// Pages anywhere in the long lists of the largest site, with and without a search for a name, compared with the same
/// page by OFFSET and a count.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn history(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P12-history", &large_targets(bench), |bench, running| {
        let address = running.server.address;
        let site = &running.world.largest;
        let lists = ["discharged", "rejected", "expired", "discharged&search=ma"]
            .into_iter()
            .map(|list| count(&mut Client::new(address), format!("/api/Guests?siteId={site}&Status={list}&")))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let mut database = database_of(bench, running)?;
        let before = one_operator(&mut database, site)?;
        let owned = guests_of_owner(&mut database, site)?;
        let offset = by_offset(&mut database, site)?;
        let clients = || Ok((0..READERS).map(|number| read(address, lists.clone(), number)).collect());
        warm(bench, running, clients)?;
        let mut figures = all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(4.0)))?)?;
        database.run(&before)?;
        let more = [
            ("discharged guests of the site", lists[0].1 as f64),
            ("guests of its organization", owned as f64),
            ("OFFSET and count, ms p50", offset),
            ("OFFSET and count, times our p50", offset / figures.met.all.p50),
        ];
        figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(figures)
    })
}

/// The path of a list up to the page, and its number of rows.
fn count(client: &mut Client, path: String) -> anyhow::Result<(String, usize)> {
    let answer = client.send(&work::call(&global(0), "GET", &format!("{path}page=1&pageSize=1"), None))?;
    let page: Value = serde_json::from_slice(answer.body)?;
    let rows = page["totalCount"].as_u64().with_context(|| format!("a page without a count: {page}"))?;
    Ok((path, usize::try_from(rows)?))
}

/// Moves sites to the organization of the largest site until it has [`GUESTS`]: an operator as large as the largest
/// known. Returns the statements that move them back.
fn one_operator(database: &mut Database, site: &str) -> anyhow::Result<String> {
    let organization = database.one(&format!("SELECT organization_id FROM sites WHERE id = {}", database.id(site)))?;
    let others = database.rows(&format!(
        "SELECT s.id, s.organization_id, COUNT(*) FROM sites s JOIN guests g ON g.site_id = s.id \
         WHERE s.organization_id <> {} GROUP BY s.id, s.organization_id ORDER BY s.id",
        database.id(&organization)
    ))?;
    let mut guests = guests_of_owner(database, site)?;
    let (mut moved, mut back) = ("BEGIN;\n".to_owned(), "BEGIN;\n".to_owned());
    for other in others {
        if guests >= GUESTS {
            break;
        }
        guests += other[2].parse::<i64>().context("a count that is no number")?;
        let update = |to: &str| {
            let (to, id) = (database.id(to), database.id(&other[0]));
            format!("UPDATE sites SET organization_id = {to} WHERE id = {id};\n")
        };
        moved.push_str(&update(&organization));
        back.push_str(&update(&other[1]));
    }
    database.run(&(moved + "COMMIT;\n"))?;
    Ok(back + "COMMIT;\n")
}

fn guests_of_owner(database: &mut Database, site: &str) -> anyhow::Result<i64> {
    let site = database.id(site);
    database.count(&format!(
        "SELECT COUNT(*) FROM guests WHERE site_id IN (SELECT id FROM sites WHERE organization_id = \
         (SELECT organization_id FROM sites WHERE id = {site}))"
    ))
}

/// The page in the middle of the discharged guests by OFFSET, and their count, both of which marks replace.
fn by_offset(database: &mut Database, site: &str) -> anyhow::Result<f64> {
    let of = format!("FROM guests WHERE site_id = {} AND discharged_at IS NOT NULL", database.id(site));
    let half = database.count(&format!("SELECT COUNT(*) {of}"))? / 2;
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..5 {
        let begun = Instant::now();
        database.rows(&format!("SELECT COUNT(*) {of}"))?;
        database.rows(&format!("SELECT * {of} ORDER BY discharged_at DESC, id DESC LIMIT {SIZE} OFFSET {half}"))?;
        times.push(begun.elapsed());
    }
    Ok(Latency::of(times).p50)
}

/// One reader who reads near and far pages of one list after the other.
fn read(address: SocketAddr, lists: Vec<(String, usize)>, number: usize) -> Work<'static> {
    let mut client = Client::new(address);
    // The same pages in every run: it steps through all of them by a large odd number.
    let mut at = 7_919 * (number + 1);
    let mut count = number;
    Box::new(move || {
        count += 1;
        at = (at + 1_000_003) % 1_000_000_007;
        let (path, rows) = &lists[count % lists.len()];
        // Every eighth request reads a first page.
        let page = if count % 8 < lists.len() / 2 { 1 } else { 1 + at % rows.div_ceil(SIZE).max(1) };
        let bytes = work::call(&global(number), "GET", &format!("{path}page={page}&pageSize={SIZE}"), None);
        let begun = Instant::now();
        let status = client.send(&bytes)?.status;
        Ok(Step { kind: "page of the history", status, took: begun.elapsed() })
    })
}

/// The numbers of the largest site and of its organization, for a month and for a year. The server stores none of them.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn numbers(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P16", &large_targets(bench), |bench, running| {
        let address = running.server.address;
        let paths = numbers_of(address, running)?;
        let clients = || Ok(vec![work::repeat(address, "month of a site", ask(&paths[0].1))]);
        warm(bench, running, clients)?;
        let mut figures = all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(3.0)))?)?;
        let mut client = Client::new(address);
        for (name, path) in &paths {
            let mut times = Vec::new();
            for _ in 0..7 {
                let begun = Instant::now();
                let answer = client.send(&ask(path))?;
                anyhow::ensure!(answer.status == 200, "{path} answers {}", answer.status);
                times.push(begun.elapsed());
            }
            figures.more.insert(format!("{name}, ms p50"), Latency::of(times).p50);
        }
        Ok(figures)
    })
}

fn ask(path: &str) -> Vec<u8> {
    work::call(&global(0), "GET", path, None)
}

/// The requested paths with their names: a month and a year of the site and of its organization.
fn numbers_of(address: SocketAddr, running: &Running) -> anyhow::Result<[(&'static str, String); 4]> {
    let site = &running.world.largest;
    let mut client = Client::new(address);
    let told = client.send(&ask(&format!("/api/Sites/{site}")))?.body.to_vec();
    let told: Value = serde_json::from_slice(&told)?;
    let organization = told["organizationId"].as_str().with_context(|| format!("no organization in {told}"))?;
    Ok([
        ("month of the site", format!("/api/Sites/{site}/numbers")),
        ("year of the site", format!("/api/Sites/{site}/numbers?days=365")),
        ("month of the organization", format!("/api/Organizations/{organization}/numbers")),
        ("year of the organization", format!("/api/Organizations/{organization}/numbers?days=365")),
    ])
}
