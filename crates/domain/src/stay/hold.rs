//! Extending the hold of a reservation while an owner pays for the subscription that it needs.

use crate::guest::{GuestFacts, GuestStatus, Source};
use crate::time::Timestamp;

/// Duration of an extended hold, in minutes.
const EXTENDED_MINUTES: i64 = 30;

/// A step of an owner in paying for the subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayingStep {
    /// The owner adds a card or chooses a plan. A hold is extended only once, so one that leaves enough time for this is not
    /// extended before the payment itself.
    Preparing,
    /// Stripe is about to be asked for the payment.
    Charging,
}

impl PayingStep {
    /// Returns the number of minutes: holds that end within it are extended at this step.
    #[must_use]
    pub const fn minutes(self) -> i64 {
        match self {
            Self::Preparing => 10,
            Self::Charging => EXTENDED_MINUTES,
        }
    }
}

/// Returns the new end of a reservation's hold when an owner takes a step at `now` to pay for the subscription that it waits
/// for: 30 minutes from now, so at most 30 minutes later than before. `None` if the hold stays as it is: it ends late enough
/// for this step, has ended, or was extended before.
#[must_use]
pub fn hold_while_paying(
    guest: &GuestFacts,
    was_extended: bool,
    step: PayingStep,
    now: Timestamp,
) -> Option<Timestamp> {
    let waits = guest.source == Source::Web && guest.status(now) == GuestStatus::Pending && !was_extended;
    let ends_soon = guest.expires_at.is_some_and(|end| end < now.plus_minutes(step.minutes()));
    (waits && ends_soon).then_some(now.plus_minutes(EXTENDED_MINUTES))
}
