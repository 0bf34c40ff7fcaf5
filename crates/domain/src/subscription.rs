//! The subscription of a commercial site (spec B 3, 4; DESIGN 6).

use crate::time::Timestamp;

text_enum! {
    /// The state of a site's subscription, in Stripe's words; `none` when there never was one.
    #[derive(Default, serde::Deserialize)]
    pub enum SubscriptionStatus {
        /// Paid.
        Active = "active",
        /// In its trial.
        Trialing = "trialing",
        /// The first payment is open.
        Incomplete = "incomplete",
        /// The first payment never came.
        IncompleteExpired = "incomplete_expired",
        /// A renewal failed.
        PastDue = "past_due",
        /// Suspended.
        Unpaid = "unpaid",
        /// Ended.
        Canceled = "canceled",
        /// Never begun.
        #[default]
        None = "none",
    }
}

text_enum! {
    /// What a user may do about a subscription (spec B 4).
    #[derive(serde::Deserialize)]
    pub enum SubscriptionAction {
        /// End it.
        Cancel = "Cancel Subscription",
        /// Pay again.
        Restart = "Restart Subscription",
        /// Choose a price and begin.
        Start = "Start Subscription",
    }
}

impl SubscriptionStatus {
    /// Reads a status as Stripe sends it: `paused` is unpaid, what we do not know is none.
    #[must_use]
    pub fn from_stripe(text: &str) -> Self {
        if text == "paused" { Self::Unpaid } else { Self::from_text(text).unwrap_or_default() }
    }

    /// As shown to users (spec B 4).
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

    /// What is offered in this state (spec B 4); nothing when trialing or unpaid.
    #[must_use]
    pub const fn actions(self) -> &'static [SubscriptionAction] {
        match self {
            Self::Active => &[SubscriptionAction::Cancel],
            Self::Incomplete | Self::IncompleteExpired | Self::PastDue => &[SubscriptionAction::Restart],
            Self::None | Self::Canceled => &[SubscriptionAction::Start],
            Self::Trialing | Self::Unpaid => &[],
        }
    }

    /// Whether the site may accept guests from the search: active, trialing, or canceled and paid beyond `now`.
    #[must_use]
    pub fn is_active(self, paid_period_end: Option<Timestamp>, now: Timestamp) -> bool {
        match self {
            Self::Active | Self::Trialing => true,
            Self::Canceled => paid_period_end.is_some_and(|end| end > now),
            Self::Incomplete | Self::IncompleteExpired | Self::PastDue | Self::Unpaid | Self::None => false,
        }
    }
}

/// See [`SubscriptionStatus::is_active`].
#[must_use]
pub fn is_active(status: SubscriptionStatus, paid_period_end: Option<Timestamp>, now: Timestamp) -> bool {
    status.is_active(paid_period_end, now)
}
