//! Organizations as they are read: the list and one of them (spec A 2, 3). Counts cover the sites that the caller may
//! see.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::catalog::PaymentMethod;
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::body::{Path, Query};
use crate::caller::Caller;
use crate::insurance_companies::InsuranceCompany;
use crate::reference::PaymentMethodView;
use crate::{App, Error, Result, sites};

/// An organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Organization)]
pub struct OrganizationView {
    /// The organization.
    id: OrganizationId,
    /// Its name.
    pub(super) name: String,
    /// Its logo.
    pub(super) logo_path: Option<String>,
    /// Sites that the caller may see.
    site_count: i64,
    /// Commercial (paid) or non-commercial (free).
    is_commercial: bool,
    /// Hidden from search with all its sites.
    pub(super) is_disabled: bool,
    /// Linked insurers, top ones first; commercial organizations only.
    pub(super) insurance_companies: Vec<InsuranceCompany>,
    /// Ways to pay that it accepts for reservations.
    pub(super) reservation_payment_methods: Vec<PaymentMethodView>,
    /// Since when it is here.
    created_at: Timestamp,
    /// Beds of those sites, disabled ones included.
    count_of_beds: i64,
    /// Enabled beds without a guest.
    count_of_vacant_beds: i64,
    /// Reservations that wait for a decision.
    count_of_pending: i64,
    /// Raised by every edit; to be sent with the next one.
    pub(super) version: i64,
}

/// Which organizations are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrganizationFilter {
    /// `commercial` or `nonCommercial`, without regard to case; all when absent.
    #[serde(rename = "SiteType")]
    site_type: Option<String>,
    /// Part of the name, without regard to case.
    search: Option<String>,
}

impl OrganizationFilter {
    fn is_commercial(&self) -> Result<Option<bool>> {
        match self.site_type.as_deref().map(|text| text.trim().to_ascii_lowercase()).as_deref() {
            None | Some("") => Ok(None),
            Some("commercial") => Ok(Some(true)),
            Some("noncommercial") => Ok(Some(false)),
            Some(_) => Err(Error::Unreadable("SiteType is commercial or nonCommercial.".to_owned())),
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: OrganizationId,
    name: String,
    logo_path: Option<String>,
    is_commercial: bool,
    is_disabled: bool,
    created_at: Timestamp,
    version: i64,
    sites: i64,
    beds: i64,
    vacant: i64,
    pending: i64,
}

/// $1 the caller sees all, $2 the caller, $3 now, $4 one organization, $5 one kind of them, $6 part of
/// the name.
const ORGANIZATIONS: &str = "WITH seen AS (SELECT s.id, s.organization_id FROM sites s WHERE s.deleted_at IS NULL \
    AND ($4 IS NULL OR s.organization_id = $4) \
    AND ($1 OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = $2 AND m.deleted_at IS NULL \
    AND m.status = 'Active' AND (m.organization_id = s.organization_id OR m.site_id = s.id)))), \
    sites_of AS (SELECT organization_id, COUNT(*) AS sites FROM seen GROUP BY organization_id), \
    beds_of AS (SELECT n.organization_id, COUNT(*) AS beds, \
    COUNT(*) FILTER (WHERE t.id IS NULL AND NOT b.disabled) AS vacant \
    FROM seen n CROSS JOIN beds b LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL \
    WHERE b.site_id = n.id AND b.deleted_at IS NULL GROUP BY n.organization_id), \
    pending_of AS (SELECT n.organization_id, COUNT(*) AS pending FROM seen n CROSS JOIN guests g WHERE g.site_id = n.id \
    AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL AND g.accepted_at IS NULL \
    AND (g.expires_at IS NULL OR g.expires_at > $3) GROUP BY n.organization_id) \
    SELECT o.id, o.name, o.logo_path, o.is_commercial, o.is_disabled, o.created_at, o.version, \
    COALESCE(s.sites, 0) AS sites, COALESCE(b.beds, 0) AS beds, COALESCE(b.vacant, 0) AS vacant, COALESCE(p.pending, 0) AS pending \
    FROM organizations o LEFT JOIN sites_of s ON s.organization_id = o.id \
    LEFT JOIN beds_of b ON b.organization_id = o.id LEFT JOIN pending_of p ON p.organization_id = o.id \
    WHERE o.deleted_at IS NULL AND ($4 IS NULL OR o.id = $4) AND ($5 IS NULL OR o.is_commercial = $5) \
    AND ($6 IS NULL OR o.name_key LIKE $6 ESCAPE '\\') \
    AND ($1 OR s.sites IS NOT NULL OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = $2 \
    AND m.deleted_at IS NULL AND m.status = 'Active' AND m.organization_id = o.id)) \
    ORDER BY o.name_key COLLATE \"C\", o.id";

/// Which organizations are read.
#[derive(Default)]
struct Which {
    id: Option<OrganizationId>,
    is_commercial: Option<bool>,
    search: Option<String>,
}

/// One organization as the caller sees it, read in a transaction.
///
/// # Errors
/// 404 when it is not there or not for the caller's eyes; those of the database.
pub async fn find(app: &App, tx: &mut Tx, caller: &Caller, id: OrganizationId) -> Result<OrganizationView> {
    read(app, tx, caller, Which { id: Some(id), ..Which::default() }).await?.pop().ok_or(Error::NotFound)
}

/// Reads organizations in the caller's scope, with what belongs to them.
async fn read(app: &App, tx: &mut Tx, caller: &Caller, which: Which) -> Result<Vec<OrganizationView>> {
    let rows: Vec<Row> = tx
        .query(ORGANIZATIONS)
        .bind(caller.is_global())
        .bind(caller.actor.user_id)
        .bind(app.now())
        .bind(which.id)
        .bind(which.is_commercial)
        .bind(which.search)
        .all()
        .await?;
    let ids: Vec<OrganizationId> = rows.iter().map(|row| row.id).collect();
    let mut insurers = insurers_of(tx, &ids).await?;
    let mut methods = methods_of(tx, &ids).await?;
    let views = rows.into_iter().map(|row| OrganizationView {
        id: row.id,
        name: row.name,
        logo_path: row.logo_path,
        site_count: row.sites,
        is_commercial: row.is_commercial,
        is_disabled: row.is_disabled,
        insurance_companies: insurers.remove(&row.id).unwrap_or_default(),
        reservation_payment_methods: methods.remove(&row.id).unwrap_or_default().into_iter().map(Into::into).collect(),
        created_at: row.created_at,
        count_of_beds: row.beds,
        count_of_vacant_beds: row.vacant,
        count_of_pending: row.pending,
        version: row.version,
    });
    Ok(views.collect())
}

/// The organizations that the caller may see, by name.
#[utoipa::path(get, path = "/api/Organizations", tag = "Organizations", params(OrganizationFilter),
    responses((status = 200, body = Vec<OrganizationView>)))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(filter): Query<OrganizationFilter>,
) -> Result<Json<Vec<OrganizationView>>> {
    let search = filter.search.as_deref().map(sites::contains);
    let which = Which { id: None, is_commercial: filter.is_commercial()?, search };
    Ok(Json(read(&app, &mut app.db.read().await?, &caller, which).await?))
}

