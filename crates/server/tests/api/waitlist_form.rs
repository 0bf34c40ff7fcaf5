//! The form of a person on the waitlist is corrected, and the person keeps the place in the line (docs/decisions/0066).

use serde_json::{Value, json};

use crate::harness::{Ask, House, MINUTE};
use crate::steps::{form, id, newest_text, phone};
use crate::waitlist::{F, free, full, line, list, pairs, person, trail, wait, wait_with};
use crate::{both_engines, invariants, world};

/// The form of a person, as `by` sees it.
fn show(house: &House, person: &Value, by: &'static str) -> Ask {
    house.get(&format!("/api/Waitlist/{}", id(person))).by(by)
}

/// What is shown of the person's form, with these fields of the guest changed.
async fn changed(house: &House, person: &Value, more: &Value) -> Value {
    let mut shown = show(house, person, world::INTAKE).send().await.expect(200);
    for (field, value) in more.as_object().unwrap() {
        shown["guest"][field] = value.clone();
    }
    shown
}

fn put_by(house: &House, person: &Value, body: &Value, by: &str) -> Ask {
    house.put(&format!("/api/Waitlist/{}", id(person)), body.clone()).by(by)
}

fn put(house: &House, person: &Value, body: &Value) -> Ask {
    put_by(house, person, body, world::INTAKE)
}

/// Changes fields of the guest in the person's form.
async fn correct(house: &House, person: &Value, more: &Value) -> Ask {
    put(house, person, &changed(house, person, more).await)
}

/// Asks for a bed of this type instead.
async fn need(house: &House, person: &Value, kind: &str) -> Ask {
    let mut body = changed(house, person, &json!({})).await;
    body["bedType"] = json!(kind);
    put(house, person, &body)
}

async fn strict(house: &House) {
    let path = format!("/api/Sites/{}/placement", world::OPEN_DOOR);
    house.put(&path, json!({"strictPlacement": true})).by(world::ADMIN).send().await.expect(204);
}

