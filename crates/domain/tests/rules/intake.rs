//! The intake hours of a site (spec A 5).

use crate::support::errors;
use berth_domain::IntakePeriod;
use berth_domain::time::{IntakePeriodForm, TimePeriod, parse_intake_periods};

fn form(from: &str, to: &str) -> IntakePeriodForm {
    let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    IntakePeriodForm { time_period: "Weekends".into(), from: filled(from), to: filled(to), enabled: Some(true) }
}

#[test]
fn an_enabled_period_has_both_times_in_order() {
    for (from, to, expected) in [
        ("", "", Ok("9:00 AM - 5:00 PM")),
        ("10:00:00", "18:10:00", Ok("10:00 AM - 6:00 PM")),
        ("10:20:00", "10:30:00", Ok("10:30 AM - 10:30 AM")),
        ("00:00:00", "24:00:00", Ok("12:00 AM - 12:00 AM")),
        ("00:01:00", "00:01:00", Ok("All Day")),
        ("00:01:00", "", Ok("All Day")),
        ("10:00:00", "", Err(("/to", "If intake period is selected, both inputs must be filled."))),
        ("", "10:00:00", Err(("/from", "If intake period is selected, both inputs must be filled."))),
        ("", "00:01:00", Err(("/from", "If intake period is selected, both inputs must be filled."))),
        ("00:01:00", "10:00:00", Err(("/to", "\"All Time\" should be selected in both inputs."))),
        ("10:00:00", "00:01:00", Err(("/from", "\"All Time\" should be selected in both inputs."))),
        ("10:00:00", "09:30:00", Err(("/to", "The end of the intake period cannot be earlier than its start."))),
        ("10 am", "11:00:00", Err(("/from", "The time must be 'hh:mm:ss'."))),
    ] {
        let parsed = IntakePeriod::parse(&form(from, to));
        match expected {
            Ok(text) => assert_eq!(parsed.expect("allowed").text(), text, "{from} {to}"),
            Err((pointer, message)) => {
                assert_eq!(errors(parsed), [(pointer.to_owned(), message.to_owned())], "{from} {to}");
            }
        }
    }
}

#[test]
fn a_period_that_is_off_may_be_empty() {
    let off = IntakePeriod::parse(&IntakePeriodForm { enabled: Some(false), ..form("", "") }).expect("allowed");
    assert_eq!((off.enabled, off.from, off.to, off.text().as_str()), (false, None, None, ""));
    let half = IntakePeriod::parse(&IntakePeriodForm { enabled: Some(false), ..form("10:00:00", "") });
    assert!(half.is_ok(), "its times are kept for the day it is switched on");
}

#[test]
fn both_lists_of_period_names_are_accepted() {
    for (text, period) in [
        ("Monday to Friday", Ok(TimePeriod::MondayToFriday)),
        ("Weekdays", Ok(TimePeriod::MondayToFriday)),
        (" weekends", Ok(TimePeriod::Weekends)),
        ("HOLIDAYS", Ok(TimePeriod::Holidays)),
        ("Mondays", Err("The time period must be Monday to Friday, Weekends or Holidays.")),
    ] {
        assert_eq!(TimePeriod::parse(text), period, "{text}");
    }
}

#[test]
fn a_site_has_at_least_one_enabled_period_and_no_duplicates() {
    let off = IntakePeriodForm { enabled: Some(false), ..form("", "") };
    for forms in [vec![], vec![off.clone()]] {
        let expected = [(String::new(), "Add at least one intake period.".to_owned())];
        assert_eq!(errors(parse_intake_periods(&forms)), expected);
    }
    let weekdays = IntakePeriodForm { time_period: "Weekdays".into(), ..form("", "") };
    assert_eq!(parse_intake_periods(&[weekdays.clone(), off.clone()]).map(|periods| periods.len()), Ok(2));
    let twice = errors(parse_intake_periods(&[weekdays, off, form("", "")]));
    assert_eq!(twice, [("/2/timePeriod".to_owned(), "This time period is listed twice.".to_owned())]);
    let nested = errors(parse_intake_periods(&[form("x", "11:00:00")]));
    assert_eq!(nested, [("/0/from".to_owned(), "The time must be 'hh:mm:ss'.".to_owned())]);
}

#[test]
fn a_period_round_trips_through_json() {
    let period = IntakePeriod::parse(&form("09:10:00", "17:00:00")).expect("allowed");
    let json = serde_json::to_string(&period).expect("json");
    assert_eq!(json, r#"{"timePeriod":"Weekends","from":"09:00:00","to":"17:00:00","enabled":true}"#);
    assert_eq!(serde_json::from_str::<IntakePeriod>(&json).expect("json"), period);
    let form: IntakePeriodForm = serde_json::from_str(&json).expect("json");
    assert_eq!(IntakePeriod::parse(&form), Ok(period));
}
