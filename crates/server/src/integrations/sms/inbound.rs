//! Receives replies to text messages: STOP opts a phone out, START opts it in again. The SMS provider forwards them,
//! and its signature is the only authentication (docs/decisions/0052).

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

/// The path to which the SMS provider forwards replies.
pub const PATH: &str = "/api/sms/inbound";

/// A reply to a text message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reply {
    /// The sender's phone, in the provider's format.
    pub from: String,
    /// The text, or the keyword that the provider recognized in it.
    pub text: String,
}

/// The response that makes Twilio send no message back.
const NO_REPLY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response></Response>";

/// Receives a reply to a text message from the configured SMS provider: a form with `X-Twilio-Signature`, or JSON
/// `{"from", "body", "createdAt"}` with `Berth-Signature`, at most five minutes old. STOP, ALTO and similar words end
/// text messages to that phone, except requested codes; START allows them again. Any other text is ignored. 400 if the
/// signature is wrong or too old; 404 if no SMS provider is configured.
#[utoipa::path(post, path = "/api/sms/inbound", tag = "Public",
    params(("X-Twilio-Signature" = Option<String>, Header, description = "Twilio's signature"),
        ("Berth-Signature" = Option<String>, Header, description = "signature of the body, for the provider `webhook`: sha256=…")),
    request_body(content = String, content_type = "application/x-www-form-urlencoded", description = "the reply"),
    responses((status = 200, description = "read", body = String, content_type = "text/xml")))]
pub async fn receive(State(app): State<App>, requester: Requester, request: Request) -> Result<Response> {
    let headers = request.headers().clone();
    let bytes = body::raw(request, &()).await?;
    let Some(reply) = read(&app.settings, &headers, &bytes, app.now())? else {
        if let Some(count) = app.rejected_answers.count(app.now()) {
            tracing::warn!(count, "rejected a reply to a text message: its signature is wrong or too old");
        }
        return Err(Error::Unreadable("The signature of this event is not valid.".to_owned()));
    };
    if let (Some(word), Ok(phone)) = (OptOut::read(&reply.text), Phone::parse(&reply.from)) {
        let person = app.persons.key(&app).await?.phone(phone.as_str());
        stops::store(&app, Author::stranger(&requester), &person, word).await?;
    }
    Ok(([(header::CONTENT_TYPE, "text/xml")], NO_REPLY).into_response())
}

/// Reads a reply. Returns `None` if the signature is wrong or too old.
///
/// # Errors
/// 404 if no SMS provider is configured.
fn read(settings: &Settings, headers: &HeaderMap, bytes: &[u8], now: Timestamp) -> Result<Option<Reply>> {
    let signature = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match settings.sms_provider {
        None => Err(Error::NotFound),
        Some(SmsProvider::Twilio) => Ok(twilio::read_reply(settings, signature(twilio::SIGNATURE), bytes)),
        Some(SmsProvider::Webhook) => Ok(webhook::read_reply(settings, signature(webhook::SIGNATURE), bytes, now)),
    }
}
