//! Steps of subscription tests: calls of an owner, the clock and the cards of the sandbox, and events as Stripe sends them.

use berth_stripe::Subscription;
use berth_stripe::sandbox::catalog::MONTHLY;
use berth_stripe::webhook::{SIGNATURE_HEADER, sign};
use serde_json::{Value, json};

use crate::card_steps::{card_of, control, rows};
use crate::harness::{Answer, Ask, HOUR, House};
use crate::world;

pub const DAY: i64 = 24 * HOUR;

/// Adds the cards of Harbor Recovery, removes its site's subscription, and sets the sandbox's clock to ours.
pub async fn begin(house: &House) {
    const NONE: &str = "DELETE FROM site_subscriptions";
    rows(house).await;
    let mut tx = house.db().begin().await.unwrap();
    tx.query(NONE).execute().await.unwrap();
    tx.commit().await.unwrap();
    let seconds = house.app.now().millis() / 1000;
    control(house, "clock", json!({"freeze": seconds})).await;
}

/// Moves both clocks.
pub async fn later(house: &House, millis: i64) {
    house.advance(millis);
    control(house, "clock", json!({"freeze": house.app.now().millis() / 1000})).await;
}

pub fn start(house: &House, price: &str, months: i64, code: Option<&str>) -> Ask {
    let body = json!({"siteId": world::HARBOR_HOUSE, "stripePriceId": price, "subscriptionDurationInMonths": months,
        "couponCode": code});
    house.post("/api/Subscriptions/site", body).by(world::OWNER)
}

pub fn monthly(house: &House) -> Ask {
    start(house, MONTHLY, 1, None)
}

pub fn command(house: &House, call: &str) -> Ask {
    house.post(&format!("/api/Subscriptions/{call}"), json!({"siteId": world::HARBOR_HOUSE})).by(world::OWNER)
}

pub async fn status(house: &House) -> Value {
    let path = format!("/api/Subscriptions/site-status?siteId={}", world::HARBOR_HOUSE);
    house.get(&path).by(world::INTAKE).send().await.json()
}

pub async fn client(house: &House) -> &berth_stripe::Client {
    house.app.payments.client().await.unwrap()
}

/// The subscriptions of Harbor Recovery at Stripe, newest first.
pub async fn at_stripe(house: &House) -> Vec<Subscription> {
    client(house).await.subscriptions("cus_harbor").await.unwrap()
}

/// The number of real charges, and their sum in cents.
pub async fn charged(house: &House) -> (usize, i64) {
    let charges = client(house).await.charges("cus_harbor").await.unwrap();
    let paid = charges.iter().filter(|charge| charge.status == "succeeded" && charge.amount > 0);
    (paid.clone().count(), paid.map(|charge| charge.amount).sum())
}

pub async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

pub async fn behave(house: &House, card: &str, behaviour: &str) {
    control(house, "card", json!({"payment_method": card, "behaviour": behaviour})).await;
}

/// Makes the second card of Harbor Recovery the default.
pub async fn other_card(house: &House) {
    let body = json!({"organizationId": world::HARBOR, "savedPaymentMethodId": card_of(world::HARBOR, 1)});
    house.put("/api/Subscriptions/savedPaymentMethods/default", body).by(world::OWNER).send().await.expect(200);
}

/// An event as the sandbox would send it.
pub fn event(id: &str, kind: &str, object: &str) -> Vec<u8> {
    let body = json!({"id": id, "object": "event", "type": kind, "created": 1, "data": {"object": {"id": object}}});
    body.to_string().into_bytes()
}

pub fn hook(house: &House, body: Vec<u8>, signature: &str) -> Ask {
    house.post("/api/Stripe/webhook", Value::Null).raw("application/json", body).header(SIGNATURE_HEADER, signature)
}

pub async fn deliver(house: &House, id: &str, kind: &str, object: &str) -> Answer {
    let body = event(id, kind, object);
    let secret = &house.app.payments.webhook_secrets()[0];
    let signature = sign(secret, &body, house.app.now().millis() / 1000);
    hook(house, body, &signature).send().await
}
