//! `GET /dev/outbox`: the mail and SMS of the demo, newest first, as a page or as JSON. It shows live links and codes,
//! so outside the demo it does not exist.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use berth_domain::id::OutboxId;
use berth_domain::time::Timestamp;
use serde::Serialize;

use crate::html::Html;
use crate::security_headers::Nonce;
use crate::{App, Error, Result};

/// A message as `/dev/outbox` tells it.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OutboxMessage {
    /// Names the message.
    pub id: OutboxId,
    /// `email` or `sms`.
    pub channel: String,
    /// Address or telephone number.
    #[sqlx(rename = "recipient")]
    pub to: String,
    /// Empty for an SMS.
    pub subject: String,
    /// Plain text.
    pub body: String,
    /// When it was written.
    pub created_at: Timestamp,
}

/// Shows the newest 200 messages.
///
/// # Errors
/// [`Error::NotFound`] outside the demo; those of the database.
pub async fn show_outbox(
    State(app): State<App>,
    nonce: Option<Extension<Nonce>>,
    headers: HeaderMap,
) -> Result<Response> {
    const MESSAGES: &str = "SELECT id, channel, recipient, subject, body, created_at FROM outbox \
        ORDER BY created_at DESC, id DESC LIMIT 200";
    if !app.settings.demo {
        return Err(Error::NotFound);
    }
    let messages: Vec<OutboxMessage> = app.db.query(MESSAGES).all().await?;
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut response = if accept.contains("application/json") {
        Json(messages).into_response()
    } else {
        let nonce = nonce.map(|Extension(nonce)| nonce.0).unwrap_or_default();
        Html::page("Messages of the demo", &nonce, &content(&messages, app.now()))
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

fn content(messages: &[OutboxMessage], now: Timestamp) -> Html {
    let mut html = Html::new();
    html.markup("<p>Mail and SMS that Berth would send. Nothing leaves this machine; sign-in codes are here too. ")
        .markup("<a href=\"/dev/outbox\">Load again</a> · <a href=\"/\">To Berth</a></p>\n");
    if messages.is_empty() {
        html.markup("<p class=\"soft\">Nothing has been sent yet. Sign in, and the code will be here.</p>\n");
    }
    for message in messages {
        let is_mail = message.channel == "email";
        html.markup("<article><h2>")
            .text(if is_mail { "Mail" } else { "SMS" })
            .markup(" to ")
            .text(&message.to)
            .markup("</h2>\n<p class=\"soft\"><time datetime=\"")
            .text(&message.created_at.to_string())
            .markup("\">")
            .text(&since(message.created_at, now))
            .markup("</time></p>\n");
        if is_mail {
            html.markup("<p><strong>").text(&message.subject).markup("</strong></p>\n");
        }
        html.markup("<pre>").linked_text(&message.body).markup("</pre></article>\n");
    }
    html
}

/// How long ago, in the largest whole unit.
fn since(then: Timestamp, now: Timestamp) -> String {
    let minutes = (now.millis() - then.millis()).max(0) / 60_000;
    match minutes {
        0 => "just now".to_owned(),
        1 => "1 minute ago".to_owned(),
        2..=119 => format!("{minutes} minutes ago"),
        120..=2879 => format!("{} hours ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    }
}
