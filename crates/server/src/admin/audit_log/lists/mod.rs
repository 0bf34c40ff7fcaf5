//! The lists of the audit trail, and how any page is found without counting or skipping all rows before it
//! (security-and-proof 6.3, point 4; P6; docs/decisions/0031).
//!
//! A job stores the position of every 500th row of a list: a mark. Rows after the last mark are counted; a page is read from
//! the rows between two marks. Lists of one kind of event are ordered by time, the whole trail by id, which is the order in
//! which its rows were written.

mod ends;
pub mod organizations;
mod pages;

use std::borrow::Cow;

use berth_db::{Db, FromRow, Tx};
use berth_domain::id::OrganizationId;
use berth_domain::time::Timestamp;
use uuid::Uuid;

pub use self::ends::ListEnds;
use self::pages::last_mark_before;
pub(crate) use self::pages::{before_page, behind_page, page_by_id, page_by_time};
use super::{AuditAction, Author};
use crate::http::paging::Page;
use crate::{App, Result, change};

/// Prefix of the kind of an organization's marks.
const ORGANIZATION_PREFIX: &str = "organization:";
/// Number of rows from one mark to the next.
pub const ROWS_PER_MARK: i64 = 500;
/// Time, in milliseconds, after which no transaction can add a row: requests and idle transactions end after 30 seconds; the
/// rest allows for clocks that differ.
const SETTLED_AFTER_MS: i64 = 120_000;
/// Marked rows of this many milliseconds are counted again each time, in case clocks differ by more.
const RECOUNT_MS: i64 = 15 * 60_000;

/// A list of the audit trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// Every row.
    Whole,
    /// The rows of one organization and its sites, for its owners.
    Organization(OrganizationId),
    /// Sign-ins with a wrong password (spec B 3, "failed login").
    FailedSignIns,
    /// Created guests, by staff or from the public side.
    GuestCreations,
    /// Changed passwords: the first one, one changed in a session, one reset by a link.
    PasswordChanges,
}

/// A row and its number in a list, from 1 for the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, berth_db::FromRow)]
pub struct Mark {
    /// Number of the row.
    pub ordinal: i64,
    /// Time of the row; in the whole trail, the time of its id.
    pub at: Timestamp,
    /// Id of the row.
    pub id: Uuid,
}

impl Mark {
    /// The position before the first row.
    const START: Self = Self { ordinal: 0, at: Timestamp::from_millis(i64::MIN), id: Uuid::nil() };

    /// Returns the position after the last of `ordinal` rows.
    const fn end(ordinal: i64) -> Self {
        Self { ordinal, at: Timestamp::from_millis(i64::MAX), id: Uuid::max() }
    }
}

/// A mark and the number of rows after it.
#[derive(Debug, Clone, Copy, berth_db::FromRow)]
struct End {
    #[row(flatten)]
    mark: Mark,
    behind: i64,
}

/// The range of rows of a page, and marks around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The rows come after this mark.
    low: Mark,
    /// The rows do not come after this mark.
    high: Mark,
    /// Number of the page's oldest row.
    oldest: i64,
    /// Number of the page's newest row.
    newest: i64,
    /// Number of the last reliable mark.
    last: i64,
}

impl Cut {
    /// Returns the number of rows of the page.
    const fn rows(self) -> i64 {
        self.newest - self.oldest + 1
    }
}

/// Returns the time up to which no rows can be added any more.
const fn settled(now: Timestamp) -> Timestamp {
    now.plus_millis(-SETTLED_AFTER_MS)
}

/// Returns the smallest id of a time.
pub(super) fn first_id_at(at: Timestamp) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(u64::try_from(at.millis()).unwrap_or_default(), &[0; 10]).into_uuid()
}

/// Returns the time of an id.
pub(super) fn made_at(id: Uuid) -> Timestamp {
    let millis = id.as_bytes()[..6].iter().fold(0_i64, |millis, byte| millis << 8 | i64::from(*byte));
    Timestamp::from_millis(millis)
}

impl List {
    /// The lists of every installation.
    pub const ALL: [Self; 4] = [Self::Whole, Self::FailedSignIns, Self::GuestCreations, Self::PasswordChanges];

