//! Roles and memberships (spec A 3, 6).

use crate::id::{OrganizationId, SiteId};

text_enum! {
    /// What a membership lets its user do; the table is in [`crate::policy`].
    #[derive(serde::Deserialize)]
    pub enum Role {
        /// Of the whole platform.
        GlobalAdmin = "GlobalAdmin",
        /// Of one organization.
        Owner = "Owner",
        /// Of one site.
        Admin = "Admin",
        /// Of one site.
        Intake = "Intake",
        /// Of one site.
        Staff = "Staff",
    }
}

impl Role {
    /// The roles of a site, the only ones that a site's users may hold (spec A 3).
    pub const OF_SITES: [Self; 3] = [Self::Admin, Self::Intake, Self::Staff];

    /// Height from 1 (staff) to 5 (global admin), for sorting and for the highest of several roles.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::GlobalAdmin => 5,
            Self::Owner => 4,
            Self::Admin => 3,
            Self::Intake => 2,
            Self::Staff => 1,
        }
    }

    /// Returns true if it belongs to a site, not to an organization or the platform.
    #[must_use]
    pub const fn is_of_site(self) -> bool {
        matches!(self, Self::Admin | Self::Intake | Self::Staff)
    }

    /// Refuses to take away a role that somebody must keep (DESIGN 4, I19). `others` counts the other active holders:
    /// owners of the same organization, or global admins. Site roles may always go.
    ///
    /// # Errors
    /// The sentence for the user.
    pub const fn may_lose(self, others: i64) -> Result<(), &'static str> {
        match self {
            Self::Owner if others < 1 => Err("The last owner of an organization cannot be removed or disabled."),
            Self::GlobalAdmin if others < 1 => Err("The last global admin cannot be removed or disabled."),
            Self::GlobalAdmin | Self::Owner | Self::Admin | Self::Intake | Self::Staff => Ok(()),
        }
    }
}

text_enum! {
    /// The state of a membership (spec A 4).
    #[derive(serde::Deserialize)]
    pub enum MembershipStatus {
        /// Invited, never signed in since; shown "Invited".
        PendingInvitation = "PendingInvitation",
        /// In use.
        Active = "Active",
        /// Kept, but opens nothing.
        Disabled = "Disabled",
    }
}

/// One active membership of a caller. Disabled and pending ones are not handed to the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Membership {
    /// The role held.
    pub role: Role,
    /// Set for an owner; for a site's roles it may name the site's organization.
    pub organization_id: Option<OrganizationId>,
    /// Set for the roles of a site, and only for them.
    pub site_id: Option<SiteId>,
}

impl Membership {
    /// A global admin.
    #[must_use]
    pub const fn global() -> Self {
        Self { role: Role::GlobalAdmin, organization_id: None, site_id: None }
    }

    /// An owner of `organization_id`.
    #[must_use]
    pub const fn owner(organization_id: OrganizationId) -> Self {
        Self { role: Role::Owner, organization_id: Some(organization_id), site_id: None }
    }

    /// A role of `site_id`.
    #[must_use]
    pub const fn site(role: Role, organization_id: OrganizationId, site_id: SiteId) -> Self {
        Self { role, organization_id: Some(organization_id), site_id: Some(site_id) }
    }
}
