//! Writes down where every 500th row of each list of the trail stands (see `admin/audit_log/lists/mod.rs`), for rows old enough that no
//! other can come before them. A trail that was there before the first start is gone through bit by bit, beside all else.

use crate::admin::audit_log::lists::{List, organizations};
use crate::{App, Result};

/// Marks that are looked for at once: 50,000 rows.
const AT_ONCE: i64 = 100;
/// How often in one turn: a trail of 10 million rows takes two turns.
const TIMES: usize = 100;

/// Returns true if a mark can be added, or one is wrong.
pub async fn is_due(app: &App) -> Result<bool> {
    let mut view = app.db.read().await?;
    for list in List::ALL {
        if list.doubt(&mut view, app.now()).await?.is_some()
            || !list.next_marks(&mut view, app.now(), 1).await?.1.is_empty()
        {
            return Ok(true);
        }
    }
    Ok(organizations::next(&mut view).await?.is_some())
}

/// Takes back the marks that are wrong and adds those that are missing. Returns how many it changed.
pub async fn run(app: &App) -> Result<u64> {
    let mut changed = 0;
    for list in List::ALL {
        let doubt = list.doubt(&mut app.db.read().await?, app.now()).await?;
        if let Some(sure) = doubt {
            let mut tx = app.db.begin().await?;
            changed += list.forget(&mut tx, sure).await?;
            tx.commit().await?;
        }
        for _ in 0..TIMES {
            let added = add(app, list).await?;
            changed += added;
            if added < AT_ONCE.unsigned_abs() {
                break;
            }
        }
    }
    for _ in 0..TIMES {
        let next = organizations::next(&mut app.db.read().await?).await?;
        let Some(stretch) = next else { break };
        changed += organizations::add(&app.db, stretch).await?;
    }
    Ok(changed)
}

/// Adds the next marks of a list. They are looked for by a read, so that nobody waits for that.
async fn add(app: &App, list: List) -> Result<u64> {
    let (last, marks) = list.next_marks(&mut app.db.read().await?, app.now(), AT_ONCE).await?;
    if marks.is_empty() {
        return Ok(0);
    }
    let mut tx = app.db.begin().await?;
    if !list.put_marks(&mut tx, last, &marks).await? {
        return Ok(0);
    }
    tx.commit().await?;
    Ok(marks.len() as u64)
}
