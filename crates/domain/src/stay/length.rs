//! How long a stay lasts: the site's maximum (DESIGN 6), and the day on which the guest is expected to leave.

use crate::time::{days_between, parse_day};

/// Number of days before the end of a stay from which a guest is listed as leaving soon.
pub const SOON_DAYS: i64 = 3;

/// Returns the days that are left of the maximum stay. Negative above it.
#[must_use]
pub const fn days_left(maximum_days: i64, days_stayed: i64) -> i64 {
    maximum_days - days_stayed
}

/// Returns the days from `today` until the day of departure. Negative if that day has passed. `None` if a text is not a day.
#[must_use]
pub fn days_until_departure(departure: &str, today: &str) -> Option<i64> {
    days_between(today, departure)
}

/// Returns true if the guest should leave soon, or should have left.
#[must_use]
pub const fn ends_soon(days_left: i64) -> bool {
    days_left <= SOON_DAYS
}

/// Parses the day on which a guest is expected to leave, such as `2026-12-01`. Empty is `None`. `today` is the day at the site; the day
/// that was stored `before` may have passed, a new one may not.
///
/// # Errors
/// A sentence about any other form, about days that do not exist, and about days that have passed.
pub fn departure(text: &str, before: Option<&str>, today: &str) -> Result<Option<String>, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let day = parse_day(text)?.to_string();
    if before != Some(day.as_str()) && day.as_str() < today {
        return Err("Choose today or a later day.");
    }
    Ok(Some(day))
}
