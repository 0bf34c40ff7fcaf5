//! The parts of the dashboard's lists. Each has a version in the database, which every change raises, so that a process can
//! cache the lists: it reads a part again if the version differs.

use std::collections::HashMap;

use berth_db::{Queries, Tx};
use berth_domain::id::SiteId;

use crate::Result;
use crate::admin::audit_log::{AuditAction, Entry};

/// A part of the dashboard's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The sites are spread over 64 parts, 0 to 63, so that a change of one bed does not invalidate all sites.
    Sites(i64),
    /// Users and their memberships.
    People,
    /// Organizations.
    Organizations,
}

impl Part {
    /// Number of parts of the sites.
    pub const OF_SITES: i64 = 64;

    /// Returns the part of a new site. Ids end in random bits.
    #[must_use]
    pub fn of_new_site(id: SiteId) -> i64 {
        i64::from(id.0.as_bytes()[15]) % Self::OF_SITES
    }

    /// Returns its number in the database.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Sites(part) => part,
            Self::People => Self::OF_SITES,
            Self::Organizations => Self::OF_SITES + 1,
        }
    }
}

/// Raises the version of a part.
pub async fn raise(tx: &mut Tx, part: Part) -> Result<()> {
    const RAISE: &str = "INSERT INTO directory_versions (part, version) VALUES ($1, 1) \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    tx.query(RAISE).bind(part.number()).execute().await?;
    Ok(())
}

/// Raises the versions of all parts, after a bulk load.
pub async fn raise_all(tx: &mut Tx) -> berth_db::Result<()> {
    const RAISE: &str = "INSERT INTO directory_versions (part, version) VALUES ($1..) \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    let parts: Vec<i64> = (0..=Part::Organizations.number()).collect();
    let bind = |values: &mut berth_db::Values<'_, '_>, part: &i64| {
        values.bind(*part).bind(1_i64);
    };
    tx.insert(RAISE, &parts, bind).await?;
    Ok(())
}

/// The parts that an action invalidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Invalidates {
    /// None, or only the counters of a site, whose part is raised when they are stored.
    Nothing,
    /// People: users and their memberships.
    People,
    /// Organizations, which include their insurers.
    Organizations,
    /// Organizations, and people, who are listed with their organizations.
    PeopleAndOrganizations,
    /// The site, and people and organizations, which are listed with their sites.
    SitePeopleAndOrganizations,
    /// The site, which is listed with its pending reservations.
    Site,
}

