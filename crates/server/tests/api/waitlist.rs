//! The waitlist: at a full site people wait, and each bed that becomes free is offered to one of them at a time (docs/decisions/0066).

use berth_domain::id::BedId;
use berth_server::jobs::{holds, offers};
use serde_json::{Value, json};

use crate::harness::{Answer, Ask, House, MINUTE};
use crate::steps::{
    DAY, add, all_at_once, ask_for, command, form, guest, id, newest_text, phone, place, statuses, undo,
};
use crate::{both_engines, invariants, world};

/// One second, in milliseconds.
const SECOND: i64 = 1000;
/// The name of bed F.
pub const F: &str = "Sober Living #1";

/// Puts the `number`-th person on the waitlist of Open Door, with these further fields.
pub fn wait_with(house: &House, number: usize, more: &Value) -> Ask {
    let mut body = json!({"guest": form(world::OPEN_DOOR, number)});
    for (field, value) in more.as_object().unwrap() {
        body[field] = value.clone();
    }
    house.post(&format!("/api/Sites/{}/waitlist", world::OPEN_DOOR), body).by(world::INTAKE)
}

pub async fn wait(house: &House, number: usize) -> Value {
    wait_with(house, number, &json!({})).send().await.expect(201)
}

/// Both beds of Open Door get a guest; returns the guests.
pub async fn full(house: &House) -> [String; 2] {
    let first = id(&place(house, world::OPEN_DOOR, 1, world::BED_F).await);
    let second = id(&place(house, world::OPEN_DOOR, 2, world::BED_G).await);
    [first, second]
}

/// Discharges a guest, and makes the offers of later.
pub async fn free(house: &House, guest: &str) {
    command(house, guest, "DISCHARGED", None).send().await.expect(200);
    house.advance(11 * SECOND);
    offers::run(&house.app).await.unwrap();
}

pub async fn list(house: &House) -> Vec<Value> {
    let path = format!("/api/Sites/{}/waitlist", world::OPEN_DOOR);
    let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
    list["items"].as_array().unwrap().clone()
}

/// The name and the offered bed of each person, in the order of the line.
pub async fn line(house: &House) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    list(house).await.iter().map(|person| (text(&person["firstName"]), text(&person["offer"]["bedName"]))).collect()
}

pub fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, bed)| ((*name).to_owned(), (*bed).to_owned())).collect()
}

/// The person as the list shows them now.
pub async fn person(house: &House, number: usize) -> Value {
    let name = json!(format!("Person {number}"));
    list(house).await.into_iter().find(|person| person["firstName"] == name).unwrap()
}

async fn tell(house: &House, number: usize, command: &str, reason: Option<&str>) -> Answer {
    let person = person(house, number).await;
    let body = json!({"command": command, "reason": reason, "version": person["version"]});
    house.patch(&format!("/api/Waitlist/{}", id(&person)), body).by(world::INTAKE).send().await
}

pub fn take(house: &House, person: &Value) -> Ask {
    let body = json!({"version": person["version"]});
    house.post(&format!("/api/Waitlist/{}/take", id(person)), body).by(world::INTAKE)
}

pub async fn trail(house: &House) -> Vec<String> {
    let rows = house
        .db()
        .query("SELECT action FROM audit WHERE action LIKE 'waitlist.%' AND action <> 'waitlist.viewed' ORDER BY id");
    let rows: Vec<(String,)> = rows.all().await.unwrap();
    rows.into_iter().map(|(action,)| action.replace("waitlist.", "")).collect()
}

async fn available(house: &House) -> i64 {
    let site = house.get(&format!("/api/Sites/{}", world::OPEN_DOOR)).by(world::STAFF).send().await.expect(200);
    site["counts"]["available"].as_i64().unwrap()
}