    /// Returns its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole | Self::Organization(_) => "internal",
            Self::FailedSignIns => "failed",
            Self::GuestCreations => "guests",
            Self::PasswordChanges => "password",
        }
    }

    /// Returns the kind of its marks.
    #[must_use]
    pub fn kind(self) -> Cow<'static, str> {
        match self {
            Self::Organization(id) => Cow::Owned(format!("{ORGANIZATION_PREFIX}{id}")),
            _ => Cow::Borrowed(self.name()),
        }
    }

    /// Returns the actions whose rows are in it; empty for all.
    #[must_use]
    pub const fn actions(self) -> &'static [AuditAction] {
        match self {
            Self::Whole | Self::Organization(_) => &[],
            Self::FailedSignIns => &[AuditAction::LoginFailed],
            Self::GuestCreations => &[AuditAction::GuestCreated],
            Self::PasswordChanges => {
                &[AuditAction::PasswordChanged, AuditAction::PasswordCreated, AuditAction::PasswordReset]
            }
        }
    }

    /// Returns the actions as they are stored.
    pub fn action_words(self) -> impl Iterator<Item = &'static str> {
        self.actions().iter().map(|action| action.as_str())
    }

    /// Returns the number of rows and the range of a page, `None` if there is no such page. The number may be a second old if
    /// more than 500 rows came after the last mark. No transaction is needed around this and reading the page: rows between
    /// two marks never change, and rows written in between only make the newest page newer.
    pub async fn find(self, app: &App, page: Page) -> Result<(i64, Option<Cut>)> {
        let now = app.now();
        let end = match app.list_ends.get(self, now) {
            Some(end) => end,
            None => {
                let end = self.end(&app.db, Uuid::max(), settled(now)).await?;
                app.list_ends.put(self, end, now);
                end
            }
        };
        let total = end.mark.ordinal + end.behind;
        Ok((total, cut(page, (Mark::START, Mark::end(total)), end.mark)))
    }

    /// Like [`find`](Self::find), of the rows with ids after `after` and up to `until`. For lists in the order of ids.
    pub async fn find_between(
        self,
        db: &Db,
        page: Page,
        (after, until): (Uuid, Uuid),
        now: Timestamp,
    ) -> Result<(i64, Option<Cut>)> {
        let low = self.end(db, after, settled(now)).await?;
        let high = self.end(db, until, settled(now)).await?;
        let mark =
            |end: &End, id| Mark { ordinal: end.mark.ordinal + end.behind, at: Timestamp::from_millis(i64::MAX), id };
        let between = (mark(&low, after), mark(&high, until));
        let total = between.1.ordinal - between.0.ordinal;
        Ok((total, cut(page, between, high.mark)))
    }

    /// Reads the rows of a page, newest first. `text` is a `page_by_id!` or, for a list of some actions, a `page_by_time!`.
    pub async fn rows<R: FromRow>(self, db: &Db, text: &'static str, cut: Cut) -> Result<Vec<R>> {
        let Cut { low, high, oldest, newest, last } = cut;
        // Marks after the last reliable one are not used.
        let (below, from) = (oldest.min(last + 1), if newest > last { i64::MAX } else { newest });
        let by_marks = db.query(text).bind(self.kind().into_owned()).bind(below).bind(from).bind(newest);
        let rows = match self {
            Self::Whole => by_marks.bind(low.id).bind(high.id).bind(cut.rows()).bind(high.ordinal).all().await?,
            Self::Organization(id) => {
                let query = by_marks.bind(low.id).bind(high.id).bind(cut.rows()).bind(high.ordinal);
                query.bind(id).all().await?
            }
            Self::FailedSignIns | Self::GuestCreations | Self::PasswordChanges => {
                let query = by_marks.bind(low.at).bind(low.id).bind(high.at).bind(high.id);
                query.bind(cut.rows()).bind(high.ordinal).bind_list(self.action_words()).all().await?
            }
        };
        Ok(rows)
    }

    /// Returns the last mark up to `id` that is not newer than `at`, or [`Mark::START`], and the number of rows after it up to
    /// `id`.
    async fn end(self, db: &Db, id: Uuid, at: Timestamp) -> Result<End> {
        const WHOLE_END: &str = concat!(
            "SELECT l.ordinal, l.at, l.id, (SELECT COUNT(*) FROM audit WHERE id > l.id AND id <= $5) AS behind ",
            last_mark_before!("id", " AND id <= $5")
        );
        const ORGANIZATION_END: &str = concat!(
            "SELECT l.ordinal, l.at, l.id, (SELECT COUNT(*) FROM audit \
            WHERE organization_id = $6 AND id > l.id AND id <= $5) AS behind ",
            last_mark_before!("id", " AND id <= $5")
        );
        const SOME_END: &str = concat!(
            "SELECT l.ordinal, l.at, l.id, (SELECT COUNT(*) FROM audit a \
            WHERE (a.at, a.id) > (l.at, l.id) AND a.action IN ($5..)) AS behind ",
            last_mark_before!("ordinal", "")
        );
        let by_mark =
            |text| db.query(text).bind(self.kind().into_owned()).bind(at).bind(Mark::START.at).bind(Mark::START.id);
        let end = match self {
            Self::Whole => by_mark(WHOLE_END).bind(id).one().await?,
            Self::Organization(organization) => by_mark(ORGANIZATION_END).bind(id).bind(organization).one().await?,
            Self::FailedSignIns | Self::GuestCreations | Self::PasswordChanges => {
                by_mark(SOME_END).bind_list(self.action_words()).one().await?
            }
        };
        Ok(end)
    }

    /// Returns the last mark that is not newer than `at`. Newer ones come from a clock that was ahead.
    pub(super) async fn last_mark(self, tx: &mut Tx, at: Timestamp) -> Result<Mark> {
        last_mark(tx, &self.kind(), at).await
    }

    /// Counts the rows after one mark and up to another.
    async fn count(self, tx: &mut Tx, after: Mark, until: Mark) -> Result<i64> {
        const WHOLE: &str = "SELECT COUNT(*) FROM audit WHERE id > $1 AND id <= $2";
        const ORGANIZATION: &str = "SELECT COUNT(*) FROM audit WHERE organization_id = $3 AND id > $1 AND id <= $2";
        const SOME: &str = "SELECT COUNT(*) FROM audit WHERE (at, id) > ($1, $2) AND (at, id) <= ($3, $4) \
            AND action IN ($5..)";
        let count = match self {
            Self::Whole => tx.query(WHOLE).bind(after.id).bind(until.id).scalar().await?,
            Self::Organization(id) => tx.query(ORGANIZATION).bind(after.id).bind(until.id).bind(id).scalar().await?,
            Self::FailedSignIns | Self::GuestCreations | Self::PasswordChanges => {
                let query = tx.query(SOME).bind(after.at).bind(after.id).bind(until.at).bind(until.id);
                query.bind_list(self.action_words()).scalar().await?
            }
        };
        Ok(count)
    }

    /// Returns the last mark and at most `most` further ones: every 500th of the settled rows after it.
    pub async fn next_marks(self, view: &mut Tx, now: Timestamp, most: i64) -> Result<(Mark, Vec<Mark>)> {
        self.next_marks_until(view, (first_id_at(settled(now)), settled(now)), most).await
    }

    /// Like [`next_marks`](Self::next_marks), up to an id and a time.
    pub(super) async fn next_marks_until(
        self,
        view: &mut Tx,
        (id, at): (Uuid, Timestamp),
        most: i64,
    ) -> Result<(Mark, Vec<Mark>)> {
        const NEXT_WHOLE: &str = "SELECT number, id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS number FROM \
            (SELECT id FROM audit WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3) part) numbered \
            WHERE number % $4 = 0 ORDER BY number";
        const NEXT_OF_ORGANIZATION: &str = "SELECT number, id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS number \
            FROM (SELECT id FROM audit WHERE organization_id = $5 AND id > $1 AND id <= $2 ORDER BY id LIMIT $3) part) \
            numbered WHERE number % $4 = 0 ORDER BY number";
        const NEXT_SOME: &str = "SELECT number AS ordinal, at, id FROM (SELECT at, id, ROW_NUMBER() OVER (ORDER BY at, id) \
            AS number FROM (SELECT at, id FROM audit WHERE (at, id) > ($1, $2) AND at <= $3 AND action IN ($6..) \
            ORDER BY at, id LIMIT $4) part) numbered WHERE number % $5 = 0 ORDER BY number";
        let last = self.last_mark(view, Timestamp::from_millis(i64::MAX)).await?;
        let rows = most * ROWS_PER_MARK;
        let by_id = |(ordinal, id): (i64, Uuid)| Mark { ordinal, at: made_at(id), id };
        let mut marks: Vec<Mark> = match self {
            Self::Whole => {
                let query = view.query(NEXT_WHOLE).bind(last.id).bind(id).bind(rows).bind(ROWS_PER_MARK);
                query.all().await?.into_iter().map(by_id).collect()
            }
            Self::Organization(organization) => {
                let query = view.query(NEXT_OF_ORGANIZATION).bind(last.id).bind(id).bind(rows).bind(ROWS_PER_MARK);
                query.bind(organization).all().await?.into_iter().map(by_id).collect()
            }
            Self::FailedSignIns | Self::GuestCreations | Self::PasswordChanges => {
                let query = view.query(NEXT_SOME).bind(last.at).bind(last.id).bind(at).bind(rows).bind(ROWS_PER_MARK);
                query.bind_list(self.action_words()).all().await?
            }
        };
        for mark in &mut marks {
            mark.ordinal += last.ordinal;
        }
        Ok((last, marks))
    }

    /// Returns the last reliable mark if a newer one is wrong: because a row was added before it, or because it comes from a
    /// clock that was ahead.
    pub async fn find_wrong(self, view: &mut Tx, now: Timestamp) -> Result<Option<Mark>> {
        let last = self.last_mark(view, Timestamp::from_millis(i64::MAX)).await?;
        let sure = self.last_mark(view, settled(now).plus_millis(-RECOUNT_MS)).await?;
        if last == sure {
            return Ok(None);
        }
        let is_right = last.at <= settled(now) && self.count(view, sure, last).await? == last.ordinal - sure.ordinal;
        Ok((!is_right).then_some(sure))
    }

    /// Adds marks after the last one. Returns false if another node added some first.
    pub async fn add_marks(self, app: &App, last: Mark, marks: &[Mark]) -> Result<bool> {
        const INSERT: &str = "INSERT INTO audit_marks (kind, ordinal, at, id) VALUES ($1..)";
        change::run(app, Author::job(), |mut change| async move {
            lock(&mut change.tx).await?;
            if self.last_mark(&mut change.tx, Timestamp::from_millis(i64::MAX)).await? != last {
                return change::unchanged(false);
            }
            let kind = self.kind().into_owned();
            let bind = |values: &mut berth_db::Values<'_, '_>, mark: &Mark| {
                values.bind(kind.as_str()).bind(mark.ordinal).bind(mark.at).bind(mark.id);
            };
            change.tx.insert(INSERT, marks, bind).await?;
            change.done(true)
        })
        .await
    }

    /// Deletes the marks after `sure`; of the whole trail, also those of organizations. Returns the number of deleted marks of
    /// this list.
    pub async fn delete_marks_after(self, app: &App, sure: Mark) -> Result<u64> {
        const DELETE: &str = "DELETE FROM audit_marks WHERE kind = $1 AND ordinal > $2";
        change::run(app, Author::job(), |mut change| async move {
            lock(&mut change.tx).await?;
            if self == Self::Whole {
                organizations::delete_after(&mut change.tx, sure).await?;
            }
            let delete = change.tx.query(DELETE).bind(self.kind().into_owned()).bind(sure.ordinal);
            let deleted = delete.execute().await?;
            change.done(deleted)
        })
        .await
    }
}

