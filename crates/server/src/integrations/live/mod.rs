//! Live boards: `GET /api/live` (Server-Sent Events) sends `{siteId, version}` for the sites that the caller may see.
//!
//! On SQLite the node sends them to its streams after the commit. On PostgreSQL they travel by NOTIFY after the commit and reach the
//! streams of every node (`nodes`). The rights are read once for all streams of a session (`streams`), not for each stream and event.

mod nodes;
mod rights;
mod streams;

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use berth_db::{Db, Engine, Tx};
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::time::Timestamp;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use utoipa::ToSchema;

pub use self::nodes::{listen, relay};

use self::nodes::Publisher;
use self::streams::Streams;
use crate::auth::caller::Listener;
use crate::{App, Result};

/// A site changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The site that changed.
    pub site_id: SiteId,
    /// Its version after the change.
    pub version: i64,
}

/// An event with the organization that owns the site, which decides who receives it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Change {
    organization_id: OrganizationId,
    #[serde(flatten)]
    event: LiveEvent,
}

/// A message to the streams of this node.
#[derive(Debug, Clone)]
enum Message {
    /// A site changed. `text` is the serialized event.
    Site { organization_id: OrganizationId, site_id: SiteId, text: Bytes },
    /// Events may have been lost: load everything again.
    Resync,
    /// The connection works, and the rights of the stream have just been read.
    Heartbeat { text: Bytes },
}

/// The data of `ready` and `heartbeat`.
#[derive(Debug, Serialize)]
struct Pulse {
    /// The time on the server.
    now: Timestamp,
}

/// Interval between two heartbeats. A browser that receives nothing for 20 seconds connects again.
pub const HEARTBEAT: Duration = Duration::from_secs(8);

/// The live streams of this process.
pub struct Live {
    sender: broadcast::Sender<Message>,
    streams: Streams,
    /// Publishes to all nodes. `None` on SQLite, where there is one node.
    publisher: Option<Arc<Publisher>>,
}

impl Live {
    /// Creates it without streams.
    #[must_use]
    pub fn new(db: &Db) -> Self {
        Self {
            sender: broadcast::channel(1024).0,
            streams: Streams::default(),
            publisher: (db.engine() == Engine::Postgres).then(|| Arc::new(Publisher::new(db.clone()))),
        }
    }

    /// Commits, then publishes the versions of sites of several organizations. Publishes even if the client disconnects: the
    /// change is already committed.
    pub async fn commit(&self, tx: Tx, places: Vec<(OrganizationId, Vec<LiveEvent>)>) -> Result<()> {
        let changes = places.into_iter().flat_map(|(organization_id, events)| {
            events.into_iter().map(move |event| Change { organization_id, event })
        });
        let changes: Vec<Change> = changes.collect();
        if let Some(publisher) = &self.publisher {
            let publisher = Arc::clone(publisher);
            let commit = tokio::spawn(async move {
                tx.commit().await?;
                publisher.publish(&changes);
                Ok(())
            });
            return commit.await.map_err(|error| crate::Error::Internal(error.into()))?;
        }
        // Changes that share a flush are sent in the order of their commits.
        let sender = self.sender.clone();
        let publish = move || {
            for change in changes {
                let _ = sender.send(Message::site(change));
            }
        };
        Ok(tx.commit_then(publish).await?)
    }

    /// Number of open streams.
    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.streams.count()
    }

    /// Reads the rights of all sessions that have a stream here, in one query, and ends the streams of ended sessions. Runs every half
    /// second while streams are open; public for tests. While rights cannot be read, streams send nothing.
    pub async fn check_rights(&self, app: &App) -> Result<()> {
        self.streams.check(app).await
    }

    /// Sends a heartbeat to every stream. Runs every [`HEARTBEAT`]; public for tests.
    pub fn beat(&self, app: &App) {
        let _ = self.sender.send(Message::Heartbeat { text: event("heartbeat", &Pulse { now: app.now() }) });
    }
}

impl Message {
    fn site(change: Change) -> Self {
        let Change { organization_id, event: LiveEvent { site_id, .. } } = change;
        Self::Site { organization_id, site_id, text: event("site", &change.event) }
    }
}

/// Serializes a Server-Sent Event.
fn event(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n").into()
}

/// Streams an event whenever a site of the caller changes. The first event is `ready`. `site` holds `{siteId, version}`. `resync`
/// means that events may have been lost or that the session sees other sites than before: load everything again. `heartbeat` is sent every
/// 8 seconds. `ready` and `heartbeat` hold `{now}`, the time on the server. The stream ends with the session. A session may have 8 streams; a
/// ninth ends the oldest. 429: too many streams from this address.
#[utoipa::path(get, path = "/api/live", tag = "Live",
    responses((status = 200, description = "a stream of events", body = LiveEvent, content_type = "text/event-stream")))]
pub async fn live(State(app): State<App>, Listener(caller): Listener) -> Result<Response> {
    let stream = app.live.streams.open(&app, &caller)?;
    let ready = [Bytes::from_static(b"retry: 3000\n"), event("ready", &Pulse { now: app.now() })].concat();
    let ready = futures_util::stream::once(async move { Ok::<_, std::convert::Infallible>(Bytes::from(ready)) });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        // Proxies must not buffer events.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, Body::from_stream(ready.chain(stream.events()))).into_response())
}
