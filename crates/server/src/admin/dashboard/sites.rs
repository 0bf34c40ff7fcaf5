//! The sites of the platform and their totals, from the stored counters (spec A 2, 3, "Sites tab").

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use berth_domain::check::Check;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::directory::{SiteFacts, Snapshot};
use super::list::{ListQuery, ordered, page_of};
use super::record_export;
use crate::auth::caller::Caller;
use crate::http::body::{Body, Path, Query};
use crate::http::export::csv;
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Error, Result};

/// Maximum number of selected sites.
const MAX_SELECTED: usize = 1_000;

/// A site on the dashboard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardSite {
    /// Id.
    id: SiteId,
    /// Name.
    name: String,
    /// Its organization.
    organization_id: OrganizationId,
    /// Name of the organization.
    organization_name: String,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// Web site.
    contact_web: Option<String>,
    /// Phone number.
    contact_phone: String,
    /// Email.
    contact_email: String,
    /// Number of houses.
    rooms: i64,
    /// Number of beds, including disabled ones.
    count_of_beds: i64,
    /// Number of enabled beds without a guest.
    count_of_vacant_beds: i64,
}

/// Totals of several sites.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardSiteTotals {
    /// Number of sites.
    sites: i64,
    /// Number of houses.
    rooms: i64,
    /// Number of beds, including disabled ones.
    beds: i64,
    /// Number of enabled beds without a guest.
    vacant_beds: i64,
    /// Number of beds minus vacant ones.
    filled_beds: i64,
}

/// A page of sites.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardSites {
    #[serde(flatten)]
    page: Paged<DashboardSite>,
    /// Totals of all sites, regardless of the search.
    totals: DashboardSiteTotals,
}

/// Selected sites.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SelectedSites {
    /// At most 1,000 ids. Unknown ones are ignored.
    ids: Vec<SiteId>,
}

impl<'a> FromIterator<&'a SiteFacts> for DashboardSiteTotals {
    fn from_iter<I: IntoIterator<Item = &'a SiteFacts>>(sites: I) -> Self {
        sites.into_iter().fold(Self::default(), |sum, site| Self {
            sites: sum.sites + 1,
            rooms: sum.rooms + site.rooms,
            beds: sum.beds + site.beds,
            vacant_beds: sum.vacant_beds + site.vacant,
            filled_beds: sum.filled_beds + site.beds - site.vacant,
        })
    }
}

fn shown(site: &SiteFacts, all: &Snapshot) -> DashboardSite {
    let organization = all.organization(site.organization_id);
    DashboardSite {
        id: site.id,
        name: site.name.clone(),
        organization_id: site.organization_id,
        organization_name: organization.map(|row| row.name.clone()).unwrap_or_default(),
        is_commercial: organization.is_some_and(|row| row.is_commercial),
        contact_web: site.contact_web.clone(),
        contact_phone: site.contact_phone.clone(),
        contact_email: site.contact_email.clone(),
        rooms: site.rooms,
        count_of_beds: site.beds,
        count_of_vacant_beds: site.vacant,
    }
}

fn found(query: &ListQuery, all: &Snapshot) -> Result<(Vec<Arc<SiteFacts>>, DashboardSiteTotals)> {
    let kind = query.is_commercial()?;
    let is_of_kind = |site: &SiteFacts| {
        kind.is_none_or(|kind| all.organization(site.organization_id).is_some_and(|row| row.is_commercial == kind))
    };
    let rows: Vec<Arc<SiteFacts>> = all.sites().filter(|site| is_of_kind(site)).cloned().collect();
    let totals = rows.iter().map(AsRef::as_ref).collect();
    let needle = query.needle().unwrap_or_default();
    Ok((rows.into_iter().filter(|site| site.name_key.contains(&needle)).collect(), totals))
}

