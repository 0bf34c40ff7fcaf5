//! Statements of SQLite run where the request runs: a call of a function, ready at once
//! (docs/decisions/0055-statements-run-in-place.md). Only what takes long goes to a thread of its own, so that it keeps
//! nobody else waiting: a statement that took long lately, and one that waits for another program at the same file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::open::PREPARED_STATEMENTS;
use crate::statement::{Statement, Taker};
use crate::{Error, Result};

/// A statement that took longer lately goes to a thread of its own.
const LONG: Duration = Duration::from_millis(1);

/// How many steps of SQLite's machine pass before it looks whether anybody still waits: some microseconds.
const STEPS: std::ffi::c_int = 10_000;

/// How connections to a file are made.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// How long a statement waits for another program.
    pub(crate) patience: Duration,
    /// Whether a commit is flushed to the disk before it is acknowledged.
    pub(crate) flush: bool,
    pub(crate) costs: Costs,
}

impl File {
    /// A connection that writes; the file is created when missing.
    pub(crate) fn writer(&self) -> Result<Connection> {
        let connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        connection.busy_timeout(self.patience)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", if self.flush { "FULL" } else { "OFF" })?;
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }

    /// A connection that only reads.
    pub(crate) fn reader(&self) -> Result<Connection> {
        let connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.pragma_update(None, "query_only", "ON")?;
        Ok(connection)
    }

    /// Copies the file as it is now into a new one.
    pub(crate) fn copy_to(&self, copy: &str) -> Result<()> {
        // A connection of its own: VACUUM is no part of a transaction, and a reader is not allowed to write any file.
        let connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(self.patience)?;
        connection.execute("VACUUM INTO ?1", [copy])?;
        Ok(())
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    // One caller at a time has a connection, so SQLite need not lock it.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // By bytes, as PostgreSQL's "C": comparing `str`s is comparing bytes.
    connection.create_collation("C", str::cmp)?;
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    Ok(connection)
}

/// How long each statement took lately.
#[derive(Debug, Default)]
pub(crate) struct Costs(Mutex<HashMap<usize, Duration>>);

impl Costs {
    fn is_long(&self, literal: &'static str) -> bool {
        let costs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        costs.get(&literal.as_ptr().addr()).is_some_and(|cost| *cost > LONG)
    }

    /// Keeps the longest time, which fades with each shorter one.
    fn took(&self, literal: &'static str, time: Duration) {
        let mut costs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cost = costs.entry(literal.as_ptr().addr()).or_default();
        *cost = time.max(*cost * 7 / 8);
    }
}

/// Whoever has a connection for some statements, and returns it when dropped.
pub(crate) trait Holder: Send + 'static {
    /// The connection.
    ///
    /// # Errors
    /// [`Error::Connection`] when it was lost.
    fn connection(&self) -> Result<&Connection>;

    /// The file of the connection.
    fn file(&self) -> &Arc<File>;

    /// Told before a statement goes to a thread of its own, and after it has come back.
    fn away(&self, _is_away: bool) {}
}

/// How a statement went: who took its rows, and how many it changed.
pub(crate) type Done = Result<(Box<dyn Taker>, u64)>;

/// Runs a statement and returns the holder of the connection. It is lost with the future: when that is dropped while the
/// statement runs on a thread of its own, the statement is stopped there and the holder dropped.
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
        // A wait for others is no cost of the statement.
        let run = || {
            if is_long {
                timed(&holder, &statement, &mut *taker)
            } else {
                statement.run(holder.connection()?, &mut *taker)
            }
        };
        let done = patiently(&holder, is_gone, run);
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

/// Waits for another program at the same file, at most for the file's patience, and stops when the caller has gone.
fn patiently<T>(holder: &impl Holder, is_gone: Arc<AtomicBool>, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let connection = holder.connection()?;
    connection.busy_timeout(holder.file().patience)?;
    connection.progress_handler(STEPS, Some(move || is_gone.load(Ordering::Relaxed)))?;
    let answer = work();
    connection.progress_handler(0, None::<fn() -> bool>)?;
    connection.busy_timeout(Duration::ZERO)?;
    answer
}

/// Says that nobody waits any more for a statement that runs on a thread of its own.
#[derive(Default)]
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
