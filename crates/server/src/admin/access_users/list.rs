//! Lists of access users: those that the caller manages, the owners of an organization, the users of a site.

use axum::Json;
use axum::extract::State;
use berth_db::{Query as DbQuery, Tx};
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::policy::{Action, roles_with};
use berth_domain::role::Role;
use berth_domain::value::fold;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{AccessUserView, Row, select_access_users, views};
use crate::auth::caller::Caller;
use crate::http::body::Query;
use crate::http::paging::{Page, PageQuery, Paged};
use crate::{App, Error, Result};

/// The filters of the list of access users.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AccessUserSearch {
    /// Part of the name or the email, in any case.
    search: Option<String>,
    /// Only those of this organization and its sites.
    #[serde(rename = "organizationId")]
    #[param(value_type = Option<OrganizationId>)]
    organization_id: Option<String>,
    /// Only those with this role.
    #[serde(rename = "Role", alias = "role")]
    #[param(value_type = Option<Role>)]
    role: Option<String>,
}

/// Parses the role of a query. Empty means any.
fn parse_role(text: Option<&str>) -> Result<Option<Role>> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    text.map(|text| Role::from_text(text).ok_or_else(|| Error::field("/Role", "This role does not exist."))).transpose()
}

/// SQL condition on a membership and its organization: it lies within a [`Scope`], whose roles are bound as the list `$roles`,
/// the last parameter.
macro_rules! is_in_scope {
    ($roles:literal) => {
        concat!(
            "($1 OR EXISTS (SELECT 1 FROM memberships a WHERE a.user_id = $2 AND a.deleted_at IS NULL \
             AND a.status = 'Active' AND (a.organization_id = o.id OR a.site_id = m.site_id) AND a.role IN (",
            $roles,
            "))) AND ($3 IS NULL OR o.id = $3) AND ($4 IS NULL OR m.role = $4) "
        )
    };
}

/// The memberships within a [`Scope`].
macro_rules! from_scope {
    ($roles:literal) => {
        concat!(
        "FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
         LEFT JOIN sites s ON s.id = m.site_id AND s.deleted_at IS NULL \
         LEFT JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id) AND o.deleted_at IS NULL \
         WHERE m.deleted_at IS NULL AND (m.role = 'GlobalAdmin' OR o.id IS NOT NULL) AND ",
        is_in_scope!($roles)
        )
    };
}

/// Lists the access users that the caller manages, by email. A global admin gets all of them, an owner those of the
/// organization and its sites, an admin those of the site; other callers get an empty list.
#[utoipa::path(get, path = "/api/AccessUsers", tag = "Access users", params(PageQuery, AccessUserSearch),
    responses((status = 200, body = Paged<AccessUserView>)))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(page): Query<PageQuery>,
    Query(filter): Query<AccessUserSearch>,
) -> Result<Json<Paged<AccessUserView>>> {
    const PAGE: &str =
        select_access_users!(is_in_scope!("$7.."), "ORDER BY u.email_key COLLATE \"C\", m.id LIMIT $5 OFFSET $6");
    const COUNT: &str = concat!("SELECT COUNT(*) ", from_scope!("$5.."));
    const SOME: &str = select_access_users!("m.id IN ($1..)");
    let page = page.page();
    let organization_id = filter.organization_id.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let organization_id: Option<OrganizationId> =
        organization_id.map(|text| text.parse().map_err(|_| Error::NotFound)).transpose()?;
    let role = parse_role(filter.role.as_deref())?;
    let search = fold(filter.search.as_deref().unwrap_or_default());
    let scope = Scope { is_global: caller.is_global(), user_id: caller.actor.user_id, organization_id, role };
    let mut tx = app.db.read().await?;
    let (rows, total) = if search.is_empty() {
        let rows: Vec<Row> =
            scope.bind(tx.query(PAGE)).bind(page.size).bind(page.offset()).bind_list(managers()).all().await?;
        let total = scope.bind(tx.query(COUNT)).bind_list(managers()).scalar().await?;
        (rows, total)
    } else {
        let (ids, total) = scope.search(&mut tx, &search, page).await?;
        let mut rows: Vec<Row> = tx.query(SOME).bind_list(ids.iter().copied()).all().await?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        (rows, total)
    };
    Ok(Json(page.of(views(&mut tx, &caller, rows).await?, total)))
}

/// The roles that manage the access users of their organization and its sites, or of their site.
fn managers() -> impl Iterator<Item = Role> {
    // The same at commercial and non-commercial organizations.
    roles_with(Action::ManageSiteUsers, true)
}

/// The access users that a list covers, as bound: $1 the caller is a global admin, $2 the caller, $3 an organization, $4 a role.
struct Scope {
    is_global: bool,
    user_id: UserId,
    organization_id: Option<OrganizationId>,
    role: Option<Role>,
}

/// The fields of an access user that a search compares.
#[derive(berth_db::FromRow)]
struct Candidate {
    id: MembershipId,
    email_key: String,
    first_name: String,
    last_name: String,
}

