//! Password hashing: Argon2id, 19 MiB, t = 2, p = 1, at most two at a time, a bounded queue behind them
//! (security-and-proof 2.2). Unknown users cost the same time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, PasswordVerifier, Version};
use tokio::sync::{Semaphore, oneshot};

use crate::settings::Settings;
use crate::{App, Error, Result};

/// What stands in for the hash of an unknown user: the same work, and no password leads to it.
const DUMMY: &str = "$argon2id$v=19$m=19456,t=2,p=1$Y4KzzIgUErd7/K7tAmABwA$t/XrlDWxNHIMgOv+YWEKOHsoESJeHVA9CQDQLheN5lQ";

/// Hashes and verifies passwords behind permits.
pub struct Hasher {
    permits: Arc<Semaphore>,
    count: usize,
    waiting: AtomicUsize,
    queue: usize,
    patience: Duration,
    /// The way to the threads that hash, one a permit, started with the first password. Each keeps its 19 MiB: fetching
    /// them anew from the kernel costs a fifth of the hash. They step back behind everyone who reads a board.
    threads: OnceLock<Sender<Job>>,
}

/// Work for a thread that hashes, in its memory.
type Job = Box<dyn FnOnce(&mut [Block]) + Send>;

/// By how much hashing is less urgent than the rest of the process (`nice`): a tenth of a full processor is left to it.
#[cfg(target_os = "linux")]
const STEP_BACK: i32 = 10;

/// Starts the threads that hash. They end with their [`Hasher`].
fn start(count: usize) -> Sender<Job> {
    let (jobs, waiting) = mpsc::channel();
    let waiting = Arc::new(Mutex::new(waiting));
    for number in 0..count {
        let waiting = Arc::clone(&waiting);
        let started = thread::Builder::new().name(format!("berth-hash-{number}")).spawn(move || work_off(&waiting));
        if let Err(error) = started {
            tracing::error!(error = %error, "a thread that hashes passwords could not be started");
        }
    }
    jobs
}

fn work_off(waiting: &Mutex<Receiver<Job>>) {
    // On Linux the calling thread alone; elsewhere it would be the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(STEP_BACK) {
        tracing::debug!(error = %error, "hashing is as urgent as everything else");
    }
    let mut memory = Vec::new();
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if memory.is_empty() {
            memory = vec![Block::new(); argon2().params().block_count()];
        }
        // Whoever waits hears of a panic by the end of his channel.
        let _ = catch_unwind(AssertUnwindSafe(|| job(&mut memory)));
    }
}

/// So long one waits in the queue. Half of what a request may take: whoever is sent away then can still be given back the
/// try that was counted before.
const PATIENCE: Duration = Duration::from_secs(15);

/// A place in the queue of those who wait for a hashing. It is given back however the wait ends: whoever hangs up is
/// dropped in the middle of it.
pub struct Place<'a>(&'a AtomicUsize);

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
            count: settings.hashing_permits,
            patience: PATIENCE,
            waiting: AtomicUsize::new(0),
            queue: settings.hashing_queue,
            threads: OnceLock::new(),
        }
    }

    /// The PHC string to store for a new password.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn hash(&self, app: &App, password: String) -> Result<String> {
        let salt = app.random::<16>();
        self.run(self.place()?, move |memory| hash_now(&password, &salt, memory)).await?
    }

    /// Returns true if `password` is the one behind `stored`. Without `stored` the same work is done and the answer is no.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool> {
        self.verify_from(self.place()?, password, stored).await
    }

    /// A place in the queue, for [`verify_from`](Self::verify_from). Whoever takes it before asking the database anything
    /// keeps a flood of sign-ins away from the connections that boards are read by.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub fn place(&self) -> Result<Place<'_>> {
        let before = self.waiting.fetch_add(1, Ordering::SeqCst);
        let place = Place(&self.waiting);
        if before < self.queue { Ok(place) } else { Err(Error::Busy) }
    }

    /// As [`verify`](Self::verify), from a place that was taken before.
    ///
    /// # Errors
    /// [`Error::Busy`] when the wait was too long, an internal error should the hashing break off.
    pub async fn verify_from(&self, place: Place<'_>, password: String, stored: Option<String>) -> Result<bool> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DUMMY.to_owned());
        let right = self.run(place, move |memory| verify_now(&password, &stored, memory)).await?;
        Ok(right && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        place: Place<'_>,
        work: impl FnOnce(&mut [Block]) -> T + Send + 'static,
    ) -> Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(self.patience, permit).await.map_err(|_| Error::Busy)?;
        let permit = permit.map_err(|_| Error::Busy)?;
        drop(place);
        let (answer, done) = oneshot::channel();
        let job = Box::new(move |memory: &mut [Block]| {
            let done = work(memory);
            drop(permit);
            // Whoever has stopped waiting need not be told.
            let _ = answer.send(done);
        });
        let failed = || Error::internal("a hashing thread failed");
        self.threads.get_or_init(|| start(self.count)).send(job).map_err(|_| failed())?;
        done.await.map_err(|_| failed())
    }
}

#[cfg(test)]
mod tests {
    use argon2::PasswordHasher;
    use futures_util::FutureExt;

    use crate::auth::hasher::*;

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

    #[tokio::test]
    async fn whoever_stops_waiting_for_a_permit_makes_room_in_the_queue() {
        let settings = Settings { hashing_permits: 1, hashing_queue: 1, ..Settings::default() };
        let hasher = Hasher::new(&settings);
        let permit = Arc::clone(&hasher.permits).acquire_owned().await.unwrap();
        for _ in 0..3 {
            let waits = hasher.verify("first".to_owned(), None).now_or_never();
            assert!(waits.is_none(), "there is room for one, and he has gone away");
        }
        let first = Box::pin(hasher.verify("first".to_owned(), None));
        let second = Box::pin(hasher.verify("second".to_owned(), None));
        let (sent_away, waits) = futures_util::future::select(first, second).await.factor_first();
        assert!(matches!(sent_away, Err(Error::Busy)), "there is room for one only");
        drop(waits);
        drop(permit);
        assert!(!hasher.verify("third".to_owned(), None).await.unwrap());
    }

    #[tokio::test]
    async fn whoever_waits_too_long_is_sent_away_while_the_try_can_still_be_given_back() {
        let settings = Settings { hashing_permits: 1, hashing_queue: 1, ..Settings::default() };
        let hasher = Hasher { patience: Duration::from_millis(1), ..Hasher::new(&settings) };
        let permit = Arc::clone(&hasher.permits).acquire_owned().await.unwrap();
        assert!(matches!(hasher.verify("first".to_owned(), None).await, Err(Error::Busy)));
        drop(permit);
        assert!(!hasher.verify("first".to_owned(), None).await.unwrap());
    }

    #[tokio::test]
    async fn a_hashing_that_breaks_off_takes_neither_permit_nor_thread_with_it() {
        let settings = Settings { hashing_permits: 1, hashing_queue: 1, ..Settings::default() };
        let hasher = Hasher::new(&settings);
        let broken: Result<()> = hasher.run(hasher.place().unwrap(), |_| panic!("as asked")).await;
        assert!(matches!(broken, Err(Error::Internal(_))));
        assert_eq!(hasher.run(hasher.place().unwrap(), |memory| memory.len()).await.unwrap(), 19 * 1024);
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
