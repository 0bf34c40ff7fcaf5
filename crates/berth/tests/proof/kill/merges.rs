//! Merges: add two reservations of a person, merge the second into the first, undo, merge again, decline the first, undo, decline the
//! second, and merge them once more, although both have ended.

use serde_json::{Value, json};

use super::journal::{Journal, KnownGuest};
use super::writer::{Script, add, at_version, command};
use crate::client::Shot;
use crate::world;

/// The merges of one person's reservations, two after the other two.
pub struct Merges {
    number: usize,
}

impl Merges {
    /// The merges of the `number`-th person.
    pub const fn new(number: usize) -> Self {
        Self { number }
    }
}

/// The newest two reservations: the one to keep and the duplicate, once they were added.
fn newest(guests: &[KnownGuest]) -> (Option<&KnownGuest>, Option<&KnownGuest>) {
    match guests.chunks(2).last() {
        Some([kept]) => (Some(kept), None),
        Some([kept, duplicate]) => (Some(kept), Some(duplicate)),
        _ => (None, None),
    }
}

impl Script for Merges {
    fn subject(&self) -> &'static str {
        "merges"
    }

    fn next(&self, journal: &Journal) -> Shot {
        let (Some(kept), Some(duplicate)) = newest(&journal.guests) else {
            return add(world::HARBOR_HOUSE, self.number);
        };
        let version = duplicate.version;
        let call = |guest: &KnownGuest, what: &str, body: Value| {
            Shot::new("POST", format!("/api/Guests/{}/{what}", guest.id), world::ADMIN, body)
        };
        let merge = || call(kept, "merge", json!({"duplicateId": duplicate.id, "version": version}));
        let decline = |guest: &KnownGuest| command(&guest.id, world::ADMIN, at_version("REJECTED", guest.version));
        match (kept.version, version) {
            (_, 1 | 3 | 6) => merge(),
            (1, 4) => decline(kept),
            (_, 2 | 4) => call(duplicate, "unmerge", json!({"version": version})),
            (_, 5) => decline(duplicate),
            _ => add(world::HARBOR_HOUSE, self.number),
        }
    }

    fn note(&mut self, body: &Value, journal: &mut Journal) -> Result<(), String> {
        journal.record(body)?;
        if let Some([kept, duplicate]) = journal.guests.chunks_mut(2).last() {
            // The merges lead to these versions.
            duplicate.merged_into = matches!(duplicate.version, 2 | 4 | 7).then(|| kept.id.clone());
        }
        Ok(())
    }
}
