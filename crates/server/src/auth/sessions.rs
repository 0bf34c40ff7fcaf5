//! Sessions. A full sign-in opens one; a cookie, or an access and a refresh token, give access to it; logout, expiry, the
//! reuse of a refresh token and the loss of the last membership end it (DESIGN 5).

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use berth_db::Tx;
use berth_domain::id::{SessionId, UserId};
use berth_domain::time::Timestamp;

use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::tokens::{self, Kind};
use crate::change::Change;
use crate::http::requester::Requester;
use crate::{App, Result};

/// Cookie with the session of the web app.
pub const SESSION_COOKIE: &str = "__Host-berth";
/// Cookie with the first-step token of the web app.
pub const FIRST_STEP_COOKIE: &str = "__Host-berth-step";
/// Cookie of a known device: one secret for each user who signed in fully in this browser, newest first, separated by dots.
pub const DEVICE_COOKIE: &str = "__Host-berth-device";
/// Header that requests with a session cookie must send to change something.
pub const HEADER: &str = "x-berth";
/// Header of requests that no user action caused, so that they do not keep the session alive.
pub const BACKGROUND_HEADER: &str = "x-berth-background";

/// Lifetime of a first-step token, in milliseconds: 10 minutes.
pub const FIRST_STEP_LIFE: i64 = berth_domain::limits::FIRST_STEP_MINUTES * 60_000;
/// Lifetime of an access token, in milliseconds: 15 minutes.
pub const ACCESS_LIFE: i64 = berth_domain::limits::ACCESS_TOKEN_MINUTES * 60_000;
/// Lifetime of a device cookie, in milliseconds: a year.
const DEVICE_LIFE: i64 = 31_536_000_000;
/// Maximum number of users that one browser is known for, such as a shared computer.
const MAX_DEVICE_USERS: usize = 24;

/// Creates a secret, stores its hash and returns it.
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
    let secret = tokens::generate(app, kind);
    tx.query(INSERT)
        .bind(tokens::hash(&secret))
        .bind(kind.as_str())
        .bind(user_id)
        .bind(session_id)
        .bind(app.now())
        .bind(expires_at)
        .execute()
        .await?;
    Ok(secret)
}

/// Opens a session for a user who has just proved both factors. The browser is read from `headers`.
pub async fn open(
    app: &App,
    tx: &mut Tx,
    user_id: UserId,
    is_cookie: bool,
    address: &str,
    headers: &HeaderMap,
) -> Result<SessionId> {
    const INSERT: &str = "INSERT INTO sessions (id, user_id, is_cookie, address, created_at, last_seen_at, proved_at, \
        expires_at, browser, system) VALUES ($1, $2, $3, $4, $5, $5, $5, $6, $7, $8)";
    let id = SessionId(app.id());
    let now = app.now();
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    tx.query(INSERT)
        .bind(id)
        .bind(user_id)
        .bind(is_cookie)
        .bind(address.to_owned())
        .bind(now)
        .bind(now.plus_hours(app.settings.session_hours))
        .bind(first_match(agent, &BROWSERS))
        .bind(first_match(agent, &SYSTEMS))
        .execute()
        .await?;
    Ok(id)
}

/// Browsers by a word in their `User-Agent`. Most also name the browser that they derive from, so the order matters.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];
/// Operating systems by a word in the `User-Agent`; the order matters.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

