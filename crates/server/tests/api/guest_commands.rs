//! Every command on a guest in every state, and its answers (spec B 4; DESIGN 3).

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{HOUR, House};
use crate::steps::{DAY, add, command, guest, id, place, reserve};
use crate::{invariants, world};

/// One guest in each state, and the result of each command. Bed A is the guest's own if it has one, bed B is another
/// guest's, bed C is vacant.
const STATES: [&str; 6] = ["pending", "expired", "rejected", "accepted", "reassigned", "discharged"];

/// The result of each command in each state (DESIGN 3), or the reason for a refusal.
const EVERY_COMMAND: &str = "\
pending → accepted: accepted
pending → reassigned: 409 This guest has no bed yet. Accept the reservation first.
pending → swap: 409 This guest has no bed yet. Accept the reservation first.
pending → rejected: rejected
pending → discharged: 409 This guest has no bed yet. Accept the reservation first.
expired → accepted: 409 This reservation has expired. Add the guest again to give a bed.
expired → reassigned: 409 This reservation has expired. Add the guest again to give a bed.
expired → swap: 409 This reservation has expired. Add the guest again to give a bed.
expired → rejected: 409 This reservation has expired. Add the guest again to give a bed.
expired → discharged: 409 This reservation has expired. Add the guest again to give a bed.
rejected → accepted: 409 This reservation has been declined. Add the guest again to give a bed.
rejected → reassigned: 409 This reservation has been declined. Add the guest again to give a bed.
rejected → swap: 409 This reservation has been declined. Add the guest again to give a bed.
rejected → rejected: 409 This reservation has been declined. Add the guest again to give a bed.
rejected → discharged: 409 This reservation has been declined. Add the guest again to give a bed.
accepted → accepted: 409 This guest already has a bed. To change the bed, reassign the guest.
accepted → reassigned: reassigned
accepted → swap: reassigned
accepted → rejected: 409 This guest already has a bed. Discharge the guest instead of declining.
accepted → discharged: discharged
reassigned → accepted: 409 This guest already has a bed. To change the bed, reassign the guest.
reassigned → reassigned: reassigned
reassigned → swap: reassigned
reassigned → rejected: 409 This guest already has a bed. Discharge the guest instead of declining.
reassigned → discharged: discharged
discharged → accepted: 409 This guest has been discharged. Add the guest again to give a bed.
discharged → reassigned: 409 This guest has been discharged. Add the guest again to give a bed.
discharged → swap: 409 This guest has been discharged. Add the guest again to give a bed.
discharged → rejected: 409 This guest has been discharged. Add the guest again to give a bed.
discharged → discharged: 409 This guest has been discharged. Add the guest again to give a bed.
";

async fn bring_to(house: &House, state: &str) -> String {
    let added = if state == "expired" {
        reserve(house, world::HARBOR_HOUSE, 1).await
    } else {
        id(&add(house, world::HARBOR_HOUSE, 1).await)
    };
    let steps: &[(&str, Option<berth_domain::id::BedId>)] = match state {
        "rejected" => &[("REJECTED", None)],
        "accepted" => &[("ACCEPTED", Some(world::BED_A))],
        "reassigned" => &[("ACCEPTED", Some(world::BED_D)), ("REASSIGNED", Some(world::BED_A))],
        "discharged" => &[("ACCEPTED", Some(world::BED_A)), ("DISCHARGED", None)],
        _ => &[],
    };
    for (status, bed) in steps {
        command(house, &added, status, *bed).send().await.expect(200);
    }
    if state == "expired" {
        house.advance(24 * HOUR);
    }
    added
}

