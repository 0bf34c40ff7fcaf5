//! What a disabled bed waits for, why, and the day on which it is expected back (docs/decisions/0048, 0065).

use crate::time::{check_not_passed, days_between};
use crate::value::one_line;

/// Maximum length of a reason, in characters.
const MAX_REASON_CHARS: usize = 200;
/// Maximum number of days from today to the day on which a bed is expected back: a leap year.
const MAX_DAYS_AHEAD: i64 = 366;

text_enum! {
    /// What a disabled bed waits for.
    #[derive(Default, serde::Deserialize)]
    pub enum OutageKind {
        /// It is being cleaned, for example after a guest has left.
        Cleaning = "cleaning",
        /// It cannot be used for another reason.
        #[default]
        OutOfService = "out-of-service",
    }
}

impl OutageKind {
    /// Returns the kind in the words of the audit log.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Cleaning => "being cleaned",
            Self::OutOfService => "out of service",
        }
    }
}

/// What a disabled bed waits for, why, and until when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outage {
    /// What it waits for.
    pub kind: OutageKind,
    /// Why it is disabled.
    pub reason: Option<String>,
    /// The day on which it is expected back, in the site's time zone, such as `2026-12-01`.
    pub expected_back: Option<String>,
}

impl Outage {
    /// Returns true if the bed is still disabled after the day on which it was expected back. `today` is such as `2026-12-01`.
    #[must_use]
    pub fn is_overdue(&self, today: &str) -> bool {
        self.expected_back.as_deref().is_some_and(|day| day < today)
    }

    /// Checks that the bed is expected back today or later, and within a year. A day that was given before may stay.
    ///
    /// # Errors
    /// A sentence about the day.
    pub fn check_day(&self, before: &Self, today: &str) -> Result<(), &'static str> {
        let (day, before) = (self.expected_back.as_deref(), before.expected_back.as_deref());
        check_not_passed(day, before, today)?;
        let is_too_far = day.and_then(|day| days_between(today, day)).is_some_and(|days| days > MAX_DAYS_AHEAD);
        if is_too_far && day != before { Err("Choose a day within a year from today.") } else { Ok(()) }
    }
}

/// Parses the reason why a bed is disabled: one line without markup, at most 200 characters. Empty is `None`.
///
/// # Errors
/// A sentence about its length, or about characters that cannot be seen.
pub fn reason(text: &str) -> Result<Option<String>, &'static str> {
    let text = one_line(text)?;
    match text.chars().count() {
        0 => Ok(None),
        1..=MAX_REASON_CHARS => Ok(Some(text)),
        _ => Err("Maximum length is 200 symbols."),
    }
}
