//! The text of a search.

use berth_domain::limits::{MAX_SEARCH_CHARS, MIN_PHONE_DIGITS, MIN_SEARCH_CHARS};
use berth_domain::value::fold;

use crate::http::search::{begins, contains, has_word};
use crate::{Error, Result};

/// Number of characters of a guest's code.
const CODE_CHARS: usize = 6;
/// Minimum number of characters by which a code is searched. Fewer match too many.
const MIN_CODE_CHARS: usize = 3;
/// Number of digits of a phone number with its country code.
const PHONE_DIGITS: usize = 11;

/// How well a name matches. The first is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name begins with the text.
    Beginning,
    /// Another word of the name begins with it.
    Word,
}

/// A parsed text: folded, so that it matches keys of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    folded: String,
}

impl Text {
    /// # Errors
    /// 422 if it is too short or too long.
    pub fn parse(query: &str) -> Result<Self> {
        let folded = fold(query);
        if folded.chars().count() < MIN_SEARCH_CHARS || query.trim().chars().count() > MAX_SEARCH_CHARS {
            return Err(Error::field("/query", "Type 2 to 50 characters."));
        }
        Ok(Self { folded })
    }

    /// Returns the folded text.
    #[must_use]
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns the LIKE patterns of keys that begin with the text, and of keys with another word that does.
    #[must_use]
    pub fn patterns(&self) -> [String; 2] {
        [begins(&self.folded), has_word(&self.folded)]
    }

    /// Returns how well a key matches; `None` if it does not.
    #[must_use]
    pub fn rank(&self, key: &str) -> Option<Rank> {
        if key.starts_with(&self.folded) {
            return Some(Rank::Beginning);
        }
        let words = key.match_indices(' ').map(|(at, space)| &key[at + space.len()..]);
        words.into_iter().any(|rest| rest.starts_with(&self.folded)).then_some(Rank::Word)
    }

    /// Returns a first name and the initial of a last name, as in "maria g" or "maria g.": folded and in upper case.
    #[must_use]
    pub fn name_and_initial(&self) -> Option<(&str, String)> {
        let (name, last) = self.folded.rsplit_once(' ')?;
        let last = last.strip_suffix('.').unwrap_or(last);
        let mut characters = last.chars();
        let initial = characters.next().filter(|character| character.is_alphabetic() && characters.next().is_none())?;
        Some((name, initial.to_uppercase().collect()))
    }

    /// Returns the digits of a phone number; `None` if the text has letters or too few digits.
    #[must_use]
    pub fn phone(&self) -> Option<String> {
        let digits: String = self.folded.chars().filter(char::is_ascii_digit).collect();
        let fits = (MIN_PHONE_DIGITS..=PHONE_DIGITS).contains(&digits.len());
        (fits && !self.folded.chars().any(char::is_alphabetic)).then_some(digits)
    }

    /// Returns the beginning of a code, which may be typed with spaces and hyphens.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        let code: String = self.folded.chars().filter(|character| !matches!(character, ' ' | '-')).collect();
        let fits = (MIN_CODE_CHARS..=CODE_CHARS).contains(&code.len());
        (fits && is_code(&code)).then(|| code.to_ascii_uppercase())
    }

    /// Returns the words that may be whole codes, as in "Maria G. K7M2QX", the way guests are shown.
    #[must_use]
    pub fn whole_codes(&self) -> Vec<String> {
        let words = self.folded.split(' ').filter(|word| word.len() == CODE_CHARS && is_code(word));
        words.map(str::to_ascii_uppercase).collect()
    }
}

fn is_code(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the LIKE pattern of phone numbers with these digits, and of those that end with them.
#[must_use]
pub fn phone_patterns(digits: &str) -> [String; 2] {
    [contains(digits), format!("%{digits}")]
}

/// Returns the range of the texts that begin with `prefix`: the lower bound is included, the upper one is not.
#[must_use]
pub fn range(prefix: String) -> [String; 2] {
    let end = format!("{prefix}{}", char::MAX);
    [prefix, end]
}

#[cfg(test)]
mod tests {
    use super::{Rank, Text, range};

    fn text(query: &str) -> Text {
        Text::parse(query).unwrap()
    }

    #[test]
    fn a_text_has_two_to_fifty_characters() {
        for query in ["", "a", "  a  ", "\u{301}a"] {
            assert!(Text::parse(query).is_err(), "{query:?}");
        }
        assert!(Text::parse("ab").is_ok() && Text::parse(&"é".repeat(50)).is_ok());
        assert!(Text::parse(&"a".repeat(51)).is_err());
    }

    #[test]
    fn names_match_at_their_beginning_and_at_the_beginning_of_a_word() {
        assert_eq!(text("HAR").rank("harbor house"), Some(Rank::Beginning));
        assert_eq!(text("house").rank("harbor house"), Some(Rank::Word));
        assert_eq!(text("arbor").rank("harbor house"), None);
        assert_eq!(text("José").rank("jose\u{1f}josé"), Some(Rank::Beginning));
    }

    #[test]
    fn a_name_may_have_an_initial_and_a_code() {
        assert_eq!(text("Maria G.").name_and_initial(), Some(("maria", "G".to_owned())));
        assert_eq!(text("mary ann b").name_and_initial(), Some(("mary ann", "B".to_owned())));
        assert_eq!(text("mary ann").name_and_initial(), None);
        assert_eq!(text("maria 1").name_and_initial(), None);
        assert_eq!(text("Maria G. K7M2QX").whole_codes(), ["K7M2QX"]);
    }

    #[test]
    fn codes_are_typed_with_spaces_and_phones_with_signs() {
        assert_eq!(text("k7m-2qx").code().unwrap(), "K7M2QX");
        assert_eq!(text("k7m 2").code().unwrap(), "K7M2");
        assert_eq!((text("k7").code(), text("k7m2qx4").code(), text("k%m").code()), (None, None, None));
        assert_eq!(text("(714) 555-01").phone().unwrap(), "71455501");
        assert_eq!(text("+1 714 555 0134").phone().unwrap(), "17145550134");
        assert_eq!((text("01").phone(), text("k7m234").phone(), text("171455501340").phone()), (None, None, None));
    }

    #[test]
    fn a_prefix_is_a_range() {
        let [from, to] = range("ma".to_owned());
        for inside in ["ma", "mary", "ma\u{1f}", "maé", "ma😀"] {
            assert!(*inside >= *from && *inside < *to, "{inside}");
        }
        assert!("mb" >= to.as_str() && "m" < from.as_str());
    }
}
