//! Settles the notices to users about reservations: one message for each user and site, now or later
//! (docs/decisions/0052).

use berth_domain::id::{SiteId, UserId};

use crate::housing::guests;
use crate::{App, Result};

/// Maximum number of rows that are loaded in one run. Several may be of the same user and site.
const MAX_ROWS: i64 = 2000;

/// Returns true if a notice is due.
pub async fn is_due(app: &App) -> Result<bool> {
    const DUE: &str = "SELECT user_id FROM user_notices WHERE settled_at IS NULL AND due_at <= $1 LIMIT 1";
    let found: Option<(UserId,)> = app.db.query(DUE).bind(app.now()).optional().await?;
    Ok(found.is_some())
}

/// Settles the notices that are due, with one transaction for each user and site. Returns how many were sent.
///
/// # Errors
/// The last error, after the others are done.
pub async fn run(app: &App) -> Result<u64> {
    const DUE: &str = "SELECT user_id, site_id FROM user_notices WHERE settled_at IS NULL AND due_at <= $1 \
        ORDER BY due_at LIMIT $2";
    let mut due: Vec<(UserId, SiteId)> = app.db.query(DUE).bind(app.now()).bind(MAX_ROWS).all().await?;
    due.sort_unstable();
    due.dedup();
    let (mut done, mut failed) = (0, None);
    for (user, site) in due {
        match guests::settle_notices(app, user, site).await {
            Ok(sent) => done += sent,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}
