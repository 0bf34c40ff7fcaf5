//! Stored pictures: which paths exist, which records may use them, who may see them, and the removal of unused ones
//! (guide "payments-messages-files-places" 4; security-and-proof 2.3, 16 and 17).
//!
//! The bytes are in the object store ([`Storage`]), and all their metadata is in the table `files`. Pictures are
//! uploaded through [`crate::integrations::images`].

mod claim;
pub(crate) mod serve;
mod storage;
mod sweep;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::settings::Settings;
use crate::{Error, Result};

pub use claim::{AGAIN, Prefix, claim, claim_card};
pub use serve::Showing;
pub use storage::{Storage, check, thumbnail_of};
pub use sweep::{give_up, sweep};

/// Hours that a picture is kept although nothing refers to it.
pub const KEPT_FOR: i64 = 24;
/// Maximum number of uploads that are received at once. Each may take 26 MB of memory.
const MAX_UPLOADS: usize = 6;
/// Maximum number of uploads of one user that are received at once, so that slow uploads do not block other users.
const MAX_UPLOADS_PER_USER: usize = 3;
/// Maximum number of pictures that are decoded at once. Each may take 250 MB of memory for a moment.
const MAX_DECODERS: usize = 2;
/// Maximum time that an upload waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// The store of pictures and the limits of concurrent uploads.
pub struct Files {
    /// The object store.
    pub storage: Storage,
    receiving: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
    /// The number of current uploads of each user.
    counts: Arc<Mutex<HashMap<Uuid, usize>>>,
    /// The last picture that a sweep tried before it stopped early; empty after a complete sweep.
    swept_until: Mutex<String>,
}

/// The permission to receive one upload, until it is dropped.
pub struct Turn {
    _permit: OwnedSemaphorePermit,
    _counted: Counted,
}

/// An upload of a user, counted until it is dropped.
struct Counted {
    uploader: Uuid,
    counts: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl Counted {
    /// Counts an upload. Returns `None` if the uploader has too many already.
    fn new(counts: &Arc<Mutex<HashMap<Uuid, usize>>>, uploader: Uuid) -> Option<Self> {
        let mut guard = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = guard.entry(uploader).or_default();
        if *count >= MAX_UPLOADS_PER_USER {
            return None;
        }
        *count += 1;
        Some(Self { uploader, counts: Arc::clone(counts) })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.uploader) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.uploader);
            }
        }
    }
}

impl Files {
    /// Creates the store and its limits from the settings. Opens nothing yet.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            storage: Storage::new(settings),
            receiving: Arc::new(Semaphore::new(MAX_UPLOADS)),
            decoding: Arc::new(Semaphore::new(MAX_DECODERS)),
            counts: Arc::default(),
            swept_until: Mutex::default(),
        }
    }

    /// Returns where the last sweep stopped early, and clears it.
    fn take_swept_until(&self) -> String {
        std::mem::take(&mut self.swept_until.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn set_swept_until(&self, path: String) {
        *self.swept_until.lock().unwrap_or_else(PoisonError::into_inner) = path;
    }

    /// Waits for the permission to receive an upload. `uploader` is a user or the guest of a confirmed reservation.
    ///
    /// # Errors
    /// 429 if the uploader has too many uploads at once; 503 if the server has.
    pub async fn receive(&self, uploader: Uuid) -> Result<Turn> {
        let counted = Counted::new(&self.counts, uploader).ok_or(Error::TooMany(5))?;
        let permit = tokio::time::timeout(TURN_TIMEOUT, Arc::clone(&self.receiving).acquire_owned()).await;
        let permit = permit.ok().and_then(std::result::Result::ok).ok_or(Error::Busy)?;
        Ok(Turn { _permit: permit, _counted: counted })
    }

    /// Waits for the permission to decode a picture.
    ///
    /// # Errors
    /// 503 if the process is shutting down.
    pub async fn decode(&self) -> Result<OwnedSemaphorePermit> {
        Arc::clone(&self.decoding).acquire_owned().await.map_err(|_| Error::Busy)
    }
}
