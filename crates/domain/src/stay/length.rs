//! How long a stay may last: the site's maximum (DESIGN 6).

/// Number of days before the maximum stay from which a guest is listed as leaving soon.
pub const SOON_DAYS: i64 = 3;

/// Returns the days that are left of the maximum stay. Negative above it.
#[must_use]
pub const fn days_left(maximum_days: i64, days_stayed: i64) -> i64 {
    maximum_days - days_stayed
}

/// Returns true if the guest should leave soon, or should have left.
#[must_use]
pub const fn ends_soon(days_left: i64) -> bool {
    days_left <= SOON_DAYS
}
