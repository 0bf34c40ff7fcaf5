//! Times, holds and calendars. There is no clock: "now" is always an argument.

mod day;
mod intake;
mod of_day;
mod screening;

pub use day::{Day, DayRange, check_not_passed, days_between, parse_day, parse_optional_day};
pub use intake::{IntakePeriod, IntakePeriodForm, TimePeriod, parse_intake_periods};
pub use of_day::TimeOfDay;
pub use screening::{Hold, SCREENING_PERIODS, ScreeningPeriod};

use crate::locale::Locale;
use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A point in time: milliseconds since 1970-01-01 UTC. RFC 3339 with milliseconds in JSON, BIGINT in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-11-21T10:15:00.000Z")]
pub struct Timestamp(i64);

crate::column::stored_as!(Timestamp, i64);

impl Timestamp {
    /// Returns the time `millis` milliseconds after 1970-01-01 UTC.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since 1970-01-01 UTC.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Adds `millis` milliseconds, which may be negative. Saturates.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Adds `minutes` minutes.
    #[must_use]
    pub const fn plus_minutes(self, minutes: i64) -> Self {
        self.plus_millis(minutes.saturating_mul(60_000))
    }

    /// Adds `hours` hours.
    #[must_use]
    pub const fn plus_hours(self, hours: i64) -> Self {
        self.plus_millis(hours.saturating_mul(3_600_000))
    }

    /// Adds `days` days of 24 hours.
    #[must_use]
    pub const fn plus_days(self, days: i64) -> Self {
        self.plus_millis(days.saturating_mul(86_400_000))
    }

    /// Parses RFC 3339 with any offset.
    ///
    /// # Errors
    /// A sentence if the text is no such time.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let time: Result<jiff::Timestamp, _> = text.trim().parse();
        time.map(|time| Self(time.as_millisecond())).map_err(|_| "Enter the time in this form: 2026-11-21T10:15:00Z.")
    }

    /// Returns the month in UTC as 12 × year + month.
    #[must_use]
    pub fn month_number(self) -> i64 {
        let date = self.calendar().to_zoned(TimeZone::UTC).date();
        i64::from(date.year()) * 12 + i64::from(date.month())
    }

    /// Converts it for the calendar library. Clamped to its years, -9999 to 9999.
    fn calendar(self) -> jiff::Timestamp {
        let edge = if self.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(edge)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.3}", self.calendar())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Returns the number of nights from `from` to `to` in the IANA zone `time_zone`, at least 1 (DESIGN 6): the number of changes of the date,
/// so a day of 23 or 25 hours is one night. An unknown zone counts as UTC.
#[must_use]
pub fn days_stayed(from: Timestamp, to: Timestamp, time_zone: &str) -> i64 {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let date = |time: Timestamp| time.calendar().to_zoned(zone.clone()).date();
    let nights = date(from).until(date(to)).map_or(1, |span| i64::from(span.get_days()));
    nights.max(1)
}

/// Returns the start of the day after `now` in `time_zone`, when the number of nights changes. An unknown zone counts as UTC. At the end of the
/// calendar it is 24 hours later.
#[must_use]
pub fn next_midnight(now: Timestamp, time_zone: &str) -> Timestamp {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let tomorrow = now.calendar().to_zoned(zone).tomorrow().and_then(|day| day.start_of_day());
    tomorrow.map_or_else(|_| now.plus_days(1), |start| Timestamp(start.timestamp().as_millisecond()))
}

/// Returns the start of the day of `now` in `time_zone`. An unknown zone counts as UTC. At the end of the calendar it is 24 hours earlier.
#[must_use]
pub fn midnight(now: Timestamp, time_zone: &str) -> Timestamp {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let start = now.calendar().to_zoned(zone).start_of_day();
    start.map_or_else(|_| now.plus_days(-1), |start| Timestamp(start.timestamp().as_millisecond()))
}

