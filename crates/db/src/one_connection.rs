//! Checks in tests that a request uses one connection at a time. Requests that hold a transaction and ask the pool for another
//! connection can deadlock when all are taken. On SQLite a second write waits for the first one of the same request.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

tokio::task_local! {
    /// Number of transactions that the request holds.
    static HELD: Arc<AtomicUsize>;
}

/// Counts a transaction until it has ended. Outside of [`watched`] nothing is counted.
pub(crate) struct Held(Option<Arc<AtomicUsize>>);

impl Held {
    pub(crate) fn new() -> Self {
        let held = HELD.try_with(Arc::clone).ok();
        if let Some(held) = &held {
            held.fetch_add(1, Ordering::SeqCst);
        }
        Self(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(held) = &self.0 {
            held.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Checks that the request holds no transaction while it takes a connection for `what`.
///
/// # Panics
/// If it holds one.
pub(crate) fn check(what: &str) {
    let held = HELD.try_with(|held| held.load(Ordering::SeqCst)).unwrap_or_default();
    assert!(held == 0, "a request that holds a transaction asks for a second connection: {what}");
}

/// Runs a request so that its transactions are counted.
pub(crate) async fn watched<T>(request: impl Future<Output = T>) -> T {
    HELD.scope(Arc::default(), request).await
}
