//! Live boards: `GET /api/live` (Server-Sent Events) tells `{siteId, version}` of the sites that the caller may see.
//!
//! One node tells its own watchers after the commit. With PostgreSQL the news travel by NOTIFY, sent inside the
//! transaction, so that watchers on every node hear them.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use berth_db::{Db, Engine, Notifications, Tx};
use berth_domain::id::{OrganizationId, SiteId};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use utoipa::ToSchema;

use crate::caller::{Caller, Listener, Site};
use crate::{App, Result};

/// News of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The site that changed.
    pub site_id: SiteId,
    /// Its version after the change.
    pub version: i64,
}

/// News with the organization that owns the site, by which watchers are chosen.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct News {
    organization_id: OrganizationId,
    #[serde(flatten)]
    event: LiveEvent,
}

/// The name of the channel on PostgreSQL; the data layer adds the schema.
pub const CHANNEL: &str = "berth_live";

/// Who watches: one broadcast channel in the process.
pub struct Live {
    sender: broadcast::Sender<Option<News>>,
    over_the_database: bool,
}

impl Live {
    /// Without watchers yet.
    #[must_use]
    pub fn new(db: &Db) -> Self {
        Self { sender: broadcast::channel(1024).0, over_the_database: db.engine() == Engine::Postgres }
    }

    /// Commits, then tells the boards that watch the site.
    ///
    /// # Errors
    /// Those of the database; nothing is told then.
    pub async fn commit(&self, tx: Tx, site: &Site, version: i64) -> Result<()> {
        self.commit_many(tx, site.organization_id, vec![LiveEvent { site_id: site.id, version }]).await
    }

    /// Commits a change that shows at several sites of an organization, then tells the boards that watch them.
    ///
    /// # Errors
    /// Those of the database; nothing is told then.
    pub async fn commit_many(&self, tx: Tx, organization_id: OrganizationId, events: Vec<LiveEvent>) -> Result<()> {
        self.commit_places(tx, vec![(organization_id, events)]).await
    }

    /// Commits a change that shows at sites of several organizations, then tells the boards that watch them.
    ///
    /// # Errors
    /// Those of the database; nothing is told then.
    pub async fn commit_places(&self, mut tx: Tx, places: Vec<(OrganizationId, Vec<LiveEvent>)>) -> Result<()> {
        let news = places
            .into_iter()
            .flat_map(|(organization_id, events)| events.into_iter().map(move |event| News { organization_id, event }));
        if self.over_the_database {
            for news in news {
                let text = serde_json::to_string(&news).map_err(|error| crate::Error::Internal(error.into()))?;
                tx.notify(CHANNEL, &text).await?;
            }
            return Ok(tx.commit().await?);
        }
        // With the commit itself: a client who hangs up now must not leave a change behind that nobody was told of, and of
        // two changes that share a flush the first is told first.
        let (sender, news) = (self.sender.clone(), news.collect::<Vec<_>>());
        let told = move || {
            for news in news {
                let _ = sender.send(Some(news));
            }
        };
        Ok(tx.commit_then(told).await?)
    }

    /// How many streams are open.
    #[must_use]
    pub fn watchers(&self) -> usize {
        self.sender.receiver_count()
    }
}

/// Begins to listen to what other nodes (and this one) tell over PostgreSQL. To be waited for before the first stream is
/// opened: what is told before anyone listens is told to nobody. None on SQLite, and while the database cannot be heard.
pub async fn listen(app: &App) -> Option<Notifications> {
    if !app.live.over_the_database {
        return None;
    }
    let heard = app.db.listen(CHANNEL).await;
    heard.inspect_err(|error| tracing::warn!(error = %error, "live news cannot be heard yet")).ok()
}

/// Passes on what is heard; runs until the process ends.
pub async fn relay(app: App, ear: Option<Notifications>) {
    if !app.live.over_the_database {
        return;
    }
    let mut news = if let Some(ear) = ear {
        ear
    } else {
        let ear = loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Some(ear) = listen(&app).await {
                break ear;
            }
        };
        // Streams were open before, and nobody knows what they missed.
        let _ = app.live.sender.send(None);
        ear
    };
    while let Some(item) = news.next().await {
        // After a gap nobody knows what was missed: `None` makes every watcher ask again.
        let told = match item {
            berth_db::Notification::Payload(text) => serde_json::from_str(&text).ok(),
            berth_db::Notification::Reconnected => None,
        };
        let _ = app.live.sender.send(told);
    }
}

/// Tells which boards changed, as they change. The first event is `ready`; `site` events carry `{siteId, version}`;
/// `resync` means that some may have been missed. The stream ends with the session.
#[utoipa::path(get, path = "/api/live", tag = "Live",
    responses((status = 200, description = "a stream of events", body = LiveEvent, content_type = "text/event-stream")))]
pub async fn live(State(app): State<App>, Listener(caller): Listener) -> Response {
    let receiver = app.live.sender.subscribe();
    let ready = stream::once(async { Ok(Event::default().event("ready").data("{}")) });
    let sse = Sse::new(ready.chain(events(app, caller, receiver)))
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(15)).text("still here"));
    // Proxies must pass events on at once.
    ([(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"))], sse).into_response()
}

/// Events for one watcher. Before each one, and at least every 15 seconds, the session and its rights are read
/// again, so that a stream does not outlive them (I17).
fn events(
    app: App,
    caller: Caller,
    receiver: broadcast::Receiver<Option<News>>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((app, caller, receiver), |(app, mut caller, mut receiver)| async move {
        loop {
            let heard = tokio::time::timeout(Duration::from_secs(15), receiver.recv()).await;
            if matches!(heard, Ok(Err(broadcast::error::RecvError::Closed))) {
                return None;
            }
            caller = caller.again(&app).await.ok()?;
            let event = match heard {
                Ok(Ok(Some(news))) if caller.watches(news.organization_id, news.event.site_id) => {
                    Event::default().event("site").json_data(news.event).ok()?
                }
                Ok(Ok(None) | Err(_)) => Event::default().event("resync").data("{}"),
                Ok(Ok(Some(_))) | Err(_) => continue,
            };
            return Some((Ok(event), (app, caller, receiver)));
        }
    })
}
