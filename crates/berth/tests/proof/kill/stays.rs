//! Stays: add a person, decline with a reason, undo, assign a bed, undo, assign again, move, move, discharge with a reason.

use berth_domain::id::BedId;
use serde_json::{Value, json};

use super::journal::{Journal, KnownGuest};
use super::writer::{Script, add, command};
use crate::client::Shot;
use crate::world;

/// The stays of one person after the other, in their own beds.
pub struct Stays {
    number: usize,
    beds: [BedId; 3],
    /// The server was down for longer than the ten seconds of an undo.
    is_too_late: bool,
}

impl Stays {
    /// The stays of the `number`-th person.
    pub const fn new(number: usize, beds: [BedId; 3]) -> Self {
        Self { number, beds, is_too_late: false }
    }

    fn step(&self, guest: &KnownGuest) -> Option<(&'static str, Option<BedId>)> {
        Some(match (guest.status.as_str(), guest.version) {
            ("pending", 1) => ("REJECTED", None),
            ("rejected", _) => ("UNDO", None),
            ("pending", _) => ("ACCEPTED", Some(self.beds[0])),
            ("accepted", 4) if !self.is_too_late => ("UNDO", None),
            ("accepted", _) => ("REASSIGNED", Some(self.beds[1])),
            ("reassigned", 5 | 7) => ("REASSIGNED", Some(self.beds[2])),
            ("reassigned", _) => ("DISCHARGED", None),
            _ => return None,
        })
    }
}

impl Script for Stays {
    fn subject(&self) -> &'static str {
        "stays"
    }

    fn next(&self, journal: &Journal) -> Shot {
        let step = journal.guests.last().and_then(|guest| Some((guest, self.step(guest)?)));
        let Some((guest, (status, bed))) = step else { return add(world::HARBOR_HOUSE, self.number) };
        let seen = (status == "UNDO").then_some(guest.version);
        let feedback = matches!(status, "REJECTED" | "DISCHARGED").then_some("No transport to us.");
        // An admin may undo a decline for a day, so the duration of the restart does not matter.
        let who = if guest.status == "rejected" { world::ADMIN } else { world::INTAKE };
        command(&guest.id, who, json!({"status": status, "bedId": bed, "version": seen, "feedback": feedback}))
    }

    fn note(&mut self, body: &Value, journal: &mut Journal) -> Result<(), String> {
        self.is_too_late &= journal.record(body)?.status != "discharged";
        Ok(())
    }

    fn is_too_late(&mut self, rejection: &Value) -> bool {
        let is_late = rejection["code"] == "undo-accept-too-late";
        self.is_too_late |= is_late;
        is_late
    }
}
