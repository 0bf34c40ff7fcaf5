//! kill -9 at random moments (security-and-proof 4d; I7). Writers keep a journal of acknowledged changes outside the killed
//! process. After the restart, every acknowledged change is there; the unanswered one is there completely or not at all, and
//! its Idempotency-Key settles which.

use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use berth_db::{Db, Engine};
use berth_domain::id::BedId;
use serde_json::{Value, json};

use crate::chance::{Dice, seed, told};
use crate::client::{Client, Shot, Watcher};
use crate::cluster::{Cluster, name_of, recount};
use crate::figures::{Figures, Times};
use crate::visitor::Visitors;
use crate::{steps, world};

/// Number of kills in the short form, on each engine.
const SHORT: u64 = 4;
/// Number of concurrent writers.
const WRITERS: usize = 6;
/// Number of kills per test world.
const KILLS_OF_A_WORLD: u64 = 25;

/// An acknowledged state of a guest.
#[derive(Debug, Clone)]
struct Acknowledged {
    guest: String,
    status: String,
    bed: Option<String>,
    version: i64,
}

impl Acknowledged {
    fn of(guest: &Value) -> Self {
        let text = |name: &str| guest[name].as_str().map(str::to_owned);
        Self {
            guest: text("id").unwrap_or_default(),
            status: text("status").unwrap_or_default(),
            bed: text("assignedBedId"),
            version: guest["version"].as_i64().unwrap_or_default(),
        }
    }

    fn is_in(&self, guest: &Value) -> bool {
        let now = Self::of(guest);
        now.status == self.status && now.bed == self.bed && now.version == self.version
    }
}

/// A writer that repeats these changes: add a person, decline with a reason, undo, assign a bed, undo, assign again, move,
/// discharge with a reason.
struct Writer {
    number: usize,
    beds: [BedId; 3],
    count: u64,
    guest: Option<Acknowledged>,
    /// The last acknowledged state of each earlier guest.
    journal: Vec<Acknowledged>,
    /// The change that was sent and not answered.
    in_hand: Option<Shot>,
    /// The server was down for longer than the ten seconds of an undo.
    is_too_late: bool,
    acknowledged: u64,
}

impl Writer {
    /// The next change, with its own key.
    fn next(&mut self) -> Shot {
        self.count += 1;
        let key = Some(format!("writer-{}-{}", self.number, self.count));
        let (status, bed) = match self.guest.as_ref().map(|guest| (guest.status.as_str(), guest.version)) {
            Some(("pending", 1)) => ("REJECTED", None),
            Some(("rejected", _)) => ("UNDO", None),
            Some(("pending", _)) => ("ACCEPTED", Some(self.beds[0])),
            Some(("accepted", 4)) if !self.is_too_late => ("UNDO", None),
            Some(("accepted", _)) => ("REASSIGNED", Some(self.beds[1])),
            Some(("reassigned", 5 | 7)) => ("REASSIGNED", Some(self.beds[2])),
            Some(("reassigned", _)) => ("DISCHARGED", None),
            _ => {
                self.is_too_late = false;
                let form = steps::form(world::HARBOR_HOUSE, self.number);
                return Shot { key, ..Shot::new("POST", "/api/Guests", world::ADMIN, form) };
            }
        };
        let guest = self.guest.as_ref().map(|guest| guest.guest.clone()).unwrap_or_default();
        let seen = self.guest.as_ref().filter(|_| status == "UNDO").map(|guest| guest.version);
        let feedback = matches!(status, "REJECTED" | "DISCHARGED").then_some("No transport to us.");
        let body = json!({"status": status, "bedId": bed, "version": seen, "feedback": feedback});
        // An admin may undo a decline for a day, so the duration of the restart does not matter.
        let is_declined = self.guest.as_ref().is_some_and(|guest| guest.status == "rejected");
        let who = if is_declined { world::ADMIN } else { world::INTAKE };
        Shot { key, ..Shot::new("PATCH", format!("/api/Guests/{guest}"), who, body) }
    }

