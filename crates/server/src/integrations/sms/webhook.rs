//! SMS by a webhook of the operator's own: `POST` of `{"id", "to", "body", "createdAt"}` as JSON, signed.
//!
//! `Berth-Signature: sha256=…` is the HMAC-SHA-256 of the request's body, byte for byte, in hex; its key is
//! `sms_webhook_secret`. Answers to texts come back signed in the same way. `id` is the same at each attempt, so a receiver can tell a repetition.

use anyhow::Context;
use berth_domain::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use super::inbound::Answer;
use super::{client, confidential, judge, on_the_way};
use crate::jobs::outbox::{Failed, Outgoing, Sender, Sending};
use crate::settings::Settings;

/// The header of the signature.
pub const SIGNATURE: &str = "berth-signature";

/// An address of the operator's that sends SMS.
pub struct Webhook {
    client: Client,
    address: String,
    secret: SecretString,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Call<'a> {
    id: Uuid,
    to: &'a str,
    body: &'a str,
    created_at: Timestamp,
}

/// An answer to a text message, as the operator's sender passes it on.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Passed {
    from: String,
    body: String,
    created_at: Timestamp,
}

/// How far the time in a signed answer may be from ours, in milliseconds. Later nobody can send it again.
const TOLERANCE: u64 = 300_000;

/// Reads the answer to a text message. `None` if it is not signed with the webhook's secret, is not `{"from", "body", "createdAt"}`, or was
/// not signed within five minutes of `now`.
pub(super) fn read_answer(settings: &Settings, signature: &str, body: &[u8], now: Timestamp) -> Option<Answer> {
    let secret = settings.sms_webhook_secret.as_ref()?;
    let signature = hex::decode(signature.strip_prefix("sha256=")?).ok()?;
    mac(secret.expose_secret().as_bytes(), body).verify_slice(&signature).ok()?;
    let Passed { from, body, created_at } = serde_json::from_slice(body).ok()?;
    let is_fresh = created_at.millis().abs_diff(now.millis()) <= TOLERANCE;
    is_fresh.then_some(Answer { from, text: body })
}

impl Webhook {
    /// The webhook of the settings.
    ///
    /// # Errors
    /// A sentence that names the setting.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let address = settings.sms_webhook_url.as_deref().context("sms_webhook_url is missing")?;
        Ok(Self {
            client: client()?,
            address: confidential("sms_webhook_url", address)?.into(),
            secret: settings.sms_webhook_secret.clone().context("sms_webhook_secret is missing")?,
        })
    }

    async fn post(&self, message: &Outgoing) -> Result<(), Failed> {
        let call =
            Call { id: message.id.0, to: &message.recipient, body: &message.body, created_at: message.written_at() };
        let unmade = |_| Failed::ForGood("no call could be made of this message".to_owned());
        let body = serde_json::to_vec(&call).map_err(unmade)?;
        let answer = self
            .client
            .post(&self.address)
            .header(CONTENT_TYPE, "application/json")
            .header(SIGNATURE, sign(self.secret.expose_secret().as_bytes(), &body))
            .body(body)
            .send()
            .await
            .map_err(on_the_way)?;
        judge(answer.status(), "")
    }
}

impl Sender for Webhook {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(self.post(message))
    }
}

/// The signature of a body, as the header carries it.
fn sign(secret: &[u8], body: &[u8]) -> String {
    format!("sha256={}", hex::encode(mac(secret, body).finalize().into_bytes()))
}

/// # Panics
/// Never: HMAC takes keys of any length.
fn mac(secret: &[u8], body: &[u8]) -> Hmac<Sha256> {
    let mut hmac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    hmac.update(body);
    hmac
}

#[cfg(test)]
mod tests {
    use super::sign;

    #[test]
    fn the_signature_is_that_of_rfc_4231() {
        assert_eq!(
            sign(b"Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
