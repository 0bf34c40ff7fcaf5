//! A writer makes one change after the other until the server is gone, and settles the last one after the restart. Its script
//! chooses the changes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use berth_db::Db;
use berth_domain::id::SiteId;
use serde_json::{Value, json};

use super::journal::Journal;
use crate::client::{Client, Shot};
use crate::{steps, world};

/// Number of guests that a script still changes, at most.
const CHANGING: usize = 2;

/// The changes that a writer repeats.
pub trait Script: Send {
    /// What the changes are about, as figures name it.
    fn subject(&self) -> &'static str;

    /// Returns the next change. It depends only on what was acknowledged.
    fn next(&self, journal: &Journal) -> Shot;

    /// Records in the journal what an acknowledged change led to.
    ///
    /// # Errors
    /// A sentence, if the answer does not follow from what was known.
    fn note(&mut self, body: &Value, journal: &mut Journal) -> Result<(), String> {
        journal.record(body).map(drop)
    }

    /// Returns true if a rejection only means that the server was down for too long. The next change is another one then.
    fn is_too_late(&mut self, _rejection: &Value) -> bool {
        false
    }
}

/// A writer with its journal, which is not in the killed process.
pub struct Writer {
    number: usize,
    pub script: Box<dyn Script>,
    pub journal: Journal,
    /// Number of changes sent, for their keys.
    count: u64,
    /// The change that was sent and not answered.
    pub in_hand: Option<Shot>,
    /// Number of acknowledged changes.
    pub acknowledged: u64,
}

impl Writer {
    /// Creates a writer that has not written yet.
    pub fn new(number: usize, script: Box<dyn Script>) -> Self {
        Self { number, script, journal: Journal::default(), count: 0, in_hand: None, acknowledged: 0 }
    }

    /// Which of the servers the writer uses.
    pub const fn server(&self, servers: usize) -> usize {
        self.number % servers
    }

    /// Writes until the server is gone or `stop` is set.
    pub async fn write(mut self, server: SocketAddr, stop: Arc<AtomicBool>) -> (Self, Result<(), String>) {
        let mut client = Client::new(server, Ipv4Addr::LOCALHOST);
        while !stop.load(Ordering::Relaxed) {
            self.count += 1;
            let key = Some(format!("writer-{}-{}", self.number, self.count));
            let shot = Shot { key, ..self.script.next(&self.journal) };
            self.in_hand = Some(shot.clone());
            let Ok(answer) = client.send(&shot).await else { return (self, Ok(())) };
            if let Err(complaint) = self.note(answer.status, &answer.body) {
                return (self, Err(complaint));
            }
        }
        (self, Ok(()))
    }

    fn note(&mut self, status: u16, body: &Value) -> Result<(), String> {
        let Some(shot) = self.in_hand.take() else { return Ok(()) };
        if status == 409 && self.script.is_too_late(body) {
            return Ok(());
        }
        let who = |complaint: String| format!("writer {} ({}): {complaint}", self.number, self.script.subject());
        if status >= 300 {
            return Err(who(format!("{shot:?} got {status} {body}")));
        }
        self.acknowledged += 1;
        let noted = self.script.note(body, &mut self.journal);
        noted.map_err(|complaint| format!("writer {}: {shot:?}: {complaint}", self.number))
    }

    /// Returns true if the unanswered change was committed before the kill.
    pub async fn has_happened(&self, db: &Db) -> bool {
        const KEY: &str = "SELECT COUNT(*) FROM idempotency_keys WHERE key = $1";
        let Some(key) = self.in_hand.as_ref().and_then(|shot| shot.key.clone()) else { return false };
        let found: i64 = db.query(KEY).bind(key).scalar().await.unwrap();
        found > 0
    }

    /// After the restart, the server shows the guests as acknowledged or one change further. The repeated request settles which:
    /// it must lead to the version that follows the acknowledged one, whether or not it had been committed.
    pub async fn settle(&mut self, client: &mut Client) -> Result<(), String> {
        let all = self.journal.guests.len();
        for guest in all.saturating_sub(CHANGING)..all {
            let path = format!("/api/Guests/{}", self.journal.guests[guest].id);
            let answer = client.send(&Shot::get(path, world::ADMIN)).await.map_err(|error| error.to_string())?;
            self.journal.check_shown(guest, &answer.body, self.in_hand.is_some())?;
        }
        let Some(shot) = self.in_hand.clone() else { return Ok(()) };
        let answer = client.send(&shot).await.map_err(|error| error.to_string())?;
        self.note(answer.status, &answer.body)
    }
}

/// Adds the `number`-th person to a site.
pub fn add(site: SiteId, number: usize) -> Shot {
    Shot::new("POST", "/api/Guests", world::ADMIN, steps::form(site, number))
}

/// A command on a guest.
pub fn command(guest: &str, who: &'static str, body: Value) -> Shot {
    Shot::new("PATCH", format!("/api/Guests/{guest}"), who, body)
}

/// The fields of a command that is meant for this version of the guest.
pub fn at_version(status: &str, version: i64) -> Value {
    json!({"status": status, "version": version})
}
