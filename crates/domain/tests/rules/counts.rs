//! Available beds (DESIGN 3), and how long a stay may last (DESIGN 6).

use berth_domain::stay::{SOON_DAYS, available_beds, available_of_type, capacity, days_left, ends_soon};

#[test]
fn available_beds_are_vacant_ones_that_no_reservation_holds() {
    assert_eq!(available_beds(9, 0), 9);
    assert_eq!(available_beds(9, 4), 5);
    assert_eq!(available_beds(9, 9), 0);
    assert_eq!(available_beds(1, 3), 0, "walk-ins were added over capacity");
}

#[test]
fn a_guest_can_be_added_exactly_while_a_bed_is_available() {
    for vacant in 0..6 {
        for pending in 0..6 {
            let fits = capacity(vacant, pending, berth_domain::stay::Overrides::default()).is_ok();
            assert_eq!(fits, available_beds(vacant, pending) > 0, "{vacant} vacant, {pending} pending");
        }
    }
}

#[test]
fn a_type_has_at_most_the_available_beds_of_its_site() {
    assert_eq!(available_of_type(2, 1), 1);
    assert_eq!(available_of_type(2, 3), 2);
    assert_eq!(available_of_type(0, 3), 0);
}

#[test]
fn a_stay_ends_soon_from_three_days_before_the_longest_stay_on() {
    assert_eq!(SOON_DAYS, 3);
    assert!(ends_soon(3) && ends_soon(-1));
    assert!(!ends_soon(4));
}

#[test]
fn a_stay_ends_by_its_maximum_or_by_the_departure_whichever_is_earlier() {
    let today = "2026-12-01";
    assert_eq!(days_left(Some(30), 27, None, today), Some(3));
    assert_eq!(days_left(Some(30), 31, None, today), Some(-1));
    assert_eq!(days_left(Some(30), 10, Some("2026-12-03"), today), Some(2));
    assert_eq!(days_left(Some(30), 29, Some("2026-12-03"), today), Some(1));
    assert_eq!(days_left(None, 400, Some("2026-11-30"), today), Some(-1));
    assert_eq!(days_left(None, 400, None, today), None);
}
