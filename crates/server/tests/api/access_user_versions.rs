//! Versions of access users (docs/decisions/0078): an outdated form does not give a disabled person their access back, nor
//! an earlier role.

use berth_db::Engine;
use berth_domain::id::MembershipId;
use serde_json::{Value, json};

use crate::access_users::{INTAKE, STAFF, run};
use crate::harness::{Ask, House};
use crate::steps::{all_at_once, statuses};
use crate::{both_engines, world};

const STALE: &str = "Someone else changed this in the meantime. Here is how it is now.";

fn patch(house: &House, id: MembershipId, body: Value, by: &str) -> Ask {
    house.patch(&format!("/api/AccessUsers/{id}"), body).by(by)
}

/// An access user of Harbor House, as the owner sees it.
async fn seen(house: &House, id: MembershipId) -> Value {
    let path = format!("/api/AccessUsers/siteScopeUsers?siteId={}", world::HARBOR_HOUSE);
    let users = house.get(&path).by(world::OWNER).send().await.expect(200);
    users.as_array().unwrap().iter().find(|user| user["id"] == json!(id)).unwrap().clone()
}

/// The edit form, filled in from what was seen.
fn form(user: &Value) -> Value {
    json!({"accessUserId": user["id"], "firstName": user["firstName"], "lastName": user["lastName"],
        "isNamesEditAllowed": user["can"]["rename"], "role": user["role"],
        "isDisabled": user["membershipStatus"] == "Disabled", "organizationId": user["organization"]["id"],
        "receiveReservationTexts": user["receiveReservationTexts"], "siteId": user["siteId"], "version": user["version"]})
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

both_engines! {
    async fn an_outdated_form_does_not_give_a_disabled_person_their_access_back(house: House) {
        let before = seen(&house, STAFF).await;
        patch(&house, STAFF, json!({"isDisabled": true}), world::ADMIN).send().await.expect(200);
        let (now, trail) = (seen(&house, STAFF).await, house.trail().await);
        let texts = |user: &Value| patch(&house, STAFF, with(form(user), "receiveReservationTexts", json!(true)), world::OWNER);
        assert_eq!(texts(&before).send().await.refusal(412), STALE);
        assert_eq!((seen(&house, STAFF).await, house.trail().await), (now.clone(), trail), "nothing was written");
        let saved = texts(&now).send().await.expect(200);
        assert_eq!((&saved["membershipStatus"], &saved["receiveReservationTexts"]), (&json!("Disabled"), &json!(true)));
    }

    async fn an_outdated_form_does_not_undo_a_new_role(house: House) {
        let before = seen(&house, INTAKE).await;
        let role = json!({"role": "Staff", "siteId": world::HARBOR_HOUSE});
        patch(&house, INTAKE, role, world::ADMIN).send().await.expect(200);
        let (now, trail) = (seen(&house, INTAKE).await, house.trail().await);
        let texts = |user: &Value| patch(&house, INTAKE, with(form(user), "receiveReservationTexts", json!(false)), world::OWNER);
        assert_eq!(texts(&before).send().await.refusal(412), STALE);
        assert_eq!((seen(&house, INTAKE).await, house.trail().await), (now.clone(), trail), "nothing was written");
        let saved = texts(&now).send().await.expect(200);
        assert_eq!((&saved["role"], &saved["receiveReservationTexts"]), (&json!("Staff"), &json!(false)));
    }

    async fn every_value_of_the_form_makes_another_version_whoever_changes_it(house: House) {
        let mut versions = vec![seen(&house, STAFF).await["version"].clone()];
        let texts = json!({"receivesFor": [STAFF]});
        let changes = [
            patch(&house, STAFF, json!({"isDisabled": true}), world::ADMIN),
            patch(&house, STAFF, json!({"isDisabled": false}), world::GLOBAL),
            patch(&house, STAFF, json!({"role": "Admin", "siteId": world::HARBOR_HOUSE}), world::OWNER),
            house.put("/api/Users/messages", texts).by(world::STAFF),
            house.put("/api/Users/name", json!({"firstName": "Stella", "lastName": "Person"})).by(world::STAFF),
            house.put("/api/Users/name", json!({"firstName": "Stella", "lastName": "Marsh"})).by(world::STAFF),
        ];
        for change in changes {
            let answer = change.send().await;
            assert!([200, 204].contains(&answer.status), "{}", answer.text);
            let user = seen(&house, STAFF).await;
            assert_ne!(versions.last(), Some(&user["version"]), "{user}");
            assert!(user["version"].as_i64().unwrap() < 1 << 53, "JavaScript holds it");
            if answer.status == 200 {
                assert_eq!(answer.json()["version"], user["version"]);
            }
            versions.push(user["version"].clone());
        }
        assert_eq!(versions[0], versions[2], "the same values have the same version");
        versions.remove(2);
        versions.sort_by_key(Value::as_i64);
        versions.dedup();
        assert_eq!(versions.len(), 6);
    }

    async fn the_version_is_optional_and_if_match_is_the_same_with_each_form(house: House) {
        let before = seen(&house, STAFF).await;
        patch(&house, STAFF, json!({"isDisabled": true}), world::ADMIN).send().await.expect(200);
        let now = seen(&house, STAFF).await;
        let mut edit = with(form(&now), "role", json!("Intake"));
        edit.as_object_mut().unwrap().remove("version");
        for body in [json!({"isDisabled": false}), json!({"role": "Intake", "siteId": world::HARBOR_HOUSE}), edit] {
            let tagged = |user: &Value| {
                patch(&house, STAFF, body.clone(), world::OWNER).header("if-match", &format!("\"{}\"", user["version"]))
            };
            assert_eq!(tagged(&before).send().await.refusal(412), STALE);
            tagged(&now).send().await.expect(200);
            patch(&house, STAFF, json!({"role": "Staff", "siteId": world::HARBOR_HOUSE}), world::OWNER).send().await.expect(200);
            patch(&house, STAFF, json!({"isDisabled": true}), world::OWNER).send().await.expect(200);
        }
        let same = with(form(&now), "version", before["version"].clone());
        patch(&house, STAFF, same, world::OWNER).send().await.expect(200);
        assert_eq!(seen(&house, STAFF).await, now, "a form that changes nothing is accepted, whatever version it names");
    }

    async fn an_outdated_form_is_refused_as_such_before_the_rights_to_what_the_caller_did_not_see(house: House) {
        let before = seen(&house, STAFF).await;
        assert_eq!(before["can"]["rename"], false);
        run(&house, "UPDATE users SET first_name = 'Stella' WHERE id = (SELECT user_id FROM memberships WHERE id = $1)", STAFF).await;
        let body = with(form(&before), "isNamesEditAllowed", json!(true));
        assert_eq!(patch(&house, STAFF, body, world::OWNER).send().await.refusal(412), STALE);
    }

    async fn of_concurrent_edits_of_one_version_one_wins(house: House) {
        // The name is stored with the person, the rest with the access.
        let user = house.get("/api/AccessUsers?PageSize=250&search=intake").by(world::GLOBAL).send().await.expect(200);
        let user = user["items"].as_array().unwrap().iter().find(|user| user["id"] == json!(INTAKE)).unwrap().clone();
        let renames = (0..6).map(|number| {
            patch(&house, INTAKE, with(form(&user), "firstName", json!(format!("Ina {number}"))), world::GLOBAL)
        });
        assert_eq!(statuses(&all_at_once(renames.collect()).await), [(200, 1), (412, 5)].into());
        let user = seen(&house, INTAKE).await;
        let choices = [("Admin", true), ("Admin", false), ("Staff", true), ("Staff", false), ("Intake", true), ("Intake", false)];
        let edits = choices.map(|(role, texts)| {
            let body = with(with(form(&user), "role", json!(role)), "receiveReservationTexts", json!(texts));
            patch(&house, INTAKE, with(body, "isDisabled", json!(true)), world::OWNER)
        });
        assert_eq!(statuses(&all_at_once(edits.into()).await), [(200, 1), (412, 5)].into());
    }
}

/// The edit has read the access user when another transaction writes, and waits for it. On SQLite, transactions wait for each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_at_the_same_moment_is_not_overwritten() {
    const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
        AND wait_event_type = 'Lock'";
    let house = House::new(Engine::Postgres).await;
    for theirs in [
        "UPDATE users SET first_name = 'Theirs' WHERE id = (SELECT user_id FROM memberships WHERE id = $1)",
        "UPDATE memberships SET receive_reservation_texts = FALSE WHERE id = $1",
    ] {
        let user = seen(&house, INTAKE).await;
        let mine = with(with(form(&user), "firstName", json!("Mine")), "isNamesEditAllowed", json!(true));
        let mut tx = house.db().begin().await.unwrap();
        tx.query(theirs).bind(INTAKE).execute().await.unwrap();
        let edit = tokio::spawn(patch(&house, INTAKE, mine, world::GLOBAL).send());
        while house.db().query(WAITING).scalar::<i64>().await.unwrap() == 0 {
            tokio::task::yield_now().await;
        }
        tx.commit().await.unwrap();
        assert_eq!(edit.await.unwrap().refusal(412), STALE, "{theirs}");
    }
    let user = seen(&house, INTAKE).await;
    assert_eq!((&user["firstName"], &user["receiveReservationTexts"]), (&json!("Theirs"), &json!(false)));
}
