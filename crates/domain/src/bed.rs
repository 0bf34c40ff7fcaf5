//! Bed types, and the names of new beds and houses (spec B 3, DESIGN 6).

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::collections::HashSet;
use std::fmt;

text_enum! {
    /// The type of a bed. JSON holds the name. 1, 2 and 3 are accepted, too; 0, empty or absent is Sober Living.
    #[derive(Default)]
    pub enum BedKind as BedType {
        /// 1
        Detox = "Detox",
        /// 2
        Treatment = "Treatment",
        /// 3
        #[default]
        SoberLiving = "Sober Living",
    }
}

text_enum! {
    /// Filter of a list or a report of beds (spec B 2).
    #[derive(Default)]
    pub enum BedFilter {
        /// Every bed.
        #[default]
        All = "all",
        /// Enabled beds without a guest.
        Vacant = "vacant",
        /// Beds with a guest.
        Occupied = "occupied",
    }
}

impl BedFilter {
    /// Returns true if a bed in this state is listed.
    #[must_use]
    pub const fn includes(self, is_disabled: bool, is_occupied: bool) -> bool {
        match self {
            Self::All => true,
            Self::Vacant => !is_disabled && !is_occupied,
            Self::Occupied => is_occupied,
        }
    }
}

impl BedKind {
    /// Parses a name in any case, with or without spaces, or a number. Empty is Sober Living.
    ///
    /// # Errors
    /// A sentence that lists the types.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
        match plain.as_str() {
            "detox" | "1" => Ok(Self::Detox),
            "treatment" | "2" => Ok(Self::Treatment),
            "" | "0" | "3" | "soberliving" => Ok(Self::SoberLiving),
            _ => Err("The bed type must be Detox, Treatment or Sober Living."),
        }
    }

    /// Returns the number of the type (DESIGN 6).
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Detox => 1,
            Self::Treatment => 2,
            Self::SoberLiving => 3,
        }
    }
}

impl<'de> Deserialize<'de> for BedKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KindVisitor)
    }
}

/// Deserializes a bed type from a text, a number or null.
struct KindVisitor;

impl Visitor<'_> for KindVisitor {
    type Value = BedKind;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a bed type: Detox, Treatment or Sober Living, or 1, 2, 3")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<BedKind, E> {
        BedKind::parse(text).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<BedKind, E> {
        BedKind::parse(&number.to_string()).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<BedKind, E> {
        BedKind::parse(&number.to_string()).map_err(E::custom)
    }

    fn visit_unit<E: Error>(self) -> Result<BedKind, E> {
        Ok(BedKind::SoberLiving)
    }
}

/// Returns names for `count` new beds of a type in a house with beds named `existing` (see [`new_bed_names_from`]).
#[must_use]
pub fn new_bed_names(kind: BedKind, count: usize, existing: &[String]) -> Vec<String> {
    new_bed_names_from(kind.as_str(), count, existing)
}

/// Returns names for `count` new beds: `base` for a single bed, with ' #n' added for several beds or if the name is taken (spec B 3).
/// Names are unique in any case.
#[must_use]
pub fn new_bed_names_from(base: &str, count: usize, existing: &[String]) -> Vec<String> {
    let base = base.trim();
    let taken: HashSet<String> = existing.iter().map(|name| crate::name_key(name)).collect();
    let base_is_taken = taken.contains(&crate::name_key(base));
    if count == 1 && !base_is_taken {
        return vec![base.to_owned()];
    }
    // After a bed without a number comes number 2.
    let first = if base_is_taken { 2 } else { 1 };
    let numbered = (first..).map(|number: u64| format!("{base} #{number}"));
    numbered.filter(|name| !taken.contains(&crate::name_key(name))).take(count).collect()
}

/// Returns the name of a new house: 'House #N' with the number of houses plus one, or the next free number.
#[must_use]
pub fn next_room_name(existing: &[String]) -> String {
    let taken: HashSet<String> = existing.iter().map(|name| crate::name_key(name)).collect();
    let mut number = existing.len() + 1;
    while taken.contains(&format!("house #{number}")) {
        number += 1;
    }
    format!("House #{number}")
}
