//! SMS by Twilio's Messages resource: `POST /2010-04-01/Accounts/{sid}/Messages.json`, basic auth, a form.

use anyhow::Context;
use reqwest::Client;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::{client, confidential, judge, on_the_way};
use crate::jobs::outbox::{Failed, Outgoing, Sender, Sending};
use crate::settings::Settings;

/// An account at Twilio.
pub struct Twilio {
    client: Client,
    address: String,
    account: String,
    token: SecretString,
    /// `From` or `MessagingServiceSid`, and its value.
    origin: (&'static str, String),
}

/// The part of Twilio's errors that may be kept: its text can name the recipient.
#[derive(Deserialize)]
struct Problem {
    code: i64,
}

impl Twilio {
    /// The account of the settings.
    ///
    /// # Errors
    /// A sentence that names the setting.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let base = confidential("twilio_base_url", &settings.twilio_base_url)?;
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

    async fn post(&self, message: &Outgoing) -> Result<(), Failed> {
        let (name, origin) = &self.origin;
        let form = [("To", message.recipient.as_str()), (*name, origin.as_str()), ("Body", message.body.as_str())];
        let answer = self
            .client
            .post(&self.address)
            .basic_auth(&self.account, Some(self.token.expose_secret()))
            .form(&form)
            .send()
            .await
            .map_err(on_the_way)?;
        let status = answer.status();
        let detail = if status.is_success() {
            String::new()
        } else {
            answer.json().await.map_or_else(|_| String::new(), |Problem { code }| format!(", Twilio's error {code}"))
        };
        judge(status, &detail)
    }
}

impl Sender for Twilio {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(self.post(message))
    }
}
