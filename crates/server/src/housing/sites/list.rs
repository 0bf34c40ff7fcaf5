//! `GET /api/Sites` and `GET /api/Sites/organization-sites`: the sites that the caller may see, in pages, or only their
//! names.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::{self, Action, Target};
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::visible::{ids_seen_by, is_seen_by};
use super::{SiteCounts, SiteImage};
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::http::body::Query;
use crate::http::cache::landing::Ask;
use crate::http::paging::{PageQuery, Paged};
use crate::http::search::contains;
use crate::{App, Result};

/// A site in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSummary {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
    /// A second name.
    alias: Option<String>,
    /// Its organization.
    organization_id: OrganizationId,
    /// The name of the organization.
    organization_name: String,
    /// The logo of the organization.
    logo_path: Option<String>,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// True if the site itself is hidden from search.
    is_disabled: bool,
    /// Its address.
    address: String,
    /// Telephone.
    contact_phone: String,
    /// Email.
    contact_email: String,
    /// Web site.
    contact_web: Option<String>,
    /// The cover photo.
    cover_image: Option<SiteImage>,
    /// Beds, disabled ones included.
    count_of_beds: i64,
    /// Enabled beds without a guest.
    count_of_vacant_beds: i64,
    /// Houses, beds and guests, counted.
    counts: SiteCounts,
    /// IANA time zone.
    time_zone: String,
    /// Raised by every change to houses, beds and guests.
    version: i64,
    /// The caller's roles at the site, highest first.
    roles: Vec<Role>,
    /// Email address of the admin with whom the site was created. Absent if unknown, and for those who may not edit the
    /// site.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    admin_email: Option<String>,
    /// As `adminEmail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    admin_first_name: Option<String>,
    /// As `adminEmail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    admin_last_name: Option<String>,
}

/// Id and name of a site.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
pub struct SiteName {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
}

/// The filter of a list of sites.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct SiteFilter {
    /// Only sites of this organization.
    organization_id: Option<OrganizationId>,
    /// Part of the name or the address, in upper or lower case.
    search: Option<String>,
}

/// The organization whose sites are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct OrganizationSitesQuery {
    /// The organization.
    organization_id: OrganizationId,
}

#[derive(berth_db::FromRow)]
struct Row {
    id: SiteId,
    organization_id: OrganizationId,
    organization_name: String,
    logo_path: Option<String>,
    is_commercial: bool,
    name: String,
    alias: Option<String>,
    is_disabled: bool,
    address: String,
    contact_phone: String,
    contact_email: String,
    contact_web: Option<String>,
    time_zone: String,
    version: i64,
    image_path: Option<String>,
    image_position: Option<i64>,
    rooms: i64,
    beds: i64,
    vacant: i64,
    occupied: i64,
    disabled: i64,
    offered: i64,
    pending: i64,
    /// The earliest end of a pending hold.
    next_end: Option<Timestamp>,
    admin_email: Option<String>,
    admin_first_name: Option<String>,
    admin_last_name: Option<String>,
}

impl Row {
    fn summary(self, caller: &Caller) -> SiteSummary {
        let (organization_id, is_commercial) = (self.organization_id, self.is_commercial);
        let target = Target::Site { id: self.id, organization_id, is_commercial };
        let image = self.image_path.zip(self.image_position);
        let may_edit = caller.may(Action::EditSite, &target);
        SiteSummary {
            id: self.id,
            name: self.name,
            alias: self.alias,
            organization_id,
            organization_name: self.organization_name,
            logo_path: self.logo_path,
            is_commercial,
            is_disabled: self.is_disabled,
            address: self.address,
            contact_phone: self.contact_phone,
            contact_email: self.contact_email,
            contact_web: self.contact_web,
            cover_image: image.map(|(image_path, index)| SiteImage { image_path, index }),
            count_of_beds: self.beds,
            count_of_vacant_beds: self.vacant,
            counts: SiteCounts {
                rooms: self.rooms,
                beds: self.beds,
                vacant: self.vacant,
                occupied: self.occupied,
                disabled: self.disabled,
                offered: self.offered,
                ..SiteCounts::default()
            }
            .with_pending(self.pending),
            time_zone: self.time_zone,
            version: self.version,
            roles: policy::roles_at(&caller.actor, &target),
            admin_email: self.admin_email.filter(|_| may_edit),
            admin_first_name: self.admin_first_name.filter(|_| may_edit),
            admin_last_name: self.admin_last_name.filter(|_| may_edit),
        }
    }
}

/// SQL: the sites of a user's memberships, as the first table of a query.
macro_rules! mine {
    ($user:literal) => {
        concat!("(", ids_seen_by!($user), ") y CROSS JOIN sites s")
    };
}

/// SQL query: the number of sites. $1 is the organization, $2 the search.
macro_rules! total {
    ($sites:expr, $which:literal) => {
        concat!(
            "SELECT COUNT(*) FROM ",
            $sites,
            " JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL WHERE ",
            $which,
            " AND s.deleted_at IS NULL AND ($1 IS NULL OR s.organization_id = $1) \
             AND (s.name_key LIKE $2 ESCAPE '\\' OR s.address_key LIKE $2 ESCAPE '\\')"
        )
    };
}

