//! The statistics of a site: date ranges, occupancy, distributions, ends of holds, reasons (docs/decisions/0053).

use berth_domain::numbers::{
    Band, BedTimes, Given, HoldEnds, MIN_GUESTS, OccupancyDay, Period, Reasons, Spread, add_up,
};
use berth_domain::time::{DayRange, Timestamp};

const CALIFORNIA: &str = "America/Los_Angeles";

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).expect(text)
}

fn range(from: &str, to: &str) -> DayRange {
    DayRange::parse(Some(from), Some(to), None, "2026-12-31").expect("a range")
}

fn period(from: &str, to: &str) -> Period {
    Period { from: at(from), to: Some(at(to)) }
}

fn open(from: &str) -> Period {
    Period { from: at(from), to: None }
}

/// Days with their averages in thousandths of a bed.
fn thousandths(days: &[OccupancyDay]) -> Vec<(&str, String, String)> {
    days.iter().map(|day| (day.date.as_str(), format!("{:.3}", day.occupied), format!("{:.3}", day.enabled))).collect()
}

fn row<'a>(date: &'a str, occupied: &str, enabled: &str) -> (&'a str, String, String) {
    (date, occupied.to_owned(), enabled.to_owned())
}

#[test]
fn a_range_is_the_last_30_days_by_default() {
    let read = |from, to, days| {
        let range = DayRange::parse(from, to, days, "2026-03-31").expect("a range");
        (range.first(), range.last(), range.days("UTC").len())
    };
    let is = |first: &str, last: &str, days: usize| (first.to_owned(), last.to_owned(), days);
    assert_eq!(read(None, None, None), is("2026-03-02", "2026-03-31", 30));
    assert_eq!(read(None, None, Some("1")), is("2026-03-31", "2026-03-31", 1));
    assert_eq!(read(None, Some("2026-01-31"), Some("31")), is("2026-01-01", "2026-01-31", 31));
    assert_eq!(read(Some("2026-03-30"), None, None), is("2026-03-30", "2026-03-31", 2));
    assert_eq!(read(Some("2023-03-01"), Some("2024-02-29"), Some("7")), is("2023-03-01", "2024-02-29", 366));
    assert_eq!(read(Some(" "), Some(""), None), is("2026-03-02", "2026-03-31", 30));
}

#[test]
fn a_range_has_at_most_366_days_in_order_and_none_in_the_future() {
    let wrong = |from, to, days| {
        let errors = DayRange::parse(from, to, days, "2026-03-31").expect_err("no range");
        errors.0.into_iter().map(|error| format!("{}: {}", error.pointer, error.message)).collect::<Vec<_>>()
    };
    assert_eq!(wrong(Some("2023-03-01"), Some("2024-03-01"), None), ["/from: Choose at most 366 days."]);
    assert_eq!(
        wrong(Some("2026-03-02"), Some("2026-03-01"), None),
        ["/from: Choose a first day that is not after the last day."]
    );
    assert_eq!(wrong(None, Some("2026-04-01"), None), ["/to: Choose today or an earlier day."]);
    assert_eq!(
        wrong(Some("2026-4-1"), Some("31.03.2026"), Some("367")),
        [
            "/from: Enter the day in this form: 2026-12-01.",
            "/to: Enter the day in this form: 2026-12-01.",
            "/days: Choose 1 to 366 days."
        ]
    );
    assert_eq!(wrong(None, None, Some("0")), ["/days: Choose 1 to 366 days."]);
    assert_eq!(
        wrong(Some("0026-03-01"), Some("3000-01-01"), None),
        ["/from: Enter a year from 2000 to 2999.", "/to: Enter a year from 2000 to 2999."]
    );
}

#[test]
fn a_day_has_23_or_25_hours_when_the_clocks_change() {
    let lengths = |from, to| {
        let days = range(from, to).days(CALIFORNIA);
        days.iter().map(|day| (day.end.millis() - day.start.millis()) / 3_600_000).collect::<Vec<_>>()
    };
    assert_eq!(lengths("2026-03-07", "2026-03-09"), [24, 23, 24]);
    assert_eq!(lengths("2026-10-31", "2026-11-02"), [24, 25, 24]);
    let days = range("2026-03-08", "2026-03-08").days(CALIFORNIA);
    assert_eq!((days[0].start, days[0].end), (at("2026-03-08T00:00:00-08:00"), at("2026-03-09T00:00:00-07:00")));
    assert!(days[0].contains(days[0].start) && !days[0].contains(days[0].end));
}

