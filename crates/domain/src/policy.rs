//! Who may do what (DESIGN 4; spec A 6, spec B 6): the whole policy is [`TABLE`], data that is read in one look.
//!
//! Nothing else in Berth decides about rights. The server turns [`Decision::Hidden`] into 404 and [`Decision::No`] into
//! 403; the web asks the same table through the user info, and only hides.

use crate::id::{OrganizationId, SiteId, UserId};
use crate::role::{Membership, Role};

/// How far the caller's sign-in has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// After the password: good for the steps of sign-in, and for nothing in this table.
    FirstStep,
    /// After the second factor.
    Full,
}

/// The caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Who calls.
    pub user_id: UserId,
    /// How far the sign-in has come.
    pub stage: Stage,
    /// The active memberships.
    pub memberships: Vec<Membership>,
}

impl Actor {
    /// Returns true if the caller is a fully signed-in global admin.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.stage == Stage::Full && roles_at(self, &Target::Platform).contains(&Role::GlobalAdmin)
    }
}

/// What an action is done to. Houses, beds and guests are judged at their site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The platform as a whole.
    Platform,
    /// An organization.
    Organization {
        /// Which one.
        id: OrganizationId,
        /// Commercial (paid) or non-commercial (free).
        is_commercial: bool,
        /// True if the caller has an active membership at one of its sites; the server looks it up.
        actor_sites: bool,
    },
    /// A site, and everything in it.
    Site {
        /// Which one.
        id: SiteId,
        /// Its organization, as stored.
        organization_id: OrganizationId,
        /// Commercial (paid) or non-commercial (free).
        is_commercial: bool,
    },
}

/// What may be done. Each has one row in [`TABLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Platform: dashboard and overview.
    ViewDashboard,
    /// Platform: the audit log.
    ViewAudit,
    /// Organization: the audit log of it and its sites.
    ViewOrganizationAudit,
    /// Platform: all access users.
    ViewAllAccessUsers,
    /// Platform: create, edit, delete insurance companies.
    EditInsurers,
    /// Platform: read the list of insurance companies.
    ListInsurers,
    /// Platform: create an organization.
    CreateOrganization,
    /// Organization: show or hide it, and thereby its sites, in the search.
    ShowHideOrganization,
    /// Organization: name, logo, payment methods.
    EditOrganization,
    /// Organization: delete.
    DeleteOrganization,
    /// Organization: list, invite, remove owners.
    ManageOwners,
    /// Organization: choose its insurance companies.
    LinkInsurers,
    /// Organization: add a site.
    CreateSite,
    /// Site: delete.
    DeleteSite,
    /// Organization: see the numbers of all its sites.
    ViewOrganizationNumbers,
    /// Organization: see it.
    ViewOrganization,
    /// Site: see it.
    ViewSite,
    /// Site: see its numbers.
    ViewNumbers,
    /// Site: edit.
    EditSite,
    /// Site: invite, change, disable, remove users.
    ManageSiteUsers,
    /// Site: add, edit, remove houses, beds and their photos.
    EditHouses,
    /// Site: see guests and history.
    ViewGuests,
    /// Site: see phone, email, policy and group number and card images of guests.
    ViewGuestContact,
    /// Site: add a guest by hand.
    AddGuest,
    /// Site: accept, decline, reassign, swap, discharge a guest.
    PlaceGuest,
    /// Site: let a person have a third active reservation.
    AllowThirdReservation,
    /// Site: add a walk-in while a bed is vacant, although reservations hold all of them.
    AddOverCapacity,
    /// Site: undo the decline or the discharge of a guest within 24 hours.
    UndoDecision,
    /// Organization: cards, billing, subscriptions.
    ManageBilling,
    /// Site: whether a guest from the search may be accepted.
    ReadSubscriptionStatus,
}

/// G global admin, O owner, A admin, I intake, S staff; "-" not. First commercial, then non-commercial.
pub const TABLE: [(Action, &str, &str); 30] = [
    // action                          commercial  free
    (Action::ViewDashboard, /*       */ "G----", "G----"),
    (Action::ViewAudit, /*           */ "G----", "G----"),
    (Action::ViewOrganizationAudit, /**/ "GO---", "GO---"),
    (Action::ViewAllAccessUsers, /*  */ "G----", "G----"),
    (Action::EditInsurers, /*        */ "G----", "G----"),
    (Action::ListInsurers, /*        */ "GOAIS", "GOAIS"),
    (Action::CreateOrganization, /*  */ "G----", "G----"),
    (Action::ShowHideOrganization, /**/ "G----", "G----"),
    (Action::EditOrganization, /*    */ "GO---", "GO---"),
    (Action::DeleteOrganization, /*  */ "GO---", "GO---"),
    (Action::ManageOwners, /*        */ "GO---", "GO---"),
    (Action::LinkInsurers, /*        */ "GO---", "-----"),
    (Action::CreateSite, /*          */ "GO---", "GO---"),
    (Action::DeleteSite, /*          */ "GO---", "GO---"),
    (Action::ViewOrganizationNumbers, /**/ "GO---", "GO---"),
    (Action::ViewOrganization, /*    */ "GOAIS", "GOAIS"),
    (Action::ViewSite, /*            */ "GOAIS", "GOAIS"),
    (Action::ViewNumbers, /*         */ "GOA--", "GOA--"),
    (Action::EditSite, /*            */ "GOA--", "GOA--"),
    (Action::ManageSiteUsers, /*     */ "GOA--", "GOA--"),
    (Action::EditHouses, /*          */ "GO---", "GOA-S"),
    (Action::ViewGuests, /*          */ "GOAIS", "GOAIS"),
    (Action::ViewGuestContact, /*    */ "GOAI-", "GOAI-"),
    (Action::AddGuest, /*            */ "GOAI-", "GOAI-"),
    (Action::PlaceGuest, /*          */ "GOAI-", "GOAI-"),
    (Action::AllowThirdReservation, /**/ "GOA--", "GOA--"),
    (Action::AddOverCapacity, /*     */ "GOA--", "GOA--"),
    (Action::UndoDecision, /*        */ "GOA--", "GOA--"),
    (Action::ManageBilling, /*       */ "GO---", "-----"),
    (Action::ReadSubscriptionStatus, /**/ "GOAI-", "GOAI-"),
];

