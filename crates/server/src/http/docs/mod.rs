//! The API documentation: the OpenAPI document at `/api/openapi.json` and a page for reading it at `/api/docs`. The page loads
//! nothing from elsewhere and runs no script.

mod page;

use std::sync::OnceLock;

use axum::Extension;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::http::etag;
use crate::http::html::Html;
use crate::http::security_headers::Nonce;
use crate::{Error, Result, routes};

/// The document as JSON and its entity tag, rendered once.
fn document() -> Result<&'static (Bytes, String)> {
    static DOCUMENT: OnceLock<(Bytes, String)> = OnceLock::new();
    if let Some(document) = DOCUMENT.get() {
        return Ok(document);
    }
    let text = routes::document().to_json().map_err(|error| Error::Internal(error.into()))?;
    let tag = hex::encode(&Sha256::digest(text.as_bytes())[..12]);
    Ok(DOCUMENT.get_or_init(|| (text.into(), tag)))
}

/// Shows the OpenAPI 3.1 document: `GET /api/openapi.json`.
///
/// # Errors
/// [`Error::Internal`] if the document cannot be serialized.
pub async fn json(headers: HeaderMap) -> Result<Response> {
    let (bytes, tag) = document()?;
    Ok(etag::answer(&headers, tag, bytes.clone()))
}

/// Shows every operation by tag, with parameters, bodies and answers: `GET /api/docs`.
///
/// # Errors
/// [`Error::Internal`] if the document cannot be serialized.
pub async fn page(nonce: Option<Extension<Nonce>>) -> Result<Response> {
    static CONTENT: OnceLock<Html> = OnceLock::new();
    let (bytes, _) = document()?;
    let document: Value = serde_json::from_slice(bytes).map_err(|error| Error::Internal(error.into()))?;
    let content = CONTENT.get_or_init(|| page::content(&document));
    let nonce = nonce.map(|Extension(nonce)| nonce.0).unwrap_or_default();
    let mut response = Html::page("Berth API", &nonce, content);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
