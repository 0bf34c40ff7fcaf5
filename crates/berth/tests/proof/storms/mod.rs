//! Storms on real processes over real sockets (security-and-proof 4b): several clients want the same thing at the same
//! moment. One gets it, the others get a 409 with a sentence, nobody a 5xx; after each round the recount finds no broken
//! invariant, and in the end every live stream of every node has sent every version once, in order.

mod arrivals;
mod beds;
mod edits;
mod merges;
mod offers;
mod settle;
mod strangers;
mod undos;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use berth_db::{Db, Engine};
use berth_domain::id::{BedId, SiteId};
use serde_json::{Value, json};

use crate::busy::PROCESSORS;
use crate::chance::{Dice, seed, told};
use crate::client::{Answer, Shot, Watcher};
use crate::cluster::{Cluster, name_of, recount};
use crate::figures::{Figures, Times};
use crate::storms::settle::settle;
use crate::{steps, world};

/// Number of kinds of storms.
const KINDS: u64 = 19;
/// Number of rounds in the short form, on each engine.
const SHORT: u64 = 3 * KINDS;
/// Number of rounds per test world, because recounts take longer as data grows.
const ROUNDS_OF_A_WORLD: u64 = 90;

/// A test world under a storm, and its measurements.
struct Storm {
    cluster: Cluster,
    /// For recounts. It is opened once per test world.
    db: Db,
    dice: Dice,
    losers: Times,
    alone: Times,
    strangers: u32,
}

type Checked = Result<(), String>;

fn id(guest: &Value) -> String {
    guest["id"].as_str().unwrap_or_default().to_owned()
}

fn add(site: SiteId, number: usize) -> Shot {
    Shot::new("POST", "/api/Guests", world::ADMIN, steps::form(site, number))
}

fn command(guest: &str, status: &str, bed: Option<BedId>) -> Shot {
    let body = json!({"status": status, "bedId": bed});
    Shot::new("PATCH", format!("/api/Guests/{guest}"), world::INTAKE, body)
}

/// Undoes the decision that led to a version of the guest.
fn undo(guest: &str, version: i64) -> Shot {
    Shot::new("PATCH", format!("/api/Guests/{guest}"), world::INTAKE, json!({"status": "UNDO", "version": version}))
}

/// Merges `duplicate` into `kept`.
fn merge(kept: &str, duplicate: &str) -> Shot {
    Shot::new("POST", format!("/api/Guests/{kept}/merge"), world::ADMIN, json!({"duplicateId": duplicate}))
}

impl Storm {
    /// Adds `count` persons from number `first` on, all at once.
    async fn guests(&mut self, site: SiteId, first: usize, count: usize) -> Vec<String> {
        let shots: Vec<Shot> = (first..first + count).map(|number| add(site, number)).collect();
        self.cluster.fire(&shots).await.into_iter().map(|answer| id(&answer.expect(201))).collect()
    }

    /// Adds persons from number `first` on, each in a bed, one command after the other, to measure a single command.
    async fn housed(&mut self, first: usize, beds: &[BedId]) -> Vec<String> {
        let guests = self.guests(world::HARBOR_HOUSE, first, beds.len()).await;
        for (guest, bed) in guests.iter().zip(beds) {
            let answer = self.cluster.one(command(guest, "ACCEPTED", Some(*bed))).await;
            self.alone.add(answer.took);
            answer.expect(200);
        }
        guests
    }

    /// Declines pending guests and discharges all others.
    async fn clear(&mut self, guests: &[String]) {
        let decline: Vec<Shot> = guests.iter().map(|guest| command(guest, "REJECTED", None)).collect();
        let answers = self.cluster.fire(&decline).await;
        let housed = guests.iter().zip(answers).filter(|(_, answer)| answer.status != 200);
        let leave: Vec<Shot> = housed.map(|(guest, _)| command(guest, "DISCHARGED", None)).collect();
        self.cluster.fire(&leave).await;
    }

    /// Makes all calls at once and counts the winners. The others get a 409 or, with a version, a 412 with a sentence.
    async fn storm(&mut self, shots: &[Shot]) -> Result<(usize, Vec<Answer>), String> {
        let answers = self.cluster.fire(shots).await;
        let won = self.judge(&answers)?;
        Ok((won, answers))
    }

    fn judge(&mut self, answers: &[Answer]) -> Result<usize, String> {
        for answer in answers.iter().filter(|answer| answer.status >= 300) {
            self.losers.add(answer.took);
            let sentence = answer.body["message"].as_str().unwrap_or_default();
            if ![409, 412].contains(&answer.status) || sentence.len() < 20 {
                return Err(format!("a loser got {} {}", answer.status, answer.body));
            }
        }
        Ok(answers.iter().filter(|answer| answer.status < 300).count())
    }

    async fn bed_of(&mut self, guest: &str) -> Option<BedId> {
        let shot = Shot::get(format!("/api/Guests/{guest}"), world::ADMIN);
        self.cluster.one(shot).await.expect(200)["assignedBedId"].as_str().map(|bed| bed.parse().unwrap())
    }

