//! The public side: what people without an account find, reserve and learn (DESIGN 6).

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE};
use crate::steps::{add, command, form, id, place, reserve, sorted_trail};
use crate::{invariants, world};

/// What every refused reservation says.
const REFUSED: &str = "This reservation cannot be made. Either no bed is free at this site any more, or two \
    reservations are active for these contacts already. Please choose another site or call this one.";

async fn hide(house: &House, text: &'static str) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query(text).execute().await.unwrap();
    tx.commit().await.unwrap();
}

both_engines! {
    async fn sites_are_found_by_name_and_city(house: House) {
        let names = async |search: &str| {
            let list = house.get(&format!("/api/public/sites?search={search}")).send().await.expect(200);
            let names: Vec<String> = list["items"].as_array().unwrap().iter()
                .map(|site| site["name"].as_str().unwrap().to_owned()).collect();
            assert_eq!(list["totalCount"], names.len());
            names
        };
        assert_eq!(names("").await, ["Harbor House", "Open Door"]);
        assert_eq!(names("HARBOR").await, ["Harbor House"]);
        assert_eq!(names("orange").await, ["Open Door"]);
        assert_eq!(names("%25").await, Vec::<String>::new());
        assert_eq!(names("desert").await, Vec::<String>::new(), "its organization is hidden");
        let page = house.get("/api/public/sites?page=2&pageSize=1").send().await.expect(200);
        assert_eq!(page["items"][0]["name"], "Open Door");
    }

    async fn a_site_shows_what_a_person_in_need_asks_for_and_no_more(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        add(&house, world::HARBOR_HOUSE, 2).await;
        let site = house.get(&format!("/api/public/sites/{}", world::HARBOR_HOUSE)).send().await.expect(200);
        assert_eq!(site, json!({
            "id": world::HARBOR_HOUSE, "name": "Harbor House", "alias": null,
            "description": "A calm house near the water with a kitchen, a garden \
                and people who have been where you are now.",
            "address": "12 Pier Avenue, Long Beach, CA 90802", "isCommercial": true, "coverImage": null,
            "services": [
                {"id": "drug-treatment", "name": "Drug treatment", "category": "General", "type": "DRUG_TREATMENT"},
                {"id": "mental-health", "name": "Mental health", "category": "Disability", "type": "MENTAL_HEALTH"},
            ],
            "languages": [{"id": "en", "name": "English"}],
            // Five beds: one disabled, one taken, one held by a pending reservation.
            "availableBeds": 2, "bedTypes": ["Detox", "Treatment", "Sober Living"], "holdHours": 24,
            "contactPhone": "+17145550100",
        }));
    }

    async fn hidden_sites_are_not_there(house: House) {
        let site = |id| house.get(&format!("/api/public/sites/{id}"));
        site(world::FAR_AWAY).send().await.expect(404);
        let far = house.post("/api/public/reservations", form(world::FAR_AWAY, 1)).send().await;
        far.expect(404);
        hide(&house, "UPDATE sites SET is_disabled = TRUE WHERE name_key = 'harbor house'").await;
        site(world::HARBOR_HOUSE).send().await.expect(404);
        house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 1)).send().await.expect(404);
        hide(&house, "UPDATE sites SET deleted_at = 1 WHERE name_key = 'open door'").await;
        let list = house.get("/api/public/sites").send().await.expect(200);
        assert_eq!(list["totalCount"], 0);
    }

    async fn a_reservation_is_held_for_the_screening_period_and_tells_only_its_code(house: House) {
        let mut sent = form(world::HARBOR_HOUSE, 1);
        sent["source"] = json!("Admin");
        let answer = house.post("/api/public/reservations", sent).send().await.expect(201);
        let code = answer["code"].as_str().unwrap().to_owned();
        assert_eq!(answer, json!({"code": code, "siteName": "Harbor House", "createdAt": "2026-03-02T18:00:00.000Z",
            "expiresAt": "2026-03-03T18:00:00.000Z"}));
        let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
        let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
        let guest = &list["items"][0];
        assert_eq!((&guest["code"], &guest["source"]), (&json!(code), &json!("Web")));
        assert_eq!(guest["status"], "pending");
        assert_eq!(guest["expiresAt"], answer["expiresAt"]);
        assert_eq!(sorted_trail(&house).await, ["guest.created", "guests.listed"]);
    }

    async fn those_who_want_it_are_told_a_code_and_a_link_and_nothing_else(house: House) {
        let answer = house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 1)).send().await.expect(201);
        let code = answer["code"].as_str().unwrap();
        let link = format!("http://localhost:8080/reservations/{}", world::HARBOR_HOUSE);
        let outbox = house.outbox().await;
        let mut to: Vec<(&str, &str)> = outbox.iter().map(|(channel, to, _)| (channel.as_str(), to.as_str())).collect();
        to.sort_unstable();
        assert_eq!(to, [("email", "intake@test.example"), ("sms", "+17145550165")]);
        for (_, _, body) in &outbox {
            assert!(body.contains(code) && body.contains(&link), "{body}");
            for secret in ["Person", "555000", "guests.example", "Drug", "Mental", "Harbor", "Detox"] {
                assert!(!body.contains(secret), "{body} contains {secret}");
            }
        }
    }

    async fn owners_are_told_too_and_nobody_of_another_place(house: House) {
        hide(&house, "UPDATE memberships SET receive_reservation_texts = TRUE").await;
        hide(&house, "UPDATE memberships SET status = 'Disabled' WHERE role = 'Admin'").await;
        hide(&house, "UPDATE users SET phone = NULL WHERE email_key = 'staff@test.example'").await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let mut to: Vec<String> = house.outbox().await.into_iter().map(|(_, to, _)| to).collect();
        to.sort_unstable();
        assert_eq!(to,
            ["+17145550161", "+17145550165", "intake@test.example", "owner@test.example", "staff@test.example"]);
    }

    async fn a_guest_added_by_hand_sends_no_message(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(house.outbox().await, []);
    }

    async fn every_refusal_reads_the_same(house: House) {
        let mut person = form(world::HARBOR_HOUSE, 1);
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        person["allowThird"] = json!(true);
        let third = house.post("/api/public/reservations", person).send().await;
        add(&house, world::HARBOR_HOUSE, 2).await;
        add(&house, world::HARBOR_HOUSE, 3).await;
        let full = house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 4)).send().await;
        for refused in [&third, &full] {
            assert_eq!(refused.refusal(409), REFUSED);
            assert_eq!(refused.json()["code"], "not-available");
            assert_eq!(refused.json().get("guest"), None::<&Value>);
        }
        invariants::hold(&house).await;
    }

    async fn the_form_is_checked_as_by_hand(house: House) {
        let empty = json!({"siteId": world::OPEN_DOOR});
        let errors = house.post("/api/public/reservations", empty).send().await.field_errors();
        assert_eq!(errors.len(), 7, "{errors:?}");
        let errors = house.post("/api/public/reservations", json!({})).send().await.field_errors();
        assert_eq!(errors, ["/siteId: Required field."]);
    }

    async fn a_requester_may_reserve_ten_times_in_ten_minutes(house: House) {
        for _ in 0..10 {
            house.post("/api/public/reservations", json!({"siteId": world::OPEN_DOOR})).send().await.expect(422);
        }
        let eleventh = house.post("/api/public/reservations", form(world::OPEN_DOOR, 1)).send().await;
        assert_eq!(eleventh.refusal(429), "Too many attempts. Please wait 600 seconds and try again.");
        assert_eq!(eleventh.header("retry-after"), "600");
        house.advance(10 * MINUTE);
        house.post("/api/public/reservations", form(world::OPEN_DOOR, 1)).send().await.expect(201);
    }

    async fn reads_of_the_public_side_are_limited_and_write_nothing(house: House) {
        let before = crate::attacks::tables(&house).await;
        for _ in 0..120 {
            house.get("/api/public/sites?pageSize=1").send().await.expect(200);
        }
        house.get("/api/public/sites").send().await.expect(429);
        let limits: i64 = house.db().query("SELECT COUNT(*) FROM throttles").scalar().await.unwrap();
        assert_eq!((limits, crate::attacks::tables(&house).await), (0, before));
        house.advance(MINUTE);
        house.get("/api/public/sites").send().await.expect(200);
    }

    async fn an_overdue_hold_gives_its_bed_back_though_no_job_has_run(house: House) {
        let first = reserve(&house, world::OPEN_DOOR, 1).await;
        reserve(&house, world::OPEN_DOOR, 2).await;
        let available = async || {
            let site = house.get(&format!("/api/public/sites/{}", world::OPEN_DOOR)).send().await.expect(200);
            site["availableBeds"].as_i64().unwrap()
        };
        assert_eq!(available().await, 0);
        house.advance(24 * HOUR - 1);
        assert_eq!(available().await, 0);
        house.advance(1);
        assert_eq!(available().await, 2);
        let guest = house.get(&format!("/api/Guests/{first}")).by(world::INTAKE).send().await.expect(200);
        assert_eq!((&guest["status"], &guest["expiredAt"]), (&json!("expired"), &guest["expiresAt"]));
        let answer = command(&house, &first, "ACCEPTED", Some(world::BED_F)).send().await;
        assert_eq!(answer.refusal(409), "This reservation has expired. Add the guest again to give a bed.");
        // And the person counts as free again.
        assert_ne!(reserve(&house, world::OPEN_DOOR, 1).await, first);
        let path = format!("/api/Guests?siteId={}", world::OPEN_DOOR);
        let list = house.get(&path).by(world::STAFF).send().await.expect(200);
        assert_eq!(list["totalCount"], 1);
        assert_ne!(id(&list["items"][0]), first);
        invariants::hold(&house).await;
    }

    async fn what_was_given_away_because_a_hold_was_over_stays_so_when_the_clock_goes_back(house: House) {
        let status = async |guest: &str| {
            let guest = house.get(&format!("/api/Guests/{guest}")).by(world::INTAKE).send().await.expect(200);
            guest["status"].as_str().unwrap().to_owned()
        };
        let (first, second) = (reserve(&house, world::OPEN_DOOR, 1).await, reserve(&house, world::OPEN_DOOR, 2).await);
        let elsewhere = reserve(&house, world::HARBOR_HOUSE, 3).await;
        reserve(&house, world::HARBOR_HOUSE, 3).await;
        house.advance(24 * HOUR);
        // The room of one, and the two reservations of a person, that were over.
        reserve(&house, world::OPEN_DOOR, 3).await;
        house.advance(-1);
        for guest in [&first, &second, &elsewhere] {
            assert_eq!(status(guest).await, "expired", "its end is on record");
        }
        let metrics = house.get("/metrics").send().await.text;
        assert!(metrics.contains("berth_holds_expired_total 4"), "each of the four is counted: {metrics}");
        invariants::hold(&house).await;

        let third = reserve(&house, world::OPEN_DOOR, 4).await;
        house.advance(24 * HOUR);
        house.delete(&format!("/api/Beds/{}", world::BED_F)).by(world::STAFF).send().await.expect(204);
        house.advance(-1);
        assert_eq!(status(&third).await, "expired", "a bed was taken away that it no longer needed");
        invariants::hold(&house).await;
    }
}
