//! `PUT /api/Users/name`: one's own name. Whoever was invited by email alone, as the first owner of an organization, is
//! asked for it at the first sign-in.

use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::value::Name;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Done};
use crate::{App, Result};

/// A person's name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnName {
    /// First name.
    #[serde(default)]
    first_name: String,
    /// Last name.
    #[serde(default)]
    last_name: String,
}

/// Reads a name that must not be empty.
pub(crate) fn required(text: &str, empty: &'static str) -> Result<Name, &'static str> {
    if text.trim().is_empty() { Err(empty) } else { Name::parse(text) }
}

/// Sets the caller's own name.
#[utoipa::path(put, path = "/api/Users/name", tag = "Users", request_body = OwnName,
    responses((status = 204, description = "the name was set")))]
pub async fn set_name(State(app): State<App>, caller: Caller, Body(body): Body<OwnName>) -> Result<Done> {
    const SET: &str = "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1 AND deleted_at IS NULL \
        AND (first_name <> $2 OR last_name <> $3)";
    let mut check = Check::new();
    let first = check.field("/firstName", required(&body.first_name, "First name is required"));
    let last = check.field("/lastName", required(&body.last_name, "Last name is required"));
    let (first, last) = check.build(|| Some((first?, last?)))?;
    let user_id = caller.actor.user_id;
    let mut tx = app.db.begin().await?;
    let set = tx.query(SET).bind(user_id).bind(first.as_str().to_owned()).bind(last.as_str().to_owned());
    if set.execute().await? > 0 {
        let entry = audit_log::Entry::anywhere(
            AuditAction::UserRenamed,
            Some((ObjectKind::User, user_id.0)),
            "own name changed",
        );
        audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    }
    tx.commit().await?;
    Ok(Done)
}
