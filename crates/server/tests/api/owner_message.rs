//! A user who may accept a reservation but not pay asks the owners to start the subscription (spec B 4;
//! docs/decisions/0046).

use serde_json::{Value, json};

use crate::harness::{Ask, HOUR, House, MINUTE};
use crate::steps::{add, all_at_once, command, id, reserve};
use crate::subscription_steps::{begin, monthly};
use crate::{both_engines, world};

const PATH: &str = "/api/Subscriptions/owner-message";

fn send(house: &House, guest: &str, by: &str) -> Ask {
    house.post(PATH, json!({"guestId": guest})).by(by)
}

async fn shown(house: &House, guest: &str) -> Value {
    house.get(&format!("{PATH}?guestId={guest}")).by(world::INTAKE).send().await.expect(200)
}

/// The emails about subscriptions that reservations need: recipient and text.
async fn emails(house: &House) -> Vec<(String, String)> {
    let messages = house.outbox().await.into_iter();
    let emails = messages.filter(|(channel, _, body)| channel == "email" && body.contains("/reservations-request/"));
    emails.map(|(_, to, body)| (to, body)).collect()
}

/// Changes users of the test world directly in the database.
async fn change(house: &House, text: &'static str) {
    let mut tx = house.db().begin().await.unwrap();
    assert_eq!(tx.query(text).execute().await.unwrap(), 1);
    tx.commit().await.unwrap();
}

async fn code(house: &House) -> String {
    house.db().query("SELECT code FROM guests").scalar().await.unwrap()
}

both_engines! {
    async fn the_owner_gets_the_code_the_site_and_the_asking_user_but_no_guest_data(house: House) {
        const NAMED: &str = "UPDATE users SET first_name = 'Inés.evil․example +1 714 555 0199', last_name = 'O''Hara' WHERE email = 'intake@test.example'";
        begin(&house).await;
        change(&house, NAMED).await;
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(shown(&house, &reserved).await, json!({"owners": ["Test Person"], "sentAt": null}));
        let sent = send(&house, &reserved, world::INTAKE).send().await.expect(200);
        assert_eq!(sent, json!({"owners": ["Test Person"], "sentAt": house.app.now()}));
        assert_eq!(shown(&house, &reserved).await, sent, "after a reload, and for a colleague");
        let emails = emails(&house).await;
        let [(to, body)] = &emails[..] else { panic!("{emails:?}") };
        assert_eq!(to, "owner@test.example");
        let first = format!("Inés evil example O'Hara wants to accept reservation {} at Harbor House.", code(&house).await);
        assert!(body.starts_with(&first), "{body}");
        assert!(body.contains(&format!("http://localhost:8080/reservations-request/{reserved}")), "{body}");
        for secret in ["Person 1", "555-0001", "5550001", "person1@"] {
            assert!(!body.to_lowercase().contains(&secret.to_lowercase()), "{secret}: {body}");
        }
        assert!(house.trail().await.contains(&"subscription.asked-for".to_owned()));
    }

    async fn each_owner_gets_it_in_their_language_and_nobody_else_gets_it(house: House) {
        const SECOND: &str = "UPDATE memberships SET role = 'Owner', site_id = NULL, organization_id = (SELECT organization_id \
            FROM memberships m WHERE m.role = 'Owner' AND m.user_id = (SELECT id FROM users WHERE email = 'owner@test.example')) \
            WHERE user_id = (SELECT id FROM users WHERE email = 'staff@test.example') \
            AND site_id = (SELECT id FROM sites WHERE name = 'Harbor House')";
        const SPANISH: &str = "UPDATE users SET language = 'es' WHERE email = 'staff@test.example'";
        const DISABLED: &str = "UPDATE memberships SET status = 'Disabled' WHERE role = 'Owner' \
            AND user_id = (SELECT id FROM users WHERE email = 'owner@test.example')";
        begin(&house).await;
        change(&house, SECOND).await;
        change(&house, SPANISH).await;
        let [one, two] = [reserve(&house, world::HARBOR_HOUSE, 1).await, reserve(&house, world::HARBOR_HOUSE, 2).await];
        send(&house, &one, world::INTAKE).send().await.expect(200);
        let told = emails(&house).await;
        let spanish = told.iter().find(|(to, _)| to == "staff@test.example").expect("the second owner gets an email");
        assert!(spanish.1.contains("quiere aceptar la reserva") && told.len() == 2, "{told:?}");
        // An owner who asks gets no email, and neither does one whose access is disabled.
        let alone = send(&house, &two, world::OWNER).send().await.expect(200);
        assert_eq!(alone["owners"].as_array().unwrap().len(), 1);
        change(&house, DISABLED).await;
        house.advance(HOUR);
        send(&house, &one, world::INTAKE).send().await.expect(200);
        let told: Vec<String> = emails(&house).await.into_iter().map(|(to, _)| to).collect();
        assert_eq!(told.iter().filter(|to| *to == "owner@test.example").count(), 1, "{told:?}");
        assert_eq!(told.len(), 4, "{told:?}");
    }

    /// Race: two colleagues at once, then both again.
    async fn of_many_requests_about_one_reservation_in_15_minutes_one_is_sent(house: House) {
        begin(&house).await;
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let calls = (0..6).map(|number| send(&house, &reserved, [world::INTAKE, world::ADMIN][number % 2]));
        let first = json!(house.app.now());
        for answer in all_at_once(calls.collect()).await {
            assert_eq!(answer.expect(200)["sentAt"], first);
        }
        assert_eq!(emails(&house).await.len(), 1);
        house.advance(15 * MINUTE - 1);
        assert_eq!(send(&house, &reserved, world::ADMIN).send().await.expect(200)["sentAt"], first);
        assert_eq!(emails(&house).await.len(), 1);
        house.advance(1);
        send(&house, &reserved, world::ADMIN).send().await.expect(200);
        assert_eq!(emails(&house).await.len(), 2);
    }

    async fn a_user_sends_at_most_ten_an_hour(house: House) {
        begin(&house).await;
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        for _ in 0..10 {
            send(&house, &reserved, world::INTAKE).send().await.expect(200);
        }
        send(&house, &reserved, world::INTAKE).send().await.expect(429);
        send(&house, &reserved, world::ADMIN).send().await.expect(200);
    }

    async fn owners_are_asked_only_about_reservations_that_need_a_subscription(house: House) {
        const SENTENCE: &str = "This reservation is not waiting for a subscription. Reload the page.";
        begin(&house).await;
        let by_hand = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let declined = reserve(&house, world::HARBOR_HOUSE, 2).await;
        command(&house, &declined, "REJECTED", None).send().await.expect(200);
        let free = reserve(&house, world::OPEN_DOOR, 3).await;
        let waiting = reserve(&house, world::HARBOR_HOUSE, 4).await;
        for guest in [&by_hand, &declined, &free] {
            assert_eq!(send(&house, guest, world::INTAKE).send().await.refusal(409), SENTENCE);
        }
        send(&house, &waiting, world::STAFF).send().await.expect(403);
        send(&house, &waiting, world::OWNER_FOREIGN).send().await.expect(404);
        assert_eq!(send(&house, &waiting, world::OWNER).send().await.refusal(409),
            "This organization has no other owner to notify. Call support.");
        monthly(&house).send().await.expect(201);
        assert_eq!(send(&house, &waiting, world::INTAKE).send().await.refusal(409), SENTENCE, "it is paid");
        assert_eq!(emails(&house).await, []);
    }
}
