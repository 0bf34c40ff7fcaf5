//! Guests that came in, with who added them. Names, never telephones: what the spec's fields allow and no more.

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

/// A guest that came in (spec B 3, "Audit entries").
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct GuestCreation {
    /// The row of the trail.
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
    /// Who added the guest; null for a reservation from the public side.
    created_by_email: Option<String>,
    /// The role in which that was done; null likewise.
    created_by_role: Option<String>,
    /// When.
    guest_created_at: Timestamp,
}

/// A page of guests that came in.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuestCreations {
    #[serde(flatten)]
    page: Paged<GuestCreation>,
    /// The same numbers by the names of the spec.
    metadata: PagingMetadata,
}

/// The guests that came in, newest first, whether somebody added them or they reserved for themselves.
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
