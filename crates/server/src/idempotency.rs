//! `Idempotency-Key`: the same request twice has one effect and the same answer (I13). The key is inserted first in
//! the transaction of the effect, and the answer stored in it, so that a second request waits for the first on the
//! key's row and then replays it; a refused or broken first one leaves no trace.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_db::Tx;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{App, Error, Result};

/// A key that is being used by this transaction; [`Claim::answer`] stores what it led to.
pub struct Claim {
    owner: String,
    key: String,
}

/// What a key in a request means.
pub enum Claimed {
    /// No key was sent, or it is new: do the work.
    Go(Option<Claim>),
    /// The work was done before: this was the answer.
    Replay(Response),
}

#[derive(sqlx::FromRow)]
struct Stored {
    fingerprint: String,
    status: Option<i64>,
    body: Option<String>,
}

/// Claims the request's key for `owner` (a user id, or a requester on the public side). `asked` is the request as it
/// was understood: path and body.
///
/// # Errors
/// 422 when the key was used for another request, 409 when the first one has not finished.
pub async fn claim(
    app: &App,
    tx: &mut Tx,
    headers: &HeaderMap,
    owner: String,
    asked: &impl Serialize,
) -> Result<Claimed> {
    const CLAIM: &str = "INSERT INTO idempotency_keys (owner, key, fingerprint, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (owner, key) DO NOTHING";
    const STORED: &str = "SELECT fingerprint, status, body FROM idempotency_keys WHERE owner = $1 AND key = $2";
    let Some(value) = headers.get("idempotency-key") else { return Ok(Claimed::Go(None)) };
    let key = value.to_str().unwrap_or_default().trim().to_owned();
    if key.is_empty() || key.len() > 100 {
        return Err(Error::Unreadable("An Idempotency-Key is 1 to 100 printable characters.".to_owned()));
    }
    let asked = serde_json::to_vec(asked).map_err(|error| Error::Internal(error.into()))?;
    let fingerprint = hex::encode(Sha256::digest(&asked));
    let inserted = tx
        .query(CLAIM)
        .bind(owner.clone())
        .bind(key.clone())
        .bind(fingerprint.clone())
        .bind(app.now())
        .execute()
        .await?;
    if inserted == 1 {
        return Ok(Claimed::Go(Some(Claim { owner, key })));
    }
    let stored: Stored = tx.query(STORED).bind(owner).bind(key).one().await?;
    if stored.fingerprint != fingerprint {
        return Err(Error::field("", "This Idempotency-Key was used for another request."));
    }
    let (Some(status), Some(body)) = (stored.status, stored.body) else {
        return Err(Error::conflict_code("still-running", "The same request is still being worked on."));
    };
    let status = u16::try_from(status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let headers = [(header::CONTENT_TYPE.as_str(), "application/json"), ("idempotent-replayed", "true")];
    Ok(Claimed::Replay((status.unwrap_or(StatusCode::OK), headers, body).into_response()))
}

impl Claim {
    /// Stores the answer with the effect.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn answer(
        claim: Option<Self>,
        tx: &mut Tx,
        status: StatusCode,
        body: &impl Serialize,
    ) -> Result<Response> {
        const ANSWER: &str = "UPDATE idempotency_keys SET status = $3, body = $4 WHERE owner = $1 AND key = $2";
        let body = serde_json::to_string(body).map_err(|error| Error::Internal(error.into()))?;
        if let Some(Self { owner, key }) = claim {
            // With the commit.
            let answer = tx.query(ANSWER).bind(owner).bind(key).bind(i64::from(status.as_u16()));
            let _ = answer.bind(body.clone()).ahead().await?;
        }
        Ok((status, [(header::CONTENT_TYPE, "application/json")], body).into_response())
    }
}
