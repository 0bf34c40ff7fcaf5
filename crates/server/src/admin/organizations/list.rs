//! `GET /api/Organizations`, and how an organization is read (spec A 2, 3). Counts cover the sites that the caller may see.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::catalog::PaymentMethod;
use berth_domain::id::OrganizationId;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::admin::insurance_companies::InsuranceCompany;
use crate::auth::caller::Caller;
use crate::housing::reference::PaymentMethodView;
use crate::housing::{guests, sites};
use crate::http::body::Query;
use crate::http::cache::landing::Ask;
use crate::http::paging::Page;
use crate::http::search;
use crate::{App, Error, Result};

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
    /// Number of sites that the caller may see.
    site_count: i64,
    /// Commercial (paid) or non-commercial (free).
    is_commercial: bool,
    /// Hidden from search with all its sites.
    pub(super) is_disabled: bool,
    /// Linked insurers, top ones first; commercial organizations only.
    pub(super) insurance_companies: Vec<InsuranceCompany>,
    /// Payment methods that it accepts for reservations.
    pub(super) reservation_payment_methods: Vec<PaymentMethodView>,
    /// When it was created.
    created_at: Timestamp,
    /// Number of beds at those sites, including disabled ones.
    count_of_beds: i64,
    /// Number of enabled beds without a guest.
    count_of_vacant_beds: i64,
    /// Number of pending reservations.
    count_of_pending: i64,
    /// Raised by every edit. Send it with the next edit.
    pub(super) version: i64,
}

/// Filter of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrganizationFilter {
    /// `commercial` or `nonCommercial`, case-insensitive. All if absent.
    #[serde(rename = "SiteType")]
    site_type: Option<String>,
    /// Part of the name, case-insensitive.
    search: Option<String>,
}

impl OrganizationFilter {
    fn is_commercial(&self) -> Result<Option<bool>> {
        match self.site_type.as_deref().map(|text| text.trim().to_ascii_lowercase()).as_deref() {
            None | Some("") => Ok(None),
            Some("commercial") => Ok(Some(true)),
            Some("noncommercial") => Ok(Some(false)),
            Some(_) => Err(Error::field("/SiteType", "Choose one of: commercial, nonCommercial.")),
        }
    }
}

#[derive(berth_db::FromRow)]
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
    /// When the first of the counted holds ends.
    next_end: Option<Timestamp>,
}

/// SQL of the organizations in a scope, each with the counts of its sites in the scope; `$seen` and `$own` select these
/// sites and organizations. $1 is now, $2 an id, $3 `is_commercial`, $4 a LIKE pattern of the name, $5 the page size, $6
/// the offset.
macro_rules! organizations {
    ($seen:expr, $own:literal) => {
        concat!(
            "WITH seen AS (SELECT s.id, s.organization_id FROM ",
            $seen,
            " AND s.deleted_at IS NULL AND ($2 IS NULL OR s.organization_id = $2)), \
             counted AS (SELECT n.organization_id, COUNT(*) AS sites, COALESCE(SUM(c.beds), 0) AS beds, \
             COALESCE(SUM(c.beds - c.disabled - c.occupied), 0) AS vacant \
             FROM seen n LEFT JOIN site_counts c ON c.site_id = n.id GROUP BY n.organization_id), \
             chosen AS (SELECT o.id, o.name, o.name_key, o.logo_path, o.is_commercial, o.is_disabled, o.created_at, \
             o.version FROM ",
            $own,
            " AND o.deleted_at IS NULL AND ($2 IS NULL OR o.id = $2) AND ($3 IS NULL OR o.is_commercial = $3) \
             AND ($4 IS NULL OR o.name_key LIKE $4 ESCAPE '\\') \
             ORDER BY o.name_key COLLATE \"C\", o.id LIMIT $5 OFFSET $6), \
             waiting AS (SELECT n.organization_id, COUNT(*) AS pending, MIN(g.expires_at) AS next_end \
             FROM chosen h CROSS JOIN seen n CROSS JOIN guests g \
             WHERE n.organization_id = h.id AND g.site_id = n.id AND ",
            guests::is_pending!("g.", "$1"),
            " GROUP BY n.organization_id) \
             SELECT h.id, h.name, h.logo_path, h.is_commercial, h.is_disabled, h.created_at, h.version, \
             COALESCE(c.sites, 0) AS sites, CAST(COALESCE(c.beds, 0) AS BIGINT) AS beds, \
             CAST(COALESCE(c.vacant, 0) AS BIGINT) AS vacant, COALESCE(w.pending, 0) AS pending, w.next_end \
             FROM chosen h LEFT JOIN counted c ON c.organization_id = h.id \
             LEFT JOIN waiting w ON w.organization_id = h.id ORDER BY h.name_key COLLATE \"C\", h.id"
        )
    };
}

