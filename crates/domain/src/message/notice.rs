//! When users are told about reservations: gathered, never late, and not in their quiet hours.

use super::{MAX_LATE_MINUTES, NotSent};
use crate::guest::{GuestFacts, GuestStatus};
use crate::time::{TimeOfDay, Timestamp, next_time_of_day, time_of_day};

text_enum! {
    /// What happened to a reservation, for the users of its site.
    pub enum Notice {
        /// It arrived.
        Arrived = "arrived",
        /// Half of its hold has passed.
        HalfTime = "half-time",
        /// One hour of its hold is left.
        LastHour = "last-hour",
        /// Its hold ended.
        Expired = "expired",
    }
}

impl Notice {
    /// Returns true if it reminds of a decision at a certain moment. Reminders are neither late nor gathered.
    #[must_use]
    pub const fn is_reminder(self) -> bool {
        matches!(self, Self::HalfTime | Self::LastHour)
    }
}

/// Minutes between two messages to the same user about the same site, unless there is a reminder. What happens in between is told in
/// one message at their end.
const GATHER_MINUTES: i64 = 5;

/// The hours of the day in which somebody wants no messages. They may pass midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: TimeOfDay,
    until: TimeOfDay,
}

impl QuietHours {
    /// Quiet hours from one time of the day until another.
    ///
    /// # Errors
    /// A sentence when both are the same time: it would be unclear whether all day or never is meant.
    pub fn new(from: TimeOfDay, until: TimeOfDay) -> Result<Self, &'static str> {
        const DAY: i64 = 24 * 3600;
        if from.seconds() % DAY == until.seconds() % DAY {
            return Err("The quiet hours cannot end at the time they start. Choose another time.");
        }
        Ok(Self { from, until })
    }

    /// The start.
    #[must_use]
    pub const fn from(self) -> TimeOfDay {
        self.from
    }

    /// The end.
    #[must_use]
    pub const fn until(self) -> TimeOfDay {
        self.until
    }

    /// Returns the end of the quiet hours that it is in at `now`, by the calendar of the IANA zone `time_zone`. `None` outside of them.
    #[must_use]
    pub fn end_after(self, now: Timestamp, time_zone: &str) -> Option<Timestamp> {
        let time = time_of_day(now, time_zone);
        let is_quiet = if self.from < self.until {
            self.from <= time && time < self.until
        } else {
            self.from <= time || time < self.until
        };
        is_quiet.then(|| next_time_of_day(now, time_zone, self.until))
    }
}

/// Decides whether a notice of what happened at `happened_at` is still worth telling at `now`: nobody is reminded of a reservation that
/// is decided, and no reminder is more than ten minutes late.
///
/// # Errors
/// Why it is not told.
pub fn judge_notice(
    (notice, happened_at): (Notice, Timestamp),
    guest: &GuestFacts,
    now: Timestamp,
) -> Result<(), NotSent> {
    let is_pending = guest.status(now) == GuestStatus::Pending;
    if !is_pending && notice != Notice::Expired {
        return Err(NotSent::Outdated);
    }
    let is_late = notice.is_reminder() && now > happened_at.plus_minutes(MAX_LATE_MINUTES);
    if is_late { Err(NotSent::Late) } else { Ok(()) }
}

/// Returns when the notices that wait for one user at one site are told, together: `None` is now. `last` is when the last message was
/// written to this user about this site, `quiet_until` the end of the quiet hours if it is in them.
#[must_use]
pub fn tell_at(
    mut waiting: impl Iterator<Item = Notice>,
    last: Option<Timestamp>,
    quiet_until: Option<Timestamp>,
    now: Timestamp,
) -> Option<Timestamp> {
    if quiet_until.is_some() || waiting.any(Notice::is_reminder) {
        return quiet_until;
    }
    // A message from the future was written before the clock went back.
    let last = last.filter(|last| *last <= now)?;
    Some(last.plus_minutes(GATHER_MINUTES)).filter(|at| *at > now)
}
