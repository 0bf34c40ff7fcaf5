//! Arrivals, at a site that asks for them: add a person, assign a bed, arrived, not arrived, no show, undo, arrived, discharge.

use berth_domain::id::BedId;
use serde_json::json;

use super::journal::Journal;
use super::writer::{Script, add, at_version, command};
use crate::client::Shot;
use crate::world;

/// The version of a guest who has left.
const LEFT: i64 = 8;

/// The arrivals of one person after the other, in one bed.
pub struct Arrivals {
    number: usize,
    bed: BedId,
}

impl Arrivals {
    /// The arrivals of the `number`-th person.
    pub const fn new(number: usize, bed: BedId) -> Self {
        Self { number, bed }
    }
}

impl Script for Arrivals {
    fn subject(&self) -> &'static str {
        "arrivals"
    }

    fn next(&self, journal: &Journal) -> Shot {
        let Some(guest) = journal.guests.last().filter(|guest| guest.version < LEFT) else {
            return add(world::HARBOR_HOUSE, self.number);
        };
        let status = match guest.version {
            1 => {
                let body = json!({"status": "ACCEPTED", "bedId": self.bed});
                return command(&guest.id, world::INTAKE, body);
            }
            2 | 6 => "ARRIVED",
            3 => "NOT_ARRIVED",
            4 => "NO_SHOW",
            5 => "UNDO",
            _ => "DISCHARGED",
        };
        // An admin may undo for a day, so the duration of the restart does not matter.
        command(&guest.id, world::ADMIN, at_version(status, guest.version))
    }
}
