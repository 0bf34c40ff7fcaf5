//! What an account begins with, for the world of the demo.

use serde_json::json;

use super::cards::TestCard;
use super::state::State;
use super::{customers, payment_methods};

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
