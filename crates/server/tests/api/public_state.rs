//! How guests see and cancel their own reservation with its code and the last four digits of its phone
//! (docs/decisions/0049).

use std::net::Ipv4Addr;

use berth_domain::id::SiteId;
use berth_server::jobs::holds;
use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Answer, Ask, HOUR, House, MINUTE};
use crate::steps::{
    DAY, add, all_at_once, command, guest, guest_texts, id, phone, place, reserve, sorted_trail, statuses, undo,
};
use crate::{invariants, world};

const HERE: Ipv4Addr = Ipv4Addr::new(203, 0, 113, 77);

/// Reserves for the `number`-th person. Returns the id of the guest and the code.
async fn reserved(house: &House, site: SiteId, number: usize) -> (String, String) {
    let id = reserve(house, site, number).await;
    let code = guest(house, &id).await["code"].as_str().unwrap().to_owned();
    (id, code)
}

fn digits(number: usize) -> String {
    format!("{number:04}")
}

fn look(house: &House, code: &str, digits: &str) -> Ask {
    house.get(&format!("/api/public/reservations/{code}")).header("phone-last-four", digits)
}

fn cancel(house: &House, code: &str, digits: &str) -> Ask {
    house.post(&format!("/api/public/reservations/{code}/cancel"), json!({"phoneLastFour": digits}))
}

/// Settles all texts as if their phones had answered STOP.
async fn opt_out(house: &House) {
    const SETTLE: &str = "UPDATE guest_texts SET outcome = 'opted-out', settled_at = due_at WHERE settled_at IS NULL";
    let mut tx = house.db().begin().await.unwrap();
    tx.query(SETTLE).execute().await.unwrap();
    tx.commit().await.unwrap();
}

