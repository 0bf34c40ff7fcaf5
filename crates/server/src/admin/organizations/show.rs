//! `GET /api/Organizations/{id}`.

use axum::Json;
use axum::extract::State;
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;

use super::list::{self, OrganizationView};
use crate::auth::caller::Caller;
use crate::http::body::Path;
use crate::{App, Result};

/// Returns an organization.
#[utoipa::path(get, path = "/api/Organizations/{id}", tag = "Organizations",
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 200, body = OrganizationView)))]
pub async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
) -> Result<Json<OrganizationView>> {
    let organization = caller.organization(id, Action::ViewOrganization).await?;
    list::load(&app, &mut app.db.read().await?, &caller, organization.id).await.map(Json)
}
