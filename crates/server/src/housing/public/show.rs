//! `GET /api/public/sites/{id}`: a site with the options of its reservation form.

use axum::Json;
use axum::extract::State;
use berth_domain::id::SiteId;

use super::limit_calls;
use super::search::{self, PublicSiteDetails};
use crate::http::body::Path;
use crate::http::requester::Requester;
use crate::{App, Result};

/// Shows a public site with the options of its reservation form. 404 if it is hidden.
#[utoipa::path(get, path = "/api/public/sites/{id}", tag = "Public", params(("id" = SiteId, Path)),
    responses((status = 200, description = "the site", body = PublicSiteDetails)))]
pub async fn site(
    State(app): State<App>,
    requester: Requester,
    Path(id): Path<SiteId>,
) -> Result<Json<PublicSiteDetails>> {
    limit_calls(&app, &requester)?;
    Ok(Json(search::one(&app, id).await?))
}
