//! Adds marks, the positions of every 500th row, to each list of the audit trail (see `admin/audit_log/lists/mod.rs`), for rows
//! old enough that no other can come before them. A trail without marks is processed in steps, in the background.

use crate::admin::audit_log::lists::{List, organizations};
use crate::{App, Result};

/// Maximum number of marks added in one step: 50,000 rows.
const MAX_MARKS_PER_STEP: i64 = 100;
/// Maximum number of steps in one run. A trail of 10 million rows takes two runs.
const MAX_STEPS: usize = 100;

/// Returns true if a mark can be added, or one is wrong.
pub async fn is_due(app: &App) -> Result<bool> {
    let mut view = app.db.read().await?;
    for list in List::ALL {
        if list.find_wrong(&mut view, app.now()).await?.is_some()
            || !list.next_marks(&mut view, app.now(), 1).await?.1.is_empty()
        {
            return Ok(true);
        }
    }
    Ok(organizations::next(&mut view).await?.is_some())
}

/// Deletes wrong marks and adds missing ones. Returns how many it changed.
pub async fn run(app: &App) -> Result<u64> {
    let mut changed = 0;
    for list in List::ALL {
        let last_reliable = list.find_wrong(&mut app.db.read().await?, app.now()).await?;
        if let Some(mark) = last_reliable {
            changed += list.delete_marks_after(app, mark).await?;
        }
        for _ in 0..MAX_STEPS {
            let added = add(app, list).await?;
            changed += added;
            if added < MAX_MARKS_PER_STEP.unsigned_abs() {
                break;
            }
        }
    }
    for _ in 0..MAX_STEPS {
        let next = organizations::next(&mut app.db.read().await?).await?;
        let Some(range) = next else { break };
        changed += organizations::add(app, range).await?;
    }
    Ok(changed)
}

/// Adds the next marks of a list. Returns how many. They are found outside of the transaction that adds them, so that no writer
/// waits for the search.
async fn add(app: &App, list: List) -> Result<u64> {
    let (last, marks) = list.next_marks(&mut app.db.read().await?, app.now(), MAX_MARKS_PER_STEP).await?;
    if marks.is_empty() || !list.add_marks(app, last, &marks).await? {
        return Ok(0);
    }
    Ok(marks.len() as u64)
}
