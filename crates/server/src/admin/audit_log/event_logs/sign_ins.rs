//! List of sign-ins with a wrong password. A wrong code is only in the whole trail: the spec's failed login is one with a wrong
//! login or password.

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

/// A failed sign-in, as reported by the web app.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LoginFailed {
    /// The attempted login. Not stored.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the wire has it, and nothing is done with it")]
    login: Option<String>,
}

/// Accepts the report of a failed sign-in. Stores nothing: the server has recorded it.
#[utoipa::path(post, path = "/api/EventLogs/loginFailed", tag = "EventLogs", request_body = LoginFailed,
    responses((status = 204, description = "taken")))]
pub async fn login_failed(_report: Body<LoginFailed>) -> Result<Done> {
    Ok(Done)
}

/// A failed sign-in (spec B 3, "Audit entries").
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct FailedLogin {
    /// Id of the audit row.
    id: Uuid,
    /// The attempted login, at most 200 characters. It may not be that of any user.
    login: String,
    /// When it failed.
    login_failed_at: Timestamp,
}

/// A page of failed sign-ins.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailedLogins {
    #[serde(flatten)]
    page: Paged<FailedLogin>,
    /// The same numbers under the names of the spec.
    metadata: PagingMetadata,
}

/// Lists failed sign-ins, newest first.
#[utoipa::path(get, path = "/api/EventLogs/loginFailed", tag = "EventLogs", params(PageQuery),
    responses((status = 200, body = FailedLogins)))]
pub async fn failed_logins(State(app): State<App>, caller: Caller, Query(page): Query<PageQuery>) -> Result<Response> {
    const PAGE: &str = page_by_time!("SELECT a.id, COALESCE(a.actor_email, '') AS login, a.at AS login_failed_at", "");
    let which = (List::FailedSignIns, page.page());
    let page: Paged<FailedLogin> = read(&app, &caller, which, PAGE).await?;
    let body = FailedLogins { metadata: PagingMetadata::from(&page), page };
    answer(&app, &caller, which, None, &body, Vec::new()).await
}
