//! Webhooks: each event is signed and sent to an endpoint until the endpoint accepts it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::redirect::Policy;
use secrecy::SecretString;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::Sandbox;
use crate::webhook;

/// Maximum number of attempts to send a webhook.
const ATTEMPTS: u32 = 8;
/// Timeout of one attempt.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The queue of webhooks, and the failures that are planned for them.
pub(super) struct Deliveries {
    inner: Mutex<Inner>,
    changed: Notify,
    settled: Notify,
}

struct Inner {
    url: Option<String>,
    queue: VecDeque<Delivery>,
    is_held: bool,
    /// The number of coming events that are lost.
    dropped: u32,
    /// The number of additional deliveries of each event.
    copies: u32,
    /// The pause after the first failure; each further one is twice as long.
    pause: Duration,
}

#[derive(Clone)]
struct Delivery {
    body: String,
    attempts: u32,
    not_before: Instant,
}

impl Default for Deliveries {
    fn default() -> Self {
        let inner = Inner {
            url: None,
            queue: VecDeque::new(),
            is_held: false,
            dropped: 0,
            copies: 0,
            pause: Duration::from_secs(1),
        };
        Self { inner: Mutex::new(inner), changed: Notify::new(), settled: Notify::new() }
    }
}

impl Deliveries {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the endpoint; without one nothing is sent.
    pub(super) fn send_to(&self, url: Option<String>) {
        self.inner().url = url;
        self.changed.notify_one();
    }

    /// Moves new events into the queue, in their order.
    pub(super) fn enqueue(&self, news: &mut Vec<Value>) {
        let mut inner = self.inner();
        for event in news.drain(..) {
            if inner.url.is_none() {
                continue;
            }
            if inner.dropped > 0 {
                inner.dropped -= 1;
                continue;
            }
            let delivery = Delivery { body: event.to_string(), attempts: 0, not_before: Instant::now() };
            for _ in 0..=inner.copies {
                inner.queue.push_back(delivery.clone());
            }
        }
        drop(inner);
        self.changed.notify_one();
    }

    pub(super) fn hold(&self, is_held: bool) {
        self.inner().is_held = is_held;
        self.changed.notify_one();
    }

    pub(super) fn drop_next(&self, times: u32) {
        self.inner().dropped = times;
    }

    pub(super) fn duplicate(&self, copies: u32) {
        self.inner().copies = copies;
    }

    pub(super) fn set_pause(&self, pause: Duration) {
        self.inner().pause = pause;
    }

    /// Reverses the order of the queue.
    pub(super) fn reverse(&self) {
        self.inner().queue.make_contiguous().reverse();
    }

    /// Waits until the queue is empty.
    pub(super) async fn settle(&self) {
        loop {
            let settled = self.settled.notified();
            tokio::pin!(settled);
            settled.as_mut().enable();
            if self.inner().queue.is_empty() {
                return;
            }
            settled.await;
        }
    }

    /// Returns the address and the next delivery. If there is none yet, returns the time at which one is due; if
    /// nothing can be sent at present, none.
    fn next(&self) -> Result<(String, Delivery), Option<Instant>> {
        let inner = self.inner();
        if inner.is_held {
            return Err(None);
        }
        let Some(url) = inner.url.clone() else { return Err(None) };
        let now = Instant::now();
        match inner.queue.iter().find(|delivery| delivery.not_before <= now) {
            Some(delivery) => Ok((url, delivery.clone())),
            None => Err(inner.queue.iter().map(|delivery| delivery.not_before).min()),
        }
    }

    /// Records the result of a delivery.
    fn done(&self, delivery: &Delivery, was_taken: bool) {
        let mut inner = self.inner();
        let sent = |other: &Delivery| other.body == delivery.body && other.attempts == delivery.attempts;
        if let Some(at) = inner.queue.iter().position(sent) {
            let pause = inner.pause * 2_u32.saturating_pow(delivery.attempts.min(16));
            if was_taken || delivery.attempts + 1 >= ATTEMPTS {
                inner.queue.remove(at);
            } else if let Some(again) = inner.queue.get_mut(at) {
                again.attempts += 1;
                again.not_before = Instant::now() + pause;
            }
        }
        let is_settled = inner.queue.is_empty();
        drop(inner);
        if is_settled {
            self.settled.notify_waiters();
        }
    }
}

/// Sends webhooks one after the other, as long as the runtime lives.
pub(super) async fn run(sandbox: Sandbox) {
    let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).redirect(Policy::none());
    let Ok(client) = client.build() else { return };
    let deliveries = &sandbox.0.deliveries;
    loop {
        match deliveries.next() {
            Ok((url, delivery)) => {
                let was_taken =
                    send(&client, &sandbox.0.webhook_secret, &url, &delivery.body, sandbox.now().await).await;
                deliveries.done(&delivery, was_taken);
            }
            Err(None) => deliveries.changed.notified().await,
            Err(Some(at)) => {
                tokio::select! {
                    () = tokio::time::sleep_until(at) => {}
                    () = deliveries.changed.notified() => {}
                }
            }
        }
    }
}

async fn send(client: &reqwest::Client, secret: &SecretString, url: &str, body: &str, now: i64) -> bool {
    let request = client
        .post(url)
        .header("content-type", "application/json; charset=utf-8")
        .header(webhook::SIGNATURE_HEADER, webhook::sign(secret, body.as_bytes(), now))
        .body(body.to_owned());
    request.send().await.is_ok_and(|answer| answer.status().is_success())
}
