//! Live events between the nodes of one PostgreSQL database (docs/decisions/0056-news-after-the-commit.md).
//!
//! A change is published by NOTIFY after its commit, together with those that wait meanwhile: NOTIFY inside a transaction would hold
//! a lock of the whole database until the flush. Two nodes may publish two versions of a site in another order than they committed
//! them, and a node that ends in between publishes nothing. The versions of a site count up by one, so a node that receives one sends
//! the missing ones before it, each once and in order. Versions that nobody published are found by a sweep, which compares the versions
//! of all sites with the last ones sent.

use std::collections::HashMap;
use std::mem;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use berth_db::{Db, Notification, Notifications};
use berth_domain::id::{OrganizationId, SiteId};
use futures_util::StreamExt;
use tokio::time::{MissedTickBehavior, interval};

use super::{Change, LiveEvent, Message};
use crate::{App, Result};

/// Name of the channel. The data layer adds the schema.
const CHANNEL: &str = "berth_live";

/// Interval between two sweeps. A lost version is sent by the second sweep after it.
const SWEEP_INTERVAL: Duration = Duration::from_millis(500);

/// Maximum number of missing versions of a site that are sent one by one.
const MAX_MISSING: i64 = 100;

/// Publishes the changes of this node to all nodes.
pub(super) struct Publisher {
    db: Db,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<String>,
    is_publishing: bool,
}

impl Publisher {
    pub(super) fn new(db: Db) -> Self {
        Self { db, queue: Mutex::default() }
    }

    /// Publishes the changes in the background, in the order of the calls.
    pub(super) fn publish(self: &Arc<Self>, changes: &[Change]) {
        let texts = changes.iter().filter_map(|change| serde_json::to_string(change).ok());
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.waiting.extend(texts);
        if !mem::replace(&mut queue.is_publishing, true) {
            tokio::spawn(Arc::clone(self).run());
        }
    }

    async fn run(self: Arc<Self>) {
        while let Some(texts) = self.next() {
            if let Err(error) = self.db.publish(CHANNEL, &texts).await {
                tracing::warn!(%error, events = texts.len(), "live events were not published; the sweep will find them");
            }
        }
    }

    fn next(&self) -> Option<Vec<String>> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.is_publishing = !queue.waiting.is_empty();
        queue.is_publishing.then(|| mem::take(&mut queue.waiting))
    }
}

/// The events that the nodes publish, and the versions that this node has sent.
pub struct Subscription {
    notifications: Notifications,
    sent: SentVersions,
}

/// Subscribes to the events that all nodes, this one included, publish over PostgreSQL. Await it before the first stream is opened:
/// events before it are lost. `None` on SQLite, and while the database cannot be reached.
pub async fn listen(app: &App) -> Option<Subscription> {
    app.live.publisher.as_ref()?;
    let subscription = async {
        let mut sent = SentVersions::default();
        sent.read(&app.db).await?;
        Ok::<_, crate::Error>(Subscription { notifications: app.db.listen(CHANNEL).await?, sent })
    };
    subscription.await.inspect_err(|error| tracing::warn!(error = %error, "cannot listen for live events yet")).ok()
}

/// Sends the events of all nodes to the streams of this one. Runs until the process ends.
pub async fn relay(app: App, subscription: Option<Subscription>) {
    if app.live.publisher.is_none() {
        return;
    }
    let Subscription { mut notifications, mut sent } = if let Some(subscription) = subscription {
        subscription
    } else {
        let subscription = loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Some(subscription) = listen(&app).await {
                break subscription;
            }
        };
        // Streams that were opened before may have missed events.
        let _ = app.live.sender.send(Message::Resync);
        subscription
    };
    let mut sweeps = interval(SWEEP_INTERVAL);
    sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            item = notifications.next() => match item {
                Some(Notification::Payload(text)) => match serde_json::from_str(&text) {
                    Ok(change) => send(&app, &mut sent, change),
                    Err(_) => drop(app.live.sender.send(Message::Resync)),
                },
                // Events during the gap are lost.
                Some(Notification::Reconnected) => drop(app.live.sender.send(Message::Resync)),
                None => return,
            },
            _ = sweeps.tick() => sweep(&app, &mut sent).await,
        }
    }
}

/// Sends a change to the streams, after the missing versions before it.
fn send(app: &App, sent: &mut SentVersions, change: Change) {
    for version in sent.advance(change) {
        let event = LiveEvent { version, ..change.event };
        let _ = app.live.sender.send(Message::site(Change { event, ..change }));
    }
}

