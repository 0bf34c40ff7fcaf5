//! Why guests were declined or discharged, counted from the feedback. Feedback is free text and may describe one guest, so its words are
//! shown only where they were used for several.

use std::collections::{HashMap, HashSet};

use crate::value::fold;

/// The fewest people for whom a reason must have been given before its words are shown.
pub const MIN_GUESTS: usize = 3;
/// Maximum number of reasons that are listed by their words.
const MAX_LISTED: usize = 20;
/// Maximum length of a reason that is listed by its words, in characters.
const MAX_CHARS: usize = 200;

/// A reason and for how many guests it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Its words, in the spelling that was used most often.
    pub text: String,
    /// How many guests.
    pub count: u32,
}

/// The reasons of a kind of decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    /// Those that were given for at least [`MIN_GUESTS`] people, the most frequent first, at most 20.
    pub listed: Vec<Reason>,
    /// Guests with another reason.
    pub other: u32,
    /// Guests without a reason.
    pub none: u32,
}

/// The same reason in its spellings, and the people for whom it was given.
#[derive(Default)]
struct Group<'a> {
    spellings: HashMap<&'a str, u32>,
    people: HashSet<&'a str>,
}

impl Reasons {
    /// Counts the feedback of each guest, given with what tells one person from another: who was declined three times is one
    /// person, and words about one person are not shown. Two reasons are the same if they differ only in upper and lower case, accents, spaces, or
    /// punctuation at their ends.
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

    /// How many guests there are.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.listed.iter().map(|reason| reason.count).sum::<u32>() + self.other + self.none
    }
}

/// The spelling that was used most often; among several the first one of the alphabet.
fn most_used<'a>(spellings: &HashMap<&'a str, u32>) -> &'a str {
    let most = spellings.iter().max_by(|one, two| one.1.cmp(two.1).then_with(|| two.0.cmp(one.0)));
    most.map_or("", |(text, _)| text)
}
