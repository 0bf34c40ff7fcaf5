//! Kinds of beds and the names of new ones (spec B 3).

use berth_domain::{BedKind, new_bed_names, new_bed_names_from, next_room_name};
use proptest::prelude::proptest;

fn names(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_bed_type_parses_from_its_name_or_number_and_is_written_as_its_name() {
    for (json, kind) in [
        ("\"Detox\"", BedKind::Detox),
        ("\"treatment\"", BedKind::Treatment),
        ("\"Sober Living\"", BedKind::SoberLiving),
        ("\"SoberLiving\"", BedKind::SoberLiving),
        ("1", BedKind::Detox),
        ("2", BedKind::Treatment),
        ("3", BedKind::SoberLiving),
        ("\"2\"", BedKind::Treatment),
        ("0", BedKind::SoberLiving),
        ("\"\"", BedKind::SoberLiving),
        ("null", BedKind::SoberLiving),
    ] {
        assert_eq!(serde_json::from_str::<BedKind>(json).expect(json), kind, "{json}");
    }
    for json in ["4", "-1", "\"Suite\"", "true", "1.5", "[]"] {
        assert!(serde_json::from_str::<BedKind>(json).is_err(), "{json}");
    }
    assert_eq!(serde_json::to_string(BedKind::ALL).expect("json"), r#"["Detox","Treatment","Sober Living"]"#);
    assert_eq!(BedKind::ALL.iter().map(|kind| kind.number()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(BedKind::default(), BedKind::SoberLiving, "absent");
}

#[test]
fn new_beds_are_named_after_their_type_with_a_number_if_needed() {
    for (kind, count, existing, expected) in [
        (BedKind::Detox, 1, names(&[]), names(&["Detox"])),
        (BedKind::SoberLiving, 1, names(&["Detox"]), names(&["Sober Living"])),
        (BedKind::Detox, 2, names(&[]), names(&["Detox #1", "Detox #2"])),
        (BedKind::Detox, 1, names(&["detox"]), names(&["Detox #2"])),
        (BedKind::Detox, 2, names(&["Detox", "DETOX #2"]), names(&["Detox #3", "Detox #4"])),
        (BedKind::Detox, 2, names(&["Detox #1", "Detox #3"]), names(&["Detox #2", "Detox #4"])),
        (BedKind::Detox, 0, names(&[]), names(&[])),
    ] {
        assert_eq!(new_bed_names(kind, count, &existing), expected, "{count} beside {existing:?}");
    }
    assert_eq!(new_bed_names_from(" By the window ", 2, &[]), names(&["By the window #1", "By the window #2"]));
}

#[test]
fn a_new_house_is_numbered_and_its_name_is_free() {
    for (existing, expected) in [
        (names(&[]), "House #1"),
        (names(&["House #1"]), "House #2"),
        (names(&["Villa"]), "House #2"),
        (names(&["House #1", "HOUSE #3"]), "House #4"),
    ] {
        assert_eq!(next_room_name(&existing), expected, "{existing:?}");
    }
}

proptest! {
    #[test]
    fn a_bed_name_is_never_used_twice(
        count in 0..30_usize,
        existing in proptest::collection::vec("(detox|Detox|House)( #[0-9]{1,2})?", 0..20),
    ) {
        let fresh = new_bed_names(BedKind::Detox, count, &existing);
        assert_eq!(fresh.len(), count);
        let mut seen: std::collections::HashSet<_> = existing.iter().map(|name| name.to_lowercase()).collect();
        assert!(fresh.iter().all(|name| seen.insert(name.to_lowercase())), "{fresh:?} beside {existing:?}");
        assert!(seen.insert(next_room_name(&existing).to_lowercase()));
    }
}
