//! Sessions: opened by a full sign-in, held by a cookie or by an access and refresh token, ended by logout, by time,
//! by reuse of a refresh token or with the last membership (DESIGN 5).

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use berth_db::Tx;
use berth_domain::id::{SessionId, UserId};
use berth_domain::time::Timestamp;

use crate::token::{self, Kind};
use crate::{App, Result};

/// The web app's session.
pub const SESSION_COOKIE: &str = "__Host-berth";
/// The web app's first step.
pub const FIRST_STEP_COOKIE: &str = "__Host-berth-step";
/// A browser that signed in fully before.
pub const DEVICE_COOKIE: &str = "__Host-berth-device";
/// The header that calls which change something carry when a cookie speaks for the user.
pub const HEADER: &str = "x-berth";
/// Set by the web app when the call does not come from the user, so that it does not keep the session alive.
pub const BACKGROUND_HEADER: &str = "x-berth-background";

/// Life of a first-step token, in milliseconds: 10 minutes.
pub const FIRST_STEP_LIFE: i64 = 600_000;
/// Life of an access token, in milliseconds: 15 minutes.
pub const ACCESS_LIFE: i64 = 900_000;
/// Life of a device cookie, in milliseconds: a year.
const DEVICE_LIFE: i64 = 31_536_000_000;

/// Stores a new secret and returns it; only its hash is kept.
///
/// # Errors
/// Those of the database.
pub async fn issue(
    app: &App,
    tx: &mut Tx,
    kind: Kind,
    user_id: UserId,
    session_id: Option<SessionId>,
    expires_at: Timestamp,
) -> Result<String> {
    const INSERT: &str = "INSERT INTO secrets (hash, kind, user_id, session_id, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    let secret = token::generate(app, kind);
    tx.query(INSERT)
        .bind(token::hash(&secret))
        .bind(kind.as_str())
        .bind(user_id)
        .bind(session_id)
        .bind(app.now())
        .bind(expires_at)
        .execute()
        .await?;
    Ok(secret)
}

/// Opens a session for a user who has just proved both factors.
///
/// # Errors
/// Those of the database.
pub async fn open(app: &App, tx: &mut Tx, user_id: UserId, is_cookie: bool, address: &str) -> Result<SessionId> {
    const INSERT: &str = "INSERT INTO sessions (id, user_id, is_cookie, address, created_at, last_seen_at, proved_at, \
        expires_at) VALUES ($1, $2, $3, $4, $5, $5, $5, $6)";
    let id = SessionId(app.id());
    let now = app.now();
    tx.query(INSERT)
        .bind(id)
        .bind(user_id)
        .bind(is_cookie)
        .bind(address.to_owned())
        .bind(now)
        .bind(now.plus_hours(app.settings.session_hours))
        .execute()
        .await?;
    Ok(id)
}

/// Ends a session; what it held opens nothing from the next call on.
///
/// # Errors
/// Those of the database.
pub async fn end(app: &App, tx: &mut Tx, id: SessionId, reason: &'static str) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE id = $1 AND ended_at IS NULL";
    tx.query(END).bind(id).bind(app.now()).bind(reason).execute().await?;
    Ok(())
}

/// A device secret for the limits of the next sign-in; see [`DEVICE_COOKIE`].
///
/// # Errors
/// Those of the database.
pub async fn device(app: &App, tx: &mut Tx, user_id: UserId) -> Result<String> {
    issue(app, tx, Kind::Device, user_id, None, app.now().plus_millis(DEVICE_LIFE)).await
}

/// The value of a cookie.
#[must_use]
pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    CookieJar::from_headers(headers).get(name).map(|cookie| cookie.value().to_owned())
}

/// A `__Host-` cookie that scripts cannot read and other sites cannot send. Without `lasting` it goes with the browser.
#[must_use]
pub fn set_cookie(name: &'static str, value: &str, lasting: bool) -> HeaderValue {
    let mut cookie = Cookie::build((name, value.to_owned())).path("/").secure(true).http_only(true);
    cookie = cookie.same_site(SameSite::Strict);
    let mut text = cookie.build().to_string();
    if lasting {
        text.push_str("; Max-Age=31536000");
    } else if value.is_empty() {
        text.push_str("; Max-Age=0");
    }
    // Cookie names and our secrets are plain ASCII.
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Makes the browser forget a session that was ended: its cookies, and answers in its cache. The device stays known.
pub fn forget_session(headers: &mut HeaderMap) {
    headers.insert(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
    clear_cookies(headers);
}

/// Clears the cookies of a session; the device stays known.
fn clear_cookies(headers: &mut HeaderMap) {
    for name in [SESSION_COOKIE, FIRST_STEP_COOKIE] {
        headers.append(header::SET_COOKIE, set_cookie(name, "", false));
    }
}
