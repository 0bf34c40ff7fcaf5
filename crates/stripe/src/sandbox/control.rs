//! `/_sandbox/`: what can go wrong is planned here, on the loopback listener alone.

use std::sync::{Mutex, PoisonError};

use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use tokio::sync::Notify;

use super::Sandbox;

/// When a fault strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum When {
    /// Before anything was done.
    Before,
    /// After all was done: only the answer is lost.
    After,
    /// Before anything was done, and until `POST /_sandbox/release`.
    Hold,
}

/// A plan for the next call of an operation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    /// As in the schema: `POST /v1/customers`.
    operation: String,
    when: When,
    /// With which status it fails.
    #[serde(default = "broken")]
    status: u16,
    /// For how many calls.
    #[serde(default = "once")]
    times: u32,
}

const fn broken() -> u16 {
    500
}

const fn once() -> u32 {
    1
}

/// The plans, and the calls that are held.
#[derive(Default)]
pub(super) struct Faults {
    planned: Mutex<Vec<Fault>>,
    arrived: Notify,
    released: Notify,
}

impl Faults {
    /// What strikes a call now: when, and with which status.
    pub(super) fn strike(&self, operation: &str) -> Option<(When, u16)> {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let at = planned.iter().position(|fault| fault.operation == operation)?;
        let fault = &mut planned[at];
        let struck = (fault.when, fault.status);
        fault.times = fault.times.saturating_sub(1);
        if fault.times == 0 {
            planned.remove(at);
        }
        Some(struck)
    }

    /// Waits until the call is released.
    pub(super) async fn hold(&self) {
        let released = self.released.notified();
        self.arrived.notify_one();
        released.await;
    }
}

fn is_ours(sandbox: &Sandbox, headers: &HeaderMap) -> bool {
    let sent = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    sent.strip_prefix("Bearer ") == Some(sandbox.0.secret_key.as_str())
}

async fn plan(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap, Json(fault): Json<Fault>) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    sandbox.0.faults.planned.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    StatusCode::NO_CONTENT
}

/// Answers when a held call has come.
async fn held(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    sandbox.0.faults.arrived.notified().await;
    StatusCode::NO_CONTENT
}

async fn release(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    sandbox.0.faults.released.notify_waiters();
    StatusCode::NO_CONTENT
}

pub(super) fn router(sandbox: &Sandbox) -> Router {
    Router::new()
        .route("/_sandbox/fault", post(plan))
        .route("/_sandbox/held", post(held))
        .route("/_sandbox/release", post(release))
        .with_state(sandbox.clone())
}
