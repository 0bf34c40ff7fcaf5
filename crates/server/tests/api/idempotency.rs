//! The same request twice has one effect and the same answer (I13).

use std::net::Ipv4Addr;

use serde_json::json;

use crate::both_engines;
use crate::harness::House;
use crate::steps::{Asked, add, all_at_once, code_of, command, form, id, newest_text, phone, place, statuses};
use crate::waitlist::{free, full, list, person, take, wait_with};
use crate::{invariants, world};

const SITE: &str = "http://localhost:8080";

async fn guests(house: &House) -> i64 {
    house.db().query("SELECT COUNT(*) FROM guests").scalar().await.unwrap()
}

/// How many stored answers about the waitlist show a person.
async fn stored(house: &House, number: usize) -> i64 {
    const SHOWN: &str = "SELECT COUNT(*) FROM idempotency_keys WHERE key LIKE 'wait-%' AND body LIKE $1";
    house.db().query(SHOWN).bind(format!("%Person {number}%")).scalar().await.unwrap()
}

both_engines! {
    async fn a_guest_is_added_once_for_one_key(house: House) {
        let ask = |number| house.post("/api/Guests", form(world::HARBOR_HOUSE, number)).by(world::INTAKE);
        let first = ask(1).header("idempotency-key", "k-1").send().await;
        let again = ask(1).header("idempotency-key", "k-1").send().await;
        assert_eq!(again.expect(201), first.expect(201));
        assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), ("", "true"));
        assert_eq!((first.header("etag"), again.header("etag")), ("\"1\"", "\"1\""), "the client needs the version for its next change");
        assert_eq!(guests(&house).await, 1);
        let other_body = ask(2).header("idempotency-key", "k-1").send().await;
        assert_eq!(other_body.field_errors(), [": This Idempotency-Key was used for another request."]);
        let other_user = house.post("/api/Guests", form(world::HARBOR_HOUSE, 2)).by(world::ADMIN)
            .header("idempotency-key", "k-1").send().await;
        other_user.expect(201);
        ask(3).header("idempotency-key", "").send().await.expect(400);
        assert_eq!(house.trail().await, ["guest.created", "guest.viewed", "guest.created"], "the replayed answer is recorded as a view");
    }

    async fn a_command_runs_once_per_key(house: House) {
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let accept = || command(&house, &waiting, "ACCEPTED", Some(world::BED_A)).header("idempotency-key", "accept-1");
        let answered = accept().header("if-match", "\"1\"").send().await;
        let first = answered.expect(200);
        command(&house, &waiting, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        let replayed = accept().header("if-match", "\"1\"").send().await;
        assert_eq!((replayed.header("etag"), replayed.header("etag")), (answered.header("etag"), "\"2\""));
        assert_eq!(replayed.expect(200), first, "the first answer is repeated, whatever happened since");
        assert_eq!(crate::steps::guest(&house, &waiting).await["assignedBedId"], json!(world::BED_B));
        invariants::hold(&house).await;
    }

    async fn a_repeated_request_with_nothing_left_to_do_gets_the_first_answer(house: House) {
        let guest = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let path = format!("/api/Guests/{guest}/departure");
        let set = || house.put(&path, json!({"expectedDeparture": "2026-03-04"})).by(world::INTAKE);
        let first = set().header("idempotency-key", "departure-1").send().await.expect(200);
        command(&house, &guest, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        let repeated = set().header("idempotency-key", "departure-1").send().await;
        assert_eq!(repeated.header("idempotent-replayed"), "true");
        assert_eq!(repeated.expect(200), first);
    }

    async fn a_refused_request_leaves_its_key_free(house: House) {
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let discharge = || command(&house, &waiting, "DISCHARGED", None).header("idempotency-key", "d-1");
        discharge().send().await.expect(409);
        command(&house, &waiting, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        discharge().send().await.expect(200);
    }

    async fn a_reservation_is_requested_and_confirmed_once_per_key_on_any_network(house: House) {
        let form = || form(world::OPEN_DOOR, 1);
        let ask = || house.post("/api/public/reservations", form()).header("idempotency-key", "web-1");
        let first = ask().send().await.expect(202);
        assert_eq!(ask().send().await.expect(202), first);
        let elsewhere = ask().from(Ipv4Addr::new(203, 0, 113, 9)).send().await.expect(202);
        assert_eq!(elsewhere, first, "a phone may have left the Wi-Fi since");
        let other_phone = house.post("/api/public/reservations", crate::steps::form(world::OPEN_DOOR, 2))
            .header("idempotency-key", "web-1").send().await.expect(202);
        assert_ne!(id(&other_phone), id(&first), "the same key of another person is another key");
        assert_eq!(house.outbox().await.len(), 2, "one code each");
        let asked = Asked { id: id(&first), otp: code_of(&newest_text(&house, &phone(1)).await) };
        let confirm = || asked.confirm(&house).header("idempotency-key", "web-2");
        let made = confirm().send().await.expect(201);
        assert_eq!(confirm().send().await.expect(201), made, "a lost answer is sent again");
        let elsewhere = confirm().from(Ipv4Addr::new(203, 0, 113, 9)).send().await.expect(201);
        assert_eq!(elsewhere, made, "a phone may have left the Wi-Fi since");
        assert_eq!(asked.confirm(&house).send().await.field_errors(), ["/otp: Invalid confirmation code."]);
        assert_eq!(guests(&house).await, 1);
        assert_eq!(house.outbox().await.len(), 4, "two codes, one mail and one SMS");
    }

    async fn additions_and_invitations_happen_once_per_key(house: House) {
        let person = |of: serde_json::Value| {
            let mut body = json!({"redirectUri": SITE, "email": "nadia@test.example", "firstName": "Nadia", "lastName": "Flores"});
            body.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
            body
        };
        let forms = [
            ("/api/Rooms", world::OWNER, json!({"siteId": world::HARBOR_HOUSE, "name": "Annex"}), "name"),
            ("/api/Beds", world::OWNER, json!({"roomId": world::ROOM_1, "type": "Detox", "count": 2, "name": "Sunny"}), "name"),
            ("/api/AccessUsers/siteScopeUsers", world::ADMIN,
                person(json!({"siteId": world::HARBOR_HOUSE, "role": "Staff"})), "lastName"),
            ("/api/AccessUsers/organizationScopeUsers", world::OWNER,
                person(json!({"organizationId": world::HARBOR, "role": "Owner"})), "lastName"),
            ("/api/AccessUsers/globalAdmins", world::GLOBAL, person(json!({})), "lastName"),
        ];
        for (path, by, body, field) in forms {
            let ask = |body| house.post(path, body).by(by).header("idempotency-key", path);
            let first = ask(body.clone()).send().await;
            let (trail, mails) = (house.trail().await, house.outbox().await.len());
            let again = ask(body.clone()).send().await;
            assert_eq!(again.expect(201), first.expect(201), "{path}");
            assert_eq!(again.header("idempotent-replayed"), "true", "{path}");
            assert_eq!((house.trail().await, house.outbox().await.len()), (trail, mails), "{path}: nothing was done twice");
            let mut other = body;
            other[field] = json!("Another");
            let other = ask(other).send().await;
            assert_eq!(other.field_errors(), [": This Idempotency-Key was used for another request."], "{path}");
        }
        invariants::hold(&house).await;
    }

    async fn an_answer_about_a_person_who_waits_is_erased_with_the_form_and_nobody_is_added_again(house: House) {
        let [first, second] = full(&house).await;
        let wait = |number: usize| wait_with(&house, number, &json!({})).header("idempotency-key", &format!("wait-{number}"));
        let third = wait(3).send().await.expect(201);
        wait(4).send().await.expect(201);
        let path = format!("/api/Waitlist/{}", id(&third));
        let mut form = house.get(&path).by(world::INTAKE).send().await.expect(200);
        form["guest"]["location"] = json!("Irvine, CA");
        let edit = || house.put(&path, form.clone()).by(world::INTAKE).header("idempotency-key", "edit-3");
        edit().send().await.expect(204);
        assert_eq!(wait(3).send().await.expect(201), third, "while the person waits, the first answer is repeated");
        assert_eq!((stored(&house, 3).await, stored(&house, 4).await), (1, 1));

        let leave = json!({"command": "LEAVE", "version": person(&house, 3).await["version"]});
        house.patch(&path, leave).by(world::INTAKE).send().await.expect(204);
        let gone = house.get(&path).by(world::INTAKE).send().await.expect(409);
        assert_eq!(gone["code"], "not-waiting");
        for _ in 0..2 {
            let again = wait(3).send().await.expect(409);
            assert_eq!((&again["code"], &again["message"]), (&gone["code"], &gone["message"]));
        }
        edit().send().await.expect(204);
        let other = wait_with(&house, 5, &json!({})).header("idempotency-key", "wait-3").send().await;
        assert_eq!(other.field_errors(), [": This Idempotency-Key was used for another request."]);
        assert_eq!((stored(&house, 3).await, stored(&house, 4).await), (0, 1), "only of the person who left");
        assert_eq!(list(&house).await.len(), 1);

        free(&house, &first).await;
        let taken = take(&house, &person(&house, 4).await).send().await.expect(201);
        assert_eq!(wait(4).send().await.refusal(409), "This person is no longer on the waitlist.");
        // No bed of the site is of this type, so nobody gets an offer.
        let detox = || wait_with(&house, 5, &json!({"bedType": "Detox"})).header("idempotency-key", "wait-5");
        detox().send().await.expect(201);
        for guest in [&second, &id(&taken)] {
            command(&house, guest, "DISCHARGED", None).send().await.expect(200);
        }
        assert_eq!(stored(&house, 5).await, 1);
        house.delete(&format!("/api/Sites/{}", world::OPEN_DOOR)).by(world::OWNER_FREE).send().await.expect(204);
        detox().send().await.expect(404);
        assert_eq!((stored(&house, 4).await, stored(&house, 5).await), (0, 0));
        invariants::hold(&house).await;
    }

    async fn concurrent_requests_with_one_key_have_one_effect(house: House) {
        let call = |_| {
            let ask = house.post("/api/Guests", form(world::HARBOR_HOUSE, 1)).by(world::INTAKE);
            ask.header("idempotency-key", "k")
        };
        let calls = (0..20).map(call).collect();
        let answers = all_at_once(calls).await;
        assert_eq!(statuses(&answers), [(201, 20)].into());
        assert!(answers.iter().all(|answer| answer.text == answers[0].text));
        assert_eq!(guests(&house).await, 1);
        invariants::hold(&house).await;
    }
}
