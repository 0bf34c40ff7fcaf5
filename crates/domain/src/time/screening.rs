//! The screening period of a site: how long a reservation is held (spec A 3, 5; DESIGN 3).

use super::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The periods offered by GET /api/Sites/screeningPeriods, in hours.
pub const SCREENING_PERIODS: [i64; 12] = [1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72];

/// The message for a hold outside of 1 to 72 hours.
const HOLD: &str = "The hold must be 1 to 72 hours.";

/// The message for a screening period of another form (spec A 5).
const FORM: &str = "The screening period must be 'dd:hh:mm:ss'.";

/// Duration of the hold of a reservation from the public side: 1 to 72 whole hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hold(i64);

impl Hold {
    /// Creates a hold of `hours` hours.
    ///
    /// # Errors
    /// A sentence unless `hours` is 1 to 72.
    pub const fn hours(hours: i64) -> Result<Self, &'static str> {
        if matches!(hours, 1..=72) { Ok(Self(hours)) } else { Err(HOLD) }
    }

    /// Returns its length in hours, 1 to 72.
    #[must_use]
    pub const fn as_hours(self) -> i64 {
        self.0
    }

    /// Returns the end of the hold of a reservation made at `created`. At that moment it is no longer held.
    #[must_use]
    pub const fn expires_at(self, created: Timestamp) -> Timestamp {
        created.plus_hours(self.0)
    }
}

/// A span in seconds, written `dd:hh:mm:ss`, 0 seconds to 99 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(value_type = String, example = "03:00:00:00")]
pub struct ScreeningPeriod(i64);

impl ScreeningPeriod {
    /// Parses `dd:hh:mm:ss`: four pairs of digits, hours below 24, minutes and seconds below 60.
    ///
    /// # Errors
    /// A sentence if the text has another form.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut pairs = [0; 4];
        let mut found = text.trim().split(':');
        for pair in &mut pairs {
            *pair = found.next().and_then(two_digits).ok_or(FORM)?;
        }
        let [days, hours, minutes, seconds] = pairs;
        if found.next().is_some() || hours > 23 || minutes > 59 || seconds > 59 {
            return Err(FORM);
        }
        Ok(Self(((days * 24 + hours) * 60 + minutes) * 60 + seconds))
    }

    /// Returns the period of `hold`.
    #[must_use]
    pub const fn of(hold: Hold) -> Self {
        Self(hold.as_hours() * 3600)
    }

    /// Returns its whole hours, rounded down.
    #[must_use]
    pub const fn total_hours(self) -> i64 {
        self.0 / 3600
    }

    /// Returns it as a hold.
    ///
    /// # Errors
    /// A sentence unless it is a whole number of hours from 1 to 72.
    pub const fn hold(self) -> Result<Hold, &'static str> {
        if self.0 % 3600 == 0 { Hold::hours(self.total_hours()) } else { Err(HOLD) }
    }
}

impl fmt::Display for ScreeningPeriod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, seconds) = (self.0 / 60, self.0 % 60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        write!(formatter, "{:02}:{:02}:{minutes:02}:{seconds:02}", hours / 24, hours % 24)
    }
}

impl Serialize for ScreeningPeriod {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ScreeningPeriod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Parses exactly two ASCII digits.
pub(super) fn two_digits(text: &str) -> Option<i64> {
    match text.as_bytes() {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Some(i64::from(tens - b'0') * 10 + i64::from(ones - b'0')),
        _ => None,
    }
}
