//! A test browser: it keeps the cookies that responses set, sends them again, and has one address.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use serde_json::{Value, json};

use crate::harness::{Answer, Ask, House};
use crate::world;

/// The cookie of a session.
pub const SESSION: &str = "__Host-berth";
/// The cookie of a first step.
pub const STEP: &str = "__Host-berth-step";
/// The cookie of a known device.
pub const DEVICE: &str = "__Host-berth-device";

/// A browser with its cookies.
#[derive(Debug, Clone)]
pub struct Browser {
    cookies: BTreeMap<String, String>,
    address: Ipv4Addr,
}

impl Browser {
    /// A new browser, at an address of the network 100.64.0.0/10.
    pub fn at(number: u32) -> Self {
        Self { cookies: BTreeMap::new(), address: address(number) }
    }

    /// The value of a cookie, if it is set.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Sets a cookie, for example one of another browser.
    pub fn set(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Makes a call with the cookies, and keeps what the answer sets.
    pub async fn send(&mut self, ask: Ask) -> Answer {
        let jar: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut ask = ask.from(self.address).header("x-berth", "1");
        if !jar.is_empty() {
            ask = ask.header("cookie", &jar.join("; "));
        }
        let answer = ask.send().await;
        for name in [SESSION, STEP, DEVICE] {
            match answer.cookie(name) {
                Some(value) if value.is_empty() => drop(self.cookies.remove(name)),
                Some(value) => drop(self.cookies.insert(name.to_owned(), value)),
                None => {}
            }
        }
        answer
    }

    /// The first factor.
    pub async fn password(&mut self, house: &House, email: &str, password: &str) -> Answer {
        let fields = [("grant_type", "password"), ("username", email), ("password", password), ("session", "cookie")];
        self.send(house.form("/connect/token", &fields)).await
    }

    /// Asks for a code.
    pub async fn challenge(&mut self, house: &House, body: Value) -> Answer {
        self.send(house.post("/api/Users/phone/challenge", body)).await
    }

    /// The second factor.
    pub async fn exchange(&mut self, house: &House, otp: &str) -> Answer {
        let fields = [("grant_type", "two_factor_exchange"), ("otp", otp), ("session", "cookie")];
        self.send(house.form("/connect/token", &fields)).await
    }

    /// A complete sign-in of a user of the test world.
    pub async fn sign_in(&mut self, house: &House, email: &str) {
        let phone = world::PEOPLE.iter().find(|person| person.1 == email).unwrap().3;
        self.password(house, email, world::PASSWORD).await.expect(200);
        self.challenge(house, json!({})).await.expect(200);
        let otp = code_to(house, phone).await;
        self.exchange(house, &otp).await.expect(200);
    }
}

/// The `number`-th address of a large network.
pub fn address(number: u32) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(100, 64, 0, 0)) + number)
}

/// The newest code that was sent to a phone.
pub async fn code_to(house: &House, phone: &str) -> String {
    let messages = house.outbox().await;
    let (_, _, text) = messages.iter().find(|(channel, to, _)| channel == "sms" && to == phone).expect("a code");
    text.chars().take(6).collect()
}
