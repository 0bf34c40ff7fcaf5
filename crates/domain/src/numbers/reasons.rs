//! Reasons for declines and discharges, counted from the list of the organization and from the feedback. Feedback is free text and may describe a guest, so it is shown only if it
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

/// The end of a guest's reservation or stay, and what was given as its reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given<'a> {
    /// A key of the person, such as the phone.
    pub person: &'a str,
    /// The reason that was chosen from the list of the organization, as it is named now.
    pub chosen: Option<&'a str>,
    /// The free text.
    pub feedback: Option<&'a str>,
}

/// The reasons of a kind of decision. Each guest is counted once: by the chosen reason, or by the feedback if none was chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    /// The chosen reasons, the most frequent first.
    pub chosen: Vec<Reason>,
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
    /// Counts the reasons of guests. In free text, three declines of the same person count as one person, and two reasons are the
    /// same if they differ only in case, accents, spaces, or punctuation at their ends. Chosen reasons are counted from the first guest
    /// on, since their words were written for everybody.
    pub fn of<'a>(given: impl IntoIterator<Item = Given<'a>>) -> Self {
        let mut by_name: HashMap<&str, u32> = HashMap::new();
        let mut groups: HashMap<String, Group<'a>> = HashMap::new();
        let mut none = 0;
        for Given { person, chosen, feedback } in given {
            if let Some(name) = chosen {
                *by_name.entry(name).or_default() += 1;
                continue;
            }
            let text = feedback.map_or("", str::trim);
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
        by_frequency(&mut listed);
        other += listed.iter().skip(MAX_LISTED).map(|reason| reason.count).sum::<u32>();
        listed.truncate(MAX_LISTED);
        let mut chosen: Vec<Reason> =
            by_name.into_iter().map(|(name, count)| Reason { text: name.to_owned(), count }).collect();
        by_frequency(&mut chosen);
        Self { chosen, listed, other, none }
    }

    /// Returns the number of guests.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.chosen.iter().chain(&self.listed).map(|reason| reason.count).sum::<u32>() + self.other + self.none
    }
}

fn by_frequency(reasons: &mut [Reason]) {
    reasons.sort_by(|one, two| two.count.cmp(&one.count).then_with(|| one.text.cmp(&two.text)));
}

/// Returns the most frequent spelling, the first one in alphabetical order of several.
fn most_used<'a>(spellings: &HashMap<&'a str, u32>) -> &'a str {
    let most = spellings.iter().max_by(|one, two| one.1.cmp(two.1).then_with(|| two.0.cmp(one.0)));
    most.map_or("", |(text, _)| text)
}
