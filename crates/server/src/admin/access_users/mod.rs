//! Access users: one role of one person at one place (spec A 2, "Site user management", 3 and 7). `domain::access` decides
//! what a caller may do to one. Each answer includes the decision ([`Can`]), so that the web offers only what is allowed.

pub(crate) mod all;
pub(crate) mod edit;
mod find;
mod forms;
pub(crate) mod invite;
mod last_holder;
pub(crate) mod list;
mod names;
pub(crate) mod remove;

use std::collections::{HashMap, HashSet};

use berth_db::Tx;
use berth_domain::access::{Can, Held, Refusal};
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::policy::{Action, Actor, Target};
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::time::Timestamp;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::admin::invitations::Scope;
use crate::auth::caller::Caller;
use crate::housing::sites;
use crate::{App, Error, Result};

pub use find::{FoundUser, find};
pub use last_holder::check as check_last_holder;

/// The person of an access user.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessUserPerson {
    /// The user, the same at all places. Until the person accepts, the id of the access user instead.
    id: UserId,
    /// Email.
    email: String,
}

/// The organization of an access user, or that of its site.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessUserOrganization {
    /// The organization.
    id: OrganizationId,
    /// Its name.
    name: String,
    /// Commercial (paid) or non-commercial (free).
    is_commercial: bool,
    /// Its logo.
    logo_path: Option<String>,
    /// Number of its sites that the caller may see.
    site_count: i64,
}

/// One role of one person at one place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AccessUser)]
pub struct AccessUserView {
    /// The access user.
    id: MembershipId,
    /// The person.
    user: AccessUserPerson,
    /// First name. Until the person accepts, as the inviter typed it; empty for a first owner, who is invited by email alone.
    first_name: String,
    /// Last name, likewise.
    last_name: String,
    /// The role.
    role: Role,
    /// Status. `PendingInvitation` is shown as Invited.
    membership_status: MembershipStatus,
    /// True if the person gets text messages about reservations.
    receive_reservation_texts: bool,
    /// The organization; null for a global admin.
    organization: Option<AccessUserOrganization>,
    /// The site; null for owners and global admins.
    site_id: Option<SiteId>,
    /// Its name.
    site_name: Option<String>,
    /// When the invitation was sent.
    created_at: Timestamp,
    /// Version of names, role, status and text messages: it differs if any of them does. Not a counter.
    version: i64,
    /// What the caller may do to this access user.
    can: Can,
}

/// A stored membership with the names of its place.
#[derive(Debug, Clone, berth_db::FromRow)]
struct Row {
    id: MembershipId,
    user_id: UserId,
    email: String,
    first_name: String,
    last_name: String,
    role: Role,
    status: MembershipStatus,
    receive_reservation_texts: bool,
    created_at: Timestamp,
    organization_id: Option<OrganizationId>,
    organization_name: Option<String>,
    is_commercial: Option<bool>,
    logo_path: Option<String>,
    site_id: Option<SiteId>,
    site_name: Option<String>,
    /// Active holders of the same role at the same place, including this one. Counted for owners and global admins only.
    holders: i64,
}

/// SELECT of memberships at places that still exist. Until the person accepts, email and names are those that the inviter
/// typed, so that an invitation does not reveal who has an account. Owners and global admins are counted by a subquery
/// each: a single one with OR reads all memberships again for each row on PostgreSQL (13 s for 13,000 rows; P7).
macro_rules! select_access_users {
    ($($rest:tt)*) => {
        concat!(
            "SELECT m.id, m.user_id, \
             CASE WHEN m.status = 'PendingInvitation' THEN COALESCE(m.invited_email, u.email) ELSE u.email END AS email, \
             CASE WHEN m.status = 'PendingInvitation' THEN m.invited_first_name ELSE u.first_name END AS first_name, \
             CASE WHEN m.status = 'PendingInvitation' THEN m.invited_last_name ELSE u.last_name END AS last_name, m.role, m.status, m.receive_reservation_texts, \
             m.created_at, o.id AS organization_id, o.name AS organization_name, o.is_commercial, o.logo_path, \
             s.id AS site_id, s.name AS site_name, \
             CASE m.role \
                WHEN 'Owner' THEN (SELECT COUNT(*) FROM memberships h WHERE h.organization_id = m.organization_id \
                    AND h.role = 'Owner' AND h.status = 'Active' AND h.deleted_at IS NULL) \
                WHEN 'GlobalAdmin' THEN (SELECT COUNT(*) FROM memberships h WHERE h.organization_id IS NULL \
                    AND h.role = 'GlobalAdmin' AND h.status = 'Active' AND h.deleted_at IS NULL) \
                ELSE 0 END AS holders \
             FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
             LEFT JOIN sites s ON s.id = m.site_id AND s.deleted_at IS NULL \
             LEFT JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id) \
                AND o.deleted_at IS NULL \
             WHERE m.deleted_at IS NULL AND (m.role = 'GlobalAdmin' OR o.id IS NOT NULL) AND ",
            $($rest)*
        )
    };
}
use select_access_users;

impl Row {
    /// Returns the place; `None` if the membership lacks a place that its role needs, which the database forbids.
    fn scope(&self) -> Option<Scope> {
        match (self.role, self.organization_id, self.site_id) {
            (Role::GlobalAdmin, ..) => Some(Scope::Platform),
            (Role::Owner, Some(organization_id), _) => Some(Scope::Organization(organization_id)),
            (_, Some(organization_id), Some(site_id)) => Some(Scope::Site(site_id, organization_id)),
            _ => None,
        }
    }

