//! Which text messages a guest gets about the own reservation.

use super::MAX_LATE_MINUTES;
use crate::guest::{GuestFacts, GuestStatus};
use crate::stay::OWN_UNDO_MILLIS;
use crate::time::Timestamp;

text_enum! {
    /// What a guest is told by SMS.
    pub enum GuestText {
        /// The site has the reservation.
        Received = "received",
        /// The site has a bed for the guest.
        Accepted = "accepted",
        /// The site declined.
        Declined = "declined",
        /// The site has taken its decision back.
        Reopened = "reopened",
        /// The hold ends soon.
        Ending = "ending",
        /// The hold ended before a decision.
        Expired = "expired",
        /// The guest cancelled.
        Cancelled = "cancelled",
    }
}

text_enum! {
    /// Why a text is not sent.
    pub enum NotSent {
        /// It is no longer true, or the guest knows it already.
        Outdated = "outdated",
        /// Its time has passed.
        Late = "late",
        /// The phone has asked for no texts.
        OptedOut = "opted-out",
        /// The number is not one of a person.
        NoPerson = "no-person",
        /// The phone got many texts about reservations already.
        TooMany = "too-many",
    }
}

impl GuestText {
    /// Milliseconds that the text waits before it is sent. A decision waits until the person who made it can no longer take it back.
    #[must_use]
    pub const fn delay_millis(self) -> i64 {
        match self {
            Self::Accepted | Self::Declined => OWN_UNDO_MILLIS + 5000,
            _ => 0,
        }
    }

    /// Returns true if the text tells what is the case. `last` is what the guest was told last.
    fn is_true(self, guest: &GuestFacts, last: Option<Self>, now: Timestamp) -> bool {
        let status = guest.status(now);
        let is_pending = status == GuestStatus::Pending;
        let is_cancelled = guest.cancelled_at.is_some();
        match self {
            Self::Received => is_pending && last.is_none(),
            Self::Accepted => status.is_assigned(),
            Self::Declined => status == GuestStatus::Rejected && !is_cancelled,
            Self::Reopened => is_pending && matches!(last, Some(Self::Accepted | Self::Declined)),
            Self::Ending => is_pending,
            Self::Expired => status == GuestStatus::Expired,
            Self::Cancelled => is_cancelled,
        }
    }
}

/// Decides whether a text about what happened at `happened_at` is sent at `now`: only if it is still true, not the one that the guest
/// got last, and, for a reminder, not more than ten minutes late.
///
/// # Errors
/// Why it is not sent.
pub fn judge_guest_text(
    (text, happened_at): (GuestText, Timestamp),
    guest: &GuestFacts,
    last: Option<GuestText>,
    now: Timestamp,
) -> Result<(), NotSent> {
    if last == Some(text) || !text.is_true(guest, last, now) {
        return Err(NotSent::Outdated);
    }
    let is_late = text == GuestText::Ending && now > happened_at.plus_minutes(MAX_LATE_MINUTES);
    if is_late { Err(NotSent::Late) } else { Ok(()) }
}
