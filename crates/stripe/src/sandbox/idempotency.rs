//! `Idempotency-Key`: the same key and fields replay the stored answer, errors too; other fields are an error.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::refusal::Refused;
use super::state::{State, now};

/// An answer that was given.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Answer {
    fingerprint: String,
    pub(super) status: u16,
    pub(super) body: Value,
    /// In seconds.
    pub(super) created: i64,
}

/// What a call is known by: operation, address and fields.
pub(super) fn fingerprint(call: &str, fields: &str) -> String {
    hex::encode(Sha256::digest(format!("{call}\n{fields}")))
}

/// The answer that a key has had.
///
/// # Errors
/// An idempotency error when the key was used for something else.
pub(super) fn replay(state: &State, key: &str, fingerprint: &str) -> Result<Option<(u16, Value)>, Refused> {
    let Some(answer) = state.answers.get(key) else { return Ok(None) };
    if answer.fingerprint != fingerprint {
        return Err(Refused::idempotency(
            "Keys for idempotent requests can only be used with the same parameters they were first used with. Try \
             using a key other than the one that was sent if you meant to execute a different request.",
        ));
    }
    Ok(Some((answer.status, answer.body.clone())))
}

/// Keeps an answer. What never began, since the call was wrong, is not kept, as with Stripe.
pub(super) fn keep(state: &mut State, key: String, fingerprint: String, status: u16, body: &Value) {
    if !matches!(status, 400 | 401 | 409 | 429) {
        state.answers.insert(key, Answer { fingerprint, status, body: body.clone(), created: now() });
    }
}
