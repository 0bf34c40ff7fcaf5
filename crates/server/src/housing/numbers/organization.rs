//! `GET /api/Organizations/{id}/numbers` and its files: the statistics of all sites of an organization.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;

use super::file::{self, FileQuery, Subject};
use super::{Numbers, RangeQuery, count, read};
use crate::auth::caller::Caller;
use crate::http::body::{Path, Query};
use crate::http::export::Format;
use crate::{App, Result};

/// Shows the statistics of all sites of an organization. For its owners and global admins.
#[utoipa::path(get, path = "/api/Organizations/{id}/numbers", tag = "Organizations",
    params(("id" = OrganizationId, Path, description = "the organization"), RangeQuery),
    responses((status = 200, body = Numbers)))]
pub async fn organization_numbers(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    Query(range): Query<RangeQuery>,
) -> Result<Json<Numbers>> {
    let organization = caller.organization(id, Action::ViewOrganizationNumbers).await?;
    Ok(Json(count::numbers(&app, read::Scope::Organization(organization.id), &range).await?))
}

/// Downloads a statistic of an organization as comma-separated values.
#[utoipa::path(get, path = "/api/Organizations/{id}/numbers.csv", tag = "Organizations",
    params(("id" = OrganizationId, Path, description = "the organization"), RangeQuery, FileQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String, content_type = "text/csv")))]
pub async fn organization_csv(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    Query(range): Query<RangeQuery>,
    Query(query): Query<FileQuery>,
) -> Result<Response> {
    organization_file(&app, &caller, id, &range, &query, Format::Csv).await
}

/// Downloads a statistic of an organization as an Excel workbook.
#[utoipa::path(get, path = "/api/Organizations/{id}/numbers.xlsx", tag = "Organizations",
    params(("id" = OrganizationId, Path, description = "the organization"), RangeQuery, FileQuery),
    responses((status = 200, description = "an Excel workbook", body = Vec<u8>,
        content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))]
pub async fn organization_xlsx(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    Query(range): Query<RangeQuery>,
    Query(query): Query<FileQuery>,
) -> Result<Response> {
    organization_file(&app, &caller, id, &range, &query, Format::Xlsx).await
}

async fn organization_file(
    app: &App,
    caller: &Caller,
    id: OrganizationId,
    range: &RangeQuery,
    query: &FileQuery,
    format: Format,
) -> Result<Response> {
    let organization = caller.organization(id, Action::ViewOrganizationNumbers).await?;
    let scope = read::Scope::Organization(organization.id);
    let place = (organization.id, None);
    let subject = Subject { name: &organization.name, time_zone: "UTC", scope, place };
    file::answer(app, caller, &subject, range, query, format).await
}
