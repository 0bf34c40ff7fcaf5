//! The rules and sentences of a site's payload (spec A 5), all field errors at once.

use berth_domain::id::{RoomId, SiteId};
use berth_domain::site_form::{NewSite, NewSiteForm, RoomChange, SiteEdit, SiteEditForm};
use berth_domain::{Alias, BedKind, Name, WebAddress};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::errors;

const ID: SiteId = SiteId(Uuid::from_u128(7));

/// A valid payload for a site of this kind.
fn payload(is_commercial: bool) -> Value {
    json!({
        "organizationId": Uuid::from_u128(1), "name": "Harbor House", "alias": "The Harbor", "description": "d".repeat(80),
        "address": "12 Shore Drive, Anaheim, CA 92801", "placeId": "signed", "contactWeb": "harbor.example",
        "contactPhone": "(714) 555-0134", "contactEmail": "house@harbor.example", "adminEmail": "admin@harbor.example",
        "adminFirstName": "Robin", "adminLastName": "Reyes",
        "intakePeriods": [{"timePeriod": "Monday to Friday", "from": "09:00:00", "to": "17:00:00", "enabled": true}],
        "showDaysOfWeek": false, "screeningPeriod": "03:00:00:00", "languageIds": ["en", "es"],
        "serviceIds": ["drug-treatment"], "insuranceIds": [],
        "rooms": [{"name": "House #1", "imagePath": null, "beds": [{"type": "Detox", "count": 2}]}],
        "nonCommercialPaymentMethodIds": if is_commercial { json!([]) } else { json!(["pp", "moc"]) },
        "images": [{"imagePath": "uploads/site_b.jpg", "index": 1}, {"imagePath": "uploads/site_a.jpg", "index": 0}],
        "redirectUri": "http://localhost:8080/login/callback"
    })
}

/// The payload with some fields replaced; null leaves a field out.
fn with(is_commercial: bool, changes: &Value) -> Value {
    let mut payload = payload(is_commercial);
    for (name, value) in changes.as_object().expect("an object") {
        payload[name] = value.clone();
    }
    payload
}

fn parse(is_commercial: bool, payload: Value) -> Result<NewSite, berth_domain::FieldErrors> {
    let form: NewSiteForm = serde_json::from_value(payload).expect("readable");
    form.parse(is_commercial, true)
}

fn told(is_commercial: bool, changes: &Value) -> Vec<String> {
    let errors = errors(parse(is_commercial, with(is_commercial, changes)));
    errors.into_iter().map(|(pointer, message)| format!("{pointer}: {message}")).collect()
}

fn edit(changes: &Value) -> Result<SiteEdit, berth_domain::FieldErrors> {
    let mut payload = payload(false);
    let fields = payload.as_object_mut().expect("an object");
    for name in ["organizationId", "adminEmail", "adminFirstName", "adminLastName", "redirectUri", "rooms"] {
        fields.remove(name);
    }
    for (name, value) in changes.as_object().expect("an object") {
        payload[name] = value.clone();
    }
    let form: SiteEditForm = serde_json::from_value(payload).expect("readable");
    form.parse(ID, false, true)
}

#[test]
fn a_valid_payload_parses_to_values() {
    let new = parse(false, payload(false)).expect("allowed");
    let site = &new.site;
    assert_eq!((site.name.as_str(), site.contact_phone.as_str()), ("Harbor House", "+17145550134"));
    assert_eq!(site.contact_web.as_ref().map(WebAddress::as_str), Some("https://harbor.example"));
    assert_eq!((site.hold.as_hours(), site.show_days_of_week, site.time_zone.as_deref()), (72, false, None));
    let paths: Vec<(&str, usize)> = site.images.iter().map(|photo| (photo.path.as_str(), photo.sent_at)).collect();
    assert_eq!(paths, [("uploads/site_a.jpg", 1), ("uploads/site_b.jpg", 0)], "the lowest index is the cover");
    assert_eq!((new.admin.email.as_str(), new.admin.last_name.as_str()), ("admin@harbor.example", "Reyes"));
    assert_eq!(new.rooms[0].beds, [(BedKind::Detox, 2)]);
    assert!(parse(true, payload(true)).is_ok());
}

