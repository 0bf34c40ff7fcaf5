//! Names, towns and words of the demo's guests. Telephone numbers are of the ranges kept free for fiction.

use berth_domain::catalog::Gender::{self, Female, Male, Other};

/// First names with genders.
pub(super) const FIRST: [(&str, Gender); 64] = [
    ("Aaron", Male),
    ("Abigail", Female),
    ("Adriana", Female),
    ("Alejandro", Male),
    ("Alex", Other),
    ("Alicia", Female),
    ("Andre", Male),
    ("Angela", Female),
    ("Anthony", Male),
    ("Ashley", Female),
    ("Beatriz", Female),
    ("Benjamin", Male),
    ("Bianca", Female),
    ("Brandon", Male),
    ("Brian", Male),
    ("Camila", Female),
    ("Carlos", Male),
    ("Casey", Other),
    ("Chloe", Female),
    ("Daniel", Male),
    ("Danielle", Female),
    ("Derek", Male),
    ("Diego", Male),
    ("Elena", Female),
    ("Emily", Female),
    ("Eric", Male),
    ("Esperanza", Female),
    ("Ethan", Male),
    ("Fatima", Female),
    ("Gabriel", Male),
    ("Grace", Female),
    ("Hector", Male),
    ("Isabel", Female),
    ("Jamal", Male),
    ("Jasmine", Female),
    ("Jesse", Male),
    ("Joanna", Female),
    ("Jordan", Other),
    ("Jose", Male),
    ("Kayla", Female),
    ("Kevin", Male),
    ("Leticia", Female),
    ("Linh", Female),
    ("Lucas", Male),
    ("Marcus", Male),
    ("Maria", Female),
    ("Mateo", Male),
    ("Megan", Female),
    ("Miguel", Male),
    ("Monica", Female),
    ("Nathan", Male),
    ("Nicole", Female),
    ("Omar", Male),
    ("Patricia", Female),
    ("Rachel", Female),
    ("Ricardo", Male),
    ("Robin", Other),
    ("Samuel", Male),
    ("Sofia", Female),
    ("Steven", Male),
    ("Tanya", Female),
    ("Tyler", Male),
    ("Vanessa", Female),
    ("William", Male),
];

/// Initials of last names, about as often as they are.
pub(super) const INITIALS: [&str; 18] =
    ["A", "B", "C", "D", "F", "G", "H", "J", "K", "L", "M", "N", "P", "R", "S", "T", "V", "W"];

/// Area codes of Southern California.
pub(super) const AREAS: [&str; 8] = ["714", "949", "562", "626", "760", "951", "213", "310"];

/// Where guests come from.
pub(super) const TOWNS: [&str; 18] = [
    "Anaheim, CA",
    "Corona, CA",
    "Costa Mesa, CA",
    "Dana Point, CA",
    "Fullerton, CA",
    "Garden Grove, CA",
    "Huntington Beach, CA",
    "Irvine, CA",
    "Long Beach, CA",
    "Los Angeles, CA",
    "Mission Viejo, CA",
    "Oceanside, CA",
    "Pasadena, CA",
    "Riverside, CA",
    "San Bernardino, CA",
    "San Diego, CA",
    "Santa Ana, CA",
    "Whittier, CA",
];

/// Why a reservation was declined.
pub(super) const DECLINED: [&str; 4] = [
    "Needs more medical care than this house can give. Referred to a hospital program.",
    "Called twice and left messages, no answer.",
    "Found a place closer to family.",
    "Wanted a private room; none is free this month.",
];

/// Why a guest left.
pub(super) const LEFT: [&str; 6] = [
    "Completed the program. Moves in with a brother in Irvine.",
    "Completed 60 days. Continues in the outpatient program.",
    "Moved on to sober living.",
    "Left by own wish; the door stays open.",
    "Started a job in San Diego and moved there.",
    "Transferred to a hospital for surgery.",
];
