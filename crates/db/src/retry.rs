//! Running a command again when another was in its way.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use crate::Error;

/// How often a busy command runs again.
const MORE_ATTEMPTS: u32 = 3;
/// The mean wait before the first repetition; it doubles each time.
const FIRST_WAIT_MILLISECONDS: u64 = 20;

/// An error that knows whether running the command again may help.
pub trait IsBusy {
    /// True when nothing was changed and only another transaction was in the way.
    fn is_busy(&self) -> bool;
}

impl IsBusy for Error {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Busy(_))
    }
}

/// Runs a command, a function of owned values that begins and commits its own transaction, and runs it up to three
/// times more while it is busy: about 20, 40 and 80 ms later, each half to one and a half of that so that rivals part.
///
/// # Errors
/// The command's own; busy ones only after the last attempt.
pub async fn retry<T, E, F>(mut command: impl FnMut() -> F) -> Result<T, E>
where
    E: IsBusy,
    F: Future<Output = Result<T, E>>,
{
    for attempt in 0..MORE_ATTEMPTS {
        match command().await {
            Err(error) if error.is_busy() => tokio::time::sleep(wait(attempt)).await,
            done => return done,
        }
    }
    command().await
}

/// Chance decides only how long we wait, never what happens, so it need not come from the application's source.
fn wait(attempt: u32) -> Duration {
    let mean = FIRST_WAIT_MILLISECONDS << attempt;
    Duration::from_millis(mean / 2 + RandomState::new().hash_one(attempt) % mean)
}

#[cfg(test)]
mod tests {
    use super::{Error, MORE_ATTEMPTS, retry};

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
        assert_eq!(attempts, 1 + MORE_ATTEMPTS);
    }

    #[tokio::test]
    async fn the_first_success_ends_it() {
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
    async fn other_errors_are_not_repeated() {
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