/// One organization.
#[utoipa::path(get, path = "/api/Organizations/{id}", tag = "Organizations",
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 200, body = OrganizationView)))]
pub async fn one(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
) -> Result<Json<OrganizationView>> {
    let organization = caller.organization(id, Action::ViewOrganization).await?;
    find(&app, &mut app.db.read().await?, &caller, organization.id).await.map(Json)
}

#[derive(sqlx::FromRow)]
struct InsurerRow {
    organization_id: OrganizationId,
    #[sqlx(flatten)]
    company: InsuranceCompany,
}

/// Insurers linked to organizations, top ones first, then by name.
async fn insurers_of(tx: &mut Tx, ids: &[OrganizationId]) -> Result<HashMap<OrganizationId, Vec<InsuranceCompany>>> {
    const INSURERS: &str = "SELECT l.organization_id, c.id, c.name, c.logo_path, c.is_primary \
        FROM organization_insurance_companies l JOIN insurance_companies c ON c.id = l.insurance_company_id \
        WHERE c.deleted_at IS NULL AND l.organization_id IN ($1..) \
        ORDER BY c.is_primary DESC, c.name_key COLLATE \"C\", c.id";
    let rows: Vec<InsurerRow> = tx.query(INSURERS).bind_list(ids.iter().copied()).all().await?;
    let mut insurers: HashMap<OrganizationId, Vec<InsuranceCompany>> = HashMap::new();
    for row in rows {
        insurers.entry(row.organization_id).or_default().push(row.company);
    }
    Ok(insurers)
}

/// Ways to pay that organizations accept, in order.
async fn methods_of(tx: &mut Tx, ids: &[OrganizationId]) -> Result<HashMap<OrganizationId, Vec<PaymentMethod>>> {
    const METHODS: &str = "SELECT organization_id, method FROM organization_payment_methods \
        WHERE organization_id IN ($1..) ORDER BY method";
    let rows: Vec<(OrganizationId, i64)> = tx.query(METHODS).bind_list(ids.iter().copied()).all().await?;
    let mut methods: HashMap<OrganizationId, Vec<PaymentMethod>> = HashMap::new();
    for (id, method) in rows {
        methods.entry(id).or_default().extend(PaymentMethod::from_id(method));
    }
    Ok(methods)
}

/// The insurers of one organization, top ones first, then by name.
///
/// # Errors
/// Those of the database.
pub async fn insurers(tx: &mut Tx, id: OrganizationId) -> Result<Vec<InsuranceCompany>> {
    Ok(insurers_of(tx, &[id]).await?.remove(&id).unwrap_or_default())
}

/// The ways to pay that one organization accepts, in order.
///
/// # Errors
/// Those of the database.
pub async fn payment_methods(tx: &mut Tx, id: OrganizationId) -> Result<Vec<PaymentMethod>> {
    Ok(methods_of(tx, &[id]).await?.remove(&id).unwrap_or_default())
}
