//! Plans and promo codes (spec B 3, 4, 7; guide payments 1.4, 1.5): durations, the first charge of a subscription, and
//! whether a promo code can be used.

use crate::time::Timestamp;

text_enum! {
    /// How often a plan is charged.
    #[derive(serde::Deserialize)]
    pub enum PlanInterval {
        /// Every month, or every few months.
        Month = "month",
        /// Every year, or every few years.
        Year = "year",
    }
}

/// Longest time between two charges, in months.
const MAX_MONTHS: i64 = 120;

/// When a new subscription is charged for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstCharge {
    /// At once.
    Now,
    /// At the end of the period that is already paid, at most one interval ahead. Sent as Stripe's
    /// `billing_cycle_anchor`.
    AtAnchor(Timestamp),
    /// At the end of the period that is already paid, further ahead than an anchor may be. Sent as Stripe's
    /// `trial_end`.
    AfterTrial(Timestamp),
}

/// A paid period that ends within this many milliseconds counts as over: it would end before the call reaches Stripe.
const TOO_SOON: i64 = 60_000;

/// Returns when a subscription that starts `now` is first charged, so that nobody pays twice for the same days. A
/// period of the plan is `months` long, and the site is already paid until `paid_period_end`.
#[must_use]
pub fn first_charge(paid_period_end: Option<Timestamp>, months: i64, now: Timestamp) -> FirstCharge {
    match paid_period_end {
        Some(end) if end > now.plus_millis(TOO_SOON) => {
            if after_months(now, months).is_some_and(|latest| end <= latest) {
                FirstCharge::AtAnchor(end)
            } else {
                FirstCharge::AfterTrial(end)
            }
        }
        _ => FirstCharge::Now,
    }
}

/// Returns the time that is `months` calendar months later, in UTC. More than 120 months count as 120. None if that
/// time cannot be represented.
fn after_months(now: Timestamp, months: i64) -> Option<Timestamp> {
    let span = jiff::Span::new().try_months(months.clamp(0, MAX_MONTHS)).ok()?;
    let at = jiff::Timestamp::from_millisecond(now.millis()).ok()?.to_zoned(jiff::tz::TimeZone::UTC);
    Some(Timestamp::from_millis(at.checked_add(span).ok()?.timestamp().as_millisecond()))
}

/// What Stripe says about a promo code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromoCode<'a> {
    /// True if the code is active.
    pub is_active: bool,
    /// True if its coupon is valid.
    pub is_coupon_valid: bool,
    /// When the code expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// The only customer who may use the code, if it is restricted to one.
    pub customer: Option<&'a str>,
    /// True if the code is for customers who have paid nothing before.
    pub is_for_new_customers: bool,
    /// True if the customer who wants to use it has paid something before.
    pub has_paid: bool,
}

impl PromoCode<'_> {
    /// Returns true if `customer` may use the code now. An organization that is not a customer of Stripe yet is none.
    #[must_use]
    pub fn is_usable(&self, customer: Option<&str>, now: Timestamp) -> bool {
        self.is_active
            && self.is_coupon_valid
            && self.expires_at.is_none_or(|end| end > now)
            && self.customer.is_none_or(|only| customer == Some(only))
            && !(self.is_for_new_customers && self.has_paid)
    }
}

#[cfg(test)]
mod tests {
    use super::{FirstCharge, PromoCode, first_charge};
    use crate::time::Timestamp;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn a_paid_period_is_not_paid_twice() {
        let now = at("2026-01-31T12:00:00Z");
        let of = |end: &str, months: i64| first_charge(Some(at(end)), months, now);
        assert_eq!(first_charge(None, 1, now), FirstCharge::Now);
        assert_eq!(of("2026-01-30T12:00:00Z", 1), FirstCharge::Now, "it is over");
        assert_eq!(of("2026-01-31T12:00:59Z", 1), FirstCharge::Now, "it ends before the call reaches Stripe");
        let soon = at("2026-02-14T00:00:00Z");
        assert_eq!(first_charge(Some(soon), 1, now), FirstCharge::AtAnchor(soon));
        // The last day of a short month.
        let last = at("2026-02-28T12:00:00Z");
        assert_eq!(first_charge(Some(last), 1, now), FirstCharge::AtAnchor(last));
        let later = last.plus_millis(1);
        assert_eq!(first_charge(Some(later), 1, now), FirstCharge::AfterTrial(later), "Stripe refuses the anchor");
        // A year was paid. Then a monthly and a yearly plan.
        let year = at("2026-12-31T00:00:00Z");
        assert_eq!(first_charge(Some(year), 1, now), FirstCharge::AfterTrial(year));
        assert_eq!(first_charge(Some(year), 12, now), FirstCharge::AtAnchor(year));
        assert_eq!(first_charge(Some(year), i64::MAX, now), FirstCharge::AtAnchor(year));
        assert_eq!(first_charge(Some(year), -5, now), FirstCharge::AfterTrial(year));
    }

    #[test]
    fn a_promo_code_is_valid_while_all_its_parts_are() {
        let now = at("2026-01-31T12:00:00Z");
        let good = PromoCode {
            is_active: true,
            is_coupon_valid: true,
            expires_at: None,
            customer: None,
            is_for_new_customers: false,
            has_paid: false,
        };
        let usable = |code: PromoCode<'_>| (code.is_usable(None, now), code.is_usable(Some("cus_1"), now));
        assert_eq!(usable(good), (true, true));
        assert_eq!(usable(PromoCode { is_active: false, ..good }), (false, false));
        assert_eq!(usable(PromoCode { is_coupon_valid: false, ..good }), (false, false));
        assert_eq!(usable(PromoCode { expires_at: Some(now), ..good }), (false, false));
        assert_eq!(usable(PromoCode { expires_at: Some(now.plus_millis(1)), ..good }), (true, true));
        assert_eq!(usable(PromoCode { customer: Some("cus_1"), ..good }), (false, true));
        assert_eq!(usable(PromoCode { customer: Some("cus_2"), ..good }), (false, false));
        let paid = PromoCode { has_paid: true, ..good };
        assert_eq!(usable(paid), (true, true));
        assert_eq!(usable(PromoCode { is_for_new_customers: true, ..good }), (true, true));
        assert_eq!(usable(PromoCode { is_for_new_customers: true, ..paid }), (false, false));
    }
}
