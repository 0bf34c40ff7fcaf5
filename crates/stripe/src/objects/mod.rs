//! Stripe's objects, as far as Berth reads them. Other fields are ignored.

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

/// A customer, who pays for subscriptions. Only the id remains of a deleted customer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Customer {
    /// `cus_…`
    pub id: String,
    /// True if the customer was deleted.
    #[serde(default)]
    pub deleted: bool,
    /// The email address for receipts.
    pub email: Option<String>,
    /// How the customer pays invoices.
    #[serde(default)]
    pub invoice_settings: InvoiceSettings,
    /// Our metadata: `organization_id`.
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
    /// The type, `card`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The customer it is attached to, `cus_…`. `None` if it is not attached.
    pub customer: Option<String>,
    /// The card, without its number.
    pub card: Option<Card>,
}

impl Identified for PaymentMethod {
    fn id(&self) -> &str {
        &self.id
    }
}

/// The parts of a card that may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Card {
    /// `visa`, `mastercard` and others.
    pub brand: String,
    /// The last four digits.
    pub last4: String,
    /// The month of expiration, 1 to 12. The card is valid through that month.
    pub exp_month: i64,
    /// The year of expiration, four digits.
    pub exp_year: i64,
}

/// An attempt to save a card for later payments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SetupIntent {
    /// `seti_…`
    pub id: String,
    /// The secret that the browser needs to continue.
    pub client_secret: Option<String>,
    /// `requires_payment_method`, `requires_action`, `succeeded` and others.
    pub status: String,
    /// The card that was set up.
    pub payment_method: Option<String>,
}

/// A session of Stripe's customer portal.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PortalSession {
    /// `bps_…`
    pub id: String,
    /// The address to send the person to.
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
