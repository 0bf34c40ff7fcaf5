//! `POST /api/Users/password`: the first password of an invited user.

use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::password::NewPassword;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::admin::invitations;
use crate::auth::caller::{AnyStage, Caller};
use crate::auth::sessions;
use crate::http::body::{Body, Done};
use crate::{App, Error, Result, change};

/// The first password of a user.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewPassword)]
pub struct PasswordBody {
    /// 12 to 128 characters; see the rules of spec A 5.
    #[serde(default)]
    password: String,
}

/// Creates the first password of an invited user. This accepts the invitation and uses its link up; sign-in continues with
/// the phone.
#[utoipa::path(post, path = "/api/Users/password", tag = "Users", request_body = PasswordBody,
    responses((status = 204, description = "the password was set")))]
pub async fn create_password(
    State(app): State<App>,
    AnyStage(caller): AnyStage,
    Body(body): Body<PasswordBody>,
) -> Result<Done> {
    const HAS_PASSWORD: &str = "SELECT (password_hash IS NOT NULL) AS has_password FROM users WHERE id = $1";
    let mut check = Check::new();
    let password = check.field_all("/password", NewPassword::parse(&body.password));
    let password = check.build(|| password)?;
    let (has_password,): (bool,) = app.db.query(HAS_PASSWORD).bind(caller.actor.user_id).one().await?;
    if has_password {
        return Err(already_set());
    }
    let hash = app.hasher.hash(&app, password.as_str().to_owned()).await?;
    create(&app, &caller, &hash).await
}

fn already_set() -> Error {
    Error::conflict("You already have a password.")
}

/// Stores the hash and accepts the invitation that the first step was opened with. Whoever has opened the link elsewhere does not
/// know the password, so that first step ends.
async fn create(app: &App, caller: &Caller, hash: &str) -> Result<Done> {
    const LINK: &str = "SELECT detail FROM secrets WHERE hash = $1 AND kind = 'first_step'";
    const SET: &str = "UPDATE users SET password_hash = $2 WHERE id = $1 AND password_hash IS NULL";
    let user_id = caller.actor.user_id;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        if change.tx.query(SET).bind(user_id).bind(hash.to_owned()).execute().await? != 1 {
            return Err(already_set());
        }
        sessions::end_first_steps(&mut change, user_id, Some(&caller.secret_hash)).await?;
        let object = Some((ObjectKind::User, user_id.0));
        let link = change.tx.query(LINK).bind(caller.secret_hash.clone());
        if let Some((Some(link_hash),)) = link.optional::<(Option<String>,)>().await? {
            invitations::accept_by_link(&change.app, &mut change.tx, user_id, &link_hash).await?;
            change.record(Entry::anywhere(AuditAction::InvitationUsed, object, "invitation link used")).await?;
        }
        // The membership is not active yet, so the caller has no role.
        change.by.role = audit_log::strongest_role(&mut change.tx, user_id).await?;
        change.record(Entry::anywhere(AuditAction::PasswordCreated, object, "first password created")).await?;
        change.done(Done)
    })
    .await
}