/// Returns the range of a page among the rows after `low` and up to `high`; `last` is the last mark before `high`.
fn cut(page: Page, (low, high): (Mark, Mark), last: Mark) -> Option<Cut> {
    let newest = high.ordinal - page.offset();
    let oldest = (newest - page.size + 1).max(low.ordinal + 1);
    (newest > low.ordinal).then_some(Cut { low, high, oldest, newest, last: last.ordinal })
}

/// Returns the last mark of a kind that is not newer than `at`.
async fn last_mark(tx: &mut Tx, kind: &str, at: Timestamp) -> Result<Mark> {
    const LAST: &str = "SELECT ordinal, at, id FROM audit_marks WHERE kind = $1 AND at <= $2 \
        ORDER BY ordinal DESC LIMIT 1";
    Ok(tx.query(LAST).bind(kind.to_owned()).bind(at).optional().await?.unwrap_or(Mark::START))
}

/// Locks the marks: one node writes them at a time, even if the lease of the job has expired.
async fn lock(tx: &mut Tx) -> Result<()> {
    const LOCK: &str = "INSERT INTO jobs (name, due_at) VALUES ('audit-marks', 0) \
        ON CONFLICT (name) DO UPDATE SET due_at = jobs.due_at";
    tx.query(LOCK).execute().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use berth_domain::time::Timestamp;

    use super::{first_id_at, made_at};

    #[test]
    fn an_id_tells_when_it_was_made() {
        let at = Timestamp::from_millis(1_772_474_400_123);
        assert_eq!(made_at(first_id_at(at)), at);
        let later = uuid::Builder::from_unix_timestamp_millis(1_772_474_400_123, &[7; 10]).into_uuid();
        assert!(first_id_at(at) < later && later < first_id_at(at.plus_millis(1)));
    }
}
