//! The lists of the trail, and how any page of them is found without counting or stepping over what lies before it
//! (security-and-proof 6.3, point 4; P6; docs/decisions/0031).
//!
//! A job writes down where every 500th row of a list stands: a mark. What is younger than the last mark is counted, a page
//! is cut from the rows between two marks. Lists of one kind of event are in the order of their times; the whole trail is in
//! the order of its ids, which is that in which its rows were written.

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
use super::AuditAction;
use crate::http::paging::Page;
use crate::{App, Result};

/// How the kind of the marks of an organization begins.
const OF_ORGANIZATION: &str = "organization:";
/// Rows from one mark to the next.
pub const ROWS_PER_MARK: i64 = 500;
/// After so many milliseconds no transaction can still add a row: a request ends after 30 seconds, an idle transaction
/// too; the rest is for nodes whose clocks differ.
const SETTLED_AFTER: i64 = 120_000;
/// So many milliseconds of what is marked are counted again each time, for clocks that differ by more.
const LOOK_BACK: i64 = 15 * 60_000;

/// A list of the trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// Every row.
    Whole,
    /// The rows of one organization and its sites, for its owners.
    Organization(OrganizationId),
    /// Sign-ins that failed at the password (spec B 3, "failed login").
    FailedSignIns,
    /// Guests that came in, by hand or from the public side.
    GuestCreations,
    /// Every way a user comes to another password: the first one, one chosen in a session, one set by a link.
    PasswordChanges,
}

/// A row and its number in a list, from 1 for the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, berth_db::FromRow)]
pub struct Mark {
    /// Its number.
    pub ordinal: i64,
    /// When; of the whole trail: when its id was made.
    pub at: Timestamp,
    /// Which.
    pub id: Uuid,
}

impl Mark {
    /// Before the first row.
    const START: Self = Self { ordinal: 0, at: Timestamp::from_millis(i64::MIN), id: Uuid::nil() };

    /// Behind the last of `ordinal` rows.
    const fn end(ordinal: i64) -> Self {
        Self { ordinal, at: Timestamp::from_millis(i64::MAX), id: Uuid::max() }
    }
}

/// A mark, and how many rows come after it.
#[derive(Debug, Clone, Copy, berth_db::FromRow)]
struct End {
    #[row(flatten)]
    mark: Mark,
    behind: i64,
}

/// The rows of a page, to be found by the marks around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The rows come after this one …
    low: Mark,
    /// … and not after this one.
    high: Mark,
    /// The number of the page's oldest row …
    oldest: i64,
    /// … and of its newest.
    newest: i64,
    /// The number of the last mark that is sure.
    last: i64,
}

impl Cut {
    /// How many rows the page has.
    const fn rows(self) -> i64 {
        self.newest - self.oldest + 1
    }
}

/// When the youngest row was written that no other can come before.
const fn settled(now: Timestamp) -> Timestamp {
    now.plus_millis(-SETTLED_AFTER)
}

/// The smallest id that can be made at a time.
pub(super) fn first_id_at(at: Timestamp) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(u64::try_from(at.millis()).unwrap_or_default(), &[0; 10]).into_uuid()
}

/// When an id was made.
pub(super) fn made_at(id: Uuid) -> Timestamp {
    let millis = id.as_bytes()[..6].iter().fold(0_i64, |millis, byte| millis << 8 | i64::from(*byte));
    Timestamp::from_millis(millis)
}

impl List {
    /// Those that are there on every installation.
    pub const ALL: [Self; 4] = [Self::Whole, Self::FailedSignIns, Self::GuestCreations, Self::PasswordChanges];

