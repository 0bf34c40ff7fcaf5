//! The access users that a search finds by name or email.

use std::collections::BTreeSet;

use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::limits::MAX_FOUND;
use berth_domain::policy::Action;
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::value::fold;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Row, select_access_users};
use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::search::{Rank, Scope, Text};
use crate::http::search::begins;

/// An access user in the results of a search.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundUser {
    /// The access user.
    id: MembershipId,
    /// First and last name. Until the person accepts, as the inviter typed them; may be empty.
    name: String,
    /// Email.
    email: String,
    /// The role.
    role: Role,
    /// Status. `PendingInvitation` is shown as Invited.
    membership_status: MembershipStatus,
    /// The organization; null for a global admin.
    organization_id: Option<OrganizationId>,
    /// Its name.
    organization_name: Option<String>,
    /// The site; null for owners and global admins.
    site_id: Option<SiteId>,
    /// Its name.
    site_name: Option<String>,
}

/// The fields of a person that a search compares.
#[derive(berth_db::FromRow)]
struct Candidate<Id: berth_db::Column> {
    id: Id,
    email: String,
    first_name: String,
    last_name: String,
}

/// SQL query: memberships, as [`select_access_users`] shows them: an invitation by what was typed for it, so that a search does not reveal
/// who has an account.
macro_rules! candidates {
    ($which:literal) => {
        concat!(
            "SELECT m.id, \
             CASE WHEN m.status = 'PendingInvitation' THEN COALESCE(m.invited_email, u.email) ELSE u.email END AS email, \
             CASE WHEN m.status = 'PendingInvitation' THEN m.invited_first_name ELSE u.first_name END AS first_name, \
             CASE WHEN m.status = 'PendingInvitation' THEN m.invited_last_name ELSE u.last_name END AS last_name \
             FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL WHERE m.deleted_at IS NULL AND ",
            $which
        )
    };
}

/// Finds access users that the caller manages, the best match first, then by name: all for global admins, for others those of the
/// organizations that they own and of the sites that they manage.
pub async fn find(tx: &mut Tx, caller: &Caller, scope: &Scope, text: &Text) -> Result<Vec<FoundUser>> {
    let rows = match scope.sites_with(caller, Action::ManageSiteUsers) {
        None => everywhere(tx, text).await?,
        Some(sites) => at(tx, caller.owned().into_iter().collect(), sites, text).await?,
    };
    let ranked = rows.into_iter().filter_map(|row| {
        let key = key((&row.first_name, &row.last_name, &row.email), text)?;
        Some((key, row))
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by(|(left, one), (right, other)| left.cmp(right).then(one.id.cmp(&other.id)));
    Ok(ranked.into_iter().take(MAX_FOUND).map(|(_, row)| row.into()).collect())
}

/// Finds access users of the whole platform.
async fn everywhere(tx: &mut Tx, text: &Text) -> Result<Vec<Row>> {
    // Only Rust folds accents, so names that may have some are compared there.
    const USERS: &str = "SELECT u.id, u.email_key AS email, u.first_name, u.last_name FROM users u WHERE u.deleted_at IS NULL \
        AND (LOWER(' ' || u.first_name || ' ' || u.last_name) LIKE $1 ESCAPE '\\' OR u.email_key LIKE $2 ESCAPE '\\' \
        OR OCTET_LENGTH(u.first_name || u.last_name) > LENGTH(u.first_name || u.last_name))";
    const INVITED: &str = candidates!("m.status = 'PendingInvitation'");
    const OF_USERS: &str = select_access_users!("m.status <> 'PendingInvitation' AND m.user_id IN ($1..)");
    const SOME: &str = select_access_users!("m.id IN ($1..)");
    let beginning = begins(text.folded());
    let users: Vec<Candidate<UserId>> = tx.query(USERS).bind(format!("% {beginning}")).bind(beginning).all().await?;
    let invited: Vec<Candidate<MembershipId>> = tx.query(INVITED).all().await?;
    // More than are shown: some of them have no access any more.
    let users = best(users, text, 4 * MAX_FOUND);
    let mut rows: Vec<Row> = tx.query(OF_USERS).bind_list(users).all().await?;
    rows.extend(tx.query(SOME).bind_list(best(invited, text, MAX_FOUND)).all::<Row>().await?);
    Ok(rows)
}

/// Finds access users of these organizations and sites.
async fn at(
    tx: &mut Tx,
    organizations: BTreeSet<OrganizationId>,
    sites: BTreeSet<SiteId>,
    text: &Text,
) -> Result<Vec<Row>> {
    const OF_ORGANIZATIONS: &str = candidates!("m.organization_id IN ($1..)");
    const OF_SITES: &str = candidates!("m.site_id IN ($1..)");
    const SOME: &str = select_access_users!("m.id IN ($1..)");
    let mut found: Vec<Candidate<MembershipId>> = Vec::new();
    if !organizations.is_empty() {
        found.extend(tx.query(OF_ORGANIZATIONS).bind_list(organizations).all::<Candidate<MembershipId>>().await?);
    }
    if !sites.is_empty() {
        found.extend(tx.query(OF_SITES).bind_list(sites).all::<Candidate<MembershipId>>().await?);
    }
    let ids = best(found, text, MAX_FOUND);
    if ids.is_empty() { Ok(Vec::new()) } else { Ok(tx.query(SOME).bind_list(ids).all().await?) }
}

/// Returns the ids of those that match best.
fn best<Id: berth_db::Column + Copy + Ord>(candidates: Vec<Candidate<Id>>, text: &Text, count: usize) -> Vec<Id> {
    let ranked = candidates.into_iter().filter_map(|one| {
        let key = key((&one.first_name, &one.last_name, &one.email), text)?;
        Some((key, one.id))
    });
    let mut ranked: Vec<(Key, Id)> = ranked.collect();
    ranked.sort_unstable();
    ranked.into_iter().take(count).map(|(_, id)| id).collect()
}

/// What orders the results: the rank, the name, the email.
type Key = (Rank, String, String);

/// Returns the key of a person; `None` if neither name nor email matches.
fn key((first, last, email): (&str, &str, &str), text: &Text) -> Option<Key> {
    let name = fold(&format!("{first} {last}"));
    let email = fold(email);
    let by_email = email.starts_with(text.folded()).then_some(Rank::Word);
    Some((text.rank(&name).or(by_email)?, name, email))
}

impl From<Row> for FoundUser {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            name: format!("{} {}", row.first_name, row.last_name).trim().to_owned(),
            email: row.email,
            role: row.role,
            membership_status: row.status,
            organization_id: row.organization_id,
            organization_name: row.organization_name,
            site_id: row.site_id,
            site_name: row.site_name,
        }
    }
}
