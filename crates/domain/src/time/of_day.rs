//! Times of day of the intake hours (spec A 2, 3, 5; spec B 5).

use super::screening::two_digits;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A time of day, in seconds since midnight: 00:00:00 to 24:00:00; the end of the day is the last of the 49 slots of the selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(value_type = String, example = "09:00:00")]
pub struct TimeOfDay(i64);

impl TimeOfDay {
    /// 00:01:00, which stands for "All Day" in the intake hours (spec A 3).
    pub const ALL_DAY: Self = Self(60);
    /// Default start of an enabled intake period (spec A 5).
    pub const DEFAULT_FROM: Self = Self(9 * 3600);
    /// Default end of an enabled intake period (spec A 5).
    pub const DEFAULT_TO: Self = Self(17 * 3600);

    /// Parses `hh:mm:ss`.
    ///
    /// # Errors
    /// A sentence if the text has another form or is past 24:00:00.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "The time must be 'hh:mm:ss'.";
        let mut pairs = [0; 3];
        let mut found = text.trim().split(':');
        for pair in &mut pairs {
            *pair = found.next().and_then(two_digits).ok_or(FORM)?;
        }
        let [hours, minutes, seconds] = pairs;
        let seconds_of_day = (hours * 60 + minutes) * 60 + seconds;
        if found.next().is_some() || minutes > 59 || seconds > 59 || seconds_of_day > 24 * 3600 {
            return Err(FORM);
        }
        Ok(Self(seconds_of_day))
    }

    /// The time this many seconds after midnight, 0 to 86,400.
    pub(super) const fn of_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Returns true if it stands for "All Day".
    #[must_use]
    pub fn is_all_day(self) -> bool {
        self == Self::ALL_DAY
    }

    /// Seconds since midnight, 0 to 86,400.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// Rounds to the nearest half hour, a quarter up. "All Day" is kept.
    #[must_use]
    pub fn to_half_hour(self) -> Self {
        if self.is_all_day() {
            return self;
        }
        Self((self.0 + 900) / 1800 * 1800)
    }

    /// Formats it for people: "9:00 AM", "12:30 PM", "All Day" (spec B 9).
    #[must_use]
    pub fn twelve_hour(self) -> String {
        if self.is_all_day() {
            return "All Day".to_owned();
        }
        let (hours, minutes) = (self.0 / 3600 % 24, self.0 / 60 % 60);
        let half = if hours < 12 { "AM" } else { "PM" };
        let hours = if hours % 12 == 0 { 12 } else { hours % 12 };
        format!("{hours}:{minutes:02} {half}")
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hours, minutes, seconds) = (self.0 / 3600, self.0 / 60 % 60, self.0 % 60);
        write!(formatter, "{hours:02}:{minutes:02}:{seconds:02}")
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
