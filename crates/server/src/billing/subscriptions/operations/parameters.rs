//! The stored parameters of an operation.

use berth_domain::plan::FirstCharge;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The call to Stripe that an operation makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(in crate::billing::subscriptions) enum Parameters {
    /// Create a subscription. The name of the site is stored so that each try sends the same.
    Start {
        customer: String,
        price: String,
        discount: Option<StoredDiscount>,
        charge: StoredCharge,
        is_restart: bool,
        #[serde(default)]
        site_name: Option<String>,
    },
    /// Pay the open invoice of a subscription.
    Pay { subscription: String, invoice: String },
    /// Cancel a subscription.
    Cancel { subscription: String },
}

/// The stored form of [`Discount`](berth_stripe::Discount).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::billing::subscriptions) enum StoredDiscount {
    PromotionCode(String),
    Coupon(String),
}

/// The stored form of [`FirstCharge`], with times in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::billing::subscriptions) enum StoredCharge {
    Now,
    Anchor(i64),
    Trial(i64),
}

impl From<FirstCharge> for StoredCharge {
    fn from(charge: FirstCharge) -> Self {
        // Rounded up, so that the new period does not overlap the paid one.
        let seconds = |at: Timestamp| (at.millis() + 999).div_euclid(1000);
        match charge {
            FirstCharge::Now => Self::Now,
            FirstCharge::AtAnchor(at) => Self::Anchor(seconds(at)),
            FirstCharge::AfterTrial(at) => Self::Trial(seconds(at)),
        }
    }
}

impl Parameters {
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Pay { .. } => "pay",
            Self::Cancel { .. } => "cancel",
        }
    }

    /// Returns true if two operations do the same. The time of the first charge is ignored, because it depends on the
    /// time of the request.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Start { customer, price, discount, .. },
                Self::Start { customer: other_customer, price: other_price, discount: other_discount, .. },
            ) => (customer, price, discount) == (other_customer, other_price, other_discount),
            _ => self == other,
        }
    }
}
