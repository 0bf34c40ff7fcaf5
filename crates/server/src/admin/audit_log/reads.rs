//! The queue of audit rows for views of boards and lists. They are written in batches about every half second. When
//! [`MAX_WAITING`] rows are queued, further answers wait (docs/decisions/0007, 0038).

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SessionId, SiteId};
use berth_domain::time::Timestamp;
use futures_util::FutureExt;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{AuditAction, Author, Entry, GuestSet, GuestsBySite, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::{App, Error, Result, change};

/// Maximum number of queued rows.
pub const MAX_WAITING: usize = 256;
/// Maximum time an answer waits for a place in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// Time, in milliseconds, after which a repeated view by the same session is recorded again.
const REPEAT_INTERVAL_MS: i64 = 15 * 60_000;
/// Maximum number of remembered views, and of remembered guest sets.
const MAX_REMEMBERED: usize = 20_000;

/// A view of a board or a list.
pub struct Look<'a> {
    /// The viewer.
    pub caller: &'a Caller,
    /// The site, if any.
    pub site: Option<&'a Site>,
    /// The organization, if there is no site.
    pub organization_id: Option<OrganizationId>,
    /// The action. Replaced by that of global admins, who have actions of their own.
    pub action: AuditAction,
    /// The filters of a list.
    pub query: Option<String>,
    /// When a repeated view is recorded again.
    pub repeats: Repeats,
}

/// When a repeated view by the same session is recorded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Always. For searches.
    Always,
    /// If the site has another version, or after 15 minutes. For pages that reload by themselves.
    ByVersion(i64),
    /// If it shows other guests, or after 15 minutes. For pages of the audit trail.
    ByGuests,
}

impl<'a> Look<'a> {
    /// Creates a view of a site that is always recorded.
    #[must_use]
    pub const fn at(caller: &'a Caller, site: &'a Site, action: AuditAction) -> Self {
        Self { caller, site: Some(site), organization_id: None, action, query: None, repeats: Repeats::Always }
    }

    /// Records repeated views only if the site's version differs.
    #[must_use]
    pub fn of_version(self, version: i64) -> Self {
        Self { repeats: Repeats::ByVersion(version), ..self }
    }

    /// Records repeated views only if they show other guests.
    #[must_use]
    pub fn by_guests(self) -> Self {
        Self { repeats: Repeats::ByGuests, ..self }
    }

    /// Sets the filters of a list.
    #[must_use]
    pub fn asking(self, query: String) -> Self {
        Self { query: Some(query), ..self }
    }

    fn entry(&self) -> Entry {
        let action = self.action.by(self.caller);
        let entry = match self.site {
            Some(site) => {
                let summary = match self.repeats {
                    Repeats::ByVersion(version) => format!("version {version}"),
                    Repeats::Always | Repeats::ByGuests => String::new(),
                };
                Entry::at(site, action, (ObjectKind::Site, site.id.0), summary)
            }
            None => Entry { organization_id: self.organization_id, ..Entry::anywhere(action, None, "") },
        };
        entry.asking(self.query.clone())
    }

    /// Returns the key of repeated views and the state they are compared by; `None` if each view is recorded.
    fn seen(&self, guests: Option<&GuestSet>) -> Option<(Seen, u128)> {
        let state = match self.repeats {
            Repeats::Always => return None,
            Repeats::ByVersion(version) => u128::from(version.unsigned_abs()),
            Repeats::ByGuests => guests.map_or(0, |guests| guests.id().as_u128()),
        };
        let key = Seen {
            session_id: self.caller.session_id,
            site_id: self.site.map(|site| site.id),
            role: self.caller.role_text(self.site),
            action: self.action.by(self.caller),
            query: self.query.clone(),
        };
        Some((key, state))
    }
}

/// Identifies a view. Views with the same key that show the same guests are recorded once in 15 minutes.
#[derive(PartialEq, Eq, Hash)]
struct Seen {
    session_id: Option<SessionId>,
    /// `None` for an answer about several sites as a whole, or about none.
    site_id: Option<SiteId>,
    /// A role decides what is shown, and stands in the row.
    role: Option<String>,
    action: AuditAction,
    query: Option<String>,
}

/// A queued row. It holds its place in the queue until it is written.
struct Note {
    by: Author,
    entry: Entry,
    at: Timestamp,
    _place: OwnedSemaphorePermit,
}

/// The queue of rows, and the views that were recorded recently.
pub struct ReadTrail {
    waiting: Mutex<VecDeque<Note>>,
    places: Arc<Semaphore>,
    full: Notify,
    seen: Mutex<HashMap<Seen, (u128, Timestamp)>>,
    stored_sets: Mutex<HashSet<Uuid>>,
}

