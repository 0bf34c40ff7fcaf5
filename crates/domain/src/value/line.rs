//! Names on one line. Invisible characters are rejected, since with them different names look alike.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::clean_text;

/// The message for a name with an invisible character.
const INVISIBLE: &str = "This contains characters that cannot be seen. Please type it again.";

/// Returns the text in NFC without markup, with each run of white space as one space.
///
/// # Errors
/// [`INVISIBLE`]
pub fn one_line(text: &str) -> Result<String, &'static str> {
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect();
    let mut can_carry_mark = false;
    for character in text.chars() {
        let is_mark = is_combining_mark(character);
        if is_invisible(character) || (is_mark && !can_carry_mark) {
            return Err(INVISIBLE);
        }
        can_carry_mark = is_mark || character.is_alphanumeric();
    }
    Ok(clean_text(&text).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns true for controls, format characters, fillers, variation selectors, tags and private use.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}
