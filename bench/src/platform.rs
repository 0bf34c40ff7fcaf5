//! Reads of a global admin: pages of the dashboard (P5), of the audit log (P6) and all access users at once (P7), in
//! the largest world; and the lists of the start page (P15).

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::Context;

use crate::client::Client;
use crate::crowd::{Latency, Step, Until, Work, millis};
use crate::database::Database;
use crate::measures::{all_well, warm};
use crate::runner::{Bench, Running, Target};
use crate::work;
use crate::world::{global, intake, owner};

/// Admins who page through the dashboard at once.
const ADMINS: usize = 2;
/// Rows on a page.
const SIZES: [usize; 4] = [10, 25, 50, 300];
/// A page of sites without stored counters or caches; `LIMIT` and `OFFSET` are appended. The empty boards of the
/// benchmark have no counters and are on neither page.
const PLAIN: &str = "SELECT s.id, s.name, s.contact_phone, s.contact_email, \
    (SELECT COUNT(*) FROM rooms r WHERE r.site_id = s.id AND r.deleted_at IS NULL) AS rooms, \
    (SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL) AS beds, \
    (SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL AND NOT b.disabled AND NOT EXISTS \
        (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)) AS vacant, COUNT(*) OVER () AS total \
    FROM sites s WHERE s.deleted_at IS NULL AND EXISTS (SELECT 1 FROM site_counts c WHERE c.site_id = s.id) \
    ORDER BY vacant DESC, s.id LIMIT";

/// Both engines with the largest world, or with the smallest in a smoke run.
pub fn large_targets(bench: &Bench) -> [Target; 2] {
    let tier = if bench.short { "S" } else { "L" };
    [Target::Tier(tier), Target::PostgresTier(tier)]
}

/// Pages of sites and of organizations, of all sizes, in several orders, compared with the same page by plain SQL.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn dashboard(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P5", &large_targets(bench), |bench, running| {
        let clients = || Ok((0..ADMINS).map(|number| leaf(running.server.address, number)).collect());
        let plain = plain(bench, running)?;
        warm(bench, running, clients)?;
        let mut figures = all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(3.0)))?)?;
        let mut client = Client::new(running.server.address);
        let path = "/api/Dashboard/sites?page=1&pageSize=10";
        let answer = client.send(&work::call(&global(0), "GET", path, None))?;
        let page: serde_json::Value = serde_json::from_slice(answer.body)?;
        let sites = page["totalCount"].as_f64().with_context(|| format!("a page without a count: {page}"))?;
        let more =
            [("sites", sites), ("plain SQL, ms p50", plain), ("plain SQL, times our p50", plain / figures.met.all.p50)];
        figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(figures)
    })
}

/// One admin who goes from page to page.
fn leaf(address: SocketAddr, number: usize) -> Work<'static> {
    let mut client = Client::new(address);
    let orders = ["", "&sort=countOfVacantBeds&direction=desc", "&sort=contactEmail", "&search=a"];
    let calls: Vec<Vec<u8>> = SIZES
        .iter()
        .flat_map(|size| orders.map(|order| (size, order)))
        .flat_map(|(size, order)| {
            ["sites", "organizations"].map(|list| {
                let page = 1 + number;
                work::call(
                    &global(number),
                    "GET",
                    &format!("/api/Dashboard/{list}?page={page}&pageSize={size}{order}"),
                    None,
                )
            })
        })
        .collect();
    let mut count = number;
    Box::new(move || {
        count += 1;
        let begun = Instant::now();
        let status = client.send(&calls[count % calls.len()])?.status;
        Ok(Step { kind: "dashboard", status, took: begun.elapsed() })
    })
}

/// The database of a server, opened directly.
///
/// # Errors
/// If it cannot be opened, or the server has none.
pub fn database_of(bench: &Bench, running: &Running) -> anyhow::Result<Database> {
    match (&running.data, &running.database) {
        (Some(folder), _) => Database::sqlite(&folder.join("berth.sqlite")),
        (None, Some(name)) => Ok(bench.postgres.open(name)),
        _ => anyhow::bail!("no database to ask"),
    }
}

/// The time of plain SQL for a page, without HTTP and without JSON; PostgreSQL measures it itself.
fn plain(bench: &Bench, running: &Running) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    let begun = Instant::now();
    let time = bench.seconds(2.0);
    let mut database = database_of(bench, running)?;
    while begun.elapsed() < time || times.len() < 3 {
        let size = SIZES[times.len() % SIZES.len()];
        times.push(database.time(&format!("{PLAIN} {size} OFFSET {size}"))?);
    }
    Ok(Latency::of(times).p50)
}

