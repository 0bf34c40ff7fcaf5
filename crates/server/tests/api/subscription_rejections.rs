//! What Stripe or the bank rejects although our own checks accept it: each has its own answer and no charge.

use berth_stripe::sandbox::PUBLISHABLE_KEY;
use berth_stripe::sandbox::catalog::{MONTHLY, WELCOME, YEARLY};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::both_engines;
use crate::card_steps::control;
use crate::harness::House;
use crate::subscription_steps::{begin, behave, charged, client, command, count, deliver, monthly, start, status};
use crate::world;

/// The card of Harbor Recovery that pays.
const CARD: &str = "pm_harbor0";

/// Calls the sandbox with a Stripe key, as a browser or the operator's dashboard does.
async fn at_provider(house: &House, key: Option<&str>, path: &str, fields: &[(&str, &str)]) -> (u16, Value) {
    let (address, secret) = house.app.payments.sandbox_address().await.unwrap().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let call = http.post(format!("{address}{path}")).bearer_auth(key.unwrap_or(secret.expose_secret()));
    let answer = call.form(fields).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Answers the bank's question about a payment as the cardholder, like Stripe.js does.
async fn answer_bank(house: &House, secret: &str, agrees: bool) -> u16 {
    let intent = secret.split("_secret_").next().unwrap();
    let key = Some(PUBLISHABLE_KEY);
    let fields = [("client_secret", secret), ("payment_method", CARD)];
    let (_, asked) = at_provider(house, key, &format!("/v1/payment_intents/{intent}/confirm"), &fields).await;
    assert_eq!(asked["status"], "requires_action", "{asked}");
    let fields = [("client_secret", secret), ("agreed", if agrees { "true" } else { "false" })];
    at_provider(house, key, &format!("/authenticate/{intent}"), &fields).await.0
}

async fn hear(house: &House, number: u8) {
    let id = client(house).await.subscriptions("cus_harbor").await.unwrap().remove(0).id;
    deliver(house, &format!("evt_{number}"), "customer.subscription.updated", &id).await.expect(200);
    berth_server::billing::subscriptions::run(&house.app).await.unwrap();
}

both_engines! {
    async fn a_payment_confirmed_at_the_bank_activates_the_subscription(house: House) {
        begin(&house).await;
        behave(&house, CARD, "AsksForAuthentication").await;
        let started = monthly(&house).send().await.expect(201);
        assert_eq!((&started["status"], &started["isActive"]), (&json!("incomplete"), &json!(false)));
        let secret = started["clientSecret"].as_str().unwrap().to_owned();
        assert_eq!(charged(&house).await.0, 0);
        assert_eq!(answer_bank(&house, &secret, true).await, 200);
        hear(&house, 1).await;
        assert_eq!(status(&house).await["status"], "active");
        assert_eq!(charged(&house).await, (1, 135_000));
    }

    async fn a_payment_refused_at_the_bank_stays_open_and_a_restart_asks_again(house: House) {
        begin(&house).await;
        behave(&house, CARD, "AsksForAuthentication").await;
        let started = monthly(&house).send().await.expect(201);
        assert_eq!(answer_bank(&house, started["clientSecret"].as_str().unwrap(), false).await, 402);
        hear(&house, 1).await;
        assert_eq!((&status(&house).await["status"], charged(&house).await.0), (&json!("incomplete"), 0));
        let restarted = command(&house, "restart").send().await.expect(200);
        assert_eq!(restarted["status"], "incomplete");
        assert_eq!(answer_bank(&house, restarted["clientSecret"].as_str().unwrap(), true).await, 200);
        hear(&house, 2).await;
        assert_eq!((&status(&house).await["status"], charged(&house).await), (&json!("active"), (1, 135_000)));
    }

    /// Race: the catalog is cached for five minutes.
    async fn a_plan_archived_after_it_was_shown_is_reported_at_its_field(house: House) {
        begin(&house).await;
        house.get("/api/Stripe/catalog").by(world::OWNER).send().await.expect(200);
        assert_eq!(at_provider(&house, None, &format!("/v1/prices/{MONTHLY}"), &[("active", "false")]).await.0, 200);
        assert_eq!(monthly(&house).send().await.field_errors(),
            ["/stripePriceId: This plan is no longer offered. Please choose another one."]);
        let catalog = house.get("/api/Stripe/catalog").by(world::OWNER).send().await.expect(200);
        assert!(!catalog.to_string().contains(MONTHLY), "the page gets the current catalog");
        assert_eq!(count(&house, "SELECT COUNT(*) FROM site_subscriptions").await, 0);
        start(&house, YEARLY, 12, None).send().await.expect(201);
    }

    /// Race: the code was valid when we checked it and is not when Stripe does.
    async fn a_code_that_ends_during_the_call_to_stripe_is_reported_at_its_field(house: House) {
        begin(&house).await;
        let code = client(&house).await.find_promotion_code(WELCOME).await.unwrap().unwrap();
        control(&house, "fault", json!({"operation": "POST /v1/subscriptions", "when": "hold"})).await;
        let starting = tokio::spawn(start(&house, MONTHLY, 1, Some(WELCOME)).send());
        control(&house, "held", Value::Null).await;
        let path = format!("/v1/promotion_codes/{}", code.id);
        assert_eq!(at_provider(&house, None, &path, &[("active", "false")]).await.0, 200);
        control(&house, "release", Value::Null).await;
        assert_eq!(starting.await.unwrap().field_errors(), ["/couponCode: Invalid or expired code"]);
        assert_eq!((count(&house, "SELECT COUNT(*) FROM site_subscriptions").await, charged(&house).await.0), (0, 0));
        monthly(&house).send().await.expect(201);
    }

    async fn a_card_removed_at_stripe_must_be_added_again(house: House) {
        begin(&house).await;
        for card in [CARD, "pm_harbor1"] {
            client(&house).await.detach(card).await.unwrap();
        }
        let refused = monthly(&house).send().await;
        assert_eq!(refused.refusal(409), "There is no saved card yet. Add a card first.");
        assert_eq!((count(&house, "SELECT COUNT(*) FROM site_subscriptions").await, charged(&house).await.0), (0, 0));
    }
}
