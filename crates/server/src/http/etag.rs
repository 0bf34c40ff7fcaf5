//! Entity tags: `If-None-Match` on reads (304), `If-Match` on changes (412).

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::{Error, Result};

/// Answers JSON `bytes` under `tag`, or 304 when the client says that it has them. Nothing of it may be stored on a disk:
/// clients keep tag and body in memory and send `If-None-Match` themselves.
#[must_use]
pub fn answer(headers: &HeaderMap, tag: &str, bytes: axum::body::Bytes) -> Response {
    let quoted = format!("\"{tag}\"");
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|candidate| candidate.trim().trim_start_matches("W/") == quoted || candidate.trim() == "*");
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
    };
    if let Ok(value) = HeaderValue::from_str(&quoted) {
        response.headers_mut().insert(header::ETAG, value);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Refuses a change of a record that someone else has changed since the caller saw it. The caller may say which version
/// that was by `If-Match`, in the body, both or not at all.
///
/// # Errors
/// 412 when the record is at `current` and the caller saw another one.
pub fn guard(headers: &HeaderMap, body: Option<i64>, current: i64) -> Result<()> {
    let present = if_match(headers).is_none_or(|versions| versions.contains(&current))
        && body.is_none_or(|version| version == current);
    if present { Ok(()) } else { Err(Error::Stale(None)) }
}

/// The versions that a client says it changes, from `If-Match: "7"`; none: it did not say, or `*`. A tag that is no
/// version is one that the record does not have, so a list without any readable one never matches.
#[must_use]
pub fn if_match(headers: &HeaderMap) -> Option<Vec<i64>> {
    let tags = headers.get_all(header::IF_MATCH).iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let mut sent = false;
    let mut versions = Vec::new();
    for tag in tags {
        let tag = std::str::from_utf8(tag).unwrap_or_default().trim();
        if tag == "*" {
            return None;
        }
        sent = true;
        versions.extend(tag.trim_start_matches("W/").trim_matches('"').parse::<i64>());
    }
    sent.then_some(versions)
}
