//! Kinds of beds, and the names of new beds and houses (spec B 3, DESIGN 6).

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::collections::HashSet;
use std::fmt;

text_enum! {
    /// The type of a bed. JSON carries the name; 1, 2, 3 are read too, and 0, empty or absent is Sober Living.
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
    /// The beds that a tab of the screen or a report lists (spec B 2).
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
    /// Reads a name without regard to case and spaces, or a number as text; empty is Sober Living.
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

    /// The number in the spec's enumeration (DESIGN 6).
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

/// Reads a bed type from a text, a number or null.
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

/// Names for `count` new beds of a type in a house whose beds are called `existing`; see [`new_bed_names_from`].
#[must_use]
pub fn new_bed_names(kind: BedKind, count: usize, existing: &[String]) -> Vec<String> {
    new_bed_names_from(kind.as_str(), count, existing)
}

/// Names for `count` new beds called `base`: that name itself for a single bed, ' #n' added when several are made or
/// the name is taken (spec B 3). Never one that exists, without regard to case.
#[must_use]
pub fn new_bed_names_from(base: &str, count: usize, existing: &[String]) -> Vec<String> {
    let base = base.trim();
    let taken: HashSet<String> = existing.iter().map(|name| crate::name_key(name)).collect();
    let base_is_taken = taken.contains(&crate::name_key(base));
    if count == 1 && !base_is_taken {
        return vec![base.to_owned()];
    }
    // Beside a bed without a number the next one is the second.
    let first = if base_is_taken { 2 } else { 1 };
    let numbered = (first..).map(|number: u64| format!("{base} #{number}"));
    numbered.filter(|name| !taken.contains(&crate::name_key(name))).take(count).collect()
}

/// The name of a new house: 'House #N', N counting the houses; the next free one if that name is taken.
#[must_use]
pub fn next_room_name(existing: &[String]) -> String {
    let taken: HashSet<String> = existing.iter().map(|name| crate::name_key(name)).collect();
    let mut number = existing.len() + 1;
    while taken.contains(&format!("house #{number}")) {
        number += 1;
    }
    format!("House #{number}")
}
