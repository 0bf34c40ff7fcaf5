//! Password hashing: Argon2id, 19 MiB, t = 2, p = 1, at most two at a time, a bounded queue behind them
//! (security-and-proof 2.2). Unknown users cost the same time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use crate::settings::Settings;
use crate::{App, Error, Result};

/// What stands in for the hash of an unknown user: the same work, and no password leads to it.
const DUMMY: &str = "$argon2id$v=19$m=19456,t=2,p=1$Y4KzzIgUErd7/K7tAmABwA$t/XrlDWxNHIMgOv+YWEKOHsoESJeHVA9CQDQLheN5lQ";

/// Hashes and verifies passwords behind permits.
pub struct Hasher {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    /// Memory of hashings that are done, one piece a permit at most. The allocator would keep 19 MiB for each thread that
    /// ever hashed, and fetching them anew from the kernel costs a fifth of the hash.
    memory: Arc<Mutex<Vec<Vec<Block>>>>,
}

/// A place in the queue. It is given back however the wait ends: whoever hangs up is dropped in the middle of it.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    /// Takes one, and tells how many were taken before.
    fn take(waiting: &'a AtomicUsize) -> (Self, usize) {
        let before = waiting.fetch_add(1, Ordering::SeqCst);
        (Self(waiting), before)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(19 * 1024, 2, 1, None).unwrap_or_default())
}

fn hash_now(password: &str, salt: &[u8], memory: &mut [Block]) -> Result<String> {
    let argon2 = argon2();
    let mut bytes = [0; Params::DEFAULT_OUTPUT_LEN];
    let hashed = argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut bytes, memory);
    let written = hashed.ok().and_then(|()| {
        Some(PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(argon2.params()).ok()?,
            salt: Some(Salt::new(salt).ok()?),
            hash: Some(Output::new(&bytes).ok()?),
        })
    });
    written.map(|hash| hash.to_string()).ok_or_else(|| Error::internal("a password could not be hashed"))
}

/// Compares in constant time. A hash of other parameters than ours is verified by them, in memory of its own.
fn verify_now(password: &str, stored: &str, memory: &mut [Block]) -> bool {
    let Ok(stored) = PasswordHash::new(stored) else { return false };
    let argon2 = argon2();
    let ours = stored.algorithm == Algorithm::Argon2id.ident()
        && stored.version == Some(Version::V0x13.into())
        && ParamsString::try_from(argon2.params()).is_ok_and(|params| params == stored.params);
    let (Some(salt), Some(wanted)) = (&stored.salt, &stored.hash) else { return false };
    if !ours || wanted.len() != Params::DEFAULT_OUTPUT_LEN {
        return argon2.verify_password(password.as_bytes(), &stored).is_ok();
    }
    let mut bytes = [0; Params::DEFAULT_OUTPUT_LEN];
    let hashed = argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut bytes, memory);
    // Outputs compare in constant time.
    hashed.is_ok() && Output::new(&bytes).is_ok_and(|output| output == *wanted)
}

impl Hasher {
    /// Prepares the permits.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(settings.hashing_permits)),
            waiting: AtomicUsize::new(0),
            queue: settings.hashing_queue,
            memory: Arc::default(),
        }
    }

    /// The PHC string to store for a new password.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn hash(&self, app: &App, password: String) -> Result<String> {
        let salt = app.random::<16>();
        self.run(move |memory| hash_now(&password, &salt, memory)).await?
    }

    /// Whether `password` is the one behind `stored`. Without `stored` the same work is done and the answer is no.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DUMMY.to_owned());
        let right = self.run(move |memory| verify_now(&password, &stored, memory)).await?;
        Ok(right && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&mut [Block]) -> T + Send + 'static) -> Result<T> {
        let (place, before) = Place::take(&self.waiting);
        if before >= self.queue {
            return Err(Error::Busy);
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Error::Busy)?;
        drop(place);
        let memory = Arc::clone(&self.memory);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let kept = memory.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut blocks = kept.unwrap_or_else(|| vec![Block::new(); argon2().params().block_count()]);
            let done = work(&mut blocks);
            memory.lock().unwrap_or_else(PoisonError::into_inner).push(blocks);
            done
        })
        .await
        .map_err(|_| Error::internal("a hashing task failed"))
    }
}

#[cfg(test)]
mod tests {
    use argon2::PasswordHasher;

    use super::*;

    fn memory() -> Vec<Block> {
        vec![Block::new(); argon2().params().block_count()]
    }

    #[test]
    fn used_memory_makes_the_same_hash_as_the_library_does_in_its_own() {
        let mut memory = memory();
        for password in ["first", "second", "first"] {
            let ours = hash_now(password, &[3; 16], &mut memory).unwrap();
            let theirs = argon2().hash_password_with_salt(password.as_bytes(), &[3; 16]).unwrap().to_string();
            assert_eq!(ours, theirs);
            assert!(verify_now(password, &ours, &mut memory));
            assert!(!verify_now("third", &ours, &mut memory));
        }
    }

    #[test]
    fn hashes_of_other_parameters_are_verified_by_them() {
        let weaker = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(64, 1, 1, None).unwrap());
        let stored = weaker.hash_password_with_salt(b"first", &[3; 16]).unwrap().to_string();
        assert!(verify_now("first", &stored, &mut memory()));
        assert!(!verify_now("second", &stored, &mut memory()));
    }

    #[test]
    fn the_stand_in_for_unknown_users_is_hashed_like_any_other() {
        let stored = PasswordHash::new(DUMMY).unwrap();
        assert_eq!(stored.params, ParamsString::try_from(argon2().params()).unwrap());
        assert_eq!(stored.hash.unwrap().len(), Params::DEFAULT_OUTPUT_LEN);
        assert!(!verify_now("nobody has this password", DUMMY, &mut memory()));
    }
}