/// SQL query: a page of sites ($3 rows after $4) with the stored counters, and the pending reservations at $5.
macro_rules! page {
    ($sites:expr, $which:literal) => {
        concat!(
            "WITH page AS (SELECT s.id, s.organization_id, o.name AS organization_name, o.logo_path, \
             o.is_commercial, s.admin_email, s.admin_first_name, s.admin_last_name, s.name, s.name_key, s.alias, \
             s.is_disabled, s.address, s.contact_phone, s.contact_email, s.contact_web, \
             s.time_zone, s.version FROM ",
            $sites,
            " JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL WHERE ",
            $which,
            " AND s.deleted_at IS NULL AND ($1 IS NULL OR s.organization_id = $1) \
             AND (s.name_key LIKE $2 ESCAPE '\\' OR s.address_key LIKE $2 ESCAPE '\\') \
             ORDER BY s.name_key COLLATE \"C\", s.id LIMIT $3 OFFSET $4), \
             waiting AS (SELECT g.site_id, COUNT(*) AS pending, MIN(g.expires_at) AS next_end \
             FROM page p CROSS JOIN guests g WHERE g.site_id = p.id AND ",
            guests::is_pending!("g.", "$5"),
            " GROUP BY g.site_id) \
             SELECT p.id, p.organization_id, p.organization_name, p.logo_path, p.is_commercial, p.admin_email, \
             p.admin_first_name, p.admin_last_name, p.name, p.alias, p.is_disabled, p.address, p.contact_phone, \
             p.contact_email, p.contact_web, p.time_zone, p.version, \
             i.image_path, i.position AS image_position, COALESCE(c.rooms, 0) AS rooms, COALESCE(c.beds, 0) AS beds, \
             COALESCE(c.beds - c.disabled - c.occupied, 0) AS vacant, COALESCE(c.occupied, 0) AS occupied, \
             COALESCE(c.disabled, 0) AS disabled, COALESCE(c.offered, 0) AS offered, COALESCE(w.pending, 0) AS pending, w.next_end \
             FROM page p LEFT JOIN site_counts c ON c.site_id = p.id LEFT JOIN waiting w ON w.site_id = p.id \
             LEFT JOIN site_images i ON i.site_id = p.id \
             AND i.position = (SELECT MIN(x.position) FROM site_images x WHERE x.site_id = p.id) \
             ORDER BY p.name_key COLLATE \"C\", p.id"
        )
    };
}

/// Lists the sites that the caller may see, by name, in pages. The ETag changes with the content of the list; the
/// `version` of a site may be older than its latest change.
#[utoipa::path(get, path = "/api/Sites", tag = "Sites", params(SiteFilter, PageQuery),
    responses((status = 200, body = Paged<SiteSummary>), (status = 304, description = "not modified")))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(filter): Query<SiteFilter>,
    Query(page): Query<PageQuery>,
) -> Result<Response> {
    const TOTAL: &str = total!("sites s", "TRUE");
    const TOTAL_OF_MINE: &str = total!(mine!("$3"), "s.id = y.id");
    const PAGE: &str = page!("sites s", "TRUE");
    const PAGE_OF_MINE: &str = page!(mine!("$6"), "s.id = y.id");
    if let Some(id) = filter.organization_id {
        caller.organization(id, Action::ViewOrganization).await?;
    }
    let page = page.page();
    let search = contains(filter.search.as_deref().unwrap_or_default());
    let filter_text = format!("{:?} {search} {} {}", filter.organization_id, page.number, page.size);
    let landing = Ask { list: "sites", caller: &caller, filter: filter_text };
    landing
        .answer(&app, &headers, async |view, now| {
            let user_id = Some(caller.actor.user_id).filter(|_| !caller.is_global());
            let query = view.query(if user_id.is_some() { TOTAL_OF_MINE } else { TOTAL });
            let query = query.bind(filter.organization_id).bind(&search);
            let query = if let Some(user_id) = user_id { query.bind(user_id) } else { query };
            let total: i64 = query.scalar().await?;
            let query = view.query(if user_id.is_some() { PAGE_OF_MINE } else { PAGE });
            let query = query.bind(filter.organization_id).bind(&search).bind(page.size).bind(page.offset()).bind(now);
            let query = if let Some(user_id) = user_id { query.bind(user_id) } else { query };
            let rows: Vec<Row> = query.all().await?;
            let until = rows.iter().filter_map(|row| row.next_end).min();
            let items = rows.into_iter().map(|row| row.summary(&caller)).collect();
            Ok((page.of(items, total), until))
        })
        .await
}

/// Lists ids and names of an organization's sites that the caller may see.
#[utoipa::path(get, path = "/api/Sites/organization-sites", tag = "Sites", params(OrganizationSitesQuery),
    responses((status = 200, body = Vec<SiteName>)))]
pub async fn organization_sites(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<OrganizationSitesQuery>,
) -> Result<Json<Vec<SiteName>>> {
    const NAMES: &str = concat!(
        "SELECT s.id, s.name FROM sites s WHERE s.deleted_at IS NULL AND s.organization_id = $3 AND ",
        is_seen_by!("$1", "$2"),
        " ORDER BY s.name_key COLLATE \"C\", s.id"
    );
    let organization = caller.organization(query.organization_id, Action::ViewOrganization).await?;
    let names = app.db.query(NAMES).bind(caller.is_global()).bind(caller.actor.user_id).bind(organization.id);
    Ok(Json(names.all().await?))
}
