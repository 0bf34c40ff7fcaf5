//! Today (P17): what it costs from the cache, after a change, and by plain SQL, for those who see most.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::client::{Client, header, request};
use crate::crowd::{Latency, Step, Until, Work};
use crate::database::Database;
use crate::measures::{all_well, warm};
use crate::people::{Account, GLOBAL, INTAKE};
use crate::platform::{database_of, large_targets};
use crate::runner::Bench;
use crate::work;
use crate::world;

/// People who look at once.
const READERS: usize = 8;
/// How often the answer is built anew, and by plain SQL.
const BUILDS: usize = 9;
const PATH: &str = "/api/Today";

/// The measures, and who looks.
pub const CALLERS: [(&str, &Account); 2] = [("P17-intake", &INTAKE), ("P17-global", &GLOBAL)];

/// Colleagues with the same memberships, who share the answers in the cache. The server asks for their sessions each time,
/// and for the versions of their sites after each commit. An answer ends when a hold ends, so the run may contain some
/// that were built anew; their number is told.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn today(bench: &mut Bench) -> anyhow::Result<()> {
    for (measure, account) in CALLERS {
        bench.in_turns(measure, &large_targets(bench), |bench, running| {
            let address = running.server.address;
            let mut database = database_of(bench, running)?;
            let tokens = account.colleagues(&mut database, READERS)?;
            let plain = by_plain_sql(&mut database, account)?;
            let anew = built_anew(&mut database, address, &tokens[0], &running.world.largest)?;
            let tags: Tags = Arc::default();
            let clients = || Ok(tokens.iter().map(|token| look(address, token, Arc::clone(&tags))).collect());
            warm(bench, running, clients)?;
            tags.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.clear();
            let mut figures = all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(3.0)))?)?;
            let answers = tags.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.len();
            let (tag, size) = ask(&mut Client::new(address), &tokens[0])?;
            let known = tokens.iter().map(|token| work::repeat(address, "not modified", with_tag(token, &tag)));
            let known = all_well(bench.measure(running, known.collect(), Until::Time(bench.seconds(2.0)))?)?;
            let same = known.met.statuses.get(&304).copied().unwrap_or_default() as f64 / known.met.requests as f64;
            let more = [
                ("different answers in the run", answers as f64),
                ("bytes", size as f64),
                ("built anew, ms p50", anew),
                ("with its tag, ms CPU", known.cpu),
                ("with its tag, share of 304", same),
                ("plain SQL, ms p50", plain),
                ("plain SQL, times our CPU", plain / figures.cpu),
            ];
            figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
            Ok(figures)
        })?;
    }
    Ok(())
}

/// The entity tags of the answers of a run.
type Tags = Arc<Mutex<BTreeSet<String>>>;

/// One person who looks again and again.
fn look(address: SocketAddr, token: &str, tags: Tags) -> Work<'static> {
    let mut client = Client::new(address);
    let bytes = work::call(token, "GET", PATH, None);
    let mut last = String::new();
    Box::new(move || {
        let begun = Instant::now();
        let answer = client.send(&bytes)?;
        let step = Step { kind: "today", status: answer.status, took: begun.elapsed() };
        let tag = header(answer.head, "etag").unwrap_or_default();
        if tag != last {
            last = tag.to_owned();
            tags.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.insert(last.clone());
        }
        Ok(step)
    })
}

fn with_tag(token: &str, tag: &str) -> Vec<u8> {
    let authorization = format!("Authorization: Bearer {token}");
    request("GET", PATH, &[&authorization, &format!("If-None-Match: {tag}")], None)
}

/// The entity tag of the answer, and its size.
fn ask(client: &mut Client, token: &str) -> anyhow::Result<(String, usize)> {
    let answer = client.send(&work::call(token, "GET", PATH, None))?;
    anyhow::ensure!(answer.status == 200, "{PATH} answers {}", answer.status);
    Ok((header(answer.head, "etag").context("no entity tag")?.to_owned(), answer.body.len()))
}

