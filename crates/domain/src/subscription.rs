//! The subscription of a commercial site (spec B 3, 4; DESIGN 6).

use crate::time::Timestamp;

text_enum! {
    /// The status of a site's subscription, as Stripe names it. `none` if there never was one.
    #[derive(Default, serde::Deserialize)]
    pub enum SubscriptionStatus {
        /// Paid.
        Active = "active",
        /// In its trial.
        Trialing = "trialing",
        /// The first payment is open.
        Incomplete = "incomplete",
        /// The first payment was not made in time.
        IncompleteExpired = "incomplete_expired",
        /// A renewal failed.
        PastDue = "past_due",
        /// Suspended.
        Unpaid = "unpaid",
        /// Ended.
        Canceled = "canceled",
        /// There never was one.
        #[default]
        None = "none",
    }
}

text_enum! {
    /// An action on a subscription (spec B 4).
    #[derive(serde::Deserialize)]
    pub enum SubscriptionAction {
        /// Cancel it.
        Cancel = "Cancel Subscription",
        /// Pay again.
        Restart = "Restart Subscription",
        /// Choose a plan and start.
        Start = "Start Subscription",
    }
}

impl SubscriptionStatus {
    /// Parses a status of Stripe. `paused` and unknown ones are unpaid: no access, and the subscription can be canceled.
    #[must_use]
    pub fn from_stripe(text: &str) -> Self {
        Self::from_text(text).unwrap_or(Self::Unpaid)
    }

    /// Returns the name for users (spec B 4).
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Trialing => "Trialing",
            Self::Incomplete => "Incomplete – Action Needed",
            Self::IncompleteExpired => "Expired – Restart Required",
            Self::PastDue => "Past Due – Payment Failed",
            Self::Unpaid => "Unpaid – Suspended",
            Self::Canceled => "Canceled",
            Self::None => "N/A",
        }
    }

    /// Returns the actions that are offered for this status (spec B 4). None for trialing and unpaid.
    #[must_use]
    pub const fn actions(self) -> &'static [SubscriptionAction] {
        match self {
            Self::Active => &[SubscriptionAction::Cancel],
            Self::Incomplete | Self::IncompleteExpired | Self::PastDue => &[SubscriptionAction::Restart],
            Self::None | Self::Canceled => &[SubscriptionAction::Start],
            Self::Trialing | Self::Unpaid => &[],
        }
    }

    /// Returns true while Stripe may still charge for the subscription, even if a payment is overdue.
    #[must_use]
    pub const fn is_live(self) -> bool {
        !matches!(self, Self::Canceled | Self::IncompleteExpired | Self::None)
    }

    /// Returns true if the site may accept guests from the search: active, trialing, or canceled and paid beyond `now`.
    #[must_use]
    pub fn is_active(self, paid_period_end: Option<Timestamp>, now: Timestamp) -> bool {
        match self {
            Self::Active | Self::Trialing => true,
            Self::Canceled => paid_period_end.is_some_and(|end| end > now),
            Self::Incomplete | Self::IncompleteExpired | Self::PastDue | Self::Unpaid | Self::None => false,
        }
    }
}

/// Checks that a subscription can be started at a site whose current one has `status`.
///
/// # Errors
/// A sentence for the owner.
pub const fn may_start(status: SubscriptionStatus) -> Result<(), &'static str> {
    match status {
        SubscriptionStatus::Incomplete | SubscriptionStatus::PastDue => {
            Err("A payment of this site's subscription is open. Restart the subscription instead.")
        }
        status if status.is_live() => Err("This site already has a subscription."),
        _ => Ok(()),
    }
}

/// Checks that a subscription with `status` can be restarted.
///
/// # Errors
/// A sentence for the owner.
pub const fn may_restart(status: SubscriptionStatus) -> Result<(), &'static str> {
    match status {
        SubscriptionStatus::Incomplete | SubscriptionStatus::IncompleteExpired | SubscriptionStatus::PastDue => Ok(()),
        SubscriptionStatus::None | SubscriptionStatus::Canceled => {
            Err("This site has no subscription to restart. Start a new one.")
        }
        SubscriptionStatus::Active | SubscriptionStatus::Trialing | SubscriptionStatus::Unpaid => {
            Err("This subscription has no payment to repeat.")
        }
    }
}

/// Checks that a subscription with `status` can be canceled.
///
/// # Errors
/// A sentence for the owner.
pub const fn may_cancel(status: SubscriptionStatus) -> Result<(), &'static str> {
    if status.is_live() { Ok(()) } else { Err("This site has no subscription to cancel.") }
}

/// Returns the end of the paid period after a read of Stripe: the end of the current period if that period's invoice is
/// paid, otherwise the end known before. Otherwise an overdue subscription that is then canceled would stay usable
/// without payment.
#[must_use]
pub const fn paid_period_end(
    before: Option<Timestamp>,
    current_period_end: Option<Timestamp>,
    is_invoice_paid: bool,
) -> Option<Timestamp> {
    match current_period_end {
        Some(end) if is_invoice_paid => Some(end),
        _ => before,
    }
}
