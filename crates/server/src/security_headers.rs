//! The headers that every answer carries, and the content security policy of the pages.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::App;

/// The nonce that this answer's own scripts and styles carry.
#[derive(Debug, Clone)]
pub struct Nonce(pub String);

const FIXED: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    ),
];

/// Adds the headers. A handler that needs a stricter policy has set its own before.
pub async fn add(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let nonce = STANDARD_NO_PAD.encode(app.random::<16>());
    request.extensions_mut().insert(Nonce(nonce.clone()));
    let private = request.uri().path().starts_with("/api") || request.uri().path().starts_with("/connect");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in FIXED {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if private {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if app.settings.origins.iter().all(|origin| origin.starts_with("https://")) {
        let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(value);
    }
    if let Ok(policy) = HeaderValue::from_str(&policy(&nonce)) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
    response
}

/// Nothing from elsewhere, no inline script or style without this answer's nonce, no framing.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}
