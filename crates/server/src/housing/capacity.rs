//! What a site can still take in, and that nobody takes it from under reservations (DESIGN 3, "Capacity").

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::stay::may_take_beds;
use berth_domain::time::Timestamp;

use crate::auth::caller::Site;
use crate::housing::{guests, sites};
use crate::jobs::holds;
use crate::{App, Result};

/// What a site can still take in (DESIGN 3, "Capacity").
#[derive(Debug, Clone, Copy, PartialEq, Eq, berth_db::FromRow)]
pub struct Capacity {
    /// Enabled beds without a guest.
    pub vacant: i64,
    /// Live pending reservations; each holds one unit.
    pub pending: i64,
    /// Reservations whose hold is over but not on record as such: whoever gives their unit away records it first, or a
    /// clock that goes back would bring them back.
    pub overdue: i64,
}

/// Counts vacant beds and live pending reservations. A hold that has run out by `now` holds nothing, whether or not the
/// job has recorded it.
pub async fn capacity(tx: &mut Tx, id: SiteId, now: Timestamp) -> Result<Capacity> {
    const CAPACITY: &str = concat!(
        "SELECT (SELECT COUNT(*) FROM beds b WHERE b.site_id = $1 AND b.deleted_at IS NULL AND NOT b.disabled \
         AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)) AS vacant, \
         COALESCE(SUM(CASE WHEN g.expires_at <= $2 THEN 0 ELSE 1 END), 0) AS pending, \
         COALESCE(SUM(CASE WHEN g.expires_at <= $2 THEN 1 ELSE 0 END), 0) AS overdue \
         FROM guests g WHERE g.site_id = $1 AND ",
        guests::is_undecided!("g.")
    );
    Ok(tx.query(CAPACITY).bind(id).bind(now).one().await?)
}

/// Refuses to take `taken` vacant beds away from pending reservations that need them (I10). Those whose hold is over need
/// none any more: their end goes on record with the change.
///
/// # Errors
/// 409 with the sentence.
pub async fn keep_capacity(app: &App, tx: &mut Tx, site: &Site, taken: i64, now: Timestamp) -> Result<()> {
    let capacity = capacity(tx, site.id, now).await?;
    if taken > 0 && capacity.overdue > 0 {
        holds::end_overdue_of(app, tx, site, now).await?;
    }
    may_take_beds(capacity.vacant, taken, capacity.pending).map_err(sites::refused)
}
