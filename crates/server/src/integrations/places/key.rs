//! What the key of places signs and hides.

use berth_domain::id::SessionId;
use berth_domain::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How long the questions of one session count as one search, in milliseconds.
const SEARCH: i64 = 180_000;

/// HMAC-SHA-256.
///
/// # Panics
/// Never: HMAC takes a key of any length.
pub(crate) fn seal(key: &[u8; 32], bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    mac.update(bytes);
    mac
}

/// A word for the questions that one session asks within a few minutes; it tells the provider nothing.
pub(super) fn session(key: &[u8; 32], session: Option<SessionId>, now: Timestamp) -> String {
    let text = format!("session:{}:{}", session.map(|id| id.to_string()).unwrap_or_default(), now.millis() / SEARCH);
    hex::encode(&seal(key, text.as_bytes()).finalize().into_bytes()[..16])
}
