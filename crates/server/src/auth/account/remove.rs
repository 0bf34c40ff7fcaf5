//! `DELETE /api/Users`: deletes the user's own profile. The row is kept for the history, and the email can be used again
//! (spec A 2).

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::mail::{self, Mail};
use super::{password, proof, totp};
use crate::admin::access_users;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::sessions;
use crate::http::body::Done;
use crate::{App, Error, Result, change};

/// Deletes the caller's profile, which ends all sessions and memberships. Requires a proof from the last five minutes. The
/// last owner of an organization and the last global admin cannot be deleted.
#[utoipa::path(delete, path = "/api/Users", tag = "Users",
    responses((status = 204, description = "the profile was deleted")))]
pub async fn delete_profile(State(app): State<App>, caller: Caller) -> Result<Response> {
    proof::require_fresh(&app, &caller)?;
    remove(&app, &caller).await?;
    let mut response = Done.into_response();
    sessions::forget_session(response.headers_mut());
    Ok(response)
}

async fn remove(app: &App, caller: &Caller) -> Result<()> {
    const LEAVE: &str = "UPDATE memberships SET deleted_at = $2 WHERE user_id = $1 AND deleted_at IS NULL";
    const DELETE: &str = "UPDATE users SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL";
    const DELETE_VIEWS: &str = "DELETE FROM user_views WHERE user_id = $1";
    let user_id = caller.actor.user_id;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        let now = change.now;
        access_users::check_last_holder(&mut change.tx, user_id).await?;
        change.tx.query(LEAVE).bind(user_id).bind(now).execute().await?;
        if change.tx.query(DELETE).bind(user_id).bind(now).execute().await? != 1 {
            return Err(Error::NotFound);
        }
        change.tx.query(DELETE_VIEWS).bind(user_id).execute().await?;
        password::end_access(&mut change, user_id, None, "profile deleted").await?;
        let object = Some((ObjectKind::User, user_id.0));
        change.record(Entry::anywhere(AuditAction::UserDeleted, object, "the user deleted the profile")).await?;
        totp::clear(&mut change.tx, user_id).await?;
        mail::send(&mut change, user_id, None, Mail::ProfileDeleted).await?;
        change.done(())
    })
    .await
}
