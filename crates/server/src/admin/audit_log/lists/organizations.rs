//! Marks of the lists of organizations. They follow the marks of the whole trail: when it has enough new ones, marks are added
//! to the organizations with rows between them.

use berth_db::Tx;
use berth_domain::id::OrganizationId;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::super::Author;
use super::{List, Mark, ORGANIZATION_PREFIX, last_mark};
use crate::{App, Result, change};

/// Kind of the row that stores up to which mark of the whole trail organizations have been processed.
const PROGRESS: &str = "organizations";
/// Minimum number of new rows in the whole trail before organizations are processed.
const MIN_NEW_ROWS: i64 = 5_000;
/// Maximum number of rows of the whole trail in one step.
const MAX_ROWS_PER_STEP: i64 = 50_000;
/// Maximum number of marks of an organization added in one transaction.
const MAX_MARKS_PER_STEP: i64 = 100;

/// Returns the next range of the whole trail to process, from one mark to another; `None` if there are too few new rows.
pub async fn next(view: &mut Tx) -> Result<Option<(Mark, Mark)>> {
    const UP_TO: &str = "SELECT ordinal, at, id FROM audit_marks WHERE kind = $1 AND ordinal <= $2 \
        ORDER BY ordinal DESC LIMIT 1";
    let forever = Timestamp::from_millis(i64::MAX);
    let from = last_mark(view, PROGRESS, forever).await?;
    let last = List::Whole.last_mark(view, forever).await?;
    if last.ordinal - from.ordinal < MIN_NEW_ROWS {
        return Ok(None);
    }
    let kind = List::Whole.kind().into_owned();
    let to = view.query(UP_TO).bind(kind).bind(from.ordinal + MAX_ROWS_PER_STEP).one().await?;
    Ok(Some((from, to)))
}

/// Adds the marks of the organizations with rows in a range. Returns the number of added marks.
pub async fn add(app: &App, (from, to): (Mark, Mark)) -> Result<u64> {
    const WITH_ROWS: &str = "SELECT DISTINCT organization_id FROM audit WHERE id > $1 AND id <= $2 \
        AND organization_id IS NOT NULL";
    let found: Vec<(OrganizationId,)> = app.db.query(WITH_ROWS).bind(from.id).bind(to.id).all().await?;
    let mut added = 0;
    for (organization,) in found {
        let list = List::Organization(organization);
        loop {
            let mut view = app.db.read().await?;
            let (last, marks) = list.next_marks_until(&mut view, (to.id, to.at), MAX_MARKS_PER_STEP).await?;
            drop(view);
            if marks.is_empty() {
                break;
            }
            if !list.add_marks(app, last, &marks).await? {
                return Ok(added);
            }
            added += marks.len() as u64;
        }
    }
    change::run(app, Author::job(), |mut change| async move {
        store_progress(&mut change.tx, to).await?;
        change.done(added)
    })
    .await
}

/// Stores up to which mark of the whole trail organizations have been processed.
async fn store_progress(tx: &mut Tx, mark: Mark) -> Result<()> {
    const DELETE: &str = "DELETE FROM audit_marks WHERE kind = $1";
    const INSERT: &str = "INSERT INTO audit_marks (kind, ordinal, at, id) VALUES ($1, $2, $3, $4)";
    super::lock(tx).await?;
    tx.query(DELETE).bind(PROGRESS).execute().await?;
    if mark != Mark::START {
        tx.query(INSERT).bind(PROGRESS).bind(mark.ordinal).bind(mark.at).bind(mark.id).execute().await?;
    }
    Ok(())
}

/// Deletes the marks of organizations after a mark of the whole trail.
pub(super) async fn delete_after(tx: &mut Tx, sure: Mark) -> Result<()> {
    const DELETE: &str = "DELETE FROM audit_marks WHERE kind LIKE 'organization:%' AND id > $1";
    tx.query(DELETE).bind(sure.id).execute().await?;
    if last_mark(tx, PROGRESS, Timestamp::from_millis(i64::MAX)).await?.ordinal > sure.ordinal {
        store_progress(tx, sure).await?;
    }
    Ok(())
}

/// Counts the organizations whose last mark differs from the number of their rows.
pub async fn wrong(view: &mut Tx) -> Result<i64> {
    const LAST: &str = "SELECT m.kind, m.ordinal, m.id FROM audit_marks m JOIN (SELECT kind, MAX(ordinal) AS ordinal \
        FROM audit_marks WHERE kind LIKE 'organization:%' GROUP BY kind) l ON l.kind = m.kind AND l.ordinal = m.ordinal";
    const COUNT: &str = "SELECT COUNT(*) FROM audit WHERE organization_id = $1 AND id <= $2";
    let marks: Vec<(String, i64, Uuid)> = view.query(LAST).all().await?;
    let mut wrong = 0;
    for (kind, ordinal, id) in marks {
        let organization: Option<Uuid> = kind.strip_prefix(ORGANIZATION_PREFIX).and_then(|id| id.parse().ok());
        let count: i64 = view.query(COUNT).bind(organization).bind(id).scalar().await?;
        wrong += i64::from(count != ordinal);
    }
    Ok(wrong)
}
