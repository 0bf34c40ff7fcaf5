//! Cards for the tests: rows that match the sandbox's initial data (see `harness`), and the steps of a browser.

use berth_domain::id::{OrganizationId, SavedCardId};
use berth_server::App;
use berth_stripe::sandbox::PUBLISHABLE_KEY;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Ask, House};
use crate::world;

/// The path of the cards.
pub const CARDS: &str = "/api/Subscriptions/savedPaymentMethods";

/// The id of the `number`-th card that [`rows`] adds to an organization.
pub const fn card_of(organization: OrganizationId, number: u128) -> SavedCardId {
    SavedCardId(Uuid::from_u128(organization.0.as_u128() + 0x1000 * (number + 1)))
}

/// Customers and cards as if they had been saved, also of an organization that is no longer commercial.
pub async fn rows(house: &House) {
    add_rows(&house.app).await;
}

/// Like [`rows`], before there is a router.
pub async fn add_rows(app: &App) {
    const CUSTOMER: &str = "INSERT INTO billing_customers (organization_id, attempt, email, name, stripe_id, created_at) \
        VALUES ($1, $1, 'x@test.example', 'X', $2, $3)";
    const CARD: &str = "INSERT INTO saved_cards (id, organization_id, payment_method, brand, last_four, expiry_month, \
        expiry_year, is_default, created_at) VALUES ($1, $2, $3, $4, $5, 4, 2040, $6, $7)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for (organization, name) in
        [(world::HARBOR, "harbor"), (world::FOREIGN, "foreign"), (world::OPEN_HANDS, "open_hands")]
    {
        let customer = tx.query(CUSTOMER).bind(organization).bind(format!("cus_{name}"));
        customer.bind(now).execute().await.unwrap();
        for (number, brand, last_four) in [(0, "visa", "4242"), (1, "mastercard", "4444")] {
            let card = tx.query(CARD).bind(card_of(organization, number)).bind(organization);
            let card = card.bind(format!("pm_{name}{number}")).bind(brand).bind(last_four).bind(number == 0);
            card.bind(now).execute().await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}

/// The cards of Harbor Recovery, as its owner sees them.
pub async fn listed(house: &House) -> Vec<Value> {
    let path = format!("{CARDS}?organizationId={}", world::HARBOR);
    house.get(&path).by(world::OWNER).send().await.expect(200).as_array().unwrap().clone()
}

/// Returns "brand digits" of each card, the default with a star.
pub async fn summaries(house: &House) -> Vec<String> {
    let star = |card: &Value| if card["isDefault"] == true { "*" } else { "" };
    let word = |card: &Value, name: &str| card[name].as_str().unwrap().to_owned();
    let cards = listed(house).await;
    cards.iter().map(|card| format!("{} {}{}", word(card, "brand"), word(card, "lastFourDigits"), star(card))).collect()
}

/// Asks to save a card of Harbor Recovery.
pub fn add(house: &House, card: &str, email: Option<&str>) -> Ask {
    let mut body = json!({"externalSavedPaymentMethodId": card, "organizationId": world::HARBOR});
    if let Some(email) = email {
        body["email"] = json!(email);
    }
    house.post(CARDS, body).by(world::OWNER)
}

/// Asks for a secret to set up a card of Harbor Recovery.
pub fn setup(house: &House, email: Option<&str>) -> Ask {
    let mut body = json!({"organizationId": world::HARBOR});
    if let Some(email) = email {
        body["email"] = json!(email);
    }
    house.post("/api/Stripe/setup-intent", body).by(world::OWNER)
}

/// Sends a call to our own address, as our replacement for Stripe.js does.
pub async fn browser(house: &House, path: &str, fields: &[(&str, &str)]) -> Answer {
    let ask = house.form(&format!("/dev/stripe{path}"), fields);
    ask.header("authorization", &format!("Bearer {PUBLISHABLE_KEY}")).send().await
}

/// Calls a control endpoint of the sandbox, which only its own listener serves.
pub async fn control(house: &House, path: &str, body: Value) {
    use secrecy::ExposeSecret;
    let (address, key) = house.app.payments.sandbox_address().await.unwrap().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let call = http.post(format!("{address}/_sandbox/{path}")).bearer_auth(key.expose_secret()).json(&body);
    assert_eq!(call.send().await.unwrap().status().as_u16(), 204, "{path}");
}

/// Makes the next calls of an operation fail.
pub async fn fault(house: &House, operation: &str, when: &str, times: u32) {
    control(house, "fault", json!({"operation": operation, "when": when, "times": times})).await;
}