    /// Its name in the trail.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole | Self::Organization(_) => "internal",
            Self::FailedSignIns => "failed",
            Self::GuestCreations => "guests",
            Self::PasswordChanges => "password",
        }
    }

    /// Its name among the marks.
    #[must_use]
    pub fn kind(self) -> Cow<'static, str> {
        match self {
            Self::Organization(id) => Cow::Owned(format!("{OF_ORGANIZATION}{id}")),
            _ => Cow::Borrowed(self.name()),
        }
    }

    /// The actions whose rows are in it; none for all.
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

    /// The same as they are stored.
    pub fn action_words(self) -> impl Iterator<Item = &'static str> {
        self.actions().iter().map(|action| action.as_str())
    }

    /// How many rows there are, and where those of a page stand; `None` if there is no such page. The number may be a second old
    /// if more than 500 rows came after the last mark. No transaction holds it together with the page that is read next: rows
    /// between two marks never change, and rows that are written in between only make the newest page newer.
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

    /// The same of the rows whose ids come after one id and not after another: of some days. For lists in the order of the
    /// ids.
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

    /// The rows of a page, the newest first. `text` is a `page_by_id!` or, of a list of some actions, a `page_by_time!`.
    pub async fn rows<R: FromRow>(self, db: &Db, text: &'static str, cut: Cut) -> Result<Vec<R>> {
        let Cut { low, high, oldest, newest, last } = cut;
        // Behind the last mark that is sure there may be others, which are not used.
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

    /// The last mark not after `id` that is not younger than `at`, or [`Mark::START`]; and how many rows come after it and not after
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

    /// The last mark that is not younger than `at`. Marks that are came from a clock that went ahead.
    pub(super) async fn last_mark(self, tx: &mut Tx, at: Timestamp) -> Result<Mark> {
        last_mark(tx, &self.kind(), at).await
    }

    /// How many rows come after one and not after another.
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

    /// The next marks after the last one, at most so many: every 500th of the rows that are settled. Also the mark that they
    /// come after.
    pub async fn next_marks(self, view: &mut Tx, now: Timestamp, most: i64) -> Result<(Mark, Vec<Mark>)> {
        self.next_marks_until(view, (first_id_at(settled(now)), settled(now)), most).await
    }

    /// The same up to an id and a time.
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

    /// The last mark that is beyond doubt, if a younger one is wrong: a row came before it after all, or it is from a clock
    /// that went ahead.
    pub async fn doubt(self, view: &mut Tx, now: Timestamp) -> Result<Option<Mark>> {
        let last = self.last_mark(view, Timestamp::from_millis(i64::MAX)).await?;
        let sure = self.last_mark(view, settled(now).plus_millis(-LOOK_BACK)).await?;
        if last == sure {
            return Ok(None);
        }
        let is_right = last.at <= settled(now) && self.count(view, sure, last).await? == last.ordinal - sure.ordinal;
        Ok((!is_right).then_some(sure))
    }

    /// Puts marks behind the last one, unless another node was quicker: false then.
    pub async fn put_marks(self, tx: &mut Tx, last: Mark, marks: &[Mark]) -> Result<bool> {
        const PUT: &str = "INSERT INTO audit_marks (kind, ordinal, at, id) VALUES ($1..)";
        alone(tx).await?;
        if self.last_mark(tx, Timestamp::from_millis(i64::MAX)).await? != last {
            return Ok(false);
        }
        let kind = self.kind().into_owned();
        let bind = |values: &mut berth_db::Values<'_, '_>, mark: &Mark| {
            values.bind(kind.as_str()).bind(mark.ordinal).bind(mark.at).bind(mark.id);
        };
        tx.insert(PUT, marks, bind).await?;
        Ok(true)
    }

    /// Removes the marks behind one; with those of the whole trail, those of organizations.
    pub async fn forget(self, tx: &mut Tx, sure: Mark) -> Result<u64> {
        const FORGET: &str = "DELETE FROM audit_marks WHERE kind = $1 AND ordinal > $2";
        alone(tx).await?;
        if self == Self::Whole {
            organizations::forget(tx, sure).await?;
        }
        Ok(tx.query(FORGET).bind(self.kind().into_owned()).bind(sure.ordinal).execute().await?)
    }
}

/// The rows of a page among those after `low` and up to `high`; `last` is the last mark before `high`.
fn cut(page: Page, (low, high): (Mark, Mark), last: Mark) -> Option<Cut> {
    let newest = high.ordinal - page.offset();
    let oldest = (newest - page.size + 1).max(low.ordinal + 1);
    (newest > low.ordinal).then_some(Cut { low, high, oldest, newest, last: last.ordinal })
}

/// The last mark of a kind that is not younger than `at`.
async fn last_mark(tx: &mut Tx, kind: &str, at: Timestamp) -> Result<Mark> {
    const LAST: &str = "SELECT ordinal, at, id FROM audit_marks WHERE kind = $1 AND at <= $2 \
        ORDER BY ordinal DESC LIMIT 1";
    Ok(tx.query(LAST).bind(kind.to_owned()).bind(at).optional().await?.unwrap_or(Mark::START))
}

/// Whoever writes marks does so alone, also after its lease ran out.
async fn alone(tx: &mut Tx) -> Result<()> {
    const ALONE: &str = "INSERT INTO jobs (name, due_at) VALUES ('audit-marks', 0) \
        ON CONFLICT (name) DO UPDATE SET due_at = jobs.due_at";
    tx.query(ALONE).execute().await?;
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
