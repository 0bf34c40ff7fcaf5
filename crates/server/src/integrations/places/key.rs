//! Signatures and session ids made with the key of places.

use berth_domain::id::SessionId;
use berth_domain::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Milliseconds during which the queries of one session count as one search.
const SEARCH_MILLIS: i64 = 180_000;

/// Returns the HMAC-SHA-256 of the bytes.
///
/// # Panics
/// Never: HMAC takes a key of any length.
pub(crate) fn seal(key: &[u8; 32], bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    mac.update(bytes);
    mac
}

/// Returns a session id for the queries of one user session within a few minutes. It reveals nothing to the provider.
pub(super) fn session(key: &[u8; 32], session: Option<SessionId>, now: Timestamp) -> String {
    let text =
        format!("session:{}:{}", session.map(|id| id.to_string()).unwrap_or_default(), now.millis() / SEARCH_MILLIS);
    hex::encode(&seal(key, text.as_bytes()).finalize().into_bytes()[..16])
}
