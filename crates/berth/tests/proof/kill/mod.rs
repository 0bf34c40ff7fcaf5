//! kill -9 at random moments (security-and-proof 4d; I7). Writers keep a journal of acknowledged changes outside the killed
//! process. After the restart, every acknowledged change is there; the unanswered one is there completely or not at all, and
//! its Idempotency-Key settles which.
//!
//! | writers | what they repeat |
//! |---|---|
//! | [`stays`] | add, decline, accept, move and discharge guests, and undo some of it |
//! | [`arrivals`] | guests arrive or do not come, and both are undone |
//! | [`merges`] | two reservations of a person are merged, and that is undone |
//! | [`waitlist`] | people wait, are offered a bed, decline it, take it, or leave, and their forms are edited |
//! | [`Visitors`] | people without an account ask, confirm and cancel |

mod arrivals;
mod journal;
mod merges;
mod stays;
mod waitlist;
mod writer;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use berth_db::Engine;
use berth_domain::id::BedId;
use serde_json::json;

use self::arrivals::Arrivals;
use self::journal::Stored;
use self::merges::Merges;
use self::stays::Stays;
use self::waitlist::Waitlist;
use self::writer::{Script, Writer};
use crate::busy::PROCESSORS;
use crate::chance::{Dice, seed, told};
use crate::client::{Client, Shot, Watcher};
use crate::cluster::{Cluster, name_of, recount};
use crate::figures::{Figures, Times};
use crate::visitor::Visitors;
use crate::world;

/// Number of kills in the short form, on each engine.
const SHORT: u64 = 4;
/// Number of writers of stays.
const STAYS: usize = 6;
/// Number of writers of arrivals, and of merges.
const OTHERS: usize = 2;
/// Number of kills per test world.
const KILLS_OF_A_WORLD: u64 = 25;

/// Creates the writers, each with its own people and beds.
fn writers(beds: &[BedId]) -> Vec<Writer> {
    let mut scripts: Vec<Box<dyn Script>> = Vec::new();
    for number in 0..STAYS {
        scripts.push(Box::new(Stays::new(number, [0, 1, 2].map(|bed| beds[3 * number + bed]))));
    }
    for number in 0..OTHERS {
        scripts.push(Box::new(Arrivals::new(STAYS + number, beds[3 * STAYS + number])));
        scripts.push(Box::new(Merges::new(STAYS + OTHERS + number)));
    }
    scripts.extend(Waitlist::of_each_kind().map(|waitlist| Box::new(waitlist) as Box<dyn Script>));
    scripts.into_iter().enumerate().map(|(number, script)| Writer::new(number, script)).collect()
}

/// Lets Harbor House ask for arrivals, and removes the beds of Open Door, so that people can wait there.
async fn prepare(cluster: &mut Cluster) {
    let path = format!("/api/Sites/{}/arrivals", world::HARBOR_HOUSE);
    cluster.one(Shot::new("PUT", path, world::OWNER, json!({"asksArrival": true}))).await.expect(204);
    for bed in [world::BED_F, world::BED_G] {
        let remove = Shot { method: "DELETE", ..Shot::get(format!("/api/Beds/{bed}"), world::OWNER_FREE) };
        cluster.one(remove).await.expect(204);
    }
}

/// The counts and times of the kills.
#[derive(Default)]
struct Counts {
    /// Number of guests before the first writer wrote.
    before: i64,
    in_hand: u64,
    happened: u64,
    restarts: Times,
}

/// Lets writers write, kills one server, starts a new one, and compares everything with the journal.
async fn kill_once(
    cluster: &mut Cluster,
    (writers, visitors): (&mut Vec<Writer>, &mut Visitors),
    dice: &mut Dice,
    counts: &mut Counts,
    recounts: bool,
) -> Result<(), String> {
    let stop = Arc::new(AtomicBool::new(false));
    let victim = dice.index(cluster.nodes.len());
    let survivor = (victim + 1) % cluster.nodes.len();
    let watcher = if survivor == victim {
        None
    } else {
        let watcher = Watcher::new(cluster.nodes[survivor].address, world::GLOBAL).await;
        Some(watcher.map_err(|error| error.to_string())?)
    };
    let tasks: Vec<_> = writers
        .drain(..)
        .map(|writer| {
            let server = cluster.nodes[writer.server(cluster.nodes.len())].address;
            tokio::spawn(writer.write(server, Arc::clone(&stop)))
        })
        .collect();
    let coming = {
        let server = cluster.nodes[dice.index(cluster.nodes.len())].address;
        let visitors = std::mem::take(visitors);
        tokio::spawn(visitors.come(cluster.db().await, server, Arc::clone(&stop)))
    };
    tokio::time::sleep(Duration::from_millis(30 + dice.below(300))).await;
    cluster.nodes[victim].kill();
    stop.store(true, Ordering::Relaxed);
    let mut outcome = Ok(());
    for task in tasks {
        let (writer, ended) = task.await.map_err(|error| error.to_string())?;
        writers.push(writer);
        outcome = outcome.and(ended);
    }
    let (came, ended) = coming.await.map_err(|error| error.to_string())?;
    *visitors = came;
    outcome = outcome.and(ended);
    cluster.nodes[victim] = cluster.start().await;
    counts.restarts.add(cluster.nodes[victim].ready_after);
    outcome?;
    if let Some(watcher) = watcher {
        let heard = watcher.versions(&world::HARBOR_HOUSE.to_string());
        if heard.windows(2).any(|pair| pair[1] != pair[0] + 1) || watcher.resyncs() > 0 {
            return Err(format!("the other node told {heard:?}"));
        }
    }
    // This test has no connection while the server starts again, so it finds the database as the kill left it.
    let db = cluster.db().await;
    let mut client = Client::new(cluster.nodes[victim].address, Ipv4Addr::LOCALHOST);
    let stored = Stored::load(&db).await;
    for writer in writers.iter_mut() {
        counts.in_hand += u64::from(writer.in_hand.is_some());
        counts.happened += u64::from(writer.has_happened(&db).await);
        writer.journal.check_stored(&stored, writer.in_hand.is_some())?;
        writer.settle(&mut client).await?;
    }
    counts.in_hand += u64::from(visitors.is_waiting());
    visitors.settle(cluster.nodes[victim].address).await?;
    visitors.read_back(&db).await?;
    let stored = Stored::load(&db).await;
    for writer in writers.iter() {
        writer.journal.check_stored(&stored, false)?;
    }
    stored.check_counts(writers.iter().map(|writer| &writer.journal), counts.before + visitors.reserved())?;
    let broken = if recounts { recount(&db).await } else { Vec::new() };
    db.close().await;
    if broken.is_empty() { Ok(()) } else { Err(format!("{broken:#?}")) }
}

