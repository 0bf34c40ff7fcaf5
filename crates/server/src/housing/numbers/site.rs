//! `GET /api/Sites/{id}/numbers` and its files: the statistics of a site.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;

use super::file::{self, FileQuery, Subject};
use super::{Numbers, RangeQuery, count, read};
use crate::auth::caller::Caller;
use crate::http::body::{Path, Query};
use crate::http::export::Format;
use crate::{App, Result};

/// Shows the statistics of a site. For its admins, its owners and global admins.
#[utoipa::path(get, path = "/api/Sites/{id}/numbers", tag = "Sites",
    params(("id" = SiteId, Path, description = "the site"), RangeQuery), responses((status = 200, body = Numbers)))]
pub async fn site_numbers(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Query(range): Query<RangeQuery>,
) -> Result<Json<Numbers>> {
    let site = caller.site(id, Action::ViewNumbers).await?;
    Ok(Json(count::numbers(&app, read::Scope::Site(site.id), &range).await?))
}

/// Downloads a statistic of a site as comma-separated values.
#[utoipa::path(get, path = "/api/Sites/{id}/numbers.csv", tag = "Sites",
    params(("id" = SiteId, Path, description = "the site"), RangeQuery, FileQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String, content_type = "text/csv")))]
pub async fn site_csv(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Query(range): Query<RangeQuery>,
    Query(query): Query<FileQuery>,
) -> Result<Response> {
    site_file(&app, &caller, id, &range, &query, Format::Csv).await
}

/// Downloads a statistic of a site as an Excel workbook.
#[utoipa::path(get, path = "/api/Sites/{id}/numbers.xlsx", tag = "Sites",
    params(("id" = SiteId, Path, description = "the site"), RangeQuery, FileQuery),
    responses((status = 200, description = "an Excel workbook", body = Vec<u8>,
        content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))]
pub async fn site_xlsx(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Query(range): Query<RangeQuery>,
    Query(query): Query<FileQuery>,
) -> Result<Response> {
    site_file(&app, &caller, id, &range, &query, Format::Xlsx).await
}

async fn site_file(
    app: &App,
    caller: &Caller,
    id: SiteId,
    range: &RangeQuery,
    query: &FileQuery,
    format: Format,
) -> Result<Response> {
    let site = caller.site(id, Action::ViewNumbers).await?;
    let scope = read::Scope::Site(site.id);
    let place = (site.organization_id, Some(&site));
    let subject = Subject { name: &site.name, time_zone: &site.time_zone, scope, place };
    file::answer(app, caller, &subject, range, query, format).await
}
