//! Cancelling a reservation as its guest, on the public side (docs/decisions/0049).

use super::{Change, Refusal, Stamp};
use crate::guest::{GuestFacts, GuestStatus, Source};
use crate::time::Timestamp;

/// Decides the cancellation of a reservation by its guest. Only a waiting one can be cancelled: an accepted guest may already be
/// in the bed, and whoever knows the code must not be able to end a stay.
///
/// # Errors
/// [`Refusal::CancelByHand`] for a guest whom staff added; [`Refusal::CancelledByGuest`] if the guest cancelled before; [`Refusal::CancelNeedsCall`] once the site has accepted;
/// [`Refusal::NothingToCancel`] otherwise.
pub fn cancel(guest: &GuestFacts, now: Timestamp) -> Result<Change, Refusal> {
    match guest.status(now) {
        GuestStatus::Pending if guest.source != Source::Web => Err(Refusal::CancelByHand),
        GuestStatus::Pending => Ok(Change { stamps: vec![(guest.id, Stamp::Cancelled)], ..Change::default() }),
        GuestStatus::Accepted | GuestStatus::Reassigned => Err(Refusal::CancelNeedsCall),
        GuestStatus::Rejected if guest.cancelled_at.is_some() => Err(Refusal::CancelledByGuest),
        GuestStatus::Rejected | GuestStatus::Discharged | GuestStatus::Expired => Err(Refusal::NothingToCancel),
    }
}