#[test]
fn an_empty_payload_reports_every_error_at_once() {
    let form = NewSiteForm::default();
    let told: Vec<String> =
        errors(form.parse(false, false)).into_iter().map(|(at, text)| format!("{at}: {text}")).collect();
    assert_eq!(
        told,
        [
            "/name: Required field.",
            "/description: Required field.",
            "/address: Please choose address from dropdown.",
            "/contactPhone: Required field.",
            "/contactEmail: Required field.",
            "/intakePeriods: Add at least one intake period.",
            "/screeningPeriod: Required field.",
            "/languageIds: Required field.",
            "/serviceIds: Add at least one service.",
            "/adminEmail: Required field.",
            "/adminFirstName: Required field.",
            "/adminLastName: Required field.",
            "/rooms: Add at least one room.",
        ]
    );
    let commercial = errors(form.parse(true, false));
    assert!(commercial.contains(&("/images".to_owned(), "Please add at least one photo.".to_owned())));
    assert!(!commercial.iter().any(|(pointer, _)| pointer == "/rooms"), "houses of commercial sites are added later");
}

#[test]
fn each_site_field_has_its_own_sentence() {
    for (changes, expected) in [
        (json!({"name": " <b></b> "}), "/name: Required field."),
        (json!({"name": null}), "/name: Required field."),
        (json!({"alias": "ab"}), "/alias: Alias must be at least 3 characters."),
        (json!({"description": "d".repeat(79)}), "/description: Description must be at least 80 characters."),
        (json!({"contactPhone": "12345"}), "/contactPhone: Phone number is incorrect"),
        (json!({"contactWeb": "no web"}), "/contactWeb: Invalid URL."),
        (json!({"contactWeb": "javascript:alert(1)"}), "/contactWeb: Invalid URL."),
        (json!({"contactEmail": "x"}), "/contactEmail: Invalid email."),
        (json!({"adminEmail": "x@y"}), "/adminEmail: Invalid email."),
        (json!({"address": "x".repeat(301)}), "/address: Please choose address from dropdown."),
        (json!({"timeZone": "Mars/Base"}), "/timeZone: This time zone does not exist."),
        (json!({"screeningPeriod": "3 days"}), "/screeningPeriod: The screening period must be 'dd:hh:mm:ss'."),
        (json!({"screeningPeriod": "00:00:30:00"}), "/screeningPeriod: The hold must be 1 to 72 hours."),
        (json!({"screeningPeriod": "03:01:00:00"}), "/screeningPeriod: The hold must be 1 to 72 hours."),
        (json!({"languageIds": []}), "/languageIds: Required field."),
        (json!({"languageIds": ["en", "klingon"]}), "/languageIds: One of the languages does not exist."),
        (json!({"serviceIds": []}), "/serviceIds: Add at least one service."),
        (json!({"serviceIds": ["adults"]}), "/serviceIds: One of the services is not offered by this kind of site."),
        (json!({"serviceIds": ["gender-male"]}), "/serviceIds: Add at least one service."),
        (
            json!({"serviceIds": ["gender-male", "age-over-27", "mental-health"]}),
            "/serviceIds: Add at least one service.",
        ),
        (json!({"serviceIds": ["spa"]}), "/serviceIds: One of the services is not offered by this kind of site."),
        (
            json!({"nonCommercialPaymentMethodIds": ["gold"]}),
            "/nonCommercialPaymentMethodIds: One of the payment options does not exist.",
        ),
        (json!({"insuranceIds": ["x"]}), "/insuranceIds: Insurers are chosen for the organization, not for a site."),
        (json!({"lengthOfStayDaysMin": 0}), "/lengthOfStayDaysMin: The length of stay must be 1 to 3650 days."),
        (
            json!({"lengthOfStayDaysMin": 30, "lengthOfStayDaysMax": 7}),
            "/lengthOfStayDaysMax: The longest stay cannot be shorter than the shortest.",
        ),
        (json!({"isCommercial": true}), "/isCommercial: This field does not exist here."),
        (json!({"a/b~c": 1}), "/a~1b~0c: This field does not exist here."),
    ] {
        assert_eq!(told(false, &changes), [expected], "{changes}");
    }
    let options = "/nonCommercialPaymentMethodIds: Only non-commercial sites have payment options.";
    assert_eq!(told(true, &json!({"nonCommercialPaymentMethodIds": ["pp"]})), [options]);
    assert_eq!(told(true, &json!({"images": []})), ["/images: Please add at least one photo."]);
    assert_eq!(told(true, &json!({"serviceIds": ["adults", "private-rooms"]})), Vec::<String>::new());
    assert_eq!(told(false, &json!({"images": [], "alias": " ", "contactWeb": ""})), Vec::<String>::new());
    let unchosen = serde_json::from_value::<NewSiteForm>(payload(false)).expect("readable").parse(false, false);
    let sentence = "Please choose address from dropdown.".to_owned();
    assert_eq!(errors(unchosen), [("/address".to_owned(), sentence)]);
}