    /// Returns the version: a hash of the values that the edit form sets. Every change of a value changes it, no matter who makes the
    /// change or how (docs/decisions/0078). It has 53 bits, the most that a JavaScript number holds exactly.
    fn version(&self) -> i64 {
        let values = json!([self.first_name, self.last_name, self.role, self.status, self.receive_reservation_texts]);
        let digest = Sha256::digest(values.to_string());
        digest.iter().take(8).fold(0_i64, |version, byte| (version << 8) | i64::from(*byte)) & ((1 << 53) - 1)
    }

    /// Returns the membership as the policy needs it.
    fn held(&self) -> Held {
        let active = i64::from(self.status == MembershipStatus::Active);
        Held {
            user_id: self.user_id,
            role: self.role,
            status: self.status,
            // No rank covers a missing place.
            target: self.scope().unwrap_or(Scope::Platform).target(),
            others: self.holders - active,
        }
    }

    /// Returns the view for `actor`. `sites` has the number of sites by organization, `fixed` the users whose names the actor may
    /// not change.
    fn view(self, actor: &Actor, sites: &HashMap<OrganizationId, i64>, fixed: &HashSet<UserId>) -> AccessUserView {
        let version = self.version();
        let mut can = self.held().can(actor);
        can.rename &= !fixed.contains(&self.user_id);
        // The id of a user reveals when the account was created.
        let is_hidden = self.status == MembershipStatus::PendingInvitation && !actor.is_global();
        let user_id = if is_hidden { UserId(self.id.0) } else { self.user_id };
        let organization = self.organization_id.map(|id| AccessUserOrganization {
            id,
            name: self.organization_name.unwrap_or_default(),
            is_commercial: self.is_commercial.unwrap_or_default(),
            logo_path: self.logo_path,
            site_count: sites.get(&id).copied().unwrap_or_default(),
        });
        AccessUserView {
            id: self.id,
            user: AccessUserPerson { id: user_id, email: self.email },
            first_name: self.first_name,
            last_name: self.last_name,
            role: self.role,
            membership_status: self.status,
            receive_reservation_texts: self.receive_reservation_texts,
            organization,
            site_id: self.site_id,
            site_name: self.site_name,
            created_at: self.created_at,
            version,
            can,
        }
    }

    /// Returns an audit row about this membership.
    fn entry(&self, action: AuditAction, summary: String) -> Entry {
        let object = Some((ObjectKind::Membership, self.id.0));
        Entry::placed((self.organization_id, self.site_id), action, object, summary)
    }
}

/// Counts the sites of `organizations` that the caller may see. An organization without such a site has no count.
async fn site_counts(
    tx: &mut Tx,
    caller: &Caller,
    organizations: HashSet<OrganizationId>,
) -> Result<HashMap<OrganizationId, i64>> {
    const SITES: &str = concat!(
        "SELECT s.organization_id, COUNT(*) FROM sites s WHERE s.deleted_at IS NULL AND s.organization_id IN ($3..) AND ",
        sites::is_seen_by!("$1", "$2"),
        " GROUP BY s.organization_id"
    );
    let counts = tx.query(SITES).bind(caller.is_global()).bind(caller.actor.user_id).bind_list(organizations);
    let rows: Vec<(OrganizationId, i64)> = counts.all().await?;
    Ok(rows.into_iter().collect())
}

/// Returns the organizations of memberships.
fn organizations_of(rows: &[Row]) -> HashSet<OrganizationId> {
    rows.iter().filter_map(|row| row.organization_id).collect()
}

/// Loads a membership that the caller may manage.
///
/// # Errors
/// 404 if it does not exist or the caller may not see its place; 403 if the caller may not manage the users there.
async fn load(app: &App, caller: &Caller, id: MembershipId) -> Result<Row> {
    const ONE: &str = select_access_users!("m.id = $1");
    let row: Row = app.db.query(ONE).bind(id).one().await?;
    match row.scope() {
        Some(Scope::Site(site_id, _)) => caller.site(site_id, Action::ManageSiteUsers).await.map(|_| ())?,
        Some(Scope::Organization(id)) => caller.organization(id, Action::ManageOwners).await.map(|_| ())?,
        Some(Scope::Platform) if caller.may(Action::ManageGlobalAdmins, &Target::Platform) => {}
        _ => return Err(Error::NotFound),
    }
    Ok(row)
}

/// Loads a membership again, in a transaction that has locked what it depends on.
async fn load_again(tx: &mut Tx, id: MembershipId) -> Result<Row> {
    const ONE: &str = select_access_users!("m.id = $1");
    Ok(tx.query(ONE).bind(id).one().await?)
}

/// Loads the view of a membership.
async fn show(tx: &mut Tx, caller: &Caller, id: MembershipId) -> Result<AccessUserView> {
    let row = load_again(tx, id).await?;
    Ok(views(tx, caller, vec![row]).await?.remove(0))
}

/// Returns the views of memberships.
async fn views(tx: &mut Tx, caller: &Caller, rows: Vec<Row>) -> Result<Vec<AccessUserView>> {
    let sites = site_counts(tx, caller, organizations_of(&rows)).await?;
    let fixed = names::fixed(tx, caller, rows.iter().map(|row| row.user_id).collect()).await?;
    Ok(rows.into_iter().map(|row| row.view(&caller.actor, &sites, &fixed)).collect())
}

/// Maps a refusal of the policy to an error.
fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Oneself | Refusal::Rank => Error::Forbidden(refusal.to_string()),
        Refusal::Place => Error::field("/role", refusal.to_string()),
        Refusal::Pending | Refusal::Accepted | Refusal::NotDisabled | Refusal::Last(_) => {
            Error::conflict(refusal.to_string())
        }
    }
}
