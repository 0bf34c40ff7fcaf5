//! The clock of a sandbox, which tests can set, and the calendar of billing periods.

use serde::{Deserialize, Serialize};

/// The clock of an account, relative to the machine's clock.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Clock {
    /// Seconds ahead of the machine's clock.
    ahead: i64,
    /// The time at which the clock is stopped, in Unix seconds.
    frozen: Option<i64>,
}

impl Clock {
    pub(super) fn now(self) -> i64 {
        self.frozen.unwrap_or_else(|| super::state::now() + self.ahead)
    }

    /// Moves the clock forward, frozen or not.
    pub(super) fn advance(&mut self, seconds: i64) {
        match &mut self.frozen {
            Some(at) => *at += seconds,
            None => self.ahead += seconds,
        }
    }

    /// Sets the clock and stops it.
    pub(super) const fn freeze(&mut self, at: i64) {
        self.frozen = Some(at);
    }
}

const DAY: i64 = 24 * 60 * 60;

/// Returns the time that is `months` calendar months after `start`. A day that the month lacks becomes its last day.
pub(super) fn add_months(start: i64, months: i64) -> i64 {
    let (year, month, day) = date(start.div_euclid(DAY));
    let index = year * 12 + (month - 1) + months;
    let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
    let length = days(year + month / 12, month % 12 + 1, 1) - days(year, month, 1);
    days(year, month, day.min(length)) * DAY + start.rem_euclid(DAY)
}

/// Returns the first end of a period after `now`, where periods of `count` intervals are counted from `anchor`.
pub(super) fn period_end(anchor: i64, interval: &str, count: i64, now: i64) -> i64 {
    let nth = |number: i64| match interval {
        "day" => anchor + number * count * DAY,
        "week" => anchor + number * count * 7 * DAY,
        "year" => add_months(anchor, number * count * 12),
        _ => add_months(anchor, number * count),
    };
    (0..).map(nth).find(|end| *end > now).unwrap_or(now)
}

const ENGLISH: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SPANISH: [&str; 12] = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];

/// Returns the date of a time, such as `Nov 22, 2026`, or `22 nov 2026` in Spanish. Stripe's pages show days in UTC.
pub(super) fn day(at: i64, in_spanish: bool) -> String {
    let (year, month, day) = date(at.div_euclid(DAY));
    let months = if in_spanish { SPANISH } else { ENGLISH };
    let month = usize::try_from(month - 1).ok().and_then(|index| months.get(index)).copied().unwrap_or_default();
    if in_spanish { format!("{day} {month} {year}") } else { format!("{month} {day}, {year}") }
}

/// Returns the days from 1970-01-01 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the date of a day that is counted from 1970-01-01: year, month, day.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year + i64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::{DAY, add_months, day, days, period_end};

    fn at(year: i64, month: i64, day: i64) -> i64 {
        days(year, month, day) * DAY + 3_723
    }

    #[test]
    fn a_month_later_is_the_same_day_or_the_last_one() {
        for (start, months, expected) in [
            (at(2026, 11, 22), 1, at(2026, 12, 22)),
            (at(2026, 12, 31), 2, at(2027, 2, 28)),
            (at(2027, 12, 31), 2, at(2028, 2, 29)),
            (at(2028, 2, 29), 12, at(2029, 2, 28)),
            (at(2026, 1, 15), 12, at(2027, 1, 15)),
        ] {
            assert_eq!(add_months(start, months), expected, "{} + {months}", day(start, false));
        }
        assert_eq!((days(1970, 1, 1), day(0, false)), (0, "Jan 1, 1970".to_owned()));
    }

    #[test]
    fn a_day_is_formatted_for_the_language() {
        let day = |month, day_of_month| {
            let at = at(2026, month, day_of_month);
            (super::day(at, false), super::day(at, true))
        };
        assert_eq!(day(11, 22), ("Nov 22, 2026".to_owned(), "22 nov 2026".to_owned()));
        assert_eq!(day(12, 1), ("Dec 1, 2026".to_owned(), "1 dic 2026".to_owned()));
        assert_eq!(day(1, 31), ("Jan 31, 2026".to_owned(), "31 ene 2026".to_owned()));
    }

    #[test]
    fn periods_are_counted_from_the_anchor_so_that_a_short_month_does_not_shift_them() {
        let anchor = at(2027, 1, 31);
        assert_eq!(period_end(anchor, "month", 1, anchor), at(2027, 2, 28));
        assert_eq!(period_end(anchor, "month", 1, at(2027, 2, 28)), at(2027, 3, 31));
        assert_eq!(period_end(anchor, "year", 1, anchor), at(2028, 1, 31));
        assert_eq!(period_end(anchor, "week", 2, anchor), anchor + 14 * DAY);
        assert_eq!(
            period_end(anchor, "month", 1, at(2027, 1, 1)),
            anchor,
            "an anchor in the future ends the first one"
        );
    }
}
