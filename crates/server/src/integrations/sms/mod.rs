//! SMS: by Twilio, or by a webhook of the operator's own (guide messages 3).

pub(crate) mod inbound;
pub mod stops;
pub mod twilio;
pub mod webhook;

pub use inbound::PATH as INBOUND_PATH;

use std::time::Duration;

use anyhow::Context;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use secrecy::ExposeSecret;
use url::{Host, Url};

use self::twilio::Twilio;
use self::webhook::Webhook;
use crate::jobs::outbox::{Failed, Sender};
use crate::settings::{Settings, SmsProvider};

/// How long a message may take; the lease of a batch counts on it.
const PATIENCE: Duration = Duration::from_secs(10);
/// The shortest key of a webhook's signature, in characters.
const SECRET_LENGTH: usize = 16;

/// Checks the settings of SMS.
///
/// # Errors
/// A sentence that names the setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    match settings.sms_provider {
        None => {
            let lonely = settings.twilio_account_sid.is_some()
                || settings.twilio_auth_token.is_some()
                || settings.sms_webhook_url.is_some();
            anyhow::ensure!(!lonely, "sms_provider is missing: twilio or webhook; without it no SMS leaves");
        }
        Some(SmsProvider::Twilio) => {
            let account = settings.twilio_account_sid.as_deref().context("twilio_account_sid is missing")?;
            let is_plain = !account.is_empty() && account.chars().all(|character| character.is_ascii_alphanumeric());
            anyhow::ensure!(is_plain, "twilio_account_sid: letters and digits only, as in the console of Twilio");
            // Answers are signed with it: with an empty one everybody could sign them.
            let token = settings.twilio_auth_token.as_ref().map_or("", |token| token.expose_secret().trim());
            anyhow::ensure!(!token.is_empty(), "twilio_auth_token is missing");
            anyhow::ensure!(
                settings.twilio_from.is_some() != settings.twilio_messaging_service.is_some(),
                "set either twilio_from or twilio_messaging_service"
            );
            confidential("twilio_base_url", &settings.twilio_base_url)?;
        }
        Some(SmsProvider::Webhook) => {
            let address = settings.sms_webhook_url.as_deref().context("sms_webhook_url is missing")?;
            confidential("sms_webhook_url", address)?;
            let secret = settings.sms_webhook_secret.as_ref().context("sms_webhook_secret is missing")?;
            anyhow::ensure!(
                secret.expose_secret().chars().count() >= SECRET_LENGTH,
                "sms_webhook_secret must have at least {SECRET_LENGTH} characters"
            );
        }
    }
    Ok(())
}

/// The provider of the settings; none if there is none. The process must have its TLS provider by now.
///
/// # Errors
/// A sentence that names the setting.
pub fn open(settings: &Settings) -> anyhow::Result<Option<Box<dyn Sender>>> {
    Ok(match settings.sms_provider {
        None => None,
        Some(SmsProvider::Twilio) => Some(Box::new(Twilio::open(settings)?)),
        Some(SmsProvider::Webhook) => Some(Box::new(Webhook::open(settings)?)),
    })
}

/// An address that sign-in codes may travel to: https, or this machine.
fn confidential(name: &str, text: &str) -> anyhow::Result<Url> {
    let url = Url::parse(text).with_context(|| format!("{name}: {text} is no address"))?;
    let is_here = match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let fits = url.scheme() == "https" || (url.scheme() == "http" && is_here);
    anyhow::ensure!(fits, "{name} must begin with https://, since sign-in codes travel there");
    Ok(url)
}

/// One client: it follows no redirect, which would carry a message to an address that nobody has set.
fn client() -> anyhow::Result<Client> {
    Client::builder()
        .timeout(PATIENCE)
        .redirect(Policy::none())
        .user_agent(concat!("Berth/", env!("CARGO_PKG_VERSION")))
        .build()
        .context("TLS cannot be used; are the system's root certificates (ca-certificates) installed?")
}

/// What an answer means: 4xx is the message's own fault and stays so, but for 429; anything else may pass.
///
/// # Errors
/// When the message was not taken.
fn judge(status: StatusCode, detail: &str) -> Result<(), Failed> {
    let code = status.as_u16();
    if status.is_success() {
        Ok(())
    } else if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
        Err(Failed::ForGood(format!("the SMS provider refused the message ({code}{detail})")))
    } else {
        Err(Failed::ForNow(format!("the SMS provider cannot take the message now ({code}{detail})")))
    }
}

/// What went wrong on the way, in our words: an error's own may name the address, which can hold a secret.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn on_the_way(error: reqwest::Error) -> Failed {
    let why = if error.is_timeout() {
        "the SMS provider did not answer in time"
    } else if error.is_connect() {
        "the SMS provider cannot be reached"
    } else {
        "the connection to the SMS provider broke"
    };
    Failed::ForNow(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{StatusCode, confidential, judge};
    use crate::jobs::outbox::Failed;

    #[test]
    fn four_hundreds_are_final_but_429_and_the_rest_is_tried_again() {
        let of = |code: u16| judge(StatusCode::from_u16(code).unwrap(), "");
        assert!(of(200).is_ok() && of(201).is_ok());
        for code in [400, 401, 404, 422] {
            assert!(matches!(of(code), Err(Failed::ForGood(_))), "{code}");
        }
        for code in [301, 429, 500, 503] {
            assert!(matches!(of(code), Err(Failed::ForNow(_))), "{code}");
        }
    }

    #[test]
    fn codes_travel_over_https_or_stay_on_this_machine() {
        for address in ["https://sms.test.example/in", "http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/"]
        {
            assert!(confidential("sms_webhook_url", address).is_ok(), "{address}");
        }
        for address in ["http://sms.test.example/in", "http://127.0.0.1.test.example/", "ftp://localhost/", "here"] {
            assert!(confidential("sms_webhook_url", address).is_err(), "{address}");
        }
    }
}
