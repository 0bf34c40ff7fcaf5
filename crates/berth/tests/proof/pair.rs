//! Two houses, one on each engine, with the same clock and the same randomness. Every call goes to both, and their answers
//! must have the same bytes (I20).

use std::cmp::Reverse;
use std::sync::atomic::Ordering;

use axum::http::Method;
use berth_db::Engine;
use berth_domain::time::Timestamp;
use berth_server::jobs::{cleanup, guest_texts, holds, notices, offers, outbox};
use berth_server::{App, Error, routes};
use serde_json::Value;

use crate::harness::{self, Answer, House, START};
use crate::{invariants, steps, world};

/// The tables, in an order in which they can be emptied.
const TABLES: [&str; 47] = [
    "DELETE FROM user_views",
    "DELETE FROM user_notices",
    "DELETE FROM guest_texts",
    "DELETE FROM sms_stops",
    "DELETE FROM reservation_requests",
    "DELETE FROM installation_keys",
    "DELETE FROM reservation_networks",
    "DELETE FROM idempotency_keys",
    "DELETE FROM bed_offers",
    "DELETE FROM waiting_guests",
    "DELETE FROM guest_undos",
    "DELETE FROM guest_merges",
    "DELETE FROM undone_accepts",
    "DELETE FROM stays",
    "DELETE FROM guest_services",
    "DELETE FROM guests",
    "DELETE FROM person_locks",
    "DELETE FROM codes",
    "DELETE FROM recovery_codes",
    "DELETE FROM files",
    "DELETE FROM secrets",
    "DELETE FROM sessions",
    "DELETE FROM memberships",
    "DELETE FROM agreement_acceptances",
    "DELETE FROM audit",
    "DELETE FROM audit_marks",
    "DELETE FROM audit_seals",
    "DELETE FROM guest_sets",
    "DELETE FROM outbox",
    "DELETE FROM throttles",
    "DELETE FROM jobs",
    "DELETE FROM bed_outages",
    "DELETE FROM beds",
    "DELETE FROM rooms",
    "DELETE FROM site_images",
    "DELETE FROM site_languages",
    "DELETE FROM site_services",
    "DELETE FROM site_payment_options",
    "DELETE FROM site_intake_periods",
    "DELETE FROM site_subscriptions",
    "DELETE FROM site_counts",
    "DELETE FROM sites",
    "DELETE FROM organization_payment_methods",
    "DELETE FROM organization_insurance_companies",
    "DELETE FROM insurance_companies",
    "DELETE FROM organizations",
    "DELETE FROM users",
];

/// A request for both houses.
#[derive(Debug, Clone)]
pub struct Call {
    pub method: Method,
    pub path: String,
    pub token: Option<&'static str>,
    pub key: Option<String>,
    pub known: Option<String>,
    pub body: Option<Value>,
}

impl Call {
    /// The request as text, to compare requests.
    pub fn asked(&self) -> String {
        format!("{} {} {}", self.method, self.path, self.body.clone().unwrap_or_default())
    }
}

/// A job that runs on both.
#[derive(Debug, Clone, Copy)]
pub enum Job {
    Holds,
    Offers,
    CleanUp,
    Send,
}

/// A stored person on a waitlist.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredPerson {
    pub id: uuid::Uuid,
    pub version: i64,
    /// Milliseconds after the start.
    pub since: i64,
    /// The offered bed.
    pub offered: Option<uuid::Uuid>,
    /// Erased once the person no longer waits.
    pub form: Option<StoredForm>,
}

/// The stored form of a person on a waitlist, as far as stories change it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredForm {
    pub name: String,
    pub phone: String,
    /// Distinguishes the person from the others on the list.
    pub person: String,
    /// The type of bed that is needed.
    pub kind: Option<String>,
}

/// The stored state of each guest, bed, house and site, in the order of ids.
#[derive(Debug, PartialEq, Eq)]
pub struct Stored {
    /// Id, version, bed, and whether declined, discharged, recorded as expired.
    pub guests: Vec<(uuid::Uuid, i64, Option<uuid::Uuid>, [bool; 3])>,
    pub waiting: Vec<StoredPerson>,
    /// Id, name, what the bed waits for, disabled, removed.
    pub beds: Vec<(uuid::Uuid, String, Option<String>, bool, bool)>,
    /// Id, name, removed.
    pub rooms: Vec<(uuid::Uuid, String, bool)>,
    /// The versions of the sites, in the order of ids.
    pub versions: Vec<i64>,
}

/// The two houses.
pub struct Pair {
    houses: [House; 2],
}

