//! `GET /dev/outbox`: the mails and SMS of the demo, newest first, as a page or as JSON. It shows valid links and codes, so
//! it is served by the demo only, and to this machine only (`demo_guard`).

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use berth_domain::time::Timestamp;

use super::demo_guard;
use crate::http::html::Html;
use crate::http::security_headers::Nonce;
use crate::integrations::outbox::{self, StoredMessage};
use crate::{App, Error, Result};

/// Maximum number of messages on the page.
const MAX_MESSAGES: i64 = 200;

/// Shows the newest messages.
///
/// # Errors
/// [`Error::NotFound`] if the request may not see the messages.
pub async fn show_outbox(
    State(app): State<App>,
    nonce: Option<Extension<Nonce>>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
) -> Result<Response> {
    if !demo_guard::may_see_messages(&app.settings, &headers, peer.map(|Extension(info)| info.0)) {
        return Err(Error::NotFound);
    }
    let messages = outbox::newest(&app, MAX_MESSAGES).await?;
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

fn content(messages: &[StoredMessage], now: Timestamp) -> Html {
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

/// Returns the age of a message in words.
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
