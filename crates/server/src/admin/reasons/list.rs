//! `GET /api/Organizations/{id}/reasons` and `GET /api/Sites/{id}/reasons`.

use axum::Json;
use axum::extract::State;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;

use super::Reason;
use crate::auth::caller::Caller;
use crate::http::body::Path;
use crate::{App, Result};

/// Lists the reasons of an organization, retired ones included, by kind and name. For its owners and global admins.
#[utoipa::path(get, path = "/api/Organizations/{id}/reasons", tag = "Reasons",
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 200, body = Vec<Reason>)))]
pub async fn of_organization(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
) -> Result<Json<Vec<Reason>>> {
    const REASONS: &str = "SELECT id, kind, name, is_disabled FROM reasons WHERE organization_id = $1 \
        ORDER BY kind, name_key COLLATE \"C\", id";
    caller.organization(id, Action::EditOrganization).await?;
    Ok(Json(app.db.query(REASONS).bind(id).all().await?))
}

/// Lists the reasons that can be chosen for declines and discharges at a site, by kind and name. For those who may decline
/// and discharge there.
#[utoipa::path(get, path = "/api/Sites/{id}/reasons", tag = "Reasons",
    params(("id" = SiteId, Path, description = "the site")), responses((status = 200, body = Vec<Reason>)))]
pub async fn of_site(State(app): State<App>, caller: Caller, Path(id): Path<SiteId>) -> Result<Json<Vec<Reason>>> {
    const REASONS: &str = "SELECT id, kind, name, is_disabled FROM reasons WHERE organization_id = $1 AND NOT is_disabled \
        ORDER BY kind, name_key COLLATE \"C\", id";
    let site = caller.site(id, Action::PlaceGuest).await?;
    Ok(Json(app.db.query(REASONS).bind(site.organization_id).all().await?))
}
