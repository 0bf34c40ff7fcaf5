//! Events: what happened in the account.

use serde_json::{Value, json};

use super::list;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};
use crate::API_VERSION;

const KIND: &str = "event";
/// Seconds for which events are kept, as with Stripe.
pub(super) const KEPT_FOR: i64 = 30 * 24 * 60 * 60;

/// Creates a new event in Stripe's format. `before` holds the previous values of the fields that changed.
pub(super) fn object(kind: &str, object: &Value, before: Option<Value>, created: i64) -> Value {
    let mut data = json!({"object": object});
    if let Some(before) = before {
        data["previous_attributes"] = before;
    }
    json!({
        "id": state::id("evt"), "object": KIND, "api_version": API_VERSION, "created": created, "data": data,
        "livemode": false, "pending_webhooks": 0, "request": {"id": null, "idempotency_key": null}, "type": kind,
    })
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, "id")
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let kind = call.parameters.text("type")?;
    let kinds = call.parameters.list("types")?;
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| kind.as_deref().is_none_or(|kind| row["type"] == kind))
        .filter(|row| kinds.is_empty() || kinds.iter().any(|kind| row["type"] == kind.as_str()))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/events")
}
