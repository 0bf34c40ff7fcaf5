//! Settles what guests are to be told about their reservations: the message goes into the outbox, or the row says why not
//! (docs/decisions/0052).

use berth_domain::id::GuestId;

use crate::housing::guests;
use crate::{App, Result};

/// Guests whose texts are settled in one turn.
const GUESTS_A_TURN: i64 = 500;

/// Returns true if a guest is to be told something now.
pub async fn is_due(app: &App) -> Result<bool> {
    const DUE: &str = "SELECT guest_id FROM guest_texts WHERE settled_at IS NULL AND due_at <= $1 LIMIT 1";
    let found: Option<(GuestId,)> = app.db.query(DUE).bind(app.now()).optional().await?;
    Ok(found.is_some())
}

/// Settles what is due, one transaction for each guest. Returns how many texts were settled.
///
/// # Errors
/// The last error, after the other guests are done.
pub async fn run(app: &App) -> Result<u64> {
    const DUE: &str = "SELECT DISTINCT guest_id FROM guest_texts WHERE settled_at IS NULL AND due_at <= $1 \
        ORDER BY guest_id LIMIT $2";
    let due: Vec<(GuestId,)> = app.db.query(DUE).bind(app.now()).bind(GUESTS_A_TURN).all().await?;
    let (mut done, mut failed) = (0, None);
    for (guest,) in due {
        match guests::settle_texts(app, guest).await {
            Ok(settled) => done += settled,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}
