//! Invoices and how they were paid.

use std::collections::BTreeMap;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{Identified, List};

/// An invoice, or the preview of one.
#[derive(Debug, Clone, Deserialize)]
pub struct Invoice {
    /// `in_…`; of a preview `upcoming_in_…`.
    pub id: String,
    /// The number that customers see. `None` for drafts and previews.
    pub number: Option<String>,
    /// The status.
    pub status: Option<InvoiceStatus>,
    /// The customer who pays, `cus_…`.
    pub customer: String,
    /// Three lowercase letters: `usd`.
    pub currency: String,
    /// The total after discounts, in cents.
    pub total: i64,
    /// What the customer has to pay, in cents.
    pub amount_due: i64,
    /// What the customer has paid, in cents.
    pub amount_paid: i64,
    /// What is left to pay, in cents.
    pub amount_remaining: i64,
    /// The time at which the invoice was created, in Unix seconds.
    pub created: i64,
    /// The start of the time in which items were added to the invoice, in Unix seconds. The period that is paid for is
    /// in `lines`.
    pub period_start: i64,
    /// The end of that time, in Unix seconds.
    pub period_end: i64,
    /// A note that customers see.
    pub description: Option<String>,
    /// `subscription_create`, `subscription_cycle` and others.
    pub billing_reason: Option<String>,
    /// The time of the next attempt to charge the card, in Unix seconds.
    pub next_payment_attempt: Option<i64>,
    /// Stripe's page of the invoice.
    pub hosted_invoice_url: Option<String>,
    /// The invoice as a PDF file.
    pub invoice_pdf: Option<String>,
    /// What the customer pays for.
    pub lines: List<InvoiceLine>,
    /// What the invoice belongs to.
    pub parent: Option<InvoiceParent>,
    /// The payments of the invoice, where the call expands them.
    pub payments: Option<List<InvoicePayment>>,
    /// What a browser needs to confirm the payment, where the call expands it.
    pub confirmation_secret: Option<ConfirmationSecret>,
    /// When the invoice changed its status.
    pub status_transitions: StatusTransitions,
}

impl Identified for Invoice {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Invoice {
    /// Returns the id of the subscription that the invoice belongs to.
    #[must_use]
    pub fn subscription_id(&self) -> Option<&str> {
        let details = self.parent.as_ref()?.subscription_details.as_ref()?;
        Some(&details.subscription)
    }

    /// Returns true if the invoice is paid, or if there was nothing to pay.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        self.status == Some(InvoiceStatus::Paid)
    }

    /// Returns the end of the period that the invoice pays for, in Unix seconds.
    #[must_use]
    pub fn paid_until(&self) -> Option<i64> {
        self.lines.data.iter().map(|line| line.period.end).max()
    }

    /// Returns the ids of the invoice's payment intents, the default one first.
    #[must_use]
    pub fn payment_intents(&self) -> Vec<&str> {
        let mut payments: Vec<&InvoicePayment> = self.payments.iter().flat_map(|list| &list.data).collect();
        payments.sort_by_key(|payment| !payment.is_default);
        payments.iter().filter_map(|payment| payment.payment.payment_intent.as_deref()).collect()
    }
}

/// Stripe's status of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvoiceStatus {
    /// Not final. Customers do not see it.
    Draft,
    /// Final, but not paid yet.
    Open,
    /// Paid.
    Paid,
    /// Stripe has given up on being paid.
    Uncollectible,
    /// Canceled. It no longer has to be paid.
    Void,
}

impl InvoiceStatus {
    /// Returns Stripe's name of the status, such as `open`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Uncollectible => "uncollectible",
            Self::Void => "void",
        }
    }
}

/// One line of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InvoiceLine {
    /// What it is for.
    pub description: Option<String>,
    /// The amount before discounts, in cents.
    pub amount: i64,
    /// The period that is paid for.
    pub period: Period,
}

/// A period in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Period {
    /// The start.
    pub start: i64,
    /// The end.
    pub end: i64,
}

/// What an invoice belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InvoiceParent {
    /// The subscription.
    pub subscription_details: Option<SubscriptionDetails>,
}

/// The subscription that an invoice belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SubscriptionDetails {
    /// `sub_…`
    pub subscription: String,
    /// The subscription's metadata at the time of the invoice.
    pub metadata: Option<BTreeMap<String, String>>,
}

/// A payment of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InvoicePayment {
    /// `inpay_…`
    pub id: String,
    /// The amount paid, in cents. `None` until something is paid.
    pub amount_paid: Option<i64>,
    /// True for the payment that Stripe made for the invoice.
    pub is_default: bool,
    /// `open`, `paid` or `canceled`.
    pub status: String,
    /// How it was paid.
    pub payment: Payment,
}

/// How an invoice was paid.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Payment {
    /// The payment intent, `pi_…`. Charges refer to the same id.
    pub payment_intent: Option<String>,
}

/// What a browser needs to confirm a payment.
#[derive(Debug, Clone, Deserialize)]
pub struct ConfirmationSecret {
    /// Passed to `confirmCardPayment`. It must not be logged or stored.
    pub client_secret: SecretString,
}

/// When an invoice changed its status, in Unix seconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct StatusTransitions {
    /// It became `open`.
    pub finalized_at: Option<i64>,
    /// It became `paid`.
    pub paid_at: Option<i64>,
    /// It became `void`.
    pub voided_at: Option<i64>,
}
