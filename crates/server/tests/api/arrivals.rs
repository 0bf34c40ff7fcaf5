//! Arrivals: a site may ask whether accepted guests have come, and frees the bed of whoever has not.

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Answer, House, MINUTE};
use crate::steps::{DAY, add, command, guest, id, place, undo};
use crate::world;

async fn ask(house: &House, asks: bool) -> u16 {
    let path = format!("/api/Sites/{}/arrivals", world::HARBOR_HOUSE);
    house.put(&path, json!({"asksArrival": asks})).by(world::ADMIN).send().await.status
}

async fn send(house: &House, guest: &str, status: &str) -> Answer {
    command(house, guest, status, None).send().await
}

fn stated(guest: &Value) -> Value {
    json!([guest["status"], guest["isArriving"], guest["arrivedAt"].is_string(), guest["noShowAt"].is_string()])
}

both_engines! {
    async fn a_site_does_not_ask_at_first(house: House) {
        let placed = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        assert_eq!(stated(&placed), json!(["accepted", false, false, false]));
        for status in ["ARRIVED", "NOT_ARRIVED", "NO_SHOW"] {
            let refusal = send(&house, &id(&placed), status).await.refusal(409);
            assert_eq!(refusal, "This site does not ask whether guests have arrived.", "{status}");
        }
    }

    async fn an_accepted_guest_is_arriving_until_somebody_says_otherwise(house: House) {
        assert_eq!(ask(&house, true).await, 204);
        let placed = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let guest_id = id(&placed);
        assert_eq!(stated(&placed), json!(["accepted", true, false, false]));
        let beds = house.get(&format!("/api/Beds?siteId={}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
        assert!(beds.to_string().contains("\"isArriving\":true"), "{beds}");
        assert_eq!(stated(&send(&house, &guest_id, "ARRIVED").await.expect(200)), json!(["accepted", false, true, false]));
        assert_eq!(send(&house, &guest_id, "ARRIVED").await.refusal(409), "This guest has arrived. Discharge the guest instead.");
        assert_eq!(send(&house, &guest_id, "NO_SHOW").await.refusal(409), "This guest has arrived. Discharge the guest instead.");
        assert_eq!(stated(&send(&house, &guest_id, "NOT_ARRIVED").await.expect(200)), json!(["accepted", true, false, false]));
        assert_eq!(send(&house, &guest_id, "NOT_ARRIVED").await.refusal(409), "This guest has not arrived yet.");
        let moved = command(&house, &guest_id, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        assert_eq!(stated(&moved), json!(["reassigned", true, false, false]), "a move is no arrival");
    }

    async fn a_bed_report_says_who_is_arriving_and_counts_no_day_of_a_stay_that_has_not_begun(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let row = async |language: &str| {
            let path = format!("/api/Sites/{}/beds.csv?beds=occupied&language={language}", world::HARBOR_HOUSE);
            let text = house.get(&path).by(world::STAFF).send().await.text;
            text.lines().last().unwrap().split(',').map(|cell| cell.trim_matches('"').to_owned()).collect::<Vec<_>>()
        };
        let (english, spanish) = (row("en").await, row("es").await);
        assert_eq!((english[3].as_str(), english[6].as_str()), ("Arriving", ""));
        assert_eq!(spanish[3], "Por llegar");
        send(&house, &guest_id, "ARRIVED").await.expect(200);
        let arrived = row("en").await;
        assert_eq!((arrived[3].as_str(), arrived[6].as_str()), ("Occupied", "1"));
    }

    async fn a_no_show_frees_the_bed_and_is_undone_like_a_discharge(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let body = json!({"status": "NO_SHOW", "feedback": "Did not come"});
        let gone = house.patch(&format!("/api/Guests/{guest_id}"), body).by(world::INTAKE).send().await.expect(200);
        assert_eq!(stated(&gone), json!(["discharged", false, false, true]));
        assert_eq!((&gone["noShowAt"], &gone["feedback"]), (&gone["dischargedAt"], &json!("Did not come")));
        let timeline = house.get(&format!("/api/Guests/{guest_id}/timeline")).by(world::STAFF).send().await.expect(200);
        assert_eq!(timeline["events"][2]["kind"], "noShow");
        place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        let back = undo(&house, &guest_id, world::ADMIN).await.send().await.expect(200);
        assert_eq!(stated(&back), json!(["accepted", true, false, false]));
        assert_eq!(back["assignedBedId"], json!(world::BED_A));
    }

    async fn an_accept_is_not_undone_once_somebody_has_recorded_the_arrival(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        send(&house, &guest_id, "ARRIVED").await.expect(200);
        let refusal = undo(&house, &guest_id, world::INTAKE).await.send().await.refusal(409);
        assert_eq!(refusal, "This guest has arrived. Discharge the guest instead.");
        send(&house, &guest_id, "NOT_ARRIVED").await.expect(200);
        undo(&house, &guest_id, world::INTAKE).await.send().await.expect(200);
        assert_eq!(stated(&guest(&house, &guest_id).await), json!(["pending", false, false, false]));
    }

    async fn an_arrival_is_taken_back_for_a_day(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        send(&house, &guest_id, "ARRIVED").await.expect(200);
        house.advance(DAY + 1);
        let refusal = send(&house, &guest_id, "NOT_ARRIVED").await.refusal(409);
        assert_eq!(refusal, "More than 24 hours have passed since the arrival. Discharge the guest instead.");
    }

    async fn a_site_does_not_stop_to_ask_while_guests_are_arriving(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        assert_eq!(ask(&house, false).await, 409);
        assert_eq!(stated(&guest(&house, &guest_id).await), json!(["accepted", true, false, false]));
        send(&house, &guest_id, "ARRIVED").await.expect(200);
        assert_eq!(ask(&house, false).await, 204);
    }

    async fn guests_who_have_a_bed_when_a_site_begins_to_ask_count_as_arrived(house: House) {
        let before = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(MINUTE);
        ask(&house, true).await;
        assert_eq!(stated(&guest(&house, &before).await), json!(["accepted", false, true, false]));
        let timeline = house.get(&format!("/api/Guests/{before}/timeline")).by(world::INTAKE).send().await.expect(200);
        assert!(!timeline.to_string().contains("\"arrived\""), "nobody has said when: {timeline}");
        ask(&house, false).await;
        let after = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        ask(&house, true).await;
        assert_eq!(stated(&guest(&house, &after).await), json!(["accepted", false, true, false]));
    }

    async fn a_discharge_from_before_a_site_asked_is_undone_to_a_guest_who_has_arrived(house: House) {
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        send(&house, &guest_id, "DISCHARGED").await.expect(200);
        ask(&house, true).await;
        let back = undo(&house, &guest_id, world::ADMIN).await.send().await.expect(200);
        assert_eq!(stated(&back), json!(["accepted", false, true, false]));
    }

    async fn an_arrival_is_told_with_its_person(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(MINUTE);
        send(&house, &guest_id, "ARRIVED").await.expect(200);
        let timeline = house.get(&format!("/api/Guests/{guest_id}/timeline")).by(world::INTAKE).send().await.expect(200);
        let kinds: Vec<&str> = timeline["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["reserved", "accepted", "arrived"]);
        assert_eq!(timeline["events"][2]["isYou"], true);
    }

    async fn arriving_guests_are_listed_in_today_until_they_come_whenever_they_were_accepted(house: House) {
        ask(&house, true).await;
        let first = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(2 * DAY);
        let second = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        let listed = async |token| {
            let today = house.get("/api/Today").by(token).send().await.expect(200);
            today["arriving"].as_array().unwrap().iter().map(|row| id(&row["guest"])).collect::<Vec<_>>()
        };
        assert_eq!(listed(world::STAFF).await, [first.clone(), second.clone()], "not of today alone");
        assert_eq!(listed(world::OWNER_FREE).await, [""; 0], "not of other sites");
        send(&house, &first, "ARRIVED").await.expect(200);
        assert_eq!(listed(world::INTAKE).await, std::slice::from_ref(&second));
        send(&house, &second, "ARRIVED").await.expect(200);
        assert_eq!(listed(world::INTAKE).await, [""; 0]);
    }

    async fn no_shows_count_in_no_length_of_stay(house: House) {
        ask(&house, true).await;
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        send(&house, &guest_id, "NO_SHOW").await.expect(200);
        let other = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        command(&house, &other, "DISCHARGED", None).send().await.expect(200);
        let path = format!("/api/Sites/{}/numbers?days=7", world::HARBOR_HOUSE);
        let numbers = house.get(&path).by(world::ADMIN).send().await.expect(200);
        assert_eq!(numbers["lengthOfStay"]["guests"], 1, "{numbers}");
    }

    async fn only_who_edits_the_site_chooses_whether_it_asks(house: House) {
        let path = format!("/api/Sites/{}/arrivals", world::HARBOR_HOUSE);
        for (token, status) in [(world::STAFF, 403), (world::INTAKE, 403), (world::OWNER_FOREIGN, 404), (world::OWNER, 204)] {
            assert_eq!(house.put(&path, json!({"asksArrival": true})).by(token).send().await.status, status, "{token}");
        }
        let site = house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
        assert_eq!(site["asksArrival"], true);
        let pending = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        assert_eq!(send(&house, &pending, "ARRIVED").await.refusal(409), "This guest has no bed yet. Accept the reservation first.");
        house.advance(DAY);
    }
}
