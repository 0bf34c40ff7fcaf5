//! Who may do what (DESIGN 4; spec A 6, spec B 6). The whole policy is the data of [`TABLE`].
//!
//! Every right is decided here. [`may`] decides about one target, [`sees_site`] about a site that is known by its ids alone,
//! [`roles_with`] lists the roles that SQL conditions bind, and [`may_grant`] decides about roles that are given to others. The
//! server turns [`Decision::Hidden`] into 404 and [`Decision::No`] into 403. The web gets its rights from the server and
//! only hides what is not allowed.

use crate::id::{OrganizationId, SiteId, UserId};
use crate::role::{Membership, Role};

/// The stage of the caller's sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// After the password. Allows the further steps of sign-in and no action of [`TABLE`].
    FirstStep,
    /// After the second factor.
    Full,
}

/// The caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The user.
    pub user_id: UserId,
    /// The stage of the sign-in.
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

    /// The organizations that the caller owns.
    pub fn owned_organizations(&self) -> impl Iterator<Item = OrganizationId> {
        self.memberships.iter().filter_map(|held| held.organization_id.filter(|_| held.role == Role::Owner))
    }

    /// The sites where the caller is admin, intake or staff.
    pub fn sites(&self) -> impl Iterator<Item = SiteId> {
        self.memberships.iter().filter_map(|held| held.site_id.filter(|_| held.role.is_of_site()))
    }
}

/// What an action is done to. Houses, beds and guests count as their site.
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
        /// True if the caller has an active membership at one of its sites. The server looks this up.
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

/// An action. Each has one row in [`TABLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Platform: dashboard and overview.
    ViewDashboard,
    /// Platform: the audit log.
    ViewAudit,
    /// Organization: the audit log of it and its sites.
    ViewOrganizationAudit,
    /// Platform: list all access users.
    ViewAllAccessUsers,
    /// Platform: invite, change, remove global admins.
    ManageGlobalAdmins,
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
    /// Organization: view the numbers of all its sites.
    ViewOrganizationNumbers,
    /// Organization: view it.
    ViewOrganization,
    /// Site: view it.
    ViewSite,
    /// Site: view its numbers.
    ViewNumbers,
    /// Site: edit.
    EditSite,
    /// Site: invite, change, disable, remove users.
    ManageSiteUsers,
    /// Site: add, edit, remove houses, beds and their photos.
    EditHouses,
    /// Site: view guests and history.
    ViewGuests,
    /// Site: view phone, email, policy and group number and card images of guests.
    ViewGuestContact,
    /// Site: add a guest by hand.
    AddGuest,
    /// Site: accept, decline, reassign, swap, discharge a guest.
    PlaceGuest,
    /// Site: let a person have a third active reservation.
    AllowThirdReservation,
    /// Site: add a walk-in while a bed is vacant, although reservations hold all of them.
    AddOverCapacity,
    /// Site: place a guest against the rules of a strict site, with a reason.
    OverridePlacement,
    /// Site: undo the decline or the discharge of a guest within 24 hours.
    UndoDecision,
    /// Site: merge two reservations of one person, and undo that.
    MergeGuests,
    /// Organization: cards, billing, subscriptions.
    ManageBilling,
    /// Site: read whether a guest from the public search may be accepted.
    ReadSubscriptionStatus,
}

/// The roles that may do each action, at commercial and at non-commercial organizations: G global admin, O owner, A admin,
/// I intake, S staff.
pub const TABLE: [(Action, &str, &str); 33] = [
    // action                          commercial  free
    (Action::ViewDashboard, /*       */ "G----", "G----"),
    (Action::ViewAudit, /*           */ "G----", "G----"),
    (Action::ViewOrganizationAudit, /**/ "GO---", "GO---"),
    (Action::ViewAllAccessUsers, /*  */ "G----", "G----"),
    (Action::ManageGlobalAdmins, /*  */ "G----", "G----"),
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
    (Action::OverridePlacement, /*   */ "GOA--", "GOA--"),
    (Action::UndoDecision, /*        */ "GOA--", "GOA--"),
    (Action::MergeGuests, /*         */ "GOA--", "GOA--"),
    (Action::ManageBilling, /*       */ "GO---", "-----"),
    (Action::ReadSubscriptionStatus, /**/ "GOAI-", "GOAI-"),
];

/// The answer of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Allowed.
    Yes,
    /// The caller may not know that the target exists: 404.
    Hidden,
    /// The caller may view the target but not do this: 403.
    No,
}

/// Decides whether `actor` may do `action` to `target`.
#[must_use]
pub fn may(actor: &Actor, action: Action, target: &Target) -> Decision {
    // That the platform exists is no secret. Organizations and sites are hidden from everybody without a role there.
    let hidden = if *target == Target::Platform { Decision::No } else { Decision::Hidden };
    let roles = roles_at(actor, target);
    if actor.stage != Stage::Full || roles.is_empty() {
        return hidden;
    }
    let is_commercial = match target {
        Target::Organization { is_commercial, .. } | Target::Site { is_commercial, .. } => *is_commercial,
        Target::Platform => true,
    };
    let letters = letters(action, is_commercial);
    if roles.iter().any(|role| letters.contains(letter(*role))) { Decision::Yes } else { Decision::No }
}

/// Returns true if these active memberships allow [`Action::ViewSite`] at a site. For live events, which name a site by its
/// ids: the right is the same at commercial and non-commercial sites.
#[must_use]
pub fn sees_site(memberships: &[Membership], organization_id: OrganizationId, id: SiteId) -> bool {
    let letters = letters(Action::ViewSite, true);
    let site = Target::Site { id, organization_id, is_commercial: true };
    memberships.iter().any(|held| counts_at(held, &site) && letters.contains(letter(held.role)))
}

/// The roles that may do `action`, highest first. For the SQL conditions of lists, which bind them.
pub fn roles_with(action: Action, is_commercial: bool) -> impl Iterator<Item = Role> {
    let letters = letters(action, is_commercial);
    Role::ALL.iter().copied().filter(move |role| letters.contains(letter(*role)))
}

/// The letters of the roles that may do `action`.
fn letters(action: Action, is_commercial: bool) -> &'static str {
    let row = TABLE.iter().find(|row| row.0 == action);
    row.map_or("", |(_, commercial, free)| if is_commercial { commercial } else { free })
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

/// The roles that `actor` holds at `target`, highest first, each once.
///
/// At the platform these are all of the actor's roles. At an organization where the actor works at a site, they are the
/// roles of the memberships that name the organization, or [`Role::Staff`] if none does. A membership of the wrong scope, such
/// as an owner of a site, is ignored.
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

/// Returns true if a membership gives a role at `target`.
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

/// Returns true if `actor` may give the role `new` at `target` to a person who holds `old` there, or nothing yet (an
/// invitation).
///
/// The actor's rank must cover both roles: a global admin covers all, an owner those of the organization and its sites, an
/// admin those of the site. Global admins belong to the platform, owners to organizations, the other roles to sites; nobody may
/// give a role in the wrong place. [`crate::access`] checks that the person is not the actor.
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
