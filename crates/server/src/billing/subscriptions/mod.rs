//! Subscriptions, plans, promo codes and billing of commercial sites (spec B 2, 4, 7; guide payments 1.4, 1.5;
//! docs/decisions/0045).
//!
//! Stripe has the authoritative state, and our rows are copies of what it last sent. A change is stored as an operation
//! before Stripe is called, and no transaction is open during a call.

pub(crate) mod cancel;
pub(crate) mod catalog;
pub(crate) mod coupon;
mod events;
pub(crate) mod history;
pub(crate) mod hold;
mod notices;
mod operations;
pub(crate) mod owner_message;
mod owners;
mod read;
pub(crate) mod restart;
mod rows;
pub(crate) mod start;
pub(crate) mod status;
pub(crate) mod summary;
mod sync;
mod upkeep;
pub(crate) mod webhook;

pub use catalog::Catalog;
pub use summary::Previews;
pub use sync::refresh_if_stale;
pub use upkeep::{is_due, run};
pub use webhook::MAX_EVENT_BYTES;

use berth_domain::id::SiteId;
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::housing::sites::SiteSubscription;

/// The site whose subscription is changed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubscriptionOfSite {
    /// The site.
    site_id: SiteId,
}

/// A subscription after a change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedSubscription {
    /// The site.
    site_id: SiteId,
    /// The status now. `incomplete` and `past_due` mean that the payment failed.
    status: SubscriptionStatus,
    /// True if guests from the search can be accepted now.
    is_active: bool,
    /// The end of the paid period.
    paid_period_end: Option<Timestamp>,
    /// The secret for `confirmCardPayment` of Stripe.js if the cardholder must confirm at the bank; null if nothing is
    /// left to do, or if only another card helps.
    client_secret: Option<String>,
}

impl ChangedSubscription {
    const fn of(site_id: SiteId, subscription: SiteSubscription, client_secret: Option<String>) -> Self {
        let SiteSubscription { status, is_active, paid_period_end } = subscription;
        Self { site_id, status, is_active, paid_period_end, client_secret }
    }
}

/// Converts cents to dollars, for responses.
#[expect(clippy::cast_precision_loss, reason = "amounts stay far below 2^53 cents")]
fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
}

/// Converts Stripe's Unix seconds.
const fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1000))
}
