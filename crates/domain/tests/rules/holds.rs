//! A hold does not end while someone pays for the subscription that the reservation waits for (docs/decisions/0046).

use berth_domain::guest::{GuestFacts, Source};
use berth_domain::stay::PayingStep::{Charging, Preparing};
use berth_domain::stay::hold_while_paying;

use crate::support::{NOW, pending};

/// A reservation from the public side whose hold ends in `millis` milliseconds.
fn held(millis: i64) -> GuestFacts {
    GuestFacts { source: Source::Web, expires_at: Some(NOW.plus_millis(millis)), ..pending(1) }
}

const MINUTE: i64 = 60_000;

#[test]
fn a_hold_that_ends_within_30_minutes_ends_30_minutes_from_now() {
    for millis in [1, MINUTE, 30 * MINUTE - 1] {
        assert_eq!(
            hold_while_paying(&held(millis), false, Charging, NOW),
            Some(NOW.plus_minutes(30)),
            "{millis} ms left"
        );
    }
}

#[test]
fn a_hold_is_never_shortened_and_one_that_has_ended_stays_ended() {
    for millis in [30 * MINUTE, 30 * MINUTE + 1, 72 * 60 * MINUTE, 0, -1, -31 * MINUTE] {
        assert_eq!(hold_while_paying(&held(millis), false, Charging, NOW), None, "{millis} ms left");
    }
    let recorded = GuestFacts { expired_at: Some(NOW), ..held(MINUTE) };
    assert_eq!(
        hold_while_paying(&recorded, false, Charging, NOW),
        None,
        "a clock went back after the expiry was recorded"
    );
}

#[test]
fn while_an_owner_prepares_to_pay_only_a_hold_that_ends_within_10_minutes_is_extended() {
    for millis in [1, MINUTE, 10 * MINUTE - 1] {
        let end = hold_while_paying(&held(millis), false, Preparing, NOW);
        assert_eq!(end, Some(NOW.plus_minutes(30)), "{millis} ms left");
    }
    for millis in [10 * MINUTE, 29 * MINUTE, 0, -1] {
        assert_eq!(hold_while_paying(&held(millis), false, Preparing, NOW), None, "{millis} ms left");
    }
    assert_eq!(hold_while_paying(&held(MINUTE), true, Preparing, NOW), None, "extended before");
}

#[test]
fn a_hold_is_extended_once() {
    assert_eq!(hold_while_paying(&held(MINUTE), true, Charging, NOW), None);
}

#[test]
fn only_a_pending_reservation_from_the_public_side_is_held_longer() {
    let decided = [
        GuestFacts { accepted_at: Some(NOW), ..held(MINUTE) },
        GuestFacts { rejected_at: Some(NOW), ..held(MINUTE) },
        GuestFacts { source: Source::Admin, ..held(MINUTE) },
        GuestFacts { expires_at: None, ..held(MINUTE) },
    ];
    for guest in decided {
        assert_eq!(hold_while_paying(&guest, false, Charging, NOW), None, "{guest:?}");
    }
}
