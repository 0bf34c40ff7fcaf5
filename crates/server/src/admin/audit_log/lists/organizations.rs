//! Marks of the lists of organizations. They follow those of the whole trail: whenever that has got some more, the
//! organizations with rows between are looked at.

use berth_db::{Db, Tx};
use berth_domain::id::OrganizationId;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::{List, Mark, OF_ORGANIZATION, last_mark};
use crate::Result;

/// The kind of the one row that says up to which mark of the whole trail organizations were looked at.
const LOOKED_AT: &str = "organizations";
/// New rows of the whole trail that make it worth to look.
const WORTH_A_LOOK: i64 = 5_000;
/// Rows of the whole trail that are looked at together.
const AT_ONCE: i64 = 50_000;
/// Marks of one organization that are added together.
const MARKS_AT_ONCE: i64 = 100;

/// The next stretch of the whole trail to look at: from one of its marks to another; none when it is not worth it.
pub async fn next(view: &mut Tx) -> Result<Option<(Mark, Mark)>> {
    const UP_TO: &str = "SELECT ordinal, at, id FROM audit_marks WHERE kind = $1 AND ordinal <= $2 \
        ORDER BY ordinal DESC LIMIT 1";
    let forever = Timestamp::from_millis(i64::MAX);
    let from = last_mark(view, LOOKED_AT, forever).await?;
    let last = List::Whole.last_mark(view, forever).await?;
    if last.ordinal - from.ordinal < WORTH_A_LOOK {
        return Ok(None);
    }
    let kind = List::Whole.kind().into_owned();
    let to = view.query(UP_TO).bind(kind).bind(from.ordinal + AT_ONCE).one().await?;
    Ok(Some((from, to)))
}

/// Adds the marks of the organizations with rows in a stretch. Returns how many it added.
pub async fn add(db: &Db, (from, to): (Mark, Mark)) -> Result<u64> {
    const WITH_ROWS: &str = "SELECT DISTINCT organization_id FROM audit WHERE id > $1 AND id <= $2 \
        AND organization_id IS NOT NULL";
    let found: Vec<(OrganizationId,)> = db.query(WITH_ROWS).bind(from.id).bind(to.id).all().await?;
    let mut added = 0;
    for (organization,) in found {
        let list = List::Organization(organization);
        loop {
            let mut view = db.read().await?;
            let (last, marks) = list.next_marks_until(&mut view, (to.id, to.at), MARKS_AT_ONCE).await?;
            drop(view);
            if marks.is_empty() {
                break;
            }
            let mut tx = db.begin().await?;
            if !list.put_marks(&mut tx, last, &marks).await? {
                return Ok(added);
            }
            tx.commit().await?;
            added += marks.len() as u64;
        }
    }
    let mut tx = db.begin().await?;
    looked_at(&mut tx, to).await?;
    tx.commit().await?;
    Ok(added)
}

/// Remembers up to where organizations were looked at.
async fn looked_at(tx: &mut Tx, mark: Mark) -> Result<()> {
    const FORGET: &str = "DELETE FROM audit_marks WHERE kind = $1";
    const REMEMBER: &str = "INSERT INTO audit_marks (kind, ordinal, at, id) VALUES ($1, $2, $3, $4)";
    super::alone(tx).await?;
    tx.query(FORGET).bind(LOOKED_AT).execute().await?;
    if mark != Mark::START {
        tx.query(REMEMBER).bind(LOOKED_AT).bind(mark.ordinal).bind(mark.at).bind(mark.id).execute().await?;
    }
    Ok(())
}

/// Removes the marks of organizations behind a mark of the whole trail.
pub(super) async fn forget(tx: &mut Tx, sure: Mark) -> Result<()> {
    const FORGET: &str = "DELETE FROM audit_marks WHERE kind LIKE 'organization:%' AND id > $1";
    tx.query(FORGET).bind(sure.id).execute().await?;
    if last_mark(tx, LOOKED_AT, Timestamp::from_millis(i64::MAX)).await?.ordinal > sure.ordinal {
        looked_at(tx, sure).await?;
    }
    Ok(())
}

/// How many organizations have a last mark that a count does not confirm.
pub async fn wrong(view: &mut Tx) -> Result<i64> {
    const LAST: &str = "SELECT m.kind, m.ordinal, m.id FROM audit_marks m JOIN (SELECT kind, MAX(ordinal) AS ordinal \
        FROM audit_marks WHERE kind LIKE 'organization:%' GROUP BY kind) l ON l.kind = m.kind AND l.ordinal = m.ordinal";
    const COUNT: &str = "SELECT COUNT(*) FROM audit WHERE organization_id = $1 AND id <= $2";
    let marks: Vec<(String, i64, Uuid)> = view.query(LAST).all().await?;
    let mut wrong = 0;
    for (kind, ordinal, id) in marks {
        let organization: Option<Uuid> = kind.strip_prefix(OF_ORGANIZATION).and_then(|id| id.parse().ok());
        let count: i64 = view.query(COUNT).bind(organization).bind(id).scalar().await?;
        wrong += i64::from(count != ordinal);
    }
    Ok(wrong)
}
