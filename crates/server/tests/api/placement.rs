//! Placement rules: whom the beds of a site are for, and who may override that (docs/decisions/0068).

use berth_domain::id::{BedId, RoomId};
use serde_json::{Value, json};

use crate::harness::{Answer, House};
use crate::steps::{add, command, form, id, place, undo};
use crate::{both_engines, world};

const NEEDS_ADMIN: &str =
    "This placement is against the rules of the site or the house. Only an admin or owner can override them.";
const NEEDS_REASON: &str =
    "This placement is against the rules of the site or the house. Enter a reason to override them.";

async fn strict(house: &House, is_strict: bool) -> u16 {
    let path = format!("/api/Sites/{}/placement", world::HARBOR_HOUSE);
    house.put(&path, json!({"strictPlacement": is_strict})).by(world::ADMIN).send().await.status
}

/// Says whom a house is for; the guests of the tests are women of 18 to 26.
async fn meant_for(house: &House, room: RoomId, ids: &[&str]) -> Value {
    let name = if room == world::ROOM_1 { "House #1" } else { "House #2" };
    let body = json!({"name": name, "meantFor": ids});
    house.put(&format!("/api/Rooms/{room}"), body).by(world::OWNER).send().await.expect(200)
}

async fn send(house: &House, by: &'static str, guest: &str, status: &str, bed: BedId, reason: Option<&str>) -> Answer {
    let body = json!({"status": status, "bedId": bed, "placementReason": reason});
    house.patch(&format!("/api/Guests/{guest}"), body).by(by).send().await
}

