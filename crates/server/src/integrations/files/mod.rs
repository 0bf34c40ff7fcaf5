//! Pictures that are kept: which paths exist, who may use one, who may see one, and the end of those that nobody uses
//! (guide "payments-messages-files-places" 4; security-and-proof 2.3, 16 and 17).
//!
//! The bytes lie in the object store ([`Storage`]); everything that is known of them stands in the table `files`. They
//! come in through [`crate::integrations::images`].

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
pub use sweep::sweep;

/// For how many hours a picture is kept that nothing refers to.
pub const KEPT_FOR: i64 = 24;
/// Uploads that are received at once: each may hold 26 MB.
const RECEIVING: usize = 6;
/// Uploads of one user that are received at once, so that a slow one does not keep all others out.
const RECEIVING_OF_ONE: usize = 3;
/// Pictures that are decoded at once: each may take 250 MB for a moment.
const DECODING: usize = 2;
/// How long an upload waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// The store of pictures, and how many are worked on at once.
pub struct Files {
    /// Where the bytes lie.
    pub storage: Storage,
    receiving: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
    of_one: Arc<Mutex<HashMap<Uuid, usize>>>,
    /// The last picture that a sweep tried before it gave up; empty after one that came to the end.
    swept_until: Mutex<String>,
}

/// The right to receive one upload; ends with it.
pub struct Turn {
    _permit: OwnedSemaphorePermit,
    _counted: Counted,
}

/// One upload of a user's, counted until it is dropped.
struct Counted {
    who: Uuid,
    of_one: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl Counted {
    /// None when the user has too many already.
    fn of(of_one: &Arc<Mutex<HashMap<Uuid, usize>>>, who: Uuid) -> Option<Self> {
        let mut counts = of_one.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(who).or_default();
        if *count >= RECEIVING_OF_ONE {
            return None;
        }
        *count += 1;
        Some(Self { who, of_one: Arc::clone(of_one) })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.of_one.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.who);
            }
        }
    }
}

impl Files {
    /// As the settings say.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            storage: Storage::new(settings),
            receiving: Arc::new(Semaphore::new(RECEIVING)),
            decoding: Arc::new(Semaphore::new(DECODING)),
            of_one: Arc::default(),
            swept_until: Mutex::default(),
        }
    }

    /// Returns where the last sweep gave up, and forgets it: one that comes to the end leaves nothing to go on from.
    fn take_swept_until(&self) -> String {
        std::mem::take(&mut self.swept_until.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn set_swept_until(&self, path: String) {
        *self.swept_until.lock().unwrap_or_else(PoisonError::into_inner) = path;
    }

    /// Waits for the turn to receive an upload of `who`: a user, or the guest of a confirmed reservation.
    ///
    /// # Errors
    /// 429 when `who` uploads in too many places at once; 503 when everybody does.
    pub async fn receive(&self, who: Uuid) -> Result<Turn> {
        let counted = Counted::of(&self.of_one, who).ok_or(Error::TooMany(5))?;
        let permit = tokio::time::timeout(PATIENCE, Arc::clone(&self.receiving).acquire_owned()).await;
        let permit = permit.ok().and_then(std::result::Result::ok).ok_or(Error::Busy)?;
        Ok(Turn { _permit: permit, _counted: counted })
    }

    /// Waits for the turn to decode a picture.
    ///
    /// # Errors
    /// 503 when the process ends.
    pub async fn decode(&self) -> Result<OwnedSemaphorePermit> {
        Arc::clone(&self.decoding).acquire_owned().await.map_err(|_| Error::Busy)
    }
}
