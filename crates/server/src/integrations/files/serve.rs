//! Serves pictures: `GET /files/uploads/{name}`. Anyone may see a picture; an insurance card is shown only to users who
//! may see the guest's contact data (security-and-proof 2.3, 17), or the form of the person on a waitlist. The headers
//! make browsers treat the response as nothing but a picture.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_domain::id::{GuestId, WaitingGuestId};
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{Prefix, thumbnail_of};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::housing::waitlist;
use crate::http::body::{Path, Query};
use crate::{App, Error, Result};

/// The size of the picture.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Showing {
    /// `thumb` for at most 480 pixels on each side; anything else for the full picture, at most 2048.
    #[param(required = false)]
    size: Option<String>,
}

#[derive(berth_db::FromRow)]
struct FileRow {
    prefix: String,
    media_type: String,
    sha256: String,
}

/// Shows a picture. An insurance card is shown only to users who may see the contact data of its guest, or the form of its person on a
/// waitlist, and each view is recorded in the audit log. For all others it is 404.
#[utoipa::path(get, path = "/files/uploads/{name}", tag = "Images", params(("name" = String, Path), Showing),
    responses((status = 200, description = "the picture", content_type = "image/*", body = Vec<u8>),
        (status = 304, description = "the client has it")))]
pub async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(query): Query<Showing>,
    request: Request,
) -> Result<Response> {
    const FILE: &str = "SELECT prefix, media_type, sha256 FROM files WHERE path = $1 AND state = 'kept'";
    // Names that were never given out, which a database could reject with an error.
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')) {
        return Err(Error::NotFound);
    }
    let path = format!("uploads/{name}");
    let file: FileRow = app.db.query(FILE).bind(&path).one().await?;
    let (mut parts, _) = request.into_parts();
    let is_card = Prefix::from_text(&file.prefix).is_none_or(|prefix| prefix == Prefix::Card);
    if is_card {
        authorize_card(&app, &mut parts, &path).await?;
    }
    let is_thumbnail = query.size.as_deref() == Some("thumb");
    let tag = format!("\"{}{}\"", file.sha256.get(..24).unwrap_or_default(), if is_thumbnail { "-t" } else { "" });
    if !is_card && is_cached(&parts.headers, &tag) {
        return Ok(with_headers(StatusCode::NOT_MODIFIED.into_response(), &tag, is_card));
    }
    let key = if is_thumbnail { thumbnail_of(&path) } else { path };
    let Some((length, body)) = app.files.storage.get(&key).await? else {
        tracing::error!(key, "a picture is missing in the store");
        return Err(Error::NotFound);
    };
    let mut response = body.into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if let Ok(media_type) = HeaderValue::from_str(&file.media_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    }
    Ok(with_headers(response, &tag, is_card))
}

/// Checks that the caller may see a card, and records the view. 404 if not.
async fn authorize_card(app: &App, parts: &mut Parts, path: &str) -> Result<()> {
    // One statement: whoever takes the offered bed has the card as a guest from then on.
    const HOLDER: &str = "SELECT id, code, FALSE AS waits FROM guests WHERE insurance_card_front = $1 \
        UNION SELECT id, code, FALSE AS waits FROM guests WHERE insurance_card_back = $1 \
        UNION SELECT id, code, TRUE AS waits FROM waiting_guests WHERE insurance_card_front = $1 \
        UNION SELECT id, code, TRUE AS waits FROM waiting_guests WHERE insurance_card_back = $1";
    let caller = Caller::from_request_parts(parts, app).await.map_err(hidden)?;
    let (id, code, waits): (Uuid, String, bool) = app.db.query(HOLDER).bind(path).one().await?;
    let (site, action, kind) = if waits {
        let site = waitlist::of_editor(&caller, WaitingGuestId(id)).await.map_err(hidden)?;
        (site, AuditAction::WaitlistCardViewed, ObjectKind::WaitingGuest)
    } else {
        let site = caller.guest(GuestId(id), Action::ViewGuestContact).await.map_err(hidden)?;
        (site, AuditAction::GuestCardViewed, ObjectKind::Guest)
    };
    let entry = Entry::at(&site, action.by(&caller), (kind, id), code);
    audit_log::record(app, &Author::caller(&caller, Some(&site)), &entry).await
}

/// Turns a rejection into 404, so that it does not reveal that the card exists.
fn hidden(error: Error) -> Error {
    match error {
        Error::Unauthenticated(_) | Error::SessionOver(_) | Error::Forbidden(_) => Error::NotFound,
        other => other,
    }
}

/// Returns true if the client has the picture already.
fn is_cached(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known.flat_map(|value| value.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag)
}

/// Adds the headers of every picture: browsers do not guess its type and run nothing in it, and a card is never cached.
fn with_headers(mut response: Response, tag: &str, is_card: bool) -> Response {
    let cache_control = if is_card { "no-store" } else { "public, max-age=31536000, immutable" };
    let fixed: [(HeaderName, &'static str); 4] = [
        (header::CACHE_CONTROL, cache_control),
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
