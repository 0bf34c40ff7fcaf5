//! Days of a calendar and ranges of them.

use jiff::Span;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Timestamp;
use crate::check::{Check, FieldErrors};

/// Maximum number of days in a [`DayRange`]: a leap year.
const MAX_DAYS: i32 = 366;
/// Number of days in a [`DayRange`] for which neither a first day nor a length is given.
const DEFAULT_DAYS: i32 = 30;

/// Parses a day, such as `2026-12-01`, of the years 2000 to 2999.
///
/// # Errors
/// A sentence about any other form, about days that do not exist, and about other years: a browser reads a year of two
/// digits as one of the first century.
pub fn parse_day(text: &str) -> Result<Date, &'static str> {
    const FORM: &str = "Enter the day in this form: 2026-12-01.";
    let day = Date::strptime("%Y-%m-%d", text).map_err(|_| FORM)?;
    // Days are compared as texts, so each has one spelling.
    if day.to_string() != text {
        return Err(FORM);
    }
    if (2000..=2999).contains(&day.year()) { Ok(day) } else { Err("Enter a year from 2000 to 2999.") }
}

/// Parses a day that may be left empty, such as `2026-12-01`. Empty is `None`.
///
/// # Errors
/// A sentence about any other form, and about days that do not exist.
pub fn parse_optional_day(text: &str) -> Result<Option<String>, &'static str> {
    let text = text.trim();
    if text.is_empty() { Ok(None) } else { parse_day(text).map(|day| Some(day.to_string())) }
}

/// Checks that a chosen day has not passed. The day that was stored `before` may stay. `today` is such as `2026-12-01`.
///
/// # Errors
/// A sentence about the day.
pub fn check_not_passed(day: Option<&str>, before: Option<&str>, today: &str) -> Result<(), &'static str> {
    let has_passed = day.is_some_and(|day| day < today);
    if has_passed && day != before { Err("Choose today or a later day.") } else { Ok(()) }
}

/// Returns the number of days from one day to another, such as `2026-12-01`. Negative if `to` is earlier. `None` if one of them is not a day.
#[must_use]
pub fn days_between(from: &str, to: &str) -> Option<i64> {
    let (from, to) = (parse_day(from).ok()?, parse_day(to).ok()?);
    from.until(to).ok().map(|span| i64::from(span.get_days()))
}

/// A range of days of a calendar, first and last day included: 1 to 366 days, none of them in the future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    first: Date,
    last: Date,
}

impl DayRange {
    /// Parses a range. It ends on `to`, or today. It begins on `from`, or has `days` days, or 30. `today` is such as `2026-12-01`.
    ///
    /// # Errors
    /// Field errors at `/from`, `/to` and `/days`.
    pub fn parse(from: Option<&str>, to: Option<&str>, days: Option<&str>, today: &str) -> Result<Self, FieldErrors> {
        let mut check = Check::new();
        let first = check.optional("/from", from, parse_day);
        let last = check.optional("/to", to, parse_day);
        let length = check.optional("/days", days, |text| match text.parse() {
            Ok(length @ 1..=MAX_DAYS) => Ok(length),
            _ => Err("Choose 1 to 366 days."),
        });
        check.require(
            last.is_none_or(|last| last.to_string().as_str() <= today),
            "/to",
            "Choose today or an earlier day.",
        );
        let last = last.or_else(|| parse_day(today).ok());
        let back = Span::new().days(length.unwrap_or(DEFAULT_DAYS) - 1);
        let first = first.or_else(|| last?.checked_sub(back).ok());
        if let (true, Some(first), Some(last)) = (check.is_ok(), first, last) {
            let length = Self { first, last }.length();
            check.require(length >= 1, "/from", "Choose a first day that is not after the last day.");
            check.require(length <= MAX_DAYS, "/from", "Choose at most 366 days.");
        }
        check.build(|| Some(Self { first: first?, last: last? }))
    }

    /// The first day, such as `2026-12-01`.
    #[must_use]
    pub fn first(&self) -> String {
        self.first.to_string()
    }

    /// The last day, such as `2026-12-31`.
    #[must_use]
    pub fn last(&self) -> String {
        self.last.to_string()
    }

    /// The number of days. Not positive if the last day is before the first.
    fn length(&self) -> i32 {
        self.first.until(self.last).map_or(i32::MAX, |span| span.get_days().saturating_add(1))
    }

    /// The days by the calendar of the IANA zone `time_zone`, in their order. An unknown zone counts as UTC.
    #[must_use]
    pub fn days(&self, time_zone: &str) -> Vec<Day> {
        let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
        let begin = |date: Date| {
            let start = date.to_zoned(zone.clone()).and_then(|day| day.start_of_day()).ok()?;
            Some(Timestamp::from_millis(start.timestamp().as_millisecond()))
        };
        let day =
            |date: Date| Some(Day { date: date.to_string(), start: begin(date)?, end: begin(date.tomorrow().ok()?)? });
        self.first.series(Span::new().days(1)).take_while(|date| *date <= self.last).filter_map(day).collect()
    }
}

/// A day of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// The date, such as `2026-12-01`.
    pub date: String,
    /// When it begins.
    pub start: Timestamp,
    /// When the next day begins: 23 to 25 hours later, as the clocks are set.
    pub end: Timestamp,
}

impl Day {
    /// Returns true if the day has begun by `time` and is not over.
    #[must_use]
    pub fn contains(&self, time: Timestamp) -> bool {
        self.start <= time && time < self.end
    }
}
