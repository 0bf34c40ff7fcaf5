//! Looks at boards and lists on their way into the trail. They are written together about every half second; so many may
//! wait, and whoever comes then waits with the answer (docs/decisions/0007, 0038).

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

use super::{AuditAction, Author, Entry, GuestSet, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::{App, Error, Result};

/// Looks that may wait to be written.
pub const MAX_WAITING: usize = 256;
/// How long an answer waits for a place among them.
const PLACE_TIMEOUT: Duration = Duration::from_secs(5);
/// After so many milliseconds the same look by the same session has a row of its own again.
const LOOK_LASTS: i64 = 15 * 60_000;
/// Looks and sets of guests that are remembered.
const MAX_REMEMBERED: usize = 20_000;

/// A look at a board or a list.
pub struct Look<'a> {
    /// Who looks.
    pub caller: &'a Caller,
    /// At which site, if at one.
    pub site: Option<&'a Site>,
    /// At which organization, if at no site.
    pub organization_id: Option<OrganizationId>,
    /// What is looked at. The action of its own that global admins have is put in its place.
    pub action: AuditAction,
    /// The filters of a list.
    pub query: Option<String>,
    /// When a repetition has a row of its own.
    pub repeats: Repeats,
}

/// When a look that a session repeats is written once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Always: a search.
    Always,
    /// When the site has another version, or a quarter of an hour later: what is loaded again by itself.
    ByVersion(i64),
    /// When it shows other guests, or a quarter of an hour later: pages of the trail.
    ByGuests,
}

impl<'a> Look<'a> {
    /// A look at what a site holds, which is written each time.
    #[must_use]
    pub const fn at(caller: &'a Caller, site: &'a Site, action: AuditAction) -> Self {
        Self { caller, site: Some(site), organization_id: None, action, query: None, repeats: Repeats::Always }
    }

    /// The same at a version of the site, which is written once.
    #[must_use]
    pub fn of_version(self, version: i64) -> Self {
        Self { repeats: Repeats::ByVersion(version), ..self }
    }

    /// The same with the filters of a list.
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

    /// What makes two looks of a session the same, and what of it changes; none when each has a row.
    fn seen(&self, guests: Option<&GuestSet>) -> Option<(Seen, u128)> {
        let state = match self.repeats {
            Repeats::Always => return None,
            Repeats::ByVersion(version) => u128::from(version.unsigned_abs()),
            Repeats::ByGuests => guests.map_or(0, |guests| guests.id().as_u128()),
        };
        let key = (self.caller.session_id, self.site.map(|site| site.id), self.action, self.query.clone());
        Some((key, state))
    }
}

/// Which session saw what of which site or organization.
type Seen = (Option<SessionId>, Option<SiteId>, AuditAction, Option<String>);

/// A row that waits to be written. It keeps its place until it is.
struct Note {
    by: Author,
    entry: Entry,
    at: Timestamp,
    _place: OwnedSemaphorePermit,
}

/// The looks that wait, and those that were written lately.
pub struct ReadTrail {
    waiting: Mutex<VecDeque<Note>>,
    places: Arc<Semaphore>,
    full: Notify,
    seen: Mutex<HashMap<Seen, (u128, i64)>>,
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
    /// Notes a look, unless it is one that the session repeats.
    ///
    /// # Errors
    /// 503 when no place came free: the answer must not leave then.
    pub(super) async fn look(&self, app: &App, look: Look<'_>, guests: Option<GuestSet>) -> Result<()> {
        let now = app.now().millis();
        let seen = look.seen(guests.as_ref());
        if let Some((key, state)) = &seen
            && lock(&self.seen)
                .get(key)
                .is_some_and(|(known, at)| known == state && (*at..*at + LOOK_LASTS).contains(&now))
        {
            return Ok(());
        }
        self.wait(Author::caller(look.caller, look.site), look.entry().showing(guests), app.now()).await?;
        if let Some((key, state)) = seen {
            let mut remembered = lock(&self.seen);
            if remembered.len() >= MAX_REMEMBERED {
                remembered.clear();
            }
            remembered.insert(key, (state, now));
        }
        Ok(())
    }

    /// Puts a row among those that wait.
    ///
    /// # Errors
    /// 503 when no place came free.
    pub(super) async fn wait(&self, by: Author, entry: Entry, at: Timestamp) -> Result<()> {
        let place = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                self.full.notify_one();
                let place = tokio::time::timeout(PLACE_TIMEOUT, Arc::clone(&self.places).acquire_owned()).await;
                place.map_err(|_| Error::Busy)?.map_err(|_| Error::Busy)?
            }
        };
        lock(&self.waiting).push_back(Note { by, entry, at, _place: place });
        Ok(())
    }

    /// Waits until no further look finds a place.
    pub async fn is_full(&self) {
        self.full.notified().await;
    }

    /// Writes what waits. Called by the jobs' loop and at the end of the process.
    ///
    /// # Errors
    /// Those of the database, and 500 after a panic; the rows wait on then.
    pub async fn flush(&self, app: &App) -> Result<()> {
        let notes: Vec<Note> = lock(&self.waiting).drain(..).collect();
        if notes.is_empty() {
            return Ok(());
        }
        let writing = async {
            let mut tx = app.db.begin().await?;
            let sets: Vec<&GuestSet> = notes.iter().filter_map(|note| note.entry.guests.as_ref()).collect();
            let stored = self.store_sets(&mut tx, sets).await?;
            let rows = notes.iter().map(|note| (&note.by, &note.entry, note.at));
            super::write_noted(app, &mut tx, rows).await?;
            tx.commit().await?;
            self.remember_sets(stored);
            Ok(())
        };
        // A panic is a mistake of ours: it neither loses the rows nor ends the loop that writes them.
        let result = AssertUnwindSafe(writing).catch_unwind().await;
        let result = result.unwrap_or_else(|_| Err(Error::internal("writing what was read panicked")));
        if result.is_err() {
            let mut waiting = lock(&self.waiting);
            for note in notes.into_iter().rev() {
                waiting.push_front(note);
            }
        }
        result
    }

    /// Stores the sets of guests that are new to this process; returns their ids, to be remembered after the commit.
    pub(super) async fn store_sets(&self, tx: &mut Tx, sets: Vec<&GuestSet>) -> Result<Vec<Uuid>> {
        const INSERT: &str =
            "INSERT INTO guest_sets (id, guest_id) VALUES ($1..) ON CONFLICT (id, guest_id) DO NOTHING";
        // In the order of their ids, so that two nodes that store the same ones do not wait for each other crosswise.
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

    /// Remembers sets of guests whose rows were committed.
    pub(super) fn remember_sets(&self, ids: Vec<Uuid>) {
        let mut stored = lock(&self.stored_sets);
        if stored.len() + ids.len() > MAX_REMEMBERED {
            stored.clear();
        }
        stored.extend(ids);
    }
}
