//! Beds: names, types, edits, and what is refused for occupied or reserved beds.

use serde_json::{Value, json};

use crate::harness::{Answer, HOUR, House};
use crate::images::uploaded;
use crate::sites::{assigned, counts, page, pending, version};
use crate::steps::place;
use crate::{both_engines, world};

async fn add(house: &House, body: Value) -> Answer {
    house.post("/api/Beds", body).by(world::OWNER).send().await
}

async fn edit(house: &House, bed: impl std::fmt::Display, body: Value) -> Answer {
    house.put(&format!("/api/Beds/{bed}"), body).by(world::OWNER).send().await
}

async fn remove(house: &House, bed: impl std::fmt::Display) -> Answer {
    house.delete(&format!("/api/Beds/{bed}")).by(world::OWNER).send().await
}

async fn bed(house: &House, bed: impl std::fmt::Display, token: &str) -> Answer {
    house.get(&format!("/api/Beds/{bed}")).by(token).send().await
}

/// The beds in the answer to adding beds, as "name: type".
fn names(answer: &Answer) -> Vec<String> {
    let text = |bed: &Value| format!("{}: {}", bed["name"].as_str().unwrap(), bed["type"].as_str().unwrap());
    answer.expect(201).as_array().unwrap().iter().map(text).collect()
}

fn detox(disabled: bool) -> Value {
    json!({"name": "Detox", "type": "Detox", "disabled": disabled})
}

/// The reason why a bed is disabled, and when it is expected back.
fn outage(bed: &Value) -> (Value, Value) {
    (bed["disabledReason"].clone(), bed["expectedBack"].clone())
}

const RESERVED: &str = "Pending reservations need the vacant beds. Decline a reservation or add another bed first.";

