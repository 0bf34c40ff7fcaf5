//! `/_sandbox/`: what can go wrong is planned here, on the loopback listener alone.

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
    /// After all was done, and until `POST /_sandbox/release`: webhooks are faster than the answer.
    #[serde(rename = "hold_after")]
    HoldAfter,
    /// Nothing fails, but the answer comes late.
    Delay,
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
    /// By how many milliseconds a `delay` is late.
    #[serde(default)]
    delay_ms: u64,
}

/// What strikes a call.
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

/// The plans, and the calls that are held.
#[derive(Default)]
pub(super) struct Faults {
    planned: Mutex<Vec<Fault>>,
    arrived: Notify,
    released: Notify,
}

impl Faults {
    /// What strikes a call now.
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

/// How the account's clock is turned.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    /// Seconds to move forward.
    advance: Option<i64>,
    /// The time at which the clock stands still from now on, in Unix seconds.
    freeze: Option<i64>,
}

/// Turns the clock, and lets happen what is due by then.
async fn turn(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap, Json(turn): Json<Turn>) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    let mut state = sandbox.state();
    if let Some(at) = turn.freeze {
        state.clock.freeze(at);
    }
    state.clock.advance(turn.advance.unwrap_or_default());
    billing::catch_up(&mut state);
    status(sandbox.keep(&mut state).is_ok())
}

const fn status(is_done: bool) -> StatusCode {
    if is_done { StatusCode::NO_CONTENT } else { StatusCode::INTERNAL_SERVER_ERROR }
}

/// How a card behaves from now on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Behaves {
    payment_method: String,
    behaviour: Behaviour,
}

/// Lets a saved card behave differently: a bank may decline next month what it took before.
async fn behave(Shared(sandbox): Shared<Sandbox>, headers: HeaderMap, Json(card): Json<Behaves>) -> StatusCode {
    if !is_ours(&sandbox, &headers) {
        return StatusCode::UNAUTHORIZED;
    }
    let mut state = sandbox.state();
    state.behaviours.insert(card.payment_method, card.behaviour);
    status(sandbox.keep(&mut state).is_ok())
}

/// What shall become of webhooks. What is left out stays as it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Webhooks {
    /// Where they are sent to; an empty text for nowhere.
    url: Option<String>,
    /// True to keep them back, false to send all that was kept.
    hold: Option<bool>,
    /// How many of the next events are lost.
    drop: Option<u32>,
    /// How many more times each event is sent.
    duplicate: Option<u32>,
    /// The pause after the first failure, in milliseconds.
    pause_ms: Option<u64>,
    /// Turns the order of what waits around.
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

/// Answers when no webhook is on its way any more.
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
        .route("/_sandbox/clock", post(turn))
        .route("/_sandbox/card", post(behave))
        .route("/_sandbox/webhooks", post(webhooks))
        .route("/_sandbox/webhooks/settle", post(settle))
        .with_state(sandbox.clone())
}
