//! The organizations of the platform (spec A 3, "Organization row").

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;
use serde::Serialize;
use utoipa::ToSchema;

use super::directory::{OrganizationFacts, Snapshot};
use super::list::{ListQuery, ordered, page_of};
use super::record_export;
use crate::auth::caller::Caller;
use crate::http::body::Query;
use crate::http::export::csv;
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Result};

/// An organization on the dashboard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOrganization {
    /// Id.
    id: OrganizationId,
    /// Name.
    organization_name: String,
    /// Number of sites.
    site_count: i64,
    /// Commercial (paid) or non-commercial (free).
    is_commercial: bool,
}

/// Totals, regardless of the search.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardOrganizationTotals {
    /// Number of organizations.
    organizations: usize,
    /// Number of their sites.
    sites: i64,
}

/// A page of organizations.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardOrganizations {
    #[serde(flatten)]
    page: Paged<DashboardOrganization>,
    /// Totals, regardless of the search.
    totals: DashboardOrganizationTotals,
}

fn shown(row: &OrganizationFacts) -> DashboardOrganization {
    DashboardOrganization {
        id: row.id,
        organization_name: row.name.clone(),
        site_count: row.site_count,
        is_commercial: row.is_commercial,
    }
}

fn found(query: &ListQuery, all: &Snapshot) -> Result<(Vec<Arc<OrganizationFacts>>, DashboardOrganizationTotals)> {
    let kind = query.is_commercial()?;
    let of_kind = all.organizations.iter().filter(|row| kind.is_none_or(|kind| row.is_commercial == kind));
    let rows: Vec<Arc<OrganizationFacts>> = of_kind.cloned().collect();
    let sites = rows.iter().map(|row| row.site_count).sum();
    let totals = DashboardOrganizationTotals { organizations: rows.len(), sites };
    let needle = query.needle().unwrap_or_default();
    Ok((rows.into_iter().filter(|row| row.name_key.contains(&needle)).collect(), totals))
}

fn compare(column: &str) -> fn(&OrganizationFacts, &OrganizationFacts) -> Ordering {
    match column {
        "siteCount" => |a, b| a.site_count.cmp(&b.site_count),
        "isCommercial" => |a, b| a.is_commercial.cmp(&b.is_commercial),
        _ => |a, b| a.name_key.cmp(&b.name_key),
    }
}

/// Lists the organizations of the platform, by name unless another order is requested.
#[utoipa::path(get, path = "/api/Dashboard/organizations", tag = "Dashboard", params(ListQuery, PageQuery),
    responses((status = 200, body = DashboardOrganizations)))]
pub async fn organizations(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Json<DashboardOrganizations>> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let (rows, totals) = found(&query, &all)?;
    let order = ordered(query.is_descending(), compare(query.column()), |row: &OrganizationFacts| row.id);
    Ok(Json(DashboardOrganizations { page: page_of(rows, page.page(), order, shown), totals }))
}

/// Exports the organizations as a file.
#[utoipa::path(get, path = "/api/Dashboard/organizations.csv", tag = "Dashboard", params(ListQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String,
        content_type = "text/csv")))]
pub async fn organizations_file(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> Result<Response> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let (mut rows, _) = found(&query, &all)?;
    rows.sort_unstable_by(ordered(query.is_descending(), compare(query.column()), |row: &OrganizationFacts| row.id));
    record_export(&app, &caller, "organizations", rows.len()).await?;
    let head = ["ID", "Organization Name", "Site Count", "Commercial"];
    Ok(csv::answer("berth-organizations.csv", head, rows, |row| {
        let commercial = if row.is_commercial { "Yes" } else { "No" };
        [row.id.to_string(), row.name.clone(), row.site_count.to_string(), commercial.to_owned()]
    }))
}