both_engines! {
    async fn new_beds_are_named_after_their_type_and_numbered_if_needed(house: House) {
        let one = |kind: &str| json!({"roomId": world::ROOM_2, "type": kind, "count": 1});
        assert_eq!(names(&add(&house, one("Detox")).await), ["Detox: Detox"]);
        assert_eq!(names(&add(&house, one("Detox")).await), ["Detox #2: Detox"]);
        let three = json!({"roomId": world::ROOM_2, "count": 3});
        assert_eq!(
            names(&add(&house, three).await),
            ["Sober Living #3: Sober Living", "Sober Living #4: Sober Living", "Sober Living #5: Sober Living"]
        );
        let named = json!({"roomId": world::ROOM_2, "name": " Window bed ", "type": 2, "count": 2,
            "description": "By the window"});
        let answer = add(&house, named).await;
        assert_eq!(names(&answer), ["Window bed #1: Treatment", "Window bed #2: Treatment"]);
        assert_eq!(answer.json()[0]["description"], "By the window");
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 12, 11, 0, 1, 0, 0]);
        let page = page(&house, world::HARBOR_HOUSE, world::OWNER).await.expect(200);
        assert_eq!(page["rooms"][1]["beds"][8]["name"], "Window bed #2", "new beds come last");
        let created = house.trail().await.iter().filter(|action| *action == "bed.created").count();
        assert_eq!(created, 7, "each has its own audit row");
    }

    async fn an_outdated_form_does_not_undo_a_newer_change_of_a_bed(house: House) {
        let body = |kind: &str, version: i64| json!({"name": "Quiet corner", "type": kind, "disabled": false, "version": version});
        assert_eq!(edit(&house, world::BED_A, body("Detox", 1)).await.expect(200)["version"], 2);
        let stale = edit(&house, world::BED_A, body("Treatment", 1)).await;
        assert_eq!(stale.refusal(412), "Someone else changed this in the meantime. Here is how it is now.");
        assert_eq!(bed(&house, world::BED_A, world::OWNER).await.expect(200)["type"], "Detox");
        edit(&house, world::BED_A, body("Treatment", 2)).await.expect(200);
        edit(&house, world::BED_A, body("Treatment", 1)).await.expect(200);
    }

    async fn every_wrong_field_of_new_beds_is_reported_at_once(house: House) {
        let wrong = json!({"roomId": world::ROOM_1, "name": " ", "type": "Hammock", "count": 0,
            "description": "x".repeat(2001)});
        assert_eq!(
            add(&house, wrong).await.field_errors(),
            [
                "/name: Required field.",
                "/type: The bed type must be Detox, Treatment or Sober Living.",
                "/description: Maximum length of the description is 2000 symbols.",
                "/count: Add at least one bed.",
            ]
        );
        let many = json!({"roomId": world::ROOM_1, "count": 101});
        assert_eq!(add(&house, many).await.field_errors(), ["/count: At most 100 beds can be added at once."]);
        assert_eq!(add(&house, json!({"roomId": world::ROOM_1})).await.field_errors(), ["/count: Required field."]);
    }

    async fn bed_types_are_read_as_names_and_numbers_and_empty_is_sober_living(house: House) {
        for (sent, kind) in [
            (json!(1), "Detox"),
            (json!("2"), "Treatment"),
            (json!(3), "Sober Living"),
            (json!(0), "Sober Living"),
            (json!(""), "Sober Living"),
            (Value::Null, "Sober Living"),
            (json!("SoberLiving"), "Sober Living"),
        ] {
            let answer =
                edit(&house, world::BED_B, json!({"name": "Treatment", "type": sent, "disabled": false})).await;
            assert_eq!(answer.expect(200)["type"], kind, "{sent}");
        }
    }

    async fn every_field_of_a_bed_can_be_edited_and_omitted_fields_are_kept(house: House) {
        let before = version(&house, world::HARBOR_HOUSE).await;
        let photo = uploaded(&house, world::OWNER, "bed_").await;
        let body = json!({"name": "Window bed", "type": "Treatment", "disabled": false,
            "description": "<i>Quiet</i>", "imagePath": photo});
        assert_eq!(
            edit(&house, world::BED_A, body).await.expect(200),
            json!({
                "id": world::BED_A, "name": "Window bed", "description": "Quiet", "type": "Treatment", "index": 1,
                "imagePath": photo, "disabled": false, "disabledKind": null, "disabledReason": null, "expectedBack": null,
                "isOverdue": false, "offeredUntil": null, "isOccupied": false, "guest": null,
                "createdAt": "2026-03-02T18:00:00.000Z", "version": 2,
                "room": {"id": world::ROOM_1, "name": "House #1", "imagePath": null},
            })
        );
        let kept = edit(&house, world::BED_A, detox(false)).await.expect(200);
        assert_eq!((&kept["description"], &kept["imagePath"]), (&json!("Quiet"), &json!(photo)));
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before + 2);
        edit(&house, world::BED_A, detox(false)).await.expect(200);
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before + 2, "an edit that changes nothing keeps the version");
        let cleared =
            json!({"name": "Detox", "type": "Detox", "disabled": false, "description": null, "imagePath": ""});
        let cleared = edit(&house, world::BED_A, cleared).await.expect(200);
        assert_eq!((&cleared["description"], &cleared["imagePath"]), (&Value::Null, &Value::Null));
        assert_eq!(bed(&house, world::BED_A, world::STAFF).await.expect(200), cleared);
    }

    async fn two_beds_of_a_house_never_have_the_same_name(house: House) {
        let body = json!({"name": "TREATMENT", "type": "Detox", "disabled": false});
        assert_eq!(
            edit(&house, world::BED_A, body).await.field_errors(),
            ["/name: A bed with this name already exists in this house."]
        );
        let elsewhere = json!({"name": "Sober Living", "type": "Sober Living", "disabled": false});
        edit(&house, world::BED_D, elsewhere).await.expect(200);
    }

    async fn an_occupied_bed_cannot_be_edited_disabled_or_removed(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let before = version(&house, world::HARBOR_HOUSE).await;
        let renamed = json!({"name": "Window bed", "type": "Detox", "disabled": false});
        assert_eq!(
            edit(&house, world::BED_A, renamed).await.refusal(409),
            "You can't edit the Bed. It is occupied: reassign or discharge the guest first."
        );
        assert_eq!(
            edit(&house, world::BED_A, detox(true)).await.refusal(409),
            "You cannot disable the bed. It is occupied: reassign the guest first."
        );
        assert_eq!(
            remove(&house, world::BED_A).await.refusal(409),
            "You can't remove the Bed. It is occupied: reassign or discharge the guest first."
        );
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 5, 3, 1, 1, 0, 1]);
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before, "a refusal changes nothing");
        assert_eq!(berth_server::cli::invariants::broken(house.db(), house.app.now()).await.unwrap(), [""; 0]);
    }

    async fn a_bed_is_disabled_and_enabled_again(house: House) {
        assert_eq!(edit(&house, world::BED_A, detox(true)).await.expect(200)["disabled"], true);
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 5, 3, 0, 2, 0, 0]);
        house.advance(1);
        assert_eq!(edit(&house, world::BED_A, detox(false)).await.expect(200)["disabled"], false);
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 5, 4, 0, 1, 0, 0]);
        house.advance(1);
        let renamed = json!({"name": "Detox A", "type": "Detox", "disabled": false});
        edit(&house, world::BED_A, renamed).await.expect(200);
        let trail: Vec<_> = house.trail().await.into_iter().filter(|action| action.starts_with("bed.")).collect();
        assert_eq!(trail, ["bed.disabled", "bed.enabled", "bed.edited"]);
    }

    async fn pending_reservations_keep_the_vacant_beds_they_need(house: House) {
        // Open Door has two beds.
        let path = |bed| format!("/api/Beds/{bed}");
        let disable = |name: &str| json!({"name": name, "type": "Sober Living", "disabled": true});
        pending(&house, world::OPEN_DOOR, 1, Some(HOUR)).await;
        pending(&house, world::OPEN_DOOR, 2, Some(2 * HOUR)).await;
        let refused = house.delete(&path(world::BED_F)).by(world::STAFF).send().await;
        assert_eq!(refused.refusal(409), RESERVED);
        let refused = house.put(&path(world::BED_F), disable("Sober Living #1")).by(world::STAFF).send().await;
        assert_eq!(refused.refusal(409), RESERVED);
        let renamed = json!({"name": "Window bed", "type": "Sober Living", "disabled": false});
        house.put(&path(world::BED_F), renamed).by(world::STAFF).send().await.expect(200);
        house.advance(HOUR);
        house.put(&path(world::BED_F), disable("Window bed")).by(world::STAFF).send().await.expect(200);
        assert_eq!(
            house.delete(&path(world::BED_F)).by(world::STAFF).status().await,
            204,
            "no reservation needs a disabled bed"
        );
        assert_eq!(house.delete(&path(world::BED_G)).by(world::STAFF).send().await.refusal(409), RESERVED);
    }

    async fn a_disabled_bed_shows_its_reason_and_expected_day_until_it_is_enabled(house: House) {
        const TRAIL: &str = "SELECT summary FROM audit WHERE action LIKE 'bed.%' ORDER BY id";
        let none = (Value::Null, Value::Null);
        let body = json!({"name": "Detox", "type": "Detox", "disabled": true,
            "disabledReason": "  Water\n<b>damage</b> ", "expectedBack": "2026-12-01"});
        let off = edit(&house, world::BED_A, body.clone()).await.expect(200);
        let why = (json!("Water damage"), json!("2026-12-01"));
        assert_eq!(outage(&off), why);
        let page = page(&house, world::HARBOR_HOUSE, world::STAFF).await.expect(200);
        assert_eq!(outage(&page["rooms"][0]["beds"][0]), why, "everyone at the site reads it");
        assert_eq!(outage(&page["rooms"][1]["beds"][1]), none, "no reason was given for this one");

        // What an edit does not mention does not change; null removes it; a bed in use has neither.
        assert_eq!(outage(&edit(&house, world::BED_A, detox(true)).await.expect(200)), why);
        let mut some_day = body.clone();
        some_day["expectedBack"] = Value::Null;
        assert_eq!(outage(&edit(&house, world::BED_A, some_day).await.expect(200)), (why.0.clone(), Value::Null));
        let mut in_use = body;
        in_use["disabled"] = json!(false);
        assert_eq!(outage(&edit(&house, world::BED_A, in_use).await.expect(200)), none);
        assert_eq!(outage(&edit(&house, world::BED_A, detox(true)).await.expect(200)), none, "an old reason does not come back");
        let trail: Vec<(String,)> = house.db().query(TRAIL).all().await.unwrap();
        assert_eq!(trail.into_iter().map(|(summary,)| summary).collect::<Vec<_>>(), [
            "bed Detox: disabled, reason, expected back changed (out of service, expected back 2026-12-01)",
            "bed Detox: expected back changed (out of service)",
            "bed Detox: disabled, reason changed",
            "bed Detox: disabled changed (out of service)",
        ], "the trail is never erased, so it does not keep what was typed");
        assert_eq!(berth_server::cli::invariants::broken(house.db(), house.app.now()).await.unwrap(), [""; 0]);
    }

    async fn a_disabled_bed_is_out_of_service_or_being_cleaned(house: House) {
        const TRAIL: &str = "SELECT summary FROM audit WHERE action LIKE 'bed.%' ORDER BY id";
        let set = async |body: Value| edit(&house, world::BED_A, body).await.expect(200)["disabledKind"].clone();
        let of_kind = |kind: Value, day: &str| json!({"name": "Detox", "type": "Detox", "disabled": true,
            "disabledKind": kind, "disabledReason": "Spill", "expectedBack": day});
        let page = page(&house, world::HARBOR_HOUSE, world::STAFF).await.expect(200);
        assert_eq!(page["rooms"][1]["beds"][1]["disabledKind"], "out-of-service", "disabled before there were kinds");
        assert_eq!(set(detox(true)).await, "out-of-service", "as calls without a kind have always meant");
        assert_eq!(set(of_kind(json!("cleaning"), "2026-03-03")).await, "cleaning");
        assert_eq!(bed(&house, world::BED_A, world::STAFF).await.expect(200)["disabledKind"], "cleaning");
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 5, 3, 0, 2, 0, 0], "it counts as disabled");
        assert_eq!(set(detox(true)).await, "cleaning", "what an edit does not mention does not change");
        assert_eq!(set(of_kind(Value::Null, "2026-03-04")).await, "out-of-service");
        assert_eq!(set(of_kind(json!("cleaning"), "2026-03-04")).await, "cleaning");
        house.advance(HOUR);
        let mut in_use = of_kind(json!("cleaning"), "2026-03-04");
        in_use["disabled"] = json!(false);
        assert_eq!(set(in_use).await, Value::Null, "a bed in use has none");
        assert_eq!(set(detox(true)).await, "out-of-service", "the former kind does not come back");

        let wrong = json!({"name": "Detox", "type": "Detox", "disabled": true, "disabledKind": "dirty"});
        assert_eq!(
            edit(&house, world::BED_A, wrong).await.field_errors(),
            ["/disabledKind: Choose one of: cleaning, out-of-service."]
        );
        let told = house.get(&format!("/api/Beds/{}/outages", world::BED_A)).by(world::STAFF).send().await.expect(200);
        let kinds: Vec<_> = told["items"].as_array().unwrap().iter().map(|outage| (&outage["kind"], &outage["expectedBack"])).collect();
        assert_eq!(kinds, [
            (&json!("out-of-service"), &Value::Null),
            (&json!("cleaning"), &json!("2026-03-04")),
        ]);
        let trail: Vec<(String,)> = house.db().query(TRAIL).all().await.unwrap();
        assert_eq!(trail.into_iter().map(|(summary,)| summary).collect::<Vec<_>>(), [
            "bed Detox: disabled changed (out of service)",
            "bed Detox: kind, reason, expected back changed (being cleaned, expected back 2026-03-03)",
            "bed Detox: kind, expected back changed (out of service, expected back 2026-03-04)",
            "bed Detox: kind changed (being cleaned, expected back 2026-03-04)",
            "bed Detox: disabled, reason, expected back changed",
            "bed Detox: disabled changed (out of service)",
        ]);
        assert_eq!(berth_server::cli::invariants::broken(house.db(), house.app.now()).await.unwrap(), [""; 0]);
    }

    async fn a_reason_is_valid_text_and_the_expected_day_is_not_in_the_past(house: House) {
        let errors = async |reason: &str, day: &str| {
            let body = json!({"name": "Detox", "type": "Detox", "disabled": true, "disabledReason": reason, "expectedBack": day});
            edit(&house, world::BED_A, body).await.field_errors()
        };
        let no_day = "/expectedBack: Enter the day in this form: 2026-12-01.";
        assert_eq!(errors(&"x".repeat(201), "tomorrow").await, ["/disabledReason: Maximum length is 200 symbols.", no_day]);
        for day in ["2026-02-30", "2026-2-3", "12/01/2026", "2026-12-01T00:00:00Z", "2026-12- 1", "+026-12-01"] {
            assert_eq!(errors("Paint", day).await, [no_day], "{day}");
        }
        assert_eq!(errors("Paint", "1026-12-01").await, ["/expectedBack: Enter a year from 2000 to 2999."]);
        assert_eq!(
            errors("Paint\u{200b}", "").await,
            ["/disabledReason: This contains characters that cannot be seen. Please type it again."]
        );
        // 10:00 in Los Angeles on March 2.
        assert_eq!(errors("Paint", "2026-03-01").await, ["/expectedBack: Choose today or a later day."]);
        assert_eq!(errors("Paint", "2027-03-04").await, ["/expectedBack: Choose a day within a year from today."]);
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 5, 4, 0, 1, 0, 0]);
    }

    async fn a_bed_is_overdue_once_the_day_has_passed_at_its_site(house: House) {
        let body = json!({"name": "Detox", "type": "Detox", "disabled": true, "expectedBack": "2026-03-02"});
        let off = edit(&house, world::BED_A, body.clone()).await.expect(200);
        assert_eq!(off["isOverdue"], false, "today is not overdue");
        let is_overdue = async || {
            page(&house, world::HARBOR_HOUSE, world::STAFF).await.expect(200)["rooms"][0]["beds"][0]["isOverdue"] == true
        };
        assert!(!is_overdue().await);
        house.advance(13 * HOUR);
        assert!(!is_overdue().await, "23:00");
        house.advance(HOUR);
        assert!(is_overdue().await, "overdue after the site's midnight, without any change there");
        let mut painted = body;
        painted["disabledReason"] = json!("Paint");
        let kept = edit(&house, world::BED_A, painted).await.expect(200);
        assert_eq!((&kept["expectedBack"], &kept["isOverdue"]), (&json!("2026-03-02"), &json!(true)), "a day that was saved before may be kept");
    }

    async fn a_bed_shows_when_it_was_disabled_and_by_whom(house: House) {
        let disable = |reason: &str| json!({"name": "Detox", "type": "Detox", "disabled": true, "disabledReason": reason});
        edit(&house, world::BED_A, disable("Paint")).await.expect(200);
        house.advance(HOUR);
        edit(&house, world::BED_A, disable("Painting")).await.expect(200);
        edit(&house, world::BED_A, detox(false)).await.expect(200);
        house.advance(HOUR);
        edit(&house, world::BED_A, disable("Water damage")).await.expect(200);
        let told = house.get(&format!("/api/Beds/{}/outages", world::BED_A)).by(world::STAFF).send().await.expect(200);
        assert_eq!(
            told["items"],
            json!([
                {"kind": "out-of-service", "reason": "Water damage", "expectedBack": null, "startedAt": "2026-03-02T20:00:00.000Z",
                    "startedBy": "Test Person", "endedAt": null, "endedBy": null},
                {"kind": "out-of-service", "reason": "Painting", "expectedBack": null, "startedAt": "2026-03-02T18:00:00.000Z",
                    "startedBy": "Test Person", "endedAt": "2026-03-02T19:00:00.000Z", "endedBy": "Test Person"},
            ])
        );
        assert_eq!(told["totalCount"], 2);
        let stranger = house.get(&format!("/api/Beds/{}/outages", world::BED_A)).by(world::OWNER_FOREIGN).status().await;
        assert_eq!(stranger, 404);
    }

    async fn the_database_allows_one_open_outage_per_bed_no_too_long_text_and_no_unknown_kind(house: House) {
        const INSERT: &str = "INSERT INTO bed_outages (id, bed_id, kind, reason, expected_back, started_at) \
            VALUES ($1, $2, $3, $4, $5, 0)";
        let insert_of_kind = async |bed: berth_domain::id::BedId, kind: &str, reason: &str, day: &str| {
            let mut tx = house.db().begin().await.unwrap();
            let insert = tx.query(INSERT).bind(house.app.id()).bind(bed).bind(kind).bind(reason).bind(day);
            let inserted = insert.execute().await;
            tx.rollback().await.unwrap();
            inserted.map(drop)
        };
        let insert = async |bed, reason: &str, day: &str| insert_of_kind(bed, "cleaning", reason, day).await;
        insert(world::BED_A, "Paint", "2026-12-01").await.unwrap();
        let twice = insert(world::BED_E, "Paint", "2026-12-01").await.unwrap_err();
        assert_eq!(twice.unique(), Some("bed_outages_bed_id_key"));
        insert(world::BED_A, &"é".repeat(200), "2026-12-01").await.unwrap();
        insert(world::BED_A, &"é".repeat(201), "2026-12-01").await.unwrap_err();
        insert(world::BED_A, "", "2026-12-01").await.unwrap_err();
        insert(world::BED_A, "Paint", "tomorrow").await.unwrap_err();
        insert_of_kind(world::BED_A, "out-of-service", "Paint", "2026-12-01").await.unwrap();
        insert_of_kind(world::BED_A, "dirty", "Paint", "2026-12-01").await.unwrap_err();
    }

    async fn a_removed_bed_is_gone_but_its_stays_remain(house: House) {
        const END: &str =
            "UPDATE stays SET ended_at = started_at, end_reason = 'discharged' WHERE site_id = $1 AND bed_id = $2";
        let guest = assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        crate::sites::run(&house, END, (world::HARBOR_HOUSE.0, world::BED_A.0)).await;
        assert_eq!(remove(&house, world::BED_A).await.status, 204);
        assert_eq!(bed(&house, world::BED_A, world::OWNER).await.status, 404);
        assert_eq!(edit(&house, world::BED_A, detox(false)).await.status, 404);
        assert_eq!(remove(&house, world::BED_A).await.status, 404);
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 4, 3, 0, 1, 0, 0]);
        let stays: i64 =
            house.db().query("SELECT COUNT(*) FROM stays WHERE guest_id = $1").bind(guest).scalar().await.unwrap();
        assert_eq!(stays, 1, "stays are kept after a delete");
        let again = json!({"roomId": world::ROOM_1, "type": "Detox", "count": 1});
        assert_eq!(names(&add(&house, again).await), ["Detox: Detox"], "its name is free again");
    }

    async fn the_beds_of_a_site_are_listed_in_the_order_of_its_houses(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_D, 1).await;
        let beds = house.get(&format!("/api/beds?siteId={}", world::HARBOR_HOUSE)).by(world::STAFF).send().await;
        let beds = beds.expect(200);
        let line = |bed: &Value| {
            format!(
                "{} / {} / {} / {}",
                bed["room"]["name"].as_str().unwrap(),
                bed["name"].as_str().unwrap(),
                bed["disabled"],
                bed["guest"]["displayName"]
            )
        };
        assert_eq!(
            beds.as_array().unwrap().iter().map(line).collect::<Vec<_>>(),
            [
                "House #1 / Detox / false / null",
                "House #1 / Treatment / false / null",
                "House #1 / Sober Living / false / null",
                "House #2 / Sober Living #1 / false / \"Casey R. CODE1\"",
                "House #2 / Sober Living #2 / true / null",
            ]
        );
    }

    async fn a_view_of_an_occupied_bed_is_recorded_before_the_answer(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        let shown = bed(&house, world::BED_A, world::STAFF).await.expect(200);
        assert_eq!((&shown["isOccupied"], &shown["guest"]["code"]), (&json!(true), &json!("CODE1")));
        assert_eq!(shown["guest"].get("phone"), None);
        bed(&house, world::BED_B, world::STAFF).await.expect(200);
        assert_eq!(house.trail().await, ["guest.viewed"], "an empty bed shows no guest");
        bed(&house, world::BED_A, world::GLOBAL).await.expect(200);
        assert_eq!(house.trail().await, ["guest.viewed", "guest.viewed-by-global-admin"]);
    }

    async fn beds_have_the_permissions_of_their_houses(house: House) {
        let body = |room| json!({"roomId": room, "count": 1});
        for (room, token, status) in [
            (world::ROOM_1, world::OWNER, 201),
            (world::ROOM_1, world::ADMIN, 403),
            (world::ROOM_1, world::STAFF, 403),
            (world::OPEN_ROOM, world::STAFF, 201),
            (world::OPEN_ROOM, world::INTAKE, 403),
            (world::FAR_ROOM, world::ADMIN, 404),
            (world::FAR_ROOM, world::GLOBAL, 201),
        ] {
            assert_eq!(house.post("/api/Beds", body(room)).by(token).status().await, status, "{token} at {room}");
        }
        let path = format!("/api/Beds/{}", world::BED_H);
        for call in [house.get(&path), house.put(&path, detox(false)), house.delete(&path)] {
            assert_eq!(call.by(world::ADMIN).status().await, 404);
        }
        let path = format!("/api/Beds/{}", world::BED_A);
        assert_eq!(house.delete(&path).by(world::INTAKE).status().await, 403);
        assert_eq!(house.put(&path, detox(true)).by(world::INTAKE).status().await, 403);
    }
}
