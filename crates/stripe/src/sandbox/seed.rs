//! What an account begins with, for the world of the demo.

use serde_json::json;

use super::cards::TestCard;
use super::state::State;
use super::{coupons, customers, payment_methods, prices, products, promotion_codes};

/// The catalog that every account begins with: two products with a price per month and per year, and codes.
pub mod catalog {
    /// The product that most sites take.
    pub const PRODUCT: &str = "prod_sandboxStandard";
    /// Its price per month, $1,350.
    pub const MONTHLY: &str = "price_sandboxStandardMonthly";
    /// Its price per year, $14,400.
    pub const YEARLY: &str = "price_sandboxStandardYearly";
    /// The product with more help.
    pub const PLUS_PRODUCT: &str = "prod_sandboxPlus";
    /// Its price per month, $1,450.
    pub const PLUS_MONTHLY: &str = "price_sandboxPlusMonthly";
    /// Its price per year, $15,600.
    pub const PLUS_YEARLY: &str = "price_sandboxPlusYearly";
    /// Promotion code: 20 % off the first payment.
    pub const WELCOME: &str = "WELCOME20";
    /// Promotion code: nothing to pay, ever.
    pub const FREE: &str = "DEMO100";
    /// Promotion code that expired.
    pub const EXPIRED: &str = "SUMMER25";
    /// Coupon without a promotion code: 10 % off each payment.
    pub const PARTNER: &str = "PARTNER10";
}

/// A customer that is there from the beginning.
#[derive(Debug, Clone, Copy)]
pub struct Seed {
    /// `cus_…`
    pub id: &'static str,
    /// Whose it is.
    pub name: &'static str,
    /// Where receipts go.
    pub email: &'static str,
    /// Its cards, the oldest first; the first is the default.
    pub cards: &'static [SeedCard],
}

/// A card of a [`Seed`].
#[derive(Debug, Clone, Copy)]
pub struct SeedCard {
    /// `pm_…`
    pub id: &'static str,
    /// Which test card: `pm_card_visa` or another of Stripe's names.
    pub test_card: &'static str,
    /// The last month in which it is good, 1 to 12.
    pub exp_month: i64,
    /// Its year, four digits.
    pub exp_year: i64,
}

impl SeedCard {
    /// `visa` or another brand; empty for a test card that there is not.
    #[must_use]
    pub fn brand(&self) -> &'static str {
        TestCard::by_alias(self.test_card).map_or("", TestCard::brand)
    }

    /// The last four digits; empty for a test card that there is not.
    #[must_use]
    pub fn last4(&self) -> &'static str {
        TestCard::by_alias(self.test_card).map_or("", TestCard::last4)
    }
}

/// The state of an account that begins with these.
pub(super) fn state(seeds: &[Seed]) -> State {
    let mut state = State::default();
    for seed in seeds {
        let mut customer = customers::object(seed.id, &json!({}));
        customer["name"] = seed.name.into();
        customer["email"] = seed.email.into();
        customer["invoice_settings"]["default_payment_method"] = json!(seed.cards.first().map(|card| card.id));
        state.add(customer);
        for card in seed.cards {
            let Some(test_card) = TestCard::by_alias(card.test_card) else { continue };
            let object = test_card.object(card.exp_month, card.exp_year, Some("pass"));
            let mut method = payment_methods::object(card.id, &object, &payment_methods::no_billing(), &json!({}));
            method["customer"] = seed.id.into();
            state.behaviours.insert(card.id.to_owned(), test_card.behaviour);
            state.add(method);
        }
    }
    state
}

/// Adds the catalog to an account that has none.
pub(super) fn add_catalog(state: &mut State) {
    if state.all("product").next().is_some() {
        return;
    }
    // Before now, so that nothing in the catalog is newer than what is bought.
    let created = state.now() - 400 * 24 * 60 * 60;
    let standard = "Berth for one site: bed board, reservations, guests and history.";
    let plus = "Everything in Standard, with help by phone at any hour.";
    for (id, name, description, monthly, yearly) in [
        (catalog::PRODUCT, "Standard", standard, (catalog::MONTHLY, 135_000), (catalog::YEARLY, 1_440_000)),
        (catalog::PLUS_PRODUCT, "Plus", plus, (catalog::PLUS_MONTHLY, 145_000), (catalog::PLUS_YEARLY, 1_560_000)),
    ] {
        state.add(products::object(id, name, Some(description), created));
        for ((price, cents), interval) in [(monthly, "month"), (yearly, "year")] {
            state.add(prices::object(price, id, cents, (interval, 1), created));
        }
    }
    for (code, coupon, name, percent, duration) in [
        (Some(catalog::WELCOME), "sandboxWelcome", "20% off your first payment", 20.0, "once"),
        (Some(catalog::FREE), "sandboxDemo", "Free for demonstrations", 100.0, "forever"),
        (Some(catalog::EXPIRED), "sandboxSummer", "25% off in summer", 25.0, "once"),
        (None, catalog::PARTNER, "10% off for partners", 10.0, "forever"),
    ] {
        state.add(coupons::object(coupon, name, percent, duration, None, created));
        let Some(code) = code else { continue };
        let mut promotion_code = promotion_codes::object(&format!("promo_{coupon}"), code, coupon, created);
        if code == catalog::EXPIRED {
            promotion_code["expires_at"] = (created + 100 * 24 * 60 * 60).into();
            promotion_code["active"] = false.into();
        }
        state.add(promotion_code);
    }
}
