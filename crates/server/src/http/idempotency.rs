//! `Idempotency-Key`: a repeated request has one effect and gets the same answer (I13).
//!
//! The key is inserted first in the transaction of the change, and the answer is stored with it. A second request waits for the first
//! one at the row of the key and then gets its answer. A request that fails leaves no key.
//!
//! An answer is stored for a day. If it shows a person whose form is erased before that, it is erased as well, and its key stays.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_db::Tx;
use berth_domain::id::{GuestId, WaitingGuestId};
use berth_domain::time::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::admin::audit_log::{self, Author, Entry, GuestSet, Shown};
use crate::{App, Error, Result};

/// A key that is claimed by this transaction. [`Claim::answer`] stores its answer.
pub struct Claim {
    owner: String,
    key: String,
}

/// The result of claiming a key.
pub enum Claimed {
    /// No key was sent, or it is new: make the change.
    Go(Option<Claim>),
    /// The change was made before, with this answer.
    Replay(Replay),
    /// The change was made before. Its answer showed a person on a waitlist, who no longer waits.
    Erased,
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
    status: Option<i64>,
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

/// Claims the key of a request for `owner`: a user id, or a requester on the public side.
///
/// # Errors
/// 422 if the key was used for another request, 409 if the first request has not finished.
pub async fn claim(tx: &mut Tx, owner: &str, Key { key, fingerprint }: &Key, now: Timestamp) -> Result<Claimed> {
    const CLAIM: &str = "INSERT INTO idempotency_keys (owner, key, fingerprint, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (owner, key) DO NOTHING";
    const STORED: &str =
        "SELECT fingerprint, status, body, guests, etag FROM idempotency_keys WHERE owner = $1 AND key = $2";
    let Some(key) = key else { return Ok(Claimed::Go(None)) };
    let inserted = tx.query(CLAIM).bind(owner).bind(key).bind(fingerprint).bind(now).execute().await?;
    if inserted == 1 {
        return Ok(Claimed::Go(Some(Claim { owner: owner.to_owned(), key: key.clone() })));
    }
    let stored: Stored = tx.query(STORED).bind(owner).bind(key).one().await?;
    if stored.fingerprint != *fingerprint {
        return Err(Error::field("", "This Idempotency-Key was used for another request."));
    }
    let Some(status) = stored.status else {
        return Err(Error::conflict_code("still-running", "The same request is still being processed."));
    };
    let Some(body) = stored.body else { return Ok(Claimed::Erased) };
    let status = u16::try_from(status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let guests = stored.guests.unwrap_or_default();
    let guests = guests.split(',').filter_map(|id| id.parse().ok()).collect();
    let shown = Shown::again(body.into(), GuestSet::of(guests));
    Ok(Claimed::Replay(Replay { status: status.unwrap_or(StatusCode::OK), shown, etag: stored.etag }))
}

/// Erases the stored answers that show a person on a waitlist. Their keys stay: the same request again still has no second effect.
pub async fn erase_answers(tx: &mut Tx, person: WaitingGuestId) -> Result<()> {
    const ERASE: &str = "UPDATE idempotency_keys SET body = NULL WHERE waiting_guest_id = $1";
    tx.query(ERASE).bind(person).execute().await?;
    Ok(())
}

impl Claim {
    /// Stores the answer with the change. `named` are the guests that audit rows of this transaction name, `waiting` is the person on a
    /// waitlist whom the answer shows; `etag` is the quoted entity tag.
    ///
    /// # Errors
    /// 500 if it shows another guest.
    pub async fn answer(
        claim: Option<Self>,
        tx: &mut Tx,
        status: StatusCode,
        etag: Option<String>,
        shown: Shown,
        (named, waiting): (&[GuestId], Option<WaitingGuestId>),
    ) -> Result<Response> {
        const ANSWER: &str = "UPDATE idempotency_keys SET status = $3, body = $4, guests = $5, etag = $6, \
            waiting_guest_id = $7 WHERE owner = $1 AND key = $2";
        let guests =
            shown.guests().map(|set| set.guests().iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        let bytes = shown.named(named)?;
        if let Some(Self { owner, key }) = claim {
            let body = String::from_utf8_lossy(&bytes).into_owned();
            let answer = tx.query(ANSWER).bind(owner).bind(key).bind(i64::from(status.as_u16()));
            answer.bind(body).bind(guests).bind(etag.clone()).bind(waiting).execute().await?;
        }
        let mut response = audit_log::json(status, bytes);
        set_etag(&mut response, etag.as_deref());
        Ok(response)
    }
}
