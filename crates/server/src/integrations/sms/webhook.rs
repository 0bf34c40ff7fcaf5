//! Sends SMS by the operator's own webhook: a signed `POST` with `{"id", "to", "body", "createdAt"}` as JSON.
//!
//! `Berth-Signature: sha256=…` is the HMAC-SHA-256 of the request's body, in hex; its key is `sms_webhook_secret`.
//! Replies to text messages come back signed in the same way. `id` is the same at each attempt, so that a receiver can
//! recognize repetitions.

use anyhow::Context;
use berth_domain::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use super::inbound::Reply;
use super::{check_status, client, parse_secure_url, transport_failure};
use crate::jobs::outbox::{Outgoing, SendError, Sender, Sending};
use crate::settings::Settings;

/// The header with the signature.
pub const SIGNATURE: &str = "berth-signature";

/// The operator's webhook, which sends SMS.
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

/// A reply to a text message, as the operator's service forwards it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ForwardedReply {
    from: String,
    body: String,
    created_at: Timestamp,
}

/// Maximum difference between the time in a signed reply and ours, in milliseconds. It limits replays.
const MAX_AGE_MILLIS: u64 = 300_000;

/// Reads a reply to a text message. Returns `None` if it is not signed with the webhook's secret, is not
/// `{"from", "body", "createdAt"}`, or was not signed within five minutes of `now`.
pub(super) fn read_reply(settings: &Settings, signature: &str, body: &[u8], now: Timestamp) -> Option<Reply> {
    let secret = settings.sms_webhook_secret.as_ref()?;
    let signature = hex::decode(signature.strip_prefix("sha256=")?).ok()?;
    mac(secret.expose_secret().as_bytes(), body).verify_slice(&signature).ok()?;
    let ForwardedReply { from, body, created_at } = serde_json::from_slice(body).ok()?;
    let is_fresh = created_at.millis().abs_diff(now.millis()) <= MAX_AGE_MILLIS;
    is_fresh.then_some(Reply { from, text: body })
}

impl Webhook {
    /// Opens the webhook of the settings.
    ///
    /// # Errors
    /// A message that names the wrong setting.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let address = settings.sms_webhook_url.as_deref().context("sms_webhook_url is missing")?;
        Ok(Self {
            client: client()?,
            address: parse_secure_url("sms_webhook_url", address)?.into(),
            secret: settings.sms_webhook_secret.clone().context("sms_webhook_secret is missing")?,
        })
    }

    async fn post(&self, message: &Outgoing) -> Result<(), SendError> {
        let call =
            Call { id: message.id.0, to: &message.recipient, body: &message.body, created_at: message.written_at() };
        let unmade = |_| SendError::Permanent("no call could be made of this message".to_owned());
        let body = serde_json::to_vec(&call).map_err(unmade)?;
        let answer = self
            .client
            .post(&self.address)
            .header(CONTENT_TYPE, "application/json")
            .header(SIGNATURE, sign(self.secret.expose_secret().as_bytes(), &body))
            .body(body)
            .send()
            .await
            .map_err(transport_failure)?;
        check_status(answer.status(), "")
    }
}

impl Sender for Webhook {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(self.post(message))
    }
}

/// Returns the value of the signature header for a body.
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
    fn the_signature_matches_rfc_4231() {
        assert_eq!(
            sign(b"Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
