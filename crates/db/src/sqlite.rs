//! Connections and statements of SQLite. A statement runs on the thread of the request, as a plain function call
//! (docs/decisions/0055-statements-run-in-place.md). A statement that took long lately, or that waits for another program at the
//! same file, runs on a thread of its own so that it does not block other requests.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::OpenFlags;

use crate::connection::Connection;
use crate::statement::{Statement, Taker};
use crate::{Error, Result};

/// Time after which a statement runs on a thread of its own the next time.
const LONG: Duration = Duration::from_millis(1);

/// Number of SQLite's virtual machine steps, some microseconds, between two checks whether the caller still waits.
const STEPS: std::ffi::c_int = 10_000;

/// A database file and the options of its connections.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// Time limit of a statement's wait for another program.
    pub(crate) lock_timeout: Duration,
    /// True if a commit is flushed to the disk before it is acknowledged.
    pub(crate) flush: bool,
    /// Memory in which the writer keeps pages, in MiB.
    pub(crate) writer_memory: u32,
    pub(crate) costs: Costs,
}

impl File {
    /// Opens a connection that writes. Creates a missing file.
    pub(crate) fn writer(&self) -> Result<Connection> {
        let connection =
            Connection::open(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        connection.busy_timeout(self.lock_timeout)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", if self.flush { "FULL" } else { "OFF" })?;
        // Negative: in KiB and not in pages.
        connection.pragma_update(None, "cache_size", -1024 * i64::from(self.writer_memory))?;
        connection.busy_timeout(Duration::ZERO)?;
        // `data_version` leaves out this connection's own commits, so each read gets a new name.
        connection.execute_batch("CREATE TEMP VIEW database_state AS SELECT lower(hex(randomblob(16))) AS name")?;
        Ok(connection)
    }

    /// Opens a connection that only reads. Its view `database_state` names what has been committed; on `PostgreSQL` that view is part
    /// of the schema.
    pub(crate) fn reader(&self) -> Result<Connection> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let connection = Connection::open(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        connection.execute_batch(&format!(
            "CREATE TEMP VIEW database_state AS SELECT '{number}:' || data_version AS name FROM pragma_data_version"
        ))?;
        connection.pragma_update(None, "query_only", "ON")?;
        Ok(connection)
    }

    /// Copies the file as it is now into a new one.
    pub(crate) fn copy_to(&self, copy: &str) -> Result<()> {
        // VACUUM cannot run in a transaction, and a reader may not write any file.
        let connection = Connection::open(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(self.lock_timeout)?;
        connection.execute("VACUUM INTO ?1", [copy])?;
        Ok(())
    }
}

/// The recent duration of each statement.
#[derive(Debug, Default)]
pub(crate) struct Costs(Mutex<HashMap<usize, Duration>>);

impl Costs {
    fn is_long(&self, literal: &'static str) -> bool {
        let costs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        costs.get(&literal.as_ptr().addr()).is_some_and(|cost| *cost > LONG)
    }

    /// Records a duration. The longest one is kept and decays with each shorter one.
    fn took(&self, literal: &'static str, time: Duration) {
        let mut costs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cost = costs.entry(literal.as_ptr().addr()).or_default();
        *cost = time.max(*cost * 7 / 8);
    }
}

/// Owns a connection for some statements and returns it when dropped.
pub(crate) trait Holder: Send + 'static {
    /// The connection.
    ///
    /// # Errors
    /// [`Error::Connection`] if it was lost.
    fn connection(&self) -> Result<&Connection>;

    /// The file of the connection.
    fn file(&self) -> &Arc<File>;

    /// Called before a statement moves to a thread of its own, and after it has returned.
    fn away(&self, _is_away: bool) {}
}

/// The result of a statement: the taker of its rows, and the number of rows that it changed.
pub(crate) type Done = Result<(Box<dyn Taker>, u64)>;

/// Runs a statement and returns the holder of the connection. If the future is dropped while the statement runs on a thread of
/// its own, the statement is stopped and the holder dropped.
pub(crate) async fn run<H: Holder>(holder: H, statement: Statement, mut taker: Box<dyn Taker>) -> (Option<H>, Done) {
    let file = Arc::clone(holder.file());
    let is_long = file.costs.is_long(statement.literal);
    if !is_long {
        match timed(&holder, &statement, &mut *taker) {
            Err(Error::Busy(_)) => {}
            Ok(changed) => return (Some(holder), Ok((taker, changed))),
            Err(error) => return (Some(holder), Err(error)),
        }
    }
    let gone = Gone::default();
    let is_gone = Arc::clone(&gone.0);
    holder.away(true);
    let work = tokio::task::spawn_blocking(move || {
        // The wait for another program does not count as duration of the statement.
        let run = || {
            if is_long {
                timed(&holder, &statement, &mut *taker)
            } else {
                statement.run(holder.connection()?, &mut *taker)
            }
        };
        let done = with_lock_timeout(&holder, is_gone, run);
        (holder, done.map(|changed| (taker, changed)))
    });
    match work.await {
        Ok((holder, done)) => {
            holder.away(false);
            (Some(holder), done)
        }
        Err(error) => (None, Err(Error::lost(error))),
    }
}

fn timed(holder: &impl Holder, statement: &Statement, taker: &mut dyn Taker) -> Result<u64> {
    let begun = Instant::now();
    let changed = statement.run(holder.connection()?, taker);
    holder.file().costs.took(statement.literal, begun.elapsed());
    changed
}

/// Runs `work` with the file's lock timeout, and stops it when the caller has gone.
fn with_lock_timeout<T>(holder: &impl Holder, is_gone: Arc<AtomicBool>, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let connection = holder.connection()?;
    connection.busy_timeout(holder.file().lock_timeout)?;
    connection.progress_handler(STEPS, Some(move || is_gone.load(Ordering::Relaxed)))?;
    let answer = work();
    connection.progress_handler(0, None::<fn() -> bool>)?;
    connection.busy_timeout(Duration::ZERO)?;
    answer
}

/// Signals, when dropped, that the caller of a statement on a thread of its own has gone.
#[derive(Default)]
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