fn first_match(agent: &str, names: &[(&str, &'static str)]) -> Option<&'static str> {
    names.iter().find(|(word, _)| agent.contains(word)).map(|(_, name)| *name)
}

/// Ends a session. Its cookie and tokens stop working with the next request.
pub async fn end(app: &App, tx: &mut Tx, id: SessionId, reason: &'static str) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE id = $1 AND ended_at IS NULL";
    tx.query(END).bind(id).bind(app.now()).bind(reason).execute().await?;
    Ok(())
}

/// Returns the hash and the text of each secret in the [`DEVICE_COOKIE`].
fn device_hashes(headers: &HeaderMap) -> Vec<(String, String)> {
    let value = cookie(headers, DEVICE_COOKIE).unwrap_or_default();
    let secrets = value.split('.').filter(|secret| !secret.is_empty()).take(MAX_DEVICE_USERS);
    secrets.map(|secret| (tokens::hash(secret), secret.to_owned())).collect()
}

/// Finds the users of the secrets in a device cookie.
const DEVICE_OWNERS: &str = "SELECT hash, user_id FROM secrets WHERE kind = 'device' AND used_at IS NULL \
    AND expires_at > $1 AND hash IN ($2..)";

/// Returns the hash of the device secret if the user has signed in fully in this browser before. A known device has limits
/// of its own, so that strangers cannot lock a user out of it (security-and-proof 2.2).
pub async fn known_device(app: &App, headers: &HeaderMap, user_id: Option<UserId>) -> Result<Option<String>> {
    let presented = device_hashes(headers);
    if presented.is_empty() {
        return Ok(None);
    }
    let hashes = presented.into_iter().map(|(hash, _)| hash);
    let owners: Vec<(String, UserId)> = app.db.query(DEVICE_OWNERS).bind(app.now()).bind_list(hashes).all().await?;
    Ok(owners.into_iter().find(|(_, owner)| Some(*owner) == user_id).map(|(hash, _)| hash))
}

/// Makes a browser a known device of the user, in addition to its other users, and returns the value of its cookie. An
/// earlier secret of this user is replaced.
pub async fn remember_device(app: &App, tx: &mut Tx, headers: &HeaderMap, user_id: UserId) -> Result<String> {
    const REPLACE: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1";
    let presented = device_hashes(headers);
    let hashes = presented.iter().map(|(hash, _)| hash.clone());
    let owners: Vec<(String, UserId)> = tx.query(DEVICE_OWNERS).bind(app.now()).bind_list(hashes).all().await?;
    let mut value = issue(app, tx, Kind::Device, user_id, None, app.now().plus_millis(DEVICE_LIFE)).await?;
    let mut users = 1;
    for (hash, secret) in presented {
        match owners.iter().find(|(known, _)| *known == hash) {
            Some((_, owner)) if *owner == user_id => {
                tx.query(REPLACE).bind(hash).bind(app.now()).execute().await?;
            }
            Some(_) if users < MAX_DEVICE_USERS => {
                value = format!("{value}.{secret}");
                users += 1;
            }
            _ => {}
        }
    }
    Ok(value)
}

/// Ends the session and the first step that a browser held before a sign-in that has just succeeded in it.
pub async fn end_of_browser(change: &mut Change, headers: &HeaderMap, requester: &Requester) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = 'signed in again' WHERE ended_at IS NULL \
        AND id = (SELECT session_id FROM secrets WHERE hash = $1 AND kind = 'cookie') RETURNING id, user_id";
    const USE_FIRST_STEP: &str =
        "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND kind = 'first_step' AND used_at IS NULL";
    let (app, tx, now) = (&change.app, &mut change.tx, change.now);
    if let Some(secret) = cookie(headers, SESSION_COOKIE).filter(|secret| !secret.is_empty()) {
        let ended: Option<(SessionId, UserId)> = tx.query(END).bind(tokens::hash(&secret)).bind(now).optional().await?;
        if let Some((session_id, user_id)) = ended {
            // The ended session may be another user's.
            let by = Author { user_id: Some(user_id.0), ..Author::stranger(requester) };
            let object = Some((ObjectKind::Session, session_id.0));
            let entry = Entry::anywhere(AuditAction::SessionEnded, object, "another sign-in in the same browser");
            audit_log::write(app, tx, &by, &entry).await?;
        }
    }
    if let Some(secret) = cookie(headers, FIRST_STEP_COOKIE).filter(|secret| !secret.is_empty()) {
        tx.query(USE_FIRST_STEP).bind(tokens::hash(&secret)).bind(now).execute().await?;
    }
    Ok(())
}

/// Ends the sign-ins of a user that are in progress, except the first step with the hash `kept`.
pub async fn end_first_steps(change: &mut Change, user_id: UserId, kept: Option<&str>) -> Result<()> {
    const END: &str = "UPDATE secrets SET used_at = $3 WHERE user_id = $1 AND kind = 'first_step' AND used_at IS NULL \
        AND ($2 IS NULL OR hash <> $2)";
    change.tx.query(END).bind(user_id).bind(kept).bind(change.now).execute().await?;
    Ok(())
}

/// Returns the value of a cookie.
#[must_use]
pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    CookieJar::from_headers(headers).get(name).map(|cookie| cookie.value().to_owned())
}

/// Returns the header of a `__Host-` cookie that scripts cannot read and other sites cannot send. Unless `is_persistent`, it
/// lasts as long as the browser is open; an empty value clears it.
#[must_use]
pub fn set_cookie(name: &'static str, value: &str, is_persistent: bool) -> HeaderValue {
    let mut cookie = Cookie::build((name, value.to_owned())).path("/").secure(true).http_only(true);
    cookie = cookie.same_site(SameSite::Strict);
    let mut text = cookie.build().to_string();
    if is_persistent {
        text.push_str("; Max-Age=31536000");
    } else if value.is_empty() {
        text.push_str("; Max-Age=0");
    }
    // Cookie names and our secrets are plain ASCII.
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Clears the cookies of an ended session and the cached responses in the browser. The device stays known.
pub fn forget_session(headers: &mut HeaderMap) {
    headers.insert(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
    clear_cookies(headers);
}

/// Clears the cookies of a session. The device stays known.
fn clear_cookies(headers: &mut HeaderMap) {
    for name in [SESSION_COOKIE, FIRST_STEP_COOKIE] {
        headers.append(header::SET_COOKIE, set_cookie(name, "", false));
    }
}
