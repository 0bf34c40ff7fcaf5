//! Counts and pages of the discharged, rejected and expired guests of a site.
//!
//! A mark is the place of every 500th row of a long list, oldest first. Only rows newer than the last mark are counted,
//! and a page is found from the next newer mark, so that a request skips at most 499 rows and those that have no marks
//! yet. Marks are kept in memory, and only for rows so old that no row before them can leave the list.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use berth_db::{Query, Tx};
use berth_domain::id::{GuestId, SiteId};
use berth_domain::time::Timestamp;
use uuid::Uuid;

use crate::Result;
use crate::http::paging::Page;

/// Rows from one mark to the next.
const ROWS_PER_MARK: usize = 500;
/// Rows older than this, in milliseconds, get marks: a decision can be undone for 24 hours, and the clocks of two nodes
/// differ by less than an hour.
const SETTLED_AFTER: i64 = 25 * 60 * 60 * 1000;
/// Maximum number of lists whose marks are kept.
const MAX_LISTS: usize = 500;

/// The three lists of past guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Ended {
    /// Sorted by the time of discharge.
    Discharged,
    /// Sorted by the time of the decision.
    Rejected,
    /// Sorted by the end of the hold.
    Expired,
}

/// The site and the name to search for.
pub(super) struct Search {
    pub(super) site: SiteId,
    /// The LIKE pattern for the key of the first name. None finds every name.
    pub(super) pattern: Option<String>,
    /// The time of the request.
    pub(super) now: Timestamp,
}

impl Search {
    /// Binds the two parameters of the name: true if every name matches, and the pattern.
    pub(super) fn bind_pattern<'a>(&self, query: Query<'a>) -> Query<'a> {
        query.bind(self.pattern.is_none()).bind(self.pattern.clone().unwrap_or_default())
    }
}

/// The place of a row in a list: the time by which the list is sorted, and the guest.
type Place = (Timestamp, GuestId);

/// Before every row.
const OLDEST: Place = (Timestamp::from_millis(i64::MIN), GuestId(Uuid::nil()));
/// After every row.
const NEWEST: Place = (Timestamp::from_millis(i64::MAX), GuestId(Uuid::max()));

type Key = (SiteId, Ended, Option<String>);

#[derive(Clone)]
struct Marks {
    /// Every 500th row, the oldest first.
    places: Arc<Vec<Place>>,
    /// The time of the request that found the newest of them.
    at: Timestamp,
}

/// The marks of long histories that this process has found so far.
#[derive(Default)]
pub struct HistoryMarks(Mutex<HashMap<Key, Marks>>);

impl HistoryMarks {
    /// Returns the marks of a list, or none if the clock has gone back since they were found: rows could then be added
    /// before them.
    fn get(&self, key: &Key, now: Timestamp) -> Arc<Vec<Place>> {
        let lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.get(key).filter(|marks| marks.at <= now).map(|marks| marks.places.clone()).unwrap_or_default()
    }

    fn put(&self, key: Key, places: Arc<Vec<Place>>, now: Timestamp) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lists.len() >= MAX_LISTS && !lists.contains_key(&key) {
            lists.clear();
        }
        lists.insert(key, Marks { places, at: now });
    }
}

/// Returns the number of guests in a list, and the guests on one of its pages, newest first.
pub(super) async fn find(
    kept: &HistoryMarks,
    tx: &mut Tx,
    search: &Search,
    list: Ended,
    page: Page,
) -> Result<(i64, Vec<GuestId>)> {
    let key = (search.site, list, search.pattern.clone());
    let mut marks = kept.get(&key, search.now);
    let newer = list.count_after(tx, search, last(&marks)).await?;
    let total = rows_of(marks.len()) + newer;
    if newer >= rows_of(2) {
        let more = list.marks_after(tx, search, last(&marks)).await?;
        marks = Arc::new(marks.iter().copied().chain(more).collect());
        kept.put(key, marks.clone(), search.now);
    }
    let (from, skip) = cut(&marks, total, page.offset());
    Ok((total, list.ids(tx, search, from, (page.size, skip)).await?))
}

fn last(marks: &[Place]) -> Place {
    marks.last().copied().unwrap_or(OLDEST)
}

/// The number of rows up to and including the mark number `count`.
fn rows_of(count: usize) -> i64 {
    i64::try_from(count * ROWS_PER_MARK).unwrap_or(i64::MAX)
}

/// Returns the row from which the page is read downwards, and the number of rows to skip from there. `offset` rows of
/// `total` are newer than the page.
fn cut(marks: &[Place], total: i64, offset: i64) -> (Place, i64) {
    // The number of the row with which the page begins. The oldest row is number 1.
    let number = (total - offset).max(0);
    let above = usize::try_from(number).unwrap_or(usize::MAX).div_ceil(ROWS_PER_MARK).max(1);
    match marks.get(above - 1) {
        Some(mark) => (*mark, rows_of(above) - number),
        None => (NEWEST, total - number),
    }
}

/// The SQL texts of a list: `$at` is the column that sorts it, `$of` the condition for its guests. $1 is the site, $2
/// and $3 the name, $4 and $5 a place in the list, $6 the time of the request.
macro_rules! list_of {
    ($of:expr) => {
        concat!(
            " FROM guests WHERE site_id = $1 AND ",
            $of,
            " AND $6 IS NOT NULL AND ($2 OR first_name_key LIKE $3 ESCAPE '\\') AND "
        )
    };
}

/// SQL condition: the guest was neither accepted nor declined before the hold ran out.
macro_rules! is_expired {
    () => {
        "accepted_at IS NULL AND rejected_at IS NULL AND expires_at IS NOT NULL \
         AND (expired_at IS NOT NULL OR expires_at <= $6)"
    };
}