impl Pair {
    /// Two empty databases.
    pub async fn new() -> Self {
        let houses = [House::empty(Engine::Sqlite).await, House::empty(Engine::Postgres).await];
        for house in &houses {
            // Each sequence starts with an empty audit trail.
            steps::disarm(house.db()).await;
        }
        Self { houses }
    }

    /// Resets both to the test world at the start time.
    pub async fn begin(&mut self) {
        for house in &mut self.houses {
            house.clock.store(START, Ordering::SeqCst);
            house.app = harness::app(house.database.db.clone(), &house.clock, 1);
            house.router = routes::build(house.app.clone());
            let mut tx = house.db().begin().await.unwrap();
            for table in TABLES {
                tx.query(table).execute().await.unwrap();
            }
            tx.commit().await.unwrap();
            world::fill(&house.app).await;
            // One of the sites asks whether guests have arrived.
            let mut tx = house.db().begin().await.unwrap();
            tx.query("UPDATE sites SET asks_arrival = TRUE WHERE id = $1")
                .bind(world::OPEN_DOOR)
                .execute()
                .await
                .unwrap();
            tx.commit().await.unwrap();
        }
    }

    /// Sets both clocks, in milliseconds after the start.
    pub fn turn_clock(&self, now: i64) {
        for house in &self.houses {
            house.clock.store(START + now, Ordering::SeqCst);
        }
    }

    /// Makes a call on both and returns their common answer.
    pub async fn send(&self, call: &Call) -> Result<Answer, String> {
        let ask = |house: &House| {
            let mut ask = house.ask(call.method.clone(), &call.path);
            if let Some(token) = call.token {
                ask = ask.by(token);
            }
            if let Some(key) = &call.key {
                ask = ask.header("idempotency-key", key);
            }
            if let Some(tag) = &call.known {
                ask = ask.header("if-none-match", tag);
            }
            match &call.body {
                Some(body) => ask.json(body.clone()),
                None => ask,
            }
        };
        let (sqlite, postgres) = tokio::join!(ask(&self.houses[0]).send(), ask(&self.houses[1]).send());
        if sqlite.status != postgres.status || sqlite.text != postgres.text || sqlite.headers != postgres.headers {
            return Err(format!("the engines differ:\nSQLite      {sqlite:?}\nPostgreSQL  {postgres:?}"));
        }
        Ok(sqlite)
    }

    /// Runs a job on both.
    pub async fn run(&self, job: Job) -> Result<(), String> {
        let mut done = Vec::new();
        for house in &self.houses {
            let count = match job {
                Job::Holds => holds::run(&house.app).await,
                Job::Offers => offers::run(&house.app).await,
                Job::CleanUp => cleanup::run(&house.app).await,
                Job::Send => send(&house.app).await,
            };
            done.push(count.map_err(|error| format!("{job:?} failed: {error}"))?);
        }
        if done[0] == done[1] { Ok(()) } else { Err(format!("{job:?} did {done:?}")) }
    }

    /// Changes the subscription of the commercial site, as a webhook does.
    pub async fn pay(&self, active: bool) {
        const STATUS: &str = "UPDATE site_subscriptions SET status = $1";
        const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE id = $1";
        for house in &self.houses {
            let mut tx = house.db().begin().await.unwrap();
            let status = if active { "active" } else { "past_due" };
            tx.query(STATUS).bind(status).execute().await.unwrap();
            tx.query(TOUCH).bind(world::HARBOR_HOUSE).execute().await.unwrap();
            tx.commit().await.unwrap();
        }
    }

    /// The id of the guest with a code, the same in both.
    pub async fn guest_of_code(&self, code: &str) -> String {
        const BY_CODE: &str = "SELECT id FROM guests WHERE code = $1";
        let found: uuid::Uuid = self.houses[0].db().query(BY_CODE).bind(code).scalar().await.unwrap();
        found.to_string()
    }

    /// The code in the newest SMS to a phone that contains one; empty if there is none.
    pub async fn newest_code(&self, phone: &str) -> String {
        let mut messages = berth_server::integrations::outbox::newest(&self.houses[0].app, i64::MAX).await.unwrap();
        // By id, because the clock of a sequence may be set back.
        messages.sort_by_key(|message| Reverse(message.id.0));
        let texts = messages.iter().filter(|message| message.channel == "sms" && message.to == phone);
        texts.map(|message| steps::code_of(&message.body)).find(|code| code.len() == 6).unwrap_or_default()
    }

    /// The stored state, which must be the same in both.
    pub async fn stored(&self) -> Result<Stored, String> {
        let (sqlite, postgres) = tokio::join!(stored(&self.houses[0]), stored(&self.houses[1]));
        if sqlite == postgres { Ok(sqlite) } else { Err(format!("stored differs:\n{sqlite:?}\n{postgres:?}")) }
    }

