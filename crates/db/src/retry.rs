//! Running a transaction again after a conflict.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use crate::Error;

/// Number of attempts after the first one.
const MAX_RETRIES: u32 = 3;
/// Mean delay before the first retry, in milliseconds. It doubles each time.
const FIRST_DELAY_MILLIS: u64 = 20;

/// Implemented by errors that may go away if the transaction is run again.
pub trait IsBusy {
    /// Returns true if nothing was changed because another transaction was in the way.
    fn is_busy(&self) -> bool;
}

impl IsBusy for Error {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Busy(_))
    }
}

/// Runs `command`, which begins and commits a transaction, and runs it up to three times more while its error
/// [is busy](IsBusy). The delays are about 20, 40 and 80 ms, each randomized by half.
///
/// # Errors
/// The error of the command; a busy one after the last attempt.
pub async fn retry<T, E, F>(mut command: impl FnMut() -> F) -> Result<T, E>
where
    E: IsBusy,
    F: Future<Output = Result<T, E>>,
{
    for attempt in 0..MAX_RETRIES {
        match command().await {
            Err(error) if error.is_busy() => tokio::time::sleep(wait(attempt)).await,
            done => return done,
        }
    }
    command().await
}

/// Returns the delay before a retry. It affects nothing but time, so it need not use the application's source of randomness.
fn wait(attempt: u32) -> Duration {
    let mean = FIRST_DELAY_MILLIS << attempt;
    Duration::from_millis(mean / 2 + RandomState::new().hash_one(attempt) % mean)
}

#[cfg(test)]
mod tests {
    use super::{Error, MAX_RETRIES, retry};

    fn busy() -> Error {
        Error::no_connection_free()
    }

    #[tokio::test]
    async fn a_busy_command_runs_four_times_at_most() {
        let mut attempts = 0;
        let answer: Result<(), _> = retry(|| {
            attempts += 1;
            async { Err(busy()) }
        })
        .await;
        assert!(matches!(answer, Err(Error::Busy(_))));
        assert_eq!(attempts, 1 + MAX_RETRIES);
    }

    #[tokio::test]
    async fn the_first_success_ends_the_retries() {
        let mut attempts = 0;
        let answer: Result<u32, Error> = retry(|| {
            attempts += 1;
            let now = attempts;
            async move { if now < 3 { Err(busy()) } else { Ok(now) } }
        })
        .await;
        assert_eq!(answer.unwrap(), 3);
    }

    #[tokio::test]
    async fn other_errors_are_not_retried() {
        let mut attempts = 0;
        let answer: Result<(), _> = retry(|| {
            attempts += 1;
            async { Err(Error::NotFound) }
        })
        .await;
        assert!(matches!(answer, Err(Error::NotFound)));
        assert_eq!(attempts, 1);
    }
}