both_engines! {
    async fn whom_a_house_is_for_is_part_of_it(house: House) {
        let changed = meant_for(&house, world::ROOM_1, &["gender-male", "age-over-27", "adults"]).await;
        assert_eq!(changed["meantFor"], json!(["adults", "age-over-27", "gender-male"]));
        let path = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let site = house.get(&path).by(world::STAFF).send().await.expect(200);
        assert_eq!(site["rooms"][0]["meantFor"], changed["meantFor"]);
        assert_eq!(site["rooms"][1]["meantFor"], json!([]));
        assert_eq!(site["strictPlacement"], false);
        let renamed = json!({"name": "House of men"});
        let renamed = house.put(&format!("/api/Rooms/{}", world::ROOM_1), renamed).by(world::OWNER).send().await.expect(200);
        assert_eq!(renamed["meantFor"], changed["meantFor"], "absent: unchanged");
        let wrong = json!({"name": "House of men", "meantFor": ["mental-health"]});
        let wrong = house.put(&format!("/api/Rooms/{}", world::ROOM_1), wrong).by(world::OWNER).send().await;
        assert_eq!(wrong.field_errors(), ["/meantFor: Choose genders, ages and types of client only."]);
        let new = json!({"siteId": world::HARBOR_HOUSE, "name": "House #3", "meantFor": ["gender-female"]});
        let new = house.post("/api/Rooms", new).by(world::OWNER).send().await.expect(201);
        assert_eq!(new["meantFor"], json!(["gender-female"]));
        let summary: String = house.db()
            .query("SELECT summary FROM audit WHERE action = 'room.edited' ORDER BY id LIMIT 1").scalar().await.unwrap();
        assert!(summary.starts_with("house House #1 is now House #1, for "), "{summary}");
    }

    async fn whoever_may_not_override_a_rule_may_not_change_it(house: House) {
        // Staff of a non-commercial site may edit its houses, but not whom they are for.
        let path = format!("/api/Rooms/{}", world::OPEN_ROOM);
        let ask = |meant_for: &[&str], by| house.put(&path, json!({"name": "House", "meantFor": meant_for})).by(by);
        ask(&[], world::STAFF).send().await.expect(200);
        assert_eq!(ask(&["gender-male"], world::STAFF).send().await.status, 403);
        ask(&["gender-male"], world::OWNER_FREE).send().await.expect(200);
        ask(&["gender-male"], world::STAFF).send().await.expect(200);
        assert_eq!(ask(&[], world::STAFF).send().await.status, 403);
        let new = json!({"siteId": world::OPEN_DOOR, "name": "New", "meantFor": ["gender-male"]});
        assert_eq!(house.post("/api/Rooms", new).by(world::STAFF).send().await.status, 403);
    }

    async fn the_reason_stays_in_the_timeline_when_the_accept_is_undone(house: House) {
        meant_for(&house, world::ROOM_1, &["gender-male"]).await;
        strict(&house, true).await;
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        send(&house, world::ADMIN, &guest, "ACCEPTED", world::BED_A, Some("Her brother lives here")).await.expect(200);
        undo(&house, &guest, world::ADMIN).await.send().await.expect(200);
        let timeline = house.get(&format!("/api/Guests/{guest}/timeline")).by(world::INTAKE).send().await.expect(200);
        assert_eq!((&timeline["events"][1]["kind"], &timeline["events"][1]["placementReason"]),
            (&json!("accepted"), &json!("Her brother lives here")));
    }

    async fn a_site_that_is_not_strict_lets_every_bed_be_used(house: House) {
        meant_for(&house, world::ROOM_1, &["gender-male"]).await;
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
    }

    async fn a_strict_site_refuses_a_bed_that_is_not_for_the_guest(house: House) {
        meant_for(&house, world::ROOM_1, &["gender-male"]).await;
        assert_eq!(strict(&house, true).await, 204);
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let refused = send(&house, world::INTAKE, &guest, "ACCEPTED", world::BED_A, Some("No other bed")).await;
        assert_eq!(refused.refusal(409), NEEDS_ADMIN);
        let asked = send(&house, world::ADMIN, &guest, "ACCEPTED", world::BED_A, None).await;
        assert_eq!((asked.refusal(409), &asked.expect(409)["code"]), (NEEDS_REASON.to_owned(), &json!("placement-reason-needed")));
        let blank = send(&house, world::ADMIN, &guest, "ACCEPTED", world::BED_A, Some("  ")).await;
        assert_eq!(blank.refusal(409), NEEDS_REASON);
        let long = send(&house, world::ADMIN, &guest, "ACCEPTED", world::BED_A, Some(&"x".repeat(201))).await;
        assert_eq!(long.field_errors(), ["/placementReason: Maximum length is 200 symbols."]);
        command(&house, &guest, "ACCEPTED", Some(world::BED_D)).send().await.expect(200);
        let moved = send(&house, world::INTAKE, &guest, "REASSIGNED", world::BED_B, None).await;
        assert_eq!(moved.refusal(409), NEEDS_ADMIN);
        strict(&house, false).await;
        command(&house, &guest, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
    }

    async fn an_admin_overrides_with_a_reason_that_is_on_record(house: House) {
        meant_for(&house, world::ROOM_1, &["gender-male"]).await;
        strict(&house, true).await;
        let guest = add(&house, world::HARBOR_HOUSE, 1).await;
        let (guest, code) = (id(&guest), guest["code"].as_str().unwrap().to_owned());
        send(&house, world::ADMIN, &guest, "ACCEPTED", world::BED_A, Some("Her brother  lives here")).await.expect(200);
        let timeline = house.get(&format!("/api/Guests/{guest}/timeline")).by(world::INTAKE).send().await.expect(200);
        assert_eq!(timeline["events"][1]["placementReason"], "Her brother lives here");
        assert_eq!(timeline["events"][0]["placementReason"], Value::Null);
        let rows: Vec<(String,)> = house.db()
            .query("SELECT summary FROM audit WHERE action = 'placement.overridden'").all().await.unwrap();
        assert_eq!(rows, [(format!("{code}: Female; a reason was given"),)]);
        // A bed that fits needs no reason, and one that was sent all the same is not kept.
        send(&house, world::ADMIN, &guest, "REASSIGNED", world::BED_D, Some("Not needed")).await.expect(200);
        let timeline = house.get(&format!("/api/Guests/{guest}/timeline")).by(world::INTAKE).send().await.expect(200);
        assert_eq!(timeline["events"][2]["placementReason"], Value::Null);
    }

    async fn in_a_swap_both_guests_have_to_fit(house: House) {
        let woman = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let mut man = form(world::HARBOR_HOUSE, 2);
        man["gender"] = json!(1);
        let man = id(&house.post("/api/Guests", man).by(world::ADMIN).send().await.expect(201));
        command(&house, &man, "ACCEPTED", Some(world::BED_D)).send().await.expect(200);
        meant_for(&house, world::ROOM_1, &["gender-female"]).await;
        strict(&house, true).await;
        // She fits House #2, but he does not fit House #1.
        let refused = send(&house, world::INTAKE, &woman, "SWAP", world::BED_D, None).await;
        assert_eq!(refused.refusal(409), NEEDS_ADMIN);
        send(&house, world::ADMIN, &woman, "SWAP", world::BED_D, Some("For one night")).await.expect(200);
        let path = format!("/api/Guests/{man}/timeline");
        let timeline = house.get(&path).by(world::INTAKE).send().await.expect(200);
        assert_eq!(timeline["events"][2]["placementReason"], "For one night");
    }

    async fn the_rules_of_the_site_count_in_each_house(house: House) {
        strict(&house, true).await;
        let services = "INSERT INTO site_services (site_id, service_id) VALUES ($1, 'age-over-27')";
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("DELETE FROM site_services WHERE site_id = $1 AND service_id LIKE 'age-%'").bind(world::HARBOR_HOUSE)
            .execute().await.unwrap();
        tx.query(services).bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.commit().await.unwrap();
        let refused = send(&house, world::INTAKE, &guest, "ACCEPTED", world::BED_D, None).await;
        assert_eq!(refused.refusal(409), NEEDS_ADMIN);
    }

    async fn an_undo_restores_a_guest_whom_the_rules_would_refuse_by_now(house: House) {
        let guest = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        meant_for(&house, world::ROOM_1, &["gender-male"]).await;
        strict(&house, true).await;
        command(&house, &guest, "DISCHARGED", None).send().await.expect(200);
        let back = undo(&house, &guest, world::INTAKE).await.send().await.expect(200);
        assert_eq!(back["assignedBedId"], json!(world::BED_A));
    }
}
