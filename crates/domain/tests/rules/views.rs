//! Views: looks of tables, kept filters and settings that follow a user (docs/decisions/0069 and 0076).

use berth_domain::FieldErrors;
use berth_domain::catalog;
use berth_domain::view::{View, may_store};

const SITE: &str = "0190a000-0000-7000-8000-0000000000a1";

fn errors(name: &str, text: &str) -> Vec<String> {
    let FieldErrors(errors) = View::parse(name.to_owned(), text.to_owned()).map(drop).expect_err(text);
    errors.into_iter().map(|error| format!("{}: {}", error.pointer, error.message)).collect()
}

fn accepts(name: &str, text: &str) {
    let view = View::parse(name.to_owned(), text.to_owned()).unwrap_or_else(|errors| panic!("{name} {text}: {errors}"));
    assert_eq!((view.name(), view.text()), (name, text));
}

#[test]
fn the_look_of_a_table_is_a_page_size_a_density_and_hidden_columns() {
    for text in ["5", "250 dense", "25 -phone", "25 dense -phone -firstName"] {
        accepts("tableLook.audit-log-failed", text);
    }
    for text in
        ["", "7", "dense", "25  dense", "25 dense dense", "25 phone", "25 -", "25 -Anna Bell", "25 -a.b", "25\n-phone"]
    {
        assert_eq!(
            errors("tableLook.guests", text),
            ["/text: A view may contain only ids and codes, such as 25 dense -phone."],
            "{text}"
        );
    }
}

#[test]
fn every_page_size_of_the_tables_is_accepted() {
    let table = include_str!("../../../../web/src/components/data-table/table-search.ts");
    let sizes = table.split_once("PAGE_SIZES = [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
    assert_eq!(sizes.split(", ").count(), 5);
    for size in sizes.split(", ") {
        accepts("tableLook.guests", size);
    }
}

#[test]
fn kept_filters_are_ids_and_codes_and_there_are_at_most_8() {
    let whole = format!("siteId={SITE}&service=medical-detox&payer=MediCal");
    accepts("savedFilters.today", "");
    accepts("savedFilters.today", &whole);
    let services = catalog::SERVICES.iter().map(|service| format!("service={}", service.id));
    let nine: Vec<String> = services.take(9).collect();
    accepts("savedFilters.today", &nine[..8].join(" "));
    let ninth = nine.join(" ");
    let twice = format!("{whole} {whole}");
    let upper = format!("siteId={}", SITE.to_uppercase());
    let others = [
        "payer=MediCal&payer=MediCal",
        &twice,
        "service=anna",
        "payer=medical",
        "name=Anna",
        "service",
        " ",
        "siteId=1",
        &upper,
        &ninth,
    ];
    for text in others {
        assert_eq!(
            errors("savedFilters.today", text),
            ["/text: A view may contain only ids and codes, such as 25 dense -phone."],
            "{text}"
        );
    }
}

#[test]
fn a_setting_is_on_or_off_and_shortcuts_are_turned_off_by_their_names() {
    for name in ["start-today", "moves-unasked", "alert-sound", "alert-notification"] {
        let name = &format!("setting.{name}");
        accepts(name, "on");
        accepts(name, "");
        for text in ["off", "on on", "Anna Bell"] {
            assert_eq!(
                errors(name, text),
                ["/text: A view may contain only ids and codes, such as 25 dense -phone."],
                "{text}"
            );
        }
    }
    let off = "setting.shortcuts-off";
    let many: Vec<String> = (0..21_u8).map(|index| char::from(b'a' + index).to_string()).collect();
    for text in ["", "all", "accept newGuest", &many[..20].join(" ")] {
        accepts(off, text);
    }
    for text in [" ", "all all", "new-guest", "555-0134", &many.join(" ")] {
        assert_eq!(
            errors(off, text),
            ["/text: A view may contain only ids and codes, such as 25 dense -phone."],
            "{text}"
        );
    }
    assert_eq!(errors("setting.other", "on"), ["/name: The name of this view is unknown. Reload the page."]);
}

#[test]
fn every_setting_and_shortcut_of_the_screens_is_accepted() {
    let settings = include_str!("../../../../web/src/access/settings.ts");
    let names: Vec<&str> = settings.split("'setting.").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        accepts(&format!("setting.{name}"), "");
    }
    let shortcuts = include_str!("../../../../web/src/lib/shortcuts.ts");
    let names: Vec<&str> = shortcuts.split("name: '").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
    assert_eq!(names.len(), 10);
    accepts("setting.shortcuts-off", &format!("{} all", names.join(" ")));
}

#[test]
fn a_view_has_a_known_kind_and_a_short_name_and_text() {
    accepts(&format!("tableLook.{}", "x".repeat(40)), "25");
    let long = format!("tableLook.{}", "x".repeat(41));
    for name in ["", "guests", "tableLook", "tableLook.", "tableLook.Guests", "tableLook.a.b", "notes.guests", &long] {
        assert_eq!(errors(name, "25"), ["/name: The name of this view is unknown. Reload the page."], "{name}");
    }
    let columns = format!("25{}", " -phone".repeat(150));
    assert_eq!(errors("tableLook.guests", &columns), ["/text: Maximum length of a view is 1000 symbols."]);
}

#[test]
fn a_user_has_at_most_60_views() {
    assert_eq!(may_store(59), Ok(()));
    assert_eq!(may_store(60), Err("You already have 60 saved views, and no more can be stored."));
}
