//! STOP and START: who signs them, and which messages they stop (docs/decisions/0052).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use berth_db::Engine;
use berth_server::app::{App, Clock, Random};
use berth_server::jobs::guest_texts;
use berth_server::routes;
use berth_server::settings::{Settings, SmsProvider};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::both_engines;
use crate::harness::{Ask, HOUR, House, MINUTE};
use crate::sms::Log;
use crate::steps::{add, command, form, guest_texts as texts, id, newest_code, newest_text, phone, reserve};
use crate::{invariants, world};

const PATH: &str = "/api/sms/inbound";
const TOKEN: &str = "the token of the account";

/// Gives the house other settings.
fn set(house: &mut House, settings: Settings) {
    let clock = Clock::Fixed(std::sync::Arc::clone(&house.clock));
    house.app = App::new(house.db().clone(), settings, clock, Random::seeded(3));
    house.router = routes::build(house.app.clone());
}

/// Lets Twilio send the texts.
fn with_twilio(house: &mut House, token: &str) {
    let settings = Settings {
        sms_provider: Some(SmsProvider::Twilio),
        twilio_auth_token: Some(token.to_owned().into()),
        origins: vec!["http://localhost:9999".to_owned(), "https://berth.test.example".to_owned()],
        ..house.app.settings.clone()
    };
    set(house, settings);
}

/// A form from Twilio, signed for an address.
fn answer_at(house: &House, address: &str, fields: &[(&str, &str)]) -> Ask {
    house.form(PATH, fields).header("x-twilio-signature", &signature(address, fields))
}

fn signature(address: &str, fields: &[(&str, &str)]) -> String {
    let mut sorted = fields.to_vec();
    sorted.sort_unstable();
    let text = sorted.iter().fold(address.to_owned(), |text, (name, value)| text + name + value);
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, TOKEN.as_bytes());
    STANDARD.encode(ring::hmac::sign(&key, text.as_bytes()))
}

/// Receives an answer from a phone.
async fn say(house: &House, from: &str, body: &str) {
    let fields = [("MessageSid", "SM1"), ("To", "+17145550100"), ("From", from), ("Body", body)];
    let answer = answer_at(house, "https://berth.test.example/api/sms/inbound", &fields).send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/xml"), "{answer:?}");
    assert!(answer.text.ends_with("<Response></Response>"), "{answer:?}");
}

async fn stops(house: &House) -> i64 {
    house.db().query("SELECT COUNT(*) FROM sms_stops").scalar().await.unwrap()
}