    /// The guests of a site who are pending or in a bed.
    async fn active_at(&mut self, site: SiteId) -> Vec<String> {
        let shot = Shot::get(format!("/api/Guests?siteId={site}"), world::ADMIN);
        let list = self.cluster.one(shot).await.expect(200);
        list["items"].as_array().into_iter().flatten().map(id).collect()
    }

    async fn round(&mut self, number: u64) -> Checked {
        match number % KINDS {
            0 => self.many_guests_one_bed().await,
            1 => self.one_guest_many_beds().await,
            2 => self.movers_to_one_bed().await,
            3 => self.swaps(false).await,
            4 => self.swaps(true).await,
            5 => self.discharge_against_swap().await,
            6 => self.last_unit_of_capacity().await,
            7 => self.two_reservations_of_a_person().await,
            8 => self.undo_against_accept().await,
            9 => self.undo_of_declines_against_reservations().await,
            10 => self.cancel_against_accept().await,
            11 => self.undo_of_an_accept_against_everything().await,
            12 => self.merges_against_accepts().await,
            13 => self.undo_of_a_merge_against_reservations().await,
            14 => self.answers_to_an_offer().await,
            15 => self.arrivals_against_no_shows().await,
            16 => self.undo_of_a_no_show_against_accept().await,
            17 => self.edits_against_answers_to_an_offer().await,
            _ => self.expiry_against_accept().await,
        }
    }
}

fn exactly(won: usize, wanted: usize) -> Checked {
    if won == wanted { Ok(()) } else { Err(format!("{won} won instead of {wanted}")) }
}

async fn versions_of(db: &Db) -> BTreeMap<String, i64> {
    let rows: Vec<(uuid::Uuid, i64)> = db.query("SELECT id, version FROM sites ORDER BY id").all().await.unwrap();
    rows.into_iter().map(|(site, version)| (site.to_string(), version)).collect()
}

async fn storms(engine: Engine) {
    let _busy = PROCESSORS.read().await;
    let rounds = told("BERTH_PROOF_ROUNDS").unwrap_or(SHORT);
    let first = seed();
    eprintln!("storms on {engine:?}: {rounds} rounds from BERTH_PROOF_SEED={first}");
    let (mut complaints, mut events, start) = (String::new(), 0, Instant::now());
    let (mut losers, mut alone) = (Times::default(), Times::default());
    let (mut done, mut violations, mut server_errors) = (0, 0, 0);
    while done < rounds {
        let mut dice = Dice::new(first + done);
        let cluster = Cluster::new(engine, &mut dice).await;
        let db = cluster.db().await;
        let mut storm = Storm { cluster, db, dice, losers, alone, strangers: 0 };
        let versions = versions_of(&storm.db).await;
        let mut watchers = Vec::new();
        for node in &storm.cluster.nodes {
            watchers.push(Watcher::new(node.address, world::GLOBAL).await.unwrap());
        }
        let until = rounds.min(done + ROUNDS_OF_A_WORLD);
        while done < until {
            let outcome = storm.round(done).await;
            let broken = recount(&storm.db).await;
            if outcome.is_err() || !broken.is_empty() {
                violations += 1;
                let _ = writeln!(complaints, "round {done} (kind {}): {outcome:?} {broken:#?}", done % KINDS);
            }
            done += 1;
        }
        if let Err(complaint) = settle(&storm, &watchers, &versions).await {
            violations += 1;
            let _ = writeln!(complaints, "after round {done}: {complaint}");
        }
        events +=
            watchers.iter().map(|watcher| watcher.versions(&world::HARBOR_HOUSE.to_string()).len()).sum::<usize>();
        drop(watchers);
        server_errors += storm.cluster.server_errors;
        (losers, alone) = (storm.losers, storm.alone);
        storm.db.close().await;
        storm.cluster.end().await;
    }
    let seconds = start.elapsed().as_secs();
    eprintln!(
        "FIGURE storms on {engine:?}: {rounds} rounds, {} losers (p50 {:.1} ms, p99 {:.1} ms; a command alone p50 {:.1} ms, \
         p99 {:.1} ms), {events} live events, {server_errors} answers 5xx, {violations} violations, {seconds} s",
        losers.len(),
        losers.percentile(50),
        losers.percentile(99),
        alone.percentile(50),
        alone.percentile(99),
    );
    let engine = name_of(engine);
    let figures = Figures { proof: "storms", engine, seed: first, count: rounds, violations, server_errors, seconds };
    figures.tell(&[("loser", &losers), ("alone", &alone)], &[("live events", u64::try_from(events).unwrap())]);
    assert!(complaints.is_empty(), "{complaints}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn storms_on_one_process_on_sqlite() {
    storms(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn storms_on_two_processes_on_postgres() {
    storms(Engine::Postgres).await;
}
