//! Stays of guests in beds: which bed a guest may get, and when (DESIGN 3; spec B 4, 5, 8).
//!
//! [`decide`] takes the board of a site, read under the site's lock, and returns the [`Change`] to write or a [`Refusal`]. A bed is occupied
//! if it has an open stay, so a change ends and opens stays.

mod cancel;
mod command;
mod decide;
mod hold;
mod length;
mod limits;
mod merge;
mod refusal;
mod undo;

pub use crate::guest::{GuestFacts, GuestStatus, Source};
pub use cancel::cancel;
pub use command::Command;
pub use decide::{decide, may_set_departure};
pub use hold::{PayingStep, hold_while_paying};
pub use length::{SOON_DAYS, days_left, ends_soon};
pub use limits::{
    ActiveReservations, BedChange, Overrides, active_reservations, available_beds, available_of_type, capacity,
    may_change_bed, may_delete_organization, may_delete_room, may_delete_site, may_stop_arrivals, may_take_beds,
    next_free_bed,
};
pub use merge::{Reopened, merge, time_of_merge, undo_merge};
pub use refusal::Refusal;
pub(crate) use undo::OWN_UNDO_MILLIS;
pub use undo::UndoFacts;

use crate::id::{BedId, GuestId};
use crate::time::Timestamp;

/// A bed of the site, and its guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BedFacts {
    /// The bed.
    pub id: BedId,
    /// True if it is disabled. Such a bed has no guest.
    pub disabled: bool,
    /// True if it is offered to a person on the waitlist. Such a bed has no guest.
    pub offered: bool,
    /// The guest of the open stay.
    pub guest: Option<GuestFacts>,
}

impl BedFacts {
    /// Returns true if a guest may get it: it is enabled, has no guest and is not on offer.
    #[must_use]
    pub const fn is_vacant(&self) -> bool {
        !self.disabled && !self.offered && self.guest.is_none()
    }
}

/// The beds of a site without removed ones, and whether it may accept guests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// In the order of houses, then of beds.
    pub beds: Vec<BedFacts>,
    /// True for a commercial site, which needs a subscription to accept guests of source Web.
    pub needs_subscription: bool,
    /// True if its subscription is active.
    pub subscription_active: bool,
    /// True if the site asks whether accepted guests have arrived.
    pub asks_arrival: bool,
    /// The facts that [`Command::Undo`] needs besides the beds; `None` for other commands.
    pub undo: Option<UndoFacts>,
}

impl Board {
    /// Finds a bed of the site.
    #[must_use]
    pub fn bed(&self, id: BedId) -> Option<&BedFacts> {
        self.beds.iter().find(|bed| bed.id == id)
    }

    /// Finds the bed that the guest holds.
    #[must_use]
    pub fn bed_of(&self, guest: GuestId) -> Option<&BedFacts> {
        self.beds.iter().find(|bed| bed.guest.as_ref().is_some_and(|holder| holder.id == guest))
    }

    /// Returns the number of beds that a guest may get.
    #[must_use]
    pub fn vacant(&self) -> usize {
        self.beds.iter().filter(|bed| bed.is_vacant()).count()
    }
}

text_enum! {
    /// Why a stay ended, as stored with it.
    #[derive(serde::Deserialize)]
    pub enum EndReason {
        /// The guest moved to a vacant bed.
        Reassigned = "reassigned",
        /// Two guests exchanged beds.
        Swapped = "swapped",
        /// The guest left.
        Discharged = "discharged",
    }
}

/// The time of a guest to set to now, or to clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// `accepted_at`
    Accepted,
    /// `reassigned_at`
    Reassigned,
    /// `rejected_at`
    Rejected,
    /// `rejected_at` and `cancelled_at`
    Cancelled,
    /// `discharged_at`
    Discharged,
    /// `arrived_at`
    Arrived,
    /// Clear `arrived_at`.
    ArrivalUndone,
    /// `discharged_at` and `no_show_at`
    NoShow,
    /// Clear `rejected_at` and set the end of the hold.
    DeclineUndone {
        /// End of the hold. `None` for guests added by staff.
        expires_at: Option<Timestamp>,
    },
    /// Clear `discharged_at` and `no_show_at`.
    DischargeUndone,
    /// Clear `accepted_at` and `arrived_at`.
    AcceptUndone,
    /// `merged_at`
    Merged {
        /// True if the reservation ends with it: `rejected_at` is set, too.
        ends: bool,
    },
    /// Clear `merged_at`.
    MergeUndone(Reopened),
}

/// An open stay that ends now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedStay {
    /// The guest.
    pub guest: GuestId,
    /// The bed.
    pub bed: BedId,
    /// Why it ends.
    pub reason: EndReason,
}

/// A stay that begins now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenedStay {
    /// The guest.
    pub guest: GuestId,
    /// The bed.
    pub bed: BedId,
}

/// The writes of a command: first `withdrawn` and all of `ended`, then all of `opened`, in one transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The stay that an undone accept had opened. It is deleted and kept in the record of the undo.
    pub withdrawn: Option<OpenedStay>,
    /// Stays to end; two in a swap.
    pub ended: Vec<EndedStay>,
    /// Stays to open; two in a swap.
    pub opened: Vec<OpenedStay>,
    /// Times to set, each guest once.
    pub stamps: Vec<(GuestId, Stamp)>,
    /// Feedback to keep, cleaned.
    pub feedback: Option<(GuestId, String)>,
}
