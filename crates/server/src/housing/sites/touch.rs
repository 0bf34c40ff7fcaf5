//! The touch: the statement with which every change to a site's houses, beds or guests begins (DESIGN 2).

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};

use crate::Result;
use crate::integrations::live::LiveEvent;

/// Raises the version of a site and thereby locks it: what the transaction reads afterwards does not change until the
/// commit. The version is the ETag, the key of cached boards, and the content of live events.
///
/// # Errors
/// 404 if the site was removed in the meantime.
pub async fn touch(tx: &mut Tx, id: SiteId) -> Result<i64> {
    const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE id = $1 AND deleted_at IS NULL RETURNING version";
    Ok(tx.query(TOUCH).bind(id).scalar().await?)
}

/// Touches a site that may have been removed.
///
/// # Errors
/// 404 if there is no such site.
pub async fn touch_removed_too(tx: &mut Tx, id: SiteId) -> Result<i64> {
    const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE id = $1 RETURNING version";
    Ok(tx.query(TOUCH).bind(id).scalar().await?)
}

/// Touches every site of an organization, for a change that all of their pages show. The caller must hold the lock of
/// the organization's row (`organizations::lock`), so that two such changes never deadlock.
pub async fn touch_all(tx: &mut Tx, id: OrganizationId) -> Result<Vec<LiveEvent>> {
    const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE organization_id = $1 AND deleted_at IS NULL \
        RETURNING id, version";
    let rows: Vec<(SiteId, i64)> = tx.query(TOUCH).bind(id).all().await?;
    Ok(rows.into_iter().map(|(site_id, version)| LiveEvent { site_id, version }).collect())
}
