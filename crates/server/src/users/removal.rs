//! `DELETE /api/Users`: one's own profile goes. The row stays for the history; the e-mail is free again (spec A 2).

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use berth_db::Tx;
use berth_domain::id::{OrganizationId, UserId};
use berth_domain::role::Role;

use super::{password, proof};
use crate::body::Done;
use crate::caller::Caller;
use crate::outbox::{Channel, Message};
use crate::{App, Error, Result, audit, outbox, sessions};

/// Deletes the caller's profile: sessions end, memberships go. Needs a proof of the last five minutes. The last owner of
/// an organization and the last global admin stay.
#[utoipa::path(delete, path = "/api/Users", tag = "Users",
    responses((status = 204, description = "the profile was deleted")))]
pub async fn delete_profile(State(app): State<App>, caller: Caller) -> Result<Response> {
    const LEAVE: &str = "UPDATE memberships SET deleted_at = $2 WHERE user_id = $1 AND deleted_at IS NULL";
    const DELETE: &str = "UPDATE users SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL";
    proof::require_fresh(&app, &caller)?;
    let (now, user_id) = (app.now(), caller.actor.user_id);
    let mut tx = app.db.begin().await?;
    check_roles(&mut tx, user_id).await?;
    tx.query(LEAVE).bind(user_id).bind(now).execute().await?;
    if tx.query(DELETE).bind(user_id).bind(now).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    password::end_entries(&app, &mut tx, user_id, None, "profile deleted").await?;
    let entry = audit::Entry::anywhere("user.deleted", Some(("user", user_id.0)), "the user deleted the profile");
    audit::write(&app, &mut tx, &audit::By::caller(&caller, None), &entry).await?;
    let subject = "Your Berth profile was deleted".to_owned();
    let body = "Your Berth profile was deleted just now. If it was not you, tell support at once.".to_owned();
    outbox::put(&app, &mut tx, Message { channel: Channel::Email, to: caller.email.clone(), subject, body }).await?;
    tx.commit().await?;
    let mut response = Done.into_response();
    sessions::clear_cookies(response.headers_mut());
    Ok(response)
}

/// Refuses to take away a role that somebody must keep. What the roles are counted in is locked first, so that two last
/// ones who leave at the same moment do not both pass.
async fn check_roles(tx: &mut Tx, user_id: UserId) -> Result<()> {
    const HELD: &str = "SELECT role, organization_id FROM memberships WHERE user_id = $1 AND status = 'Active' \
        AND deleted_at IS NULL AND role IN ('Owner', 'GlobalAdmin') ORDER BY organization_id";
    const LOCK_ORGANIZATION: &str = "UPDATE organizations SET created_at = created_at \
        WHERE id = $1 AND deleted_at IS NULL";
    const LOCK_PLATFORM: &str = "UPDATE memberships SET created_at = created_at WHERE id = (SELECT m.id \
        FROM memberships m WHERE m.role = 'GlobalAdmin' AND m.deleted_at IS NULL ORDER BY m.id LIMIT 1)";
    const OWNERS: &str = "SELECT COUNT(*) FROM memberships m JOIN users u ON u.id = m.user_id \
        AND u.deleted_at IS NULL WHERE m.organization_id = $2 AND m.role = 'Owner' AND m.status = 'Active' \
        AND m.deleted_at IS NULL AND m.user_id <> $1";
    const ADMINS: &str = "SELECT COUNT(*) FROM memberships m JOIN users u ON u.id = m.user_id \
        AND u.deleted_at IS NULL WHERE m.role = 'GlobalAdmin' AND m.status = 'Active' \
        AND m.deleted_at IS NULL AND m.user_id <> $1";
    let held: Vec<(Role, Option<OrganizationId>)> = tx.query(HELD).bind(user_id).all().await?;
    for (role, organization_id) in held {
        let others: i64 = match organization_id {
            Some(id) => {
                // An organization that is gone needs no owner.
                if tx.query(LOCK_ORGANIZATION).bind(id).execute().await? == 0 {
                    continue;
                }
                tx.query(OWNERS).bind(user_id).bind(id).scalar().await?
            }
            None => {
                tx.query(LOCK_PLATFORM).execute().await?;
                tx.query(ADMINS).bind(user_id).scalar().await?
            }
        };
        role.may_lose(others).map_err(Error::conflict)?;
    }
    Ok(())
}
