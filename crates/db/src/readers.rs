//! The reading connections of SQLite: one caller at a time has one, for a statement or for a view of several.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::sqlite::{File, Holder};
use crate::{Error, PoolUse, Result};

/// The readers of a file: cheap to clone.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Shared>);

struct Shared {
    file: Arc<File>,
    /// The one used last is on top.
    idle: Mutex<Vec<Connection>>,
    /// A place for each reader: whoever holds one finds a connection, or opens it.
    places: Arc<Semaphore>,
    limit: u32,
    open: AtomicU32,
    closed: AtomicBool,
    /// How long a caller waits for a place.
    patience: Duration,
}

/// A reader in use. Its view, if it has one, ends with it.
pub(crate) struct Reader {
    /// None while it is dropped.
    connection: Option<Connection>,
    readers: Readers,
    // Dropped last: the connection is back before the next may look for one.
    _place: OwnedSemaphorePermit,
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Readers").field(&self.0.file.path).finish()
    }
}

impl Readers {
    /// At most `limit` connections, which are opened when they are needed.
    pub(crate) fn new(file: Arc<File>, limit: u32, patience: Duration) -> Self {
        let places = Arc::new(Semaphore::new(usize::try_from(limit).unwrap_or(1)));
        let (open, closed) = (AtomicU32::new(0), AtomicBool::new(false));
        Self(Arc::new(Shared { file, idle: Mutex::new(Vec::new()), places, limit, open, closed, patience }))
    }

    pub(crate) fn file(&self) -> &Arc<File> {
        &self.0.file
    }

    /// A connection, first come, first served.
    pub(crate) async fn take(&self) -> Result<Reader> {
        let shared = &*self.0;
        let place = timeout(shared.patience, Arc::clone(&shared.places).acquire_owned()).await;
        let place = place.map_err(|_| Error::no_connection_free())?.map_err(|_| Error::closed())?;
        if shared.closed.load(Ordering::SeqCst) {
            return Err(Error::closed());
        }
        let idle = shared.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let connection = shared.file.reader()?;
                shared.open.fetch_add(1, Ordering::SeqCst);
                connection
            }
        };
        Ok(Reader { connection: Some(connection), readers: self.clone(), _place: place })
    }

    /// Waits for running statements and closes every connection.
    pub(crate) async fn close(&self) {
        let shared = &*self.0;
        shared.closed.store(true, Ordering::SeqCst);
        // An error: closed already.
        let _all = shared.places.acquire_many(shared.limit).await;
        shared.places.close();
        shared.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        shared.open.store(0, Ordering::SeqCst);
    }

    /// For the metrics.
    pub(crate) fn in_use(&self) -> PoolUse {
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).len();
        PoolUse { name: "reader", open: self.0.open.load(Ordering::SeqCst), idle, limit: self.0.limit }
    }
}

impl Holder for Reader {
    fn connection(&self) -> Result<&Connection> {
        self.connection.as_ref().ok_or_else(Error::closed)
    }

    fn file(&self) -> &Arc<File> {
        &self.readers.0.file
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let shared = &*self.readers.0;
        if !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err() {
            // It cannot be trusted any more: the next one opens another.
            shared.open.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}