both_engines! {
    async fn nobody_waits_while_a_bed_is_available(house: House) {
        let answer = wait_with(&house, 3, &json!({})).send().await;
        assert_eq!(answer.refusal(409), "A bed is available now. Add the guest instead.");
        wait_with(&house, 3, &json!({"bedType": "Detox"})).send().await.expect(201);
        full(&house).await;
        wait(&house, 4).await;
        let again = wait_with(&house, 4, &json!({})).send().await;
        assert_eq!(again.refusal(409), "This person is already on the waitlist.");
    }

    async fn a_freed_bed_is_offered_to_the_first_and_then_to_the_next(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        house.advance(MINUTE);
        wait(&house, 4).await;
        offers::run(&house.app).await.unwrap();
        assert_eq!(line(&house).await, pairs(&[("Person 3", ""), ("Person 4", "")]), "no bed is free");
        free(&house, &first).await;
        let bed = list(&house).await[0]["offer"]["bedName"].as_str().unwrap().to_owned();
        assert_eq!(line(&house).await, pairs(&[("Person 3", &bed), ("Person 4", "")]));
        let text = newest_text(&house, &phone(3)).await;
        assert!(text.starts_with("Berth: A bed is free for you. Call "), "{text}");
        assert_eq!(tell(&house, 3, "DECLINE", None).await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 4", &bed), ("Person 3", "")]), "asked at once, nobody is lost");
        house.advance(30 * MINUTE);
        assert!(offers::is_due(&house.app).await.unwrap());
        offers::run(&house.app).await.unwrap();
        assert_eq!(line(&house).await, pairs(&[("Person 3", ""), ("Person 4", "")]), "everybody has let it pass");
        assert_eq!(trail(&house).await, ["added", "added", "offer-made", "offer-declined", "offer-made", "offer-lapsed"]);
        assert_eq!(available(&house).await, 1, "it is free for newcomers, and the list does not keep it empty");
        assert!(!offers::is_due(&house.app).await.unwrap());
        house.advance(DAY);
        offers::run(&house.app).await.unwrap();
        assert_eq!(line(&house).await, pairs(&[("Person 3", &bed), ("Person 4", "")]), "a day later they are asked again");
        invariants::hold(&house).await;
    }

    async fn an_offered_bed_is_promised_to_one_person(house: House) {
        let [first, second] = full(&house).await;
        wait(&house, 3).await;
        free(&house, &first).await;
        assert_eq!(available(&house).await, 0);
        let beds = house.get(&format!("/api/Beds?siteId={}", world::OPEN_DOOR)).by(world::STAFF).send().await.expect(200);
        assert!(beds[0]["offeredUntil"].is_string(), "{beds}");
        let by_hand = house.post("/api/Guests", form(world::OPEN_DOOR, 5)).by(world::INTAKE).send().await;
        assert_eq!(by_hand.status, 409);
        let walk_in = json!({"overCapacityReason": "At the door"});
        let mut urgent = form(world::OPEN_DOOR, 5);
        urgent["overCapacityReason"] = walk_in["overCapacityReason"].clone();
        assert_eq!(house.post("/api/Guests", urgent).by(world::ADMIN).send().await.status, 409);
        assert_eq!(house.post("/api/public/reservations", form(world::OPEN_DOOR, 6)).send().await.status, 409);
        let moved = command(&house, &second, "REASSIGNED", Some(world::BED_F)).send().await;
        assert_eq!(moved.refusal(409), "This bed is offered to someone on the waitlist. Choose another bed.");
        let back = undo(&house, &first, world::ADMIN).await.send().await;
        assert!(back.refusal(409).starts_with("The guest's bed is offered to someone on the waitlist now."));
        invariants::hold(&house).await;
    }

    async fn who_takes_the_offer_is_in_the_bed(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        free(&house, &first).await;
        let waiting = person(&house, 3).await;
        let placed = take(&house, &waiting).header("idempotency-key", "take-1").send().await.expect(201);
        assert_eq!((&placed["status"], &placed["assignedBedId"]), (&json!("accepted"), &json!(world::BED_F)));
        let again = take(&house, &waiting).header("idempotency-key", "take-1").send().await.expect(201);
        assert_eq!(placed["id"], again["id"], "a lost answer is given again");
        assert_eq!(take(&house, &waiting).send().await.refusal(409), "This person is no longer on the waitlist.");
        assert!(list(&house).await.is_empty());
        const ERASED: &str = "SELECT COUNT(*) FROM waiting_guests WHERE form IS NULL AND person IS NULL AND outcome = 'placed'";
        assert_eq!(house.db().query(ERASED).scalar::<i64>().await.unwrap(), 1);
        assert_eq!(trail(&house).await, ["added", "offer-made", "offer-taken"]);
        invariants::hold(&house).await;
    }

    async fn the_reservation_keeps_the_code_of_the_person_unless_another_one_has_it(house: House) {
        let [first, second] = full(&house).await;
        wait(&house, 3).await;
        wait(&house, 4).await;
        let code_of = |guest: &Value| guest["code"].as_str().unwrap().to_owned();
        const SHARE: &str = "UPDATE waiting_guests SET code = (SELECT code FROM guests WHERE id = $1) WHERE id = $2";
        let ids = [second.as_str(), &id(&person(&house, 4).await)].map(|id| id.parse::<uuid::Uuid>().unwrap());
        let mut tx = house.db().begin().await.unwrap();
        tx.query(SHARE).bind(ids[0]).bind(ids[1]).execute().await.unwrap();
        tx.commit().await.unwrap();
        free(&house, &first).await;
        let waiting = person(&house, 3).await;
        let placed = take(&house, &waiting).send().await.expect(201);
        assert_eq!(code_of(&placed), code_of(&waiting), "the person may have written it down");
        free(&house, placed["id"].as_str().unwrap()).await;
        let waiting = person(&house, 4).await;
        let placed = take(&house, &waiting).send().await.expect(201);
        assert_eq!(code_of(&guest(&house, &second).await), code_of(&waiting));
        assert_ne!(code_of(&placed), code_of(&waiting));
        const SUMMARY: &str = "SELECT summary FROM audit WHERE action = 'waitlist.offer-taken' ORDER BY id";
        let told: Vec<(String,)> = house.db().query(SUMMARY).all().await.unwrap();
        assert!(!told[0].0.contains(" as "), "{told:?}");
        assert!(told[1].0.ends_with(&format!(" as {}", code_of(&placed))), "{told:?}");
        invariants::hold(&house).await;
    }

    async fn a_bed_is_left_alone_while_a_discharge_can_be_undone(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        command(&house, &first, "DISCHARGED", None).send().await.expect(200);
        assert!(!offers::is_due(&house.app).await.unwrap());
        let newcomer = house.post("/api/Guests", form(world::OPEN_DOOR, 5)).by(world::INTAKE).send().await;
        assert_eq!(newcomer.status, 409, "it is due to the one who waits");
        undo(&house, &first, world::INTAKE).await.send().await.expect(200);
        house.advance(11 * SECOND);
        assert_eq!(offers::run(&house.app).await.unwrap(), 0);
        assert_eq!(guest(&house, &first).await["status"], "accepted");
    }

    async fn priority_needs_a_reason_and_goes_first(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        house.advance(MINUTE);
        let urgent = wait_with(&house, 4, &json!({"priorityReason": "Pregnant"})).send().await.expect(201);
        assert_eq!((&urgent["hasPriority"], &urgent["priorityReason"]), (&json!(true), &json!("Pregnant")));
        assert_eq!(line(&house).await, pairs(&[("Person 4", ""), ("Person 3", "")]));
        assert_eq!(tell(&house, 4, "PRIORITIZE", None).await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", ""), ("Person 4", "")]));
        tell(&house, 4, "PRIORITIZE", Some("Court order")).await;
        free(&house, &first).await;
        assert_eq!(line(&house).await[0], pairs(&[("Person 4", F)])[0]);
    }

    async fn a_bed_goes_past_those_whom_it_does_not_fit_and_the_record_says_so(house: House) {
        let [first, _] = full(&house).await;
        let detox = wait_with(&house, 3, &json!({"bedType": "Detox"})).send().await.expect(201);
        wait(&house, 4).await;
        free(&house, &first).await;
        assert_eq!(line(&house).await, pairs(&[("Person 3", ""), ("Person 4", F)]));
        const MADE: &str = "SELECT summary FROM audit WHERE action = 'waitlist.offer-made'";
        let summary: String = house.db().query(MADE).scalar().await.unwrap();
        assert!(summary.contains(&format!("no free bed fits {}", detox["code"].as_str().unwrap())), "{summary}");
    }

    async fn a_strict_site_offers_a_bed_only_to_those_whom_it_is_for(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        let mut man = form(world::OPEN_DOOR, 4);
        man["gender"] = json!(1);
        let body = json!({"guest": man});
        house.post(&format!("/api/Sites/{}/waitlist", world::OPEN_DOOR), body).by(world::INTAKE).send().await.expect(201);
        let strict = format!("/api/Sites/{}/placement", world::OPEN_DOOR);
        house.put(&strict, json!({"strictPlacement": true})).by(world::ADMIN).send().await.expect(204);
        let rules = json!({"name": "House #1", "meantFor": ["gender-male"]});
        house.put(&format!("/api/Rooms/{}", world::OPEN_ROOM), rules).by(world::ADMIN).send().await.expect(200);
        free(&house, &first).await;
        assert_eq!(line(&house).await, pairs(&[("Person 3", ""), ("Person 4", F)]));
        take(&house, &person(&house, 4).await).send().await.expect(201);
        // The site is no longer strict, but full; nobody is offered the bed of somebody else.
        house.put(&strict, json!({"strictPlacement": false})).by(world::ADMIN).send().await.expect(204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
    }

    async fn an_offer_that_a_new_rule_forbids_is_withdrawn_and_does_not_count_against_the_person(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        free(&house, &first).await;
        let room = format!("/api/Rooms/{}", world::OPEN_ROOM);
        let strict = |is_strict: bool| {
            house.put(&format!("/api/Sites/{}/placement", world::OPEN_DOOR), json!({"strictPlacement": is_strict})).by(world::ADMIN)
        };
        let of_men = json!({"name": "House #1", "meantFor": ["gender-male"]});
        house.put(&room, of_men.clone()).by(world::ADMIN).send().await.expect(200);
        assert_eq!(line(&house).await, pairs(&[("Person 3", F)]), "the site only warns");
        strict(true).send().await.expect(204);
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
        let everybody = json!({"name": "House #1", "meantFor": []});
        house.put(&room, everybody).by(world::ADMIN).send().await.expect(200);
        offers::run(&house.app).await.unwrap();
        assert_eq!(line(&house).await, pairs(&[("Person 3", F)]), "the same bed again");
        house.put(&room, of_men).by(world::ADMIN).send().await.expect(200);
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
        assert_eq!(person(&house, 3).await["passedOffers"], 0);
        invariants::hold(&house).await;
    }

    async fn a_third_reservation_is_told_when_the_person_is_put_on_the_list_and_an_admin_allows_it(house: House) {
        let [first, _] = full(&house).await;
        let mut twice = form(world::HARBOR_HOUSE, 3);
        for email in ["a@guests.example", "b@guests.example"] {
            twice["email"] = json!(email);
            house.post("/api/Guests", twice.clone()).by(world::ADMIN).send().await.expect(201);
        }
        let refused = wait_with(&house, 3, &json!({})).send().await;
        assert_eq!(refused.expect(409)["code"], "third-reservation");
        let mut allowed = form(world::OPEN_DOOR, 3);
        allowed["allowThird"] = json!(true);
        let path = format!("/api/Sites/{}/waitlist", world::OPEN_DOOR);
        let ask = |by| house.post(&path, json!({"guest": allowed})).by(by).send();
        assert_eq!(ask(world::INTAKE).await.status, 403);
        ask(world::ADMIN).await.expect(201);
        free(&house, &first).await;
        let waiting = person(&house, 3).await;
        assert_eq!(take(&house, &waiting).send().await.expect(409)["code"], "third-reservation");
        let path = format!("/api/Waitlist/{}/take", waiting["id"].as_str().unwrap());
        let ask = |by| house.post(&path, json!({"version": waiting["version"], "allowThird": true})).by(by).send();
        assert_eq!(ask(world::INTAKE).await.status, 403);
        ask(world::ADMIN).await.expect(201);
        invariants::hold(&house).await;
    }

    async fn errors_of_the_form_are_at_their_place_in_the_body(house: House) {
        full(&house).await;
        let mut wrong = form(world::OPEN_DOOR, 3);
        (wrong["firstName"], wrong["phone"]) = (json!(""), json!("12"));
        let errors = wait_with(&house, 3, &json!({"guest": wrong})).send().await.field_errors();
        assert!(errors.len() == 2 && errors.iter().all(|error| error.starts_with("/guest/")), "{errors:?}");
    }

    async fn a_person_whom_no_available_bed_is_for_may_wait_at_a_strict_site(house: House) {
        let strict = format!("/api/Sites/{}/placement", world::OPEN_DOOR);
        house.put(&strict, json!({"strictPlacement": true})).by(world::ADMIN).send().await.expect(204);
        wait_with(&house, 1, &json!({})).send().await.expect(409);
        let rules = json!({"name": "House #1", "meantFor": ["gender-male"]});
        house.put(&format!("/api/Rooms/{}", world::OPEN_ROOM), rules).by(world::ADMIN).send().await.expect(200);
        wait(&house, 1).await;
        house.advance(11 * SECOND);
        offers::run(&house.app).await.unwrap();
        assert_eq!(line(&house).await, pairs(&[("Person 1", "")]));
    }

    async fn a_reservation_that_expires_or_is_declined_frees_its_bed_for_the_waitlist(house: House) {
        place(&house, world::OPEN_DOOR, 1, world::BED_F).await;
        let pending = id(&add(&house, world::OPEN_DOOR, 2).await);
        wait(&house, 3).await;
        assert_eq!(offers::run(&house.app).await.unwrap(), 0, "the reservation holds the bed");
        command(&house, &pending, "REJECTED", None).send().await.expect(200);
        assert_eq!(offers::run(&house.app).await.unwrap(), 0, "the decline can still be undone");
        house.advance(11 * SECOND);
        assert_eq!(offers::run(&house.app).await.unwrap(), 1);
        holds::run(&house.app).await.unwrap();
        invariants::hold(&house).await;
    }

    async fn a_bed_that_is_disabled_or_removed_takes_its_offer_along_and_the_person_keeps_the_place(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        free(&house, &first).await;
        let body = json!({"name": F, "type": "Sober Living", "disabled": true});
        house.put(&format!("/api/Beds/{}", world::BED_F), body).by(world::ADMIN).send().await.expect(200);
        let waiting = person(&house, 3).await;
        assert_eq!((&waiting["offer"], &waiting["passedOffers"]), (&Value::Null, &json!(0)));
        let body = json!({"name": F, "type": "Sober Living", "disabled": false});
        house.put(&format!("/api/Beds/{}", world::BED_F), body).by(world::ADMIN).send().await.expect(200);
        offers::run(&house.app).await.unwrap();
        assert_eq!(line(&house).await, pairs(&[("Person 3", F)]));
        house.delete(&format!("/api/Beds/{}", world::BED_F)).by(world::ADMIN).send().await;
        assert_eq!(line(&house).await, pairs(&[("Person 3", "")]));
        invariants::hold(&house).await;
    }

    async fn who_leaves_the_list_is_erased_from_it(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        wait(&house, 4).await;
        free(&house, &first).await;
        assert_eq!(tell(&house, 3, "LEAVE", Some("Found another place")).await.status, 204);
        assert_eq!(line(&house).await, pairs(&[("Person 4", F)]), "the bed goes to the next");
        const KNOWN: &str = "SELECT COUNT(*) FROM waiting_guests WHERE outcome = 'left' AND form IS NULL AND person IS NULL";
        assert_eq!(house.db().query(KNOWN).scalar::<i64>().await.unwrap(), 1);
        wait(&house, 3).await;
    }

    async fn an_offer_stands_as_long_as_the_site_says(house: House) {
        let path = format!("/api/Sites/{}/offer-period", world::OPEN_DOOR);
        let refused = house.put(&path, json!({"offerMinutes": 4})).by(world::ADMIN).send().await;
        assert_eq!(refused.field_errors(), ["/offerMinutes: Choose from 5 to 1440 minutes."]);
        assert_eq!(house.put(&path, json!({"offerMinutes": 60})).by(world::ADMIN).send().await.status, 204);
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        free(&house, &first).await;
        house.advance(60 * MINUTE - 1);
        assert_eq!(offers::run(&house.app).await.unwrap(), 0);
        house.advance(1);
        assert_eq!(offers::run(&house.app).await.unwrap(), 1, "it lapses, and the only one who waits let it pass");
    }

    async fn a_command_whose_answer_was_lost_is_carried_out_once(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        wait(&house, 4).await;
        free(&house, &first).await;
        let offered = person(&house, 3).await;
        for (key, command) in [("decline-1", "DECLINE"), ("leave-1", "LEAVE")] {
            let version = person(&house, 3).await["version"].clone();
            let body = json!({"command": command, "version": version});
            let tell = || house.patch(&format!("/api/Waitlist/{}", id(&offered)), body.clone()).by(world::INTAKE);
            let keyed = || tell().header("idempotency-key", key);
            assert_eq!(keyed().send().await.status, 204);
            assert_eq!(keyed().send().await.status, 204, "{command}: a lost answer is given again");
            assert_ne!(tell().send().await.status, 204, "{command}: without the key it is another request");
        }
        assert_eq!(trail(&house).await, ["added", "added", "offer-made", "offer-declined", "offer-made", "left"]);
        invariants::hold(&house).await;
    }

    async fn a_version_that_was_not_seen_changes_nothing(house: House) {
        let [first, _] = full(&house).await;
        wait(&house, 3).await;
        let before = person(&house, 3).await;
        free(&house, &first).await;
        let body = json!({"command": "LEAVE", "version": before["version"]});
        let stale = house.patch(&format!("/api/Waitlist/{}", id(&before)), body).by(world::INTAKE).send().await;
        assert_eq!(stale.status, 412, "the caller did not see the offer");
        assert_eq!(take(&house, &before).send().await.status, 412);
    }

    async fn staff_see_who_waits_without_contact(house: House) {
        full(&house).await;
        wait_with(&house, 3, &json!({"priorityReason": "Pregnant"})).send().await.expect(201);
        let path = format!("/api/Sites/{}/waitlist", world::OPEN_DOOR);
        let list = house.get(&path).by(world::STAFF).send().await;
        assert!(list.text.contains("Person 3"));
        for hidden in ["714", "guests.example", "Pregnant"] {
            assert!(!list.text.contains(hidden), "{hidden} in {}", list.text);
        }
        assert_eq!(house.get(&path).by(world::OWNER_FOREIGN).send().await.status, 404);
        house.app.reads.flush(&house.app).await.unwrap();
        const LOOKS: &str = "SELECT actor_email FROM audit WHERE action = 'waitlist.viewed'";
        let looks: Vec<(String,)> = house.db().query(LOOKS).all().await.unwrap();
        assert_eq!(looks, [("staff@test.example".to_owned(),)], "each look is on record");
    }

    /// The storm: the same offer is taken and declined, its bed is wanted by others, and the job runs, all at once.
    async fn one_bed_is_offered_to_one_person_at_a_time(house: House) {
        let [first, second] = full(&house).await;
        for number in 3..8 {
            wait(&house, number).await;
        }
        let mut guests = vec![first, second];
        for round in 0..3 {
            free(&house, &guests.remove(0)).await;
            let offered: Vec<Value> =
                list(&house).await.into_iter().filter(|person| person["offer"].is_object()).collect();
            assert_eq!(offered.len(), 1, "round {round}");
            let person = &offered[0];
            let bed: BedId = person["offer"]["bedId"].as_str().unwrap().parse().unwrap();
            let body = json!({"command": "DECLINE", "version": person["version"]});
            let decline = || house.patch(&format!("/api/Waitlist/{}", id(person)), body.clone()).by(world::ADMIN);
            let mut calls = vec![take(&house, person), take(&house, person), decline(), decline()];
            calls.push(command(&house, &guests[0], "REASSIGNED", Some(bed)));
            calls.push(house.post("/api/Guests", form(world::OPEN_DOOR, 20 + round)).by(world::INTAKE));
            let job = offers::run(&house.app);
            let (answers, ran) = tokio::join!(all_at_once(calls), job);
            ran.unwrap();
            let won: Vec<&Answer> = answers.iter().filter(|answer| answer.status < 300).collect();
            assert_eq!(won.len(), 1, "round {round}: {:?}", statuses(&answers));
            let is_placed = won[0].status == 204 || won[0].json()["assignedBedId"] == json!(bed);
            assert!(is_placed, "round {round}: a newcomer got the promised bed: {}", won[0].text);
            invariants::hold(&house).await;
            if let Some(placed) = answers.iter().find(|answer| answer.status == 201) {
                guests.push(id(&placed.json()));
            } else {
                let next = list(&house).await.into_iter().find(|person| person["offer"].is_object()).unwrap();
                guests.push(id(&take(&house, &next).send().await.expect(201)));
            }
        }
        ask_for(&house, world::HARBOR_HOUSE, 30).await;
        invariants::hold(&house).await;
    }
}
