//! Timestamps, holds, screening periods, times of day, days stayed.

use crate::support::NOW;
use berth_domain::{Hold, SCREENING_PERIODS, ScreeningPeriod, TimeOfDay, Timestamp, days_stayed};

#[test]
fn a_timestamp_is_rfc_3339_with_milliseconds() {
    let json = serde_json::to_string(&NOW).expect("json");
    assert_eq!(json, "\"2026-11-21T10:15:00.000Z\"");
    assert_eq!(serde_json::from_str::<Timestamp>(&json).expect("json"), NOW);
    assert_eq!(Timestamp::from_millis(1).to_string(), "1970-01-01T00:00:00.001Z");
    assert_eq!(Timestamp::from_millis(-1).to_string(), "1969-12-31T23:59:59.999Z");
    assert_eq!(Timestamp::parse("2026-11-21T02:15:00-08:00"), Ok(NOW), "any offset is read");
    for text in ["", "2026-11-21", "10:15", "2026-13-01T00:00:00Z", "1795256100000"] {
        assert!(Timestamp::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_timestamp_beyond_the_calendar_prints_its_edge_and_never_overflows() {
    assert_eq!(Timestamp::from_millis(i64::MAX).plus_days(1).millis(), i64::MAX);
    assert!(Timestamp::from_millis(i64::MAX).to_string().starts_with("9999-"));
    assert!(Timestamp::from_millis(i64::MIN).to_string().starts_with("-009999-"));
    assert_eq!(days_stayed(Timestamp::from_millis(i64::MIN), Timestamp::from_millis(i64::MIN), "UTC"), 1);
}

#[test]
fn adding_time_moves_a_timestamp_by_that_much() {
    assert_eq!(NOW.plus_minutes(60), NOW.plus_hours(1));
    assert_eq!(NOW.plus_hours(24), NOW.plus_days(1));
    assert_eq!(NOW.plus_days(1).millis() - NOW.millis(), 86_400_000);
    assert_eq!(NOW.plus_hours(-1).plus_millis(3_600_000), NOW);
}

#[test]
fn a_hold_is_1_to_72_hours() {
    for hours in -3..100 {
        let hold = Hold::hours(hours);
        assert_eq!(hold.is_ok(), (1..=72).contains(&hours), "{hours}");
        if let Ok(hold) = hold {
            assert_eq!((hold.as_hours(), hold.expires_at(NOW)), (hours, NOW.plus_hours(hours)));
        }
    }
    assert!(Hold::hours(i64::MAX).is_err() && Hold::hours(i64::MIN).is_err());
}

#[test]
fn every_offered_screening_period_is_a_hold_and_round_trips() {
    assert!(SCREENING_PERIODS.windows(2).all(|pair| pair[0] < pair[1]));
    for hours in SCREENING_PERIODS {
        let period = ScreeningPeriod::of(Hold::hours(hours).expect("1 to 72"));
        assert_eq!(ScreeningPeriod::parse(&period.to_string()), Ok(period));
        assert_eq!((period.total_hours(), period.hold()), (hours, Hold::hours(hours)));
    }
    let text = |hours| ScreeningPeriod::of(Hold::hours(hours).expect("1 to 72")).to_string();
    assert_eq!([text(1), text(24), text(36), text(72)], ["00:01:00:00", "01:00:00:00", "01:12:00:00", "03:00:00:00"]);
}

#[test]
fn a_screening_period_is_dd_hh_mm_ss() {
    for text in [
        "",
        "24",
        "1:0:0:0",
        "00:24:00",
        "00:24:00:00",
        "00:01:60:00",
        "00:01:00:60",
        "3.00:00:00",
        "00:01:00:00:00",
        "-1:01:00:00",
        "aa:bb:cc:dd",
        "00:01:00:0x",
        "٠٠:٠١:٠٠:٠٠",
    ] {
        assert_eq!(ScreeningPeriod::parse(text), Err("The screening period must be 'dd:hh:mm:ss'."), "{text}");
    }
    let ninety_minutes = ScreeningPeriod::parse(" 00:01:30:00 ").expect("well formed");
    assert_eq!(ninety_minutes.total_hours(), 1);
    assert!(ninety_minutes.hold().is_err(), "a hold is whole hours");
    assert!(ScreeningPeriod::parse("03:01:00:00").expect("well formed").hold().is_err(), "at most 72");
    assert!(ScreeningPeriod::parse("00:00:00:00").expect("well formed").hold().is_err(), "at least 1");
}

#[test]
fn of_all_digit_pairs_exactly_the_times_of_a_day_parse() {
    for hours in 0..100_i64 {
        for minutes in 0..100_i64 {
            for seconds in 0..100_i64 {
                let text = format!("{hours:02}:{minutes:02}:{seconds:02}");
                let end_of_day = hours == 24 && minutes == 0 && seconds == 0;
                let exists = (hours < 24 && minutes < 60 && seconds < 60) || end_of_day;
                match TimeOfDay::parse(&text) {
                    Ok(time) => assert!(exists && time.to_string() == text, "{text}"),
                    Err(error) => assert!(!exists && error.ends_with("must be 'hh:mm:ss'."), "{text}"),
                }
            }
        }
    }
}

#[test]
fn a_time_in_another_format_is_refused() {
    for text in [
        "",
        ":",
        "9:00:00",
        "09:00",
        "09:00:00:00",
        "09:00:00 AM",
        "0９:00:00",
        "-9:00:00",
        "+9:00:00",
        "09.00.00",
        "09:00:0",
        "09:00:000",
        "09: 0:00",
        "hh:mm:ss",
        "090000",
        "09:00:00.0",
    ] {
        assert_eq!(TimeOfDay::parse(text), Err("The time must be 'hh:mm:ss'."), "{text:?}");
    }
    assert!(serde_json::from_str::<TimeOfDay>("\"9 am\"").is_err());
}

#[test]
fn times_round_to_the_nearest_half_hour_but_all_day_is_kept() {
    for (text, rounded) in [
        ("00:00:00", "00:00:00"),
        ("00:00:59", "00:00:00"),
        ("00:01:00", "00:01:00"),
        ("00:01:01", "00:00:00"),
        ("09:14:59", "09:00:00"),
        ("09:15:00", "09:30:00"),
        ("09:44:59", "09:30:00"),
        ("09:45:00", "10:00:00"),
        ("23:44:59", "23:30:00"),
        ("23:45:00", "24:00:00"),
        ("24:00:00", "24:00:00"),
    ] {
        let time = TimeOfDay::parse(text).expect("well formed");
        assert_eq!(time.to_half_hour().to_string(), rounded, "{text}");
        assert_eq!(time.to_half_hour().to_half_hour(), time.to_half_hour(), "rounding twice changes nothing");
    }
    let slots: std::collections::BTreeSet<_> = (0..86_400)
        .map(|s| TimeOfDay::parse(&format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)).expect("exists"))
        .filter(|time| !time.is_all_day())
        .map(TimeOfDay::to_half_hour)
        .collect();
    assert_eq!(slots.len(), 49, "from 12 am to 12 am");
}

#[test]
fn times_are_shown_in_twelve_hours() {
    for (text, shown) in [
        ("00:00:00", "12:00 AM"),
        ("00:01:00", "All Day"),
        ("00:30:00", "12:30 AM"),
        ("09:00:00", "9:00 AM"),
        ("11:30:00", "11:30 AM"),
        ("12:00:00", "12:00 PM"),
        ("17:00:00", "5:00 PM"),
        ("23:30:00", "11:30 PM"),
        ("24:00:00", "12:00 AM"),
    ] {
        assert_eq!(TimeOfDay::parse(text).expect("well formed").twelve_hour(), shown);
    }
    assert_eq!(TimeOfDay::DEFAULT_FROM.to_string() + " " + &TimeOfDay::DEFAULT_TO.to_string(), "09:00:00 17:00:00");
}

#[test]
fn days_stayed_are_nights_in_the_sites_time_zone() {
    for (from, to, zone, nights) in [
        ("2026-11-21T10:15:00Z", "2026-11-21T10:15:00Z", "UTC", 1),
        ("2026-11-21T00:00:00Z", "2026-11-21T23:59:59Z", "UTC", 1),
        ("2026-11-21T23:59:00Z", "2026-11-22T00:01:00Z", "UTC", 1),
        ("2026-11-21T23:59:00Z", "2026-11-23T00:01:00Z", "UTC", 2),
        ("2026-11-21T00:01:00Z", "2026-11-23T23:59:00Z", "UTC", 2),
        // The same two moments lie on one day in California, and on two at UTC.
        ("2026-11-21T20:00:00Z", "2026-11-23T06:00:00Z", "America/Los_Angeles", 1),
        ("2026-11-21T20:00:00Z", "2026-11-23T06:00:00Z", "UTC", 2),
        // Clocks go forward on 8 March 2026 at 2 am (23 hours) and back on 1 November (25 hours).
        ("2026-03-08T07:30:00Z", "2026-03-09T06:30:00Z", "America/Los_Angeles", 1),
        ("2026-03-08T08:30:00Z", "2026-03-09T07:30:00Z", "America/Los_Angeles", 1),
        ("2026-03-07T20:00:00Z", "2026-03-10T19:00:00Z", "America/Los_Angeles", 3),
        ("2026-11-01T07:30:00Z", "2026-11-02T07:30:00Z", "America/Los_Angeles", 1),
        ("2026-11-01T07:30:00Z", "2026-11-02T08:30:00Z", "America/Los_Angeles", 1),
        ("2026-10-31T19:00:00Z", "2026-11-03T20:00:00Z", "America/Los_Angeles", 3),
        ("2026-10-31T19:00:00Z", "2026-11-30T20:00:00Z", "America/Los_Angeles", 30),
        // No daylight saving; a leap day; a year; an odd offset; the other way round; an unknown zone is UTC.
        ("2026-03-07T20:00:00Z", "2026-03-10T19:00:00Z", "America/Phoenix", 3),
        ("2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z", "UTC", 2),
        ("2026-01-01T12:00:00Z", "2027-01-01T12:00:00Z", "UTC", 365),
        ("2026-06-01T18:00:00Z", "2026-06-01T18:30:00Z", "Asia/Kathmandu", 1),
        ("2026-11-23T10:15:00Z", "2026-11-21T10:15:00Z", "UTC", 1),
        ("2026-11-21T20:00:00Z", "2026-11-23T06:00:00Z", "Nowhere/Land", 2),
    ] {
        let time = |text| Timestamp::parse(text).expect("well formed");
        assert_eq!(days_stayed(time(from), time(to), zone), nights, "{from} to {to} in {zone}");
    }
    assert!(
        berth_domain::time::is_time_zone("America/Los_Angeles") && !berth_domain::time::is_time_zone("Nowhere/Land")
    );
}

#[test]
fn when_the_clocks_change_noon_to_noon_is_still_one_night() {
    // Noon in California is 20:00 UTC in winter and 19:00 UTC in summer.
    for (winter_noon, summer_noon) in
        [("2026-03-07T20:00:00Z", "2026-03-08T19:00:00Z"), ("2026-11-01T20:00:00Z", "2026-10-31T19:00:00Z")]
    {
        let winter = Timestamp::parse(winter_noon).expect("well formed");
        let summer = Timestamp::parse(summer_noon).expect("well formed");
        assert_eq!(days_stayed(winter.min(summer), winter.max(summer), "America/Los_Angeles"), 1);
    }
}

#[test]
fn the_next_midnight_is_the_sites_and_days_stayed_change_then() {
    for (now, zone, midnight) in [
        ("2026-11-21T10:15:00Z", "UTC", "2026-11-22T00:00:00.000Z"),
        ("2026-11-21T00:00:00Z", "UTC", "2026-11-22T00:00:00.000Z"),
        ("2026-11-21T06:00:00Z", "America/Los_Angeles", "2026-11-21T08:00:00.000Z"),
        ("2026-03-08T12:00:00Z", "America/Los_Angeles", "2026-03-09T07:00:00.000Z"),
        ("2026-11-01T07:00:00Z", "America/Los_Angeles", "2026-11-02T08:00:00.000Z"),
        ("2026-11-21T10:15:00Z", "Nowhere/Land", "2026-11-22T00:00:00.000Z"),
    ] {
        let now = Timestamp::parse(now).expect("well formed");
        let next = berth_domain::time::next_midnight(now, zone);
        assert_eq!(next.to_string(), midnight, "after {now} in {zone}");
        let since = now.plus_days(-3);
        assert_eq!(days_stayed(since, next.plus_millis(-1), zone), days_stayed(since, now, zone));
        assert_eq!(days_stayed(since, next, zone), days_stayed(since, now, zone) + 1);
    }
    assert_eq!(berth_domain::time::next_midnight(Timestamp::from_millis(i64::MAX), "UTC").millis(), i64::MAX);
}
