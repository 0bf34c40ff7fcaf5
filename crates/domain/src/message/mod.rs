//! Messages to guests and staff about reservations: which are sent, when they are too late, and opting out (docs/decisions/0052).

mod guest_text;
mod notice;
mod opt_out;

pub use guest_text::{GuestText, NotSent, judge_guest_text};
pub use notice::{Notice, QuietHours, judge_notice, tell_at};
pub use opt_out::OptOut;

/// Maximum delay of a reminder, in minutes. Later it is not sent, since readers rely on the time that it names.
pub const MAX_LATE_MINUTES: i64 = 10;
