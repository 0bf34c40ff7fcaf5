//! Sessions: opened by a full sign-in, held by a cookie or by an access and refresh token, ended by logout, by time,
//! by reuse of a refresh token or with the last membership (DESIGN 5).

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use berth_db::Tx;
use berth_domain::id::{SessionId, UserId};
use berth_domain::time::Timestamp;

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::tokens::{self, Kind};
use crate::http::requester::Requester;
use crate::{App, Result};

/// The web app's session.
pub const SESSION_COOKIE: &str = "__Host-berth";
/// The web app's first step.
pub const FIRST_STEP_COOKIE: &str = "__Host-berth-step";
/// A browser that signed in fully before: a secret for each of its users, the newest first, with dots between them.
pub const DEVICE_COOKIE: &str = "__Host-berth-device";
/// The header that calls which change something carry when a cookie speaks for the user.
pub const HEADER: &str = "x-berth";
/// Set by the web app when the call does not come from the user, so that it does not keep the session alive.
pub const BACKGROUND_HEADER: &str = "x-berth-background";

/// Life of a first-step token, in milliseconds: 10 minutes.
pub const FIRST_STEP_LIFE: i64 = berth_domain::limits::FIRST_STEP_MINUTES * 60_000;
/// Life of an access token, in milliseconds: 15 minutes.
pub const ACCESS_LIFE: i64 = berth_domain::limits::ACCESS_TOKEN_MINUTES * 60_000;
/// Life of a device cookie, in milliseconds: a year.
const DEVICE_LIFE: i64 = 31_536_000_000;
/// How many users one browser is known for: all who work at a shared computer.
const MAX_DEVICE_USERS: usize = 24;

/// Stores a new secret and returns it; only its hash is kept.
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

/// Opens a session for a user who has just proved both factors. `headers` tell the browser.
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
        .bind(first_of(agent, &BROWSERS))
        .bind(first_of(agent, &SYSTEMS))
        .execute()
        .await?;
    Ok(id)
}

/// Browsers by a word of their `User-Agent`. Most name those they descend from as well, so the order matters.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];
/// Operating systems in the same way.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

fn first_of(agent: &str, names: &[(&str, &'static str)]) -> Option<&'static str> {
    names.iter().find(|(word, _)| agent.contains(word)).map(|(_, name)| *name)
}

/// Ends a session; what it held opens nothing from the next call on.
pub async fn end(app: &App, tx: &mut Tx, id: SessionId, reason: &'static str) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE id = $1 AND ended_at IS NULL";
    tx.query(END).bind(id).bind(app.now()).bind(reason).execute().await?;
    Ok(())
}

/// The hashes of the secrets in a device cookie, as [`DEVICE_COOKIE`] describes it.
fn device_hashes(headers: &HeaderMap) -> Vec<(String, String)> {
    let value = cookie(headers, DEVICE_COOKIE).unwrap_or_default();
    let secrets = value.split('.').filter(|secret| !secret.is_empty()).take(MAX_DEVICE_USERS);
    secrets.map(|secret| (tokens::hash(secret), secret.to_owned())).collect()
}

/// Who holds which of the secrets in a device cookie.
const DEVICE_OWNERS: &str = "SELECT hash, user_id FROM secrets WHERE kind = 'device' AND used_at IS NULL \
    AND expires_at > $1 AND hash IN ($2..)";

/// The hash of the secret by which a browser is known as a device of the user: one on which the user signed in fully
/// before. Limits of a known device are its own, so that strangers never lock a user out of it (security-and-proof 2.2).
pub async fn known_device(app: &App, headers: &HeaderMap, user_id: Option<UserId>) -> Result<Option<String>> {
    let presented = device_hashes(headers);
    if presented.is_empty() {
        return Ok(None);
    }
    let hashes = presented.into_iter().map(|(hash, _)| hash);
    let owners: Vec<(String, UserId)> = app.db.query(DEVICE_OWNERS).bind(app.now()).bind_list(hashes).all().await?;
    Ok(owners.into_iter().find(|(_, owner)| Some(*owner) == user_id).map(|(hash, _)| hash))
}

/// Makes a browser a known device of the user, beside those for whom it is one already, and returns the value of its
/// cookie. The secret that it had for this user is replaced.
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

/// Ends what a browser held before the step of a sign-in that has just succeeded in it: the session and the first step of
/// whoever used it last.
pub async fn end_of_browser(app: &App, tx: &mut Tx, headers: &HeaderMap, requester: &Requester) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = 'signed in again' WHERE ended_at IS NULL \
        AND id = (SELECT session_id FROM secrets WHERE hash = $1 AND kind = 'cookie') RETURNING id, user_id";
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND kind = 'first_step' AND used_at IS NULL";
    let now = app.now();
    if let Some(secret) = cookie(headers, SESSION_COOKIE).filter(|secret| !secret.is_empty()) {
        let ended: Option<(SessionId, UserId)> = tx.query(END).bind(tokens::hash(&secret)).bind(now).optional().await?;
        if let Some((session_id, user_id)) = ended {
            let by = audit_log::Author { user_id: Some(user_id.0), ..audit_log::Author::stranger(requester) };
            let object = Some((ObjectKind::Session, session_id.0));
            let entry =
                audit_log::Entry::anywhere(AuditAction::SessionEnded, object, "another sign-in in the same browser");
            audit_log::write(app, tx, &by, &entry).await?;
        }
    }
    if let Some(secret) = cookie(headers, FIRST_STEP_COOKIE).filter(|secret| !secret.is_empty()) {
        tx.query(BURN).bind(tokens::hash(&secret)).bind(now).execute().await?;
    }
    Ok(())
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
