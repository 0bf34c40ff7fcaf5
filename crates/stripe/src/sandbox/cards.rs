//! The test cards that Stripe publishes. The sandbox accepts no others.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::rejection::Rejection;
use super::state::now;

/// How a test card behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Behaviour {
    /// Works.
    Works,
    /// Can be saved, but every charge is declined.
    DeclinesCharges,
    /// Declined at once, without a reason.
    Declined,
    /// Declined at once for insufficient funds.
    InsufficientFunds,
    /// The bank asks the cardholder when the card is saved, and at each payment for which the holder is at the screen.
    AsksForAuthentication,
}

/// A test card: its number, Stripe's id for a payment method with it, its brand and its behavior.
pub(super) struct TestCard {
    number: &'static str,
    alias: &'static str,
    brand: &'static str,
    pub(super) behaviour: Behaviour,
}

/// From Stripe's page on testing.
const TEST_CARDS: [TestCard; 6] = [
    TestCard { number: "4242424242424242", alias: "pm_card_visa", brand: "visa", behaviour: Behaviour::Works },
    TestCard {
        number: "5555555555554444",
        alias: "pm_card_mastercard",
        brand: "mastercard",
        behaviour: Behaviour::Works,
    },
    TestCard {
        number: "4000000000000341",
        alias: "pm_card_chargeCustomerFail",
        brand: "visa",
        behaviour: Behaviour::DeclinesCharges,
    },
    TestCard {
        number: "4000000000000002",
        alias: "pm_card_visa_chargeDeclined",
        brand: "visa",
        behaviour: Behaviour::Declined,
    },
    TestCard {
        number: "4000000000009995",
        alias: "pm_card_visa_chargeDeclinedInsufficientFunds",
        brand: "visa",
        behaviour: Behaviour::InsufficientFunds,
    },
    TestCard {
        number: "4000002500003155",
        alias: "pm_card_authenticationRequiredOnSetup",
        brand: "visa",
        behaviour: Behaviour::AsksForAuthentication,
    },
];

/// A card as it was typed. It is kept for one call only.
pub(super) struct Typed {
    pub(super) number: String,
    pub(super) exp_month: String,
    pub(super) exp_year: String,
    pub(super) cvc: Option<String>,
}

/// Returns the current year, exact enough for test cards.
fn this_year() -> i64 {
    // Seconds of the mean Gregorian year.
    1970 + now() / 31_556_952
}

impl TestCard {
    /// Finds a test card by Stripe's id for a payment method with it, such as `pm_card_visa`.
    pub(super) fn by_alias(alias: &str) -> Option<&'static Self> {
        TEST_CARDS.iter().find(|card| card.alias == alias)
    }

    /// Finds a test card by its number.
    ///
    /// # Errors
    /// A card error if the text is not a card number, or not one of the published ones.
    pub(super) fn by_number(typed: &str) -> Result<&'static Self, Rejection> {
        let digits: String = typed.chars().filter(|character| !matches!(character, ' ' | '-')).collect();
        if let Some(card) = TEST_CARDS.iter().find(|card| card.number == digits) {
            return Ok(card);
        }
        if !is_number(&digits) {
            let rejection = Rejection::card("incorrect_number", "Your card number is incorrect.");
            return Err(rejection.param("number"));
        }
        let sentence = "Your card was declined. Your request was in test mode, but used a non test (live) card. Only \
            the test numbers that Stripe publishes work here.";
        Err(Rejection::card("card_declined", sentence).declined_for("test_mode_live_card").param("number"))
    }

    /// Returns the brand, as Stripe writes it.
    pub(super) const fn brand(&self) -> &'static str {
        self.brand
    }

    /// Returns the last four digits.
    pub(super) fn last4(&self) -> &'static str {
        &self.number[self.number.len() - 4..]
    }

    /// Returns the `card` of a payment method, in Stripe's format.
    pub(super) fn object(&self, exp_month: i64, exp_year: i64, cvc_check: Option<&str>) -> Value {
        json!({
            "brand": self.brand,
            "checks": {"address_line1_check": null, "address_postal_code_check": null, "cvc_check": cvc_check},
            "country": "US", "display_brand": self.brand, "exp_month": exp_month, "exp_year": exp_year,
            "fingerprint": format!("sandbox{}", self.last4()), "funding": "credit", "generated_from": null,
            "last4": self.last4(), "networks": {"available": [self.brand], "preferred": null},
            "regulated_status": "unregulated", "three_d_secure_usage": {"supported": true}, "wallet": null,
        })
    }

    /// Returns the `card` of a payment method that was created by alias. It expires in three years.
    pub(super) fn alias_object(&self) -> Value {
        self.object(12, this_year() + 3, Some("pass"))
    }
}

