//! The security headers of every answer, and the content security policy of the pages.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::App;
use crate::billing::payments::Sources;

/// The nonce of the scripts and styles of an answer.
#[derive(Debug, Clone)]
pub struct Nonce(pub String);

/// The origins whose pages may show an answer in a frame, separated by spaces. Only the public page has any, and it loads nothing from the card
/// provider.
#[derive(Debug, Clone)]
pub struct FrameAncestors(pub String);

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

/// The values of a request that its security headers depend on.
#[derive(Debug)]
pub struct HeaderContext {
    nonce: String,
    is_private: bool,
}

impl HeaderContext {
    /// Creates it with a new nonce, which it also sets in the request for the handler.
    pub fn new(app: &App, request: &mut Request) -> Self {
        let nonce = STANDARD_NO_PAD.encode(app.random::<16>());
        request.extensions_mut().insert(Nonce(nonce.clone()));
        let path = request.uri().path();
        let is_private = path.starts_with("/api") || path.starts_with("/connect");
        Self { nonce, is_private }
    }
}

/// Adds the headers that the handler has not set.
pub fn add(app: &App, context: &HeaderContext, response: &mut Response) {
    let framing = response.extensions_mut().remove::<FrameAncestors>();
    let is_framed = framing.as_ref().is_some_and(|framing| !framing.0.is_empty());
    let headers = response.headers_mut();
    // X-Frame-Options allows no list of origins. The content security policy does.
    for (name, value) in FIXED.into_iter().filter(|(name, _)| !is_framed || name != header::X_FRAME_OPTIONS) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if context.is_private {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if app.settings.origins.iter().all(|origin| origin.starts_with("https://")) {
        let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(value);
    }
    let is_page = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let policy = match framing {
        Some(FrameAncestors(origins)) => page_policy(&context.nonce, Sources::default(), &origins),
        None => page_policy(&context.nonce, app.payments.sources(), ""),
    };
    let policy = if is_page { HeaderValue::from_str(&policy).ok() } else { None };
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| policy.unwrap_or(HeaderValue::from_static(NOTHING)));
}

/// The content security policy of answers that are no pages, in case a browser shows them as one.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Returns the content security policy of a page: nothing from elsewhere but the card provider, no inline script or style without the nonce, no
/// framing except by `ancestors`.
fn page_policy(nonce: &str, provider: Sources, ancestors: &str) -> String {
    let Sources { script, frame, connect } = provider;
    let ancestors = if ancestors.is_empty() { "'none'" } else { ancestors };
    let frames = if frame.is_empty() { String::new() } else { format!("frame-src {frame}; ") };
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'{script}; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'{connect}; manifest-src 'self'; {frames}\
         base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
    )
}
