//! A sandbox account for tests, whose calls the judge checks.

use berth_stripe::judge::Judge;
use berth_stripe::sandbox::{MemoryStore, PUBLISHABLE_KEY, Sandbox, Seed};
use berth_stripe::{Client, NewCustomer};
use serde_json::{Value, json};

/// A fresh account with its judge.
pub struct Account {
    pub client: Client,
    pub sandbox: Sandbox,
    pub address: String,
    pub key: String,
    judge: Judge,
}

impl Drop for Account {
    fn drop(&mut self) {
        let verdict = self.judge.verdict();
        assert!(std::thread::panicking() || verdict.is_empty(), "{verdict:#?}");
    }
}

pub async fn account() -> Account {
    account_of(Box::new(MemoryStore::default()), &[]).await
}

pub async fn account_of(store: Box<dyn berth_stripe::sandbox::Store>, seed: &'static [Seed]) -> Account {
    use secrecy::ExposeSecret;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let judge = Judge::default();
    let sandbox = Sandbox::open_wrapped(store, seed, Some(judge.wrap()));
    let (client, address) = sandbox.start().await.unwrap();
    Account { client, address, key: sandbox.secret_key().expose_secret().to_owned(), sandbox, judge }
}

pub const ORGANIZATION: NewCustomer<'_> =
    NewCustomer { email: "owner@test.example", name: "Harbor & Söhne", organization_id: "o-1" };

impl Account {
    /// Sends a call without the client. Returns its status and answer.
    pub async fn raw(&self, key: &str, method: &str, path: &str, body: &str, more: &[(&str, &str)]) -> (u16, Value) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut request = http.request(method.parse().unwrap(), format!("{}{path}", self.address)).bearer_auth(key);
        if method == "POST" {
            request = request.header("content-type", "application/x-www-form-urlencoded").body(body.to_owned());
        }
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or(Value::Null))
    }

    pub async fn post(&self, path: &str, body: &str) -> (u16, Value) {
        self.raw(&self.key, "POST", path, body, &[]).await
    }

    /// Sends a command to the controls of the sandbox.
    pub async fn control(&self, path: &str, body: &Value) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let address = format!("{}/_sandbox/{path}", self.address);
        let answer = http.post(address).bearer_auth(&self.key).json(body).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 204, "{path}");
    }

    /// Plans what goes wrong next.
    pub async fn fault(&self, fault: Value) {
        self.control("fault", &fault).await;
    }

    /// Moves the clock forward.
    pub async fn advance(&self, seconds: i64) {
        self.control("clock", &json!({"advance": seconds})).await;
    }

    /// Creates a customer whose default card is this test card. Returns the ids of both.
    pub async fn customer_with(&self, test_card: &str) -> (String, String) {
        let customer = self.client.create_customer(&ORGANIZATION, &format!("customer-{test_card}")).await.unwrap();
        let card = self.client.attach(test_card, &customer.id, &format!("attach-{test_card}")).await.unwrap();
        self.client.set_default_payment_method(&customer.id, &card.id).await.unwrap();
        (customer.id, card.id)
    }

    /// What Stripe.js does with a typed card.
    pub async fn card(&self, number: &str) -> (u16, Value) {
        let body = format!("type=card&card[number]={number}&card[exp_month]=4&card[exp_year]=40&card[cvc]=123");
        self.raw(PUBLISHABLE_KEY, "POST", "/v1/payment_methods", &body, &[]).await
    }
}
