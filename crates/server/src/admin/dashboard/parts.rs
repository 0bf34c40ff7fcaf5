//! The parts of what the dashboard lists, each with a version in the database that every change raises. They let a process
//! remember the lists and yet never show an old one: a part is read again when its version is another.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::SiteId;

use crate::Result;
use crate::admin::audit_log::{AuditAction, Entry};

/// A part of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Some of the sites, 0 to 63: a change of one bed makes others of its part be read again, not all.
    Sites(i64),
    /// Users and their memberships.
    People,
    /// Organizations.
    Organizations,
}

impl Part {
    /// How many parts the sites are spread over.
    pub const OF_SITES: i64 = 64;

    /// The part that a new site comes into. Ids end in random bits.
    #[must_use]
    pub fn of_new_site(id: SiteId) -> i64 {
        i64::from(id.0.as_bytes()[15]) % Self::OF_SITES
    }

    /// Its number in the database.
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

/// Raises the versions of all parts, after many rows were loaded at once.
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

/// What an action changes of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changes {
    /// Nothing; or counters alone, which are settled with their site.
    Nothing,
    /// People and their memberships.
    People,
    /// Organizations, and whom they belong to.
    Organizations,
    /// A site, whom it belongs to, and how many sites its organization has.
    Site,
    /// How many reservations wait at a site.
    Waiting,
    /// Insurers, which organizations show.
    Insurers,
}

/// Which lists an action changes. Complete, so that a new action cannot be forgotten here.
const fn changes(action: AuditAction) -> Changes {
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
        | A::UserRenamed => Changes::People,
        A::OrganizationCreated
        | A::OrganizationEdited
        | A::OrganizationHidden
        | A::OrganizationRemoved
        | A::OrganizationShown => Changes::Organizations,
        A::SiteCreated | A::SiteEdited | A::SiteRemoved => Changes::Site,
        // Whoever is accepted or discharged changes the counters of the site, which are settled.
        A::GuestCancelled
        | A::GuestCreated
        | A::GuestDeclineUndone
        | A::GuestExpired
        | A::GuestHoldExtended
        | A::GuestRejected => Changes::Waiting,
        A::InsurerCreated | A::InsurerEdited | A::InsurerRemoved => Changes::Insurers,
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
        | A::GuestCardAdded
        | A::GuestCardViewed
        | A::GuestCardViewedByGlobalAdmin
        | A::GuestDischargeUndone
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
        | A::ImageUploaded
        | A::LoginFailed
        | A::MembershipRenewalAsked
        | A::NumbersExported
        | A::PasswordChanged
        | A::PasswordCreated
        | A::PasswordReset
        | A::PasswordResetAsked
        | A::PhoneChanged
        | A::ProofFailed
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
        | A::UserQuietHoursChosen => Changes::Nothing,
    }
}

/// Raises what an entry of the trail changes. Every change of a user, membership, organization or site has one in its own
/// transaction (I11), so that no handler has to think of the dashboard.
pub async fn note(tx: &mut Tx, entry: &Entry) -> Result<()> {
    const OF_SITE: &str = "INSERT INTO directory_versions (part, version) \
        SELECT part, 1 FROM site_counts WHERE site_id = $1 \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    let changes = changes(entry.action);
    if matches!(changes, Changes::Site | Changes::Waiting)
        && let Some(site_id) = entry.site_id
    {
        tx.query(OF_SITE).bind(site_id).execute().await?;
    }
    // In this order, as everywhere, so that two transactions do not wait for each other.
    match changes {
        Changes::Nothing | Changes::Waiting => Ok(()),
        Changes::Insurers => raise(tx, Part::Organizations).await,
        Changes::People => raise(tx, Part::People).await,
        Changes::Organizations | Changes::Site => {
            raise(tx, Part::People).await?;
            raise(tx, Part::Organizations).await
        }
    }
}

/// The versions of all parts that ever changed.
pub async fn versions(tx: &mut Tx) -> Result<HashMap<i64, i64>> {
    const VERSIONS: &str = "SELECT part, version FROM directory_versions";
    let rows: Vec<(i64, i64)> = tx.query(VERSIONS).all().await?;
    Ok(rows.into_iter().collect())
}
