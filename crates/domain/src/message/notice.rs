//! When users get messages about reservations: gathered, never late, and not in their quiet hours.

use super::{MAX_LATE_MINUTES, NotSent};
use crate::guest::{GuestFacts, GuestStatus};
use crate::time::{TimeOfDay, Timestamp, next_time_of_day, time_of_day};

text_enum! {
    /// An event of a reservation, for the users of its site.
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
    /// Returns true for reminders, which are sent at a certain time: neither late nor gathered.
    #[must_use]
    pub const fn is_reminder(self) -> bool {
        matches!(self, Self::HalfTime | Self::LastHour)
    }
}

/// Minimum interval between two messages to a user about a site, in minutes, except for reminders. The events in between are gathered in one
/// message.
const GATHER_MINUTES: i64 = 5;

/// The hours of the day in which a user wants no messages. They may span midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: TimeOfDay,
    until: TimeOfDay,
}

impl QuietHours {
    /// Creates quiet hours from one time of day until another.
    ///
    /// # Errors
    /// A sentence if both are the same time, which could mean all day or never.
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

    /// Returns the end of the quiet hours if `now` is within them, by the calendar of the IANA zone `time_zone`. `None` outside of them.
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

/// Decides whether a notice of an event at `happened_at` is sent at `now`. A reminder is not sent if the reservation is decided, or more than
/// ten minutes late.
///
/// # Errors
/// The reason why it is not sent.
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

/// Returns when the waiting notices of a user about a site are sent together. `None` means now. `last` is the time of the last message to the
/// user about the site, `quiet_until` the end of the quiet hours if they last.
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
    // A last message in the future was written before the clock went back.
    let last = last.filter(|last| *last <= now)?;
    Some(last.plus_minutes(GATHER_MINUTES)).filter(|at| *at > now)
}
