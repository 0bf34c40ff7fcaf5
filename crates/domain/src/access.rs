//! Rights on an access user: one role of one person at one place (DESIGN 4; spec A 2, "Site user management", and 6). The server checks
//! them before a change, and sends them to the web as [`Can`].

use crate::id::UserId;
use crate::policy::{Actor, Target, may_grant};
use crate::role::{MembershipStatus, Role};

/// The current state of an access user.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// The user.
    pub user_id: UserId,
    /// The role.
    pub role: Role,
    /// The state.
    pub status: MembershipStatus,
    /// Where it is held.
    pub target: Target,
    /// Number of other active owners of the organization, or global admins. Ignored for the roles of a site.
    pub others: i64,
}

/// Why a change is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is the actor's own access.
    #[error("You cannot change your own access.")]
    Oneself,
    /// The actor's rank does not cover it.
    #[error("Your role does not allow this.")]
    Rank,
    /// A role that does not belong to this place.
    #[error("This role cannot be held here.")]
    Place,
    /// The invitation has not been accepted yet (spec A 2).
    #[error("You cannot edit a user who hasn't accepted the invitation.")]
    Pending,
    /// The invitation has been accepted already.
    #[error("This person has already accepted the invitation.")]
    Accepted,
    /// Global admins cannot be disabled (spec A 2).
    #[error("A global admin cannot be disabled. Remove the access instead.")]
    NotDisabled,
    /// It is the last holder of a role that must have one (I19).
    #[error("{0}")]
    Last(&'static str),
}

/// The changes that the caller may make.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct Can {
    /// Change the role and the messages.
    pub edit: bool,
    /// Change the name. False if the person also has access that the caller may not change, since the name belongs to the person.
    pub rename: bool,
    /// Remove the access.
    pub remove: bool,
    /// Disable it, or enable it again.
    pub disable: bool,
    /// Send the invitation again.
    pub resend: bool,
    /// The other roles that it can be changed to.
    pub roles: Vec<Role>,
}

impl Held {
    /// Returns the changes that `actor` may make.
    #[must_use]
    pub fn can(&self, actor: &Actor) -> Can {
        let others = Role::ALL.iter().copied().filter(|role| *role != self.role);
        Can {
            edit: self.may_edit(actor).is_ok(),
            rename: self.may_edit(actor).is_ok() && self.may_rename(actor),
            remove: self.may_remove(actor).is_ok(),
            disable: self.may_disable(actor).is_ok(),
            resend: self.may_resend(actor).is_ok(),
            roles: others.filter(|role| self.may_become(actor, *role).is_ok()).collect(),
        }
    }

    /// Checks that names and messages may be changed.
    ///
    /// # Errors
    /// For one's own access, for a rank above the actor's, and before the invitation is accepted.
    pub fn may_edit(&self, actor: &Actor) -> Result<(), Refusal> {
        self.in_reach(actor)?;
        if self.status == MembershipStatus::PendingInvitation { Err(Refusal::Pending) } else { Ok(()) }
    }

    /// Returns true if the actor's rank covers this access, so that it does not prevent a change of the person's name.
    #[must_use]
    pub fn may_rename(&self, actor: &Actor) -> bool {
        self.in_reach(actor).is_ok()
    }

    /// Checks that the role may be changed to `new`: the actor's rank covers both roles, and both belong to the same
    /// kind of place.
    ///
    /// # Errors
    /// Those of [`Self::may_edit`], and for a role of another kind of place.
    pub fn may_become(&self, actor: &Actor, new: Role) -> Result<(), Refusal> {
        self.may_edit(actor)?;
        if new.is_of_site() != self.role.is_of_site() || (!new.is_of_site() && new != self.role) {
            return Err(Refusal::Place);
        }
        if may_grant(actor, Some(self.role), new, &self.target) { Ok(()) } else { Err(Refusal::Rank) }
    }

    /// Checks that the access may be disabled, or enabled again.
    ///
    /// # Errors
    /// Those of [`Self::may_edit`], and for a global admin and the last active owner.
    pub fn may_disable(&self, actor: &Actor) -> Result<(), Refusal> {
        self.may_edit(actor)?;
        match (self.role, self.status) {
            (Role::GlobalAdmin, MembershipStatus::Active) => Err(Refusal::NotDisabled),
            _ => self.may_go(),
        }
    }

    /// Checks that the access may be removed. A pending one may be.
    ///
    /// # Errors
    /// For one's own access, for a rank above the actor's, and for the last active owner or global admin.
    pub fn may_remove(&self, actor: &Actor) -> Result<(), Refusal> {
        self.in_reach(actor)?;
        self.may_go()
    }

    /// Checks that the invitation may be sent again.
    ///
    /// # Errors
    /// For one's own access, for a rank above the actor's, and once the invitation is accepted.
    pub fn may_resend(&self, actor: &Actor) -> Result<(), Refusal> {
        self.in_reach(actor)?;
        if self.status == MembershipStatus::PendingInvitation { Ok(()) } else { Err(Refusal::Accepted) }
    }

    fn in_reach(&self, actor: &Actor) -> Result<(), Refusal> {
        if self.user_id == actor.user_id {
            return Err(Refusal::Oneself);
        }
        if may_grant(actor, Some(self.role), self.role, &self.target) { Ok(()) } else { Err(Refusal::Rank) }
    }

