//! Sends SMS by Twilio or by the operator's own webhook (guide messages 3).

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
use crate::jobs::outbox::{SendError, Sender};
use crate::settings::{Settings, SmsProvider};

/// Timeout for sending one message. The lease of the outbox relies on it.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Minimum length of a webhook's signing key, in characters.
const MIN_SECRET_CHARS: usize = 16;

/// Checks the settings of SMS.
///
/// # Errors
/// A message that names the wrong setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    match settings.sms_provider {
        None => {
            let has_provider_settings = settings.twilio_account_sid.is_some()
                || settings.twilio_auth_token.is_some()
                || settings.sms_webhook_url.is_some();
            anyhow::ensure!(
                !has_provider_settings,
                "sms_provider is missing: twilio or webhook; without it no SMS leaves"
            );
        }
        Some(SmsProvider::Twilio) => {
            let account = settings.twilio_account_sid.as_deref().context("twilio_account_sid is missing")?;
            let is_plain = !account.is_empty() && account.chars().all(|character| character.is_ascii_alphanumeric());
            anyhow::ensure!(is_plain, "twilio_account_sid: letters and digits only, as in the console of Twilio");
            // Replies are signed with it: with an empty token anyone could sign them.
            let token = settings.twilio_auth_token.as_ref().map_or("", |token| token.expose_secret().trim());
            anyhow::ensure!(!token.is_empty(), "twilio_auth_token is missing");
            anyhow::ensure!(
                settings.twilio_from.is_some() != settings.twilio_messaging_service.is_some(),
                "set either twilio_from or twilio_messaging_service"
            );
            parse_secure_url("twilio_base_url", &settings.twilio_base_url)?;
        }
        Some(SmsProvider::Webhook) => {
            let address = settings.sms_webhook_url.as_deref().context("sms_webhook_url is missing")?;
            parse_secure_url("sms_webhook_url", address)?;
            let secret = settings.sms_webhook_secret.as_ref().context("sms_webhook_secret is missing")?;
            anyhow::ensure!(
                secret.expose_secret().chars().count() >= MIN_SECRET_CHARS,
                "sms_webhook_secret must have at least {MIN_SECRET_CHARS} characters"
            );
        }
    }
    Ok(())
}

/// Opens the configured provider; returns `None` if none is configured. The process must have installed its TLS
/// provider.
///
/// # Errors
/// A message that names the wrong setting.
pub fn open(settings: &Settings) -> anyhow::Result<Option<Box<dyn Sender>>> {
    Ok(match settings.sms_provider {
        None => None,
        Some(SmsProvider::Twilio) => Some(Box::new(Twilio::open(settings)?)),
        Some(SmsProvider::Webhook) => Some(Box::new(Webhook::open(settings)?)),
    })
}

/// Parses a URL to which sign-in codes may be sent: https, or this machine.
fn parse_secure_url(name: &str, text: &str) -> anyhow::Result<Url> {
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

/// Creates an HTTP client. It follows no redirects, which could send a message to an address that is not configured.
fn client() -> anyhow::Result<Client> {
    Client::builder()
        .timeout(SEND_TIMEOUT)
        .redirect(Policy::none())
        .user_agent(concat!("Berth/", env!("CARGO_PKG_VERSION")))
        .build()
        .context("TLS cannot be used; are the system's root certificates (ca-certificates) installed?")
}

/// Checks the status of an answer. 4xx except 429 is a permanent failure; any other failure is temporary.
fn check_status(status: StatusCode, detail: &str) -> Result<(), SendError> {
    let code = status.as_u16();
    if status.is_success() {
        Ok(())
    } else if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
        Err(SendError::Permanent(format!("the SMS provider refused the message ({code}{detail})")))
    } else {
        Err(SendError::Temporary(format!("the SMS provider cannot take the message now ({code}{detail})")))
    }
}

/// Returns the failure for a transport error. The error's own text is left out, because it can contain the URL, which
/// may hold a secret.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn transport_failure(error: reqwest::Error) -> SendError {
    let why = if error.is_timeout() {
        "the SMS provider did not answer in time"
    } else if error.is_connect() {
        "the SMS provider cannot be reached"
    } else {
        "the connection to the SMS provider broke"
    };
    SendError::Temporary(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{StatusCode, check_status, parse_secure_url};
    use crate::jobs::outbox::SendError;

    #[test]
    fn client_errors_except_429_are_permanent() {
        let of = |code: u16| check_status(StatusCode::from_u16(code).unwrap(), "");
        assert!(of(200).is_ok() && of(201).is_ok());
        for code in [400, 401, 404, 422] {
            assert!(matches!(of(code), Err(SendError::Permanent(_))), "{code}");
        }
        for code in [301, 429, 500, 503] {
            assert!(matches!(of(code), Err(SendError::Temporary(_))), "{code}");
        }
    }

    #[test]
    fn codes_are_sent_over_https_or_to_this_machine() {
        for address in ["https://sms.test.example/in", "http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/"]
        {
            assert!(parse_secure_url("sms_webhook_url", address).is_ok(), "{address}");
        }
        for address in ["http://sms.test.example/in", "http://127.0.0.1.test.example/", "ftp://localhost/", "here"] {
            assert!(parse_secure_url("sms_webhook_url", address).is_err(), "{address}");
        }
    }
}
