//! Keys of the installation, made once, kept in the database so that all nodes have the same.

use berth_domain::id::SessionId;
use berth_domain::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{App, Error, Result};

/// How long the questions of one session count as one search, in milliseconds.
const SEARCH: i64 = 180_000;

/// The key of that name.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of(app: &App, name: &'static str) -> Result<[u8; 32]> {
    const KNOWN: &str = "SELECT secret FROM installation_keys WHERE name = $1";
    const MAKE: &str = "INSERT INTO installation_keys (name, secret, created_at) VALUES ($1, $2, $3) \
        ON CONFLICT (name) DO NOTHING";
    let known: Option<(String,)> = app.db.query(KNOWN).bind(name).optional().await?;
    let secret = match known {
        Some((secret,)) => secret,
        None => {
            let mut tx = app.db.begin().await?;
            let fresh = hex::encode(app.random::<32>());
            tx.query(MAKE).bind(name).bind(fresh).bind(app.now()).execute().await?;
            // Another node may have been first.
            let (secret,): (String,) = tx.query(KNOWN).bind(name).one().await?;
            tx.commit().await?;
            secret
        }
    };
    let bytes = hex::decode(secret).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.ok_or_else(|| Error::internal("a key of the installation is damaged"))
}

/// HMAC-SHA-256.
///
/// # Panics
/// Never: HMAC takes a key of any length.
pub(super) fn seal(key: &[u8; 32], bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    mac.update(bytes);
    mac
}

/// A word for the questions that one session asks within a few minutes; it tells the provider nothing.
pub(super) fn session(key: &[u8; 32], session: Option<SessionId>, now: Timestamp) -> String {
    let text = format!("session:{}:{}", session.map(|id| id.to_string()).unwrap_or_default(), now.millis() / SEARCH);
    hex::encode(&seal(key, text.as_bytes()).finalize().into_bytes()[..16])
}
