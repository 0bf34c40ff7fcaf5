//! Live boards: `GET /api/live` (Server-Sent Events) sends `{siteId, version}` for the sites that the caller may see.
//!
//! One node broadcasts to its own streams after the commit. With PostgreSQL the events travel by NOTIFY after the commit, so
//! that the streams of every node get them (`nodes`). Who may receive what is read once for all streams of a
//! session (`streams`), not for each stream and event.

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
use crate::auth::caller::{Listener, Site};
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

/// What the streams of this node are told.
#[derive(Debug, Clone)]
enum Message {
    /// A site changed; `text` is the finished event.
    Site { organization_id: OrganizationId, site_id: SiteId, text: Bytes },
    /// Changes may have been missed: load everything again.
    Resync,
    /// Nothing happened, and the rights of the stream have just been read.
    Heartbeat { text: Bytes },
}

/// The data of `ready` and `heartbeat`.
#[derive(Debug, Serialize)]
struct Pulse {
    /// The time on the server.
    now: Timestamp,
}

/// Time between two heartbeats. A browser that hears nothing for 20 seconds connects again.
pub const HEARTBEAT: Duration = Duration::from_secs(8);

/// The live streams of this process.
pub struct Live {
    sender: broadcast::Sender<Message>,
    streams: Streams,
    /// Tells all nodes; none on SQLite, where there is one.
    publisher: Option<Arc<Publisher>>,
}

impl Live {
    /// Without streams yet.
    #[must_use]
    pub fn new(db: &Db) -> Self {
        Self {
            sender: broadcast::channel(1024).0,
            streams: Streams::default(),
            publisher: (db.engine() == Engine::Postgres).then(|| Arc::new(Publisher::new(db.clone()))),
        }
    }

    /// Commits, then tells the boards that watch the site.
    pub async fn commit(&self, tx: Tx, site: &Site, version: i64) -> Result<()> {
        self.commit_many(tx, site.organization_id, vec![LiveEvent { site_id: site.id, version }]).await
    }

    /// Commits a change that shows at several sites of an organization, then tells the boards that watch them.
    pub async fn commit_many(&self, tx: Tx, organization_id: OrganizationId, events: Vec<LiveEvent>) -> Result<()> {
        self.commit_places(tx, vec![(organization_id, events)]).await
    }

    /// Commits a change that shows at sites of several organizations, then tells the boards that watch them: also when the
    /// caller has gone away meanwhile.
    pub async fn commit_places(&self, tx: Tx, places: Vec<(OrganizationId, Vec<LiveEvent>)>) -> Result<()> {
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
        // Of two changes that share a flush the first is sent first.
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

    /// Reads the rights of every session that has a stream here, in one query, and ends the streams of those that are
    /// over. Runs every half second while streams are open; tests call it to have it done now.
    ///
    /// # Errors
    /// Those of the database; until rights can be read again, streams wait and tell nothing.
    pub async fn check_rights(&self, app: &App) -> Result<()> {
        self.streams.check(app).await
    }

    /// Sends a heartbeat to every stream. Runs every [`HEARTBEAT`]; tests call it to have one now.
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

/// A finished Server-Sent Event.
fn event(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n").into()
}

/// Sends an event whenever a site of the caller changes. The first event is `ready`; `site` carries `{siteId, version}`;
/// `resync` means that some may have been missed: load everything again; `heartbeat` comes every 8 seconds. `ready` and
/// `heartbeat` carry `{now}`, the time on the server. The stream ends with the session. A session holds 8 streams: a
/// ninth ends the oldest. 429: too many streams from this address.
#[utoipa::path(get, path = "/api/live", tag = "Live",
    responses((status = 200, description = "a stream of events", body = LiveEvent, content_type = "text/event-stream")))]
pub async fn live(State(app): State<App>, Listener(caller): Listener) -> Result<Response> {
    let stream = app.live.streams.open(&app, &caller)?;
    let ready = [Bytes::from_static(b"retry: 3000\n"), event("ready", &Pulse { now: app.now() })].concat();
    let ready = futures_util::stream::once(async move { Ok::<_, std::convert::Infallible>(Bytes::from(ready)) });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        // Proxies must pass events on at once.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, Body::from_stream(ready.chain(stream.events()))).into_response())
}
