//! Saved cards (spec B 3, 5).

use berth_domain::Timestamp;
use berth_domain::card::{CardExpiry, expiring_through, may_remove};

#[test]
fn an_expiration_date_is_a_month_and_a_two_digit_year() {
    for (month, year, text) in [(4, 2040, "4/40"), (12, 2026, "12/26"), (1, 2000, "1/00"), (9, 2099, "9/99")] {
        let expiry = CardExpiry::of(month, year).unwrap();
        assert_eq!(expiry.to_string(), text);
        assert_eq!(CardExpiry::parse(text), Ok(expiry));
    }
    assert_eq!(CardExpiry::parse(" 04/40 "), CardExpiry::of(4, 2040));
}

#[test]
fn anything_but_a_month_and_a_year_is_an_incorrect_expiration_date() {
    for text in ["", "4", "0/30", "13/30", "4/3", "4/2030", "+4/30", "4/ 30", "four/30", "4/30/1", "/30", "4/"] {
        assert_eq!(CardExpiry::parse(text), Err("Incorrect expiration date"), "{text}");
    }
    for (month, year) in [(0, 2030), (13, 2030), (-1, 2030), (4, 1999), (4, 2100), (4, 30)] {
        assert_eq!(CardExpiry::of(month, year), Err("Incorrect expiration date"));
    }
}

#[test]
fn a_card_that_expires_later_compares_greater() {
    let of = |month, year| CardExpiry::of(month, year).unwrap();
    assert!(of(1, 2031) > of(12, 2030) && of(5, 2030) > of(4, 2030));
}

#[test]
fn the_last_card_cannot_be_removed_while_a_subscription_is_live() {
    assert!(may_remove(1, 1).is_ok() && may_remove(0, 0).is_ok() && may_remove(2, 5).is_ok());
    assert!(may_remove(0, 1).unwrap_err().starts_with("This is the last card"));
}

#[test]
fn a_card_counts_as_expiring_from_the_start_of_its_last_month() {
    for (moment, month) in [
        ("2026-10-31T23:59:59.999Z", (10, 2026)),
        ("2026-11-01T00:00:00Z", (11, 2026)),
        ("2026-12-31T23:59:59Z", (12, 2026)),
        ("2027-01-01T00:00:00Z", (1, 2027)),
    ] {
        let now = Timestamp::parse(moment).unwrap();
        assert_eq!(expiring_through(now), month.1 * 12 + month.0, "{moment}");
    }
}
