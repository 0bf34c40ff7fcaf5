//! The open streams of this node: their limits for each session and address, and the events that each receives.
//!
//! Rights are read for all sessions at once, every half second while streams are open. An event waits until the rights of its
//! stream were read within the last second, so no stream receives events for longer than that after the right was taken away (I17).
//! The streams of an ended session end at the next check. Those of a session with other rights than before get a resync: no event
//! tells them of a site that is gone for them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use berth_domain::id::SessionId;
use futures_util::Stream as FuturesStream;
use futures_util::stream;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::rights::{self, Rights};
use super::{HEARTBEAT, Message};
use crate::auth::caller::Caller;
use crate::{App, Error, Result};

/// Maximum number of streams of a session. One more ends the oldest.
const MAX_PER_SESSION: usize = 8;
/// Interval between two checks of the rights of all streams.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum age of the rights by which an event is sent.
const MAX_RIGHTS_AGE: Duration = Duration::from_secs(1);
/// Seconds after which a rejected client should try again.
const RETRY_AFTER: i64 = 30;

/// Maximum number of sessions in a query.
const SESSIONS_PER_QUERY: usize = 1000;

/// Why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The session has ended.
    SignedOut,
    /// The session opened more streams than it may have.
    Replaced,
}

/// One open stream.
struct Entry {
    session_id: Option<SessionId>,
    secret_hash: String,
    network: String,
    end: watch::Sender<Option<End>>,
    rights_changed: Arc<Notify>,
}

#[derive(Default)]
struct Open {
    last_id: u64,
    /// By id: the oldest first.
    streams: BTreeMap<u64, Entry>,
    /// By the hash of the session's secret.
    rights: HashMap<String, Arc<Rights>>,
    is_checking: bool,
}

impl Open {
    /// Replaces the rights of a session that still has a stream.
    fn replace_rights(&mut self, hash: &str, rights: Rights) {
        let Some(kept) = self.rights.get_mut(hash) else { return };
        if **kept != rights {
            for entry in self.streams.values().filter(|entry| entry.secret_hash == hash) {
                entry.rights_changed.notify_one();
            }
        }
        *kept = Arc::new(rights);
    }
}

/// All open streams of a process.
pub(super) struct Streams {
    open: Mutex<Open>,
    /// When the query of the last check began.
    checked: watch::Sender<Option<Instant>>,
}

impl Default for Streams {
    fn default() -> Self {
        Self { open: Mutex::default(), checked: watch::channel(None).0 }
    }
}

impl Streams {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of open streams.
    pub(super) fn count(&self) -> usize {
        self.lock().streams.len()
    }

    /// Opens a stream for a caller who was authenticated just now.
    ///
    /// # Errors
    /// 429 if too many streams are open from the caller's address.
    pub(super) fn open(&self, app: &App, caller: &Caller) -> Result<Stream> {
        let network = caller.requester.network();
        let (end, ended) = watch::channel(None);
        let mut open = self.lock();
        let of_session: Vec<u64> =
            open.streams.iter().filter(|(_, entry)| entry.session_id == caller.session_id).map(|(id, _)| *id).collect();
        // The oldest streams of the session make room, so that lost connections do not lock their user out.
        let excess = (of_session.len() + 1).saturating_sub(MAX_PER_SESSION);
        let replaced: Vec<Entry> = of_session.iter().take(excess).filter_map(|id| open.streams.remove(id)).collect();
        for entry in &replaced {
            let _ = entry.end.send(Some(End::Replaced));
        }
        let from_network = open.streams.values().filter(|entry| entry.network == network).count();
        if from_network >= app.settings.live_streams_per_address {
            return Err(Error::TooMany(RETRY_AFTER));
        }
        open.last_id += 1;
        let id = open.last_id;
        let secret_hash = caller.secret_hash.clone();
        let rights = Arc::new(Rights::new(caller.actor.memberships.clone()));
        open.rights.insert(secret_hash.clone(), rights);
        let rights_changed = Arc::new(Notify::new());
        let entry = Entry {
            session_id: caller.session_id,
            secret_hash: secret_hash.clone(),
            network,
            end,
            rights_changed: Arc::clone(&rights_changed),
        };
        open.streams.insert(id, entry);
        if !std::mem::replace(&mut open.is_checking, true) {
            tokio::spawn(keep_checking(app.clone()));
        }
        drop(open);
        let receiver = app.live.sender.subscribe();
        let checked = self.checked.subscribe();
        Ok(Stream { app: app.clone(), id, secret_hash, receiver, checked, ended, rights_changed, is_over: false })
    }

