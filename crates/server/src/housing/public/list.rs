//! `GET /api/public/sites`: the search for sites.

use axum::Json;
use axum::extract::State;

use super::limit_calls;
use super::search::{self, PublicSite, SiteSearch};
use crate::http::body::Query;
use crate::http::paging::{PageQuery, Paged};
use crate::http::requester::Requester;
use crate::{App, Result};

/// Lists the public sites by name. `search` finds part of the name or the address. Sites that are hidden, or whose
/// organization is, are left out.
#[utoipa::path(get, path = "/api/public/sites", tag = "Public", params(SiteSearch, PageQuery),
    responses((status = 200, description = "by name", body = Paged<PublicSite>)))]
pub async fn sites(
    State(app): State<App>,
    requester: Requester,
    Query(search): Query<SiteSearch>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Paged<PublicSite>>> {
    limit_calls(&app, &requester)?;
    Ok(Json(search::page(&app, &search, page.page()).await?))
}
