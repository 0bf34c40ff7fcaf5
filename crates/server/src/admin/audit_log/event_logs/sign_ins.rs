//! Sign-ins that failed at the password. A wrong code is a step further and stands in the whole trail alone: the person had
//! the right password, and what the spec calls a failed login has a login to show.

use axum::extract::State;
use axum::response::Response;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::page::{PagingMetadata, answer, read};
use crate::admin::audit_log::lists::{List, page_by_time};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Done, Query};
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Result};

/// A sign-in that failed, as the web app saw it.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LoginFailed {
    /// The login that was tried; not kept.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the wire has it, and nothing is done with it")]
    login: Option<String>,
}

/// Takes the report of a failed sign-in and keeps nothing: the server has recorded it.
#[utoipa::path(post, path = "/api/EventLogs/loginFailed", tag = "EventLogs", request_body = LoginFailed,
    responses((status = 204, description = "taken")))]
pub async fn login_failed(_report: Body<LoginFailed>) -> Result<Done> {
    Ok(Done)
}

/// A sign-in that failed (spec B 3, "Audit entries").
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct FailedLogin {
    /// The row of the trail.
    id: Uuid,
    /// What was typed as the login, at most 200 characters; not always somebody's.
    login: String,
    /// When.
    login_failed_at: Timestamp,
}

/// A page of failed sign-ins.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailedLogins {
    #[serde(flatten)]
    page: Paged<FailedLogin>,
    /// The same numbers by the names of the spec.
    metadata: PagingMetadata,
}

/// The sign-ins that failed, newest first.
#[utoipa::path(get, path = "/api/EventLogs/loginFailed", tag = "EventLogs", params(PageQuery),
    responses((status = 200, body = FailedLogins)))]
pub async fn failed_logins(State(app): State<App>, caller: Caller, Query(page): Query<PageQuery>) -> Result<Response> {
    const PAGE: &str = page_by_time!("SELECT a.id, COALESCE(a.actor_email, '') AS login, a.at AS login_failed_at", "");
    let which = (List::FailedSignIns, page.page());
    let page: Paged<FailedLogin> = read(&app, &caller, which, PAGE).await?;
    let body = FailedLogins { metadata: PagingMetadata::from(&page), page };
    answer(&app, &caller, which, None, &body, Vec::new()).await
}
