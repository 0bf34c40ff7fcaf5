//! The last owner of an organization and the last global admin cannot leave (DESIGN 4, I19).

use berth_db::Tx;
use berth_domain::id::{OrganizationId, UserId};
use berth_domain::role::Role;

use crate::{Error, Result, locks};

/// Locks the group whose holders of a role are counted, so that the last two cannot leave at the same time. Returns false if
/// the organization was removed: it needs no owner. The roles of a site need no lock.
pub(super) async fn lock(tx: &mut Tx, role: Role, organization_id: Option<OrganizationId>) -> Result<bool> {
    match (role, organization_id) {
        (Role::Owner, Some(id)) => locks::organization(tx, id).await,
        (Role::GlobalAdmin, _) => locks::global_admins(tx).await.map(|()| true),
        _ => Ok(true),
    }
}

/// Checks that a user who leaves is not the last owner of an organization or the last global admin.
///
/// # Errors
/// 409 if the user is.
pub async fn check(tx: &mut Tx, user_id: UserId) -> Result<()> {
    const HELD: &str = "SELECT role, organization_id FROM memberships WHERE user_id = $1 AND status = 'Active' \
        AND deleted_at IS NULL AND role IN ('Owner', 'GlobalAdmin') ORDER BY organization_id";
    const OWNERS: &str = "SELECT COUNT(*) FROM memberships m JOIN users u ON u.id = m.user_id \
        AND u.deleted_at IS NULL WHERE m.organization_id = $2 AND m.role = 'Owner' AND m.status = 'Active' \
        AND m.deleted_at IS NULL AND m.user_id <> $1";
    const ADMINS: &str = "SELECT COUNT(*) FROM memberships m JOIN users u ON u.id = m.user_id \
        AND u.deleted_at IS NULL WHERE m.role = 'GlobalAdmin' AND m.status = 'Active' \
        AND m.deleted_at IS NULL AND m.user_id <> $1";
    let held: Vec<(Role, Option<OrganizationId>)> = tx.query(HELD).bind(user_id).all().await?;
    for (role, organization_id) in held {
        if !lock(tx, role, organization_id).await? {
            continue;
        }
        let others: i64 = match organization_id {
            Some(id) => tx.query(OWNERS).bind(user_id).bind(id).scalar().await?,
            None => tx.query(ADMINS).bind(user_id).scalar().await?,
        };
        role.may_lose(others).map_err(Error::conflict)?;
    }
    Ok(())
}