impl Default for ReadTrail {
    fn default() -> Self {
        Self {
            waiting: Mutex::default(),
            places: Arc::new(Semaphore::new(MAX_WAITING)),
            full: Notify::new(),
            seen: Mutex::default(),
            stored_sets: Mutex::default(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ReadTrail {
    /// Queues the row of a view, unless it repeats one that was recorded.
    ///
    /// # Errors
    /// 503 if the queue stayed full. The answer must not be sent then.
    pub(super) async fn look(&self, app: &App, look: Look<'_>, guests: Option<GuestSet>) -> Result<()> {
        self.recorded_at(app, look, guests).await.map(drop)
    }

    /// Queues the row of a view for each site whose guests it shows, like [`Self::look`].
    ///
    /// # Errors
    /// 503 if the queue stayed full. The answer must not be sent then.
    pub(super) async fn look_at_sites(
        &self,
        app: &App,
        (caller, action, query): (&Caller, AuditAction, &str),
        guests: &GuestsBySite,
    ) -> Result<()> {
        // Of thousands of sites: when every row is remembered, so is the view as a whole.
        let key = Seen {
            session_id: caller.session_id,
            site_id: None,
            // The memberships are part of the id of the guests.
            role: None,
            action: action.by(caller),
            query: Some(query.to_owned()),
        };
        let state = guests.id().as_u128();
        if self.known_since(&key, state, app.now()).is_some() {
            return Ok(());
        }
        let mut oldest = app.now();
        for (site, guests) in guests.sites() {
            let look = Look::at(caller, site, action).asking(query.to_owned()).by_guests();
            oldest = oldest.min(self.recorded_at(app, look, Some(guests.clone())).await?);
        }
        self.remember(key, state, oldest);
        Ok(())
    }

    /// Queues the row of a view, unless it repeats one that was recorded. Returns when the row was recorded.
    async fn recorded_at(&self, app: &App, look: Look<'_>, guests: Option<GuestSet>) -> Result<Timestamp> {
        let now = app.now();
        let seen = look.seen(guests.as_ref());
        if let Some((key, state)) = &seen
            && let Some(at) = self.known_since(key, *state, now)
        {
            return Ok(at);
        }
        self.enqueue(Author::caller(look.caller, look.site), look.entry().showing(guests), app.now()).await?;
        if let Some((key, state)) = seen {
            self.remember(key, state, now);
        }
        Ok(now)
    }

    /// Returns when a view was recorded that this one repeats.
    fn known_since(&self, key: &Seen, state: u128, now: Timestamp) -> Option<Timestamp> {
        let (known, at) = *lock(&self.seen).get(key)?;
        let is_recent = (at.millis()..at.millis() + REPEAT_INTERVAL_MS).contains(&now.millis());
        (known == state && is_recent).then_some(at)
    }

    fn remember(&self, key: Seen, state: u128, at: Timestamp) {
        let mut remembered = lock(&self.seen);
        if remembered.len() >= MAX_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(key, (state, at));
    }

    /// Queues a row.
    ///
    /// # Errors
    /// 503 if the queue stayed full.
    pub(super) async fn enqueue(&self, by: Author, entry: Entry, at: Timestamp) -> Result<()> {
        let place = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                self.full.notify_one();
                let place = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.places).acquire_owned()).await;
                place.map_err(|_| Error::Busy)?.map_err(|_| Error::Busy)?
            }
        };
        lock(&self.waiting).push_back(Note { by, entry, at, _place: place });
        Ok(())
    }

    /// Waits until the queue is full.
    pub async fn is_full(&self) {
        self.full.notified().await;
    }

    /// Writes the queued rows. Called by the jobs' loop and at shutdown.
    ///
    /// # Errors
    /// Database errors, and 500 after a panic. The rows stay queued.
    pub async fn flush(&self, app: &App) -> Result<()> {
        let notes: Vec<Note> = lock(&self.waiting).drain(..).collect();
        if notes.is_empty() {
            return Ok(());
        }
        // A panic must neither lose the rows nor end the loop that writes them.
        let result = AssertUnwindSafe(self.write(app, &notes)).catch_unwind().await;
        let result = result.unwrap_or_else(|_| Err(Error::internal("writing queued audit rows panicked")));
        if result.is_err() {
            let mut waiting = lock(&self.waiting);
            for note in notes.into_iter().rev() {
                waiting.push_front(note);
            }
        }
        result
    }

    async fn write(&self, app: &App, notes: &[Note]) -> Result<()> {
        let stored = change::run::<_, Error, _, _>(app, Author::job(), |mut change| async move {
            let sets: Vec<&GuestSet> = notes.iter().filter_map(|note| note.entry.guests.as_ref()).collect();
            let stored = self.store_sets(&mut change.tx, sets).await?;
            let rows = notes.iter().map(|note| (&note.by, &note.entry, note.at));
            super::write_noted(app, &mut change.tx, rows).await?;
            change.done(stored)
        })
        .await?;
        self.remember_sets(stored);
        Ok(())
    }

    /// Inserts the guest sets that this process has not stored yet. Returns their ids, to be remembered after the commit.
    pub(super) async fn store_sets(&self, tx: &mut Tx, sets: Vec<&GuestSet>) -> Result<Vec<Uuid>> {
        const INSERT: &str =
            "INSERT INTO guest_sets (id, guest_id) VALUES ($1..) ON CONFLICT (id, guest_id) DO NOTHING";
        // In the order of their ids, so that two nodes that insert the same sets do not deadlock.
        let new: BTreeMap<Uuid, &GuestSet> = {
            let stored = lock(&self.stored_sets);
            sets.into_iter().map(|set| (set.id(), set)).filter(|(id, _)| !stored.contains(id)).collect()
        };
        let members = |set: &GuestSet| set.guests().iter().map(|guest| guest.0).collect::<Vec<_>>();
        let rows: Vec<(Uuid, Uuid)> =
            new.iter().flat_map(|(id, set)| members(set).into_iter().map(|guest| (*id, guest))).collect();
        tx.insert(INSERT, &rows, |values, (id, guest)| {
            values.bind(*id).bind(*guest);
        })
        .await?;
        Ok(new.into_keys().collect())
    }

    /// Remembers guest sets that were committed.
    pub(super) fn remember_sets(&self, ids: Vec<Uuid>) {
        let mut stored = lock(&self.stored_sets);
        if stored.len() + ids.len() > MAX_REMEMBERED {
            stored.clear();
        }
        stored.extend(ids);
    }
}
