//! The users of the platform, one row per person: all records with the same email are merged (spec A 3).

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use berth_domain::id::{OrganizationId, SiteId, UserId};
use berth_domain::policy::Action;
use berth_domain::role::{MembershipStatus, Role};
use serde::Serialize;
use utoipa::ToSchema;

use super::directory::{MembershipFacts, PersonFacts, Snapshot};
use super::list::{ListQuery, ordered, page_of};
use super::record_export;
use crate::auth::caller::Caller;
use crate::http::body::{Path, Query};
use crate::http::export::csv;
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Error, Result};

/// A person on the dashboard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardUser {
    /// The user.
    id: UserId,
    /// Email.
    email: String,
    /// First name.
    first_name: String,
    /// Last name.
    last_name: String,
    /// Distinct roles, separated by commas.
    roles: String,
    /// Active if any membership is active, otherwise invited if any is pending, otherwise disabled.
    membership_status: MembershipStatus,
    /// The roles of the user and their places; each pair of organization and site once.
    organizations: Vec<DashboardRole>,
}

/// A role of a person and its place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardRole {
    /// The organization; null for a global admin.
    id: Option<OrganizationId>,
    /// True if it is commercial.
    is_commercial: Option<bool>,
    /// Its logo.
    logo_path: Option<String>,
    /// Its name.
    name: Option<String>,
    /// Number of its sites.
    site_count: Option<i64>,
    /// The site's name, for a role at a site.
    site_name: Option<String>,
    /// The site, for a role at a site.
    site_id: Option<SiteId>,
    /// The role.
    user_role: Role,
}

/// Totals, regardless of the search.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardUserTotals {
    /// Number of people.
    users: usize,
}

/// A page of people.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardUsers {
    #[serde(flatten)]
    page: Paged<DashboardUser>,
    /// Totals, regardless of the search.
    totals: DashboardUserTotals,
}

fn status(person: &PersonFacts) -> MembershipStatus {
    let order = [MembershipStatus::Active, MembershipStatus::PendingInvitation];
    let held = |status: &MembershipStatus| person.memberships.iter().any(|membership| membership.status == *status);
    order.into_iter().find(held).unwrap_or(MembershipStatus::Disabled)
}

fn role(membership: &MembershipFacts, all: &Snapshot) -> DashboardRole {
    let organization = membership.organization_id.and_then(|id| all.organization(id));
    DashboardRole {
        id: membership.organization_id,
        is_commercial: organization.map(|row| row.is_commercial),
        logo_path: organization.and_then(|row| row.logo_path.clone()),
        name: organization.map(|row| row.name.clone()),
        site_count: organization.map(|row| row.site_count),
        site_name: membership.site_id.and_then(|id| all.site(id)).map(|row| row.name.clone()),
        site_id: membership.site_id,
        user_role: membership.role,
    }
}

fn shown(person: &PersonFacts, all: &Snapshot) -> DashboardUser {
    DashboardUser {
        id: person.id,
        email: person.email.clone(),
        first_name: person.first_name.clone(),
        last_name: person.last_name.clone(),
        roles: person.roles.clone(),
        membership_status: status(person),
        organizations: person.memberships.iter().map(|membership| role(membership, all)).collect(),
    }
}

/// Finds the people that match the query, and the totals regardless of the search.
fn found(query: &ListQuery, all: &Snapshot) -> Result<(Vec<Arc<PersonFacts>>, usize)> {
    let kind = query.is_commercial()?;
    let is_of_kind = |person: &PersonFacts| {
        kind.is_none_or(|kind| {
            let mut places = person.memberships.iter().filter_map(|membership| membership.organization_id);
            places.any(|id| all.organization(id).is_some_and(|row| row.is_commercial == kind))
        })
    };
    let rows: Vec<Arc<PersonFacts>> = all.people.iter().filter(|person| is_of_kind(person)).cloned().collect();
    let total = rows.len();
    let Some(needle) = query.needle() else { return Ok((rows, total)) };
    let contains = |person: &PersonFacts| match query.field.as_deref().unwrap_or_default() {
        "lastName" => person.last_key.contains(&needle),
        "email" => person.email_key.contains(&needle),
        // Both forms of a role match: "GlobalAdmin" and "global admin".
        "role" => person.roles.to_lowercase().contains(&needle.replace(' ', "")),
        _ => person.first_key.contains(&needle),
    };
    Ok((rows.into_iter().filter(|person| contains(person)).collect(), total))
}

