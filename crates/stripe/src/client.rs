//! How a call is sent and its answer read: address, API version, key, timeout, retry.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::{Host, Url};

use crate::form::Form;
use crate::{API_VERSION, ApiError, Error, Result};

/// Timeout of one attempt. All attempts together stay below the 30 seconds that a request to Berth may take.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Maximum number of attempts while the outcome of a call is unknown.
const ATTEMPTS: u32 = 2;
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(250);

/// A client of one account at Stripe, or of a sandbox. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: SecretString,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ApiError,
}

impl Client {
    /// Creates a client for `base`, such as `https://api.stripe.com`, with a secret key. The process must have
    /// installed its TLS provider.
    ///
    /// # Errors
    /// [`Error::Setup`] if `base` is not a URL, or if TLS cannot be used.
    pub fn open(base: &str, key: SecretString) -> Result<Self> {
        let url = Url::parse(base).map_err(|_| Error::Setup(format!("{base} is no address")))?;
        let mut builder = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(Policy::none())
            .user_agent(concat!("Berth/", env!("CARGO_PKG_VERSION")));
        if is_loopback_url(&url) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|_| {
            Error::Setup(
                "TLS cannot be used; are the system's root certificates (ca-certificates) installed?".to_owned(),
            )
        })?;
        Ok(Self { http, base: url.as_str().trim_end_matches('/').to_owned(), key })
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str, query: &Form) -> Result<T> {
        let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.encoded()) };
        self.call(Method::GET, &path, None, None).await
    }

    /// Sends a change. With an idempotency `key`, it takes effect once, however often it is sent.
    pub(crate) async fn post<T: DeserializeOwned>(&self, path: &str, form: &Form, key: Option<&str>) -> Result<T> {
        self.call(Method::POST, path, Some(form), key).await
    }

    pub(crate) async fn delete<T: DeserializeOwned>(&self, path: &str, form: &Form) -> Result<T> {
        self.call(Method::DELETE, path, Some(form), None).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        form: Option<&Form>,
        key: Option<&str>,
    ) -> Result<T> {
        // Without a key, a repeated change could take effect twice.
        let attempts = if key.is_some() || method == Method::GET { ATTEMPTS } else { 1 };
        for _ in 1..attempts {
            match self.attempt(method.clone(), path, form, key).await {
                Err(error) if error.is_outcome_unknown() => tokio::time::sleep(PAUSE).await,
                answer => return answer,
            }
        }
        self.attempt(method, path, form, key).await
    }

    async fn attempt<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        form: Option<&Form>,
        key: Option<&str>,
    ) -> Result<T> {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        request = request.bearer_auth(self.key.expose_secret()).header("Stripe-Version", API_VERSION);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(form) = form {
            // Stripe requires the content type even if there are no fields.
            request = request.header("Content-Type", "application/x-www-form-urlencoded").body(form.encoded());
        }
        let answer = request.send().await.map_err(|error| transport_error(&error))?;
        let status = answer.status();
        let bytes = answer.bytes().await.map_err(|error| transport_error(&error))?;
        read(status, &bytes)
    }
}

/// Reads an answer: the object, or Stripe's error.
fn read<T: DeserializeOwned>(status: StatusCode, bytes: &[u8]) -> Result<T> {
    if status.is_success() {
        return serde_json::from_slice(bytes).map_err(|error| Error::Unreadable(error.to_string()));
    }
    let body: Option<ErrorBody> = serde_json::from_slice(bytes).ok();
    // A proxy between us and Stripe may answer with a body of its own; its status still counts.
    let api_error = body.map_or_else(ApiError::default, |body| body.error);
    Err(Error::Api(Box::new(ApiError { status: status.as_u16(), ..api_error })))
}

/// Describes a transport error in our own words, since the error's own text may contain the address.
fn transport_error(error: &reqwest::Error) -> Error {
    Error::Unreachable(if error.is_timeout() {
        "no answer came in time"
    } else if error.is_connect() {
        "no connection"
    } else {
        "the connection broke"
    })
}

/// Returns true if a URL points to this machine.
fn is_loopback_url(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{StatusCode, read};
    use crate::{Customer, Error};

    #[test]
    fn a_rejection_keeps_what_stripe_said() {
        let body = br#"{"error": {"type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds",
            "message": "Your card has insufficient funds.", "param": "payment_method", "doc_url": "https://x.example"}}"#;
        let error = read::<Customer>(StatusCode::PAYMENT_REQUIRED, body).unwrap_err();
        let api_error = error.api_error().unwrap();
        assert_eq!((api_error.status, api_error.decline_code.as_deref()), (402, Some("insufficient_funds")));
        assert_eq!(error.card_sentence(), Some("Your card has insufficient funds."));
        assert!(!error.is_outcome_unknown());
    }

    #[test]
    fn an_outcome_is_unknown_only_if_the_call_may_have_taken_effect() {
        let of = |code: u16| read::<Customer>(StatusCode::from_u16(code).unwrap(), b"<html>").unwrap_err();
        for code in [409, 429, 500, 502, 503] {
            assert!(of(code).is_outcome_unknown(), "{code}");
        }
        for code in [400, 401, 402, 403, 404] {
            assert!(!of(code).is_outcome_unknown(), "{code}");
        }
        assert!(Error::Unreachable("no connection").is_outcome_unknown());
        assert!(read::<Customer>(StatusCode::OK, b"{}").unwrap_err().is_outcome_unknown(), "it may have happened");
    }
}
