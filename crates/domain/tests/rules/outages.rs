//! What a disabled bed waits for, why, and when it is expected to be available again.

use berth_domain::outage::{Outage, OutageKind, reason};
use berth_domain::time::parse_optional_day;

#[test]
fn a_reason_is_one_line_without_markup_of_at_most_200_characters() {
    assert_eq!(reason(" Water\n  <b>damage</b> "), Ok(Some("Water damage".to_owned())));
    assert_eq!(reason(" <p> </p> "), Ok(None), "nothing is left of it");
    assert_eq!(reason(&"é".repeat(200)).unwrap().unwrap().chars().count(), 200);
    assert_eq!(reason(&"é".repeat(201)), Err("Maximum length is 200 symbols."));
    let invisible = "This contains characters that cannot be seen. Please type it again.";
    for text in ["\u{200b}", "Paint\u{202e}", "Pa\u{ad}int"] {
        assert_eq!(reason(text), Err(invisible), "{text:?}");
    }
}

#[test]
fn a_day_has_one_format_and_exists() {
    assert_eq!(parse_optional_day(" 2028-02-29 "), Ok(Some("2028-02-29".to_owned())));
    assert_eq!(parse_optional_day("  "), Ok(None));
    for text in ["2026-02-29", "2026-2-3", "26-02-03", "2026-12-01Z", "tomorrow"] {
        assert_eq!(parse_optional_day(text), Err("Enter the day in this form: 2026-12-01."), "{text}");
    }
    for text in ["1999-12-31", "3000-01-01", "0026-02-03"] {
        assert_eq!(parse_optional_day(text), Err("Enter a year from 2000 to 2999."), "{text}");
    }
}

#[test]
fn a_past_day_is_overdue_and_can_be_kept_but_not_chosen() {
    let until = |day: &str| Outage { expected_back: Some(day.to_owned()), ..Outage::default() };
    let (none, today) = (Outage::default(), "2026-12-01");
    assert!(!none.is_overdue(today));
    assert!(!until("2026-12-01").is_overdue(today));
    assert!(until("2026-11-30").is_overdue(today));
    assert_eq!(until("2026-12-01").check_day(&none, today), Ok(()));
    assert_eq!(until("2026-11-30").check_day(&none, today), Err("Choose today or a later day."));
    assert_eq!(until("2026-11-30").check_day(&until("2026-11-30"), today), Ok(()));
    assert_eq!(none.check_day(&until("2026-11-30"), today), Ok(()));
}

#[test]
fn a_bed_is_expected_back_within_a_year_unless_a_later_day_was_saved_before() {
    let until = |day: &str| Outage { expected_back: Some(day.to_owned()), ..Outage::default() };
    let (none, too_far) = (Outage::default(), Err("Choose a day within a year from today."));
    assert_eq!(until("2027-12-02").check_day(&none, "2026-12-01"), Ok(()));
    assert_eq!(until("2027-12-03").check_day(&none, "2026-12-01"), too_far);
    assert_eq!(until("2028-03-01").check_day(&none, "2027-03-01"), Ok(()), "a leap year is a year");
    assert_eq!(until("2062-12-01").check_day(&until("2026-12-05"), "2026-12-01"), too_far);
    assert_eq!(until("2062-12-01").check_day(&until("2062-12-01"), "2026-12-01"), Ok(()));
}

#[test]
fn a_bed_that_is_disabled_without_a_kind_is_out_of_service() {
    assert_eq!(Outage::default().kind, OutageKind::OutOfService);
    assert_eq!(
        OutageKind::ALL.iter().map(|kind| kind.words()).collect::<Vec<_>>(),
        ["being cleaned", "out of service"]
    );
}