fn compare(column: &str) -> fn(&PersonFacts, &PersonFacts) -> Ordering {
    match column {
        "firstName" => |a, b| a.first_key.cmp(&b.first_key),
        "email" => |a, b| a.email_key.cmp(&b.email_key),
        "roles" => |a, b| a.roles.cmp(&b.roles),
        "membershipStatus" => |a, b| status(a).as_str().cmp(status(b).as_str()),
        _ => |a, b| a.last_key.cmp(&b.last_key),
    }
}

/// Compares two people by a column. People without a name come last in both directions.
fn order(query: &ListQuery) -> impl Fn(&Arc<PersonFacts>, &Arc<PersonFacts>) -> Ordering + use<> {
    let by_column = ordered(query.is_descending(), compare(query.column()), |person: &PersonFacts| person.id);
    let is_nameless: fn(&PersonFacts) -> bool = match query.column() {
        "firstName" => |person| person.first_key.is_empty(),
        "email" | "roles" | "membershipStatus" => |_| false,
        _ => |person| person.last_key.is_empty(),
    };
    move |a, b| is_nameless(a).cmp(&is_nameless(b)).then_with(|| by_column(a, b))
}

/// Lists the people of the platform, by last name unless another order is requested.
#[utoipa::path(get, path = "/api/Dashboard/users", tag = "Dashboard", params(ListQuery, PageQuery),
    responses((status = 200, body = DashboardUsers)))]
pub async fn users(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Json<DashboardUsers>> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let (rows, users) = found(&query, &all)?;
    let page = page_of(rows, page.page(), order(&query), |person| shown(person, &all));
    Ok(Json(DashboardUsers { page, totals: DashboardUserTotals { users } }))
}

/// Shows a person of the platform.
#[utoipa::path(get, path = "/api/Dashboard/users/{id}", tag = "Dashboard",
    params(("id" = UserId, Path, description = "the user")), responses((status = 200, body = DashboardUser)))]
pub async fn user(State(app): State<App>, caller: Caller, Path(id): Path<UserId>) -> Result<Json<DashboardUser>> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let person = all.people.iter().find(|person| person.id == id).ok_or(Error::NotFound)?;
    Ok(Json(shown(person, &all)))
}

/// Exports the people as a file.
#[utoipa::path(get, path = "/api/Dashboard/users.csv", tag = "Dashboard", params(ListQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String,
        content_type = "text/csv")))]
pub async fn users_file(State(app): State<App>, caller: Caller, Query(query): Query<ListQuery>) -> Result<Response> {
    caller.platform(Action::ViewDashboard)?;
    let all = app.directory.now(&app).await?;
    let (mut rows, _) = found(&query, &all)?;
    rows.sort_unstable_by(order(&query));
    record_export(&app, &caller, "users", rows.len()).await?;
    let head = ["First Name", "Last Name", "Email", "Role", "Status", "Organizations", "Sites"];
    Ok(csv::answer("berth-users.csv", head, rows, move |person| {
        let user = shown(person, &all);
        let mut organizations: Vec<String> = user.organizations.iter().filter_map(|row| row.name.clone()).collect();
        organizations.dedup();
        let sites: Vec<String> = user.organizations.iter().filter_map(|row| row.site_name.clone()).collect();
        let status = user.membership_status.as_str().to_owned();
        let (organizations, sites) = (organizations.join("; "), sites.join("; "));
        [user.first_name, user.last_name, user.email, user.roles, status, organizations, sites]
    }))
}
