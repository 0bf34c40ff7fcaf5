//! SMS by Twilio's Messages resource: `POST /2010-04-01/Accounts/{sid}/Messages.json`, basic auth, a form.

use std::collections::BTreeSet;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Client;
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::inbound::{PATH, Reply};
use super::{check_status, client, parse_secure_url, transport_failure};
use crate::jobs::outbox::{Outgoing, SendError, Sender, Sending};
use crate::settings::Settings;

/// The header with the signature of requests from Twilio.
pub(super) const SIGNATURE: &str = "x-twilio-signature";

/// Reads a reply to a text message, a form that Twilio posts to one of our origins. Returns `None` if it is not signed
/// with the account's token.
pub(super) fn read_reply(settings: &Settings, signature: &str, body: &[u8]) -> Option<Reply> {
    let token = settings.twilio_auth_token.as_ref()?;
    let signature = STANDARD.decode(signature).ok()?;
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.expose_secret().as_bytes());
    let fields: BTreeSet<(String, String)> = url::form_urlencoded::parse(body).into_owned().collect();
    let signed = |origin: &String| hmac::verify(&key, signed_text(origin, &fields).as_bytes(), &signature).is_ok();
    if !settings.origins.iter().any(signed) {
        return None;
    }
    let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    // Set if Twilio has recognized STOP or START itself.
    let text = field("OptOutType").filter(|word| !word.is_empty()).or_else(|| field("Body"));
    Some(Reply { from: field("From").unwrap_or_default(), text: text.unwrap_or_default() })
}

/// Returns the text that Twilio signs: the URL, then name and value of each field, sorted.
fn signed_text(origin: &str, fields: &BTreeSet<(String, String)>) -> String {
    fields.iter().fold(format!("{origin}{PATH}"), |text, (name, value)| text + name + value)
}

/// An account at Twilio.
pub struct Twilio {
    client: Client,
    address: String,
    account: String,
    token: SecretString,
    /// `From` or `MessagingServiceSid`, and its value.
    origin: (&'static str, String),
}

/// The part of Twilio's errors that may be stored. The error's text is left out, because it can contain the recipient's
/// phone.
#[derive(Deserialize)]
struct Problem {
    code: i64,
}

impl Twilio {
    /// Opens the account of the settings.
    ///
    /// # Errors
    /// A message that names the wrong setting.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let base = parse_secure_url("twilio_base_url", &settings.twilio_base_url)?;
        let account = settings.twilio_account_sid.clone().context("twilio_account_sid is missing")?;
        let origin = match (&settings.twilio_messaging_service, &settings.twilio_from) {
            (Some(service), _) => ("MessagingServiceSid", service.clone()),
            (None, Some(from)) => ("From", from.clone()),
            (None, None) => anyhow::bail!("set either twilio_from or twilio_messaging_service"),
        };
        Ok(Self {
            client: client()?,
            address: format!("{}/2010-04-01/Accounts/{account}/Messages.json", base.as_str().trim_end_matches('/')),
            account,
            token: settings.twilio_auth_token.clone().context("twilio_auth_token is missing")?,
            origin,
        })
    }

    async fn post(&self, message: &Outgoing) -> Result<(), SendError> {
        let (name, origin) = &self.origin;
        let form = [("To", message.recipient.as_str()), (*name, origin.as_str()), ("Body", message.body.as_str())];
        let answer = self
            .client
            .post(&self.address)
            .basic_auth(&self.account, Some(self.token.expose_secret()))
            .form(&form)
            .send()
            .await
            .map_err(transport_failure)?;
        let status = answer.status();
        let detail = if status.is_success() {
            String::new()
        } else {
            answer.json().await.map_or_else(|_| String::new(), |Problem { code }| format!(", Twilio's error {code}"))
        };
        check_status(status, &detail)
    }
}

impl Sender for Twilio {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(self.post(message))
    }
}

#[cfg(test)]
mod tests {
    use super::{BTreeSet, Settings, hmac, read_reply, signed_text};
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    /// The example of Twilio's own libraries: a known token, address, form and signature.
    #[test]
    fn the_signature_matches_twilios_example() {
        let fields: BTreeSet<(String, String)> = [
            ("CallSid", "CA1234567890ABCDE"),
            ("Caller", "+14158675309"),
            ("Digits", "1234"),
            ("From", "+14158675309"),
            ("To", "+18005551212"),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        let text = signed_text("", &fields);
        let text = text.replacen(super::PATH, "https://mycompany.com/myapp.php?foo=1&bar=2", 1);
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"12345");
        assert_eq!(STANDARD.encode(hmac::sign(&key, text.as_bytes())), "RSOYDt4T1cUTdK1PDd93/VVr8B8=");
    }

    #[test]
    fn without_a_token_no_reply_is_accepted() {
        assert_eq!(read_reply(&Settings::default(), "", b"From=%2B17145550100&Body=STOP"), None);
    }
}
