//! Rate limit of log lines that anyone can cause: one a minute, with a count, so that nobody fills the disk or hides other lines.

use std::sync::{Mutex, PoisonError};

use berth_domain::time::Timestamp;

/// Minimum interval between two lines, in milliseconds.
const MIN_INTERVAL: i64 = 60_000;

/// Counts events of one kind between two lines of the log.
#[derive(Default)]
pub struct LogLimit(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    last_line: Option<Timestamp>,
    since: u64,
}

impl LogLimit {
    /// Counts an event. Returns how many there were since the last line if a line is due.
    pub fn count(&self, now: Timestamp) -> Option<u64> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.since += 1;
        // A line is also due if the clock went back.
        let is_due = counted.last_line.is_none_or(|last| !(0..MIN_INTERVAL).contains(&(now.millis() - last.millis())));
        is_due.then(|| {
            counted.last_line = Some(now);
            std::mem::take(&mut counted.since)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LogLimit, Timestamp};

    #[test]
    fn one_line_a_minute_counts_all_events_since_the_last_one() {
        let limit = LogLimit::default();
        let at = |millis| limit.count(Timestamp::from_millis(millis));
        assert_eq!([at(0), at(1), at(59_999), at(60_000), at(60_001)], [Some(1), None, None, Some(3), None]);
        assert_eq!(at(5), Some(2), "the clock went back");
    }
}
