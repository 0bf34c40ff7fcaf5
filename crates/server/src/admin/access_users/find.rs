//! The access users that a search finds by name or email.

use std::collections::BTreeSet;

use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
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
use crate::http::search::contains;

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

/// The fields of an access user that a search compares.
#[derive(berth_db::FromRow)]
struct Candidate {
    id: MembershipId,
    email: String,
    first_name: String,
    last_name: String,
}

/// SQL query: candidates, as [`select_access_users`] shows them: an invitation by what was typed for it, so that a search does not reveal
/// who has an account.
macro_rules! candidates {
    ($which:literal) => {
        concat!(
            "SELECT id, email, first_name, last_name FROM (SELECT m.id, \
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
    // Only Rust folds accents, so names that may have some are compared there.
    const ALL: &str = candidates!(
        "TRUE) c WHERE LOWER(first_name || ' ' || last_name) LIKE $1 ESCAPE '\\' OR LOWER(email) LIKE $1 ESCAPE '\\' \
         OR OCTET_LENGTH(first_name || last_name) > LENGTH(first_name || last_name)"
    );
    const OF_ORGANIZATIONS: &str = candidates!("m.organization_id IN ($1..)) c");
    const OF_SITES: &str = candidates!("m.site_id IN ($1..)) c");
    const SOME: &str = select_access_users!("m.id IN ($1..)");
    let candidates: Vec<Candidate> = match scope.sites_with(caller, Action::ManageSiteUsers) {
        None => tx.query(ALL).bind(contains(text.folded())).all().await?,
        Some(sites) => {
            let owned: BTreeSet<OrganizationId> = caller.owned().into_iter().collect();
            let mut found: Vec<Candidate> = Vec::new();
            if !owned.is_empty() {
                found.extend(tx.query(OF_ORGANIZATIONS).bind_list(owned).all::<Candidate>().await?);
            }
            if !sites.is_empty() {
                found.extend(tx.query(OF_SITES).bind_list(sites).all::<Candidate>().await?);
            }
            found
        }
    };
    let mut ranked: Vec<_> = candidates.into_iter().filter_map(|candidate| candidate.ranked(text)).collect();
    ranked.sort_unstable();
    ranked.truncate(MAX_FOUND);
    if ranked.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<MembershipId> = ranked.into_iter().map(|(.., id)| id).collect();
    let mut rows: Vec<Row> = tx.query(SOME).bind_list(ids.iter().copied()).all().await?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows.into_iter().map(FoundUser::from).collect())
}

impl Candidate {
    /// Returns what orders the results: the rank, the name, the email, the id. `None` if nothing matches.
    fn ranked(self, text: &Text) -> Option<(Rank, String, String, MembershipId)> {
        let name = fold(&format!("{} {}", self.first_name, self.last_name));
        let email = fold(&self.email);
        let by_email = email.starts_with(text.folded()).then_some(Rank::Word);
        Some((text.rank(&name).or(by_email)?, name, email, self.id))
    }
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
