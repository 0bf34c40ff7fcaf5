//! The free capacity of a site, and the check that pending reservations keep theirs (DESIGN 3, "Capacity").

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::stay::may_take_beds;
use berth_domain::time::Timestamp;

use crate::auth::caller::Site;
use crate::housing::{guests, sites, waitlist};
use crate::jobs::holds;
use crate::{App, Result};

/// The counts that decide if a site can take another guest (DESIGN 3, "Capacity").
#[derive(Debug, Clone, Copy, PartialEq, Eq, berth_db::FromRow)]
pub struct Capacity {
    /// Enabled beds without a guest that are not offered to anyone on the waitlist.
    pub vacant: i64,
    /// Pending reservations whose hold has not ended. Each needs one vacant bed.
    pub pending: i64,
    /// Reservations whose hold has ended, but whose end is not recorded yet. It must be recorded before their beds are
    /// given to others: otherwise they would be valid again if the clock went back.
    pub overdue: i64,
}

/// Counts the vacant beds and the reservations of a site at `now`.
pub async fn capacity(tx: &mut Tx, id: SiteId, now: Timestamp) -> Result<Capacity> {
    const CAPACITY: &str = concat!(
        "SELECT (SELECT COUNT(*) FROM beds b WHERE b.site_id = $1 AND b.deleted_at IS NULL AND NOT b.disabled \
         AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL) \
         AND ",
        waitlist::is_unoffered!("b."),
        ") AS vacant, \
         COALESCE(SUM(CASE WHEN g.expires_at <= $2 THEN 0 ELSE 1 END), 0) AS pending, \
         COALESCE(SUM(CASE WHEN g.expires_at <= $2 THEN 1 ELSE 0 END), 0) AS overdue \
         FROM guests g WHERE g.site_id = $1 AND ",
        guests::is_undecided!("g.")
    );
    Ok(tx.query(CAPACITY).bind(id).bind(now).one().await?)
}

/// The capacity for a person who is not on the waitlist: without the beds that are due to those who wait.
pub async fn for_newcomer(tx: &mut Tx, id: SiteId, now: Timestamp) -> Result<Capacity> {
    let all = capacity(tx, id, now).await?;
    let due = waitlist::due(tx, id, all.vacant - all.pending, now).await?;
    Ok(Capacity { vacant: all.vacant - due, ..all })
}

/// Checks that pending reservations do not need the `taken` vacant beds that a change removes (I10). Records the end of
/// holds that are over, whose reservations need no beds any more.
///
/// # Errors
/// 409 if they need them.
pub async fn keep_capacity(app: &App, tx: &mut Tx, site: &Site, taken: i64, now: Timestamp) -> Result<()> {
    let capacity = capacity(tx, site.id, now).await?;
    if taken > 0 && capacity.overdue > 0 {
        holds::end_overdue_of(app, tx, site, now).await?;
    }
    may_take_beds(capacity.vacant, taken, capacity.pending).map_err(sites::refused)
}
