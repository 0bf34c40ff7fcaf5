//! Reasons for declines and discharges from the list of an organization (docs/decisions/0067).

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Answer, House};
use crate::steps::{add, id, place};
use crate::world;

fn list() -> String {
    format!("/api/Organizations/{}/reasons", world::HARBOR)
}

async fn create(house: &House, kind: &str, name: &str) -> String {
    id(&house.post(&list(), json!({"kind": kind, "name": name})).by(world::OWNER).send().await.expect(201))
}

async fn change(house: &House, reason: &str, body: Value) -> Answer {
    house.patch(&format!("{}/{reason}", list()), body).by(world::OWNER).send().await
}

async fn decide(house: &House, guest: &str, body: Value) -> Answer {
    house.patch(&format!("/api/Guests/{guest}"), body).by(world::INTAKE).send().await
}

async fn offered(house: &House) -> Vec<String> {
    let path = format!("/api/Sites/{}/reasons", world::HARBOR_HOUSE);
    let reasons = house.get(&path).by(world::INTAKE).send().await.expect(200);
    reasons.as_array().unwrap().iter().map(|reason| reason["name"].as_str().unwrap().to_owned()).collect()
}

both_engines! {
    async fn a_reason_is_unique_by_kind_ignoring_case_and_is_retired_and_restored(house: House) {
        let full = create(&house, "Decline", "No bed fits").await;
        create(&house, "Discharge", "no bed FITS").await;
        let again = house.post(&list(), json!({"kind": "Decline", "name": "NO  bed fits"})).by(world::OWNER).send().await;
        assert_eq!(again.field_errors(), ["/name: This reason is on the list already. If it is retired, restore it."]);
        assert_eq!(offered(&house).await, ["No bed fits", "no bed FITS"]);
        change(&house, &full, json!({"isDisabled": true})).await.expect(200);
        assert_eq!(offered(&house).await, ["no bed FITS"]);
        let all = house.get(&list()).by(world::OWNER).send().await.expect(200);
        assert_eq!(all.as_array().unwrap().len(), 2, "owners see retired reasons");
        change(&house, &full, json!({"isDisabled": false, "name": "House is full"})).await.expect(200);
        assert_eq!(offered(&house).await, ["House is full", "no bed FITS"]);
        let trail: Vec<(String, String)> = house.db()
            .query("SELECT action, summary FROM audit WHERE action LIKE 'reason.%' ORDER BY id").all().await.unwrap();
        let trail: Vec<_> = trail.iter().map(|(action, summary)| (action.as_str(), summary.as_str())).collect();
        assert_eq!(trail, [
            ("reason.created", "decline reason No bed fits"),
            ("reason.created", "discharge reason no bed FITS"),
            ("reason.retired", "decline reason No bed fits"),
            ("reason.edited", "decline reason No bed fits is now House is full"),
            ("reason.restored", "decline reason House is full"),
        ]);
    }

    async fn a_decision_takes_an_enabled_reason_of_its_organization_and_kind(house: House) {
        let decline = create(&house, "Decline", "No bed fits").await;
        let discharge = create(&house, "Discharge", "Program finished").await;
        let retired = create(&house, "Decline", "Old words").await;
        change(&house, &retired, json!({"isDisabled": true})).await.expect(200);
        let path = format!("/api/Organizations/{}/reasons", world::FOREIGN);
        let foreign = house.post(&path, json!({"kind": "Decline", "name": "Full"})).by(world::GLOBAL).send().await;
        let foreign = id(&foreign.expect(201));
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        for wrong in [&discharge, &retired, &foreign, &guest] {
            let answer = decide(&house, &guest, json!({"status": "REJECTED", "reasonId": wrong})).await;
            answer.expect(422);
            assert!(answer.field_errors()[0].starts_with("/reasonId: This reason is "), "{:?}", answer.field_errors());
        }
        let no_show = decide(&house, &guest, json!({"status": "NO_SHOW", "reasonId": decline})).await;
        assert_eq!(no_show.field_errors(), ["/reasonId: Only a decline or a discharge has a reason."]);
        let body = json!({"status": "REJECTED", "reasonId": decline, "feedback": "Called twice"});
        let declined = decide(&house, &guest, body).await.expect(200);
        assert_eq!((&declined["reasonName"], &declined["feedback"]), (&json!("No bed fits"), &json!("Called twice")));
        let other = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_A).await);
        let left = decide(&house, &other, json!({"status": "DISCHARGED", "reasonId": discharge})).await.expect(200);
        assert_eq!(left["reasonName"], "Program finished");
    }

    async fn an_undo_clears_the_reason_and_the_timeline_keeps_it(house: House) {
        let reason = create(&house, "Decline", "No bed fits").await;
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let declined = decide(&house, &guest, json!({"status": "REJECTED", "reasonId": reason})).await.expect(200);
        let back = decide(&house, &guest, json!({"status": "UNDO", "version": declined["version"]})).await.expect(200);
        assert_eq!((&back["status"], &back["reasonName"]), (&json!("pending"), &Value::Null));
        let timeline = house.get(&format!("/api/Guests/{guest}/timeline")).by(world::INTAKE).send().await.expect(200);
        assert_eq!(timeline["events"][1]["reasonName"], "No bed fits");
        let again = decide(&house, &guest, json!({"status": "REJECTED"})).await.expect(200);
        assert_eq!(again["reasonName"], Value::Null, "a decline without a reason has none");
    }

    async fn chosen_reasons_are_counted_by_name_instead_of_the_feedback(house: House) {
        let reason = create(&house, "Decline", "No bed fits").await;
        for number in 1..=3 {
            let guest = id(&add(&house, world::HARBOR_HOUSE, number).await);
            let chosen = if number == 3 { Value::Null } else { json!(reason) };
            let body = json!({"status": "REJECTED", "reasonId": chosen, "feedback": "Jordan P has left"});
            decide(&house, &guest, body).await.expect(200);
        }
        change(&house, &reason, json!({"name": "House is full", "isDisabled": true})).await.expect(200);
        for place in [format!("Sites/{}", world::HARBOR_HOUSE), format!("Organizations/{}", world::HARBOR)] {
            let numbers = house.get(&format!("/api/{place}/numbers")).by(world::OWNER).send().await.expect(200);
            assert_eq!(numbers["declineReasons"], json!({"guests": 3,
                "chosen": [{"reason": "House is full", "guests": 2}], "listed": [], "other": 1, "none": 0}));
            let file = house.get(&format!("/api/{place}/numbers.csv?figure=reasons")).by(world::OWNER).send().await;
            assert!(file.text.contains("House is full"));
        }
    }

    async fn only_owners_and_global_admins_change_reasons_and_staff_read_none(house: House) {
        let reason = create(&house, "Decline", "No bed fits").await;
        let site = format!("/api/Sites/{}/reasons", world::HARBOR_HOUSE);
        house.get(&site).by(world::STAFF).send().await.expect(403);
        house.get(&list()).by(world::ADMIN).send().await.expect(403);
        let one = format!("{}/{reason}", list());
        house.patch(&one, json!({"isDisabled": true})).by(world::ADMIN).send().await.expect(403);
        house.patch(&one, json!({"isDisabled": true})).by(world::OWNER_FOREIGN).send().await.expect(404);
        house.patch(&one, json!({"name": "Full"})).by(world::GLOBAL).send().await.expect(200);
    }
}
