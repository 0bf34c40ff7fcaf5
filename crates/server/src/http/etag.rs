//! Entity tags: `If-None-Match` of reads (304) and `If-Match` of changes (412).

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::{Error, Result};

/// Answers JSON `bytes` with `tag`, or 304 if the client has them. Clients keep tag and body in memory and send `If-None-Match`
/// themselves; the answer forbids storing it on a disk.
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

/// Checks that nobody else has changed a record since the caller saw it. The caller sends the version by `If-Match`, in the body, by
/// both or not at all.
///
/// # Errors
/// 412 if the caller saw another version than `current`.
pub fn guard(headers: &HeaderMap, body: Option<i64>, current: i64) -> Result<()> {
    let present = if_match(headers).is_none_or(|versions| versions.contains(&current))
        && body.is_none_or(|version| version == current);
    if present { Ok(()) } else { Err(Error::Stale(None)) }
}

/// Parses the versions of `If-Match: "7"`. `None` without the header or for `*`. Tags that are no versions are skipped, so a list
/// of such tags matches no record.
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
