//! The text messages that guests get about their reservations.

use super::MAX_LATE_MINUTES;
use crate::guest::{GuestFacts, GuestStatus};
use crate::stay::OWN_UNDO_MILLIS;
use crate::time::Timestamp;

text_enum! {
    /// A text message to a guest.
    pub enum GuestText {
        /// The site has received the reservation.
        Received = "received",
        /// The site has a bed for the guest.
        Accepted = "accepted",
        /// The site declined.
        Declined = "declined",
        /// The site has undone its decision.
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
    /// The reason why a text is not sent.
    pub enum NotSent {
        /// It is no longer true, or the guest got it already.
        Outdated = "outdated",
        /// It is too late.
        Late = "late",
        /// The phone has opted out of texts.
        OptedOut = "opted-out",
        /// The number is not that of a person.
        NoPerson = "no-person",
        /// The phone has reached the limit of texts about reservations.
        TooMany = "too-many",
    }
}

impl GuestText {
    /// Returns the delay before the text is sent, in milliseconds. A decision waits until the user who made it can no longer undo it.
    #[must_use]
    pub const fn delay_millis(self) -> i64 {
        match self {
            Self::Accepted | Self::Declined => OWN_UNDO_MILLIS + 5000,
            _ => 0,
        }
    }

    /// Returns true if the text is true. `last` is the last text that the guest got.
    fn is_true(self, guest: &GuestFacts, last: Option<Self>, now: Timestamp) -> bool {
        let status = guest.status(now);
        let is_pending = status == GuestStatus::Pending;
        let is_cancelled = guest.cancelled_at.is_some();
        match self {
            Self::Received => is_pending && last.is_none(),
            Self::Accepted => status.is_assigned(),
            Self::Declined => status == GuestStatus::Rejected && !is_cancelled && !guest.ended_by_merge(),
            Self::Reopened => is_pending && matches!(last, Some(Self::Accepted | Self::Declined)),
            Self::Ending => is_pending,
            Self::Expired => status == GuestStatus::Expired,
            Self::Cancelled => is_cancelled,
        }
    }
}

/// Decides whether a text about an event at `happened_at` is sent at `now`: only if it is still true, differs from the last one, and, for a
/// reminder, is at most ten minutes late.
///
/// # Errors
/// The reason why it is not sent.
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
