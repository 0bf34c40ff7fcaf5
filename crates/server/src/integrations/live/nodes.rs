//! Live events between the nodes of one PostgreSQL database (docs/decisions/0056-news-after-the-commit.md).
//!
//! After its commit a change is published by NOTIFY, several together while others are on their way. NOTIFY inside a
//! transaction would hold a lock of the whole database until the flush. What is lost between commit and NOTIFY, because
//! its node ended there, is found by a sweep that compares the versions of all sites with those heard of.

use std::collections::HashMap;
use std::mem;
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

/// Begins to listen to what the nodes (this one included) publish over PostgreSQL. Wait for it before the first stream is
/// opened: what is published before anyone listens is lost. None on SQLite, and while the database cannot be reached.
pub async fn listen(app: &App) -> Option<Notifications> {
    app.live.publisher.as_ref()?;
    let notifications = app.db.listen(CHANNEL).await;
    notifications.inspect_err(|error| tracing::warn!(error = %error, "cannot listen for live events yet")).ok()
}

/// Passes on what the nodes publish; runs until the process ends.
pub async fn relay(app: App, notifications: Option<Notifications>) {
    if app.live.publisher.is_none() {
        return;
    }
    let mut notifications = if let Some(notifications) = notifications {
        notifications
    } else {
        let notifications = loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Some(notifications) = listen(&app).await {
                break notifications;
            }
        };
        // Streams were open before, and nobody knows what they missed.
        let _ = app.live.sender.send(Message::Resync);
        notifications
    };
    let mut heard = Heard::default();
    let mut sweeps = interval(SWEEP_EVERY);
    sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            item = notifications.next() => match item {
                Some(item) => pass_on(&app, &mut heard, item),
                None => return,
            },
            _ = sweeps.tick() => sweep(&app, &mut heard).await,
        }
    }
}

fn pass_on(app: &App, heard: &mut Heard, item: Notification) {
    let change = match item {
        Notification::Payload(text) => serde_json::from_str::<Change>(&text).ok(),
        // What was published during the gap is not known.
        Notification::Reconnected => None,
    };
    let message = match change {
        Some(change) if heard.is_news(&change) => Message::site(change),
        Some(_) => return,
        None => Message::Resync,
    };
    let _ = app.live.sender.send(message);
}

/// Tells what was lost. Nothing is asked while nobody listens; the first sweep learns where the sites are.
async fn sweep(app: &App, heard: &mut Heard) {
    if heard.is_whole && app.live.open_streams() == 0 {
        // Whoever opens a stream loads everything.
        heard.asked = None;
        return;
    }
    match heard.sweep(&app.db).await {
        Ok(lost) => {
            for change in lost {
                let _ = app.live.sender.send(Message::site(change));
            }
        }
        Err(error) => tracing::warn!(%error, "cannot look for live events that were lost"),
    }
}

/// The versions of sites, as far as this node heard.
#[derive(Default)]
struct Heard {
    versions: HashMap<SiteId, i64>,
    /// The sum of the versions.
    sum: i64,
    /// Whether every site was read once.
    is_whole: bool,
    /// How many sites there were at the last sweep, and the sum of their versions.
    asked: Option<(i64, i64)>,
}

impl Heard {
    /// Notes a change. Returns true if nobody here has heard of it or a later one of its site.
    fn is_news(&mut self, change: &Change) -> bool {
        let LiveEvent { site_id, version } = change.event;
        let known = self.versions.entry(site_id).or_default();
        let is_news = *known < version;
        if is_news {
            self.sum += version - *known;
            *known = version;
        }
        is_news
    }

    /// The changes that were lost. A change may be on its way, so one sum is asked for at each sweep, and the sites are
    /// read only if what the sum told was not heard until the next sweep.
    async fn sweep(&mut self, db: &Db) -> Result<Vec<Change>> {
        const ALL: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM sites";
        let count = i64::try_from(self.versions.len()).unwrap_or(i64::MAX);
        let is_lost = self.asked.is_some_and(|(sites, sum)| count < sites || self.sum < sum);
        let now: (i64, i64) = db.query(ALL).one().await?;
        // Fewer than are known: sites were removed for good, and the sums no longer compare.
        if self.is_whole && !is_lost && count <= now.0 {
            self.asked = Some(now);
            return Ok(Vec::new());
        }
        let lost = self.read(db).await?;
        // What the first reading finds was there before anybody watched.
        Ok(if mem::replace(&mut self.is_whole, true) { lost } else { Vec::new() })
    }

    /// Reads all sites, and returns those whose versions are news.
    async fn read(&mut self, db: &Db) -> Result<Vec<Change>> {
        const SITES: &str = "SELECT id, organization_id, version FROM sites";
        let sites: Vec<(SiteId, OrganizationId, i64)> = db.query(SITES).all().await?;
        let mut news = Vec::new();
        let known = mem::take(self);
        self.is_whole = known.is_whole;
        for (site_id, organization_id, version) in sites {
            let before = known.versions.get(&site_id).copied().unwrap_or_default();
            let change = Change { organization_id, event: LiveEvent { site_id, version: version.max(before) } };
            self.is_news(&change);
            if before < version {
                news.push(change);
            }
        }
        Ok(news)
    }
}

#[cfg(test)]
mod tests {
    use berth_domain::id::{OrganizationId, SiteId};
    use uuid::Uuid;

    use super::{Change, Heard, LiveEvent};

    fn change(site: u128, version: i64) -> Change {
        let event = LiveEvent { site_id: SiteId(Uuid::from_u128(site)), version };
        Change { organization_id: OrganizationId(Uuid::nil()), event }
    }

    #[test]
    fn a_site_never_goes_back_to_an_earlier_version() {
        let mut heard = Heard::default();
        let told: Vec<bool> = [(1, 4), (1, 6), (1, 5), (2, 1), (1, 6), (1, 7)]
            .into_iter()
            .map(|(site, version)| heard.is_news(&change(site, version)))
            .collect();
        assert_eq!(told, [true, true, false, true, false, true]);
        assert_eq!(heard.sum, 8);
    }
}
