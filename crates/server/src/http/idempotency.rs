//! `Idempotency-Key`: a repeated request has one effect and gets the same answer (I13).
//!
//! The key is stored with the answer, as the last row of the change. The same request again is carried out as well, until it is
//! refused or finds its key there; then it is undone and gets the first answer. Of two at the same moment, the second waits at
//! the row of the key. A request that fails leaves no key.
//!
//! An answer is stored for a day. If it shows a person whose form is erased before that, it is erased as well, and its key stays.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_db::{Db, Tx};
use berth_domain::id::WaitingGuestId;
use berth_domain::stay::Refusal;
use berth_domain::time::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::admin::audit_log::{self, Author, Entry, GuestSet, Shown};
use crate::housing::sites;
use crate::{App, Error, Result};

/// The answer of a change whose audit rows name the guests in it.
pub struct Named {
    /// The status.
    pub status: StatusCode,
    /// The JSON.
    pub bytes: Bytes,
    /// The guests that it shows.
    pub guests: Option<GuestSet>,
    /// The person on a waitlist whom it shows.
    pub waiting: Option<WaitingGuestId>,
    /// The quoted entity tag.
    pub etag: Option<String>,
}

impl IntoResponse for Named {
    fn into_response(self) -> Response {
        let mut response = audit_log::json(self.status, self.bytes);
        set_etag(&mut response, self.etag.as_deref());
        response
    }
}

/// An earlier answer. Repeating it records the guests that it shows in the audit log.
pub struct Replay {
    status: StatusCode,
    shown: Shown,
    etag: Option<String>,
}

impl Replay {
    /// Repeats the answer, with an audit row in this transaction for the guests that it shows.
    pub async fn written(self, app: &App, tx: &mut Tx, by: &Author, entry: Entry) -> Result<Response> {
        let entry = entry.asking(Some("the same request again".to_owned()));
        Ok(replayed(self.status, self.shown.written(app, tx, by, entry).await?, self.etag.as_deref()))
    }

    /// Repeats an answer that shows no guest.
    ///
    /// # Errors
    /// 500 if it shows one.
    pub fn of_nobody(self) -> Result<Response> {
        Ok(replayed(self.status, self.shown.named(&[])?, self.etag.as_deref()))
    }
}

fn replayed(status: StatusCode, bytes: Bytes, etag: Option<&str>) -> Response {
    let headers = [(header::CONTENT_TYPE.as_str(), "application/json"), ("idempotent-replayed", "true")];
    let mut response = (status, headers, bytes).into_response();
    set_etag(&mut response, etag);
    response
}

fn set_etag(response: &mut Response, etag: Option<&str>) {
    if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(etag).ok()) {
        response.headers_mut().insert(header::ETAG, etag);
    }
}

#[derive(berth_db::FromRow)]
struct Stored {
    fingerprint: String,
    status: i64,
    body: Option<String>,
    guests: Option<String>,
    etag: Option<String>,
}

/// The key of a request, and the fingerprint of its path and body.
pub struct Key {
    key: Option<String>,
    fingerprint: String,
}

impl Key {
    /// Reads the key from the headers. `input` is the parsed request: path and body.
    ///
    /// # Errors
    /// 400 if the key is empty or longer than 100 characters.
    pub fn read(headers: &HeaderMap, input: &impl Serialize) -> Result<Self> {
        let input = serde_json::to_vec(input).map_err(|error| Error::Internal(error.into()))?;
        let fingerprint = hex::encode(Sha256::digest(&input));
        let Some(value) = headers.get("idempotency-key") else { return Ok(Self { key: None, fingerprint }) };
        let key = value.to_str().unwrap_or_default().trim().to_owned();
        if key.is_empty() || key.len() > 100 {
            return Err(Error::Unreadable("An Idempotency-Key is 1 to 100 printable characters.".to_owned()));
        }
        Ok(Self { key: Some(key), fingerprint })
    }
}

/// Stores the answer with the key of `owner`: a user id, or a requester on the public side. Returns false if the key is in use: then
/// the change must be dropped.
pub async fn store(
    tx: &mut Tx,
    owner: &str,
    Key { key, fingerprint }: &Key,
    answer: &Named,
    now: Timestamp,
) -> Result<bool> {
    const STORE: &str = "INSERT INTO idempotency_keys (owner, key, fingerprint, created_at, status, body, guests, etag, \
        waiting_guest_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (owner, key) DO NOTHING";
    let Some(key) = key else { return Ok(true) };
    let guests = answer.guests.as_ref().map(|set| set.guests().iter().map(ToString::to_string).collect::<Vec<_>>());
    let store =
        tx.query(STORE).bind(owner).bind(key).bind(fingerprint).bind(now).bind(i64::from(answer.status.as_u16()));
    let store = store.bind(String::from_utf8_lossy(&answer.bytes).into_owned()).bind(guests.map(|ids| ids.join(",")));
    Ok(store.bind(answer.etag.clone()).bind(answer.waiting).execute().await? == 1)
}

/// Finds the answer to the first request with this key of `owner`.
///
/// # Errors
/// 422 if it was another request. 409 `not-waiting` if it showed a person on a waitlist who no longer waits.
pub async fn earlier(db: &Db, owner: &str, Key { key, fingerprint }: &Key) -> Result<Option<Replay>> {
    const STORED: &str =
        "SELECT fingerprint, status, body, guests, etag FROM idempotency_keys WHERE owner = $1 AND key = $2";
    let Some(key) = key else { return Ok(None) };
    let stored: Option<Stored> = db.query(STORED).bind(owner).bind(key).optional().await?;
    let Some(stored) = stored else { return Ok(None) };
    if stored.fingerprint != *fingerprint {
        return Err(Error::field("", "This Idempotency-Key was used for another request."));
    }
    let Some(body) = stored.body else { return Err(sites::refused(Refusal::NotWaiting)) };
    let status = u16::try_from(stored.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let guests = stored.guests.unwrap_or_default();
    let guests = guests.split(',').filter_map(|id| id.parse().ok()).collect();
    let shown = Shown::again(body.into(), GuestSet::of(guests));
    Ok(Some(Replay { status: status.unwrap_or(StatusCode::OK), shown, etag: stored.etag }))
}

/// Erases the stored answers that show a person on a waitlist. Their keys stay: the same request again still has no second effect.
pub async fn erase_answers(tx: &mut Tx, person: WaitingGuestId) -> Result<()> {
    const ERASE: &str = "UPDATE idempotency_keys SET body = NULL WHERE waiting_guest_id = $1";
    tx.query(ERASE).bind(person).execute().await?;
    Ok(())
}
