//! List of created guests and who added them. Names but no phone numbers, as the spec says.

use axum::extract::State;
use axum::response::Response;
use berth_domain::id::GuestId;
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

/// A created guest (spec B 3, "Audit entries").
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct GuestCreation {
    /// Id of the audit row.
    id: Uuid,
    /// The guest.
    #[serde(skip)]
    guest_id: Option<GuestId>,
    /// The guest's first name.
    first_name: String,
    /// The guest's last name.
    last_name: String,
    /// The site's name.
    site_name: String,
    /// Email of the user who added the guest; null for a reservation from the public side.
    created_by_email: Option<String>,
    /// Role of that user; null likewise.
    created_by_role: Option<String>,
    /// When the guest was created.
    guest_created_at: Timestamp,
}

/// A page of created guests.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuestCreations {
    #[serde(flatten)]
    page: Paged<GuestCreation>,
    /// The same numbers under the names of the spec.
    metadata: PagingMetadata,
}

/// Lists created guests, newest first, whether added by staff or reserved on the public side.
#[utoipa::path(get, path = "/api/EventLogs/guestCreated", tag = "EventLogs", params(PageQuery),
    responses((status = 200, body = GuestCreations)))]
pub async fn guest_created(State(app): State<App>, caller: Caller, Query(page): Query<PageQuery>) -> Result<Response> {
    const PAGE: &str = page_by_time!(
        "SELECT a.id, g.id AS guest_id, COALESCE(g.first_name, '') AS first_name, COALESCE(g.last_name, '') AS last_name, \
         COALESCE(s.name, '') AS site_name, a.actor_email AS created_by_email, a.actor_role AS created_by_role, \
         a.at AS guest_created_at",
        "LEFT JOIN guests g ON g.id = a.object_id LEFT JOIN sites s ON s.id = a.site_id"
    );
    let which = (List::GuestCreations, page.page());
    let page: Paged<GuestCreation> = read(&app, &caller, which, PAGE).await?;
    let guests = page.items.iter().filter_map(|row| row.guest_id).collect();
    let body = GuestCreations { metadata: PagingMetadata::from(&page), page };
    answer(&app, &caller, which, None, &body, guests).await
}
