//! `GET /api/Sites`: the sites that the caller may see, in pages, with what each has and holds; and their names alone.

use axum::Json;
use axum::extract::State;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::{self, Action, Target};
use berth_domain::role::Role;
use berth_domain::value::fold;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{SiteCounts, SiteImage};
use crate::body::Query;
use crate::caller::Caller;
use crate::paging::{PageQuery, Paged};
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
    /// Its owner.
    organization_id: OrganizationId,
    /// The owner's name.
    organization_name: String,
    /// Whether the organization is commercial.
    is_commercial: bool,
    /// Whether the site itself is hidden from search.
    is_disabled: bool,
    /// Where it is.
    address: String,
    /// Telephone.
    contact_phone: String,
    /// E-mail.
    contact_email: String,
    /// Web site.
    contact_web: Option<String>,
    /// The cover.
    cover_image: Option<SiteImage>,
    /// Beds, disabled ones included.
    count_of_beds: i64,
    /// Enabled beds without a guest.
    count_of_vacant_beds: i64,
    /// What the site has and holds now.
    counts: SiteCounts,
    /// IANA time zone.
    time_zone: String,
    /// Raised by every change to houses, beds and guests.
    version: i64,
    /// The caller's roles at the site, highest first.
    roles: Vec<Role>,
}

/// Id and name of a site.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
pub struct SiteName {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
}

/// Which sites are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct SiteFilter {
    /// Only those of one organization.
    organization_id: Option<OrganizationId>,
    /// Part of the name or the address, without regard to case.
    search: Option<String>,
}

/// Which organization is meant.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct OfOrganization {
    /// The organization.
    organization_id: OrganizationId,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: SiteId,
    organization_id: OrganizationId,
    organization_name: String,
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
    pending: i64,
}

impl Row {
    fn summary(self, caller: &Caller) -> SiteSummary {
        let (organization_id, is_commercial) = (self.organization_id, self.is_commercial);
        let target = Target::Site { id: self.id, organization_id, is_commercial };
        let image = self.image_path.zip(self.image_position);
        SiteSummary {
            id: self.id,
            name: self.name,
            alias: self.alias,
            organization_id,
            organization_name: self.organization_name,
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
                pending: self.pending,
                guests: self.occupied,
            },
            time_zone: self.time_zone,
            version: self.version,
            roles: policy::roles_at(&caller.actor, &target),
        }
    }
}