/// The time of an answer after a change of a site, which no cache has.
fn built_anew(database: &mut Database, address: SocketAddr, token: &str, site: &str) -> anyhow::Result<f64> {
    let change = format!("UPDATE sites SET version = version + 1 WHERE id = {}", database.id(site));
    let mut client = Client::new(address);
    let mut last = ask(&mut client, token)?.0;
    let mut times = Vec::new();
    for _ in 0..BUILDS {
        database.run(&change)?;
        let begun = Instant::now();
        let tag = ask(&mut client, token)?.0;
        times.push(begun.elapsed());
        anyhow::ensure!(tag != last, "the answer is the same after a change");
        last = tag;
    }
    Ok(Latency::of(times).p50)
}

/// The time of plain SQL for the same lists, without the details of the guests that the answer shows beside their names
/// and beds.
fn by_plain_sql(database: &mut Database, account: &Account) -> anyhow::Result<f64> {
    let lists = lists(database, account);
    let mut times = Vec::new();
    for _ in 0..BUILDS {
        let mut whole = Duration::ZERO;
        for text in &lists {
            whole += database.time(text)?;
        }
        times.push(whole);
    }
    Ok(Latency::of(times).p50)
}

/// The lists of Today: pending reservations, sites with their free beds, what happened, stays that end soon, and arrivals.
fn lists(database: &Database, account: &Account) -> [String; 5] {
    let sites = account.sites();
    let now = world::now();
    // Ids are in the order of time. The last midnight of UTC is near enough.
    let midnight = now - now % 86_400_000;
    let first = database.id(&format!("{:08x}-{:04x}-0000-0000-000000000000", midnight >> 16, midnight & 0xffff));
    let soon = match database {
        Database::Sqlite(_) => "date('now', '+4 days')",
        Database::Postgres { .. } => "to_char(now() + INTERVAL '4 days', 'YYYY-MM-DD')",
    };
    let open = "g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL";
    let guests = format!(
        "SELECT g.*, s.name AS site, b.name AS bed, r.name AS room, COUNT(*) OVER () AS total FROM guests g \
         JOIN sites s ON s.id = g.site_id LEFT JOIN stays t ON t.guest_id = g.id AND t.ended_at IS NULL \
         LEFT JOIN beds b ON b.id = t.bed_id LEFT JOIN rooms r ON r.id = b.room_id WHERE g.site_id IN ({sites}) AND {open}"
    );
    [
        format!(
            "{guests} AND g.accepted_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > {now}) \
             ORDER BY g.expires_at NULLS LAST, g.created_at LIMIT 50"
        ),
        format!(
            "SELECT s.id, s.name, o.name, b.kind, COUNT(*), COUNT(*) - COUNT(t.id), \
             (SELECT COUNT(*) FROM guests g WHERE g.site_id = s.id AND {open} AND g.accepted_at IS NULL) \
             FROM (SELECT * FROM sites WHERE id IN ({sites}) AND deleted_at IS NULL ORDER BY name_key LIMIT 100) s \
             JOIN organizations o ON o.id = s.organization_id \
             LEFT JOIN beds b ON b.site_id = s.id AND b.deleted_at IS NULL AND NOT b.disabled \
             LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL GROUP BY s.id, s.name, o.name, b.kind"
        ),
        // SQLite would choose the index of actions, which is far slower, without the order that CROSS JOIN asks for.
        format!(
            "SELECT a.at, a.action, u.first_name, u.last_name, f.name, t.name, g.* FROM ({sites}) y CROSS JOIN audit a \
             JOIN guests g ON g.id = a.object_id LEFT JOIN users u ON u.id = a.actor_id \
             LEFT JOIN beds f ON f.id = a.from_bed_id LEFT JOIN beds t ON t.id = a.to_bed_id \
             WHERE a.site_id = y.id AND a.id >= {first} AND a.action IN ('guest.accepted', 'guest.reassigned', \
             'guest.swapped', 'guest.discharged', 'guest.rejected', 'guest.cancelled', 'guest.expired') \
             ORDER BY a.id DESC LIMIT 50"
        ),
        format!(
            "{guests} AND g.accepted_at IS NOT NULL AND (g.accepted_at <= {now} - (s.length_of_stay_days_max - 5) \
             * 86400000 OR g.expected_departure <= {soon}) ORDER BY g.accepted_at LIMIT 50"
        ),
        format!(
            "{guests} AND s.asks_arrival AND g.accepted_at IS NOT NULL AND g.arrived_at IS NULL \
             ORDER BY g.accepted_at LIMIT 50"
        ),
    ]
}
