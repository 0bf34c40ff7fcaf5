//! Where a guest sleeps: who may get which bed, and when not (DESIGN 3; spec B 4, 5, 8).
//!
//! [`decide`] is pure: it sees the board of one site, read under the site's lock, and answers with the [`Change`] to
//! write or the [`Refusal`] to tell. Occupancy is never a flag but an open stay, so a change is stays ended and opened.

mod cancel;
mod command;
mod decide;
mod hold;
mod limits;
mod refusal;
mod undo;

pub use crate::guest::{GuestFacts, GuestStatus, Source};
pub use cancel::cancel;
pub use command::Command;
pub use decide::decide;
pub use hold::{PayingStep, hold_while_paying};
pub use limits::{
    ActiveReservations, BedChange, Overrides, active_reservations, capacity, may_change_bed, may_delete_organization,
    may_delete_room, may_delete_site, may_take_beds, next_free_bed,
};
pub use refusal::Refusal;
pub(crate) use undo::OWN_UNDO_MILLIS;
pub use undo::UndoFacts;

use crate::id::{BedId, GuestId};
use crate::time::Timestamp;

/// A bed of the site, and who holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BedFacts {
    /// Which bed.
    pub id: BedId,
    /// Taken out of use; such a bed has no guest.
    pub disabled: bool,
    /// The holder of the open stay.
    pub guest: Option<GuestFacts>,
}

impl BedFacts {
    /// Enabled and without a guest.
    #[must_use]
    pub const fn is_vacant(&self) -> bool {
        !self.disabled && self.guest.is_none()
    }
}

/// The beds of one site in the order of the screen, removed ones left out, and whether it may accept guests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// In the order of houses, then of beds.
    pub beds: Vec<BedFacts>,
    /// The site is commercial: guests of source Web are accepted under a subscription only.
    pub needs_subscription: bool,
    /// Whether its subscription is active now.
    pub subscription_active: bool,
    /// The facts that [`Command::Undo`] needs besides the beds; `None` for other commands.
    pub undo: Option<UndoFacts>,
}

impl Board {
    /// The bed with this id, if it is one of the site.
    #[must_use]
    pub fn bed(&self, id: BedId) -> Option<&BedFacts> {
        self.beds.iter().find(|bed| bed.id == id)
    }

    /// The bed that the guest holds.
    #[must_use]
    pub fn bed_of(&self, guest: GuestId) -> Option<&BedFacts> {
        self.beds.iter().find(|bed| bed.guest.as_ref().is_some_and(|holder| holder.id == guest))
    }

    /// How many beds are enabled and without a guest.
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
        /// Two guests changed beds.
        Swapped = "swapped",
        /// The guest left.
        Discharged = "discharged",
    }
}

/// Which of a guest's times is set to now, or taken away again.
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
    /// `rejected_at` is taken away; the hold gets a new end.
    DeclineUndone {
        /// End of the hold; none for guests added by hand.
        expires_at: Option<Timestamp>,
    },
    /// `discharged_at` is taken away.
    DischargeUndone,
    /// `accepted_at` is taken away.
    AcceptUndone,
}

/// An open stay that ends now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedStay {
    /// Who held the bed.
    pub guest: GuestId,
    /// Which bed.
    pub bed: BedId,
    /// Why it ends.
    pub reason: EndReason,
}

/// A stay that begins now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenedStay {
    /// Who gets the bed.
    pub guest: GuestId,
    /// Which bed.
    pub bed: BedId,
}

/// What an accepted command writes: first `withdrawn` and all of `ended`, then all of `opened`, in one transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The stay that an undone accept had opened. It is no longer a stay; the record of the undo keeps it.
    pub withdrawn: Option<OpenedStay>,
    /// Stays to end; two in a swap.
    pub ended: Vec<EndedStay>,
    /// Stays to open; two in a swap.
    pub opened: Vec<OpenedStay>,
    /// Times to set; each guest once.
    pub stamps: Vec<(GuestId, Stamp)>,
    /// Feedback to keep, cleaned.
    pub feedback: Option<(GuestId, String)>,
}