    /// Records an acknowledged change.
    fn note(&mut self, status: u16, body: &Value) -> Result<(), String> {
        let is_undo = self.in_hand.take().is_some_and(|shot| shot.body.is_some_and(|body| body["status"] == "UNDO"));
        if is_undo && status == 409 && body["code"] == "undo-accept-too-late" {
            self.is_too_late = true;
            return Ok(());
        }
        if status >= 300 {
            return Err(format!("writer {}: {status} {body}", self.number));
        }
        self.acknowledged += 1;
        let now = Acknowledged::of(body);
        if now.status == "discharged" {
            self.journal.push(now);
            self.guest = None;
        } else {
            self.guest = Some(now);
        }
        Ok(())
    }

    /// Writes until the server is gone or `stop` is set.
    async fn write(mut self, server: std::net::SocketAddr, stop: Arc<AtomicBool>) -> (Self, Result<(), String>) {
        let mut client = Client::new(server, Ipv4Addr::LOCALHOST);
        while !stop.load(Ordering::Relaxed) {
            let shot = self.next();
            self.in_hand = Some(shot.clone());
            let Ok(answer) = client.send(&shot).await else { return (self, Ok(())) };
            if let Err(complaint) = self.note(answer.status, &answer.body) {
                return (self, Err(complaint));
            }
        }
        (self, Ok(()))
    }

    /// After the restart, the guest is as acknowledged or one complete change further. The key settles which.
    async fn settle(&mut self, client: &mut Client) -> Result<(), String> {
        if let Some(known) = &self.guest {
            let path = format!("/api/Guests/{}", known.guest);
            let now = client.send(&Shot::get(path, world::ADMIN)).await.map_err(|error| error.to_string())?.expect(200);
            let further = self.in_hand.is_some() && now["version"].as_i64() == Some(known.version + 1);
            if !known.is_in(&now) && !further {
                return Err(format!("acknowledged {known:?}, found {now}"));
            }
        }
        let Some(shot) = self.in_hand.clone() else { return Ok(()) };
        let before = self.guest.as_ref().map_or(0, |guest| guest.version);
        let answer = client.send(&shot).await.map_err(|error| error.to_string())?;
        self.note(answer.status, &answer.body)?;
        let after = self.guest.as_ref().or(self.journal.last()).map_or(0, |guest| guest.version);
        let expected = before + i64::from(answer.status < 300);
        if after == expected { Ok(()) } else { Err(format!("{shot:?} led from {before} to {after}")) }
    }
}

/// Checks that every guest of the journal is as last acknowledged, and that there are no others except the ones `before`.
async fn read_back(db: &Db, before: i64, writers: &[Writer], visitors: &Visitors) -> Result<(), String> {
    const GUESTS: &str = "SELECT g.id, g.version, g.discharged_at, s.bed_id FROM guests g \
        LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL WHERE g.site_id = $1";
    type Row = (uuid::Uuid, i64, Option<i64>, Option<uuid::Uuid>);
    let rows: Vec<Row> = db.query(GUESTS).bind(world::HARBOR_HOUSE).all().await.unwrap();
    let all = guests_of(db).await;
    let stored: std::collections::HashMap<String, Row> = rows.into_iter().map(|row| (row.0.to_string(), row)).collect();
    visitors.read_back(db).await?;
    let mut known = before + visitors.reserved();
    for acknowledged in writers.iter().flat_map(|writer| writer.journal.iter().chain(&writer.guest)) {
        known += 1;
        let Some((_, version, discharged, bed)) = stored.get(&acknowledged.guest) else {
            return Err(format!("lost: {acknowledged:?}"));
        };
        let same = *version == acknowledged.version
            && bed.map(|bed| bed.to_string()) == acknowledged.bed
            && discharged.is_some() == (acknowledged.status == "discharged");
        if !same {
            return Err(format!("acknowledged {acknowledged:?}, stored {:?}", stored[&acknowledged.guest]));
        }
    }
    if all == known { Ok(()) } else { Err(format!("{all} guests stored, {known} known")) }
}

