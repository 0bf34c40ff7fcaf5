//! How long a stay lasts: the site's maximum (DESIGN 6), and the day on which the guest is expected to leave.

use crate::time::days_between;

/// Number of days before the end of a stay from which a guest is listed as leaving soon.
pub const SOON_DAYS: i64 = 3;

/// Returns the days until a stay should end: by the maximum stay of the site or by the expected departure, whichever is earlier.
/// Negative if that has passed. `None` without either. `departure` and `today` are days at the site, such as `2026-12-01`.
#[must_use]
pub fn days_left(maximum_days: Option<i64>, days_stayed: i64, departure: Option<&str>, today: &str) -> Option<i64> {
    let of_maximum = maximum_days.map(|maximum| maximum - days_stayed);
    let of_departure = departure.and_then(|day| days_between(today, day));
    of_maximum.into_iter().chain(of_departure).min()
}

/// Returns true if the guest should leave soon, or should have left.
#[must_use]
pub const fn ends_soon(days_left: i64) -> bool {
    days_left <= SOON_DAYS
}
