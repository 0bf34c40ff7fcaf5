//! Saved cards (spec B 3, 4, 5): expiration and removal. Card numbers and security codes are never handled.

use std::fmt;

use crate::time::Timestamp;

/// The message for an invalid date (spec B 5, 8).
const INCORRECT: &str = "Incorrect expiration date";

/// The last month in which a card is valid, written "M/YY".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardExpiry {
    year: u16,
    month: u8,
}

impl CardExpiry {
    /// Creates it from a month, 1 to 12, and a year of this century.
    ///
    /// # Errors
    /// "Incorrect expiration date".
    pub fn of(month: i64, year: i64) -> Result<Self, &'static str> {
        let month = u8::try_from(month).ok().filter(|month| (1..=12).contains(month)).ok_or(INCORRECT)?;
        let year = u16::try_from(year).ok().filter(|year| (2000..=2099).contains(year)).ok_or(INCORRECT)?;
        Ok(Self { year, month })
    }

    /// Parses "4/40" or "04/40".
    ///
    /// # Errors
    /// "Incorrect expiration date".
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let (month, year) = text.trim().split_once('/').ok_or(INCORRECT)?;
        let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
            let plain = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            if plain { text.parse::<i64>().map_err(|_| INCORRECT) } else { Err(INCORRECT) }
        };
        Self::of(number(month, 1..=2)?, 2000 + number(year, 2..=2)?)
    }

    /// 1 to 12.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// Four digits.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }
}

impl fmt::Display for CardExpiry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{:02}", self.month, self.year % 100)
    }
}

/// The current month in UTC, as 12 × year + month. A card whose last month is this one or an earlier one expires.
#[must_use]
pub fn expiring_through(now: Timestamp) -> i64 {
    now.month_number()
}

/// Checks that a card can be removed. The last card of an organization cannot while it pays for a subscription.
pub const fn may_remove(other_cards: i64, live_subscriptions: i64) -> Result<(), &'static str> {
    if other_cards == 0 && live_subscriptions > 0 {
        return Err(
            "This is the last card, and a subscription is paid with it. Add another card first, or cancel the \
            subscription.",
        );
    }
    Ok(())
}