#[test]
fn intake_hours_follow_the_rules_of_the_intake_form() {
    let period = |from: Value, to: Value, enabled: bool| json!({"intakePeriods": [{"timePeriod": "Weekends", "from": from, "to": to, "enabled": enabled}]});
    let none = Value::Null;
    let filled = "If intake period is selected, both inputs must be filled.";
    for (changes, expected) in [
        (period(none.clone(), none.clone(), false), "/intakePeriods: Add at least one intake period.".to_owned()),
        (period(json!("10:00:00"), none.clone(), true), format!("/intakePeriods/0/to: {filled}")),
        (period(none.clone(), json!("10:00:00"), true), format!("/intakePeriods/0/from: {filled}")),
        (
            period(json!("00:01:00"), json!("10:00:00"), true),
            "/intakePeriods/0/to: \"All Time\" should be selected in both inputs.".to_owned(),
        ),
        (
            period(json!("10:00:00"), json!("09:00:00"), true),
            "/intakePeriods/0/to: The end of the intake period cannot be earlier than its start.".to_owned(),
        ),
        (
            period(json!("9 am"), json!("10:00:00"), true),
            "/intakePeriods/0/from: The time must be 'hh:mm:ss'.".to_owned(),
        ),
    ] {
        assert_eq!(told(false, &changes), [expected]);
    }
    for (changes, text) in [
        (period(none.clone(), none, true), "9:00 AM - 5:00 PM"),
        (period(json!("08:44:00"), json!("17:46:00"), true), "8:30 AM - 6:00 PM"),
        (period(json!("00:01:00"), json!("00:01:00"), true), "All Day"),
    ] {
        let new = parse(false, with(false, &changes)).expect("allowed");
        assert_eq!(new.site.intake_periods[0].text(), text);
    }
    let order = json!({"intakePeriods": [{"timePeriod": "Holidays", "enabled": false}, {"timePeriod": "Weekdays"}]});
    let new = parse(false, with(false, &order)).expect("allowed");
    let names: Vec<&str> = new.site.intake_periods.iter().map(|period| period.time_period.as_str()).collect();
    assert_eq!(names, ["Monday to Friday", "Holidays"], "in the order of the long list");
}

#[test]
fn markup_is_removed_from_every_text() {
    let changes = json!({
        "name": "<script>alert(1)</script>Harbor <b>House</b>", "alias": "The <i>Harbor</i>",
        "description": format!("<img src=x onerror=alert(1)>{}", "d".repeat(80)), "address": "<p>12 Shore\n Drive</p>",
        "adminFirstName": "<a href=x>Robin</a>", "rooms": [{"name": "<u>Pier</u>", "beds": [{"count": 1}]}]
    });
    let new = parse(false, with(false, &changes)).expect("allowed");
    assert_eq!(new.site.name.as_str(), "Harbor House");
    assert_eq!(new.site.alias.as_ref().map(Alias::as_str), Some("The Harbor"));
    assert_eq!(new.site.description.as_str(), "d".repeat(80));
    assert_eq!(new.site.address, "12 Shore Drive");
    assert_eq!(new.admin.first_name.as_str(), "Robin");
    assert_eq!(new.rooms[0].name.as_ref().map(Name::as_str), Some("Pier"));
    assert_eq!(new.rooms[0].beds, [(BedKind::SoberLiving, 1)]);
    let short = json!({"description": format!("<p>{}</p>", "d".repeat(79))});
    assert_eq!(told(false, &short), ["/description: Description must be at least 80 characters."], "tags do not count");
}