async fn guests_of(db: &Db) -> i64 {
    db.query("SELECT COUNT(*) FROM guests").scalar().await.unwrap()
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
            let server = cluster.nodes[writer.number % cluster.nodes.len()].address;
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
    for writer in writers.iter_mut() {
        counts.in_hand += u64::from(writer.in_hand.is_some());
        counts.happened += u64::from(happened(&db, writer).await);
        writer.settle(&mut client).await?;
    }
    counts.in_hand += u64::from(visitors.is_waiting());
    visitors.settle(cluster.nodes[victim].address).await?;
    read_back(&db, counts.before, writers, visitors).await?;
    let broken = if recounts { recount(&db).await } else { Vec::new() };
    db.close().await;
    if broken.is_empty() { Ok(()) } else { Err(format!("{broken:#?}")) }
}

/// Returns true if the unanswered change was committed before the kill.
async fn happened(db: &Db, writer: &Writer) -> bool {
    const KEY: &str = "SELECT COUNT(*) FROM idempotency_keys WHERE key = $1";
    let Some(key) = writer.in_hand.as_ref().and_then(|shot| shot.key.clone()) else { return false };
    let found: i64 = db.query(KEY).bind(key).scalar().await.unwrap();
    found > 0
}

/// Kills servers with the test world or with tier M. With tier M a recount takes seconds, so it is done once, at the end.
async fn kills(engine: Engine, kills: u64, tier: Option<&str>) {
    let first = seed();
    let place = tier.map_or_else(String::new, |tier| format!(" in tier {tier}"));
    eprintln!("kill -9 on {engine:?}{place}: {kills} kills from BERTH_PROOF_SEED={first}");
    let (mut counts, start) = (Counts::default(), Instant::now());
    let (mut done, mut acknowledged, mut violations) = (0, 0, 0);
    let mut complaints = String::new();
    let lifetime = if tier.is_some() { kills } else { KILLS_OF_A_WORLD };
    while done < kills {
        let mut dice = Dice::new(first + done);
        let mut cluster = match tier {
            Some(tier) => Cluster::of_tier(engine, &mut dice, tier).await,
            None => Cluster::new(engine, &mut dice).await,
        };
        let db = cluster.db().await;
        counts.before = guests_of(&db).await;
        db.close().await;
        let beds = |number: usize| [0, 1, 2].map(|bed| cluster.beds[3 * number + bed]);
        let mut writers: Vec<Writer> = (0..WRITERS)
            .map(|number| Writer {
                number,
                beds: beds(number),
                count: 0,
                guest: None,
                journal: Vec::new(),
                in_hand: None,
                is_too_late: false,
                acknowledged: 0,
            })
            .collect();
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
        acknowledged += visitors.acknowledged;
        acknowledged += writers.iter().map(|writer| writer.acknowledged).sum::<u64>();
        cluster.end().await;
    }
    let seconds = start.elapsed().as_secs();
    let restarts = &counts.restarts;
    eprintln!(
        "FIGURE kill -9 on {engine:?}{place}: {done} kills, {acknowledged} acknowledged changes, {} in hand ({} of them had \
         happened), ready again after {} ms (p50) to {} ms (max), {violations} violations, {seconds} s",
        counts.in_hand,
        counts.happened,
        restarts.percentile(50),
        restarts.percentile(100),
    );
    let proof = if tier.is_some() { "kills in tier M" } else { "kills" };
    // A 5xx answer to a writer is a violation, too.
    let figures =
        Figures { proof, engine: name_of(engine), seed: first, count: done, violations, server_errors: 0, seconds };
    let told = [("acknowledged", acknowledged), ("in hand", counts.in_hand), ("of them happened", counts.happened)];
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
