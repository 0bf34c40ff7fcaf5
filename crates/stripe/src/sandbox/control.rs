//! `/_sandbox/`, where tests plan failures. Served on the loopback listener only.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use tokio::sync::Notify;

use super::cards::Behaviour;
use super::{Sandbox, billing};

/// When a planned fault happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum When {
    /// Before the call does anything.
    Before,
    /// After the call has done everything: only its answer is lost.
    After,
    /// The call waits for `POST /_sandbox/release` before it does anything.
    Hold,
    /// The call has done everything, but its answer waits for `POST /_sandbox/release`, so that webhooks come first.
    #[serde(rename = "hold_after")]
    HoldAfter,
    /// Nothing fails, but the answer comes late.
    Delay,
}

/// A fault that is planned for the next calls of an operation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    /// The operation, named as in the schema: `POST /v1/customers`.
    operation: String,
    when: When,
    /// The HTTP status of the failure.
    #[serde(default = "broken")]
    status: u16,
    /// The number of calls that the fault is for.
    #[serde(default = "once")]
    times: u32,
    /// The length of a `delay`, in milliseconds.
    #[serde(default)]
    delay_ms: u64,
}

/// A fault that happens to a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Struck {
    pub(super) when: When,
    pub(super) status: u16,
    pub(super) delay: Duration,
}

const fn broken() -> u16 {
    500
}

const fn once() -> u32 {
    1
}

/// The planned faults, and the calls that are held.
#[derive(Default)]
pub(super) struct Faults {
    planned: Mutex<Vec<Fault>>,
    arrived: Notify,
    released: Notify,
}

impl Faults {
    /// Takes the fault that is planned for this call, if any.
    pub(super) fn strike(&self, operation: &str) -> Option<Struck> {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let at = planned.iter().position(|fault| fault.operation == operation)?;
        let fault = &mut planned[at];
        let delay = Duration::from_millis(fault.delay_ms);
        let struck = Struck { when: fault.when, status: fault.status, delay };
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

/// Answers once a held call has arrived.
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

/// A change of the account's clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockChange {
    /// Seconds to move forward.
    advance: Option<i64>,
    /// The time at which the clock is stopped, in Unix seconds.
    freeze: Option<i64>,
}

/// Changes the clock, and does what is due by then.
async fn change_clock(
    Shared(sandbox): Shared<Sandbox>,
    headers: HeaderMap,
    Json(change): Json<ClockChange>,
) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    let changed = sandbox.change(|state| {
        if let Some(at) = change.freeze {
            state.clock.freeze(at);
        }
        state.clock.advance(change.advance.unwrap_or_default());
        billing::catch_up(state);
    });
    status(changed.await.is_ok())
}

const fn status(is_done: bool) -> StatusCode {
    if is_done { StatusCode::NO_CONTENT } else { StatusCode::INTERNAL_SERVER_ERROR }
}

/// A new behavior of a saved card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardBehaviour {
    payment_method: String,
    behaviour: Behaviour,
}

/// Changes the behavior of a saved card: a bank may decline a card next month that it accepted before.
async fn change_card(
    Shared(sandbox): Shared<Sandbox>,
    headers: HeaderMap,
    Json(card): Json<CardBehaviour>,
) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    let changed = sandbox.change(|state| state.behaviours.insert(card.payment_method.clone(), card.behaviour));
    status(changed.await.is_ok())
}

/// How webhooks are delivered. A field that is left out keeps its value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Webhooks {
    /// The address that webhooks are sent to. With an empty text, none are sent.
    url: Option<String>,
    /// True to hold webhooks back, false to send those that were held.
    hold: Option<bool>,
    /// The number of coming events that are lost.
    drop: Option<u32>,
    /// The number of additional deliveries of each event.
    duplicate: Option<u32>,
    /// The pause after the first failure, in milliseconds.
    pause_ms: Option<u64>,
    /// True to reverse the order of the queue.
    #[serde(default)]
    reverse: bool,
}

async fn webhooks(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap, Json(plan): Json<Webhooks>) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    let deliveries = &sandbox.0.deliveries;
    if let Some(url) = plan.url {
        deliveries.send_to(Some(url).filter(|url| !url.is_empty()));
    }
    if let Some(times) = plan.drop {
        deliveries.drop_next(times);
    }
    if let Some(copies) = plan.duplicate {
        deliveries.duplicate(copies);
    }
    if let Some(pause) = plan.pause_ms {
        deliveries.set_pause(Duration::from_millis(pause));
    }
    if plan.reverse {
        deliveries.reverse();
    }
    if let Some(is_held) = plan.hold {
        deliveries.hold(is_held);
    }
    StatusCode::NO_CONTENT
}

/// Answers once the queue of webhooks is empty.
async fn settle(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    sandbox.0.deliveries.settle().await;
    StatusCode::NO_CONTENT
}

pub(super) fn router(sandbox: &Sandbox) -> Router {
    Router::new()
        .route("/_sandbox/fault", post(plan))
        .route("/_sandbox/held", post(held))
        .route("/_sandbox/release", post(release))
        .route("/_sandbox/clock", post(change_clock))
        .route("/_sandbox/card", post(change_card))
        .route("/_sandbox/webhooks", post(webhooks))
        .route("/_sandbox/webhooks/settle", post(settle))
        .with_state(sandbox.clone())
}
