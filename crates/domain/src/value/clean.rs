//! Removing unsafe markup from texts (spec A 5).
//!
//! The texts are plain, so tags are removed and not escaped: "a < b" and "Q & A" are kept, and the web shows them as text. Cleaning is
//! idempotent.

/// Removes control characters, invisible direction marks and markup, and trims the text. Line breaks and tabs are kept.
#[must_use]
pub fn clean_text(text: &str) -> String {
    let visible: Vec<char> = text.replace("\r\n", "\n").chars().filter(|c| !is_hidden(*c)).collect();
    let without_tags = strip_tags(&visible);
    drop_tag_openers(&without_tags).trim().to_owned()
}

/// Returns the text on one line without invisible characters, for texts that are only recorded, such as search filters: they must not change
/// how other texts on the screen read.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars().filter(|character| !character.is_control() && !is_hidden(*character)).collect()
}

/// Returns true for invisible characters: controls, zero-width spaces and direction marks, which change how a text reads. Joiners are not among
/// them, since several scripts and emoji need them.
fn is_hidden(character: char) -> bool {
    let kept_control = matches!(character, '\n' | '\t');
    (character.is_control() && !kept_control)
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns true if a '<' before this character begins markup in HTML.
fn opens_tag(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '/' | '!' | '?')
}

/// The last position of each text that ends markup. The search stops there, so a text of unclosed tags takes linear time.
struct LastEnds {
    tag: Option<usize>,
    comment: Option<usize>,
    script: Option<usize>,
    style: Option<usize>,
}

/// Removes comments, tags, and scripts and styles with their content.
fn strip_tags(text: &[char]) -> Vec<char> {
    let last = LastEnds {
        tag: find_last(text, ">"),
        comment: find_last(text, "-->"),
        script: find_last(text, "</script"),
        style: find_last(text, "</style"),
    };
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&character) = text.get(at) {
        let is_tag = character == '<' && text.get(at + 1).copied().is_some_and(opens_tag);
        match if is_tag { end_of_markup(text, at, &last) } else { None } {
            Some(end) => at = end,
            None => {
                kept.push(character);
                at += 1;
            }
        }
    }
    kept
}

/// Returns the position after the markup that begins at `start`. `None` if it does not end.
fn end_of_markup(text: &[char], start: usize, last: &LastEnds) -> Option<usize> {
    if starts_with(text, start, "<!--") {
        return find(text, start + 4, "-->", last.comment).map(|found| found + 3);
    }
    let end = find(text, start, ">", last.tag).map(|found| found + 1)?;
    for (open, close, last_close) in [("<script", "</script", last.script), ("<style", "</style", last.style)] {
        if starts_with(text, start, open) {
            let close = find(text, end, close, last_close);
            let content_end = close.and_then(|found| find(text, found, ">", last.tag));
            return Some(content_end.map_or(end, |found| found + 1));
        }
    }
    Some(end)
}

/// Returns true if `text` has `pattern` (lower-case ASCII) at `at`, in any case.
fn starts_with(text: &[char], at: usize, pattern: &str) -> bool {
    text.len() >= at + pattern.len() && pattern.chars().zip(&text[at..]).all(|(p, c)| p == c.to_ascii_lowercase())
}

/// Returns the first position from `from` to `last` where `text` has `pattern`.
fn find(text: &[char], from: usize, pattern: &str, last: Option<usize>) -> Option<usize> {
    (from..=last?).find(|at| starts_with(text, *at, pattern))
}

/// Returns the last position where `text` has `pattern`.
fn find_last(text: &[char], pattern: &str) -> Option<usize> {
    (0..text.len()).rev().find(|at| starts_with(text, *at, pattern))
}

/// Removes each '<' that would still open a tag: the rest of a tag without an end, or a tag that the removal of another one has formed.
fn drop_tag_openers(text: &[char]) -> String {
    let mut kept = Vec::with_capacity(text.len());
    let mut next_opens = false;
    for &character in text.iter().rev() {
        if character != '<' {
            next_opens = opens_tag(character);
        } else if next_opens {
            continue;
        }
        kept.push(character);
    }
    kept.iter().rev().collect()
}
