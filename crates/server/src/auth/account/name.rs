//! `PUT /api/Users/name`: the user's own name. Users who were invited by email alone, such as the first owner of an
//! organization, enter it at the first sign-in.

use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::value::Name;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Done};
use crate::{App, Result, change};

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

/// Parses a name that must not be empty.
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
    let (user_id, first, last) = (caller.actor.user_id, first.as_str(), last.as_str());
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let set = change.tx.query(SET).bind(user_id).bind(first.to_owned()).bind(last.to_owned());
        if set.execute().await? == 0 {
            return change::unchanged(Done);
        }
        let object = Some((ObjectKind::User, user_id.0));
        change.record(Entry::anywhere(AuditAction::UserRenamed, object, "own name changed")).await?;
        change.done(Done)
    })
    .await
}