both_engines! {
    async fn every_command_in_every_state(house: House) {
        let other = place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        let mut table = String::new();
        for state in STATES {
            for (status, bed) in [("accepted", Some(world::BED_C)), ("reassigned", Some(world::BED_C)),
                ("swap", Some(world::BED_B)), ("rejected", None), ("discharged", None)] {
                let subject = bring_to(&house, state).await;
                assert_eq!(guest(&house, &subject).await["status"], state);
                let answer = command(&house, &subject, status, bed).send().await;
                let body = answer.json();
                let now = guest(&house, &subject).await;
                let after = now["status"].as_str().unwrap();
                let text = match answer.status {
                    200 => {
                        assert_eq!(body, now, "the answer is the guest's current state");
                        after.to_owned()
                    }
                    status => {
                        assert_eq!(after, state, "a refusal changes nothing");
                        assert_eq!(body["guest"], now, "a refusal shows the guest's current state");
                        format!("{status} {}", body["message"].as_str().unwrap())
                    }
                };
                writeln!(table, "{state} → {status}: {text}").unwrap();
                invariants::hold(&house).await;
                // Back to the initial state for the next one.
                if ["accepted", "reassigned"].contains(&after) {
                    if status == "swap" {
                        command(&house, &subject, "SWAP", Some(world::BED_A)).send().await.expect(200);
                    }
                    command(&house, &subject, "DISCHARGED", None).send().await.expect(200);
                } else if after == "pending" {
                    command(&house, &subject, "REJECTED", None).send().await.expect(200);
                }
            }
        }
        assert_eq!(guest(&house, &id(&other)).await["assignedBedId"], json!(world::BED_B));
        assert_eq!(table, EVERY_COMMAND);
    }

    async fn a_swap_updates_both_guests_and_exchanges_their_beds(house: House) {
        let one = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let two = place(&house, world::HARBOR_HOUSE, 2, world::BED_D).await;
        house.advance(HOUR);
        let answer = command(&house, &id(&one), "Swap", Some(world::BED_D)).send().await;
        let first = answer.expect(200);
        assert_eq!(answer.header("etag"), "\"3\"");
        let second = guest(&house, &id(&two)).await;
        assert_eq!(first["assignedBedId"], json!(world::BED_D));
        assert_eq!(second["assignedBedId"], json!(world::BED_A));
        assert_eq!(first["room"]["name"], "House #2");
        assert_eq!(second["bed"]["name"], "Detox");
        for swapped in [&first, &second] {
            assert_eq!(swapped["reassignedAt"], "2026-03-02T19:00:00.000Z");
            assert_eq!(swapped["status"], "reassigned");
            assert_eq!(swapped["version"], 3);
        }
        invariants::hold(&house).await;
    }

    async fn an_unavailable_bed_is_refused_with_another_one_to_choose(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        let refused = async |bed| {
            let answer = command(&house, &waiting, "ACCEPTED", Some(bed)).send().await;
            let sentence = answer.refusal(409);
            (sentence, answer.json()["nextFreeBed"]["bedName"].as_str().unwrap_or_default().to_owned())
        };
        assert_eq!(refused(world::BED_A).await, (
            "This bed has just been taken by another guest. Choose a vacant bed.".to_owned(), "Treatment".to_owned()));
        assert_eq!(refused(world::BED_E).await, (
            "This bed is disabled. Enable it or choose another bed.".to_owned(), "Sober Living #1".to_owned()));
        assert_eq!(refused(world::BED_F).await.0,
            "This bed does not belong to the guest's site or was removed. Choose another bed.");
        assert_eq!(house.trail().await.iter().filter(|action| *action == "guest.refused").count(), 3);
    }

    async fn the_bed_a_guest_already_has_gets_its_own_sentence(house: House) {
        let placed = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        for status in ["ACCEPTED", "REASSIGNED", "SWAP"] {
            let answer = command(&house, &placed, status, Some(world::BED_A)).send().await;
            assert_eq!(answer.refusal(409), "Error: Guest already occupies this bed.");
        }
        let answer = command(&house, &placed, "SWAP", Some(world::BED_B)).send().await;
        assert_eq!(answer.refusal(409), "This bed is vacant, so there is no one to swap with. Reassign the guest to it instead.");
    }

    async fn a_stale_version_is_answered_with_the_guests_current_state(house: House) {
        let placed = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let by_header = command(&house, &placed, "REASSIGNED", Some(world::BED_B)).header("if-match", "\"1\"");
        let by_header = by_header.send().await;
        assert_eq!(by_header.refusal(412), "Someone else changed this in the meantime. Here is how it is now.");
        assert_eq!(by_header.json()["guest"]["version"], 2);
        let path = format!("/api/Guests/{placed}");
        let ask = |version: i64| {
            let body = json!({"status": "REASSIGNED", "bedId": world::BED_B, "version": version});
            house.patch(&path, body).by(world::INTAKE)
        };
        ask(1).send().await.expect(412);
        ask(2).send().await.expect(200);
    }

    async fn a_refusal_names_the_user_who_changed_the_guest_first(house: House) {
        let name = async |user: usize, first: &str, last: &str| {
            let mut tx = house.db().begin().await.unwrap();
            let text = "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1";
            let update = tx.query(text).bind(world::PEOPLE[user].2).bind(first.to_owned()).bind(last.to_owned());
            update.execute().await.unwrap();
            tx.commit().await.unwrap();
        };
        name(4, "Ada", "Min").await;
        name(5, "", "").await;
        let colleague = |guest: &str, body: Value| house.patch(&format!("/api/Guests/{guest}"), body).by(world::ADMIN);
        let at = "2026-03-02T18:00:00.000Z";
        let ada = json!({"name": "Ada Min", "isYou": false, "at": at});

        // Both accept the same guest; the second one saw version 1.
        let wanted = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        colleague(&wanted, json!({"status": "ACCEPTED", "bedId": world::BED_A})).send().await.expect(200);
        guest(&house, &wanted).await;
        let late = json!({"status": "ACCEPTED", "bedId": world::BED_B, "version": 1});
        let late = house.patch(&format!("/api/Guests/{wanted}"), late).by(world::INTAKE).send().await.expect(412);
        assert_eq!(late["changedBy"], ada, "a view of the guest in between is not a change");

        // Both want the same bed, for two guests.
        let other = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        let taken = command(&house, &other, "ACCEPTED", Some(world::BED_A)).send().await.expect(409);
        assert_eq!(taken["changedBy"], ada);

        // Both decide about one reservation.
        colleague(&other, json!({"status": "REJECTED"})).send().await.expect(200);
        assert_eq!(command(&house, &other, "ACCEPTED", Some(world::BED_B)).send().await.expect(409)["changedBy"], ada);

        // The caller's own change in another window; an account without a name.
        let mine = id(&place(&house, world::HARBOR_HOUSE, 3, world::BED_B).await);
        let again = command(&house, &mine, "ACCEPTED", Some(world::BED_C)).send().await.expect(409);
        assert_eq!(again["changedBy"], json!({"name": null, "isYou": true, "at": at}));

        // Nobody decided anything.
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 4).await);
        let disabled = command(&house, &waiting, "ACCEPTED", Some(world::BED_E)).send().await.expect(409);
        assert_eq!(disabled.get("changedBy"), None);
        let held = reserve(&house, world::HARBOR_HOUSE, 5).await;
        house.advance(24 * HOUR);
        berth_server::jobs::holds::run(&house.app).await.unwrap();
        let over = command(&house, &held, "ACCEPTED", Some(world::BED_C)).send().await.expect(409);
        assert_eq!(over.get("changedBy"), None, "the hold expired by itself");
    }

    async fn an_if_match_with_another_version_is_stale_and_never_ignored(house: House) {
        let placed = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let ask = async |tag: &str, bed| {
            command(&house, &placed, "REASSIGNED", Some(bed)).header("if-match", tag).send().await.status
        };
        for tag in ["\"7-f-1772524800000\"", "\"\"", "two", "\"1\", \"3\""] {
            assert_eq!(ask(tag, world::BED_B).await, 412, "{tag}");
        }
        assert_eq!(ask("\"1\", \"2\"", world::BED_B).await, 200, "one of several");
        assert_eq!(ask("W/\"3\"", world::BED_A).await, 200, "as a compressing proxy writes it");
        assert_eq!(ask("*", world::BED_B).await, 200, "any version");
    }

    async fn the_payload_of_a_command_is_checked(house: House) {
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let path = format!("/api/Guests/{waiting}");
        let errors = async |body: Value| house.patch(&path, body).by(world::INTAKE).send().await.field_errors();
        assert_eq!(errors(json!({})).await,
            ["/status: The status must be ACCEPTED, REASSIGNED, SWAP, REJECTED, DISCHARGED, ARRIVED, NOT_ARRIVED, NO_SHOW or UNDO."]);
        assert_eq!(errors(json!({"status": "accepted", "bedId": null})).await, ["/bedId: Choose a bed."]);
        assert_eq!(errors(json!({"id": world::HARBOR_HOUSE, "status": "rejected"})).await,
            ["/id: The address and the body name different guests."]);
        assert_eq!(errors(json!({"status": "rejected", "feedback": "x".repeat(2001)})).await,
            ["/feedback: Maximum length of feedback is 2000 symbols."]);
        assert_eq!(errors(json!({"status": "accepted", "bedId": 7})).await, ["/bedId: Send a text here."]);
        house.patch(&path, json!({"status": "rejected"})).by(world::STAFF).send().await.expect(403);
        house.patch(&path, json!({"status": "rejected"})).by(world::OWNER_FREE).send().await.expect(404);
    }

    async fn feedback_is_stored_without_markup(house: House) {
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let body = json!({"status": "REJECTED", "feedback": "<img src=x onerror=alert(1)>No show"});
        let answer = house.patch(&format!("/api/Guests/{waiting}"), body).by(world::INTAKE).send().await.expect(200);
        assert_eq!(answer["feedback"], "No show");
    }

    async fn a_public_guest_needs_a_subscription_at_a_commercial_site(house: House) {
        let from_web = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let by_hand = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        let free = reserve(&house, world::OPEN_DOOR, 3).await;
        let set = async |status: &'static str, end: Option<i64>| {
            let mut tx = house.db().begin().await.unwrap();
            tx.query("UPDATE site_subscriptions SET status = $1, paid_period_end = $2")
                .bind(status).bind(end).execute().await.unwrap();
            tx.commit().await.unwrap();
        };
        set("past_due", None).await;
        let answer = command(&house, &from_web, "ACCEPTED", Some(world::BED_A)).send().await;
        assert_eq!(answer.refusal(402),
            "This site has no active subscription. The owner must start one before reservations can be accepted.");
        assert_eq!(answer.json()["code"], "subscription-needed");
        command(&house, &by_hand, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        command(&house, &free, "ACCEPTED", Some(world::BED_F)).send().await.expect(200);
        let now = house.app.now().millis();
        set("canceled", Some(now)).await;
        command(&house, &from_web, "ACCEPTED", Some(world::BED_B)).send().await.expect(402);
        set("canceled", Some(now + 1)).await;
        command(&house, &from_web, "ACCEPTED", Some(world::BED_B)).send().await.expect(200);
    }

    async fn days_stayed_are_nights_at_the_site_and_stop_at_discharge(house: House) {
        let placed = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        assert_eq!(guest(&house, &placed).await["daysStayed"], 1);
        house.advance(3 * DAY);
        assert_eq!(guest(&house, &placed).await["daysStayed"], 3);
        command(&house, &placed, "DISCHARGED", None).send().await.expect(200);
        house.advance(3 * DAY);
        let gone = guest(&house, &placed).await;
        assert_eq!(gone["daysStayed"], 3);
        assert_eq!((&gone["assignedBedId"], &gone["bed"]), (&Value::Null, &Value::Null));
    }
}
