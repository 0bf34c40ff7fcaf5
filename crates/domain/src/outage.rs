//! Why a bed is disabled, and the day on which it is expected back (docs/decisions/0048).

use crate::time::check_not_passed;
use crate::value::one_line;

/// Maximum length of a reason, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Why a bed is disabled, and until when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outage {
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

    /// Checks that the bed is not expected back on a day that has passed. A day that was given before may stay.
    ///
    /// # Errors
    /// A sentence about the day.
    pub fn check_day(&self, before: &Self, today: &str) -> Result<(), &'static str> {
        check_not_passed(self.expected_back.as_deref(), before.expected_back.as_deref(), today)
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
