//! The hold of a reservation while somebody pays so that it can be accepted.

use crate::guest::{GuestFacts, GuestStatus, Source};
use crate::time::Timestamp;

/// The minutes that a hold lasts at least after somebody begins to pay.
pub const PAYING_MINUTES: i64 = 30;

/// Returns the new end of a reservation's hold when somebody begins at `now` to pay for the subscription that it waits for: 30
/// minutes from now, so at most 30 minutes later than before. `None` if the hold stays as it is: it ends later anyway, has ended,
/// or was extended before.
#[must_use]
pub fn hold_while_paying(guest: &GuestFacts, was_extended: bool, now: Timestamp) -> Option<Timestamp> {
    let extended = now.plus_minutes(PAYING_MINUTES);
    let waits = guest.source == Source::Web && guest.status(now) == GuestStatus::Pending && !was_extended;
    let ends_earlier = guest.expires_at.is_some_and(|end| end < extended);
    (waits && ends_earlier).then_some(extended)
}
