//! List of changed passwords: the first one, one changed in a session, one reset by a link. A requested link is not listed: it
//! changes nothing.

use axum::extract::State;
use axum::response::Response;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::page::{PagingMetadata, answer, read};
use crate::admin::audit_log::lists::{List, page_by_time};
use crate::auth::caller::Caller;
use crate::http::body::Query;
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Result};

/// A changed password (spec B 3, "Audit entries").
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct SetPassword {
    /// Id of the audit row.
    id: Uuid,
    /// Email of the user at that time.
    email: String,
    /// Highest role of the user at that time; null if none.
    role: Option<String>,
    /// When the password was changed.
    password_changed_at: Timestamp,
}

/// A page of changed passwords.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetPasswords {
    #[serde(flatten)]
    page: Paged<SetPassword>,
    /// The same numbers under the names of the spec.
    metadata: PagingMetadata,
}

/// Lists changed passwords, newest first.
#[utoipa::path(get, path = "/api/EventLogs/passwordChanged", tag = "EventLogs", params(PageQuery),
    responses((status = 200, body = SetPasswords)))]
pub async fn password_changed(
    State(app): State<App>,
    caller: Caller,
    Query(page): Query<PageQuery>,
) -> Result<Response> {
    const PAGE: &str = page_by_time!(
        "SELECT a.id, COALESCE(a.actor_email, '') AS email, a.actor_role AS role, a.at AS password_changed_at",
        ""
    );
    let which = (List::PasswordChanges, page.page());
    let page: Paged<SetPassword> = read(&app, &caller, which, PAGE).await?;
    let body = SetPasswords { metadata: PagingMetadata::from(&page), page };
    answer(&app, &caller, which, None, &body, Vec::new()).await
}