macro_rules! count_after {
    ($at:literal, $of:expr) => {
        concat!("SELECT COUNT(*)", list_of!($of), "(", $at, ", id) > ($4, $5)")
    };
}

/// $7 is the time before which rows get marks, $8 the number of rows from one mark to the next.
macro_rules! marks_after {
    ($at:literal, $of:expr) => {
        concat!(
            "SELECT at, id FROM (SELECT ",
            $at,
            " AS at, id, ROW_NUMBER() OVER (ORDER BY ",
            $at,
            ", id) AS ordinal",
            list_of!($of),
            "(",
            $at,
            ", id) > ($4, $5) AND ",
            $at,
            " < $7) numbered WHERE ordinal % $8 = 0 ORDER BY ordinal"
        )
    };
}

/// $7 rows, after skipping the newest $8.
macro_rules! ids_until {
    ($at:literal, $of:expr) => {
        concat!(
            "SELECT id",
            list_of!($of),
            "(",
            $at,
            ", id) <= ($4, $5) ORDER BY ",
            $at,
            " DESC, id DESC LIMIT $7 OFFSET $8"
        )
    };
}

impl Ended {
    /// Counts the rows that are newer than `place`.
    async fn count_after(self, tx: &mut Tx, search: &Search, place: Place) -> Result<i64> {
        const DISCHARGED: &str = count_after!("discharged_at", "discharged_at IS NOT NULL");
        const REJECTED: &str = count_after!("rejected_at", "rejected_at IS NOT NULL");
        const EXPIRED: &str = count_after!("expires_at", is_expired!());
        let text = self.choose(DISCHARGED, REJECTED, EXPIRED);
        Ok(bind(tx.query(text), search, place).scalar().await?)
    }

    /// Returns every 500th of the rows that are newer than `place` and old enough for marks.
    async fn marks_after(self, tx: &mut Tx, search: &Search, place: Place) -> Result<Vec<Place>> {
        const DISCHARGED: &str = marks_after!("discharged_at", "discharged_at IS NOT NULL");
        const REJECTED: &str = marks_after!("rejected_at", "rejected_at IS NOT NULL");
        const EXPIRED: &str = marks_after!("expires_at", is_expired!());
        let text = self.choose(DISCHARGED, REJECTED, EXPIRED);
        let settled = search.now.plus_millis(-SETTLED_AFTER);
        Ok(bind(tx.query(text), search, place).bind(settled).bind(rows_of(1)).all().await?)
    }

    /// Returns `take` rows from `place` downwards, after skipping the first `skip`.
    async fn ids(self, tx: &mut Tx, search: &Search, place: Place, (take, skip): (i64, i64)) -> Result<Vec<GuestId>> {
        const DISCHARGED: &str = ids_until!("discharged_at", "discharged_at IS NOT NULL");
        const REJECTED: &str = ids_until!("rejected_at", "rejected_at IS NOT NULL");
        const EXPIRED: &str = ids_until!("expires_at", is_expired!());
        let text = self.choose(DISCHARGED, REJECTED, EXPIRED);
        let rows: Vec<(GuestId,)> = bind(tx.query(text), search, place).bind(take).bind(skip).all().await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    const fn choose(self, discharged: &'static str, rejected: &'static str, expired: &'static str) -> &'static str {
        match self {
            Self::Discharged => discharged,
            Self::Rejected => rejected,
            Self::Expired => expired,
        }
    }
}

/// Binds `$1` to `$6`.
fn bind<'a>(query: Query<'a>, search: &Search, (at, id): Place) -> Query<'a> {
    search.bind_pattern(query.bind(search.site)).bind(at).bind(id).bind(search.now)
}

#[cfg(test)]
mod tests {
    use crate::housing::guests::history::marks::*;

    const fn place(number: i64) -> Place {
        (Timestamp::from_millis(number), GuestId(Uuid::nil()))
    }

    /// The number of the first row of a page, and the number of skipped rows.
    fn begins_with(marks: usize, total: i64, offset: i64) -> (i64, i64) {
        let marks: Vec<Place> = (1..=marks).map(|mark| place(rows_of(mark))).collect();
        let (from, skip) = cut(&marks, total, offset);
        let number = if from == NEWEST { total } else { from.0.millis() };
        (number - skip, skip)
    }

    #[test]
    fn a_page_starts_at_the_mark_above_it_and_skips_at_most_the_rows_between_two_marks() {
        for total in [0, 1, 499, 500, 501, 1_700, 2_000, 2_499] {
            for marked in 0..=usize::try_from(total / 500).unwrap() {
                for offset in 0..total {
                    let (number, skip) = begins_with(marked, total, offset);
                    assert_eq!(number, total - offset, "{marked} marks of {total} rows, after {offset}");
                    let unmarked = total - rows_of(marked);
                    assert!(skip < 500.max(unmarked), "{skip} with {marked} marks of {total} rows, after {offset}");
                }
            }
        }
    }

    #[test]
    fn marks_are_not_used_after_the_clock_went_back_and_are_bounded() {
        let kept = HistoryMarks::default();
        let key = |number: usize| (SiteId(Uuid::from_u128(7)), Ended::Rejected, Some(number.to_string()));
        kept.put(key(0), Arc::new(vec![place(1)]), Timestamp::from_millis(10));
        assert_eq!(kept.get(&key(0), Timestamp::from_millis(10)).len(), 1);
        assert_eq!(kept.get(&key(0), Timestamp::from_millis(9)).len(), 0);
        for number in 0..=MAX_LISTS {
            kept.put(key(number), Arc::default(), Timestamp::from_millis(10));
        }
        assert!(kept.0.lock().unwrap().len() <= MAX_LISTS);
    }
}
