//! `GET /files/uploads/{name}`: pictures for everybody, insurance cards for those who may see the guest's contact
//! (security-and-proof 2.3, 17). The answer can do nothing in a browser but be a picture.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_domain::id::GuestId;
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Prefix, thumbnail_of};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::http::body::{Path, Query};
use crate::{App, Error, Result};

/// Which form of a picture is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Showing {
    /// `thumb`: at most 480 pixels on each side; anything else: the picture itself, at most 2048.
    #[param(required = false)]
    size: Option<String>,
}

#[derive(berth_db::FromRow)]
struct FileRow {
    prefix: String,
    media_type: String,
    sha256: String,
}

/// A picture. Insurance cards are shown to those who may see the contact of the guest whose card it is, and each time it
/// is put on record; to everybody else they do not exist.
#[utoipa::path(get, path = "/files/uploads/{name}", tag = "Images", params(("name" = String, Path), Showing),
    responses((status = 200, description = "the picture", content_type = "image/*", body = Vec<u8>),
        (status = 304, description = "the client has it")))]
pub async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(ask): Query<Showing>,
    request: Request,
) -> Result<Response> {
    const FILE: &str = "SELECT prefix, media_type, sha256 FROM files WHERE path = $1 AND state = 'kept'";
    // Ours are plain; a database may refuse others in its own words.
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')) {
        return Err(Error::NotFound);
    }
    let path = format!("uploads/{name}");
    let file: FileRow = app.db.query(FILE).bind(&path).one().await?;
    let (mut parts, _) = request.into_parts();
    let is_card = Prefix::from_text(&file.prefix).is_none_or(|prefix| prefix == Prefix::Card);
    if is_card {
        open_card(&app, &mut parts, &path).await?;
    }
    let small = ask.size.as_deref() == Some("thumb");
    let tag = format!("\"{}{}\"", file.sha256.get(..24).unwrap_or_default(), if small { "-t" } else { "" });
    if !is_card && has(&parts.headers, &tag) {
        return Ok(dressed(StatusCode::NOT_MODIFIED.into_response(), &tag, is_card));
    }
    let key = if small { thumbnail_of(&path) } else { path };
    let Some((length, body)) = app.files.storage.get(&key).await? else {
        tracing::error!(key, "a picture is missing in its store");
        return Err(Error::NotFound);
    };
    let mut response = body.into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if let Ok(media_type) = HeaderValue::from_str(&file.media_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    }
    Ok(dressed(response, &tag, is_card))
}

/// Lets the caller see a card, on record, or says that there is none.
async fn open_card(app: &App, parts: &mut Parts, path: &str) -> Result<()> {
    const GUEST: &str = "SELECT id, code FROM guests WHERE insurance_card_front = $1 \
        UNION SELECT id, code FROM guests WHERE insurance_card_back = $1";
    let caller = Caller::from_request_parts(parts, app).await.map_err(hidden)?;
    let (guest, code): (GuestId, String) = app.db.query(GUEST).bind(path).one().await?;
    let site = caller.guest(guest, Action::ViewGuestContact).await.map_err(hidden)?;
    let action = AuditAction::GuestCardViewed.by(&caller);
    let entry = Entry::at(&site, action, (ObjectKind::Guest, guest.0), code);
    audit_log::record(app, &Author::caller(&caller, Some(&site)), &entry).await
}

/// Whoever may not see a card is not told that there is one.
fn hidden(error: Error) -> Error {
    match error {
        Error::Unauthenticated(_) | Error::SessionOver(_) | Error::Forbidden(_) => Error::NotFound,
        other => other,
    }
}

/// Returns true if the client has the picture already.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known.flat_map(|value| value.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag)
}

/// What goes with every picture: nobody guesses its type, nothing in it runs, and a card is kept nowhere.
fn dressed(mut response: Response, tag: &str, is_card: bool) -> Response {
    let lasting = if is_card { "no-store" } else { "public, max-age=31536000, immutable" };
    let fixed: [(HeaderName, &'static str); 4] = [
        (header::CACHE_CONTROL, lasting),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        (header::CONTENT_DISPOSITION, "inline"),
    ];
    let headers = response.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !is_card && let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
