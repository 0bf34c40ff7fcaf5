//! The objects of Stripe, as far as Berth reads them. Fields that are not named here are left alone.

mod charge;
mod coupon;
mod event;
mod expandable;
mod invoice;
mod price;
mod subscription;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use charge::Charge;
pub use coupon::{Coupon, Promotion, PromotionCode};
pub use event::{Event, EventData, EventObject};
pub use expandable::{Expandable, Identified};
pub use invoice::{
    ConfirmationSecret, Invoice, InvoiceLine, InvoiceParent, InvoicePayment, InvoiceStatus, Payment, Period,
    StatusTransitions, SubscriptionDetails,
};
pub use price::{Price, Product, Recurring};
pub use subscription::{Subscription, SubscriptionItem, SubscriptionStatus};

/// A customer: whoever pays. Of a deleted one only the id is left.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Customer {
    /// `cus_…`
    pub id: String,
    /// Whether it was deleted.
    #[serde(default)]
    pub deleted: bool,
    /// Where receipts go.
    pub email: Option<String>,
    /// What invoices are paid with.
    #[serde(default)]
    pub invoice_settings: InvoiceSettings,
    /// Our notes on it.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

impl Identified for Customer {
    fn id(&self) -> &str {
        &self.id
    }
}

/// How a customer pays invoices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct InvoiceSettings {
    /// The payment method, `pm_…`.
    pub default_payment_method: Option<String>,
}

/// A way to pay; Berth takes cards only.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PaymentMethod {
    /// `pm_…`
    pub id: String,
    /// Its kind, `card`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whose it is, if anyone's.
    pub customer: Option<String>,
    /// The card, without its number.
    pub card: Option<Card>,
}

impl Identified for PaymentMethod {
    fn id(&self) -> &str {
        &self.id
    }
}

/// What may be known of a card.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Card {
    /// `visa`, `mastercard` and others.
    pub brand: String,
    /// The last four digits.
    pub last4: String,
    /// The last month in which it is good, 1 to 12.
    pub exp_month: i64,
    /// Its year, four digits.
    pub exp_year: i64,
}

/// An intent to save a card for later.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SetupIntent {
    /// `seti_…`
    pub id: String,
    /// What the browser goes on with.
    pub client_secret: Option<String>,
    /// `requires_payment_method`, `requires_action`, `succeeded` and others.
    pub status: String,
    /// The card that was set up.
    pub payment_method: Option<String>,
}

/// A visit to Stripe's own page of a customer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PortalSession {
    /// `bps_…`
    pub id: String,
    /// Where to send the person.
    pub url: String,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct List<T> {
    /// The rows, the newest first.
    pub data: Vec<T>,
    /// True if there are more rows than these.
    pub has_more: bool,
}