/// Kills servers with the test world or with tier M. With tier M a recount takes seconds, so it is done once, at the end.
async fn kills(engine: Engine, kills: u64, tier: Option<&str>) {
    let _busy = PROCESSORS.read().await;
    let first = seed();
    let place = tier.map_or_else(String::new, |tier| format!(" in tier {tier}"));
    eprintln!("kill -9 on {engine:?}{place}: {kills} kills from BERTH_PROOF_SEED={first}");
    let (mut counts, start) = (Counts::default(), Instant::now());
    let (mut done, mut violations) = (0, 0);
    let mut acknowledged = BTreeMap::new();
    let mut complaints = String::new();
    let lifetime = if tier.is_some() { kills } else { KILLS_OF_A_WORLD };
    while done < kills {
        let mut dice = Dice::new(first + done);
        let mut cluster = match tier {
            Some(tier) => Cluster::of_tier(engine, &mut dice, tier).await,
            None => Cluster::new(engine, &mut dice).await,
        };
        prepare(&mut cluster).await;
        let db = cluster.db().await;
        counts.before = Stored::load(&db).await.all_guests;
        db.close().await;
        let mut writers = writers(&cluster.beds);
        let mut visitors = Visitors::default();
        let until = kills.min(done + lifetime);
        while done < until {
            done += 1;
            cluster.forget_clients();
            let recounts = tier.is_none() || done == until;
            let people = (&mut writers, &mut visitors);
            if let Err(complaint) = kill_once(&mut cluster, people, &mut dice, &mut counts, recounts).await {
                violations += 1;
                let _ = writeln!(complaints, "kill {done}: {complaint}");
                break;
            }
        }
        *acknowledged.entry("visitors").or_default() += visitors.acknowledged;
        for writer in &writers {
            *acknowledged.entry(writer.script.subject()).or_default() += writer.acknowledged;
        }
        cluster.end().await;
    }
    let seconds = start.elapsed().as_secs();
    let restarts = &counts.restarts;
    let all: u64 = acknowledged.values().sum();
    let subjects: Vec<String> = acknowledged.iter().map(|(subject, count)| format!("{subject} {count}")).collect();
    eprintln!(
        "FIGURE kill -9 on {engine:?}{place}: {done} kills, {all} acknowledged changes ({}), {} in hand ({} of them had \
         happened), ready again after {} ms (p50) to {} ms (max), {violations} violations, {seconds} s",
        subjects.join(", "),
        counts.in_hand,
        counts.happened,
        restarts.percentile(50),
        restarts.percentile(100),
    );
    let proof = if tier.is_some() { "kills in tier M" } else { "kills" };
    // A 5xx answer to a writer is a violation, too.
    let figures =
        Figures { proof, engine: name_of(engine), seed: first, count: done, violations, server_errors: 0, seconds };
    let mut told = vec![("acknowledged", all), ("in hand", counts.in_hand), ("of them happened", counts.happened)];
    told.extend(acknowledged);
    figures.tell(&[("restart", restarts)], &told);
    assert!(complaints.is_empty(), "{complaints}");
}

async fn in_small_worlds(engine: Engine) {
    kills(engine, told("BERTH_PROOF_KILLS").unwrap_or(SHORT), None).await;
}

/// Measures how soon a server is back with a large database.
async fn in_tier_m(engine: Engine) {
    match told("BERTH_PROOF_TIER_KILLS") {
        Some(count @ 1..) => kills(engine, count, Some("M")).await,
        _ => eprintln!("kill -9 in tier M on {engine:?}: left out, BERTH_PROOF_TIER_KILLS asks for it"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_loses_nothing_acknowledged_on_sqlite() {
    in_small_worlds(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_of_one_of_two_nodes_loses_nothing_acknowledged_on_postgres() {
    in_small_worlds(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_in_tier_m_loses_nothing_acknowledged_on_sqlite() {
    in_tier_m(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_in_tier_m_loses_nothing_acknowledged_on_postgres() {
    in_tier_m(Engine::Postgres).await;
}
