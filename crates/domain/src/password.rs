//! The rules for a new password (spec A 5).

use std::collections::HashSet;
use std::sync::LazyLock;

/// A rule for new passwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct PasswordRule {
    /// The id of the rule.
    pub id: &'static str,
    /// The sentence shown when it is broken.
    pub text: &'static str,
}

/// Minimum and maximum length of a password, in characters.
const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 12..=128;

/// Phrases that a password must not contain, in any case.
pub const FORBIDDEN_PHRASES: [&str; 6] = ["password", "123456", "qwerty", "letmein", "welcome", "admin"];

/// The message for a missing password.
const REQUIRED: &str = "New password is a required field";

/// The message for a password with a forbidden phrase.
const PHRASE: &str = "Password contains a common phrase or sequence";

/// Every rule, in the order in which errors are listed.
pub const PASSWORD_RULES: [PasswordRule; 9] = [
    PasswordRule { id: "minimum", text: "Password should have at least 12 characters" },
    PasswordRule { id: "maximum", text: "Password should have at most 128 characters" },
    PasswordRule { id: "uppercase", text: "Password must have at least one uppercase letter" },
    PasswordRule { id: "lowercase", text: "Password must have at least one lowercase letter" },
    PasswordRule { id: "digit", text: "Password must have at least one digit" },
    PasswordRule {
        id: "special",
        text: "Password must have at least one special character (punctuation) — spaces included",
    },
    PasswordRule { id: "repeated", text: "Password must not have more than 2 identical characters in a row" },
    PasswordRule { id: "common", text: "This password is too common and not allowed" },
    PasswordRule { id: "phrase", text: PHRASE },
];

/// Widely used passwords, lower case, one a line; lines that begin with "#!" tell where they come from.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("common_passwords.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("#!")).collect()
});

/// A password that follows the rules. It is kept exactly as typed and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword(String);

impl NewPassword {
    /// Parses a new password. It is not trimmed, truncated or normalized.
    ///
    /// # Errors
    /// The sentence of every rule that it breaks, in the order of [`PASSWORD_RULES`].
    pub fn parse(text: &str) -> Result<Self, Vec<&'static str>> {
        if text.is_empty() {
            return Err(vec![REQUIRED]);
        }
        let broken: Vec<_> = PASSWORD_RULES.iter().filter(|rule| !keeps(rule.id, text)).map(|rule| rule.text).collect();
        if broken.is_empty() { Ok(Self(text.to_owned())) } else { Err(broken) }
    }

    /// Parses a new password that must not contain personal data: no word of 4 or more letters or digits of `known`, such as the email
    /// address or the names, in any case (security guide 2.3).
    ///
    /// # Errors
    /// As [`NewPassword::parse`]; a known word counts as a common phrase.
    pub fn parse_avoiding(text: &str, known: &[&str]) -> Result<Self, Vec<&'static str>> {
        let lower = text.to_lowercase();
        let words = known.iter().flat_map(|known| known.split(|c: char| !c.is_alphanumeric()));
        let mut words = words.map(str::to_lowercase).filter(|word| word.chars().count() >= 4);
        let contains_known = words.any(|word| lower.contains(&word));
        match Self::parse(text) {
            Ok(_) if contains_known => Err(vec![PHRASE]),
            Err(mut broken) if contains_known && !broken.contains(&PHRASE) => {
                broken.push(PHRASE);
                Err(broken)
            }
            other => other,
        }
    }

    /// The password, for hashing only.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("NewPassword(…)")
    }
}

/// Returns true if `text` satisfies a rule.
fn keeps(rule: &str, text: &str) -> bool {
    let lower = || text.to_lowercase();
    match rule {
        "minimum" => text.chars().count() >= *PASSWORD_LENGTH.start(),
        "maximum" => text.chars().count() <= *PASSWORD_LENGTH.end(),
        "uppercase" => text.chars().any(char::is_uppercase),
        "lowercase" => text.chars().any(char::is_lowercase),
        "digit" => text.chars().any(|c| c.is_ascii_digit()),
        "special" => text.chars().any(|c| !c.is_alphanumeric()),
        "repeated" => !has_run_of_three(text),
        "common" => !COMMON.contains(lower().as_str()),
        "phrase" => FORBIDDEN_PHRASES.iter().all(|phrase| !lower().contains(phrase)),
        _ => false,
    }
}

/// Returns true if some character stands three times in a row.
fn has_run_of_three(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    characters.windows(3).any(|three| three[0] == three[1] && three[1] == three[2])
}
