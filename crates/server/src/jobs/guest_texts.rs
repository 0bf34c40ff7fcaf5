//! Settles the text messages to guests: each goes into the outbox, or its row records why not (docs/decisions/0052).

use berth_domain::id::GuestId;

use crate::housing::guests;
use crate::{App, Result};

/// Maximum number of guests whose texts are settled in one run.
const MAX_GUESTS: i64 = 500;

/// Returns true if a text is due.
pub async fn is_due(app: &App) -> Result<bool> {
    const DUE: &str = "SELECT guest_id FROM guest_texts WHERE settled_at IS NULL AND due_at <= $1 LIMIT 1";
    let found: Option<(GuestId,)> = app.db.query(DUE).bind(app.now()).optional().await?;
    Ok(found.is_some())
}

/// Settles the texts that are due, with one transaction for each guest. Returns how many there were.
///
/// # Errors
/// The last error, after the other guests are done.
pub async fn run(app: &App) -> Result<u64> {
    const DUE: &str = "SELECT DISTINCT guest_id FROM guest_texts WHERE settled_at IS NULL AND due_at <= $1 \
        ORDER BY guest_id LIMIT $2";
    let due: Vec<(GuestId,)> = app.db.query(DUE).bind(app.now()).bind(MAX_GUESTS).all().await?;
    let (mut done, mut failed) = (0, None);
    for (guest,) in due {
        match guests::settle_texts(app, guest).await {
            Ok(settled) => done += settled,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}
