//! Reasons for declines and discharges, counted from the feedback. Feedback is free text and may describe a guest, so it is shown only if it
//! was used for several.

use std::collections::{HashMap, HashSet};

use crate::value::fold;

/// Minimum number of people with the same reason before its text is shown.
pub const MIN_GUESTS: usize = 3;
/// Maximum number of listed reasons.
const MAX_LISTED: usize = 20;
/// Maximum length of a listed reason, in characters.
const MAX_CHARS: usize = 200;

/// A reason with its number of guests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The text, in the most frequent spelling.
    pub text: String,
    /// Number of guests.
    pub count: u32,
}

/// The reasons of a kind of decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    /// The reasons of at least [`MIN_GUESTS`] people, the most frequent first, at most 20.
    pub listed: Vec<Reason>,
    /// Number of guests with another reason.
    pub other: u32,
    /// Number of guests without a reason.
    pub none: u32,
}

/// A reason in its spellings, and the people with it.
#[derive(Default)]
struct Group<'a> {
    spellings: HashMap<&'a str, u32>,
    people: HashSet<&'a str>,
}

impl Reasons {
    /// Counts the feedback of guests, each with a key of the person: three declines of the same person count as one person. Two reasons are the
    /// same if they differ only in case, accents, spaces, or punctuation at their ends.
    pub fn of<'a>(feedback: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Self {
        let mut groups: HashMap<String, Group<'a>> = HashMap::new();
        let mut none = 0;
        for (person, text) in feedback {
            let text = text.map_or("", str::trim);
            let key = fold(text);
            let key = key.trim_matches(|character: char| !character.is_alphanumeric());
            if key.is_empty() {
                none += 1;
            } else {
                let group = groups.entry(key.to_owned()).or_default();
                *group.spellings.entry(text).or_default() += 1;
                group.people.insert(person);
            }
        }
        let mut listed = Vec::new();
        let mut other = 0;
        for Group { spellings, people } in groups.into_values() {
            let count: u32 = spellings.values().sum();
            let text = most_used(&spellings);
            if people.len() >= MIN_GUESTS && text.chars().count() <= MAX_CHARS {
                listed.push(Reason { text: text.to_owned(), count });
            } else {
                other += count;
            }
        }
        listed.sort_by(|one, two| two.count.cmp(&one.count).then_with(|| one.text.cmp(&two.text)));
        other += listed.iter().skip(MAX_LISTED).map(|reason| reason.count).sum::<u32>();
        listed.truncate(MAX_LISTED);
        Self { listed, other, none }
    }

    /// Returns the number of guests.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.listed.iter().map(|reason| reason.count).sum::<u32>() + self.other + self.none
    }
}

/// Returns the most frequent spelling, the first one in alphabetical order of several.
fn most_used<'a>(spellings: &HashMap<&'a str, u32>) -> &'a str {
    let most = spellings.iter().max_by(|one, two| one.1.cmp(two.1).then_with(|| two.0.cmp(one.0)));
    most.map_or("", |(text, _)| text)
}
