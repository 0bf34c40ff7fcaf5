//! Password hashing: Argon2id with 19 MiB, t = 2 and p = 1, a limited number at a time and a bounded queue
//! (security-and-proof 2.2). Unknown users take the same time.

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

/// Verified for unknown users, so that they take the same time. No password matches it.
const DUMMY: &str = "$argon2id$v=19$m=19456,t=2,p=1$Y4KzzIgUErd7/K7tAmABwA$t/XrlDWxNHIMgOv+YWEKOHsoESJeHVA9CQDQLheN5lQ";

/// Hashes and verifies passwords, a limited number at a time.
pub struct Hasher {
    permits: Arc<Semaphore>,
    count: usize,
    waiting: AtomicUsize,
    queue: usize,
    timeout: Duration,
    /// Sends jobs to the hashing threads, one for each permit, which are started with the first password. Each keeps its
    /// 19 MiB, since allocating it for each hash takes a fifth of the time of a hash. They run at a lower priority than other threads.
    threads: OnceLock<Sender<Job>>,
}

/// A job for a hashing thread, which passes its memory.
type Job = Box<dyn FnOnce(&mut [Block]) + Send>;

/// Lowers the priority of hashing threads (`nice`), which leaves them a tenth of a busy processor.
#[cfg(target_os = "linux")]
const NICE_INCREMENT: i32 = 10;

/// Starts the hashing threads. They end with their [`Hasher`].
fn start(count: usize) -> Sender<Job> {
    let (sender, receiver) = mpsc::channel();
    let receiver = Arc::new(Mutex::new(receiver));
    for number in 0..count {
        let receiver = Arc::clone(&receiver);
        let started = thread::Builder::new().name(format!("berth-hash-{number}")).spawn(move || run_jobs(&receiver));
        if let Err(error) = started {
            tracing::error!(error = %error, "could not start a password hashing thread");
        }
    }
    sender
}

fn run_jobs(receiver: &Mutex<Receiver<Job>>) {
    // Linux changes the calling thread only; other systems would change the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE_INCREMENT) {
        tracing::debug!(error = %error, "could not lower the priority of a password hashing thread");
    }
    let mut memory = Vec::new();
    loop {
        let job = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if memory.is_empty() {
            memory = vec![Block::new(); argon2().params().block_count()];
        }
        // After a panic, the caller gets an error because the answer channel is closed.
        let _ = catch_unwind(AssertUnwindSafe(|| job(&mut memory)));
    }
}

/// Maximum time in the queue. Half of the time limit of a request, so that a rejected caller can still get back the attempt that
/// was counted before.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(15);

/// A place in the queue. Dropping it leaves the queue, also when a client disconnects while waiting.
pub struct QueuePlace<'a>(&'a AtomicUsize);

impl Drop for QueuePlace<'_> {
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

/// Compares in constant time. A hash with other parameters is verified with those, in memory of its own.
fn verify_now(password: &str, stored: &str, memory: &mut [Block]) -> bool {
    let Ok(stored) = PasswordHash::new(stored) else { return false };
    let argon2 = argon2();
    let is_ours = stored.algorithm == Algorithm::Argon2id.ident()
        && stored.version == Some(Version::V0x13.into())
        && ParamsString::try_from(argon2.params()).is_ok_and(|params| params == stored.params);
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return false };
    if !is_ours || expected.len() != Params::DEFAULT_OUTPUT_LEN {
        return argon2.verify_password(password.as_bytes(), &stored).is_ok();
    }
    let mut bytes = [0; Params::DEFAULT_OUTPUT_LEN];
    let hashed = argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut bytes, memory);
    // `Output` compares in constant time.
    hashed.is_ok() && Output::new(&bytes).is_ok_and(|output| output == *expected)
}

