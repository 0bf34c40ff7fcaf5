//! Undoing accepts, declines and discharges (DESIGN 3, docs/decisions/0047).

use axum::http::Method;
use berth_db::Error;
use berth_domain::id::BedId;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::both_engines;
use crate::harness::{Answer, HOUR, House};
use crate::steps::{DAY, add, command, form, guest, id, place, reserve, undo};
use crate::{invariants, world};

const ADMIN_ONLY: &str = "Only an admin or owner can undo this now. Ask one of them.";
const NO_ROOM: &str =
    "This cannot be undone now, because no bed is vacant. Free a bed or decline another reservation first.";
const NOTHING: &str = "There is nothing to undo. This guest is neither declined nor discharged.";

/// A guest who was placed in a bed and discharged.
async fn discharged(house: &House, number: usize, bed: BedId) -> String {
    let guest = id(&place(house, world::HARBOR_HOUSE, number, bed).await);
    command(house, &guest, "DISCHARGED", None).send().await.expect(200);
    guest
}

/// A guest who was added and declined.
async fn declined(house: &House, site: berth_domain::id::SiteId, number: usize) -> String {
    let guest = id(&add(house, site, number).await);
    command(house, &guest, "REJECTED", None).send().await.expect(200);
    guest
}

async fn timeline(house: &House, guest: &str) -> Vec<Value> {
    let answer = house.get(&format!("/api/Guests/{guest}/timeline")).by(world::ADMIN).send().await.expect(200);
    answer["events"].as_array().unwrap().clone()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["kind"].as_str().unwrap()).collect()
}

async fn ids_in(house: &House, status: &str) -> Vec<String> {
    let path = format!("/api/Guests?siteId={}&Status={status}", world::HARBOR_HOUSE);
    let page = house.get(&path).by(world::ADMIN).send().await.expect(200);
    page["items"].as_array().unwrap().iter().map(id).collect()
}

/// An answer without the request id.
fn told(answer: &Answer) -> Value {
    let mut body = answer.json();
    body.as_object_mut().unwrap().remove("instance");
    body
}

async fn set_bed(house: &House, bed: BedId, disabled: bool) {
    let body = json!({"name": "Bed of before", "type": "Detox", "disabled": disabled});
    house.ask(Method::PUT, &format!("/api/Beds/{bed}")).json(body).by(world::OWNER).send().await.expect(200);
}

