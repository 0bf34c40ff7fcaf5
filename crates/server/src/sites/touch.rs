//! The touch: the one statement with which every change to a site's houses, beds or guests begins (DESIGN 2).

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::time::Timestamp;

use crate::live::LiveEvent;
use crate::{Result, guests};

/// Raises the site's version, and thereby takes its lock: what is read afterwards in the same transaction stays as it is
/// until the commit. The version is the ETag, the key of cached boards and what watchers are told.
///
/// # Errors
/// 404 when the site was deleted in the meantime; those of the database.
pub async fn touch(tx: &mut Tx, id: SiteId) -> Result<i64> {
    const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE id = $1 AND deleted_at IS NULL RETURNING version";
    Ok(tx.query(TOUCH).bind(id).scalar().await?)
}

/// Touches a site, also a removed one: what is recorded of it goes on.
///
/// # Errors
/// 404 when there is no such site.
pub async fn touch_removed_too(tx: &mut Tx, id: SiteId) -> Result<i64> {
    const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE id = $1 RETURNING version";
    Ok(tx.query(TOUCH).bind(id).scalar().await?)
}

/// Touches every site of an organization, for a change that shows on all of their pages. Whoever does this holds the
/// organization's row already (`organizations::lock`), so that two of them never wait for each other.
///
/// # Errors
/// Those of the database.
pub async fn touch_all(tx: &mut Tx, id: OrganizationId) -> Result<Vec<LiveEvent>> {
    const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE organization_id = $1 AND deleted_at IS NULL \
        RETURNING id, version";
    let rows: Vec<(SiteId, i64)> = tx.query(TOUCH).bind(id).all().await?;
    Ok(rows.into_iter().map(|(site_id, version)| LiveEvent { site_id, version }).collect())
}

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
///
/// # Errors
/// Those of the database.
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
