//! Row locks, and the one order in which every transaction takes them.
//!
//! A lock is taken by an update that changes nothing, and held until the end of the transaction. On SQLite, where one
//! transaction writes at a time, it only costs a statement. On PostgreSQL two transactions that lock the same rows in opposite
//! orders deadlock, so everyone locks in this order, leaving out what they do not need:
//!
//! 1. The idempotency key of the request; the row of a reservation request that is confirmed.
//! 2. Organizations, by id; then the group of global admins.
//! 3. What belongs to a locked organization: its sites and insurance companies. A site is locked by
//!    [`Change::touch`](crate::change::Change::touch), which raises its version, all sites of an organization by
//!    [`Change::touch_all`](crate::change::Change::touch_all). Without the organization, a transaction locks one site at most.
//! 4. Rows of a locked site: subscription, houses, beds, guests, stays.
//! 5. Persons: rows of `person_locks`, by key (`housing/guests/person.rs`).
//! 6. Limits: rows of `throttles`. The limit of the user comes before that of an address.
//! 7. Memberships, then users, then their sessions and secrets.
//! 8. The dashboard's parts (`admin/dashboard/parts.rs`): people, organizations, sites. Writing an audit row locks the parts
//!    that its action invalidates, and storing the counters of a site locks the part of the site. Parts are shared by the
//!    whole platform, so nothing of the above is locked after the first audit row of a user, membership, organization, site
//!    or insurance company. (A confirmed reservation gives back its limit after its audit row, which locks the part of its
//!    site alone; transactions that count that limit lock no part.)
//!
//! `tests/api/races.rs` edits all of them at once on PostgreSQL and fails if there was a deadlock.

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
