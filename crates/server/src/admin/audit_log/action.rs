//! The actions and the kinds of objects of audit rows.

use crate::auth::caller::Caller;

/// Declares an enum whose values are stored as text, with the list of all values.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $(#[$doc])* $variant),+
        }

        impl $name {
            /// All values, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the text in the database and in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// Finds the value of a text.
            #[must_use]
            pub fn from_text(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == text)
            }
        }
    };
}

words! {
    /// What was done. Labels are in `web/src/i18n/locales/*/audit-log.json`.
    AuditAction {
        /// A call was answered with 403, or with 404 for a record that the caller may not see.
        AccessDenied = "access.denied",
        /// Rows of the audit trail were exported as a file.
        AuditExported = "audit.exported",
        /// A list of the audit trail was read.
        AuditViewed = "audit.viewed",
        BedCreated = "bed.created",
        BedDisabled = "bed.disabled",
        BedEdited = "bed.edited",
        BedEnabled = "bed.enabled",
        BedRemoved = "bed.removed",
        BillingPortalOpened = "billing.portal-opened",
        /// The bed report of a site was exported as a file.
        BoardExported = "board.exported",
        /// Beds were shown with their guests.
        BoardViewed = "board.viewed",
        BoardViewedByGlobalAdmin = "board.viewed-by-global-admin",
        CardAdded = "card.added",
        CardMadeDefault = "card.made-default",
        CardRemoved = "card.removed",
        /// A wrong confirmation code.
        CodeFailed = "code.failed",
        DashboardExported = "dashboard.exported",
        DatabaseSeeded = "database.seeded",
        EmailChangeAsked = "email.change-asked",
        /// A change of the email was undone from the old address.
        EmailChangeUndone = "email.change-undone",
        EmailChanged = "email.changed",
        /// A user checked whether an email is in use.
        EmailLookedUp = "email.looked-up",
        /// The reservation is pending again, its bed is free, and the stay is removed.
        GuestAcceptUndone = "guest.accept-undone",
        GuestAccepted = "guest.accepted",
        /// The arrival was taken back.
        GuestArrivalUndone = "guest.arrival-undone",
        GuestArrived = "guest.arrived",
        /// The guest cancelled the reservation on the public side.
        GuestCancelled = "guest.cancelled",
        /// The person uploaded a picture of the insurance card.
        GuestCardAdded = "guest.card-added",
        GuestCardViewed = "guest.card-viewed",
        GuestCardViewedByGlobalAdmin = "guest.card-viewed-by-global-admin",
        GuestCreated = "guest.created",
        GuestDeclineUndone = "guest.decline-undone",
        /// The day on which the guest is expected to leave was set, changed or removed.
        GuestDepartureSet = "guest.departure-set",
        GuestDischargeUndone = "guest.discharge-undone",
        GuestDischarged = "guest.discharged",
        GuestExpired = "guest.expired",
        /// The hold of a reservation was extended because the site's subscription is being paid.
        GuestHoldExtended = "guest.hold-extended",
        /// The merge of two reservations was undone.
        GuestMergeUndone = "guest.merge-undone",
        /// The reservation was merged into another one of the same person.
        GuestMerged = "guest.merged",
        /// Created although the site does not offer everything that the guest needs.
        GuestNotServedAllowed = "guest.not-served-allowed",
        /// A walk-in, created while reservations may hold every vacant bed.
        GuestOverCapacity = "guest.over-capacity",
        GuestReassigned = "guest.reassigned",
        /// A command on a guest was rejected; the answer showed the guest.
        GuestRefused = "guest.refused",
        GuestRejected = "guest.rejected",
        GuestSwapped = "guest.swapped",
        GuestThirdAllowed = "guest.third-allowed",
        GuestViewed = "guest.viewed",
        GuestViewedByGlobalAdmin = "guest.viewed-by-global-admin",
        /// The guest viewed the state of the reservation on the public side.
        GuestViewedByGuest = "guest.viewed-by-guest",
        GuestsListed = "guests.listed",
        GuestsListedByGlobalAdmin = "guests.listed-by-global-admin",
        /// Guests, sites, organizations and users were searched for, and guests may have been found.
        GuestsSearched = "guests.searched",
        GuestsSearchedByGlobalAdmin = "guests.searched-by-global-admin",
        ImageUploaded = "image.uploaded",
        InsurerCreated = "insurer.created",
        InsurerEdited = "insurer.edited",
        InsurerRemoved = "insurer.removed",
        InvitationUsed = "invitation.used",
        /// A wrong email or password.
        LoginFailed = "login.failed",
        MembershipActivated = "membership.activated",
        MembershipChanged = "membership.changed",
        /// The person declined an invitation.
        MembershipDeclined = "membership.declined",
        MembershipDisabled = "membership.disabled",
        MembershipEnabled = "membership.enabled",
        MembershipInvited = "membership.invited",
        MembershipInvitedAgain = "membership.invited-again",
        MembershipRemoved = "membership.removed",
        MembershipRenewalAsked = "membership.renewal-asked",
        /// The numbers of a site or an organization were exported as a file.
        NumbersExported = "numbers.exported",
        OrganizationCreated = "organization.created",
        OrganizationEdited = "organization.edited",
        OrganizationHidden = "organization.hidden",
        OrganizationRemoved = "organization.removed",
        OrganizationShown = "organization.shown",
        PasswordChanged = "password.changed",
        PasswordCreated = "password.created",
        PasswordReset = "password.reset",
        PasswordResetAsked = "password.reset-asked",
        PhoneChanged = "phone.changed",
        /// A guest was placed against the rules of the site or the house, with a reason.
        PlacementOverridden = "placement.overridden",
        /// A wrong password in an open session.
        ProofFailed = "proof.failed",
        ReasonCreated = "reason.created",
        ReasonEdited = "reason.edited",
        /// A retired reason can be chosen again.
        ReasonRestored = "reason.restored",
        /// A reason can no longer be chosen.
        ReasonRetired = "reason.retired",
        RoomCreated = "room.created",
        RoomEdited = "room.edited",
        RoomRemoved = "room.removed",
        SessionEnded = "session.ended",
        SessionOpened = "session.opened",
        SessionProved = "session.proved",
        SiteCreated = "site.created",
        SiteEdited = "site.edited",
        SiteRemoved = "site.removed",
        /// A phone number opted in to text messages again.
        SmsStarted = "sms.started",
        /// A phone number opted out of text messages.
        SmsStopped = "sms.stopped",
        /// The owners were asked to start the subscription that a pending reservation needs.
        SubscriptionAskedFor = "subscription.asked-for",
        SubscriptionCanceled = "subscription.canceled",
        /// The payment provider reported another status or another end of the paid period.
        SubscriptionChanged = "subscription.changed",
        SubscriptionRestarted = "subscription.restarted",
        SubscriptionStarted = "subscription.started",
        TotpBegun = "totp.begun",
        TotpCodesRenewed = "totp.codes-renewed",
        TotpDisabled = "totp.disabled",
        TotpEnabled = "totp.enabled",
        UserDeleted = "user.deleted",
        UserLanguageChosen = "user.language-chosen",
        /// A user set the hours without messages, or turned them off.
        UserQuietHoursChosen = "user.quiet-hours-chosen",
        /// A user changed their own name.
        UserRenamed = "user.renamed",
        /// A person was put on the waitlist of a site.
        WaitlistAdded = "waitlist.added",
        /// A picture of the insurance card of a person on the waitlist was viewed.
        WaitlistCardViewed = "waitlist.card-viewed",
        WaitlistCardViewedByGlobalAdmin = "waitlist.card-viewed-by-global-admin",
        /// The form of a person on the waitlist was edited.
        WaitlistEdited = "waitlist.edited",
        /// A person was taken off the waitlist, or the site was removed.
        WaitlistLeft = "waitlist.left",
        /// A person did not want an offered bed.
        WaitlistOfferDeclined = "waitlist.offer-declined",
        /// An offer was not answered in time.
        WaitlistOfferLapsed = "waitlist.offer-lapsed",
        /// A bed that became free was offered to a person on the waitlist.
        WaitlistOfferMade = "waitlist.offer-made",
        /// A person took an offered bed.
        WaitlistOfferTaken = "waitlist.offer-taken",
        /// The bed of an offer was disabled or removed.
        WaitlistOfferWithdrawn = "waitlist.offer-withdrawn",
        /// A person was given priority, or the priority ended.
        WaitlistPrioritized = "waitlist.prioritized",
        WaitlistViewed = "waitlist.viewed",
        WaitlistViewedByGlobalAdmin = "waitlist.viewed-by-global-admin",
    }
}

