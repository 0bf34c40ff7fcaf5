//! Cleans what people type of unsafe markup (spec A 5).
//!
//! These are plain texts, so tags are taken out rather than escaped: "a < b" and "Q & A" stay as typed, and the web
//! shows them as text. Cleaning twice changes nothing.

/// The text without control characters, invisible direction marks and markup, trimmed. Line breaks and tabs stay.
#[must_use]
pub fn clean_text(text: &str) -> String {
    let visible: Vec<char> = text.replace("\r\n", "\n").chars().filter(|c| !is_hidden(*c)).collect();
    let without_tags = strip_tags(&visible);
    drop_tag_openers(&without_tags).trim().to_owned()
}

/// Characters that do not show: controls, zero-width spaces and direction overrides, which make a text read otherwise
/// than it is. Joiners stay: several scripts and emoji need them.
fn is_hidden(character: char) -> bool {
    let kept_control = matches!(character, '\n' | '\t');
    (character.is_control() && !kept_control)
        || matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a '<' before this character begins markup in HTML.
fn opens_tag(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '/' | '!' | '?')
}

/// Takes out comments, tags, and scripts and styles together with their content.
fn strip_tags(text: &[char]) -> Vec<char> {
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&character) = text.get(at) {
        let is_tag = character == '<' && text.get(at + 1).copied().is_some_and(opens_tag);
        match if is_tag { end_of_markup(text, at) } else { None } {
            Some(end) => at = end,
            None => {
                kept.push(character);
                at += 1;
            }
        }
    }
    kept
}

/// The place after the markup that begins at `start`; none when it never ends.
fn end_of_markup(text: &[char], start: usize) -> Option<usize> {
    if starts_with(text, start, "<!--") {
        return find(text, start + 4, "-->").map(|found| found + 3);
    }
    let end = find(text, start, ">").map(|found| found + 1)?;
    for (open, close) in [("<script", "</script"), ("<style", "</style")] {
        if starts_with(text, start, open) {
            let content_end = find(text, end, close).and_then(|found| find(text, found, ">"));
            return Some(content_end.map_or(end, |found| found + 1));
        }
    }
    Some(end)
}

/// Whether `text` has `pattern` (lower-case ASCII) at `at`, without regard to case.
fn starts_with(text: &[char], at: usize, pattern: &str) -> bool {
    text.len() >= at + pattern.len() && pattern.chars().zip(&text[at..]).all(|(p, c)| p == c.to_ascii_lowercase())
}

/// The first place from `from` on where `text` has `pattern`.
fn find(text: &[char], from: usize, pattern: &str) -> Option<usize> {
    (from..text.len()).find(|at| starts_with(text, *at, pattern))
}

/// Takes out each '<' that would still open a tag, alone or after others: what is left over of a tag without an end,
/// or a tag that taking another one out has put together.
fn drop_tag_openers(text: &[char]) -> String {
    let mut kept = String::with_capacity(text.len());
    for (at, &character) in text.iter().enumerate() {
        let next = text[at..].iter().copied().find(|c| *c != '<');
        if character != '<' || !next.is_some_and(opens_tag) {
            kept.push(character);
        }
    }
    kept
}
