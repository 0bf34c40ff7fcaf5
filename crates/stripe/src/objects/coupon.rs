//! Coupons and the promotion codes that customers type.

use serde::Deserialize;

use super::{Expandable, Identified};

/// A discount that can be applied to a subscription.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Coupon {
    /// The id, chosen by the person who created the coupon.
    pub id: String,
    /// The name that customers see.
    pub name: Option<String>,
    /// False once the coupon has expired or was used as often as it may be.
    pub valid: bool,
    /// Percent off the amount, 0 to 100. `None` if `amount_off` is set.
    pub percent_off: Option<f64>,
    /// Cents off the amount. `None` if `percent_off` is set.
    pub amount_off: Option<i64>,
    /// The currency of `amount_off`.
    pub currency: Option<String>,
    /// `once`, `repeating` or `forever`.
    pub duration: String,
    /// The number of months of a `repeating` coupon.
    pub duration_in_months: Option<i64>,
    /// The last time at which the coupon can be applied, in Unix seconds.
    pub redeem_by: Option<i64>,
}

impl Identified for Coupon {
    fn id(&self) -> &str {
        &self.id
    }
}

/// A code that customers type to get a coupon.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PromotionCode {
    /// `promo_…`
    pub id: String,
    /// What customers type.
    pub code: String,
    /// True if the code can be used now.
    pub active: bool,
    /// The only customer who may use the code. `None` if everyone may.
    pub customer: Option<String>,
    /// The time at which the code expires, in Unix seconds.
    pub expires_at: Option<i64>,
    /// What the code gives.
    pub promotion: Promotion,
    /// Who may not use the code.
    #[serde(default)]
    pub restrictions: Restrictions,
}

/// Who may not use a promotion code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct Restrictions {
    /// True if the code is only for customers without any payment or invoice before.
    pub first_time_transaction: bool,
}

/// What a promotion code gives.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Promotion {
    /// The coupon: its id, or the whole coupon if the call expands it.
    pub coupon: Option<Expandable<Coupon>>,
}