impl Hasher {
    /// Creates a hasher. Its threads start with the first password.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(settings.hashing_permits)),
            count: settings.hashing_permits,
            timeout: QUEUE_TIMEOUT,
            waiting: AtomicUsize::new(0),
            queue: settings.hashing_queue,
            threads: OnceLock::new(),
        }
    }

    /// Hashes a new password and returns the PHC string to store.
    ///
    /// # Errors
    /// [`Error::Busy`] if the queue is full.
    pub async fn hash(&self, app: &App, password: String) -> Result<String> {
        let salt = app.random::<16>();
        self.run(self.place()?, move |memory| hash_now(&password, &salt, memory)).await?
    }

    /// Returns true if `password` matches the hash `stored`. Without `stored`, takes the same time and returns false.
    ///
    /// # Errors
    /// [`Error::Busy`] if the queue is full.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool> {
        self.verify_from(self.place()?, password, stored).await
    }

    /// Takes a place in the queue, for [`verify_from`](Self::verify_from). Taken before the first query, it keeps a flood of
    /// sign-ins away from the database connections.
    ///
    /// # Errors
    /// [`Error::Busy`] if the queue is full.
    pub fn place(&self) -> Result<QueuePlace<'_>> {
        let before = self.waiting.fetch_add(1, Ordering::SeqCst);
        let place = QueuePlace(&self.waiting);
        if before < self.queue { Ok(place) } else { Err(Error::Busy) }
    }

    /// Verifies a password as [`verify`](Self::verify) does, with a place in the queue that was taken before.
    ///
    /// # Errors
    /// [`Error::Busy`] after too long a wait, [`Error::Internal`] if the hashing thread panics.
    pub async fn verify_from(&self, place: QueuePlace<'_>, password: String, stored: Option<String>) -> Result<bool> {
        let is_known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DUMMY.to_owned());
        let is_correct = self.run(place, move |memory| verify_now(&password, &stored, memory)).await?;
        Ok(is_correct && is_known)
    }

    async fn run<T: Send + 'static>(
        &self,
        place: QueuePlace<'_>,
        work: impl FnOnce(&mut [Block]) -> T + Send + 'static,
    ) -> Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(self.timeout, permit).await.map_err(|_| Error::Busy)?;
        let permit = permit.map_err(|_| Error::Busy)?;
        drop(place);
        let (answer, done) = oneshot::channel();
        let job = Box::new(move |memory: &mut [Block]| {
            let done = work(memory);
            drop(permit);
            // The caller may have stopped waiting.
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
    fn reused_memory_gives_the_same_hash_as_fresh_memory() {
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
    async fn a_caller_who_stops_waiting_leaves_the_queue() {
        let settings = Settings { hashing_permits: 1, hashing_queue: 1, ..Settings::default() };
        let hasher = Hasher::new(&settings);
        let permit = Arc::clone(&hasher.permits).acquire_owned().await.unwrap();
        for _ in 0..3 {
            let waits = hasher.verify("first".to_owned(), None).now_or_never();
            assert!(waits.is_none(), "there is room for one, and it has left");
        }
        let first = Box::pin(hasher.verify("first".to_owned(), None));
        let second = Box::pin(hasher.verify("second".to_owned(), None));
        let (rejected, waits) = futures_util::future::select(first, second).await.factor_first();
        assert!(matches!(rejected, Err(Error::Busy)), "there is room for one only");
        drop(waits);
        drop(permit);
        assert!(!hasher.verify("third".to_owned(), None).await.unwrap());
    }

    #[tokio::test]
    async fn a_caller_who_waits_too_long_is_rejected() {
        let settings = Settings { hashing_permits: 1, hashing_queue: 1, ..Settings::default() };
        let hasher = Hasher { timeout: Duration::from_millis(1), ..Hasher::new(&settings) };
        let permit = Arc::clone(&hasher.permits).acquire_owned().await.unwrap();
        assert!(matches!(hasher.verify("first".to_owned(), None).await, Err(Error::Busy)));
        drop(permit);
        assert!(!hasher.verify("first".to_owned(), None).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_while_hashing_loses_neither_permit_nor_thread() {
        let settings = Settings { hashing_permits: 1, hashing_queue: 1, ..Settings::default() };
        let hasher = Hasher::new(&settings);
        let broken: Result<()> = hasher.run(hasher.place().unwrap(), |_| panic!("as asked")).await;
        assert!(matches!(broken, Err(Error::Internal(_))));
        assert_eq!(hasher.run(hasher.place().unwrap(), |memory| memory.len()).await.unwrap(), 19 * 1024);
    }

    #[test]
    fn hashes_with_other_parameters_are_verified_with_those() {
        let weaker = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(64, 1, 1, None).unwrap());
        let stored = weaker.hash_password_with_salt(b"first", &[3; 16]).unwrap().to_string();
        assert!(verify_now("first", &stored, &mut memory()));
        assert!(!verify_now("second", &stored, &mut memory()));
    }

    #[test]
    fn the_dummy_hash_has_the_parameters_of_all_others() {
        let stored = PasswordHash::new(DUMMY).unwrap();
        assert_eq!(stored.params, ParamsString::try_from(argon2().params()).unwrap());
        assert_eq!(stored.hash.unwrap().len(), Params::DEFAULT_OUTPUT_LEN);
        assert!(!verify_now("nobody has this password", DUMMY, &mut memory()));
    }
}