    /// Checks that the audit trails and outboxes are equal and that every invariant holds in both. `latest` is the latest
    /// time the clock has shown, in milliseconds after the start: a hold that became active again because the clock was
    /// turned back does not count against capacity.
    pub async fn recount(&self, latest: i64) -> Result<(), String> {
        const TRAIL: &str = "SELECT id, at, action, actor_id, site_id, object_id, summary FROM audit ORDER BY id";
        type Line = (uuid::Uuid, i64, String, Option<uuid::Uuid>, Option<uuid::Uuid>, Option<uuid::Uuid>, String);
        let mut trails: Vec<Vec<Line>> = Vec::new();
        let mut outboxes = Vec::new();
        for house in &self.houses {
            let now = Timestamp::from_millis(START + latest);
            let broken = invariants::broken(house.db(), now).await;
            if !broken.is_empty() {
                return Err(format!("{:?}: {broken:#?}", house.db().engine()));
            }
            house.app.reads.flush(&house.app).await.unwrap();
            trails.push(house.db().query(TRAIL).all().await.unwrap());
            outboxes.push(berth_server::integrations::outbox::newest(&house.app, i64::MAX).await.unwrap());
        }
        if trails[0] != trails[1] {
            return Err(format!("the trails differ: {trails:#?}"));
        }
        if outboxes[0] == outboxes[1] { Ok(()) } else { Err(format!("the outboxes differ: {outboxes:#?}")) }
    }
}

/// Writes the pending messages and sends them.
async fn send(app: &App) -> Result<u64, Error> {
    Ok(guest_texts::run(app).await? + notices::run(app).await? + outbox::run(app).await?)
}

async fn stored(house: &House) -> Stored {
    const GUESTS: &str = "SELECT g.id, g.version, s.bed_id, g.rejected_at, g.discharged_at, g.expired_at FROM guests g \
        LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL ORDER BY g.id";
    const WAITING: &str = "SELECT w.id, w.version, w.waits_since, f.bed_id, w.form, w.person, w.bed_kind FROM waiting_guests w \
        LEFT JOIN bed_offers f ON f.waiting_guest_id = w.id AND f.ended_at IS NULL ORDER BY w.id";
    const BEDS: &str = "SELECT b.id, b.name, o.kind, b.disabled, b.deleted_at FROM beds b \
        LEFT JOIN bed_outages o ON o.bed_id = b.id AND o.ended_at IS NULL ORDER BY b.id";
    const ROOMS: &str = "SELECT id, name, deleted_at FROM rooms ORDER BY id";
    const VERSIONS: &str = "SELECT version FROM sites ORDER BY id";
    type GuestRow = (uuid::Uuid, i64, Option<uuid::Uuid>, Option<i64>, Option<i64>, Option<i64>);
    type WaitingRow = (uuid::Uuid, i64, i64, Option<uuid::Uuid>, Option<String>, Option<String>, Option<String>);
    type BedRow = (uuid::Uuid, String, Option<String>, bool, Option<i64>);
    let mut view = house.db().read().await.unwrap();
    let guests: Vec<GuestRow> = view.query(GUESTS).all().await.unwrap();
    let waiting: Vec<WaitingRow> = view.query(WAITING).all().await.unwrap();
    let beds: Vec<BedRow> = view.query(BEDS).all().await.unwrap();
    let rooms: Vec<(uuid::Uuid, String, Option<i64>)> = view.query(ROOMS).all().await.unwrap();
    let versions: Vec<(i64,)> = view.query(VERSIONS).all().await.unwrap();
    let person = |(id, version, since, offered, form, person, kind): WaitingRow| {
        let form = stored_form(form, person, kind);
        StoredPerson { id, version, since: since - START, offered, form }
    };
    let ends = |row: GuestRow| (row.0, row.1, row.2, [row.3.is_some(), row.4.is_some(), row.5.is_some()]);
    Stored {
        guests: guests.into_iter().map(ends).collect(),
        waiting: waiting.into_iter().map(person).collect(),
        beds: beds.into_iter().map(|(id, name, kind, off, gone)| (id, name, kind, off, gone.is_some())).collect(),
        rooms: rooms.into_iter().map(|(id, name, gone)| (id, name, gone.is_some())).collect(),
        versions: versions.into_iter().map(|(version,)| version).collect(),
    }
}

fn stored_form(form: Option<String>, person: Option<String>, kind: Option<String>) -> Option<StoredForm> {
    let form: Value = serde_json::from_str(&form?).unwrap();
    let text = |name: &str| form[name].as_str().unwrap_or_default().to_owned();
    Some(StoredForm { name: text("firstName"), phone: text("phone"), person: person?, kind })
}