/// The sites that the caller may see, by name, in pages.
#[utoipa::path(get, path = "/api/Sites", tag = "Sites", params(SiteFilter, PageQuery),
    responses((status = 200, body = Paged<SiteSummary>)))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(filter): Query<SiteFilter>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Paged<SiteSummary>>> {
    /// $1 the caller sees all, $2 the caller, $3 the organization, $4 the search.
    const TOTAL: &str = "SELECT COUNT(*) FROM sites s \
        JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL WHERE s.deleted_at IS NULL \
        AND ($1 OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = $2 AND m.deleted_at IS NULL \
        AND m.status = 'Active' AND (m.organization_id = s.organization_id OR m.site_id = s.id))) \
        AND ($3 IS NULL OR s.organization_id = $3) \
        AND (s.name_key LIKE $4 ESCAPE '\\' OR s.address_key LIKE $4 ESCAPE '\\')";
    /// The page ($5 rows after $6), then everything that is counted for its sites. $7 is now.
    const PAGE: &str = "WITH page AS (SELECT s.id, s.organization_id, o.name AS organization_name, o.is_commercial, \
        s.name, s.name_key, s.alias, s.is_disabled, s.address, s.contact_phone, s.contact_email, s.contact_web, \
        s.time_zone, s.version \
        FROM sites s JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL \
        WHERE s.deleted_at IS NULL \
        AND ($1 OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = $2 AND m.deleted_at IS NULL \
        AND m.status = 'Active' AND (m.organization_id = s.organization_id OR m.site_id = s.id))) \
        AND ($3 IS NULL OR s.organization_id = $3) \
        AND (s.name_key LIKE $4 ESCAPE '\\' OR s.address_key LIKE $4 ESCAPE '\\') \
        ORDER BY s.name_key COLLATE \"C\", s.id LIMIT $5 OFFSET $6), \
        houses AS (SELECT r.site_id, COUNT(*) AS rooms FROM page p CROSS JOIN rooms r \
        WHERE r.site_id = p.id AND r.deleted_at IS NULL GROUP BY r.site_id), \
        places AS (SELECT b.site_id, COUNT(*) AS beds, \
        COUNT(*) FILTER (WHERE t.id IS NULL AND NOT b.disabled) AS vacant, COUNT(t.id) AS occupied, \
        COUNT(*) FILTER (WHERE b.disabled) AS disabled \
        FROM page p CROSS JOIN beds b LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL \
        WHERE b.site_id = p.id AND b.deleted_at IS NULL GROUP BY b.site_id), \
        waiting AS (SELECT g.site_id, COUNT(*) AS pending FROM page p CROSS JOIN guests g WHERE g.site_id = p.id \
        AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL AND g.accepted_at IS NULL \
        AND (g.expires_at IS NULL OR g.expires_at > $7) GROUP BY g.site_id) \
        SELECT p.id, p.organization_id, p.organization_name, p.is_commercial, p.name, p.alias, p.is_disabled, \
        p.address, p.contact_phone, p.contact_email, p.contact_web, p.time_zone, p.version, \
        i.image_path, i.position AS image_position, COALESCE(h.rooms, 0) AS rooms, COALESCE(b.beds, 0) AS beds, \
        COALESCE(b.vacant, 0) AS vacant, COALESCE(b.occupied, 0) AS occupied, COALESCE(b.disabled, 0) AS disabled, \
        COALESCE(w.pending, 0) AS pending \
        FROM page p LEFT JOIN houses h ON h.site_id = p.id LEFT JOIN places b ON b.site_id = p.id \
        LEFT JOIN waiting w ON w.site_id = p.id LEFT JOIN site_images i ON i.site_id = p.id \
        AND i.position = (SELECT MIN(x.position) FROM site_images x WHERE x.site_id = p.id) \
        ORDER BY p.name_key COLLATE \"C\", p.id";
    if let Some(id) = filter.organization_id {
        caller.organization(id, Action::ViewOrganization).await?;
    }
    let (page, now) = (page.page(), app.now());
    let (sees_all, user_id) = (caller.is_global(), caller.actor.user_id);
    let search = contains(filter.search.as_deref().unwrap_or_default());
    let mut tx = app.db.read().await?;
    let total: i64 =
        tx.query(TOTAL).bind(sees_all).bind(user_id).bind(filter.organization_id).bind(&search).scalar().await?;
    let rows: Vec<Row> = tx
        .query(PAGE)
        .bind(sees_all)
        .bind(user_id)
        .bind(filter.organization_id)
        .bind(&search)
        .bind(page.size)
        .bind(page.offset())
        .bind(now)
        .all()
        .await?;
    let items = rows.into_iter().map(|row| row.summary(&caller)).collect();
    Ok(Json(page.of(items, total)))
}

/// Ids and names of an organization's sites, as far as the caller may see them.
#[utoipa::path(get, path = "/api/Sites/organization-sites", tag = "Sites", params(OfOrganization),
    responses((status = 200, body = Vec<SiteName>)))]
pub async fn organization_sites(
    State(app): State<App>,
    caller: Caller,
    Query(of): Query<OfOrganization>,
) -> Result<Json<Vec<SiteName>>> {
    const NAMES: &str = "SELECT s.id, s.name FROM sites s WHERE s.deleted_at IS NULL AND s.organization_id = $3 \
        AND ($1 OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = $2 AND m.deleted_at IS NULL \
        AND m.status = 'Active' AND (m.organization_id = s.organization_id OR m.site_id = s.id))) \
        ORDER BY s.name_key COLLATE \"C\", s.id";
    let organization = caller.organization(of.organization_id, Action::ViewOrganization).await?;
    let names = app.db.query(NAMES).bind(caller.is_global()).bind(caller.actor.user_id).bind(organization.id);
    Ok(Json(names.all().await?))
}

/// A `LIKE` pattern for keys ([`name_key`](berth_domain::name_key)) that contain `search`, with or without its accents. Its
/// own wildcards stand for themselves. Control characters, which no name holds and PostgreSQL refuses, are left out.
#[must_use]
pub fn contains(search: &str) -> String {
    let mut pattern = String::from("%");
    for character in fold(search).chars().filter(|character| !character.is_control()) {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn wildcards_of_a_search_stand_for_themselves() {
        assert_eq!(contains(" 50%_Off\\ "), "%50\\%\\_off\\\\%");
        assert_eq!(contains("a\0b"), "%ab%");
        assert_eq!(contains(""), "%%");
    }
}