/// Returns true for 13 to 19 digits with the right check digit.
fn is_number(digits: &str) -> bool {
    if !(13..=19).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte - b'0');
            if place % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 }
        })
        .sum();
    sum.is_multiple_of(10)
}

impl Typed {
    /// Returns the test card, and the `card` of a payment method with it.
    ///
    /// # Errors
    /// Card errors with Stripe's messages.
    pub(super) fn read(&self) -> Result<(&'static TestCard, Value), Rejection> {
        let card = TestCard::by_number(&self.number)?;
        let month = self.exp_month.trim().parse().ok().filter(|month| (1..=12).contains(month));
        let month: i64 = month.ok_or_else(|| {
            Rejection::card("invalid_expiry_month", "Your card's expiration month is invalid.").param("exp_month")
        })?;
        let year = self.exp_year.trim().parse().ok().map(|year: i64| if year < 100 { 2000 + year } else { year });
        let year = year.filter(|year| (this_year()..=this_year() + 50).contains(year)).ok_or_else(|| {
            Rejection::card("invalid_expiry_year", "Your card's expiration year is invalid.").param("exp_year")
        })?;
        let is_cvc = |cvc: &str| (3..=4).contains(&cvc.len()) && cvc.bytes().all(|byte| byte.is_ascii_digit());
        if self.cvc.as_deref().is_some_and(|cvc| !is_cvc(cvc)) {
            return Err(Rejection::card("invalid_cvc", "Your card's security code is invalid.").param("cvc"));
        }
        let check = self.cvc.as_ref().map(|_| "pass");
        Ok((card, card.object(month, year, check)))
    }
}

/// Returns the bank's answer when a card is saved.
pub(super) fn save(behaviour: Behaviour) -> Result<(), Rejection> {
    match behaviour {
        Behaviour::Declined => {
            Err(Rejection::card("card_declined", "Your card was declined.").declined_for("generic_decline"))
        }
        Behaviour::InsufficientFunds => {
            let sentence = "Your card has insufficient funds.";
            Err(Rejection::card("card_declined", sentence).declined_for("insufficient_funds"))
        }
        Behaviour::Works | Behaviour::DeclinesCharges | Behaviour::AsksForAuthentication => Ok(()),
    }
}

/// Returns the bank's answer when a card is charged and the cardholder need not be asked, or has agreed.
pub(super) fn charge(behaviour: Behaviour) -> Result<(), Rejection> {
    match behaviour {
        Behaviour::DeclinesCharges => save(Behaviour::Declined),
        other => save(other),
    }
}

#[cfg(test)]
mod tests {
    use super::{TEST_CARDS, TestCard, is_number};

    #[test]
    fn only_the_published_numbers_are_accepted() {
        for card in &TEST_CARDS {
            assert!(is_number(card.number), "{}", card.last4());
            assert!(TestCard::by_number(card.number).is_ok());
        }
        assert!(TestCard::by_number("4242 4242-4242 4242").is_ok());
        // One number that a bank could have issued, and two that no bank could.
        for (number, code) in [
            ("4539578763621486", "card_declined"),
            ("4242424242424241", "incorrect_number"),
            ("12", "incorrect_number"),
        ] {
            let rejection = TestCard::by_number(number).err().unwrap();
            assert_eq!(rejection.body()["error"]["code"], code, "{number}");
            assert!(!rejection.body().to_string().contains(number), "a rejected number is not repeated");
        }
    }
}