/// The parsed filter.
#[derive(Default)]
struct Filter {
    id: Option<OrganizationId>,
    is_commercial: Option<bool>,
    search: Option<String>,
    /// All if `None`.
    page: Option<Page>,
}

/// Loads an organization as the caller sees it.
///
/// # Errors
/// 404 if it does not exist or the caller may not see it.
pub async fn load(app: &App, tx: &mut Tx, caller: &Caller, id: OrganizationId) -> Result<OrganizationView> {
    let (mut found, _) = read(tx, caller, Filter { id: Some(id), ..Filter::default() }, app.now()).await?;
    found.pop().ok_or(Error::NotFound)
}

/// Reads the organizations that the caller may see, and when the first of the counted holds ends.
async fn read(
    tx: &mut Tx,
    caller: &Caller,
    filter: Filter,
    now: Timestamp,
) -> Result<(Vec<OrganizationView>, Option<Timestamp>)> {
    const ALL: &str = organizations!("sites s WHERE TRUE", "organizations o WHERE TRUE");
    const MINE: &str = organizations!(
        concat!("(", sites::ids_seen_by!("$7"), ") y CROSS JOIN sites s WHERE s.id = y.id"),
        "(SELECT organization_id AS id FROM seen UNION SELECT m.organization_id FROM memberships m \
        WHERE m.user_id = $7 AND m.deleted_at IS NULL AND m.status = 'Active' AND m.organization_id IS NOT NULL) z \
        CROSS JOIN organizations o WHERE o.id = z.id"
    );
    let user_id = Some(caller.actor.user_id).filter(|_| !caller.is_global());
    let (size, offset) = filter.page.map_or((i64::MAX, 0), |page| (page.size, page.offset()));
    let query = tx.query(if user_id.is_some() { MINE } else { ALL }).bind(now).bind(filter.id);
    let query = query.bind(filter.is_commercial).bind(filter.search).bind(size).bind(offset);
    let query = if let Some(user_id) = user_id { query.bind(user_id) } else { query };
    let rows: Vec<Row> = query.all().await?;
    let until = rows.iter().filter_map(|row| row.next_end).min();
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
    Ok((views.collect(), until))
}

/// Page of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct PartQuery {
    /// Page number, from 1. All organizations if neither page nor size is sent.
    page: Option<i64>,
    /// Rows per page, 1 to 300. 25 if only the page is sent.
    page_size: Option<i64>,
}

impl PartQuery {
    /// Returns the page, or `None` for all rows.
    #[must_use]
    pub fn page(&self) -> Option<Page> {
        (self.page.is_some() || self.page_size.is_some())
            .then(|| Page::new(self.page.unwrap_or(1), self.page_size.unwrap_or(25)))
    }
}

/// Lists the organizations that the caller may see, by name. The ETag changes whenever the list does.
#[utoipa::path(get, path = "/api/Organizations", tag = "Organizations", params(OrganizationFilter, PartQuery), responses(
    (status = 200, body = Vec<OrganizationView>), (status = 304, description = "not modified")))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<OrganizationFilter>,
    Query(part): Query<PartQuery>,
) -> Result<Response> {
    let (is_commercial, page) = (query.is_commercial()?, part.page());
    let search = query.search.as_deref().map(search::contains);
    let part = page.map(|page| (page.number, page.size));
    let ask = Ask { list: "organizations", caller: &caller, filter: format!("{is_commercial:?} {search:?} {part:?}") };
    ask.answer(&app, &headers, async |view, now| {
        read(view, &caller, Filter { id: None, is_commercial, search: search.clone(), page }, now).await
    })
    .await
}

#[derive(berth_db::FromRow)]
struct InsurerRow {
    organization_id: OrganizationId,
    #[row(flatten)]
    company: InsuranceCompany,
}

/// Returns the insurers linked to organizations, top ones first, then by name.
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

/// Returns the payment methods that organizations accept, in order.
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

/// Returns the insurers linked to an organization, top ones first, then by name.
pub async fn insurers(tx: &mut Tx, id: OrganizationId) -> Result<Vec<InsuranceCompany>> {
    Ok(insurers_of(tx, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Returns the payment methods that an organization accepts, in order.
pub async fn payment_methods(tx: &mut Tx, id: OrganizationId) -> Result<Vec<PaymentMethod>> {
    Ok(methods_of(tx, &[id]).await?.remove(&id).unwrap_or_default())
}
