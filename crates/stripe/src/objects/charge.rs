//! Charges of cards.

use serde::Deserialize;

/// An attempt to move money.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Charge {
    /// `ch_…`
    pub id: String,
    /// `succeeded`, `pending` or `failed`.
    pub status: String,
    /// The amount in cents.
    pub amount: i64,
    /// Three lowercase letters: `usd`.
    pub currency: String,
    /// The time of the attempt, in Unix seconds.
    pub created: i64,
    /// The payment intent, `pi_…`. The payments of an invoice refer to the same id.
    pub payment_intent: Option<String>,
    /// Stripe's page of the receipt. `None` if the charge failed.
    pub receipt_url: Option<String>,
    /// True if the whole charge was refunded.
    pub refunded: bool,
    /// Why the charge failed: `card_declined` and others.
    pub failure_code: Option<String>,
    /// Why the charge failed, as a message for the cardholder.
    pub failure_message: Option<String>,
}

impl super::Identified for Charge {
    fn id(&self) -> &str {
        &self.id
    }
}
