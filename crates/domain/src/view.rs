//! Views: how a user left a table, the filters that the user keeps on a screen, and the user's settings. They follow the user to
//! other devices (docs/decisions/0069 and 0076).

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::catalog::{self, Payer};
use crate::check::{Check, FieldErrors};

/// Maximum number of views of a user: there are about 20 tables and screens, and five settings.
const MAX_VIEWS: i64 = 60;
/// Maximum length of a view, in characters.
const MAX_CHARS: usize = 1000;
/// Maximum number of filters that a user keeps on a screen.
const MAX_FILTERS: usize = 8;
/// Maximum number of keyboard shortcuts that a user turned off.
const MAX_SHORTCUTS: usize = 20;
/// The page sizes of tables, the same as in `web/src/components/data-table/table-search.ts`.
const PAGE_SIZES: [&str; 5] = ["5", "10", "25", "100", "250"];

/// A view of a user. It has only ids and codes in it, no text that somebody typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    name: String,
    text: String,
}

impl View {
    /// Parses the name and the text of a view:
    ///
    /// - `tableLook.guests` and `25 dense -phone`: page size, density and hidden columns of a table
    /// - `savedFilters.today` and `siteId=…&service=medical-detox payer=MediCal`: the filters that are kept on a screen, or an
    ///   empty text if there are none
    /// - `setting.moves-unasked` and `on`: a setting, or an empty text if it is off
    ///
    /// # Errors
    /// A sentence at `/name` or `/text`.
    pub fn parse(name: String, text: String) -> Result<Self, FieldErrors> {
        let mut check = Check::new();
        let (kind, place) = name.split_once('.').unwrap_or_default();
        let is_text_valid = match kind {
            "tableLook" => Some(is_look(&text)),
            "savedFilters" => Some(are_filters(&text)),
            "setting" => is_setting(place, &text),
            _ => None,
        };
        let is_place_valid = is_code(place, |letter| letter.is_ascii_lowercase() || letter == '-');
        check.require(
            is_text_valid.is_some() && is_place_valid,
            "/name",
            "The name of this view is unknown. Reload the page.",
        );
        check.require(
            is_text_valid != Some(false),
            "/text",
            "A view may contain only ids and codes, such as 25 dense -phone.",
        );
        check.require(text.len() <= MAX_CHARS, "/text", "Maximum length of a view is 1000 symbols.");
        check.build(|| Some(Self { name, text }))
    }

    /// Returns the name, such as `tableLook.guests`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text as stored.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Checks that a user with `count` other views may store one.
///
/// # Errors
/// A sentence about the limit.
pub const fn may_store(count: i64) -> Result<(), &'static str> {
    if count < MAX_VIEWS { Ok(()) } else { Err("You already have 60 saved views, and no more can be stored.") }
}

/// Returns true for a text such as `25 dense -phone`.
fn is_look(text: &str) -> bool {
    let mut words = text.split(' ').peekable();
    let is_sized = words.next().is_some_and(|size| PAGE_SIZES.contains(&size));
    words.next_if_eq(&"dense");
    let is_column =
        |word: &str| word.strip_prefix('-').is_some_and(|id| is_code(id, |letter| letter.is_ascii_alphabetic()));
    is_sized && words.all(is_column)
}

/// Returns true for filters as in an address, with spaces between them.
fn are_filters(text: &str) -> bool {
    let filters: Vec<&str> = text.split(' ').collect();
    text.is_empty()
        || (filters.len() <= MAX_FILTERS && filters.iter().all(|filter| is_filter(filter)) && are_different(&filters))
}

/// Returns true for a text such as `service=medical-detox&payer=MediCal`.
fn is_filter(text: &str) -> bool {
    let fields: Vec<(&str, &str)> = text.split('&').map(|field| field.split_once('=').unwrap_or_default()).collect();
    let is_known = |field: &(&str, &str)| match *field {
        ("siteId", id) => Uuid::parse_str(id).is_ok_and(|known| known.to_string() == id),
        ("service", id) => catalog::service(id).is_some(),
        ("payer", name) => Payer::from_text(name).is_some(),
        _ => false,
    };
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    fields.iter().all(is_known) && are_different(&names)
}

/// Returns whether the text is one of this setting, or `None` for an unknown setting.
fn is_setting(name: &str, text: &str) -> Option<bool> {
    match name {
        "start-today" | "moves-unasked" | "alert-sound" | "alert-notification" => Some(matches!(text, "" | "on")),
        // Those that are off, by their names, as in `accept newGuest`.
        "shortcuts-off" => Some(text.is_empty() || are_shortcuts(text)),
        _ => None,
    }
}

/// Returns true for different names with spaces between them.
fn are_shortcuts(text: &str) -> bool {
    let names: Vec<&str> = text.split(' ').collect();
    let is_name = |name: &&str| is_code(name, |letter| letter.is_ascii_alphabetic());
    names.len() <= MAX_SHORTCUTS && names.iter().all(is_name) && are_different(&names)
}

/// Returns true if no text is there twice.
fn are_different(texts: &[&str]) -> bool {
    texts.iter().collect::<BTreeSet<_>>().len() == texts.len()
}

/// Returns true for 1 to 40 of these letters.
fn is_code(text: &str, letter: impl Fn(char) -> bool) -> bool {
    (1..=40).contains(&text.len()) && text.chars().all(letter)
}
