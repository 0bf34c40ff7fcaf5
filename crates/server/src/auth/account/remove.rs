//! `DELETE /api/Users`: one's own profile goes. The row stays for the history; the email is free again (spec A 2).

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::letters::{self, Letter};
use super::{password, proof, totp};
use crate::admin::access_users;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::sessions;
use crate::http::body::Done;
use crate::{App, Error, Result};

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
    access_users::check_last_holder(&mut tx, user_id).await?;
    tx.query(LEAVE).bind(user_id).bind(now).execute().await?;
    if tx.query(DELETE).bind(user_id).bind(now).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    password::end_entries(&app, &mut tx, user_id, None, "profile deleted").await?;
    let entry = audit_log::Entry::anywhere(
        AuditAction::UserDeleted,
        Some((ObjectKind::User, user_id.0)),
        "the user deleted the profile",
    );
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    totp::clear(&mut tx, user_id).await?;
    letters::send(&app, &mut tx, user_id, None, Letter::ProfileDeleted).await?;
    tx.commit().await?;
    let mut response = Done.into_response();
    sessions::forget_session(response.headers_mut());
    Ok(response)
}