both_engines! {
    async fn an_undo_names_the_decision_that_it_undoes(house: House) {
        let guest_id = declined(&house, world::HARBOR_HOUSE, 1).await;
        // The intake user declined (version 2). An admin undoes it and declines for another reason (version 4).
        undo(&house, &guest_id, world::ADMIN).await.send().await.expect(200);
        let body = json!({"status": "REJECTED", "feedback": "Moved away"});
        house.patch(&format!("/api/Guests/{guest_id}"), body).by(world::ADMIN).send().await.expect(200);
        let ask = |version: Value, token| {
            house.patch(&format!("/api/Guests/{guest_id}"), json!({"status": "UNDO", "version": version})).by(token)
        };
        let old = [ask(Value::Null, world::ADMIN), ask(json!(2), world::ADMIN), ask(json!(2), world::INTAKE),
            ask(Value::Null, world::ADMIN).header("if-match", "\"2\""), ask(Value::Null, world::ADMIN).header("if-match", "*")];
        for ask in old {
            let answer = ask.send().await;
            assert_eq!((answer.status, &answer.json()["guest"]["feedback"]), (412, &json!("Moved away")), "{}", answer.text);
        }
        assert_eq!(guest(&house, &guest_id).await["version"], 4);
        ask(Value::Null, world::ADMIN).header("if-match", "\"4\"").send().await.expect(200);
        invariants::hold(&house).await;
    }

    async fn an_admin_undoes_a_discharge_and_the_guest_has_the_same_bed_again(house: House) {
        let gone = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(2 * DAY);
        let body = json!({"status": "DISCHARGED", "feedback": "Left early"});
        house.patch(&format!("/api/Guests/{gone}"), body).by(world::INTAKE).send().await.expect(200);
        house.advance(23 * HOUR);
        let answer = undo(&house, &gone, world::ADMIN).await.send().await;
        let back = answer.expect(200);
        assert_eq!((&back["status"], &back["assignedBedId"]), (&json!("accepted"), &json!(world::BED_A)));
        assert_eq!((&back["dischargedAt"], &back["feedback"]), (&Value::Null, &Value::Null));
        assert_eq!((&back["version"], answer.header("etag")), (&json!(4), "\"4\""));
        assert_eq!(back["daysStayed"], 3, "counted from the first day");
        assert_eq!(back, guest(&house, &gone).await);
        assert_eq!(ids_in(&house, "discharged").await, Vec::<String>::new());
        assert_eq!(ids_in(&house, "accepted").await, std::slice::from_ref(&gone));
        assert_eq!(house.trail().await.iter().filter(|action| *action == "guest.discharge-undone").count(), 1);

        let events = timeline(&house, &gone).await;
        assert_eq!(kinds(&events), ["reserved", "accepted", "discharged", "dischargeUndone"]);
        assert_eq!((&events[2]["feedback"], &events[3]["bedName"]), (&json!("Left early"), &json!("Detox")));
        assert_eq!(events[3]["at"], "2026-03-05T17:00:00.000Z");
        assert!(events[2]["by"].is_string() && events[3]["by"].is_string());
        assert_eq!((&events[2]["isYou"], &events[3]["isYou"]), (&json!(false), &json!(true)), "by whom");
        let stays = house.get(&format!("/api/Beds/{}/stays", world::BED_A)).by(world::ADMIN).send().await.expect(200);
        assert_eq!(stays["totalCount"], 2, "the ended stay is not erased");
        invariants::hold(&house).await;
    }

    async fn undoing_a_decline_restores_the_rest_of_the_hold(house: House) {
        let held = reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(20 * HOUR);
        let body = json!({"status": "REJECTED", "feedback": "Wrong person"});
        house.patch(&format!("/api/Guests/{held}"), body).by(world::INTAKE).send().await.expect(200);
        // The hold of 24 hours would be over by now; four of them were left.
        house.advance(10 * HOUR);
        let back = undo(&house, &held, world::OWNER).await.send().await.expect(200);
        assert_eq!((&back["status"], &back["expiresAt"]), (&json!("pending"), &json!("2026-03-04T04:00:00.000Z")));
        assert_eq!((&back["rejectedAt"], &back["feedback"]), (&Value::Null, &Value::Null));
        assert_eq!(ids_in(&house, "rejected").await, Vec::<String>::new());
        let events = timeline(&house, &held).await;
        assert_eq!(kinds(&events), ["reserved", "declined", "declineUndone"]);
        assert_eq!(events[1]["feedback"], "Wrong person");
        invariants::hold(&house).await;

        house.advance(4 * HOUR - 1);
        assert_eq!(guest(&house, &held).await["status"], "pending");
        house.advance(1);
        assert_eq!(guest(&house, &held).await["status"], "expired");
        berth_server::jobs::holds::run(&house.app).await.unwrap();
        assert_eq!(kinds(&timeline(&house, &held).await), ["reserved", "declined", "declineUndone", "expired"]);
        invariants::hold(&house).await;
    }

    async fn the_user_who_decided_has_ten_seconds_to_undo_and_admins_and_owners_a_day(house: House) {
        // By the intake user: ten seconds.
        let mine = declined(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(10_000);
        undo(&house, &mine, world::INTAKE).await.send().await.expect(200);
        command(&house, &mine, "REJECTED", None).send().await.expect(200);
        house.advance(10_001);
        let late = undo(&house, &mine, world::INTAKE).await.send().await;
        assert_eq!((late.refusal(409).as_str(), late.json()["code"].as_str()), (ADMIN_ONLY, Some("undo-needs-admin")));
        // By another user: not at all.
        let theirs = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        let body = json!({"status": "REJECTED"});
        house.patch(&format!("/api/Guests/{theirs}"), body).by(world::OWNER).send().await.expect(200);
        assert_eq!(undo(&house, &theirs, world::INTAKE).await.send().await.refusal(409), ADMIN_ONLY);
        // Staff never can, and strangers do not even see it.
        undo(&house, &theirs, world::STAFF).await.send().await.expect(403);
        undo(&house, &theirs, world::OWNER_FREE).await.send().await.expect(404);
        // Admin, owner and global admin: a day.
        house.advance(DAY - 10_001);
        undo(&house, &mine, world::GLOBAL).await.send().await.expect(200);
        undo(&house, &theirs, world::ADMIN).await.send().await.expect(200);
        command(&house, &mine, "REJECTED", None).send().await.expect(200);
        house.advance(DAY + 1);
        let late = undo(&house, &mine, world::OWNER).await.send().await;
        assert_eq!(late.refusal(409),
            "This can no longer be undone, because more than 24 hours have passed. Add the guest again.");
        assert_eq!(late.json()["guest"]["status"], "rejected", "the guest's current state");
        invariants::hold(&house).await;
    }

    async fn other_guests_have_nothing_to_undo(house: House) {
        let waits = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        assert_eq!(undo(&house, &waits, world::ADMIN).await.send().await.refusal(409), NOTHING);
        let moved = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_A).await);
        command(&house, &moved, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        assert_eq!(undo(&house, &moved, world::INTAKE).await.send().await.refusal(409), NOTHING);
        let back = discharged(&house, 4, world::BED_A).await;
        undo(&house, &back, world::INTAKE).await.send().await.expect(200);
        assert_eq!(undo(&house, &back, world::INTAKE).await.send().await.refusal(409), NOTHING, "there is a stay that ended");
        let held = reserve(&house, world::HARBOR_HOUSE, 3).await;
        house.advance(25 * HOUR);
        assert_eq!(undo(&house, &held, world::ADMIN).await.send().await.refusal(409), NOTHING);
        // The decision was undone in the meantime. The answer names the user who did it.
        command(&house, &waits, "REJECTED", None).send().await.expect(200);
        undo(&house, &waits, world::ADMIN).await.send().await.expect(200);
        let second = undo(&house, &waits, world::OWNER).await.send().await;
        assert_eq!(second.refusal(409), NOTHING);
        assert_eq!(second.json()["changedBy"]["isYou"], json!(false));
    }

    async fn an_undo_says_if_the_bed_was_given_away_disabled_or_removed(house: House) {
        let sentence = async |guest: &str| undo(&house, guest, world::ADMIN).await.send().await.refusal(409);
        let gone = discharged(&house, 1, world::BED_A).await;
        let other = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_A).await);
        assert_eq!(sentence(&gone).await, "The guest's bed has been given to another guest. Add this guest again.");
        command(&house, &other, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        set_bed(&house, world::BED_A, true).await;
        assert_eq!(sentence(&gone).await, "The guest's bed has been disabled. Enable it first, or add the guest again.");
        set_bed(&house, world::BED_A, false).await;
        let back = undo(&house, &gone, world::ADMIN).await.send().await.expect(200);
        assert_eq!(back["assignedBedId"], json!(world::BED_A));
        command(&house, &gone, "DISCHARGED", None).send().await.expect(200);
        let path = format!("/api/Beds/{}", world::BED_A);
        house.ask(Method::DELETE, &path).by(world::OWNER).send().await.expect(204);
        assert_eq!(sentence(&gone).await, "The guest's bed has been removed. Add the guest again.");
        invariants::hold(&house).await;
    }

    async fn an_undone_discharge_restores_the_last_bed(house: House) {
        let moved = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        command(&house, &moved, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        command(&house, &moved, "DISCHARGED", None).send().await.expect(200);
        let back = undo(&house, &moved, world::ADMIN).await.send().await.expect(200);
        assert_eq!((&back["status"], &back["assignedBedId"]), (&json!("reassigned"), &json!(world::BED_B)));
        command(&house, &moved, "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        command(&house, &moved, "DISCHARGED", None).send().await.expect(200);
        let back = undo(&house, &moved, world::ADMIN).await.send().await.expect(200);
        assert_eq!(back["assignedBedId"], json!(world::BED_C), "although everything happened in the same millisecond");
        invariants::hold(&house).await;
    }

    async fn an_undo_leaves_a_bed_for_every_pending_reservation(house: House) {
        // The free site has two beds.
        let gone = id(&place(&house, world::OPEN_DOOR, 1, world::BED_F).await);
        command(&house, &gone, "DISCHARGED", None).send().await.expect(200);
        let no = declined(&house, world::OPEN_DOOR, 2).await;
        add(&house, world::OPEN_DOOR, 3).await;
        let last = id(&add(&house, world::OPEN_DOOR, 4).await);
        for ended in [&gone, &no] {
            let refused = undo(&house, ended, world::ADMIN).await.send().await;
            assert_eq!((refused.refusal(409).as_str(), refused.json()["code"].as_str()), (NO_ROOM, Some("undo-no-room")));
        }
        command(&house, &last, "REJECTED", None).send().await.expect(200);
        undo(&house, &gone, world::ADMIN).await.send().await.expect(200);
        assert_eq!(undo(&house, &no, world::ADMIN).await.send().await.refusal(409), NO_ROOM);
        invariants::hold(&house).await;
    }

    async fn an_expired_hold_does_not_block_an_undo(house: House) {
        let no = declined(&house, world::OPEN_DOOR, 1).await;
        reserve(&house, world::OPEN_DOOR, 2).await;
        let second = reserve(&house, world::OPEN_DOOR, 3).await;
        assert_eq!(undo(&house, &no, world::ADMIN).await.send().await.refusal(409), NO_ROOM);
        house.advance(24 * HOUR);
        undo(&house, &no, world::ADMIN).await.send().await.expect(200);
        assert_eq!(guest(&house, &second).await["version"], 2, "its end was recorded first");
        invariants::hold(&house).await;
    }

    async fn an_undo_does_not_reveal_reservations_hidden_from_the_caller(house: House) {
        let no = declined(&house, world::OPEN_DOOR, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        undo(&house, &no, world::OWNER_FREE).await.send().await.expect(200);
        command(&house, &no, "REJECTED", None).send().await.expect(200);
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let hidden = undo(&house, &no, world::OWNER_FREE).await.send().await;
        assert_eq!(hidden.refusal(409), NO_ROOM);
        // A caller who may see them gets the real reason.
        assert_eq!(undo(&house, &no, world::ADMIN).await.send().await.refusal(409),
            "This person has other active reservations now and cannot have more. End one of them first.");
        add(&house, world::OPEN_DOOR, 2).await;
        add(&house, world::OPEN_DOOR, 3).await;
        assert_eq!(told(&undo(&house, &no, world::OWNER_FREE).await.send().await), told(&hidden), "byte for byte");
        invariants::hold(&house).await;
    }

    async fn an_override_given_when_a_guest_was_added_still_counts(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        add(&house, world::HARBOR_HOUSE, 1).await;
        let mut third = form(world::HARBOR_HOUSE, 1);
        third["allowThird"] = json!(true);
        let third = id(&house.post("/api/Guests", third).by(world::ADMIN).send().await.expect(201));
        command(&house, &third, "REJECTED", None).send().await.expect(200);
        undo(&house, &third, world::ADMIN).await.send().await.expect(200);

        add(&house, world::OPEN_DOOR, 2).await;
        add(&house, world::OPEN_DOOR, 3).await;
        let mut walk_in = form(world::OPEN_DOOR, 4);
        walk_in["overCapacityReason"] = json!("At the door");
        let walk_in = id(&house.post("/api/Guests", walk_in).by(world::ADMIN).send().await.expect(201));
        command(&house, &walk_in, "ACCEPTED", Some(world::BED_F)).send().await.expect(200);
        command(&house, &walk_in, "DISCHARGED", None).send().await.expect(200);
        undo(&house, &walk_in, world::ADMIN).await.send().await.expect(200);
        invariants::hold(&house).await;
    }

    async fn an_accept_undone_within_ten_seconds_leaves_no_stay(house: House) {
        let held = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let before = guest(&house, &held).await;
        let site = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let counts = async || house.get(&site).by(world::ADMIN).send().await.expect(200)["countOfVacantBeds"].clone();
        let vacant = counts().await;
        command(&house, &held, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        assert_ne!(counts().await, vacant);
        house.advance(10_000);
        let answer = undo(&house, &held, world::INTAKE).await.send().await;
        let back = answer.expect(200);
        assert_eq!((&back["status"], &back["acceptedAt"], &back["assignedBedId"]), (&json!("pending"), &Value::Null, &Value::Null));
        assert_eq!(back["expiresAt"], before["expiresAt"], "the hold has its old end");
        assert_eq!((&back["version"], answer.header("etag")), (&json!(3), "\"3\""));
        assert_eq!((counts().await, ids_in(&house, "accepted").await), (vacant, vec![]));
        assert_eq!(house.trail().await.iter().filter(|action| *action == "guest.accept-undone").count(), 1);
        let stays = house.get(&format!("/api/Beds/{}/stays", world::BED_A)).by(world::ADMIN).send().await.expect(200);
        assert_eq!(stays["totalCount"], 0, "nobody was in the bed");
        invariants::hold(&house).await;

        // Except for the timeline, everything is as if it had not happened.
        command(&house, &held, "REJECTED", None).send().await.expect(200);
        undo(&house, &held, world::INTAKE).await.send().await.expect(200);
        command(&house, &held, "ACCEPTED", Some(world::BED_B)).send().await.expect(200);
        undo(&house, &held, world::INTAKE).await.send().await.expect(200);
        command(&house, &held, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let events = timeline(&house, &held).await;
        assert_eq!(kinds(&events),
            ["reserved", "accepted", "acceptUndone", "declined", "declineUndone", "accepted", "acceptUndone", "accepted"]);
        assert_eq!((&events[2]["at"], &events[2]["bedName"]), (&json!("2026-03-02T18:00:10.000Z"), &json!("Detox")));
        assert!(events[1]["by"].is_string() && events[1]["by"] == events[2]["by"], "by whom");
        invariants::hold(&house).await;
    }

    async fn only_the_user_who_accepted_can_undo_it_and_only_for_ten_seconds(house: House) {
        const LATE: &str = "Only the person who accepted a guest can undo it, for 10 seconds. Discharge the guest instead.";
        let placed = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let admin = undo(&house, &placed, world::ADMIN).await.send().await;
        assert_eq!((admin.refusal(409).as_str(), admin.json()["code"].as_str()), (LATE, Some("undo-accept-too-late")));
        undo(&house, &placed, world::STAFF).await.send().await.expect(403);
        house.advance(10_001);
        let late = undo(&house, &placed, world::INTAKE).await.send().await;
        assert_eq!((late.refusal(409).as_str(), &late.json()["guest"]["status"]), (LATE, &json!("accepted")));
        invariants::hold(&house).await;
    }

    async fn an_accept_cannot_be_undone_after_the_hold_has_ended(house: House) {
        let held = reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(24 * HOUR - 5_000);
        command(&house, &held, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(4_999);
        undo(&house, &held, world::INTAKE).await.send().await.expect(200);
        command(&house, &held, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(1);
        assert_eq!(undo(&house, &held, world::INTAKE).await.send().await.refusal(409),
            "The hold of this reservation has ended, so the guest keeps the bed. Discharge the guest instead.");
        assert_eq!(guest(&house, &held).await["assignedBedId"], json!(world::BED_A));
        invariants::hold(&house).await;
    }

    async fn a_hold_is_paused_for_one_decline_however_often_declines_are_undone(house: House) {
        let held = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let turn = async |hours: i64| {
            command(&house, &held, "REJECTED", None).send().await.expect(200);
            house.advance(hours * HOUR);
            undo(&house, &held, world::ADMIN).await.send().await
        };
        // It is declined for two hours, which are added once.
        assert_eq!(turn(2).await.expect(200)["expiresAt"], "2026-03-03T20:00:00.000Z");
        for _ in 0..2 {
            assert_eq!(turn(10).await.expect(200)["expiresAt"], "2026-03-03T20:00:00.000Z");
        }
        let refused = turn(4).await;
        assert_eq!((refused.refusal(409).as_str(), refused.json()["code"].as_str()),
            ("The hold of this reservation has ended. Add the guest again.", Some("undo-hold-over")));
        assert_eq!(guest(&house, &held).await["status"], "rejected");
        // An undone accept does not extend it, either.
        let other = reserve(&house, world::HARBOR_HOUSE, 2).await;
        let end = guest(&house, &other).await["expiresAt"].clone();
        for _ in 0..3 {
            command(&house, &other, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
            house.advance(9_000);
            assert_eq!(undo(&house, &other, world::INTAKE).await.send().await.expect(200)["expiresAt"], end);
        }
        invariants::hold(&house).await;
    }

    async fn an_undo_has_one_effect_per_key_and_an_old_version_is_stale(house: House) {
        let gone = discharged(&house, 1, world::BED_A).await;
        let ask = |version: i64| {
            let body = json!({"status": "undo", "version": version});
            house.patch(&format!("/api/Guests/{gone}"), body).by(world::ADMIN).header("idempotency-key", "once")
        };
        ask(2).send().await.expect(412);
        let first = ask(3).send().await;
        assert_eq!(first.expect(200)["version"], 4);
        assert_eq!(ask(3).send().await.text, first.text);
        assert_eq!(guest(&house, &gone).await["version"], 4);
        invariants::hold(&house).await;
    }

    async fn the_database_allows_one_undo_per_decision(house: House) {
        const DECISION: &str = "SELECT id FROM audit WHERE object_id = $1 AND action = 'guest.discharged'";
        const AGAIN: &str = "INSERT INTO guest_undos (id, guest_id, decision_id, kind, decided_at, undone_at, undone_by) \
            VALUES ($1, $2, $3, 'discharged', 1, 2, $4)";
        let gone = discharged(&house, 1, world::BED_A).await;
        let guest: Uuid = gone.parse().unwrap();
        let decision: Uuid = house.db().query(DECISION).bind(guest).scalar().await.unwrap();
        undo(&house, &gone, world::ADMIN).await.send().await.expect(200);
        let mut tx = house.db().begin().await.unwrap();
        let again = tx.query(AGAIN).bind(Uuid::from_u128(1)).bind(guest).bind(decision).bind(world::PEOPLE[4].2);
        let outcome = again.execute().await;
        tx.rollback().await.unwrap();
        assert!(matches!(outcome, Err(Error::Unique { constraint }) if constraint == "guest_undos_decision_id_key"));
    }
}
