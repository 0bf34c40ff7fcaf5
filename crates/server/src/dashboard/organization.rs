//! The dialog of an organization on the dashboard (DESIGN 6, "organization dialog").

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::role::MembershipStatus;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::body::Path;
use crate::caller::Caller;
use crate::sites::{SiteSubscription, subscription};
use crate::{App, Result};

/// An organization with its people and sites.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOrganizationDetails {
    /// The organization.
    id: OrganizationId,
    /// Its name.
    name: String,
    /// Its logo.
    logo_path: Option<String>,
    /// Commercial (paid) or not.
    is_commercial: bool,
    /// Hidden from search with all its sites.
    is_disabled: bool,
    /// Since when it is here.
    created_at: Timestamp,
    /// Its owners, by last name.
    owners: Vec<DashboardOwner>,
    /// Its sites, by name.
    sites: Vec<DashboardOrganizationSite>,
}

/// An owner of an organization.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOwner {
    /// The membership.
    id: MembershipId,
    /// E-mail.
    email: String,
    /// First name.
    first_name: String,
    /// Last name.
    last_name: String,
    /// Whether the owner is invited, active or disabled.
    membership_status: MembershipStatus,
}

/// A site of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardOrganizationSite {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
    /// Hidden from search.
    is_disabled: bool,
    /// Beds, disabled ones included.
    count_of_beds: i64,
    /// Enabled beds without a guest.
    count_of_vacant_beds: i64,
    /// Reservations that wait for a decision.
    count_of_pending: i64,
    /// What billing knows; commercial organizations only.
    subscription: Option<SiteSubscription>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: OrganizationId,
    name: String,
    logo_path: Option<String>,
    is_commercial: bool,
    is_disabled: bool,
    created_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct SiteRow {
    id: SiteId,
    name: String,
    is_disabled: bool,
    beds: i64,
    vacant: i64,
    pending: i64,
}

async fn sites(
    tx: &mut Tx,
    id: OrganizationId,
    is_commercial: bool,
    now: Timestamp,
) -> Result<Vec<DashboardOrganizationSite>> {
    const SITES: &str = "SELECT s.id, s.name, s.is_disabled, c.beds, c.beds - c.disabled - c.occupied AS vacant, \
        (SELECT COUNT(*) FROM guests g WHERE g.site_id = s.id AND g.rejected_at IS NULL AND g.expired_at IS NULL \
        AND g.discharged_at IS NULL AND g.accepted_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > $2)) \
        AS pending FROM sites s JOIN site_counts c ON c.site_id = s.id \
        WHERE s.organization_id = $1 AND s.deleted_at IS NULL ORDER BY s.name_key COLLATE \"C\", s.id";
    let rows: Vec<SiteRow> = tx.query(SITES).bind(id).bind(now).all().await?;
    let mut sites = Vec::with_capacity(rows.len());
    for row in rows {
        let subscription = if is_commercial { Some(subscription(tx, row.id, now).await?) } else { None };
        sites.push(DashboardOrganizationSite {
            id: row.id,
            name: row.name,
            is_disabled: row.is_disabled,
            count_of_beds: row.beds,
            count_of_vacant_beds: row.vacant,
            count_of_pending: row.pending,
            subscription,
        });
    }
    Ok(sites)
}

/// An organization with its owners, and its sites with what they have and hold.
#[utoipa::path(get, path = "/api/Dashboard/organizations/{id}", tag = "Dashboard",
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 200, body = DashboardOrganizationDetails)))]
pub async fn organization(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
) -> Result<Json<DashboardOrganizationDetails>> {
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
    let sites = sites(&mut tx, id, row.is_commercial, app.now()).await?;
    let Row { id, name, logo_path, is_commercial, is_disabled, created_at } = row;
    let details =
        DashboardOrganizationDetails { id, name, logo_path, is_commercial, is_disabled, created_at, owners, sites };
    Ok(Json(details))
}
