//! Subscriptions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Expandable, Identified, Invoice, List, Price};

/// A subscription of a customer to one price.
#[derive(Debug, Clone, Deserialize)]
pub struct Subscription {
    /// `sub_…`
    pub id: String,
    /// The status.
    pub status: SubscriptionStatus,
    /// The customer who pays, `cus_…`.
    pub customer: String,
    /// The prices of the subscription; Berth sells one at a time.
    pub items: List<SubscriptionItem>,
    /// The latest invoice: its id, or the whole invoice if the call expands it.
    pub latest_invoice: Option<Expandable<Invoice>>,
    /// Our metadata: `site_id` and `organization_id`.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    /// The time at which the subscription was created, in Unix seconds.
    pub created: i64,
    /// The time from which the billing periods are counted, in Unix seconds.
    pub billing_cycle_anchor: i64,
    /// The end of the trial, in Unix seconds.
    pub trial_end: Option<i64>,
    /// True if the subscription ends with the current period.
    pub cancel_at_period_end: bool,
    /// The time at which the subscription will be canceled, in Unix seconds.
    pub cancel_at: Option<i64>,
    /// The time at which somebody canceled the subscription, in Unix seconds.
    pub canceled_at: Option<i64>,
    /// The time at which the subscription ended, in Unix seconds.
    pub ended_at: Option<i64>,
}

impl Identified for Subscription {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Subscription {
    /// Returns the first item. Berth sells subscriptions with one item.
    #[must_use]
    pub fn item(&self) -> Option<&SubscriptionItem> {
        self.items.data.first()
    }

    /// Returns the end of the current billing period, in Unix seconds. It says nothing about whether the period is
    /// paid.
    #[must_use]
    pub fn current_period_end(&self) -> Option<i64> {
        self.item().map(|item| item.current_period_end)
    }

    /// Returns the id of the latest invoice.
    #[must_use]
    pub fn latest_invoice_id(&self) -> Option<&str> {
        self.latest_invoice.as_ref().map(Expandable::id)
    }

    /// Returns the latest invoice, if the call expanded it.
    #[must_use]
    pub fn expanded_invoice(&self) -> Option<&Invoice> {
        self.latest_invoice.as_ref()?.object()
    }
}

/// The price of a subscription and its current period.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SubscriptionItem {
    /// `si_…`
    pub id: String,
    /// What is charged.
    pub price: Price,
    /// The start of the current billing period, in Unix seconds.
    pub current_period_start: i64,
    /// The end of the current billing period, in Unix seconds.
    pub current_period_end: i64,
}

/// Stripe's status of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// The first payment is due; the customer has 23 hours for it.
    Incomplete,
    /// The first payment was not made within 23 hours. Final.
    IncompleteExpired,
    /// In a free trial.
    Trialing,
    /// In good standing.
    Active,
    /// A renewal was not paid; Stripe tries again.
    PastDue,
    /// A renewal was not paid and Stripe has given up; invoices stay open.
    Unpaid,
    /// Canceled. Final.
    Canceled,
    /// A trial ended without a payment method.
    Paused,
}

impl SubscriptionStatus {
    /// All statuses.
    pub const ALL: [Self; 8] = [
        Self::Incomplete,
        Self::IncompleteExpired,
        Self::Trialing,
        Self::Active,
        Self::PastDue,
        Self::Unpaid,
        Self::Canceled,
        Self::Paused,
    ];

    /// Returns Stripe's name of the status, such as `past_due`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::IncompleteExpired => "incomplete_expired",
            Self::Trialing => "trialing",
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Unpaid => "unpaid",
            Self::Canceled => "canceled",
            Self::Paused => "paused",
        }
    }

    /// Returns true if the subscription can never become active again.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::IncompleteExpired | Self::Canceled)
    }
}
