//! The end of pictures that nothing refers to: forms that were left, replaced photos, uploads that were cut off.
//!
//! A picture goes in two steps. First its row is marked, in one statement that looks whether anything refers to it: from
//! then on nobody can claim or see it. Then its objects are removed, and the row last, so that a crash in between leaves
//! something to go on with. A picture in use is looked at again a day later.

use berth_db::Tx;

use super::{KEPT_FOR, thumbnail_of};
use crate::{App, Result};

/// Pictures looked at in one go.
const AT_ONCE: i64 = 200;
/// After so many failures in a row the store is taken for away until the next run, which goes on behind them.
const AWAY_AFTER: u32 = 50;

/// Looks at every picture that is due and removes those that nothing refers to. Returns how many went. An object that the
/// store does not remove stays for the next run, and holds up no other.
///
/// # Errors
/// Those of the database; the next run goes on.
pub async fn sweep(app: &App) -> Result<u64> {
    const GOING: &str = "SELECT path FROM files WHERE state = 'going' AND path > $1 ORDER BY path LIMIT 200";
    const GONE: &str = "DELETE FROM files WHERE path = $1 AND state = 'going'";
    loop {
        let mut tx = app.db.begin().await?;
        let looked_at = mark(app, &mut tx).await?;
        tx.commit().await?;
        if looked_at < AT_ONCE {
            break;
        }
    }
    let (mut removed, mut stayed, mut in_a_row) = (0, 0_u64, 0);
    let mut after = app.files.take_swept_until();
    'run: loop {
        let paths: Vec<(String,)> = app.db.query(GOING).bind(&after).all().await?;
        if paths.is_empty() {
            break;
        }
        for (path,) in paths {
            if in_a_row == AWAY_AFTER {
                app.files.set_swept_until(after);
                break 'run;
            }
            after.clone_from(&path);
            if let Err(error) = remove_objects(app, &path).await {
                (stayed, in_a_row) = (stayed + 1, in_a_row + 1);
                tracing::debug!(error = %error, "an object was not removed");
                continue;
            }
            in_a_row = 0;
            let mut tx = app.db.begin().await?;
            removed += tx.query(GONE).bind(path).execute().await?;
            tx.commit().await?;
        }
    }
    if stayed > 0 {
        tracing::warn!(count = stayed, "the store did not remove some pictures; they are tried again");
    }
    Ok(removed)
}

async fn remove_objects(app: &App, path: &str) -> Result<()> {
    app.files.storage.delete(&thumbnail_of(path)).await?;
    app.files.storage.delete(path).await
}

/// Decides about some of those that are due. Returns how many.
async fn mark(app: &App, tx: &mut Tx) -> Result<i64> {
    const DUE: &str = "SELECT path FROM files WHERE keep_until <= $1 AND state <> 'going' \
        ORDER BY keep_until, path LIMIT 200";
    const MARK: &str = "UPDATE files SET state = 'going' WHERE path = $1 AND keep_until <= $2 AND state <> 'going' \
        AND NOT EXISTS (SELECT 1 FROM organizations WHERE logo_path = $1) \
        AND NOT EXISTS (SELECT 1 FROM insurance_companies WHERE logo_path = $1) \
        AND NOT EXISTS (SELECT 1 FROM site_images WHERE image_path = $1) \
        AND NOT EXISTS (SELECT 1 FROM rooms WHERE image_path = $1) \
        AND NOT EXISTS (SELECT 1 FROM beds WHERE image_path = $1) \
        AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_front = $1) \
        AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_back = $1)";
    const LATER: &str = "UPDATE files SET keep_until = $3 WHERE path = $1 AND keep_until <= $2 AND state <> 'going'";
    let now = app.now();
    let due: Vec<(String,)> = tx.query(DUE).bind(now).all().await?;
    let looked_at = i64::try_from(due.len()).unwrap_or(AT_ONCE);
    for (path,) in due {
        if tx.query(MARK).bind(&path).bind(now).execute().await? == 0 {
            tx.query(LATER).bind(&path).bind(now).bind(now.plus_hours(KEPT_FOR)).execute().await?;
        }
    }
    Ok(looked_at)
}
