//! Streets, and hiding telephone numbers in typed texts. The address of a site is part of messages that Berth sends to guests, so it must not
//! contain a link or a telephone number.

use unicode_normalization::char::is_combining_mark;

/// Maximum length of a street, in characters.
const MAX_STREET_CHARS: usize = 80;
/// Minimum number of digits in a row that count as a telephone number.
const PHONE_DIGITS: usize = 7;
/// Abbreviations that are often written without a space after them: "12 St.Paul Ave".
const SHORT: [&str; 20] = [
    "apt", "ave", "blvd", "dr", "e", "ft", "hwy", "mt", "n", "ne", "no", "nw", "rd", "s", "se", "st", "ste", "sw", "w",
    "bldg",
];

/// Returns true for a street with its number: the characters of an address, at most 80 of them, a letter and a digit.
#[must_use]
pub fn is_street(text: &str) -> bool {
    text.chars().count() <= MAX_STREET_CHARS
        && text.chars().any(|character| character.is_ascii_digit())
        && text.chars().any(char::is_alphabetic)
        && is_plain_address(text)
}

/// Returns true if a text has nothing but letters, digits and the punctuation of addresses, no web address and no telephone number.
#[must_use]
pub fn is_plain_address(text: &str) -> bool {
    text.chars().all(is_of_address) && !has_link(text) && hide_phone_numbers(text) == text
}

fn is_of_address(character: char) -> bool {
    character.is_alphabetic()
        || character.is_ascii_digit()
        || is_combining_mark(character)
        || matches!(character, ' ' | '.' | ',' | '\'' | '’' | '#' | '-' | '–' | '/' | '&' | '(' | ')' | '½' | '¼' | '¾')
}

/// Returns true if there is a dot between two words, as in a web address, except for "N.W." and "St.Paul".
fn has_link(text: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '-';
    text.match_indices('.').any(|(point, _)| {
        let before: String = text[..point].chars().rev().take_while(|character| is_word(*character)).collect();
        let before: String = before.chars().rev().collect::<String>().to_lowercase();
        let after = text[point + 1..].chars().take_while(|character| is_word(*character)).count();
        after > 1 && !before.is_empty() && !SHORT.contains(&before.as_str())
    })
}

/// Replaces the digits of telephone numbers by dots: "call 714 555 0100" becomes "call ••• ••• ••••".
#[must_use]
pub fn hide_phone_numbers(text: &str) -> String {
    let words: Vec<&str> =
        text.split_inclusive(|character: char| character.is_whitespace() || character == ',').collect();
    let mut hidden = String::with_capacity(text.len());
    let mut start = 0;
    while start < words.len() {
        let end = words[start..].iter().position(|word| !is_number(word)).map_or(words.len(), |offset| start + offset);
        if words[start..end].iter().map(|word| digits(word)).sum::<usize>() >= PHONE_DIGITS {
            let points = words[start..end].concat();
            hidden.extend(points.chars().map(|character| if character.is_numeric() { '•' } else { character }));
        } else {
            hidden.push_str(&words[start..end].concat());
        }
        hidden.push_str(words.get(end).copied().unwrap_or_default());
        start = end + 1;
    }
    hidden
}

fn is_number(word: &str) -> bool {
    word.chars().any(char::is_numeric) && !word.chars().any(char::is_alphabetic)
}

/// Returns the digits of a number. A fraction has none: "12345 1/2 Main St".
fn digits(word: &str) -> usize {
    let count = word.chars().filter(|character| character.is_numeric()).count();
    if word.contains('/') && count <= 4 { 0 } else { count }
}