/// Sends the versions that nobody published. Reads nothing while no stream is open.
async fn sweep(app: &App, sent: &mut SentVersions) {
    if app.live.open_streams() == 0 {
        // A client that opens a stream loads everything.
        sent.last_sweep = None;
        return;
    }
    match sent.find_lost(&app.db).await {
        Ok(lost) => lost.into_iter().for_each(|change| send(app, sent, change)),
        Err(error) => tracing::warn!(%error, "cannot look for lost live events"),
    }
}

/// The last version of each site that this node has sent, or need not send.
#[derive(Default)]
struct SentVersions {
    versions: HashMap<SiteId, i64>,
    /// The sum of the versions.
    sum: i64,
    /// The number of sites at the last sweep, and the sum of their versions.
    last_sweep: Option<(i64, i64)>,
}

impl SentVersions {
    /// Notes a change and returns the versions of its site to send.
    fn advance(&mut self, change: Change) -> RangeInclusive<i64> {
        let LiveEvent { site_id, version } = change.event;
        let known = self.versions.entry(site_id).or_default();
        // For a new site, or one with too many missing versions, only the last one.
        let first = if *known == 0 || version - *known > MAX_MISSING { version } else { *known + 1 };
        if *known < version {
            self.sum += version - *known;
            *known = version;
        }
        first..=version
    }

    /// Returns the changes that nobody published, each with the last version of its site. A change may still be on its way, so a sweep
    /// reads only the sum of the versions, and the sites if the sum of the sweep before has not been reached.
    async fn find_lost(&mut self, db: &Db) -> Result<Vec<Change>> {
        const ALL: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM sites";
        let count = i64::try_from(self.versions.len()).unwrap_or(i64::MAX);
        let is_lost = self.last_sweep.is_some_and(|(sites, sum)| count < sites || self.sum < sum);
        let now: (i64, i64) = db.query(ALL).one().await?;
        self.last_sweep = Some(now);
        // Fewer sites than known: some were deleted, so the sums cannot be compared.
        if is_lost || now.0 < count { self.read(db).await } else { Ok(Vec::new()) }
    }

    /// Reads all sites, forgets deleted ones, and returns those with a later version than the last one sent. In the first call all
    /// versions count as sent.
    async fn read(&mut self, db: &Db) -> Result<Vec<Change>> {
        const SITES: &str = "SELECT id, organization_id, version FROM sites";
        let sites: Vec<(SiteId, OrganizationId, i64)> = db.query(SITES).all().await?;
        let known = mem::take(&mut self.versions);
        let mut later = Vec::new();
        for (site_id, organization_id, version) in sites {
            let before = known.get(&site_id).copied().unwrap_or(if known.is_empty() { version } else { 0 });
            self.versions.insert(site_id, before);
            if before < version {
                later.push(Change { organization_id, event: LiveEvent { site_id, version } });
            }
        }
        self.sum = self.versions.values().sum();
        self.last_sweep = None;
        Ok(later)
    }
}

#[cfg(test)]
mod tests {
    use berth_domain::id::{OrganizationId, SiteId};
    use uuid::Uuid;

    use super::{Change, LiveEvent, MAX_MISSING, SentVersions};

    fn advance(sent: &mut SentVersions, site: u128, version: i64) -> Vec<i64> {
        let event = LiveEvent { site_id: SiteId(Uuid::from_u128(site)), version };
        sent.advance(Change { organization_id: OrganizationId(Uuid::nil()), event }).collect()
    }

    #[test]
    fn each_version_of_a_site_is_sent_once_and_in_order_in_whatever_order_nodes_publish() {
        let mut sent = SentVersions::default();
        assert_eq!(advance(&mut sent, 1, 4), [4], "this site was unknown");
        assert_eq!(advance(&mut sent, 1, 6), [5, 6], "5 was committed before 6");
        assert_eq!(advance(&mut sent, 1, 5), [0; 0], "and is not sent again");
        assert_eq!(advance(&mut sent, 2, 1), [1]);
        assert_eq!(advance(&mut sent, 1, 7), [7]);
        assert_eq!(advance(&mut sent, 1, 8 + MAX_MISSING), [8 + MAX_MISSING], "too many to send each");
        assert_eq!(sent.sum, 9 + MAX_MISSING);
    }
}
