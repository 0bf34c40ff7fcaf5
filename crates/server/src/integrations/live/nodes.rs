//! Live events between the nodes of one PostgreSQL database (docs/decisions/0056-news-after-the-commit.md).
//!
//! After its commit a change is published by NOTIFY, several together while others are on their way. NOTIFY inside a
//! transaction would hold a lock of the whole database until the flush. Two nodes may publish two versions of a site in the
//! other order than they committed them, and a node that ends in between publishes nothing. A site's versions count up by
//! one, so whoever hears of one knows those before it, and tells them in their order, each once. What nobody follows up is
//! found by a sweep that compares the versions of all sites with those heard of.

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

/// The name of the channel; the data layer adds the schema.
const CHANNEL: &str = "berth_live";

/// Time between two sweeps. What was lost is told at the second one after it.
const SWEEP_EVERY: Duration = Duration::from_millis(500);

/// Most versions of a site that are told one by one.
const MOST_BETWEEN: i64 = 100;

/// Tells all nodes what was committed here.
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

    /// Publishes soon, in the order of the calls.
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
                tracing::warn!(%error, events = texts.len(), "live events were not published; the sweep finds them");
            }
        }
    }

    fn next(&self) -> Option<Vec<String>> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.is_publishing = !queue.waiting.is_empty();
        queue.is_publishing.then(|| mem::take(&mut queue.waiting))
    }
}

/// What this node hears, and what it has heard.
pub struct Ear {
    notifications: Notifications,
    heard: Heard,
}

/// Begins to listen to what the nodes (this one included) publish over PostgreSQL. Wait for it before the first stream is
/// opened: what is published before anyone listens is lost. None on SQLite, and while the database cannot be reached.
pub async fn listen(app: &App) -> Option<Ear> {
    app.live.publisher.as_ref()?;
    let ear = async {
        let mut heard = Heard::default();
        heard.read(&app.db).await?;
        Ok::<_, crate::Error>(Ear { notifications: app.db.listen(CHANNEL).await?, heard })
    };
    ear.await.inspect_err(|error| tracing::warn!(error = %error, "cannot listen for live events yet")).ok()
}

/// Passes on what the nodes publish; runs until the process ends.
pub async fn relay(app: App, ear: Option<Ear>) {
    if app.live.publisher.is_none() {
        return;
    }
    let Ear { mut notifications, mut heard } = if let Some(ear) = ear {
        ear
    } else {
        let ear = loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Some(ear) = listen(&app).await {
                break ear;
            }
        };
        // Streams were open before, and nobody knows what they missed.
        let _ = app.live.sender.send(Message::Resync);
        ear
    };
    let mut sweeps = interval(SWEEP_EVERY);
    sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            item = notifications.next() => match item {
                Some(Notification::Payload(text)) => match serde_json::from_str(&text) {
                    Ok(change) => tell(&app, &mut heard, change),
                    Err(_) => drop(app.live.sender.send(Message::Resync)),
                },
                // What was published during the gap is not known.
                Some(Notification::Reconnected) => drop(app.live.sender.send(Message::Resync)),
                None => return,
            },
            _ = sweeps.tick() => sweep(&app, &mut heard).await,
        }
    }
}

/// Tells the change, and those before it that were not told yet.
fn tell(app: &App, heard: &mut Heard, change: Change) {
    for version in heard.of(change) {
        let event = LiveEvent { version, ..change.event };
        let _ = app.live.sender.send(Message::site(Change { event, ..change }));
    }
}

/// Tells what was lost. Nothing is asked while nobody listens.
async fn sweep(app: &App, heard: &mut Heard) {
    if app.live.open_streams() == 0 {
        // Whoever opens a stream loads everything.
        heard.asked = None;
        return;
    }
    match heard.lost(&app.db).await {
        Ok(lost) => lost.into_iter().for_each(|change| tell(app, heard, change)),
        Err(error) => tracing::warn!(%error, "cannot look for live events that were lost"),
    }
}

/// The versions of sites that this node has told, or need not tell.
#[derive(Default)]
struct Heard {
    versions: HashMap<SiteId, i64>,
    /// The sum of the versions.
    sum: i64,
    /// How many sites there were at the last sweep, and the sum of their versions.
    asked: Option<(i64, i64)>,
}

impl Heard {
    /// Notes a change, and returns the versions of its site that are to be told.
    fn of(&mut self, change: Change) -> RangeInclusive<i64> {
        let LiveEvent { site_id, version } = change.event;
        let known = self.versions.entry(site_id).or_default();
        // A new site, or one that was away for long, has nothing between.
        let first = if *known == 0 || version - *known > MOST_BETWEEN { version } else { *known + 1 };
        if *known < version {
            self.sum += version - *known;
            *known = version;
        }
        first..=version
    }

    /// The changes that nobody published, each with its site's last version. One may be on its way, so one sum is asked for
    /// at each sweep, and the sites are read only if what the sum told was not heard until the next sweep.
    async fn lost(&mut self, db: &Db) -> Result<Vec<Change>> {
        const ALL: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM sites";
        let count = i64::try_from(self.versions.len()).unwrap_or(i64::MAX);
        let is_lost = self.asked.is_some_and(|(sites, sum)| count < sites || self.sum < sum);
        let now: (i64, i64) = db.query(ALL).one().await?;
        self.asked = Some(now);
        // Fewer than are known: sites were removed for good, and the sums no longer compare.
        if is_lost || now.0 < count { self.read(db).await } else { Ok(Vec::new()) }
    }

    /// Reads all sites, forgets those that are gone, and returns the ones with a later version than was heard of. At the
    /// first reading all count as told.
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
        self.asked = None;
        Ok(later)
    }
}

#[cfg(test)]
mod tests {
    use berth_domain::id::{OrganizationId, SiteId};
    use uuid::Uuid;

    use super::{Change, Heard, LiveEvent, MOST_BETWEEN};

    fn told(heard: &mut Heard, site: u128, version: i64) -> Vec<i64> {
        let event = LiveEvent { site_id: SiteId(Uuid::from_u128(site)), version };
        heard.of(Change { organization_id: OrganizationId(Uuid::nil()), event }).collect()
    }

    #[test]
    fn each_version_of_a_site_is_told_once_and_in_order_whatever_the_order_in_which_nodes_publish() {
        let mut heard = Heard::default();
        assert_eq!(told(&mut heard, 1, 4), [4], "nothing was known of this site");
        assert_eq!(told(&mut heard, 1, 6), [5, 6], "5 was committed before 6");
        assert_eq!(told(&mut heard, 1, 5), [0; 0], "and is not told again");
        assert_eq!(told(&mut heard, 2, 1), [1]);
        assert_eq!(told(&mut heard, 1, 7), [7]);
        assert_eq!(told(&mut heard, 1, 8 + MOST_BETWEEN), [8 + MOST_BETWEEN], "too far to tell each");
        assert_eq!(heard.sum, 9 + MOST_BETWEEN);
    }
}
