//! `POST /api/Users/password`: the first password of an invited user.

use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::password::NewPassword;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::admin::invitations;
use crate::auth::caller::AnyStage;
use crate::http::body::{Body, Done};
use crate::{App, Error, Result};

/// A first password.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewPassword)]
pub struct PasswordBody {
    /// 12 to 128 characters; see the rules of spec A 5.
    #[serde(default)]
    password: String,
}

/// Creates the first password of an invited user, which accepts the invitation and uses its link up; sign-in then continues
/// with the telephone.
#[utoipa::path(post, path = "/api/Users/password", tag = "Users", request_body = PasswordBody,
    responses((status = 204, description = "the password was set")))]
pub async fn create_password(
    State(app): State<App>,
    AnyStage(caller): AnyStage,
    Body(body): Body<PasswordBody>,
) -> Result<Done> {
    const HAS: &str = "SELECT (password_hash IS NOT NULL) AS has FROM users WHERE id = $1";
    const LINK: &str = "SELECT detail FROM secrets WHERE hash = $1 AND kind = 'first_step'";
    const SET: &str = "UPDATE users SET password_hash = $2 WHERE id = $1 AND password_hash IS NULL";
    let taken = || Error::conflict("You already have a password.");
    let mut check = Check::new();
    let password = check.field_all("/password", NewPassword::parse(&body.password));
    let password = check.build(|| password)?;
    let (has,): (bool,) = app.db.query(HAS).bind(caller.actor.user_id).one().await?;
    if has {
        return Err(taken());
    }
    let hash = app.hasher.hash(&app, password.as_str().to_owned()).await?;
    let mut tx = app.db.begin().await?;
    if tx.query(SET).bind(caller.actor.user_id).bind(hash).execute().await? != 1 {
        return Err(taken());
    }
    let link: Option<(Option<String>,)> = tx.query(LINK).bind(caller.secret_hash.clone()).optional().await?;
    if let Some((Some(link_hash),)) = link {
        invitations::accept_by_link(&app, &mut tx, caller.actor.user_id, &link_hash).await?;
        let object = Some((ObjectKind::User, caller.actor.user_id.0));
        let entry = audit_log::Entry::anywhere(AuditAction::InvitationUsed, object, "invitation link used");
        audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    }
    let entry = audit_log::Entry::anywhere(
        AuditAction::PasswordCreated,
        Some((ObjectKind::User, caller.actor.user_id.0)),
        "first password created",
    );
    // The membership of somebody who was invited is not active yet, so that the caller has no role.
    let role = audit_log::strongest_role(&mut tx, caller.actor.user_id).await?;
    let by = audit_log::Author { role, ..audit_log::Author::caller(&caller, None) };
    audit_log::write(&app, &mut tx, &by, &entry).await?;
    tx.commit().await?;
    Ok(Done)
}
