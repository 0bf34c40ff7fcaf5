//! The contents of a new account, for the demo.

use serde_json::{Value, json};

use super::cards::{Behaviour, TestCard};
use super::parameters::Parameters;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{State, id_of};
use super::{
    billing, clock, coupons, customers, invoices, payment_methods, prices, products, promotion_codes, subscriptions,
};
use crate::form::Form;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;
/// Days for which the seeded customers and their cards have existed.
const CUSTOMER_DAYS: i64 = 300;

/// The catalog that every account begins with: two products with a price per month and per year, and codes.
pub mod catalog {
    /// The standard product.
    pub const PRODUCT: &str = "prod_sandboxStandard";
    /// The price of the standard product per month, $1,350.
    pub const MONTHLY: &str = "price_sandboxStandardMonthly";
    /// The price of the standard product per year, $14,400.
    pub const YEARLY: &str = "price_sandboxStandardYearly";
    /// The product with help by phone.
    pub const PLUS_PRODUCT: &str = "prod_sandboxPlus";
    /// The price of the plus product per month, $1,450.
    pub const PLUS_MONTHLY: &str = "price_sandboxPlusMonthly";
    /// The price of the plus product per year, $15,600.
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

/// A customer of a new account.
#[derive(Debug, Clone, Copy)]
pub struct Seed {
    /// `cus_…`
    pub id: &'static str,
    /// The name of the organization.
    pub name: &'static str,
    /// The email address for receipts.
    pub email: &'static str,
    /// The cards, the oldest first. The first is the default.
    pub cards: &'static [SeedCard],
    /// Its subscriptions. They are paid with the first card.
    pub subscriptions: &'static [SeedSubscription],
}

/// A card of a [`Seed`].
#[derive(Debug, Clone, Copy)]
pub struct SeedCard {
    /// `pm_…`
    pub id: &'static str,
    /// Stripe's id of the test card, such as `pm_card_visa`.
    pub test_card: &'static str,
    /// The month of expiration, 1 to 12.
    pub exp_month: i64,
    /// The year of expiration, four digits.
    pub exp_year: i64,
    /// True if the card paid in the past and has been removed since.
    pub is_removed: bool,
}

/// A subscription of a [`Seed`], with every invoice and payment since it began.
#[derive(Debug, Clone, Copy)]
pub struct SeedSubscription {
    /// `sub_…`
    pub id: &'static str,
    /// The name of the site that it is for.
    pub site: &'static str,
    /// A price of the [`catalog`].
    pub price: &'static str,
    /// Whole months from the start of the subscription to the time that `hours` gives.
    pub months_before: i64,
    /// Hours from now, negative in the past. A monthly period ends then.
    pub hours: i64,
    /// Days of the free trial that it began with; 0 for none.
    pub trial_days: i64,
    /// How its payments went.
    pub course: SeedCourse,
}

/// How the payments of a [`SeedSubscription`] went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedCourse {
    /// Each one was made when it was due.
    Paid,
    /// The bank declined the first one.
    FirstDeclined,
    /// The bank has declined them for this many days.
    DeclinedFor(i64),
    /// It was canceled this many days ago.
    CanceledFor(i64),
}

impl SeedCard {
    /// Returns `visa` or another brand; empty for an unknown test card.
    #[must_use]
    pub fn brand(&self) -> &'static str {
        TestCard::by_alias(self.test_card).map_or("", TestCard::brand)
    }

    /// Returns the last four digits; empty for an unknown test card.
    #[must_use]
    pub fn last4(&self) -> &'static str {
        TestCard::by_alias(self.test_card).map_or("", TestCard::last4)
    }
}

/// Adds the customers to an account that has nothing but the catalog.
///
/// # Errors
/// A sentence when a subscription cannot be made.
pub(super) fn add_customers(state: &mut State, seeds: &[Seed]) -> Result<(), String> {
    for seed in seeds {
        add_customer(state, seed);
        for subscription in seed.subscriptions {
            add_subscription(state, seed, subscription)
                .map_err(|rejection| format!("{} cannot be seeded: {}", subscription.id, rejection.sentence()))?;
        }
        for card in seed.cards.iter().filter(|card| card.is_removed) {
            payment_methods::take(state, card.id);
        }
        number_invoices(state, seed.id);
    }
    state.forget_events();
    state.sort_by_age();
    Ok(())
}

