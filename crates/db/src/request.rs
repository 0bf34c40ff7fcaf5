//! State of the current request on SQLite: the group of writes that it read before their flush, and whether it holds the
//! writer.

use std::cell::RefCell;
use std::pin::pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Weak};

use tokio::sync::watch;

use crate::{Error, Result};

tokio::task_local! {
    static REQUEST: RefCell<Request>;
}

#[derive(Default)]
struct Request {
    seen: Option<Seen>,
    writing: Weak<AtomicU8>,
}

/// A group whose changes a request may have read before they were flushed.
#[derive(Clone)]
pub(crate) struct Seen {
    group: u64,
    settled: watch::Receiver<u64>,
}

impl Seen {
    /// Waits until the group is flushed or has failed.
    pub(crate) async fn settled(mut self) {
        // The channel closes with the last writer.
        let _ = self.settled.wait_for(|settled| *settled >= self.group).await;
    }
}

/// The last group whose changes this request may have read.
pub(crate) fn seen() -> Option<Seen> {
    REQUEST.try_with(|request| request.borrow().seen.clone()).ok().flatten()
}

/// Notes that this request may have read the changes of an open group.
pub(crate) fn has_seen(group: u64, settled: &watch::Sender<u64>) {
    let _ = REQUEST.try_with(|request| request.borrow_mut().seen = Some(Seen { group, settled: settled.subscribe() }));
}

/// Marks that a request holds the writer.
pub(crate) struct Writing(Arc<AtomicU8>);

/// A statement runs on the thread of the request, or none runs.
const HERE: u8 = 0;
/// A statement runs on a thread of its own.
const AWAY: u8 = 1;
/// The request has awaited something other than the database.
const BROKEN: u8 = 2;

/// Notes that this request holds the writer until the returned value is dropped.
pub(crate) fn writes() -> Writing {
    let writing = Arc::new(AtomicU8::new(HERE));
    let _ = REQUEST.try_with(|request| request.borrow_mut().writing = Arc::downgrade(&writing));
    Writing(writing)
}

impl Writing {
    pub(crate) fn away(&self, is_away: bool) {
        self.0.store(if is_away { AWAY } else { HERE }, Ordering::SeqCst);
    }

    /// Fails if the request has awaited something other than the database while it held the writer.
    pub(crate) fn check(&self) -> Result<()> {
        if self.0.load(Ordering::SeqCst) == BROKEN {
            return Err(Error::misuse(RULE));
        }
        Ok(())
    }
}

const RULE: &str = "a transaction waited for something that is not the database, while all other writers waited for it";

/// Runs a request so that it never answers what a crash could still undo.
///
/// A transaction that is dropped, because it fails or repeats an earlier answer, may have read changes that are not flushed
/// yet. Later reads of the request, and its end, wait for that flush.
///
/// On SQLite the statements of a transaction are ready at once. A request that becomes pending while it holds the writer has
/// awaited something else: its transaction is rolled back, and with the feature `testing` it panics. With that feature, a
/// request that asks for a connection while it holds a transaction panics, too.
pub async fn in_order<T>(db: &crate::Db, request: impl Future<Output = T>) -> T {
    #[cfg(feature = "testing")]
    let request = crate::one_connection::watched(request);
    let Some(writer) = db.writer() else { return request.await };
    REQUEST
        .scope(RefCell::default(), async {
            let mut request = pin!(request);
            let answer = std::future::poll_fn(|context| {
                let polled = request.as_mut().poll(context);
                let is_broken = polled.is_pending() && waits();
                assert!(!(is_broken && cfg!(feature = "testing")), "{RULE}");
                polled
            })
            .await;
            writer.wait_for_what_was_seen().await;
            answer
        })
        .await
}

/// Notes that the request is pending. Returns true if that breaks its transaction.
fn waits() -> bool {
    let writing = REQUEST.with(|request| request.borrow().writing.upgrade());
    writing.is_some_and(|writing| writing.compare_exchange(HERE, BROKEN, Ordering::SeqCst, Ordering::SeqCst).is_ok())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::{REQUEST, waits, writes};

    #[test]
    fn a_transaction_whose_request_waited_accepts_no_more_statements() {
        REQUEST.sync_scope(RefCell::default(), || {
            assert!(!waits(), "nothing is written");
            let writing = writes();
            writing.away(true);
            assert!(!waits(), "its statement runs on a thread of its own");
            writing.away(false);
            assert!(writing.check().is_ok());
            assert!(waits());
            assert!(writing.check().is_err());
            drop(writing);
            assert!(!waits(), "it has ended");
        });
    }
}