/// Every access user of the platform in one streamed answer.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn access_users(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P7", &large_targets(bench), |bench, running| {
        let address = running.server.address;
        let reader = || {
            let mut client = Client::new(address);
            let bytes = work::call(&global(0), "GET", "/api/AccessUsers/all", None);
            let read: Work<'static> = Box::new(move || {
                let begun = Instant::now();
                let status = client.send(&bytes)?.status;
                Ok(Step { kind: "all", status, took: begun.elapsed() })
            });
            Ok(vec![read])
        };
        warm(bench, running, reader)?;
        let mut figures = all_well(bench.measure(running, reader()?, Until::Time(bench.seconds(3.0)))?)?;
        let mut client = Client::new(address);
        let bytes = work::call(&global(1), "GET", "/api/AccessUsers/all", None);
        let mut firsts = Vec::new();
        let (mut rows, mut size) = (0, 0);
        for _ in 0..20 {
            let answer = client.send(&bytes)?;
            firsts.push(answer.first);
            size = answer.body.len();
            rows = serde_json::from_slice::<Vec<serde::de::IgnoredAny>>(answer.body)?.len();
        }
        let slowest = firsts.iter().max().copied().unwrap_or_default();
        let more = [
            ("access users", rows as f64),
            ("MB of answer", size as f64 / 1e6),
            ("first byte, ms p50", Latency::of(firsts).p50),
            ("first byte, ms max", millis(slowest)),
        ];
        figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(figures)
    })
}

/// The lists of the audit log, and those of an organization and of a day, by their paths up to the page.
fn audit_lists(client: &mut Client, organization: &str) -> anyhow::Result<Vec<(String, usize)>> {
    let paths = [
        "internal?".to_owned(),
        "loginFailed?".to_owned(),
        "guestCreated?".to_owned(),
        "passwordChanged?".to_owned(),
        format!("internal?organizationId={organization}&"),
    ];
    let mut lists = Vec::new();
    for path in paths {
        let path = format!("/api/EventLogs/{path}");
        let answer = client.send(&work::call(&global(0), "GET", &format!("{path}page=1&pageSize=10"), None))?;
        let page: serde_json::Value = serde_json::from_slice(answer.body)?;
        let rows = page["totalCount"].as_u64().with_context(|| format!("a page without a count: {page}"))?;
        lists.push((path, usize::try_from(rows)?));
    }
    Ok(lists)
}

/// The same page by OFFSET, and the count, both of which marks replace.
fn by_offset(bench: &Bench, running: &Running) -> anyhow::Result<f64> {
    let mut database = database_of(bench, running)?;
    let half = database.count("SELECT COUNT(*) FROM audit")? / 2;
    let mut times = Vec::new();
    for _ in 0..3 {
        let begun = Instant::now();
        database.rows("SELECT COUNT(*) FROM audit")?;
        database.rows(&format!("SELECT id, at, action FROM audit ORDER BY id DESC LIMIT 10 OFFSET {half}"))?;
        times.push(begun.elapsed());
    }
    Ok(Latency::of(times).p50)
}

/// Pages of the audit log, anywhere in ten million rows, each with the total.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn audit_log(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P6", &large_targets(bench), |bench, running| {
        let address = running.server.address;
        let sites =
            Client::new(address).send(&work::call(&global(0), "GET", "/api/Sites?pageSize=1", None))?.body.to_vec();
        let sites: serde_json::Value = serde_json::from_slice(&sites)?;
        let organization = sites["items"][0]["organizationId"].as_str().context("no organization")?.to_owned();
        let lists = audit_lists(&mut Client::new(address), &organization)?;
        let rows = lists[0].1;
        let offset = by_offset(bench, running)?;
        let clients = || Ok((0..ADMINS).map(|number| read_log(address, lists.clone(), number)).collect());
        warm(bench, running, clients)?;
        let mut figures = all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(4.0)))?)?;
        let more = [
            ("rows", rows as f64),
            ("OFFSET and count, ms p50", offset),
            ("OFFSET and count, times our p50", offset / figures.met.all.p50),
        ];
        figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(figures)
    })
}

/// One admin who reads near and far pages of one list after the other.
fn read_log(address: SocketAddr, lists: Vec<(String, usize)>, number: usize) -> Work<'static> {
    let mut client = Client::new(address);
    // The same pages in every run: it steps through all of them by a large odd number.
    let mut at = 7_919 * (number + 1);
    let mut count = number;
    Box::new(move || {
        count += 1;
        at = (at + 1_000_003) % 1_000_000_007;
        let (path, rows) = &lists[count % lists.len()];
        let page = 1 + at % rows.div_ceil(10).max(1);
        let bytes = work::call(&global(number), "GET", &format!("{path}page={page}&pageSize=10"), None);
        let begun = Instant::now();
        let status = client.send(&bytes)?.status;
        Ok(Step { kind: "page of the log", status, took: begun.elapsed() })
    })
}

/// The lists of the start page, compared with static bytes: as owner, intake and global admin.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn landing(bench: &mut Bench) -> anyhow::Result<()> {
    let large = if bench.short { "S" } else { "L" };
    let mut targets = vec![Target::Tier("S"), Target::PostgresTier(large), Target::Static];
    if large != "S" {
        targets.insert(1, Target::Tier(large));
    }
    for (measure, path) in
        [("P15-sites", "/api/Sites?pageSize=25"), ("P15-organizations", "/api/Organizations?pageSize=25")]
    {
        bench.in_turns(measure, &targets, |bench, running| {
            let clients = || {
                let tokens = [owner, intake, global];
                let client = |number: usize| {
                    let bytes = work::call(&tokens[number % 3](number), "GET", path, None);
                    work::repeat(running.server.address, "landing list", bytes)
                };
                Ok((0..9).map(client).collect())
            };
            warm(bench, running, clients)?;
            all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(3.0)))?)
        })?;
    }
    Ok(())
}