/// Returns the parts that an action invalidates. Without a wildcard, so that a new action must be added here.
const fn invalidates(action: AuditAction) -> Invalidates {
    use crate::admin::audit_log::AuditAction as A;
    match action {
        A::EmailChangeUndone
        | A::EmailChanged
        | A::InvitationUsed
        | A::MembershipActivated
        | A::MembershipChanged
        | A::MembershipDeclined
        | A::MembershipDisabled
        | A::MembershipEnabled
        | A::MembershipInvited
        | A::MembershipInvitedAgain
        | A::MembershipRemoved
        | A::UserDeleted
        | A::UserRenamed => Invalidates::People,
        A::OrganizationCreated
        | A::OrganizationEdited
        | A::OrganizationHidden
        | A::OrganizationRemoved
        | A::OrganizationShown => Invalidates::PeopleAndOrganizations,
        A::SiteCreated | A::SiteEdited | A::SiteRemoved => Invalidates::SitePeopleAndOrganizations,
        // Accepting and discharging store the counters of the site, which raises its part.
        A::GuestCancelled
        | A::GuestCreated
        | A::GuestDeclineUndone
        | A::GuestExpired
        | A::GuestHoldExtended
        | A::GuestRejected => Invalidates::Site,
        A::InsurerCreated | A::InsurerEdited | A::InsurerRemoved => Invalidates::Organizations,
        A::AccessDenied
        | A::AuditExported
        | A::AuditViewed
        | A::BedCreated
        | A::BedDisabled
        | A::BedEdited
        | A::BedEnabled
        | A::BedRemoved
        | A::BillingPortalOpened
        | A::BoardExported
        | A::BoardViewed
        | A::BoardViewedByGlobalAdmin
        | A::CardAdded
        | A::CardMadeDefault
        | A::CardRemoved
        | A::CodeFailed
        | A::DashboardExported
        | A::DatabaseSeeded
        | A::EmailChangeAsked
        | A::EmailLookedUp
        | A::GuestAcceptUndone
        | A::GuestAccepted
        | A::GuestArrivalUndone
        | A::GuestArrived
        | A::GuestCardAdded
        | A::GuestCardViewed
        | A::GuestCardViewedByGlobalAdmin
        | A::GuestDepartureSet
        | A::GuestDischargeUndone
        | A::GuestMerged
        | A::GuestMergeUndone
        | A::GuestDischarged
        | A::GuestNotServedAllowed
        | A::GuestOverCapacity
        | A::GuestReassigned
        | A::GuestRefused
        | A::GuestSwapped
        | A::GuestThirdAllowed
        | A::GuestViewed
        | A::GuestViewedByGlobalAdmin
        | A::GuestViewedByGuest
        | A::GuestsListed
        | A::GuestsListedByGlobalAdmin
        | A::GuestsSearched
        | A::GuestsSearchedByGlobalAdmin
        | A::ImageUploaded
        | A::LoginFailed
        | A::MembershipRenewalAsked
        | A::NumbersExported
        | A::PasswordChanged
        | A::PasswordCreated
        | A::PasswordReset
        | A::PasswordResetAsked
        | A::PhoneChanged
        | A::PlacementOverridden
        | A::ProofFailed
        | A::ReasonCreated
        | A::ReasonEdited
        | A::ReasonRestored
        | A::ReasonRetired
        | A::RoomCreated
        | A::RoomEdited
        | A::RoomRemoved
        | A::SessionEnded
        | A::SessionOpened
        | A::SessionProved
        | A::SmsStarted
        | A::SmsStopped
        | A::SubscriptionAskedFor
        | A::SubscriptionCanceled
        | A::SubscriptionChanged
        | A::SubscriptionRestarted
        | A::SubscriptionStarted
        | A::TotpBegun
        | A::TotpCodesRenewed
        | A::TotpDisabled
        | A::TotpEnabled
        | A::UserLanguageChosen
        | A::UserQuietHoursChosen
        | A::WaitlistAdded
        | A::WaitlistCardViewed
        | A::WaitlistCardViewedByGlobalAdmin
        | A::WaitlistEdited
        | A::WaitlistLeft
        | A::WaitlistOfferDeclined
        | A::WaitlistOfferLapsed
        | A::WaitlistOfferMade
        | A::WaitlistOfferTaken
        | A::WaitlistOfferWithdrawn
        | A::WaitlistPrioritized
        | A::WaitlistViewed
        | A::WaitlistViewedByGlobalAdmin => Invalidates::Nothing,
    }
}

/// Raises the versions of the parts that an audit entry invalidates. Every change of a user, membership, organization or site
/// writes an entry in its own transaction (I11), so handlers need not know about the dashboard.
///
/// The order of the parts is that of `locks`: people, organizations, sites.
pub async fn note(tx: &mut Tx, entry: &Entry) -> Result<()> {
    match invalidates(entry.action) {
        Invalidates::Nothing => Ok(()),
        Invalidates::People => raise(tx, Part::People).await,
        Invalidates::Organizations => raise(tx, Part::Organizations).await,
        Invalidates::PeopleAndOrganizations => {
            raise(tx, Part::People).await?;
            raise(tx, Part::Organizations).await
        }
        Invalidates::SitePeopleAndOrganizations => {
            raise(tx, Part::People).await?;
            raise(tx, Part::Organizations).await?;
            raise_of_site(tx, entry.site_id).await
        }
        Invalidates::Site => raise_of_site(tx, entry.site_id).await,
    }
}

/// Raises the version of a site's part. A new site has none until its counters are stored.
async fn raise_of_site(tx: &mut Tx, site_id: Option<SiteId>) -> Result<()> {
    const RAISE: &str = "INSERT INTO directory_versions (part, version) \
        SELECT part, 1 FROM site_counts WHERE site_id = $1 \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    if let Some(site_id) = site_id {
        tx.query(RAISE).bind(site_id).execute().await?;
    }
    Ok(())
}

/// Returns the versions of all parts that ever changed.
pub async fn versions(mut db: impl Queries) -> Result<HashMap<i64, i64>> {
    const VERSIONS: &str = "SELECT part, version FROM directory_versions";
    let rows: Vec<(i64, i64)> = db.query(VERSIONS).all().await?;
    Ok(rows.into_iter().collect())
}
