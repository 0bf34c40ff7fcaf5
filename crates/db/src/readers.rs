//! The reading connections of SQLite. A caller takes one for a statement, or for several that see one snapshot.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::connection::Connection;
use crate::sqlite::{File, Holder};
use crate::{Error, PoolUse, Result};

/// The readers of a file. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Shared>);

struct Shared {
    file: Arc<File>,
    /// The connection that was used last is at the end.
    idle: Mutex<Vec<Connection>>,
    /// One permit for each reader. The holder of a permit finds a connection or opens one.
    places: Arc<Semaphore>,
    limit: u32,
    open: AtomicU32,
    closed: AtomicBool,
    /// Time limit of the wait for a permit.
    timeout: Duration,
}

/// A reader in use. Its snapshot, if it has one, ends when it is dropped.
pub(crate) struct Reader {
    /// `None` while it is dropped.
    connection: Option<Connection>,
    readers: Readers,
    // Dropped last, so that the connection is back before the next caller looks for one.
    _place: OwnedSemaphorePermit,
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Readers").field(&self.0.file.path).finish()
    }
}

impl Readers {
    /// Allows `limit` connections, which are opened when they are needed.
    pub(crate) fn new(file: Arc<File>, limit: u32, timeout: Duration) -> Self {
        let places = Arc::new(Semaphore::new(usize::try_from(limit).unwrap_or(1)));
        let (open, closed) = (AtomicU32::new(0), AtomicBool::new(false));
        Self(Arc::new(Shared { file, idle: Mutex::new(Vec::new()), places, limit, open, closed, timeout }))
    }

    pub(crate) fn file(&self) -> &Arc<File> {
        &self.0.file
    }

    /// Takes a connection, first come, first served.
    pub(crate) async fn take(&self) -> Result<Reader> {
        let shared = &*self.0;
        let place = timeout(shared.timeout, Arc::clone(&shared.places).acquire_owned()).await;
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
        // An error means that it is closed already.
        let _all = shared.places.acquire_many(shared.limit).await;
        shared.places.close();
        shared.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        shared.open.store(0, Ordering::SeqCst);
    }

    /// Returns the use of the connections, for the metrics.
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
            // Its state is unknown. The next caller opens another one.
            shared.open.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}