#[test]
fn a_day_counts_the_time_beds_are_occupied_and_enabled() {
    let mut beds = BedTimes::new(range("2026-05-01", "2026-05-04").days("UTC"), at("2026-06-01T00:00:00Z"));
    // Already there before the range, and on all four days.
    beds.add_bed(open("2026-01-01T00:00:00Z"));
    // From noon of the second day; disabled from that midnight to noon; removed at 6 p.m. on the last day.
    beds.add_bed(period("2026-05-02T12:00:00Z", "2026-05-04T18:00:00Z"));
    beds.add_outage(period("2026-05-03T00:00:00Z", "2026-05-03T12:00:00Z"));
    // Began before the range; the next one begins and ends on the same day, the last one goes on.
    beds.add_stay(period("2026-04-20T00:00:00Z", "2026-05-01T06:00:00Z"));
    beds.add_stay(period("2026-05-02T06:00:00Z", "2026-05-02T09:00:00Z"));
    beds.add_stay(open("2026-05-03T18:00:00Z"));
    // None of these is in the range.
    beds.add_stay(period("2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z"));
    beds.add_stay(open("2026-05-05T00:00:00Z"));
    let days = beds.finish();
    assert_eq!(
        thousandths(&days),
        [
            row("2026-05-01", "0.250", "1.000"),
            row("2026-05-02", "0.125", "1.500"),
            row("2026-05-03", "0.250", "1.500"),
            row("2026-05-04", "1.000", "1.750"),
        ]
    );
    assert_eq!(days[0].share(), Some(0.25));
}

#[test]
fn a_guest_who_stays_all_of_a_day_fills_a_bed_however_long_the_day_is() {
    let days = range("2026-03-08", "2026-03-09").days(CALIFORNIA);
    let mut beds = BedTimes::new(days, at("2026-06-01T00:00:00Z"));
    beds.add_bed(open("2026-01-01T00:00:00Z"));
    beds.add_stay(open("2026-02-01T00:00:00Z"));
    assert_eq!(thousandths(&beds.finish()), [row("2026-03-08", "1.000", "1.000"), row("2026-03-09", "1.000", "1.000")]);
    let days = range("2026-11-01", "2026-11-01").days(CALIFORNIA);
    let mut beds = BedTimes::new(days, at("2026-12-01T00:00:00Z"));
    // Five of 25 hours.
    beds.add_stay(period("2026-11-01T00:00:00-07:00", "2026-11-01T04:00:00-08:00"));
    assert_eq!(thousandths(&beds.finish()), [row("2026-11-01", "0.200", "0.000")]);
}

#[test]
fn today_counts_up_to_now_and_a_day_that_has_not_begun_has_no_beds() {
    let days = range("2026-05-01", "2026-05-02").days("UTC");
    let mut beds = BedTimes::new(days, at("2026-05-01T08:00:00Z"));
    beds.add_bed(open("2026-01-01T00:00:00Z"));
    beds.add_stay(open("2026-05-01T06:00:00Z"));
    let days = beds.finish();
    assert_eq!(thousandths(&days), [row("2026-05-01", "0.250", "1.000"), row("2026-05-02", "0.000", "0.000")]);
    assert_eq!(days[1].share(), None);
}

#[test]
fn the_same_days_in_several_time_zones_are_added_up() {
    let day = |date: &str, occupied, enabled| OccupancyDay { date: date.to_owned(), occupied, enabled };
    let zones = vec![vec![day("2026-05-01", 1.0, 4.0)], vec![day("2026-05-01", 0.5, 1.0)]];
    assert_eq!(add_up(zones), [day("2026-05-01", 1.5, 5.0)]);
    assert_eq!(add_up(Vec::new()), []);
}