fn add_customer(state: &mut State, seed: &Seed) {
    let created = state.now() - CUSTOMER_DAYS * DAY;
    let mut customer = customers::object(seed.id, &json!({}));
    customer["created"] = created.into();
    customer["name"] = seed.name.into();
    customer["email"] = seed.email.into();
    customer["invoice_settings"]["default_payment_method"] = json!(seed.cards.first().map(|card| card.id));
    state.add(customer);
    for card in seed.cards {
        let Some(test_card) = TestCard::by_alias(card.test_card) else { continue };
        let object = test_card.object(card.exp_month, card.exp_year, Some("pass"));
        let mut method = payment_methods::object(card.id, &object, &payment_methods::no_billing(), &json!({}));
        method["created"] = created.into();
        method["customer"] = seed.id.into();
        state.behaviours.insert(card.id.to_owned(), test_card.behaviour);
        state.add(method);
    }
}

/// Lets a subscription happen from its beginning until now.
fn add_subscription(state: &mut State, seed: &Seed, new: &SeedSubscription) -> Result<(), Rejection> {
    let now = state.now();
    let began = clock::add_months(now + new.hours * HOUR, -new.months_before);
    let form = Form::new().with("customer", seed.id).with("items[0][price]", new.price);
    let form = form.with("description", new.site);
    let form = match new.trial_days {
        0 => form,
        days => form.with("trial_end", (began + days * DAY).to_string()),
    };
    let mut call = Call::inner("", Parameters::parse(&form.encoded()));
    let mut create = |state: &mut State| {
        state.at = Some(began);
        let created = subscriptions::create_as(state, &mut call, new.id);
        state.at = None;
        created.map(drop)
    };
    match new.course {
        SeedCourse::Paid => create(state)?,
        SeedCourse::FirstDeclined => declining(state, seed, create)?,
        SeedCourse::DeclinedFor(days) => {
            create(state)?;
            billing::catch_up_until(state, now - days * DAY);
            declining(state, seed, |state| billing::catch_up_until(state, now));
        }
        SeedCourse::CanceledFor(days) => {
            create(state)?;
            let at = now - days * DAY;
            billing::catch_up_until(state, at);
            state.at = Some(at);
            subscriptions::end(state, new.id, "cancellation_requested");
            state.at = None;
        }
    }
    billing::catch_up_until(state, now);
    // What it caused is over: the next one is made in a smaller account.
    state.forget_events();
    Ok(())
}

/// Does something while the bank declines every payment with the customer's card.
fn declining<T>(state: &mut State, seed: &Seed, work: impl FnOnce(&mut State) -> T) -> T {
    let Some(card) = seed.cards.first() else { return work(state) };
    let before = state.behaviours.insert(card.id.to_owned(), Behaviour::DeclinesCharges);
    let done = work(state);
    state.behaviours.insert(card.id.to_owned(), before.unwrap_or(Behaviour::Works));
    done
}

/// Numbers the invoices of a customer in the order in which they were made, whichever subscription they are of.
fn number_invoices(state: &mut State, customer: &str) {
    let theirs = state.all(invoices::KIND).filter(|row| row["customer"] == customer && row["number"].is_string());
    let mut rows: Vec<(i64, String)> = theirs
        .map(|row| (row["status_transitions"]["finalized_at"].as_i64().unwrap_or_default(), id_of(row)))
        .collect();
    rows.sort();
    let prefix = state.find("customer", customer).map(|row| row["invoice_prefix"].clone()).unwrap_or_default();
    for (number, (_, id)) in (1..).zip(rows) {
        let number = format!("{}-{number:04}", prefix.as_str().unwrap_or_default());
        state.set(invoices::KIND, &id, &[("number", Value::String(number))]);
    }
}

/// Adds the catalog to an account that has none.
pub(super) fn add_catalog(state: &mut State) {
    if state.all("product").next().is_some() {
        return;
    }
    // In the past, so that the catalog is older than every purchase.
    let created = state.now() - 400 * 24 * 60 * 60;
    let standard = "Berth for one site: bed board, reservations, guests and history.";
    let standard_es = "Berth para un centro: tablero de camas, reservas, huéspedes e historial.";
    let plus = "Everything in Standard, with help by phone at any hour.";
    let plus_es = "Todo lo de Standard, con ayuda por teléfono a cualquier hora.";
    for (id, name, (description, spanish), monthly, yearly) in [
        (
            catalog::PRODUCT,
            "Standard",
            (standard, standard_es),
            (catalog::MONTHLY, 135_000),
            (catalog::YEARLY, 1_440_000),
        ),
        (
            catalog::PLUS_PRODUCT,
            "Plus",
            (plus, plus_es),
            (catalog::PLUS_MONTHLY, 145_000),
            (catalog::PLUS_YEARLY, 1_560_000),
        ),
    ] {
        let mut product = products::object(id, name, Some(description), created);
        product["metadata"] = json!({"description_es": spanish});
        state.add(product);
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
