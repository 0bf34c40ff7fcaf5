//! Keys by which names and email addresses are searched, sorted and unique.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Separates the two parts of a [`name_key`]. No name contains it.
const SEPARATOR: char = '\u{1f}';

/// Returns the key of an email address: trimmed, lower case. Names use [`name_key`], which ignores accents, too.
#[must_use]
pub fn search_key(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Folds a text for searches: lower case, without accents, single spaces. "  José  Ñuñez" becomes "jose nunez".
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.nfkd().filter(|character| !is_combining_mark(*character)).flat_map(char::to_lowercase) {
        match character {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ı' => folded.push('i'),
            '‘' | '’' | 'ʻ' | 'ʼ' => folded.push('\''),
            '‐'..='―' => folded.push('-'),
            // The combining dot in the lower case of İ.
            _ if is_combining_mark(character) => {}
            _ => folded.push(character),
        }
    }
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of a `*_key` column of a name or an address.
///
/// It begins with the [folded](fold) name, so that a search for "jose" finds "José" and both sort side by side. Where
/// folding loses something, the lower-case name follows, so that "José" and "Jose" stay two different names to a unique
/// index.
#[must_use]
pub fn name_key(text: &str) -> String {
    let mut key = fold(text);
    let exact = text.nfc().flat_map(char::to_lowercase).collect::<String>();
    let exact = exact.split_whitespace().collect::<Vec<_>>().join(" ");
    if key != exact {
        key.push(SEPARATOR);
        key.push_str(&exact);
    }
    key
}