    /// Only the removal of an active holder can leave a role without one.
    fn may_go(&self) -> Result<(), Refusal> {
        if self.status == MembershipStatus::Active {
            self.role.may_lose(self.others).map_err(Refusal::Last)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{OrganizationId, SiteId};
    use crate::policy::Stage;
    use crate::role::Membership;
    use uuid::Uuid;

    const fn organization(number: u128) -> OrganizationId {
        OrganizationId(Uuid::from_u128(number))
    }
    const fn site(number: u128) -> SiteId {
        SiteId(Uuid::from_u128(number))
    }
    fn actor(held: Membership) -> Actor {
        Actor { user_id: UserId(Uuid::from_u128(1)), stage: Stage::Full, memberships: vec![held] }
    }
    /// A role at the first organization or its first site, as the role requires.
    fn membership(role: Role) -> Membership {
        match role {
            Role::GlobalAdmin => Membership::global(),
            Role::Owner => Membership::owner(organization(10)),
            Role::Admin | Role::Intake | Role::Staff => Membership::site(role, organization(10), site(20)),
        }
    }
    /// Another user's role, at the actor's own place (10, 20) or at a foreign one (11, 21).
    fn held(role: Role, is_own: bool) -> Held {
        let (organization_id, site_id) =
            if is_own { (organization(10), site(20)) } else { (organization(11), site(21)) };
        let target = match role {
            Role::GlobalAdmin => Target::Platform,
            Role::Owner => Target::Organization { id: organization_id, is_commercial: true, actor_sites: is_own },
            Role::Admin | Role::Intake | Role::Staff => {
                Target::Site { id: site_id, organization_id, is_commercial: true }
            }
        };
        Held { user_id: UserId(Uuid::from_u128(2)), role, status: MembershipStatus::Active, target, others: 1 }
    }

    /// The escalation table: what every role may change every role into, at its own place and at a foreign one.
    #[test]
    fn a_role_changes_only_roles_it_covers_at_its_own_places() {
        for by in Role::ALL {
            for old in Role::ALL {
                for new in Role::ALL {
                    for is_own in [true, false] {
                        let held = held(*old, is_own);
                        let allowed = held.may_become(&actor(membership(*by)), *new).is_ok();
                        let at_site = old.is_of_site() && new.is_of_site();
                        let expected = match by {
                            Role::GlobalAdmin => at_site || old == new,
                            Role::Owner => is_own && (at_site || (*old == Role::Owner && *new == Role::Owner)),
                            Role::Admin => is_own && at_site,
                            Role::Intake | Role::Staff => false,
                        };
                        assert_eq!(allowed, expected, "{by} makes {old} {new}, own place: {is_own}");
                    }
                }
            }
        }
    }

    #[test]
    fn users_cannot_change_their_own_access() {
        for role in Role::ALL {
            let held = Held { user_id: UserId(Uuid::from_u128(1)), ..held(*role, true) };
            for by in Role::ALL {
                let can = held.can(&actor(membership(*by)));
                assert_eq!(
                    (can.edit, can.rename, can.remove, can.disable, can.resend, can.roles.len()),
                    (false, false, false, false, false, 0)
                );
                assert_eq!(held.may_remove(&actor(membership(*by))), Err(Refusal::Oneself));
            }
        }
    }

    #[test]
    fn a_pending_user_can_be_removed_or_invited_again_but_not_edited() {
        let pending = Held { status: MembershipStatus::PendingInvitation, ..held(Role::Staff, true) };
        let can = pending.can(&actor(membership(Role::Admin)));
        assert_eq!(can, Can { edit: false, rename: false, remove: true, disable: false, resend: true, roles: vec![] });
        assert_eq!(pending.may_edit(&actor(membership(Role::Admin))), Err(Refusal::Pending));
        assert_eq!(held(Role::Staff, true).may_resend(&actor(membership(Role::Admin))), Err(Refusal::Accepted));
    }

    #[test]
    fn the_last_owner_and_global_admin_cannot_be_removed_and_global_admins_not_disabled() {
        let by = actor(Membership::global());
        for role in [Role::Owner, Role::GlobalAdmin] {
            let last = Held { others: 0, ..held(role, true) };
            assert!(matches!(last.may_remove(&by), Err(Refusal::Last(_))), "{role}");
            assert!(last.may_disable(&by).is_err(), "{role}");
            let pending = Held { status: MembershipStatus::PendingInvitation, ..last };
            assert_eq!(pending.may_remove(&by), Ok(()), "nobody has it yet");
            let disabled = Held { status: MembershipStatus::Disabled, ..last };
            assert_eq!(
                (disabled.may_remove(&by), disabled.may_disable(&by)),
                (Ok(()), Ok(())),
                "a disabled one is enabled"
            );
        }
        assert_eq!(held(Role::Owner, true).may_disable(&by), Ok(()));
        assert_eq!(held(Role::GlobalAdmin, true).may_disable(&by), Err(Refusal::NotDisabled));
        assert_eq!(held(Role::GlobalAdmin, true).may_remove(&by), Ok(()));
    }

    #[test]
    fn the_offered_roles_are_the_places_roles_except_the_current_one() {
        let can = held(Role::Intake, true).can(&actor(membership(Role::Admin)));
        assert_eq!(can.roles, [Role::Admin, Role::Staff]);
        assert!(held(Role::Owner, true).can(&actor(membership(Role::Owner))).roles.is_empty());
    }
}
