//! Removes pictures that nothing refers to: from abandoned forms, replaced photos and interrupted uploads.
//!
//! A picture is removed in two steps. First its row is marked, by one statement that also checks that nothing refers to
//! it: from then on nobody can claim or see it. Then its objects are removed, and its row last, so that the next run
//! can continue after a crash. A picture in use is checked again a day later. Whoever takes a picture out of a record marks it
//! in the same transaction, so that it is gone at its address from the commit on.

use berth_db::Tx;
use berth_domain::time::Timestamp;

use super::{KEPT_FOR, thumbnail_of};
use crate::admin::audit_log::Author;
use crate::{App, Result, change};

/// Maximum number of pictures that one transaction checks.
const BATCH: i64 = 200;
/// Number of failures in a row after which the store counts as unavailable. The next run continues after the failed
/// pictures.
const MAX_FAILURES_IN_A_ROW: u32 = 50;

/// Marks a picture that is due unless a record refers to it.
const MARK: &str = "UPDATE files SET state = 'going' WHERE path = $1 AND keep_until <= $2 AND state <> 'going' \
    AND NOT EXISTS (SELECT 1 FROM organizations WHERE logo_path = $1) \
    AND NOT EXISTS (SELECT 1 FROM insurance_companies WHERE logo_path = $1) \
    AND NOT EXISTS (SELECT 1 FROM site_images WHERE image_path = $1) \
    AND NOT EXISTS (SELECT 1 FROM rooms WHERE image_path = $1) \
    AND NOT EXISTS (SELECT 1 FROM beds WHERE image_path = $1) \
    AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_front = $1) \
    AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_back = $1) \
    AND NOT EXISTS (SELECT 1 FROM waiting_guests WHERE insurance_card_front = $1) \
    AND NOT EXISTS (SELECT 1 FROM waiting_guests WHERE insurance_card_back = $1)";

/// Gives up pictures that a record has lost in this transaction: from the commit on nobody can see or claim them, and the next sweep
/// removes them. A picture that another record uses stays.
pub async fn give_up(tx: &mut Tx, lost: &[&str], now: Timestamp) -> Result<()> {
    // DUE waits until no other transaction claims the picture. MARK runs after it, so it sees what that transaction committed.
    const DUE: &str = "UPDATE files SET keep_until = $2 WHERE path = $1 AND state <> 'going'";
    // In one order, so that two changes that give up the same pictures do not deadlock.
    let mut lost = lost.to_vec();
    lost.sort_unstable();
    for path in lost {
        tx.query(DUE).bind(path).bind(now).execute().await?;
        tx.query(MARK).bind(path).bind(now).execute().await?;
    }
    Ok(())
}

/// Checks every picture that is due and removes those that nothing refers to. Returns how many were removed. An object
/// that the store cannot remove is left for the next run and does not stop the others.
pub async fn sweep(app: &App) -> Result<u64> {
    const GOING: &str = "SELECT path FROM files WHERE state = 'going' AND path > $1 ORDER BY path LIMIT 200";
    while mark_unused(app).await? == BATCH {}
    let (mut removed, mut failed, mut in_a_row) = (0, 0_u64, 0);
    let mut after = app.files.take_swept_until();
    'run: loop {
        let paths: Vec<(String,)> = app.db.query(GOING).bind(&after).all().await?;
        if paths.is_empty() {
            break;
        }
        for (path,) in paths {
            if in_a_row == MAX_FAILURES_IN_A_ROW {
                app.files.set_swept_until(after);
                break 'run;
            }
            after.clone_from(&path);
            if let Err(error) = remove_objects(app, &path).await {
                (failed, in_a_row) = (failed + 1, in_a_row + 1);
                tracing::debug!(error = %error, "could not remove an object from the store");
                continue;
            }
            in_a_row = 0;
            removed += delete_row(app, &path).await?;
        }
    }
    if failed > 0 {
        tracing::warn!(count = failed, "could not remove some pictures from the store; trying again later");
    }
    Ok(removed)
}

/// Deletes the row of a picture whose objects are removed. Returns the number of deleted rows.
async fn delete_row(app: &App, path: &str) -> Result<u64> {
    const DELETE: &str = "DELETE FROM files WHERE path = $1 AND state = 'going'";
    change::run(app, Author::job(), |mut change| async move {
        let deleted = change.tx.query(DELETE).bind(path).execute().await?;
        change.done(deleted)
    })
    .await
}

async fn remove_objects(app: &App, path: &str) -> Result<()> {
    app.files.storage.delete(&thumbnail_of(path)).await?;
    app.files.storage.delete(path).await
}

/// Checks a batch of the pictures that are due and marks those that nothing refers to. Returns how many were checked.
async fn mark_unused(app: &App) -> Result<i64> {
    change::run(app, Author::job(), |mut change| async move {
        let checked = mark(&mut change.tx, change.now).await?;
        change.done(checked)
    })
    .await
}

async fn mark(tx: &mut Tx, now: Timestamp) -> Result<i64> {
    const DUE: &str = "SELECT path FROM files WHERE keep_until <= $1 AND state <> 'going' \
        ORDER BY keep_until, path LIMIT 200";
    const LATER: &str = "UPDATE files SET keep_until = $3 WHERE path = $1 AND keep_until <= $2 AND state <> 'going'";
    let due: Vec<(String,)> = tx.query(DUE).bind(now).all().await?;
    let checked = i64::try_from(due.len()).unwrap_or(BATCH);
    for (path,) in due {
        if tx.query(MARK).bind(&path).bind(now).execute().await? == 0 {
            tx.query(LATER).bind(&path).bind(now).bind(now.plus_hours(KEPT_FOR)).execute().await?;
        }
    }
    Ok(checked)
}
