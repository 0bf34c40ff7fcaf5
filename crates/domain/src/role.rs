//! Roles and memberships (spec A 3, 6).

use crate::id::{OrganizationId, SiteId};

text_enum! {
    /// The role of a membership. [`crate::policy`] says what it may do.
    #[derive(serde::Deserialize)]
    pub enum Role {
        /// Role of the platform.
        GlobalAdmin = "GlobalAdmin",
        /// Role of an organization.
        Owner = "Owner",
        /// Role of a site.
        Admin = "Admin",
        /// Role of a site.
        Intake = "Intake",
        /// Role of a site.
        Staff = "Staff",
    }
}

impl Role {
    /// The roles of a site, the only ones that a site's users may hold (spec A 3).
    pub const OF_SITES: [Self; 3] = [Self::Admin, Self::Intake, Self::Staff];

    /// Returns the rank, from 1 (staff) to 5 (global admin).
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

    /// Returns true for the roles of a site.
    #[must_use]
    pub const fn is_of_site(self) -> bool {
        matches!(self, Self::Admin | Self::Intake | Self::Staff)
    }

    /// Checks that a holder may lose this role: an organization keeps an owner, the platform a global admin (DESIGN 4, I19). `others` is the
    /// number of other active holders. Site roles may always be lost.
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
        /// Invited and not accepted yet. Shown as "Invited".
        PendingInvitation = "PendingInvitation",
        /// Active.
        Active = "Active",
        /// Disabled: kept without rights.
        Disabled = "Disabled",
    }
}

/// An active membership of a caller. The policy gets no disabled or pending ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Membership {
    /// The role held.
    pub role: Role,
    /// The organization of an owner. For the roles of a site, its organization or `None`.
    pub organization_id: Option<OrganizationId>,
    /// The site, for the roles of a site only.
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
