//! The dialog of an organization on the dashboard (DESIGN 6, "organization dialog").

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
use berth_domain::limits::MAX_PAGE_SIZE;
use berth_domain::policy::Action;
use berth_domain::role::MembershipStatus;
use berth_domain::stay::available_beds;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::organizations::PartQuery;
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::housing::sites::{SiteSubscription, subscriptions};
use crate::http::body::{Path, Query};
use crate::http::paging::Page;
use crate::{App, Result};

/// An organization with its owners and sites.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOrganizationDetails {
    /// Id.
    id: OrganizationId,
    /// Name.
    name: String,
    /// Path of the logo.
    logo_path: Option<String>,
    /// Commercial (paid) or non-commercial (free).
    is_commercial: bool,
    /// Hidden from search with all its sites.
    is_disabled: bool,
    /// When it was created.
    created_at: Timestamp,
    /// Its owners, by last name.
    owners: Vec<DashboardOwner>,
    /// Number of its sites.
    site_count: i64,
    /// The sites of the page, by name.
    sites: Vec<DashboardOrganizationSite>,
}

/// An owner of an organization.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOwner {
    /// Id of the membership.
    id: MembershipId,
    /// Email.
    email: String,
    /// First name.
    first_name: String,
    /// Last name.
    last_name: String,
    /// Status of the membership.
    membership_status: MembershipStatus,
}

/// A site of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOrganizationSite {
    /// Id.
    id: SiteId,
    /// Name.
    name: String,
    /// Hidden from search.
    is_disabled: bool,
    /// Number of beds, including disabled ones.
    count_of_beds: i64,
    /// Number of enabled beds without a guest.
    count_of_vacant_beds: i64,
    /// Vacant beds that no pending reservation holds.
    count_of_available_beds: i64,
    /// Number of pending reservations.
    count_of_pending: i64,
    /// State of the subscription; commercial organizations only.
    subscription: Option<SiteSubscription>,
}

#[derive(berth_db::FromRow)]
struct Row {
    id: OrganizationId,
    name: String,
    logo_path: Option<String>,
    is_commercial: bool,
    is_disabled: bool,
    created_at: Timestamp,
}

#[derive(berth_db::FromRow)]
struct SiteRow {
    id: SiteId,
    name: String,
    is_disabled: bool,
    beds: i64,
    vacant: i64,
    offered: i64,
    pending: i64,
}

/// Reads a page of the sites of an organization, by name. Always two queries.
async fn sites(
    tx: &mut Tx,
    id: OrganizationId,
    is_commercial: bool,
    page: Page,
    now: Timestamp,
) -> Result<Vec<DashboardOrganizationSite>> {
    const SITES: &str = concat!(
        "SELECT s.id, s.name, s.is_disabled, c.beds, c.beds - c.disabled - c.occupied AS vacant, c.offered, \
         COALESCE(w.pending, 0) AS pending FROM sites s JOIN site_counts c ON c.site_id = s.id \
         LEFT JOIN (SELECT g.site_id, COUNT(*) AS pending FROM sites x CROSS JOIN guests g \
         WHERE x.organization_id = $1 AND g.site_id = x.id AND ",
        guests::is_pending!("g.", "$2"),
        " GROUP BY g.site_id) w ON w.site_id = s.id \
         WHERE s.organization_id = $1 AND s.deleted_at IS NULL ORDER BY s.name_key COLLATE \"C\", s.id \
         LIMIT $3 OFFSET $4"
    );
    let rows: Vec<SiteRow> = tx.query(SITES).bind(id).bind(now).bind(page.size).bind(page.offset()).all().await?;
    let mut known = if is_commercial { subscriptions(tx, id, now).await? } else { HashMap::new() };
    let site = |row: SiteRow| DashboardOrganizationSite {
        subscription: is_commercial.then(|| known.remove(&row.id).unwrap_or_default()),
        id: row.id,
        name: row.name,
        is_disabled: row.is_disabled,
        count_of_beds: row.beds,
        count_of_vacant_beds: row.vacant,
        count_of_available_beds: available_beds(row.vacant - row.offered, row.pending),
        count_of_pending: row.pending,
    };
    Ok(rows.into_iter().map(site).collect())
}

/// Shows an organization with its owners, and its sites in pages of 300 by default.
#[utoipa::path(get, path = "/api/Dashboard/organizations/{id}", tag = "Dashboard",
    params(("id" = OrganizationId, Path, description = "the organization"), PartQuery),
    responses((status = 200, body = DashboardOrganizationDetails)))]
pub async fn organization(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    Query(part): Query<PartQuery>,
) -> Result<Json<DashboardOrganizationDetails>> {
    const COUNT: &str = "SELECT COUNT(*) FROM sites WHERE organization_id = $1 AND deleted_at IS NULL";
    const ORGANIZATION: &str = "SELECT id, name, logo_path, is_commercial, is_disabled, created_at \
        FROM organizations WHERE id = $1 AND deleted_at IS NULL";
    const OWNERS: &str = "SELECT m.id, u.email, \
        CASE WHEN m.status = 'PendingInvitation' THEN m.invited_first_name ELSE u.first_name END AS first_name, \
        CASE WHEN m.status = 'PendingInvitation' THEN m.invited_last_name ELSE u.last_name END AS last_name, \
        m.status AS membership_status FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
        WHERE m.organization_id = $1 AND m.role = 'Owner' AND m.deleted_at IS NULL \
        ORDER BY CASE WHEN u.last_name = '' AND u.first_name = '' THEN 1 ELSE 0 END, u.last_name COLLATE \"C\", \
        u.first_name COLLATE \"C\", u.email_key COLLATE \"C\", m.id";
    caller.platform(Action::ViewDashboard)?;
    let mut tx = app.db.read().await?;
    let row: Row = tx.query(ORGANIZATION).bind(id).one().await?;
    let owners = tx.query(OWNERS).bind(id).all().await?;
    let page = part.page().unwrap_or(Page::new(1, MAX_PAGE_SIZE));
    let site_count = tx.query(COUNT).bind(id).scalar().await?;
    let sites = sites(&mut tx, id, row.is_commercial, page, app.now()).await?;
    let Row { id, name, logo_path, is_commercial, is_disabled, created_at } = row;
    let details = DashboardOrganizationDetails {
        id,
        name,
        logo_path,
        is_commercial,
        is_disabled,
        created_at,
        owners,
        site_count,
        sites,
    };
    Ok(Json(details))
}