    /// Reads the rights of all sessions that have a stream, and ends the streams of ended sessions. If the query fails, no stream ends
    /// and the rights do not count as checked.
    pub(super) async fn check(&self, app: &App) -> Result<()> {
        let begun = Instant::now();
        let hashes: Vec<String> = self.lock().rights.keys().cloned().collect();
        let mut current = HashMap::new();
        for hashes in hashes.chunks(SESSIONS_PER_QUERY) {
            // Padded to a few lengths, so that the statements stay prepared.
            let length = hashes.len().next_power_of_two();
            let padded = hashes.iter().chain(std::iter::repeat(&hashes[0])).take(length).cloned();
            current.extend(rights::read(app, padded.collect()).await?);
        }
        let mut open = self.lock();
        for hash in hashes {
            match current.remove(&hash) {
                Some(rights) => open.replace_rights(&hash, rights),
                None => {
                    open.rights.remove(&hash);
                    for entry in open.streams.values().filter(|entry| entry.secret_hash == hash) {
                        let _ = entry.end.send(Some(End::SignedOut));
                    }
                }
            }
        }
        drop(open);
        self.checked.send_replace(Some(begun));
        Ok(())
    }

    fn rights_of(&self, secret_hash: &str) -> Option<Arc<Rights>> {
        self.lock().rights.get(secret_hash).cloned()
    }

    fn close(&self, id: u64, secret_hash: &str) {
        let mut open = self.lock();
        open.streams.remove(&id);
        if !open.streams.values().any(|entry| entry.secret_hash == secret_hash) {
            open.rights.remove(secret_hash);
        }
    }

    /// Returns true, and ends the checks, if no stream is left. The next stream starts them again.
    fn stops_checking(&self) -> bool {
        let mut open = self.lock();
        open.is_checking = !open.streams.is_empty();
        !open.is_checking
    }
}

/// Checks the rights and sends the heartbeats while streams are open. While rights cannot be read no heartbeat is sent, so that browsers
/// notice.
async fn keep_checking(app: App) {
    let mut ticks = interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_beat = Instant::now();
    loop {
        ticks.tick().await;
        if app.live.streams.stops_checking() {
            return;
        }
        match app.live.check_rights(&app).await {
            Ok(()) if last_beat.elapsed() >= HEARTBEAT => {
                last_beat = Instant::now();
                app.live.beat(&app);
            }
            Ok(()) => {}
            Err(error) => tracing::warn!(error = %error, "cannot read the rights of live streams"),
        }
    }
}

/// An open stream. It is closed when dropped.
pub(super) struct Stream {
    app: App,
    id: u64,
    secret_hash: String,
    receiver: broadcast::Receiver<Message>,
    checked: watch::Receiver<Option<Instant>>,
    ended: watch::Receiver<Option<End>>,
    rights_changed: Arc<Notify>,
    is_over: bool,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.app.live.streams.close(self.id, &self.secret_hash);
    }
}

impl Stream {
    /// Returns the serialized events until the session ends.
    pub(super) fn events(self) -> impl FuturesStream<Item = Result<Bytes, std::convert::Infallible>> {
        stream::unfold(self, |mut stream| async move {
            let text = stream.next().await?;
            Some((Ok(text), stream))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        const RESYNC: Bytes = Bytes::from_static(b"event: resync\ndata: {}\n\n");
        /// The browser connects again after half a minute, not at once.
        const RECONNECT_LATER: Bytes = Bytes::from_static(b"retry: 30000\n\n");
        if self.is_over {
            return None;
        }
        loop {
            let received = tokio::select! {
                biased;
                end = self.ended.wait_for(Option::is_some) => {
                    let end = end.ok().and_then(|end| *end);
                    self.is_over = true;
                    return (end == Some(End::Replaced)).then_some(RECONNECT_LATER);
                }
                () = self.rights_changed.notified() => return Some(RESYNC),
                received = self.receiver.recv() => received,
            };
            match received {
                Ok(Message::Heartbeat { text }) => return Some(text),
                Ok(Message::Resync) | Err(broadcast::error::RecvError::Lagged(_)) => return Some(RESYNC),
                Err(broadcast::error::RecvError::Closed) => return None,
                Ok(Message::Site { organization_id, site_id, text }) => {
                    self.rights_are_fresh().await?;
                    let rights = self.app.live.streams.rights_of(&self.secret_hash)?;
                    if rights.includes(organization_id, site_id) {
                        return Some(text);
                    }
                }
            }
        }
    }

    /// Waits until the rights were read within the last second. `None` if the stream ends meanwhile.
    async fn rights_are_fresh(&mut self) -> Option<()> {
        let is_fresh = |checked: &Option<Instant>| checked.is_some_and(|at| at.elapsed() <= MAX_RIGHTS_AGE);
        tokio::select! {
            biased;
            _ = self.ended.wait_for(Option::is_some) => None,
            fresh = self.checked.wait_for(is_fresh) => fresh.is_ok().then_some(()),
        }
    }
}
