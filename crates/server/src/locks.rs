//! Locks of rows. A lock is taken by an update that changes nothing and held until the end of the transaction; on SQLite, where one
//! transaction writes at a time, it costs a statement and holds nobody up. A site is locked by [`sites::touch`](crate::housing::sites::touch), which
//! raises its version, and a person by the rows of `person_locks` (`housing/guests/person.rs`).
//!
//! Order: an organization before its insurance companies and sites, a site before persons.

use berth_db::Tx;
use berth_domain::id::{InsuranceCompanyId, OrganizationId, SiteId, UserId};

use crate::Result;

/// Locks an organization. Returns false if it was removed.
pub async fn organization(tx: &mut Tx, id: OrganizationId) -> Result<bool> {
    const LOCK: &str = "UPDATE organizations SET version = version WHERE id = $1 AND deleted_at IS NULL";
    Ok(tx.query(LOCK).bind(id).execute().await? == 1)
}

/// Locks an insurance company. Returns false if it was removed.
pub async fn insurance_company(tx: &mut Tx, id: InsuranceCompanyId) -> Result<bool> {
    const LOCK: &str = "UPDATE insurance_companies SET version = version WHERE id = $1 AND deleted_at IS NULL";
    Ok(tx.query(LOCK).bind(id).execute().await? == 1)
}

/// Locks a site, also a removed one, without a new version. Returns false if there is no such site.
pub async fn site(tx: &mut Tx, id: SiteId) -> Result<bool> {
    const LOCK: &str = "UPDATE sites SET version = version WHERE id = $1";
    Ok(tx.query(LOCK).bind(id).execute().await? == 1)
}

/// Locks a user.
pub async fn user(tx: &mut Tx, id: UserId) -> Result<()> {
    const LOCK: &str = "UPDATE users SET created_at = created_at WHERE id = $1";
    tx.query(LOCK).bind(id).execute().await?;
    Ok(())
}

/// Locks the group of global admins. One row for all of them: the row of an admin goes with the admin, and the next transaction would
/// lock another.
pub async fn global_admins(tx: &mut Tx) -> Result<()> {
    const LOCK: &str = "UPDATE platform_locks SET taken = taken + 1 WHERE name = 'global-admins'";
    tx.query(LOCK).execute().await?;
    Ok(())
}