both_engines! {
    async fn the_form_is_shown_as_it_was_sent_and_each_look_is_on_record(house: House) {
        full(&house).await;
        let more = json!({"bedType": "Detox"});
        let waiting = wait_with(&house, 3, &more).send().await.expect(201);
        let shown = show(&house, &waiting, world::INTAKE).send().await.expect(200);
        let sent = form(world::OPEN_DOOR, 3);
        for same in ["siteId", "gender", "ageServiceId", "firstName", "email", "location", "serviceIds", "mediCalChoice"] {
            assert_eq!(shown["guest"][same], sent[same], "{same}");
        }
        assert_eq!(shown["guest"]["phone"], json!(phone(3)));
        assert_eq!(shown["bedType"], "Detox");
        assert_eq!(shown["version"], waiting["version"]);
        show(&house, &waiting, world::GLOBAL).send().await.expect(200);
        const LOOKS: &str = "SELECT action, object_id FROM audit WHERE action LIKE 'waitlist.viewed%' ORDER BY id";
        let looks: Vec<(String, Option<uuid::Uuid>)> = house.db().query(LOOKS).all().await.unwrap();
        let object = Some(id(&waiting).parse().unwrap());
        let expected = ["waitlist.viewed", "waitlist.viewed-by-global-admin"].map(|action| (action.to_owned(), object));
        assert_eq!(looks, expected);
    }

    async fn only_those_who_add_guests_see_and_edit_the_form(house: House) {
        full(&house).await;
        let waiting = wait(&house, 3).await;
        let body = changed(&house, &waiting, &json!({"firstName": "Nora"})).await;
        for (by, status) in [(world::STAFF, 403), (world::OWNER_FOREIGN, 404)] {
            let shown = show(&house, &waiting, by).send().await;
            assert_eq!(shown.status, status, "{by}");
            assert!(!shown.text.contains("Person 3"), "{}", shown.text);
            assert_eq!(put_by(&house, &waiting, &body, by).send().await.status, status, "{by}");
        }
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
    }

    async fn a_correction_keeps_the_place_in_the_line_and_is_recorded_without_values(house: House) {
        full(&house).await;
        let first = wait_with(&house, 3, &json!({"priorityReason": "Pregnant"})).send().await.expect(201);
        house.advance(MINUTE);
        wait_with(&house, 4, &json!({"priorityReason": "Pregnant"})).send().await.expect(201);
        house.advance(MINUTE);
        let more = json!({"firstName": "Nora", "phone": phone(7), "serviceIds": ["drug-treatment"]});
        assert_eq!(correct(&house, &first, &more).await.send().await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Nora", ""), ("Person 4", "")]));
        let after = list(&house).await[0].clone();
        assert_eq!(after["phone"], json!(phone(7)));
        for kept in ["id", "code", "waitsSince", "priorityReason", "passedOffers"] {
            assert_eq!(after[kept], first[kept], "{kept}");
        }
        assert_ne!(after["version"], first["version"]);
        const EDITED: &str = "SELECT summary FROM audit WHERE action = 'waitlist.edited'";
        let summary: String = house.db().query(EDITED).scalar().await.unwrap();
        assert_eq!(summary, format!("{} changed: first name, phone, services", first["code"].as_str().unwrap()));
        assert_eq!(correct(&house, &first, &json!({})).await.send().await.status, 204);
        assert_eq!(trail(&house).await, ["added", "added", "edited"], "nothing has changed");
        invariants::hold(&house).await;
    }

    async fn a_form_that_was_not_seen_is_not_replaced(house: House) {
        full(&house).await;
        let waiting = wait(&house, 3).await;
        let mine = changed(&house, &waiting, &json!({"firstName": "Nora"})).await;
        correct(&house, &waiting, &json!({"phone": phone(7)})).await.send().await.expect(204);
        assert_eq!(put(&house, &waiting, &mine).send().await.status, 412);
        assert_eq!(list(&house).await[0]["phone"], json!(phone(7)));
    }

    async fn a_form_whose_answer_was_lost_is_saved_once(house: House) {
        full(&house).await;
        let waiting = wait(&house, 3).await;
        let body = changed(&house, &waiting, &json!({"firstName": "Nora"})).await;
        let keyed = || put(&house, &waiting, &body).header("idempotency-key", "edit-1");
        assert_eq!(keyed().send().await.status, 204);
        correct(&house, &waiting, &json!({"firstName": "Mara"})).await.send().await.expect(204);
        assert_eq!(keyed().send().await.status, 204, "a lost answer is given again");
        assert_eq!(line(&house).await, pairs(&[("Mara", "")]));
        assert_eq!(put(&house, &waiting, &body).send().await.status, 412, "without the key it is another request");
    }

    async fn whoever_no_longer_waits_has_no_form(house: House) {
        full(&house).await;
        let waiting = wait(&house, 3).await;
        let body = changed(&house, &waiting, &json!({"firstName": "Nora"})).await;
        let leave = json!({"command": "LEAVE", "version": waiting["version"]});
        house.patch(&format!("/api/Waitlist/{}", id(&waiting)), leave).by(world::INTAKE).send().await.expect(204);
        assert_eq!(show(&house, &waiting, world::INTAKE).send().await.expect(409)["code"], "not-waiting");
        assert_eq!(put(&house, &waiting, &body).send().await.expect(409)["code"], "not-waiting");
    }

    async fn nobody_becomes_another_person_of_the_list(house: House) {
        full(&house).await;
        wait(&house, 3).await;
        let waiting = wait(&house, 4).await;
        let same = json!({"firstName": "person 3", "phone": phone(3)});
        let refused = correct(&house, &waiting, &same).await.send().await;
        assert_eq!(refused.expect(409)["code"], "already-waiting");
        let mother = json!({"phone": phone(3)});
        assert_eq!(correct(&house, &waiting, &mother).await.send().await.status, 204, "two people may have one phone");
    }

    async fn errors_of_the_corrected_form_are_at_their_place_in_the_body(house: House) {
        full(&house).await;
        let waiting = wait(&house, 3).await;
        let wrong = json!({"firstName": "", "phone": "12"});
        let errors = correct(&house, &waiting, &wrong).await.send().await.field_errors();
        assert!(errors.len() == 2 && errors.iter().all(|error| error.starts_with("/guest/")), "{errors:?}");
    }

    async fn a_third_reservation_is_told_when_a_correction_makes_the_person_another_one(house: House) {
        full(&house).await;
        let waiting = wait(&house, 3).await;
        // Two with the phone of the 9th person, and two with this email address.
        for (number, email) in [(9, "a@guests.example"), (9, "b@guests.example"), (10, "a@guests.example")] {
            let mut known = form(world::HARBOR_HOUSE, number);
            known["email"] = json!(email);
            house.post("/api/Guests", known).by(world::ADMIN).send().await.expect(201);
        }
        for known in [json!({"phone": phone(9)}), json!({"email": "A@guests.example"})] {
            let refused = correct(&house, &waiting, &known).await.send().await;
            assert_eq!(refused.expect(409)["code"], "third-reservation", "{known}");
        }
        let allowed = changed(&house, &waiting, &json!({"phone": phone(9), "allowThird": true})).await;
        assert_eq!(put(&house, &waiting, &allowed).send().await.status, 403);
        assert_eq!(put_by(&house, &waiting, &allowed, world::ADMIN).send().await.status, 204);
        let name = json!({"firstName": "Nora"});
        assert_eq!(correct(&house, &waiting, &name).await.send().await.status, 204, "the same phone and email address");
    }

    async fn an_offer_of_a_bed_that_no_longer_fits_is_withdrawn_and_goes_to_the_next(house: House) {
        let [first, _] = full(&house).await;
        let waiting = wait(&house, 3).await;
        house.advance(MINUTE);
        wait(&house, 4).await;
        free(&house, &first).await;
        assert_eq!(line(&house).await, pairs(&[("Person 3", F), ("Person 4", "")]));
        assert_eq!(need(&house, &waiting, "Sober Living").await.send().await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", F), ("Person 4", "")]), "the bed is of this type");
        assert_eq!(need(&house, &waiting, "Detox").await.send().await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", ""), ("Person 4", F)]), "the place is kept");
        assert_eq!(person(&house, 3).await["passedOffers"], 0);
        let steps = ["added", "added", "offer-made", "edited", "edited", "offer-withdrawn", "offer-made"];
        assert_eq!(trail(&house).await, steps);
        invariants::hold(&house).await;
    }

    async fn a_need_that_a_free_bed_fits_is_answered_with_an_offer(house: House) {
        let [first, _] = full(&house).await;
        let waiting = wait_with(&house, 3, &json!({"bedType": "Detox"})).send().await.expect(201);
        free(&house, &first).await;
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
        assert_eq!(need(&house, &waiting, "Sober Living").await.send().await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", F)]));
    }

    async fn at_a_strict_site_an_offer_of_a_bed_that_is_not_for_the_person_any_more_is_withdrawn(house: House) {
        let [first, _] = full(&house).await;
        let waiting = wait(&house, 3).await;
        let rules = json!({"name": "House #1", "meantFor": ["gender-female"]});
        house.put(&format!("/api/Rooms/{}", world::OPEN_ROOM), rules).by(world::ADMIN).send().await.expect(200);
        free(&house, &first).await;
        assert_eq!(correct(&house, &waiting, &json!({"gender": 1})).await.send().await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", F)]), "the site only warns");
        assert_eq!(correct(&house, &waiting, &json!({"gender": 2})).await.send().await.status, 204);
        strict(&house).await;
        assert_eq!(correct(&house, &waiting, &json!({"gender": 1})).await.send().await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
        assert_eq!(person(&house, 3).await["passedOffers"], 0);
        invariants::hold(&house).await;
    }

    async fn a_corrected_phone_gets_the_text_about_an_offer_that_stands(house: House) {
        let [first, _] = full(&house).await;
        let waiting = wait(&house, 3).await;
        free(&house, &first).await;
        let before = person(&house, 3).await["offer"].clone();
        assert_eq!(correct(&house, &waiting, &json!({"phone": phone(7)})).await.send().await.status, 204);
        assert_eq!(person(&house, 3).await["offer"], before, "the offer stands as long as before");
        let text = newest_text(&house, &phone(7)).await;
        assert!(text.starts_with("Berth: A bed is free for you. Call "), "{text}");
        assert_eq!(text, newest_text(&house, &phone(3)).await);
    }
}