fn compare(column: &str) -> fn(&SiteFacts, &SiteFacts) -> Ordering {
    /// Compares web addresses and emails case-insensitively, as far as they are ASCII.
    fn plain(a: &str, b: &str) -> Ordering {
        let lower = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
        lower(a).cmp(&lower(b))
    }
    match column {
        "organizationId" => |a, b| a.organization_id.cmp(&b.organization_id),
        "contactWeb" => {
            |a, b| plain(a.contact_web.as_deref().unwrap_or_default(), b.contact_web.as_deref().unwrap_or_default())
        }
        "contactPhone" => |a, b| a.contact_phone.cmp(&b.contact_phone),
        "contactEmail" => |a, b| plain(&a.contact_email, &b.contact_email),
        "rooms" => |a, b| a.rooms.cmp(&b.rooms),
        "countOfBeds" => |a, b| a.beds.cmp(&b.beds),
        "countOfVacantBeds" => |a, b| a.vacant.cmp(&b.vacant),
        _ => |a, b| a.name_key.cmp(&b.name_key),
    }
}

/// Lists the sites of the platform, by name unless another order is requested.
#[utoipa::path(get, path = "/api/Dashboard/sites", tag = "Dashboard", params(ListQuery, PageQuery),
    responses((status = 200, body = DashboardSites)))]
pub async fn sites(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Json<DashboardSites>> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let (rows, totals) = found(&query, &all)?;
    let order = ordered(query.is_descending(), compare(query.column()), |site: &SiteFacts| site.id);
    Ok(Json(DashboardSites { page: page_of(rows, page.page(), order, |site| shown(site, &all)), totals }))
}

/// Shows a site of the platform.
#[utoipa::path(get, path = "/api/Dashboard/sites/{id}", tag = "Dashboard",
    params(("id" = SiteId, Path, description = "the site")), responses((status = 200, body = DashboardSite)))]
pub async fn site(State(app): State<App>, caller: Caller, Path(id): Path<SiteId>) -> Result<Json<DashboardSite>> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let found = all.site(id).filter(|site| all.organization(site.organization_id).is_some()).ok_or(Error::NotFound)?;
    Ok(Json(shown(found, &all)))
}

/// Returns the totals of the selected sites.
#[utoipa::path(post, path = "/api/Dashboard/sites/totals", tag = "Dashboard", request_body = SelectedSites,
    responses((status = 200, body = DashboardSiteTotals)))]
pub async fn site_totals(
    State(app): State<App>,
    caller: Caller,
    Body(mut body): Body<SelectedSites>,
) -> Result<Json<DashboardSiteTotals>> {
    caller.platform(Action::ViewDashboard)?;
    let mut check = Check::new();
    check.require(body.ids.len() <= MAX_SELECTED, "/ids", "At most 1000 sites can be selected at once.");
    check.finish()?;
    body.ids.sort_unstable();
    body.ids.dedup();
    let all = app.directory.now(&app).await?;
    let is_there = |site: &&SiteFacts| all.organization(site.organization_id).is_some();
    let selected = body.ids.iter().filter_map(|id| all.site(*id)).map(AsRef::as_ref);
    Ok(Json(selected.filter(is_there).collect()))
}

/// Exports the sites as a file.
#[utoipa::path(get, path = "/api/Dashboard/sites.csv", tag = "Dashboard", params(ListQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String,
        content_type = "text/csv")))]
pub async fn sites_file(State(app): State<App>, caller: Caller, Query(query): Query<ListQuery>) -> Result<Response> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let (mut rows, _) = found(&query, &all)?;
    rows.sort_unstable_by(ordered(query.is_descending(), compare(query.column()), |site: &SiteFacts| site.id));
    record_export(&app, &caller, "sites", rows.len()).await?;
    let head = [
        "Site Name",
        "Organization ID",
        "Organization Name",
        "Contact Web",
        "Contact Phone",
        "Contact Email",
        "Rooms",
        "Count of Beds",
        "Count of Vacant Beds",
    ];
    Ok(csv::answer("berth-sites.csv", head, rows, move |site| {
        let site = shown(site, &all);
        [
            site.name,
            site.organization_id.to_string(),
            site.organization_name,
            site.contact_web.unwrap_or_else(|| "N/A".to_owned()),
            site.contact_phone,
            site.contact_email,
            site.rooms.to_string(),
            site.count_of_beds.to_string(),
            site.count_of_vacant_beds.to_string(),
        ]
    }))
}
