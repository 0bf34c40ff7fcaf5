//! Messages about reservations: what guests and staff are told, when it is too late, and who has asked for no texts
//! (docs/decisions/0052).

mod guest_text;
mod notice;
mod opt_out;

pub use guest_text::{GuestText, NotSent, judge_guest_text};
pub use notice::{Notice, QuietHours, judge_notice, tell_at};
pub use opt_out::OptOut;

/// A reminder that is later than this many minutes is not sent: whoever reads it counts on the time that it names.
pub const MAX_LATE_MINUTES: i64 = 10;
