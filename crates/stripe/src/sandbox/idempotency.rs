//! `Idempotency-Key`: the same key and fields replay the stored answer, errors too; other fields are an error.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::rejection::Rejection;
use super::state::{State, now};

/// A stored answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Answer {
    fingerprint: String,
    pub(super) status: u16,
    pub(super) body: Value,
    /// When the answer was given, in Unix seconds.
    pub(super) created: i64,
}

/// Returns a hash of a call: its method, path and fields.
pub(super) fn fingerprint(call: &str, fields: &str) -> String {
    hex::encode(Sha256::digest(format!("{call}\n{fields}")))
}

/// Returns the stored answer of a key, if there is one.
///
/// # Errors
/// An idempotency error if the key was used for another call.
pub(super) fn replay(state: &State, key: &str, fingerprint: &str) -> Result<Option<(u16, Value)>, Rejection> {
    let Some(answer) = state.answers.get(key) else { return Ok(None) };
    if answer.fingerprint != fingerprint {
        return Err(Rejection::idempotency(
            "Keys for idempotent requests can only be used with the same parameters they were first used with. Try \
             using a key other than the one that was sent if you meant to execute a different request.",
        ));
    }
    Ok(Some((answer.status, answer.body.clone())))
}

/// Stores an answer. Like Stripe, does not store answers to calls that never began: 400, 401, 409 and 429.
pub(super) fn keep(state: &mut State, key: String, fingerprint: String, status: u16, body: &Value) {
    if !matches!(status, 400 | 401 | 409 | 429) {
        state.answers.insert(key, Answer { fingerprint, status, body: body.clone(), created: now() });
    }
}
