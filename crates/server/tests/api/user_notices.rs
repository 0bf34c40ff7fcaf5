//! Messages to users about reservations: batched, never late, not in quiet hours, and off if the user turned them off
//! (docs/decisions/0052).

use axum::http::Method;
use berth_server::jobs::{holds, notices};
use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE};
use crate::steps::{command, more_beds, reserve};
use crate::{invariants, world};

/// The phone of the intake user, the only one who gets messages in these tests.
const PHONE: &str = "+17145550165";
const EMAIL: &str = "intake@test.example";

async fn run(house: &House, texts: &[&'static str]) {
    let mut tx = house.db().begin().await.unwrap();
    for text in texts {
        tx.query(text).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Only the intake user gets messages.
async fn begin(house: &House) {
    run(house, &["UPDATE memberships SET receive_reservation_texts = FALSE WHERE role <> 'Intake'"]).await;
}

/// Messages to the intake user on a channel, oldest first, without the link.
async fn told_by(house: &House, channel: &str, to: &str) -> Vec<String> {
    let messages = house.outbox().await.into_iter().rev();
    let mine =
        messages.filter(|(by, recipient, body)| by == channel && recipient == to && body.contains("/reservations/"));
    mine.map(|(_, _, body)| body.split(" http").next().unwrap().to_owned()).collect()
}

async fn told(house: &House) -> Vec<String> {
    told_by(house, "sms", PHONE).await
}

async fn settings(house: &House) -> Value {
    house.get("/api/Users/messages").by(world::INTAKE).send().await.expect(200)
}

/// Selects places for the intake user by their index in the list.
async fn choose(house: &House, places: &[usize], quiet: Option<(&str, &str)>) {
    let known = settings(house).await;
    let wanted: Vec<&Value> = places.iter().map(|number| &known["places"][*number]["membershipId"]).collect();
    let (from, until) = quiet.unzip();
    let body = json!({"receivesFor": wanted, "quietFrom": from, "quietUntil": until});
    house.put("/api/Users/messages", body).by(world::INTAKE).send().await.expect(204);
}

both_engines! {
    async fn twelve_reservations_in_a_row_are_two_messages(house: House) {
        begin(&house).await;
        more_beds(&house, 12).await;
        for number in 0..12 {
            reserve(&house, world::HARBOR_HOUSE, number).await;
            notices::run(&house.app).await.unwrap();
            house.advance(20_000);
        }
        let first = told(&house).await;
        assert_eq!(first.len(), 1, "{first:?}");
        assert!(first[0].ends_with("has arrived and is waiting for a decision."), "{first:?}");
        house.advance(MINUTE);
        notices::run(&house.app).await.unwrap();
        assert_eq!(told(&house).await[1..], ["Berth: 11 new reservations. 12 reservations are waiting for a decision."]);
        assert_eq!(told_by(&house, "email", EMAIL).await.len(), 2, "by email, too");
        let link = house.outbox().await[0].2.clone();
        assert!(link.contains(&format!("/reservations/{}", world::HARBOR_HOUSE)), "{link}");
        assert!(!link.contains("Person"), "{link}");
        // The next one comes after a pause, so its message is sent at once and contains its code.
        house.advance(5 * MINUTE);
        reserve(&house, world::HARBOR_HOUSE, 20).await;
        assert!(told(&house).await[2].ends_with("has arrived and is waiting for a decision."));
        invariants::hold(&house).await;
    }

    async fn reservations_decided_before_the_message_are_left_out(house: House) {
        begin(&house).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(told(&house).await.len(), 1);
        let second = reserve(&house, world::HARBOR_HOUSE, 2).await;
        reserve(&house, world::HARBOR_HOUSE, 3).await;
        command(&house, &second, "REJECTED", None).send().await.expect(200);
        house.advance(5 * MINUTE);
        let told = told(&house).await;
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[1].ends_with("has arrived and is waiting for a decision."), "one is left, so the message has its code: {told:?}");
    }

    async fn no_message_in_quiet_hours_and_one_summary_at_their_end(house: House) {
        begin(&house).await;
        // It is 10:00 at the site.
        choose(&house, &[0], Some(("09:30:00", "23:30:00"))).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        for _ in 0..13 {
            house.advance(HOUR);
            holds::run(&house.app).await.unwrap();
            assert_eq!(told(&house).await, Vec::<String>::new());
        }
        house.advance(29 * MINUTE);
        assert_eq!(told(&house).await, Vec::<String>::new());
        house.advance(MINUTE);
        assert_eq!(told(&house).await, ["Berth: 2 new reservations. 2 reservations are waiting for a decision."],
            "half of the hold was more than an hour ago");
        house.advance(10 * HOUR + 30 * MINUTE);
        holds::run(&house.app).await.unwrap();
        assert!(told(&house).await.len() == 1, "quiet again");
        invariants::hold(&house).await;
    }

    async fn turning_off_quiet_hours_sends_the_pending_message(house: House) {
        begin(&house).await;
        choose(&house, &[0], Some(("09:00:00", "11:00:00"))).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(told(&house).await, Vec::<String>::new());
        choose(&house, &[0], None).await;
        assert_eq!(told(&house).await.len(), 1);
    }

    async fn messages_are_turned_off_and_on_per_place_and_that_is_recorded(house: House) {
        begin(&house).await;
        let before = settings(&house).await;
        assert_eq!(before["places"][0]["name"], "Harbor House");
        assert_eq!((&before["places"][0]["receives"], &before["quietFrom"], &before["hasStoppedSms"]),
            (&json!(true), &Value::Null, &json!(false)));
        // Pending notifications are dropped when messages are turned off.
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        choose(&house, &[], Some(("22:00:00", "06:30:00"))).await;
        assert_eq!(told(&house).await, Vec::<String>::new());
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        house.advance(HOUR);
        assert_eq!(told(&house).await, Vec::<String>::new());
        let now = settings(&house).await;
        assert_eq!((&now["places"][0]["receives"], &now["quietFrom"], &now["quietUntil"]),
            (&json!(false), &json!("22:00:00"), &json!("06:30:00")));
        choose(&house, &[0], Some(("22:00:00", "06:30:00"))).await;
        reserve(&house, world::HARBOR_HOUSE, 3).await;
        assert_eq!(told(&house).await.len(), 1);
        const RECORD: &str = "SELECT action, summary, actor_email, site_id FROM audit \
            WHERE action IN ('membership.changed', 'user.quiet-hours-chosen') ORDER BY id";
        let rows: Vec<(String, String, String, Option<uuid::Uuid>)> = house.db().query(RECORD).all().await.unwrap();
        let expected = [
            ("membership.changed", "reservation texts off by the person", Some(world::HARBOR_HOUSE.0)),
            ("membership.changed", "reservation texts off by the person", Some(world::OPEN_DOOR.0)),
            ("user.quiet-hours-chosen", "quiet hours set", None),
            ("membership.changed", "reservation texts on by the person", Some(world::HARBOR_HOUSE.0)),
        ];
        let expected = expected.map(|(action, summary, site)| (action.to_owned(), summary.to_owned(), EMAIL.to_owned(), site));
        assert_eq!(rows, expected);
    }

    async fn message_settings_are_ones_own_and_invalid_ones_are_explained(house: House) {
        begin(&house).await;
        let owner = house.get("/api/Users/messages").by(world::OWNER).send().await.expect(200);
        let theirs = &owner["places"][0]["membershipId"];
        house.put("/api/Users/messages", json!({"receivesFor": [theirs]})).by(world::INTAKE).send().await.expect(204);
        let again = house.get("/api/Users/messages").by(world::OWNER).send().await.expect(200);
        assert_eq!(again["places"][0]["receives"], false);
        let put = async |body: Value| house.ask(Method::PUT, "/api/Users/messages").json(body).by(world::INTAKE).send().await;
        for (from, until, wrong) in [
            (json!("22:00:00"), Value::Null, "/quietUntil: Enter the start and the end of the quiet hours."),
            (Value::Null, json!("22:00:00"), "/quietUntil: Enter the start and the end of the quiet hours."),
            (json!("22:00:00"), json!("22:00:00"), "/quietUntil: The quiet hours cannot end at the time they start. Choose another time."),
            (json!("ten"), json!("22:00:00"), "/quietFrom: The time must be 'hh:mm:ss'."),
        ] {
            let answer = put(json!({"receivesFor": [], "quietFrom": from, "quietUntil": until})).await;
            assert_eq!(answer.field_errors(), [wrong]);
        }
        assert_eq!(house.get("/api/Users/messages").send().await.status, 401);
    }

    async fn a_phone_that_sent_stop_gets_no_texts_but_its_user_gets_emails(house: House) {
        begin(&house).await;
        let person = house.app.persons.key(&house.app).await.unwrap().phone(PHONE);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("INSERT INTO sms_stops (person, stopped_at) VALUES ($1, 0)").bind(person).execute().await.unwrap();
        tx.commit().await.unwrap();
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!((told(&house).await.len(), told_by(&house, "email", EMAIL).await.len()), (0, 1));
        assert_eq!(settings(&house).await["hasStoppedSms"], true, "the profile says why");
    }

    async fn two_nodes_send_one_message_and_a_reminder_includes_the_batched_arrivals(house: House) {
        begin(&house).await;
        let other = house.another_node().await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let (one, two) = tokio::join!(notices::run(&house.app), notices::run(&other));
        assert_eq!(one.unwrap() + two.unwrap(), 1);
        house.advance(12 * HOUR - 2 * MINUTE);
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        notices::run(&house.app).await.unwrap();
        house.advance(MINUTE);
        reserve(&house, world::HARBOR_HOUSE, 3).await;
        house.advance(MINUTE);
        holds::run(&house.app).await.unwrap();
        let (one, two) = tokio::join!(notices::run(&house.app), notices::run(&other));
        assert_eq!(one.unwrap() + two.unwrap(), 2);
        assert_eq!(told(&house).await[2..], ["Berth: 1 new reservation. 3 reservations are waiting for a decision."]);
        // A job that did not run for more than ten minutes sends no reminders.
        house.advance(11 * HOUR);
        holds::run(&house.app).await.unwrap();
        house.advance(10 * MINUTE + 1);
        assert_eq!(notices::run(&house.app).await.unwrap(), 0);
        assert!(!notices::is_due(&house.app).await.unwrap());
    }
}
