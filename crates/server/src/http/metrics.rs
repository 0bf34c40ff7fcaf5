//! `/metrics` for Prometheus: requests by route, latency, live watchers, outbox, expired holds, pool use.
//!
//! Readable from this machine, or with `metrics_token` (docs/decisions/0010-metrics-for-this-machine.md).

use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use secrecy::ExposeSecret;

use crate::auth::tokens;
use crate::http::local;
use crate::{App, Error, Result};

/// Upper bounds of the latency buckets, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
    method: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Pool {
    pool: &'static str,
    state: &'static str,
}

/// The counters of a process.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Route, Histogram>,
    expired: Counter<u64, AtomicU64>,
    watchers: Gauge,
    waiting: Gauge,
    connections: Family<Pool, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Creates the metrics, all at zero.
    #[must_use]
    pub fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("berth"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            expired: Counter::default(),
            watchers: Gauge::default(),
            waiting: Gauge::default(),
            connections: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("http_requests", "Answered requests", metrics.requests.clone());
        registry.register("http_request_seconds", "Seconds to the head of the answer", metrics.seconds.clone());
        registry.register("holds_expired", "Holds that ran out on this node", metrics.expired.clone());
        registry.register("live_watchers", "Open live streams", metrics.watchers.clone());
        registry.register("outbox_waiting", "Messages not yet sent nor given up", metrics.waiting.clone());
        registry.register("database_connections", "Connections by pool and state", metrics.connections.clone());
        metrics
    }

    /// Counts holds whose end the expiry job has recorded.
    pub fn holds_expired(&self, count: u64) {
        self.expired.inc_by(count);
    }

    fn answered(&self, route: String, method: &'static str, status: u16, seconds: f64) {
        let class = match status {
            100..=199 => "1xx",
            200..=299 => "2xx",
            300..=399 => "3xx",
            400..=499 => "4xx",
            _ => "5xx",
        };
        self.seconds.get_or_create(&Route { route: route.clone(), method }).observe(seconds);
        self.requests.get_or_create(&Answered { route, method, status: class }).inc();
    }

    /// Returns the text for Prometheus. Values without a counter are read now.
    async fn text(&self, app: &App) -> Result<String> {
        const WAITING: &str = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL";
        self.waiting.set(app.db.query(WAITING).scalar::<i64>().await?);
        self.watchers.set(i64::try_from(app.live.open_streams()).unwrap_or(i64::MAX));
        for pool in app.db.pool_use() {
            let idle = i64::try_from(pool.idle).unwrap_or(i64::MAX);
            let open = i64::from(pool.open);
            for (state, count) in [("idle", idle), ("busy", open - idle), ("limit", i64::from(pool.limit))] {
                self.connections.get_or_create(&Pool { pool: pool.name, state }).set(count);
            }
        }
        let mut body = String::new();
        text::encode(&mut body, &self.registry).map_err(|_| Error::internal("the metrics could not be written"))?;
        Ok(body)
    }
}

/// A request in progress. It is counted by the template of its route and not by its path, which may hold ids.
#[derive(Debug)]
pub struct Course {
    route: String,
    method: &'static str,
    started: Instant,
}

impl Course {
    /// Starts the clock.
    #[must_use]
    pub fn of(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
        Self { route, method: method(request.method()), started: Instant::now() }
    }

    /// The method, or `other` for an unknown one.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        self.method
    }

    /// The template of the route, such as `/api/Sites/{id}`.
    #[must_use]
    pub fn route(&self) -> &str {
        &self.route
    }

    /// Method and route, for the audit log.
    #[must_use]
    pub fn call(&self) -> String {
        format!("{} {}", self.method, self.route)
    }

    /// Counts the answer once its head is there, and returns the time since the request.
    pub fn ended(self, metrics: &Metrics, status: StatusCode) -> Duration {
        let elapsed = self.started.elapsed();
        metrics.answered(self.route, self.method, status.as_u16(), elapsed.as_secs_f64());
        elapsed
    }
}

/// Returns the name of a known method, else `other`: anyone can invent methods.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Shows the metrics: `GET /metrics`.
///
/// # Errors
/// [`Error::NotFound`] for requests that may not read them, as for an unknown address.
pub async fn show(State(app): State<App>, request: Request) -> Result<Response> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    if !may_read(&app, request.headers(), peer) {
        return Err(Error::NotFound);
    }
    let mut response = app.metrics.text(&app).await?.into_response();
    let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Returns true if the request has the token, or comes from this machine if none is set.
fn may_read(app: &App, headers: &HeaderMap, peer: Option<SocketAddr>) -> bool {
    let Some(wanted) = &app.settings.metrics_token else {
        return local::is_local_request(&app.settings, headers, peer);
    };
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let sent = sent.and_then(|value| value.strip_prefix("Bearer "));
    sent.is_some_and(|sent| tokens::same(&tokens::hash(sent), &tokens::hash(wanted.expose_secret())))
}
