//! Houses: adding, renaming, removing, and what prevents it.

use serde_json::{Value, json};

use crate::harness::{Answer, HOUR, House};
use crate::images::uploaded;
use crate::sites::{assigned, counts, page, pending, version};
use crate::{both_engines, world};

async fn add(house: &House, token: &str, body: Value) -> Answer {
    house.post("/api/Rooms", body).by(token).send().await
}

async fn rename(house: &House, token: &str, body: Value) -> Answer {
    house.put(&format!("/api/Rooms/{}", world::ROOM_1), body).by(token).send().await
}

async fn remove(house: &House, token: &str, room: impl std::fmt::Display) -> Answer {
    house.delete(&format!("/api/Rooms/{room}")).by(token).send().await
}

async fn names(house: &House) -> Vec<String> {
    let page = page(house, world::HARBOR_HOUSE, world::OWNER).await.expect(200);
    page["rooms"].as_array().unwrap().iter().map(|room| room["name"].as_str().unwrap().to_owned()).collect()
}

both_engines! {
    async fn a_new_house_is_numbered_and_comes_last(house: House) {
        house.advance(HOUR);
        let before = version(&house, world::HARBOR_HOUSE).await;
        let room = add(&house, world::OWNER, json!({"siteId": world::HARBOR_HOUSE})).await.expect(201);
        let id = room["id"].as_str().unwrap().to_owned();
        assert_eq!(
            room,
            json!({
                "id": id, "name": "House #3", "photo": null, "imagePath": null, "hasPhoto": false, "meantFor": [], "hasBeds": false,
                "hasAnyGuests": false, "bedsCount": 0, "vacantBedsCount": 0, "occupiedBedsCount": 0,
                "disabledBedsCount": 0,
                "createdAt": "2026-03-02T19:00:00.000Z", "version": 1, "beds": [],
            })
        );
        assert_eq!(names(&house).await, ["House #1", "House #2", "House #3"]);
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before + 1, "one change, one version");
        assert!(house.trail().await.contains(&"room.created".to_owned()));
    }

    async fn a_new_house_may_have_a_name_and_a_photo(house: House) {
        let photo = uploaded(&house, world::OWNER, "room_").await;
        let body = json!({"siteId": world::HARBOR_HOUSE, "name": "  Pier <b>House</b> ", "imagePath": photo});
        let room = add(&house, world::OWNER, body).await.expect(201);
        assert_eq!(
            (&room["name"], &room["photo"], &room["hasPhoto"]),
            (&json!("Pier House"), &json!(photo), &json!(true))
        );
        let body = json!({"siteId": world::HARBOR_HOUSE, "name": "x".repeat(201), "imagePath": "../../etc/passwd"});
        assert_eq!(
            add(&house, world::OWNER, body).await.field_errors(),
            ["/name: Maximum length is 200 symbols.", "/imagePath: This photo was not found. Please upload it again.",]
        );
    }

    async fn two_houses_of_a_site_never_have_the_same_name(house: House) {
        let taken = ["/name: A house with this name already exists."];
        let body = json!({"siteId": world::HARBOR_HOUSE, "name": "HOUSE #2"});
        assert_eq!(add(&house, world::OWNER, body).await.field_errors(), taken);
        assert_eq!(rename(&house, world::OWNER, json!({"name": "house #2"})).await.field_errors(), taken);
        assert_eq!(names(&house).await, ["House #1", "House #2"]);
        let body = json!({"siteId": world::OPEN_DOOR, "name": "House #2"});
        add(&house, world::STAFF, body).await.expect(201);
    }

    async fn a_house_can_be_renamed_while_guests_live_in_it(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        let photo = uploaded(&house, world::OWNER, "room_").await;
        let room = rename(&house, world::OWNER, json!({"name": "Pier House", "imagePath": photo})).await.expect(200);
        assert_eq!(
            (&room["name"], &room["occupiedBedsCount"], &room["imagePath"]),
            (&json!("Pier House"), &json!(1), &json!(photo))
        );
        assert_eq!(room["beds"][0]["guest"]["displayName"], "Casey R. CODE1");
        let kept = rename(&house, world::OWNER, json!({"name": "Pier House"})).await.expect(200);
        assert_eq!(kept["imagePath"], photo.as_str(), "an omitted photo is kept");
        let gone = rename(&house, world::OWNER, json!({"name": "Pier House", "imagePath": null})).await.expect(200);
        assert_eq!(gone["imagePath"], Value::Null);
        assert_eq!(
            rename(&house, world::OWNER, json!({"name": "  "})).await.field_errors(),
            ["/name: Required field."]
        );
    }

    async fn an_outdated_form_does_not_undo_a_newer_change(house: House) {
        let room = rename(&house, world::OWNER, json!({"name": "Pier House", "version": 1})).await.expect(200);
        assert_eq!(room["version"], 2);
        let stale = rename(&house, world::OWNER, json!({"name": "House One", "version": 1})).await;
        assert_eq!(stale.refusal(412), "Someone else changed this in the meantime. Here is how it is now.");
        assert_eq!(names(&house).await[0], "Pier House");
        let path = format!("/api/Rooms/{}", world::ROOM_1);
        for (tag, status) in [("\"1\"", 412), ("\"2\"", 200)] {
            let ask = house.put(&path, json!({"name": "House One"})).by(world::OWNER).header("if-match", tag);
            assert_eq!(ask.status().await, status, "{tag}");
        }
        let again = rename(&house, world::OWNER, json!({"name": "House One", "version": 1})).await;
        again.expect(200);
    }

    async fn an_edit_that_changes_nothing_keeps_the_version(house: House) {
        let before = version(&house, world::HARBOR_HOUSE).await;
        rename(&house, world::OWNER, json!({"name": "House #1", "imagePath": null})).await.expect(200);
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before);
    }

    async fn a_house_with_a_guest_cannot_be_removed(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_C, 1).await;
        let before = version(&house, world::HARBOR_HOUSE).await;
        assert_eq!(
            remove(&house, world::OWNER, world::ROOM_1).await.refusal(409),
            "You can't delete the Room. It has occupied beds: reassign or discharge their guests first."
        );
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [2, 5, 3, 1, 1, 0, 1]);
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before, "a refusal changes nothing");
    }

    async fn a_house_whose_beds_are_reserved_cannot_be_removed(house: House) {
        // Four vacant beds: three in House #1, one in House #2. Two reservations need two of them.
        pending(&house, world::HARBOR_HOUSE, 1, Some(HOUR)).await;
        pending(&house, world::HARBOR_HOUSE, 2, Some(2 * HOUR)).await;
        assert_eq!(
            remove(&house, world::OWNER, world::ROOM_1).await.refusal(409),
            "Pending reservations need the vacant beds. Decline a reservation or add another bed first."
        );
        house.advance(HOUR);
        assert_eq!(
            remove(&house, world::OWNER, world::ROOM_1).await.status,
            204,
            "a hold that has run out needs nothing"
        );
    }

    async fn a_removed_house_removes_its_beds_and_frees_its_name(house: House) {
        let answer = remove(&house, world::OWNER, world::ROOM_1).await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""));
        assert_eq!(counts(&house, world::HARBOR_HOUSE).await, [1, 2, 1, 0, 1, 0, 0]);
        assert_eq!(remove(&house, world::OWNER, world::ROOM_1).await.status, 404);
        assert_eq!(rename(&house, world::OWNER, json!({"name": "Again"})).await.status, 404);
        assert_eq!(house.get(&format!("/api/Beds/{}", world::BED_A)).by(world::OWNER).status().await, 404);
        let body = json!({"roomId": world::ROOM_1, "type": "Detox", "count": 1});
        assert_eq!(house.post("/api/Beds", body).by(world::OWNER).status().await, 404);
        add(&house, world::OWNER, json!({"siteId": world::HARBOR_HOUSE, "name": "House #1"})).await.expect(201);
        let trail = house.trail().await;
        let removed = |action: &str| trail.iter().filter(|found| *found == action).count();
        assert_eq!((removed("room.removed"), removed("bed.removed")), (1, 3), "each has its own audit row");
    }

    async fn houses_of_commercial_sites_are_edited_by_owners_and_others_by_all_but_intake(house: House) {
        for (site, allowed) in [
            (world::HARBOR_HOUSE, [world::GLOBAL, world::OWNER].as_slice()),
            (world::OPEN_DOOR, &[world::GLOBAL, world::OWNER_FREE, world::ADMIN, world::STAFF]),
        ] {
            for token in [world::GLOBAL, world::OWNER, world::OWNER_FREE, world::ADMIN, world::INTAKE, world::STAFF] {
                let sees = house.get(&format!("/api/Sites/{site}")).by(token).status().await == 200;
                let expected = if allowed.contains(&token) {
                    201
                } else if sees {
                    403
                } else {
                    404
                };
                assert_eq!(add(&house, token, json!({"siteId": site})).await.status, expected, "{token} at {site}");
            }
        }
        assert_eq!(
            rename(&house, world::STAFF, json!({"name": "Mine"})).await.refusal(403),
            "Your role does not allow this."
        );
        assert_eq!(remove(&house, world::OWNER, world::FAR_ROOM).await.status, 404);
        assert_eq!(add(&house, world::OWNER, json!({"siteId": world::FAR_AWAY})).await.status, 404);
    }
}