words! {
    /// The kind of an object.
    ObjectKind {
        Bed = "bed",
        /// A saved payment card.
        Card = "card",
        /// An uploaded picture.
        File = "file",
        Guest = "guest",
        InsuranceCompany = "insuranceCompany",
        /// The access of a user to an organization or a site.
        Membership = "membership",
        Organization = "organization",
        /// A reason for declines or discharges.
        Reason = "reason",
        /// A house.
        Room = "room",
        Session = "session",
        Site = "site",
        /// The subscription of a site.
        Subscription = "subscription",
        User = "user",
        /// A person on the waitlist of a site.
        WaitingGuest = "waitingGuest",
    }
}

impl AuditAction {
    /// Returns the action that is recorded when the caller views something: views by global admins have actions of their own
    /// (security-and-proof 2.3, 21).
    #[must_use]
    pub fn by(self, caller: &Caller) -> Self {
        match self {
            Self::BoardViewed if caller.is_global() => Self::BoardViewedByGlobalAdmin,
            Self::GuestCardViewed if caller.is_global() => Self::GuestCardViewedByGlobalAdmin,
            Self::GuestViewed if caller.is_global() => Self::GuestViewedByGlobalAdmin,
            Self::GuestsListed if caller.is_global() => Self::GuestsListedByGlobalAdmin,
            Self::GuestsSearched if caller.is_global() => Self::GuestsSearchedByGlobalAdmin,
            Self::WaitlistCardViewed if caller.is_global() => Self::WaitlistCardViewedByGlobalAdmin,
            Self::WaitlistViewed if caller.is_global() => Self::WaitlistViewedByGlobalAdmin,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AuditAction, ObjectKind};

    #[test]
    fn every_action_parses_from_its_unique_word() {
        for action in AuditAction::ALL {
            assert_eq!(AuditAction::from_text(action.as_str()), Some(*action));
        }
        for kind in ObjectKind::ALL {
            assert_eq!(ObjectKind::from_text(kind.as_str()), Some(*kind));
        }
        assert!(AuditAction::ALL.is_sorted_by(|left, right| left.as_str() < right.as_str()));
        assert!(ObjectKind::ALL.is_sorted_by(|left, right| left.as_str() < right.as_str()));
        assert_eq!(AuditAction::from_text("guest.vanished"), None);
    }
}