both_engines! {
    async fn stop_ends_all_texts_to_a_guest_except_requested_codes(house: House) {
        let mut house = house;
        with_twilio(&mut house, TOKEN);
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        say(&house, &phone(1), "Stop").await;
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        let code = newest_code(&house, &phone(1)).await;
        assert_eq!(reserve(&house, world::HARBOR_HOUSE, 1).await.len(), 36, "a code still comes");
        assert_ne!(newest_code(&house, &phone(1)).await, code);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        // The text that a third reservation was not accepted is not a code.
        let asked = house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 1)).send().await.expect(202);
        let otp = newest_code(&house, &phone(1)).await;
        let confirm = house.post(&format!("/api/public/reservations/{}/confirm", id(&asked)), json!({"otp": otp}));
        confirm.send().await.expect(409);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        // Other phones still get texts.
        add(&house, world::OPEN_DOOR, 2).await;
        assert_eq!(texts(&house, &phone(2)).await.len(), 1);
        say(&house, &phone(1), "START").await;
        command(&house, &reserved, "DISCHARGED", None).send().await.expect(200);
        // Codes to a phone are limited per hour.
        house.advance(HOUR);
        let again = reserve(&house, world::OPEN_DOOR, 1).await;
        command(&house, &again, "REJECTED", None).send().await.expect(200);
        house.advance(MINUTE);
        guest_texts::run(&house.app).await.unwrap();
        assert!(newest_text(&house, &phone(1)).await.contains("could not accept"));
        invariants::hold(&house).await;
    }

    async fn a_stop_answer_counts_once_and_is_recorded_without_the_number(house: House) {
        let mut house = house;
        with_twilio(&mut house, TOKEN);
        for word in ["STOP", "ALTO", " stop! "] {
            say(&house, &phone(1), word).await;
        }
        say(&house, &phone(1), "When can I come?").await;
        say(&house, "not a phone", "STOP").await;
        assert_eq!(stops(&house).await, 1);
        let (person,): (String,) = house.db().query("SELECT person FROM sms_stops").one().await.unwrap();
        assert!(person.len() == 64 && !person.contains("7145550001"), "{person}");
        // Advanced Opt-Out: Twilio says which word it has read.
        let read = [("From", "+17145550001"), ("Body", "basta ya"), ("OptOutType", "START")];
        answer_at(&house, "http://localhost:9999/api/sms/inbound", &read).send().await.expect(200);
        assert_eq!(stops(&house).await, 0);
        assert_eq!(house.trail().await, ["sms.stopped", "sms.started"]);
        let told: Vec<(String, String)> = house.db().query("SELECT summary, address FROM audit ORDER BY id").all().await.unwrap();
        assert!(told.iter().all(|(summary, _)| !summary.contains("0001")), "{told:?}");
    }

    async fn a_stop_answer_without_the_providers_signature_changes_nothing(house: House) {
        let mut house = house;
        let fields = [("From", "+17145550001"), ("Body", "STOP")];
        let address = "https://berth.test.example/api/sms/inbound";
        answer_at(&house, address, &fields).send().await.expect(404);
        with_twilio(&mut house, TOKEN);
        let refused = "The signature of this event is not valid.";
        assert_eq!(house.form(PATH, &fields).send().await.refusal(400), refused);
        assert_eq!(answer_at(&house, "https://elsewhere.example/api/sms/inbound", &fields).send().await.refusal(400), refused);
        let tampered = house.form(PATH, &[fields[0], ("Body", "START")]);
        assert_eq!(tampered.header("x-twilio-signature", &signature(address, &fields)).send().await.refusal(400), refused);
        with_twilio(&mut house, "another token");
        assert_eq!(answer_at(&house, address, &fields).send().await.refusal(400), refused);
        assert_eq!((stops(&house).await, house.trail().await.len()), (0, 0));
    }

    async fn the_operators_own_sender_signs_answers_like_we_sign_texts(house: House) {
        let mut house = house;
        let secret = "a key of the test";
        let settings = Settings {
            sms_provider: Some(SmsProvider::Webhook),
            sms_webhook_secret: Some(secret.to_owned().into()),
            ..house.app.settings.clone()
        };
        set(&mut house, settings);
        let ask = |body: &Value, key: &str| {
            let body = serde_json::to_vec(body).unwrap();
            let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
            mac.update(&body);
            let signature = format!("sha256={}", hex::encode(mac.finalize().into_bytes()));
            house.post(PATH, Value::Null).raw("application/json", body).header("berth-signature", &signature)
        };
        let stop = json!({"from": "(714) 555-0001", "body": "alto", "createdAt": "2026-03-02T18:00:00Z"});
        let refused = "The signature of this event is not valid.";
        assert_eq!(ask(&stop, "another key").send().await.refusal(400), refused);
        assert_eq!(ask(&json!({"from": 1}), secret).send().await.refusal(400), refused);
        assert_eq!(ask(&json!({"from": "+17145550001", "body": "alto"}), secret).send().await.refusal(400), refused, "no time");
        assert_eq!(stops(&house).await, 0);
        assert_eq!(ask(&stop, secret).send().await.status, 200);
        assert_eq!(stops(&house).await, 1);
        // An intercepted answer cannot be sent again later or kept for later.
        let start = json!({"from": "(714) 555-0001", "body": "START", "createdAt": "2026-03-02T18:05:01Z"});
        assert_eq!(ask(&start, secret).send().await.refusal(400), refused);
        house.advance(5 * MINUTE);
        assert_eq!(ask(&start, secret).send().await.status, 200);
        assert_eq!(ask(&stop, secret).send().await.status, 200, "five minutes old");
        assert_eq!(ask(&start, secret).send().await.status, 200);
        house.advance(1);
        assert_eq!(ask(&stop, secret).send().await.refusal(400), refused);
        assert_eq!(stops(&house).await, 0);
    }
}

/// A stranger can neither fill the disk with log lines nor hide other lines. It runs on one thread, so that every line is
/// written to the log of this test.
#[tokio::test]
async fn wrong_signatures_log_one_line_a_minute_with_their_count() {
    let mut house = House::new(Engine::Sqlite).await;
    with_twilio(&mut house, TOKEN);
    let log = Log::default();
    // With a single subscriber, another test's thread may decide whether a line is logged.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    for _ in 0..2 {
        for _ in 0..20 {
            house.form(PATH, &[("From", "+17145550001")]).send().await.expect(400);
            house
                .post("/api/Stripe/webhook", json!({}))
                .header("stripe-signature", "t=1,v1=00")
                .send()
                .await
                .expect(400);
        }
        house.advance(MINUTE);
    }
    drop(guard);
    let log = log.text();
    for line in ["rejected a reply to a text message", "rejected an event of the card provider"] {
        assert_eq!(log.matches(line).count(), 2, "{log}");
    }
    assert_eq!((log.matches("count=1").count(), log.matches("count=20").count()), (2, 2), "{log}");
}