async fn available(house: &House, site: SiteId) -> i64 {
    let site = house.get(&format!("/api/public/sites/{site}")).send().await.expect(200);
    site["availableBeds"].as_i64().unwrap()
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// Sets the language of every reservation to Spanish.
async fn speak_spanish(house: &House) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query("UPDATE guests SET language = 'es'").execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// An answer without the request id and the time.
fn told(answer: &Answer) -> (u16, Vec<String>, Value) {
    let mut headers: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
    headers.sort_unstable();
    let mut body = answer.json();
    body.as_object_mut().unwrap().remove("instance");
    (answer.status, headers, body)
}

both_engines! {
    async fn a_pending_reservation_shows_its_state_and_no_form_data(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(HOUR);
        let answer = look(&house, &code, &digits(1)).send().await;
        assert_eq!(answer.expect(200), json!({"code": code, "status": "waiting", "asOf": "2026-03-02T19:00:00.000Z",
            "createdAt": "2026-03-02T18:00:00.000Z", "expiresAt": "2026-03-03T18:00:00.000Z", "canCancel": true,
            "siteName": "Harbor House", "contactPhone": "+17145550100", "address": null, "intakePeriods": []}));
        assert_eq!(answer.header("cache-control"), "no-store");
        let typed = format!(" {}-{} ", &code[..3].to_lowercase(), &code[3..]).trim().replace(' ', "");
        look(&house, &typed, " 0001 ").send().await.expect(200);
        let trail = sorted_trail(&house).await;
        assert_eq!(trail.iter().filter(|action| *action == "guest.viewed-by-guest").count(), 2, "{trail:?}");
    }

    async fn an_accepted_reservation_shows_where_to_go_and_when(house: House) {
        const HOURS: &str = "INSERT INTO site_intake_periods (site_id, time_period, from_time, to_time, enabled) \
            VALUES ($1, 'Weekends', '09:00:00', '17:00:00', TRUE)";
        let (one, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query("DELETE FROM site_intake_periods WHERE site_id = $1").bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.query(HOURS).bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.commit().await.unwrap();
        command(&house, &one, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let state = look(&house, &code, &digits(1)).send().await.expect(200);
        assert_eq!((&state["status"], &state["canCancel"], &state["expiresAt"]), (&json!("accepted"), &json!(false), &json!(null)));
        assert_eq!(state["address"], "12 Pier Avenue, Long Beach, CA 90802");
        assert_eq!(state["intakePeriods"][0]["from"], "09:00:00");
        command(&house, &one, "DISCHARGED", None).send().await.expect(200);
        let state = look(&house, &code, &digits(1)).send().await.expect(200);
        assert_eq!((&state["status"], &state["address"]), (&json!("ended"), &json!(null)));
    }

    async fn declined_and_expired_reservations_show_their_state(house: House) {
        let (one, declined) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let (_, expired) = reserved(&house, world::HARBOR_HOUSE, 2).await;
        let body = json!({"status": "REJECTED", "feedback": "Came drunk"});
        house.patch(&format!("/api/Guests/{one}"), body).by(world::INTAKE).send().await.expect(200);
        let answer = look(&house, &declined, &digits(1)).send().await;
        assert_eq!((&answer.expect(200)["status"], answer.text.contains("drunk")), (&json!("declined"), false));
        house.advance(24 * HOUR - 1);
        assert_eq!(look(&house, &expired, &digits(2)).send().await.expect(200)["status"], "waiting");
        house.advance(1);
        assert_eq!(look(&house, &expired, &digits(2)).send().await.expect(200)["status"], "expired", "no job has run");
        holds::run(&house.app).await.unwrap();
        assert_eq!(look(&house, &expired, &digits(2)).send().await.expect(200)["status"], "expired");
    }

    async fn seven_days_after_the_decision_nothing_is_shown(house: House) {
        let (one, accepted) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let (_, cancelled) = reserved(&house, world::HARBOR_HOUSE, 2).await;
        command(&house, &one, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        cancel(&house, &cancelled, &digits(2)).send().await.expect(200);
        house.advance(7 * DAY - 1);
        look(&house, &accepted, &digits(1)).send().await.expect(200);
        look(&house, &cancelled, &digits(2)).send().await.expect(200);
        house.advance(1);
        look(&house, &accepted, &digits(1)).send().await.expect(404);
        look(&house, &cancelled, &digits(2)).send().await.expect(404);
        cancel(&house, &accepted, &digits(1)).send().await.expect(404);
    }

    async fn wrong_codes_wrong_digits_and_guests_added_by_hand_get_the_same_answer(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let by_hand = add(&house, world::HARBOR_HOUSE, 2).await["code"].as_str().unwrap().to_owned();
        opt_out(&house).await;
        let from = |ask: Ask| ask.from(HERE).send();
        let wrong_code = from(look(&house, "ZZZZZZ", &digits(1))).await;
        let limits = count(&house, "SELECT COUNT(*) FROM throttles WHERE key LIKE 'lookup%'").await;
        let wrong_digits = from(look(&house, &code, &digits(2))).await;
        let hand = from(look(&house, &by_hand, &digits(2))).await;
        let odd = from(look(&house, "no%20code", &digits(1))).await;
        for answer in [&wrong_digits, &hand, &odd] {
            assert_eq!(told(answer), told(&wrong_code));
        }
        assert_eq!(wrong_code.status, 404);
        for (code, digits) in [("ZZZZZZ", digits(1)), (code.as_str(), digits(2)), (by_hand.as_str(), digits(2))] {
            assert_eq!(told(&from(cancel(&house, code, &digits)).await).2, told(&wrong_code).2);
        }
        let all = count(&house, "SELECT COUNT(*) FROM throttles WHERE key LIKE 'lookup%'").await;
        assert_eq!((limits, all), (6, 21), "unknown codes are counted like known ones: five per code and one for the address");
        assert!(!house.trail().await.contains(&"guest.viewed-by-guest".to_owned()));
    }

    /// The text contains the code, so the code must work. Staff may have mistyped the phone, so its owner sees what the texts
    /// say but cannot cancel anything.
    async fn a_guest_added_by_hand_is_shown_as_soon_as_the_code_is_on_its_way_to_the_phone(house: House) {
        let by_hand = add(&house, world::HARBOR_HOUSE, 2).await;
        let code = by_hand["code"].as_str().unwrap();
        look(&house, code, &digits(2)).send().await.expect(200);
        assert!(guest_texts(&house, &phone(2)).await[0].contains(code));
        let state = look(&house, code, &digits(2)).send().await.expect(200);
        assert_eq!((&state["status"], &state["canCancel"], &state["expiresAt"]), (&json!("waiting"), &json!(false), &json!(null)));
        assert_eq!(cancel(&house, code, &digits(2)).send().await.refusal(409),
            "Staff of the site entered this reservation. Call the site to cancel it.");
        look(&house, code, &digits(1)).send().await.expect(404);
        command(&house, &id(&by_hand), "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let state = look(&house, code, &digits(2)).send().await.expect(200);
        assert_eq!(state["address"], "12 Pier Avenue, Long Beach, CA 90802");
        house.advance(7 * DAY);
        look(&house, code, &digits(2)).send().await.expect(404);
        invariants::hold(&house).await;
    }

    async fn anything_but_four_digits_is_a_field_error_and_not_counted(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let wanted = ["/phoneLastFour: Enter the last four digits of the phone number."];
        for typed in ["", "1", "00001", "abcd", "+1 1"] {
            assert_eq!(look(&house, &code, typed).send().await.field_errors(), wanted, "{typed}");
            assert_eq!(cancel(&house, &code, typed).send().await.field_errors(), wanted, "{typed}");
        }
        assert_eq!(count(&house, "SELECT COUNT(*) FROM throttles WHERE key LIKE 'lookup%'").await, 0);
    }

    async fn the_guest_cancels_and_the_bed_is_free_at_once(house: House) {
        let (one, code) = reserved(&house, world::OPEN_DOOR, 1).await;
        speak_spanish(&house).await;
        let before = (available(&house, world::OPEN_DOOR).await,
            count(&house, "SELECT version FROM sites WHERE name_key = 'open door'").await);
        house.advance(MINUTE);
        let state = cancel(&house, &code, &digits(1)).send().await.expect(200);
        assert_eq!((&state["status"], &state["canCancel"], &state["expiresAt"]), (&json!("cancelled"), &json!(false), &json!(null)));
        let after = (available(&house, world::OPEN_DOOR).await,
            count(&house, "SELECT version FROM sites WHERE name_key = 'open door'").await);
        assert_eq!(after, (before.0 + 1, before.1 + 1), "a bed is free, and boards get an event");
        let seen = guest(&house, &one).await;
        assert_eq!((&seen["status"], &seen["rejectedAt"]), (&json!("rejected"), &seen["cancelledAt"]));
        assert_eq!(seen["cancelledAt"], "2026-03-02T18:01:00.000Z");
        let path = format!("/api/Guests?siteId={}&Status=rejected", world::OPEN_DOOR);
        let list = house.get(&path).by(world::STAFF).send().await.expect(200);
        assert_eq!(list["items"][0]["cancelledAt"], seen["cancelledAt"], "staff see that it was cancelled");
        let timeline = house.get(&format!("/api/Guests/{one}/timeline")).by(world::STAFF).send().await.expect(200);
        let last = timeline["events"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&last["kind"], &last["by"], &last["at"]), (&json!("cancelled"), &Value::Null, &seen["cancelledAt"]));
        assert_eq!(guest_texts(&house, &phone(1)).await, [format!(
            "Berth: Su reserva {code} fue cancelada. Si no la canceló usted, haga una nueva. Responda ALTO para no recibir más mensajes.")]);
        // And the person may have two active reservations again, not counting the cancelled one.
        reserve(&house, world::OPEN_DOOR, 1).await;
        invariants::hold(&house).await;
    }

    async fn cancelling_again_changes_nothing_and_gets_the_same_answer(house: House) {
        let (one, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let first = cancel(&house, &code, &digits(1)).send().await.expect(200);
        let texts = house.outbox().await.len();
        assert_eq!(cancel(&house, &code, &digits(1)).send().await.expect(200), first);
        assert_eq!(statuses(&all_at_once((0..4).map(|_| cancel(&house, &code, &digits(1))).collect()).await)[&200], 4);
        let trail = house.trail().await;
        assert_eq!(trail.iter().filter(|action| *action == "guest.cancelled").count(), 1);
        assert_eq!((house.outbox().await.len(), &guest(&house, &one).await["version"]), (texts, &json!(2)));
        invariants::hold(&house).await;
    }

    async fn a_decided_reservation_cannot_be_cancelled(house: House) {
        let (one, accepted) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let (two, declined) = reserved(&house, world::HARBOR_HOUSE, 2).await;
        let (_, expired) = reserved(&house, world::HARBOR_HOUSE, 3).await;
        command(&house, &one, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        command(&house, &two, "REJECTED", None).send().await.expect(200);
        let refused = cancel(&house, &accepted, &digits(1)).send().await;
        assert_eq!(refused.refusal(409), "The site has accepted this reservation. Call the site to cancel it.");
        house.advance(24 * HOUR);
        for (code, number) in [(&declined, 2), (&expired, 3)] {
            assert_eq!(cancel(&house, code, &digits(number)).send().await.refusal(409),
                "This reservation has already ended. There is nothing to cancel.");
        }
        assert_eq!(guest(&house, &one).await["assignedBedId"], json!(world::BED_A), "a code cannot take a bed away");
        invariants::hold(&house).await;
    }

    async fn staff_cannot_change_a_cancelled_reservation(house: House) {
        const CANCELLED: &str = "The guest cancelled this reservation. Add the guest again to give a bed.";
        let (one, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        cancel(&house, &code, &digits(1)).send().await.expect(200);
        for (status, bed) in [("ACCEPTED", Some(world::BED_A)), ("REJECTED", None), ("DISCHARGED", None), ("UNDO", None)] {
            let ask = match status {
                "UNDO" => undo(&house, &one, world::ADMIN).await,
                _ => command(&house, &one, status, bed).by(world::ADMIN),
            };
            let answer = ask.send().await;
            assert_eq!(answer.refusal(409), CANCELLED, "{status}");
            assert_eq!(answer.json().get("changedBy"), None, "no user did it");
        }
        invariants::hold(&house).await;
    }

    async fn a_reservation_whose_decline_was_undone_can_be_cancelled(house: House) {
        let (one, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        command(&house, &one, "REJECTED", None).send().await.expect(200);
        undo(&house, &one, world::ADMIN).await.send().await.expect(200);
        assert_eq!(look(&house, &code, &digits(1)).send().await.expect(200)["status"], "waiting");
        cancel(&house, &code, &digits(1)).send().await.expect(200);
        invariants::hold(&house).await;
    }

    async fn strangers_get_few_attempts_and_do_not_lock_out_the_guest(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let from = |last: u8, digits: &str| look(&house, &code, digits).from(Ipv4Addr::new(203, 0, 113, last)).send();
        for _ in 0..5 {
            from(1, "9999").await.expect(404);
        }
        assert_eq!(from(1, "9999").await.refusal(429), "Too many attempts. Please wait 3600 seconds and try again.");
        from(1, &digits(1)).await.expect(429);
        for _ in 0..5 {
            from(2, "9999").await.expect(404);
        }
        from(3, "9999").await.expect(429);
        from(3, &digits(1)).await.expect(429);
        // The guest reserved from this address: a wrong pair gets the same answer as from anywhere, the right one is found.
        for _ in 0..9 {
            look(&house, &code, "9999").send().await.expect(429);
        }
        look(&house, &code, &digits(1)).send().await.expect(200);
        look(&house, &code, &digits(1)).send().await.expect(200);
        house.advance(3 * HOUR);
        from(3, &digits(1)).await.expect(200);
        for last in 1..=2 {
            for _ in 0..5 {
                from(last, "9999").await.expect(404);
            }
        }
        from(3, &digits(1)).await.expect(200);
    }

    /// A person who knows the code and shares the guest's network, for example in a shelter, must not try all digits either.
    async fn the_guests_network_gets_few_attempts_too(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        for count in 0..10 {
            look(&house, &code, "9999").send().await.expect(if count < 5 { 404 } else { 429 });
        }
        look(&house, &code, &digits(1)).send().await.expect(429);
        house.advance(HOUR);
        look(&house, &code, &digits(1)).send().await.expect(200);
        // Twenty a day, so fewer than fifty attempts in two days.
        for _ in 0..10 {
            look(&house, &code, "9999").send().await;
        }
        house.advance(HOUR);
        look(&house, &code, "9999").send().await;
        look(&house, &code, &digits(1)).send().await.expect(429);
    }

    /// From an address that the guest used, a known code must get the same answer as one that does not exist.
    async fn the_limits_do_not_reveal_that_a_code_exists(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let (_, ended) = reserved(&house, world::HARBOR_HOUSE, 2).await;
        cancel(&house, &ended, &digits(2)).send().await.expect(200);
        let mut answers = Vec::new();
        for (typed, days) in [("ZZZZZZ", 0), (code.as_str(), 1), (ended.as_str(), 7)] {
            house.advance(days * DAY);
            let mut of_code = Vec::new();
            for _ in 0..12 {
                of_code.push(told(&look(&house, typed, "9999").send().await));
            }
            answers.push(of_code);
        }
        assert_eq!(answers[1], answers[0], "a known code looks like one that does not exist");
        assert_eq!(answers[2], answers[0], "and so does one that is no longer shown");
    }

    async fn a_code_gets_24_wrong_attempts_a_day_from_all_addresses_together(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let mut looked_at = 0;
        for round in 0..80_u8 {
            let address = Ipv4Addr::new(198, 51, 100, round);
            looked_at += usize::from(look(&house, &code, "9999").from(address).send().await.status == 404);
            house.advance(16 * MINUTE);
        }
        // 80 rounds are 21 hours and 20 minutes.
        assert_eq!(looked_at, 24);
    }

    async fn codes_that_do_not_exist_are_limited_like_those_that_do(house: House) {
        for _ in 0..5 {
            look(&house, "ZZZZZZ", "0001").send().await.expect(404);
        }
        look(&house, "ZZZZZZ", "0001").send().await.expect(429);
        for number in 0..25 {
            look(&house, &format!("Y{number:05}"), "0001").send().await.expect(404);
        }
        look(&house, "XXXXXX", "0001").send().await.expect(429);
        cancel(&house, "XXXXXX", "0001").send().await.expect(429);
        house.advance(HOUR);
        look(&house, "XXXXXX", "0001").send().await.expect(404);
    }

    async fn right_pairs_do_not_count(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        for _ in 0..40 {
            look(&house, &code, &digits(1)).from(HERE).send().await.expect(200);
        }
    }

    async fn a_site_that_was_hidden_later_still_informs_its_guests(house: House) {
        let (_, code) = reserved(&house, world::HARBOR_HOUSE, 1).await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE sites SET is_disabled = TRUE").execute().await.unwrap();
        tx.commit().await.unwrap();
        look(&house, &code, &digits(1)).send().await.expect(200);
        cancel(&house, &code, &digits(1)).send().await.expect(200);
        place(&house, world::HARBOR_HOUSE, 2, world::BED_A).await;
        invariants::hold(&house).await;
    }

    async fn the_database_refuses_inconsistent_cancellations(house: House) {
        let guest: uuid::Uuid = id(&add(&house, world::HARBOR_HOUSE, 1).await).parse().unwrap();
        for text in ["UPDATE guests SET cancelled_at = 5 WHERE id = $1",
            "UPDATE guests SET cancelled_at = 5, rejected_at = 6 WHERE id = $1",
            "UPDATE guests SET cancelled_at = 5, rejected_at = 5, accepted_at = 4 WHERE id = $1"] {
            let mut tx = house.db().begin().await.unwrap();
            assert!(tx.query(text).bind(guest).execute().await.is_err(), "{text}");
        }
    }
}