#[test]
fn each_house_of_a_new_site_has_beds_and_a_unique_name() {
    let rooms = |rooms: Value| told(false, &json!({"rooms": rooms}));
    let beds = "Add at least one bed to the room.";
    assert_eq!(rooms(json!([])), ["/rooms: Add at least one room."]);
    assert_eq!(rooms(json!([{"name": "A"}])), [format!("/rooms/0/beds: {beds}")]);
    assert_eq!(rooms(json!([{"beds": [{"type": "Detox", "count": 0}]}])), [format!("/rooms/0/beds: {beds}")]);
    assert_eq!(
        rooms(json!([{"beds": [{"count": -1}, {"count": 101}]}])),
        [
            "/rooms/0/beds/0/count: The number of beds cannot be below 0.",
            "/rooms/0/beds/1/count: At most 100 beds can be added at once.",
        ]
    );
    let twice = json!([{"name": "Pier", "beds": [{"count": 1}]}, {"name": " pier ", "beds": [{"count": 1}]}]);
    assert_eq!(rooms(twice), ["/rooms/1/name: A house with this name already exists."]);
    let many: Vec<Value> = (0..51).map(|_| json!({"beds": [{"count": 1}]})).collect();
    assert_eq!(rooms(json!(many)), ["/rooms: At most 50 houses can be added at once."]);
    let crowded: Vec<Value> = (0..6).map(|_| json!({"beds": [{"count": 100}]})).collect();
    assert_eq!(rooms(json!(crowded)), ["/rooms: At most 500 beds can be added at once."]);
    assert!(parse(true, with(true, &json!({"rooms": []}))).is_ok());
    assert_eq!(told(true, &json!({"rooms": [{"name": "A"}]})), [format!("/rooms/0/beds: {beds}")]);
}

#[test]
fn an_edit_adds_and_renames_houses_and_takes_no_admin() {
    let known = Uuid::from_u128(3);
    let changes = edit(&json!({"id": ID, "rooms": [{"id": known, "name": "Pier"}, {"name": null}]})).expect("allowed");
    assert!(
        matches!(&changes.rooms[0], RoomChange::Rename(id, name) if *id == RoomId(known) && name.as_str() == "Pier")
    );
    assert!(matches!(&changes.rooms[1], RoomChange::Add(room) if room.name.is_none() && room.beds.is_empty()));
    assert!(edit(&json!({"rooms": null})).expect("allowed").rooms.is_empty());
    for (wrong, expected) in [
        (json!({"id": Uuid::from_u128(8)}), ("/id", "The address and the body name different sites.")),
        (json!({"adminEmail": "a@b.example"}), ("/adminEmail", "This field does not exist here.")),
        (json!({"organizationId": known}), ("/organizationId", "This field does not exist here.")),
        (json!({"rooms": [{"id": known}]}), ("/rooms/0/name", "Required field.")),
        (
            json!({"rooms": [{"id": known, "name": "A"}, {"id": known, "name": "B"}]}),
            ("/rooms/1/id", "This house is listed twice."),
        ),
        (
            json!({"rooms": [{"id": known, "name": "A", "beds": [{"count": 1}]}]}),
            ("/rooms/0/beds", "Change the beds of an existing house on the Houses tab."),
        ),
        (
            json!({"rooms": [{"id": known, "name": "A", "imagePath": "uploads/room_a.jpg"}]}),
            ("/rooms/0/imagePath", "Change the photo of an existing house on the Houses tab."),
        ),
    ] {
        let (pointer, message) = expected;
        assert_eq!(errors(edit(&wrong)), [(pointer.to_owned(), message.to_owned())]);
    }
}

#[test]
fn duplicate_photos_and_codes_count_once() {
    let path = "uploads/site_a.jpg";
    let images =
        json!([{"imagePath": path, "index": 3}, {"imagePath": path, "index": 1}, {"imagePath": " ", "index": 0}]);
    let changes = json!({"images": images, "languageIds": ["en", "en "], "serviceIds": ["prenatal", "prenatal"]});
    let site = parse(false, with(false, &changes)).expect("allowed").site;
    assert_eq!((site.images.len(), site.languages.len(), site.services.len()), (1, 1, 1));
    let many: Vec<Value> =
        (0..51).map(|index| json!({"imagePath": format!("uploads/{index}"), "index": index})).collect();
    assert_eq!(told(false, &json!({"images": many})), ["/images: A site can have at most 50 photos."]);
}