#[test]
fn a_distribution_has_median_average_90th_percentile_and_bands() {
    let band = |to, count| Band { to, count };
    let spread = Spread::of(vec![90, 1, 7, 8], &[7, 30]);
    assert_eq!(
        spread,
        Spread {
            count: 4,
            median: Some(7.5),
            average: Some(26.5),
            ninetieth: Some(90),
            bands: vec![band(Some(7), 2), band(Some(30), 1), band(None, 1)],
        }
    );
    let ten = Spread::of((1..=10).collect(), &[]);
    assert_eq!((ten.median, ten.ninetieth, ten.bands), (Some(5.5), Some(9), vec![band(None, 10)]));
    let one = Spread::of(vec![3], &[7]);
    assert_eq!((one.median, one.average, one.ninetieth), (Some(3.0), Some(3.0), Some(3)));
    let none = Spread::of(Vec::new(), &[7]);
    assert_eq!((none.count, none.median, none.average, none.ninetieth), (0, None, None, None));
    assert_eq!(none.bands, [band(Some(7), 0), band(None, 0)]);
}

#[test]
fn the_expired_share_is_a_share_of_all_ended_holds() {
    let ends = HoldEnds { accepted: 5, declined: 2, cancelled: 1, expired: 2 };
    assert_eq!((ends.total(), ends.expired_share()), (10, Some(0.2)));
    assert_eq!(HoldEnds::default().expired_share(), None);
}

/// People who can be told apart.
const PEOPLE: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

/// Counts free text.
fn typed<'a>(feedback: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Reasons {
    Reasons::of(feedback.into_iter().map(|(person, feedback)| Given { person, chosen: None, feedback }))
}

#[test]
fn chosen_reasons_count_from_the_first_guest_on_and_instead_of_the_free_text() {
    let given = |person, chosen, feedback| Given { person, chosen, feedback };
    let reasons = Reasons::of([
        given("one", Some("Needs detox"), Some("Sam needs help first")),
        given("two", Some("Full"), None),
        given("three", Some("Full"), Some("Sam left")),
        given("four", None, Some("Sam left")),
        given("five", None, None),
    ]);
    let chosen: Vec<_> = reasons.chosen.iter().map(|reason| (reason.text.as_str(), reason.count)).collect();
    assert_eq!(chosen, [("Full", 2), ("Needs detox", 1)]);
    assert_eq!((reasons.listed.len(), reasons.other, reasons.none, reasons.total()), (0, 1, 1, 5));
}

#[test]
fn reasons_match_regardless_of_case_accents_spaces_and_final_period() {
    let texts = ["No answer.", "no  ANSWER", "Nó answer!", "No answer.", "Other words", "?", " "];
    let reasons = typed(PEOPLE.into_iter().zip(texts.into_iter().map(Some).chain([None])));
    assert_eq!(reasons.listed.len(), 1);
    assert_eq!((reasons.listed[0].text.as_str(), reasons.listed[0].count), ("No answer.", 4));
    assert_eq!((reasons.other, reasons.none, reasons.total()), (1, 3, 8));
}

#[test]
fn reasons_given_for_fewer_than_three_guests_are_not_shown() {
    assert_eq!(MIN_GUESTS, 3);
    let long = "x".repeat(201);
    let reasons = typed(PEOPLE.into_iter().zip(["Sam left", "Sam left", &long, &long, &long].map(Some)));
    assert_eq!((reasons.listed, reasons.other), (Vec::new(), 5));
}

#[test]
fn a_reason_given_three_times_for_one_person_is_not_shown() {
    let reasons = typed([("one", Some("Sam left")), ("one", Some("Sam left")), ("one", Some("Sam left"))]);
    assert_eq!((reasons.listed, reasons.other), (Vec::new(), 3));
    let reasons = typed([("one", Some("Full")), ("two", Some("Full")), ("one", Some("Full")), ("three", Some("Full"))]);
    assert_eq!((reasons.listed[0].count, reasons.other), (4, 0));
}

#[test]
fn the_twenty_most_frequent_reasons_are_listed_and_the_others_counted() {
    let texts: Vec<String> =
        (0..22_usize).flat_map(|number| vec![format!("reason {number:02}"); 3 + number / 11]).collect();
    let people: Vec<String> = (0..texts.len()).map(|number| number.to_string()).collect();
    let people = people.iter().map(String::as_str);
    let reasons = typed(people.zip(texts.iter().map(|text| Some(text.as_str()))));
    assert_eq!((reasons.listed.len(), reasons.other, reasons.total()), (20, 6, 77));
    assert_eq!((reasons.listed[0].text.as_str(), reasons.listed[0].count), ("reason 11", 4));
    assert_eq!((reasons.listed[19].text.as_str(), reasons.listed[19].count), ("reason 08", 3));
}
