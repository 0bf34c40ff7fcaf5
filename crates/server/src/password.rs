//! Password hashing: Argon2id, 19 MiB, t = 2, p = 1, at most two at a time, a bounded queue behind them
//! (security-and-proof 2.2). Unknown users cost the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use crate::settings::Settings;
use crate::{App, Error, Result};

/// Hashes and verifies passwords behind permits.
pub struct Hasher {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    dummy: String,
}

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(19 * 1024, 2, 1, None).unwrap_or_default())
}

fn hash_now(password: &str, salt: &[u8]) -> Result<String> {
    argon2()
        .hash_password_with_salt(password.as_bytes(), salt)
        .map(|hash| hash.to_string())
        .map_err(|_| Error::internal("a password could not be hashed"))
}

impl Hasher {
    /// Prepares the permits and the hash that stands in for unknown users.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(settings.hashing_permits)),
            waiting: AtomicUsize::new(0),
            queue: settings.hashing_queue,
            dummy: hash_now("nobody has this password", &[7; 16]).unwrap_or_default(),
        }
    }

    /// The PHC string to store for a new password.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn hash(&self, app: &App, password: String) -> Result<String> {
        let salt = app.random::<16>();
        self.run(move || hash_now(&password, &salt)).await?
    }

    /// Whether `password` is the one behind `stored`. Without `stored` the same work is done and the answer is no.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        let right = self
            .run(move || {
                PasswordHash::new(&stored)
                    .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
            })
            .await?;
        Ok(right && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= self.queue {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return Err(Error::Busy);
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        let permit = permit.map_err(|_| Error::Busy)?;
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        })
        .await
        .map_err(|_| Error::internal("a hashing task failed"))
    }
}
