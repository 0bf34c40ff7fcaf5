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

/// The text on one line without characters that do not show. For what is only put on record, such as the filters that
/// somebody typed: it is not refused, but must not make other texts on the screen read otherwise.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars().filter(|character| !character.is_control() && !is_hidden(*character)).collect()
}

/// Characters that do not show: controls, zero-width spaces and direction marks, which make a text read otherwise
/// than it is. Joiners stay: several scripts and emoji need them.
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

/// The last place of each text that ends markup. Beyond it nobody searches, so a text of unclosed tags costs one pass.
struct LastEnds {
    tag: Option<usize>,
    comment: Option<usize>,
    script: Option<usize>,
    style: Option<usize>,
}

/// Takes out comments, tags, and scripts and styles together with their content.
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

/// The place after the markup that begins at `start`; none when it never ends.
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

/// Returns true if `text` has `pattern` (lower-case ASCII) at `at`, without regard to case.
fn starts_with(text: &[char], at: usize, pattern: &str) -> bool {
    text.len() >= at + pattern.len() && pattern.chars().zip(&text[at..]).all(|(p, c)| p == c.to_ascii_lowercase())
}

/// The first place from `from` to `last` where `text` has `pattern`.
fn find(text: &[char], from: usize, pattern: &str, last: Option<usize>) -> Option<usize> {
    (from..=last?).find(|at| starts_with(text, *at, pattern))
}

/// The last place where `text` has `pattern`.
fn find_last(text: &[char], pattern: &str) -> Option<usize> {
    (0..text.len()).rev().find(|at| starts_with(text, *at, pattern))
}

/// Takes out each '<' that would still open a tag, alone or after others: what is left over of a tag without an end,
/// or a tag that taking another one out has put together.
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
