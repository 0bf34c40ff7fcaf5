//! The timeline of a guest and the history of a bed, from the stays and the audit trail (issue "operations", history).

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{HOUR, House};
use crate::steps::{DAY, add, command, form, id, place, reserve};
use crate::world;

async fn timeline(house: &House, guest: &str, token: &str) -> Vec<Value> {
    let path = format!("/api/Guests/{guest}/timeline");
    let answer = house.get(&path).by(token).send().await.expect(200);
    assert_eq!(answer["guestId"], guest);
    answer["events"].as_array().unwrap().clone()
}

/// Kind, place and person of each event.
fn told(events: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("–").to_owned();
    let place = |event: &Value| format!("{} / {}", text(&event["roomName"]), text(&event["bedName"]));
    events.iter().map(|event| format!("{}: {}, {}", text(&event["kind"]), place(event), text(&event["by"]))).collect()
}

both_engines! {
    async fn a_guest_has_a_timeline_of_who_did_what_and_when(house: House) {
        let guest = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let other = place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        house.advance(HOUR);
        command(&house, &id(&guest), "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        house.advance(HOUR);
        command(&house, &id(&guest), "SWAP", Some(world::BED_B)).send().await.expect(200);
        house.advance(DAY);
        command(&house, &id(&guest), "DISCHARGED", None).send().await.expect(200);
        let events = timeline(&house, &id(&guest), world::INTAKE).await;
        let name = async |token: &str| {
            let me = house.get("/connect/userinfo").by(token).send().await.expect(200);
            format!("{} {}", me["first_name"].as_str().unwrap(), me["last_name"].as_str().unwrap())
        };
        let (intake, admin) = (name(world::INTAKE).await, name(world::ADMIN).await);
        assert_eq!(told(&events), [
            format!("reserved: – / –, {admin}"), format!("accepted: House #1 / Detox, {intake}"),
            format!("moved: House #1 / Sober Living, {intake}"), format!("swapped: House #1 / Treatment, {intake}"),
            format!("discharged: House #1 / Treatment, {intake}"),
        ]);
        let is_you: Vec<bool> = events.iter().map(|event| event["isYou"].as_bool().unwrap()).collect();
        assert_eq!(is_you, [false, true, true, true, true], "the reservation was made by the admin");
        assert_eq!((&events[1]["at"], &events[4]["at"]),
            (&json!("2026-03-02T18:00:00.000Z"), &json!("2026-03-03T20:00:00.000Z")));
        let kinds = told(&timeline(&house, &id(&other), world::STAFF).await);
        assert_eq!(kinds.last().unwrap(), &format!("swapped: House #1 / Sober Living, {intake}"));
    }

    async fn a_timeline_ends_with_the_decline_or_the_end_of_the_hold(house: House) {
        let declined = add(&house, world::HARBOR_HOUSE, 1).await;
        command(&house, &id(&declined), "REJECTED", None).send().await.expect(200);
        let events = timeline(&house, &id(&declined), world::STAFF).await;
        assert_eq!((events.len(), &events[1]["kind"]), (2, &json!("declined")));
        assert!(events[1]["by"].is_string(), "{events:?}");
        let held = reserve(&house, world::HARBOR_HOUSE, 2).await;
        assert_eq!(timeline(&house, &held, world::INTAKE).await.len(), 1);
        house.advance(25 * HOUR);
        let seen = told(&timeline(&house, &held, world::INTAKE).await);
        assert_eq!(seen, ["reserved: – / –, –", "expired: – / –, –"], "no job has run");
        berth_server::jobs::holds::run(&house.app).await.unwrap();
        assert_eq!(told(&timeline(&house, &held, world::INTAKE).await), seen);
    }

    async fn a_bed_has_a_paged_history_of_its_guests_without_contact_data(house: House) {
        let first = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        house.advance(HOUR);
        command(&house, &id(&first), "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        house.advance(HOUR);
        let mut named = form(world::HARBOR_HOUSE, 2);
        named["firstName"] = json!("Zoë");
        let second = house.post("/api/Guests", named).by(world::ADMIN).send().await.expect(201);
        command(&house, &id(&second), "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let page = async |rest: &str, token: &str| {
            let path = format!("/api/Beds/{}/stays?{rest}", world::BED_A);
            house.get(&path).by(token).send().await
        };
        let all = page("", world::STAFF).await;
        for secret in ["+1714555", "@guests.example"] {
            assert!(!all.text.contains(secret), "{secret}");
        }
        let all = all.expect(200);
        let stays = all["items"].as_array().unwrap();
        assert_eq!((stays.len(), &all["totalCount"]), (2, &json!(2)));
        assert_eq!(stays[0]["displayName"], second["displayName"]);
        assert_eq!((&stays[0]["endedAt"], &stays[0]["endReason"]), (&Value::Null, &Value::Null));
        assert_eq!((&stays[1]["guestId"], &stays[1]["endReason"]), (&first["id"], &json!("reassigned")));
        assert!(stays[1]["startedBy"].is_string() && stays[1]["endedBy"].is_string());
        let last = page("page=2&pageSize=1", world::INTAKE).await.expect(200);
        assert_eq!((last["items"].as_array().unwrap(), &last["totalCount"]), (&vec![stays[1].clone()], &json!(2)));
        assert_eq!(page("", world::OWNER_FOREIGN).await.status, 404);
    }
}