/// Returns the date at `now` by the calendar of the IANA zone `time_zone`, such as `2026-12-01`. An unknown zone counts as UTC.
#[must_use]
pub fn date_at(now: Timestamp, time_zone: &str) -> String {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    now.calendar().to_zoned(zone).date().to_string()
}

/// Returns date, time and zone at `now` by the calendar of the IANA zone `time_zone`, such as `2026-12-01 14:30 PST`. An unknown zone counts
/// as UTC.
#[must_use]
pub fn clock_at(now: Timestamp, time_zone: &str) -> String {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    now.calendar().to_zoned(zone).strftime("%Y-%m-%d %H:%M %Z").to_string()
}

/// Returns the time of day at `now` by the calendar of the IANA zone `time_zone`, to the second. An unknown zone counts as UTC.
#[must_use]
pub fn time_of_day(now: Timestamp, time_zone: &str) -> TimeOfDay {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let time = now.calendar().to_zoned(zone).time();
    let minutes = i64::from(time.hour()) * 60 + i64::from(time.minute());
    TimeOfDay::of_seconds(minutes * 60 + i64::from(time.second()))
}

/// Returns the next moment after `now` at which it is `time` by the calendar of the IANA zone `time_zone`. A time that the calendar skips comes
/// an hour later. An unknown zone counts as UTC; at the end of the calendar it is a day later.
#[must_use]
pub fn next_time_of_day(now: Timestamp, time_zone: &str, time: TimeOfDay) -> Timestamp {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let today = now.calendar().to_zoned(zone.clone()).date();
    let (hours, minutes, seconds) = (time.seconds() / 3600 % 24, time.seconds() / 60 % 60, time.seconds() % 60);
    let part = |number: i64| i8::try_from(number).unwrap_or_default();
    let at = |date: jiff::civil::Date| {
        let moment = date.at(part(hours), part(minutes), part(seconds), 0).to_zoned(zone.clone()).ok()?;
        Some(Timestamp(moment.timestamp().as_millisecond()))
    };
    let next = at(today).filter(|moment| *moment > now).or_else(|| at(today.tomorrow().ok()?));
    next.unwrap_or_else(|| now.plus_days(1))
}

/// Names of months in Spanish, January first.
const MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

/// Returns time and day at `at` for a text message, by the calendar of the IANA zone `time_zone`: "6:30 PM on March 2", "18:30 del 2 de
/// marzo". An unknown zone counts as UTC.
#[must_use]
pub fn moment_text(at: Timestamp, time_zone: &str, language: Locale) -> String {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let moment = at.calendar().to_zoned(zone);
    match language {
        Locale::English => moment.strftime("%-I:%M %p on %B %-d").to_string(),
        Locale::Spanish => {
            let month = MONTHS.get(usize::from(moment.month().unsigned_abs()) - 1).copied().unwrap_or_default();
            format!("{} del {} de {month}", moment.strftime("%-H:%M"), moment.day())
        }
    }
}

/// Returns the last `count` dates by the calendar of `time_zone`, today last, each with the moment at which it ended; today "ends"
/// now. An unknown zone counts as UTC. Fewer at the ends of the calendar.
#[must_use]
pub fn last_days(now: Timestamp, time_zone: &str, count: u16) -> Vec<(String, Timestamp)> {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let today = now.calendar().to_zoned(zone.clone()).date();
    let day = |back: u16| {
        let date = today.checked_sub(jiff::Span::new().days(i64::from(back))).ok()?;
        let end = date.tomorrow().ok()?.to_zoned(zone.clone()).ok()?.start_of_day().ok()?;
        let end = Timestamp(end.timestamp().as_millisecond());
        Some((date.to_string(), if back == 0 { now } else { end.min(now) }))
    };
    (0..count).rev().filter_map(day).collect()
}

/// Returns true if `time_zone` is a known IANA name, such as "America/Los_Angeles".
#[must_use]
pub fn is_time_zone(time_zone: &str) -> bool {
    TimeZone::get(time_zone).is_ok()
}