impl Scope {
    fn bind<'a>(&self, query: DbQuery<'a>) -> DbQuery<'a> {
        query.bind(self.is_global).bind(self.user_id).bind(self.organization_id).bind(self.role)
    }

    /// Returns the access users of a page whose name or email contains `text`, which is folded, and how many there are in all.
    ///
    /// Names have no key column, so they are folded here, in batches. The batches are in the order of ids, which an index
    /// has; in the order of emails each batch would sort the whole table.
    async fn search(&self, tx: &mut Tx, text: &str, page: Page) -> Result<(Vec<MembershipId>, i64)> {
        const BATCH: i64 = 200;
        // An invitation is found by the name that was typed for it, so that a search does not reveal who has an account.
        const NAMES: &str = concat!(
            "SELECT m.id, u.email_key, \
             CASE WHEN m.status = 'PendingInvitation' THEN m.invited_first_name ELSE u.first_name END AS first_name, \
             CASE WHEN m.status = 'PendingInvitation' THEN m.invited_last_name ELSE u.last_name END AS last_name ",
            from_scope!("$7.."),
            "AND m.id > $5 ORDER BY m.id LIMIT $6"
        );
        let mut found = Vec::new();
        let mut after = MembershipId(Uuid::nil());
        loop {
            let batch: Vec<Candidate> =
                self.bind(tx.query(NAMES)).bind(after).bind(BATCH).bind_list(managers()).all().await?;
            let is_last = i64::try_from(batch.len()).unwrap_or(BATCH) < BATCH;
            let last = batch.last().map(|candidate| candidate.id);
            found.extend(batch.into_iter().filter(|candidate| candidate.contains(text)).map(Candidate::sort_key));
            match last {
                Some(last) if !is_last => after = last,
                _ => break,
            }
        }
        found.sort_unstable();
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let number = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
        let ids = found.into_iter().skip(number(page.offset())).take(number(page.size)).map(|(_, id)| id);
        Ok((ids.collect(), total))
    }
}

impl Candidate {
    /// Returns true if the name or the email contains `text`, which is folded.
    fn contains(&self, text: &str) -> bool {
        fold(&format!("{} {}", self.first_name, self.last_name)).contains(text) || fold(&self.email_key).contains(text)
    }

    /// Returns the key that orders the list, and the id.
    fn sort_key(self) -> (String, MembershipId) {
        (self.email_key, self.id)
    }
}

/// The filters of the list of owners.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrganizationUsersQuery {
    /// The organization.
    #[serde(rename = "organizationId")]
    #[param(value_type = OrganizationId)]
    organization_id: String,
    /// Only those with this role. All users of an organization are owners.
    #[serde(rename = "Role", alias = "role")]
    #[param(value_type = Option<Role>)]
    role: Option<String>,
}

/// Lists the owners of an organization, by email.
#[utoipa::path(get, path = "/api/AccessUsers/organizationScopeUsers", tag = "Access users",
    params(OrganizationUsersQuery), responses((status = 200, body = Vec<AccessUserView>)))]
pub async fn of_organization(
    State(app): State<App>,
    caller: Caller,
    Query(filter): Query<OrganizationUsersQuery>,
) -> Result<Json<Vec<AccessUserView>>> {
    const OWNERS: &str = select_access_users!(
        "m.organization_id = $1 AND ($2 IS NULL OR m.role = $2) ORDER BY u.email_key COLLATE \"C\", m.id"
    );
    let id: OrganizationId = filter.organization_id.parse().map_err(|_| Error::NotFound)?;
    let organization = caller.organization(id, Action::ManageOwners).await?;
    let role = parse_role(filter.role.as_deref())?;
    let mut tx = app.db.read().await?;
    let rows: Vec<Row> = tx.query(OWNERS).bind(organization.id).bind(role).all().await?;
    Ok(Json(views(&mut tx, &caller, rows).await?))
}

/// The filters of the list of a site's users.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SiteUsersQuery {
    /// The site.
    #[serde(rename = "siteId")]
    #[param(value_type = SiteId)]
    site_id: String,
    /// Only those with this role.
    #[serde(rename = "Role", alias = "role")]
    #[param(value_type = Option<Role>)]
    role: Option<String>,
}

/// Lists the users of a site, by email.
#[utoipa::path(get, path = "/api/AccessUsers/siteScopeUsers", tag = "Access users", params(SiteUsersQuery),
    responses((status = 200, body = Vec<AccessUserView>)))]
pub async fn of_site(
    State(app): State<App>,
    caller: Caller,
    Query(filter): Query<SiteUsersQuery>,
) -> Result<Json<Vec<AccessUserView>>> {
    const USERS: &str =
        select_access_users!("m.site_id = $1 AND ($2 IS NULL OR m.role = $2) ORDER BY u.email_key COLLATE \"C\", m.id");
    let id: SiteId = filter.site_id.parse().map_err(|_| Error::NotFound)?;
    let site = caller.site(id, Action::ManageSiteUsers).await?;
    let role = parse_role(filter.role.as_deref())?;
    let mut tx = app.db.read().await?;
    let rows: Vec<Row> = tx.query(USERS).bind(site.id).bind(role).all().await?;
    Ok(Json(views(&mut tx, &caller, rows).await?))
}
