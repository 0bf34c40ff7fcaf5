//! Cache of the ends of long lists, valid for one second.
//!
//! Rows after the last mark are counted for each page. A busy platform writes thousands of rows before they can be marked, and
//! counting them took more than half the time of a page.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use berth_domain::time::Timestamp;

use super::{End, List, ROWS_PER_MARK};

/// Validity of a count, in milliseconds.
const USED_FOR: i64 = 1000;
/// Maximum number of cached lists. Each organization has one.
const MAX_LISTS: usize = 10_000;

/// The cached ends of this process.
#[derive(Default)]
pub struct ListEnds(Mutex<HashMap<List, (Timestamp, End)>>);

impl ListEnds {
    /// Returns the end of a list if it was counted in the second before `now`.
    pub(super) fn get(&self, list: List, now: Timestamp) -> Option<End> {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (counted_at, end) = ends.get(&list)?;
        let age = now.millis() - counted_at.millis();
        (0..USED_FOR).contains(&age).then_some(*end)
    }

    /// Caches an end that was expensive to count. A short one is counted again, so that it is exact.
    pub(super) fn put(&self, list: List, end: End, now: Timestamp) {
        if end.behind <= ROWS_PER_MARK {
            return;
        }
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if ends.len() >= MAX_LISTS {
            ends.clear();
        }
        ends.insert(list, (now, end));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mark;
    use crate::admin::audit_log::lists::ends::*;

    fn end(behind: i64) -> End {
        End { mark: Mark::START, behind }
    }

    #[test]
    fn a_long_end_is_cached_for_a_second_and_a_short_one_is_counted_each_time() {
        let ends = ListEnds::default();
        let at = Timestamp::from_millis;
        ends.put(List::Whole, end(500), at(5000));
        assert!(ends.get(List::Whole, at(5000)).is_none());
        ends.put(List::Whole, end(501), at(5000));
        let behind = |now| ends.get(List::Whole, at(now)).map(|end| end.behind);
        assert_eq!([5000, 5999, 6000, 4999].map(behind), [Some(501), Some(501), None, None]);
        assert!(ends.get(List::GuestCreations, at(5000)).is_none());
    }
}
