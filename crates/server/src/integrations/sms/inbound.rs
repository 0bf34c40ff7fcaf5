//! Answers to text messages: STOP ends the texts to a phone, START begins them again. The provider passes them on, and its signature
//! is the only authentication (docs/decisions/0052).

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use berth_domain::message::OptOut;
use berth_domain::time::Timestamp;
use berth_domain::value::Phone;

use super::{stops, twilio, webhook};
use crate::admin::audit_log::Author;
use crate::http::body;
use crate::http::requester::Requester;
use crate::settings::{Settings, SmsProvider};
use crate::{App, Error, Result};

/// Where the provider sends the answers to: this path behind the server's origin.
pub const PATH: &str = "/api/sms/inbound";

/// An answer to a text message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The phone, as the provider writes it.
    pub from: String,
    /// The text, or the word that the provider has read from it.
    pub text: String,
}

/// What Twilio reads as "send no reply".
const NO_REPLY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response></Response>";

/// Receives the answer to a text message from the SMS provider of the settings: a form with `X-Twilio-Signature`, or `{"from", "body", "createdAt"}`
/// as JSON with `Berth-Signature`, at most five minutes old. STOP, ALTO and the like end text messages to that phone, except codes that it asks for; START begins
/// them again. Any other text is ignored. 400 if the signature is wrong or too old; 404 without a provider.
#[utoipa::path(post, path = "/api/sms/inbound", tag = "Public",
    params(("X-Twilio-Signature" = Option<String>, Header, description = "Twilio's signature"),
        ("Berth-Signature" = Option<String>, Header, description = "of the body, for the provider `webhook`: sha256=…")),
    request_body(content = String, content_type = "application/x-www-form-urlencoded", description = "the answer"),
    responses((status = 200, description = "read", body = String, content_type = "text/xml")))]
pub async fn receive(State(app): State<App>, requester: Requester, request: Request) -> Result<Response> {
    let headers = request.headers().clone();
    let bytes = body::raw(request, &()).await?;
    let Some(answer) = read(&app.settings, &headers, &bytes, app.now())? else {
        if let Some(count) = app.rejected_answers.count(app.now()) {
            tracing::warn!(count, "an answer to a text message is not accepted: its signature is wrong or too old");
        }
        return Err(Error::Unreadable("The signature of this event is not valid.".to_owned()));
    };
    if let (Some(word), Ok(phone)) = (OptOut::read(&answer.text), Phone::parse(&answer.from)) {
        let person = app.persons.key(&app).await?.phone(phone.as_str());
        let by = Author::stranger(&requester);
        berth_db::retry(|| stops::change(&app, &by, &person, word)).await?;
    }
    Ok(([(header::CONTENT_TYPE, "text/xml")], NO_REPLY).into_response())
}

/// Reads an answer. `None` if the signature is wrong, or too old where it tells its time.
///
/// # Errors
/// 404 without a provider.
fn read(settings: &Settings, headers: &HeaderMap, bytes: &[u8], now: Timestamp) -> Result<Option<Answer>> {
    let signature = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match settings.sms_provider {
        None => Err(Error::NotFound),
        Some(SmsProvider::Twilio) => Ok(twilio::read_answer(settings, signature(twilio::SIGNATURE), bytes)),
        Some(SmsProvider::Webhook) => Ok(webhook::read_answer(settings, signature(webhook::SIGNATURE), bytes, now)),
    }
}