/// The answer of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Go on.
    Yes,
    /// The caller may not know that the target exists: 404.
    Hidden,
    /// The caller sees the target but may not do this: 403.
    No,
}

/// Decides whether `actor` may do `action` to `target`.
#[must_use]
pub fn may(actor: &Actor, action: Action, target: &Target) -> Decision {
    // The platform is no secret; organizations and sites are, to those without a role there.
    let hidden = if *target == Target::Platform { Decision::No } else { Decision::Hidden };
    let roles = roles_at(actor, target);
    if actor.stage != Stage::Full || roles.is_empty() {
        return hidden;
    }
    let allowed = TABLE.iter().find(|row| row.0 == action).map_or("", |(_, commercial, free)| match target {
        Target::Organization { is_commercial: false, .. } | Target::Site { is_commercial: false, .. } => free,
        Target::Platform | Target::Organization { .. } | Target::Site { .. } => commercial,
    });
    if roles.iter().any(|role| allowed.contains(letter(*role))) { Decision::Yes } else { Decision::No }
}

/// A role's letter in [`TABLE`].
const fn letter(role: Role) -> char {
    match role {
        Role::GlobalAdmin => 'G',
        Role::Owner => 'O',
        Role::Admin => 'A',
        Role::Intake => 'I',
        Role::Staff => 'S',
    }
}

/// The roles that `actor` holds at `target`, highest first, none twice. At the platform these are all of the actor's
/// roles. At an organization whose sites the actor works for they are those of the memberships that name it, or the
/// least one when none does. A membership of the wrong scope (an owner of a site) counts for nothing.
#[must_use]
pub fn roles_at(actor: &Actor, target: &Target) -> Vec<Role> {
    let mut roles: Vec<Role> =
        actor.memberships.iter().filter(|held| counts_at(held, target)).map(|held| held.role).collect();
    if roles.is_empty() && matches!(target, Target::Organization { actor_sites: true, .. }) {
        roles.push(Role::Staff);
    }
    roles.sort_by_key(|role| std::cmp::Reverse(role.rank()));
    roles.dedup();
    roles
}

/// Returns true if a membership reaches `target`.
fn counts_at(held: &Membership, target: &Target) -> bool {
    match (held.role, held.organization_id, held.site_id) {
        (Role::GlobalAdmin, None, None) => true,
        (Role::Owner, Some(owned), None) => match target {
            Target::Platform => true,
            Target::Organization { id, .. } => owned == *id,
            Target::Site { organization_id, .. } => owned == *organization_id,
        },
        (Role::Admin | Role::Intake | Role::Staff, organization, Some(site)) => match target {
            Target::Platform => true,
            Target::Organization { id, actor_sites, .. } => *actor_sites && organization == Some(*id),
            Target::Site { id, .. } => site == *id,
        },
        (Role::GlobalAdmin | Role::Owner | Role::Admin | Role::Intake | Role::Staff, _, _) => false,
    }
}

/// Returns true if `actor` may give the role `new` at `target` to somebody who holds `old` there (none: an invitation).
///
/// A rank covers the old and the new role: a global admin all, an owner owners and below in the organization, an admin
/// admin, intake and staff at the site. Global admins belong to the platform, owners to organizations, the others to
/// sites; a role in the wrong place is refused to everybody. That it is not oneself, the server checks.
#[must_use]
pub fn may_grant(actor: &Actor, old: Option<Role>, new: Role, target: &Target) -> bool {
    let fits = |role: Role| match target {
        Target::Platform => role == Role::GlobalAdmin,
        Target::Organization { .. } => role == Role::Owner,
        Target::Site { .. } => role.is_of_site(),
    };
    let covered = |held: Role| match held {
        Role::GlobalAdmin => true,
        Role::Owner | Role::Admin => new.rank() <= held.rank() && old.is_none_or(|old| old.rank() <= held.rank()),
        Role::Intake | Role::Staff => false,
    };
    actor.stage == Stage::Full && fits(new) && old.is_none_or(fits) && roles_at(actor, target).into_iter().any(covered)
}
