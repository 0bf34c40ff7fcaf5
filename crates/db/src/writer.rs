//! The one writer of SQLite, and group commit: transactions that wait for it one behind the other share one flush to the
//! disk (docs/decisions/0020-group-commit.md).
//!
//! The first transaction of a group is SQLite's own (`BEGIN IMMEDIATE`), each later one a savepoint in it. A transaction that
//! commits while others wait hands the writer on and waits for the `COMMIT` of the group; nobody is told of success
//! before that. The group is closed by whoever finds nobody waiting, at the latest by [`Writer::settle`], which queues behind those
//! who waited at the group's first commit. Alone, a transaction is `BEGIN IMMEDIATE`, its statements, `COMMIT`: as without.

//!
//! Statements run where the request runs ([`crate::sqlite`]); the flush alone goes to a thread of its own.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot, watch};
use tokio::task::spawn_blocking;

use crate::request::{self, Writing};
use crate::sqlite::{self, File, Holder};
use crate::statement::{Nothing, Statement};
use crate::{Error, PoolUse, Result};

/// The most transactions of a group: bounds how much one failed flush takes back.
const MOST_MEMBERS: usize = 128;

/// The writer: cheap to clone.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Shared>);

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Writer").field(&self.0.file.path).finish()
    }
}

struct Shared {
    file: Arc<File>,
    state: Arc<Mutex<State>>,
    /// Transactions that wait for their turn.
    waiting: AtomicUsize,
    /// How long they wait.
    patience: Duration,
}

/// What a commit tells, and to whom, once it is on the disk.
pub(crate) type Told = Box<dyn FnOnce() + Send>;

/// One who waits for the flush.
struct Member {
    outcome: oneshot::Sender<Outcome>,
    told: Option<Told>,
}

struct State {
    /// None after [`Writer::close`], and while a broken one has not been opened anew.
    connection: Option<Connection>,
    closed: bool,
    /// The present group, or the next if none is open.
    group: u64,
    /// The last group that is settled: flushed, or failed and told so.
    settled: watch::Sender<u64>,
    /// Whether SQLite is in a transaction of ours.
    open: bool,
    /// Those who have committed and wait for the flush.
    members: Vec<Member>,
    /// Whether someone is on the way to close the group.
    settling: bool,
}

/// What is undone when a transaction is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Undo {
    Nothing,
    Savepoint,
    All,
}

/// How a group ended, told to each member. Errors of sqlx cannot be copied, so only their kind is.
#[derive(Debug, Clone, Copy)]
enum Outcome {
    Flushed,
    Full,
    Busy,
    Lost,
}

impl Outcome {
    fn of(error: &Error) -> Self {
        match error {
            Error::DiskFull(_) => Self::Full,
            Error::Busy(_) => Self::Busy,
            _ => Self::Lost,
        }
    }

    fn told(self) -> Result<()> {
        let source = || "the group of this transaction was rolled back".into();
        match self {
            Self::Flushed => Ok(()),
            Self::Full => Err(Error::DiskFull(source())),
            Self::Busy => Err(Error::Busy(source())),
            Self::Lost => Err(Error::Connection(source())),
        }
    }
}

/// A transaction's turn at the writer. Dropped without [`commit`](Self::commit), its changes are undone.
pub(crate) struct Turn {
    /// None once it has ended.
    state: Option<OwnedMutexGuard<State>>,
    writer: Writer,
    undo: Undo,
    writing: Writing,
}

/// Counts one who waits, also when the wait is given up.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Writer {
    /// Opens the connection, which creates the file.
    pub(crate) async fn open(file: Arc<File>, patience: Duration) -> Result<Self> {
        let opened = Arc::clone(&file);
        let connection = spawn_blocking(move || opened.writer()).await.map_err(Error::lost)??;
        let state = State {
            connection: Some(connection),
            closed: false,
            group: 1,
            settled: watch::channel(0).0,
            open: false,
            members: Vec::new(),
            settling: false,
        };
        let state = Arc::new(Mutex::new(state));
        Ok(Self(Arc::new(Shared { file, state, waiting: AtomicUsize::new(0), patience })))
    }

    /// Waits for a turn, first come, first served, and begins a transaction.
    pub(crate) async fn begin(&self) -> Result<Turn> {
        let shared = &*self.0;
        let mut state = {
            let _waiting = Waiting::new(&shared.waiting);
            let turn = tokio::time::timeout(shared.patience, Arc::clone(&shared.state).lock_owned()).await;
            turn.map_err(|_| Error::no_connection_free())?
        };
        state.ready(&shared.file)?;
        let (undo, text) =
            if state.open { (Undo::Savepoint, "SAVEPOINT berth") } else { (Undo::All, "BEGIN IMMEDIATE") };
        state.open = true;
        let turn = Turn { state: Some(state), writer: self.clone(), undo, writing: request::writes() };
        let (turn, begun) = sqlite::run(turn, Statement::plain(text), Box::new(Nothing)).await;
        begun?;
        turn.ok_or_else(Error::closed)
    }

    /// Runs `work` with the connection and outside of any transaction, to the exclusion of all others.
    pub(crate) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        let file = Arc::clone(&self.0.file);
        let work = spawn_blocking(move || {
            state.ready(&file)?;
            state.flush()?;
            work(state.connection()?)
        });
        work.await.map_err(Error::lost)?
    }

    /// Waits until what this request may have seen of others is flushed. Outside of [`crate::in_order`] it has seen nothing.
    pub(crate) async fn wait_for_what_was_seen(&self) {
        if let Some(group) = request::seen() {
            group.settled().await;
        }
    }

    /// Queues behind those who wait now, and closes the group.
    async fn settle(self) {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        state.settling = false;
        if state.open {
            // Who waits for the flush is told how it ended.
            let _ = spawn_blocking(move || state.flush()).await;
        }
    }

    /// Closes the group and the connection.
    pub(crate) async fn close(&self) {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        let closing = spawn_blocking(move || {
            let _ = state.flush();
            state.closed = true;
            state.connection = None;
        });
        let _ = closing.await;
    }

    /// For the metrics.
    pub(crate) fn in_use(&self) -> PoolUse {
        let idle = usize::from(self.0.state.try_lock().is_ok_and(|state| !state.open));
        PoolUse { name: "writer", open: 1, idle, limit: 1 }
    }
}

impl State {
    fn connection(&self) -> Result<&Connection> {
        self.connection.as_ref().ok_or_else(Error::closed)
    }

    fn run(&self, text: &'static str) -> Result<()> {
        Statement::plain(text).run(self.connection()?, &mut Nothing).map(drop)
    }

    /// Opens a connection that was lost anew.
    fn ready(&mut self, file: &File) -> Result<()> {
        if self.connection.is_none() && !self.closed {
            self.connection = Some(file.writer()?);
        }
        Ok(())
    }

    /// Undoes what a dropped transaction did. Should its savepoint be gone, SQLite has rolled everything back by itself,
    /// as it does when the disk is full: then the whole group has failed.
    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Nothing => {}
            Undo::All => self.fail(Outcome::Busy),
            Undo::Savepoint => {
                if let Err(error) = self.run("ROLLBACK TO berth").and_then(|()| self.run("RELEASE berth")) {
                    tracing::warn!(error = %error, members = self.members.len(), "a group of writes was lost");
                    self.fail(Outcome::Busy);
                }
            }
        }
    }

    /// Rolls the group back and tells its members.
    fn fail(&mut self, outcome: Outcome) {
        if self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit())
            && self.run("ROLLBACK").is_err()
        {
            // This connection cannot be trusted any more.
            self.connection = None;
        }
        self.ended(outcome);
    }

    /// Commits the group, if one is open: one flush for all.
    fn flush(&mut self) -> Result<()> {
        if !self.open {
            return Ok(());
        }
        match self.run("COMMIT") {
            Ok(()) => {
                self.ended(Outcome::Flushed);
                Ok(())
            }
            Err(error) => {
                self.fail(Outcome::of(&error));
                Err(error)
            }
        }
    }

    fn ended(&mut self, outcome: Outcome) {
        self.open = false;
        // In the order of the commits, so that news of a site never overtake each other.
        for Member { outcome: waiting, told } in self.members.drain(..) {
            if let Some(told) = told.filter(|_| matches!(outcome, Outcome::Flushed)) {
                told();
            }
            // Whoever has stopped waiting need not be told.
            let _ = waiting.send(outcome);
        }
        self.settled.send_replace(self.group);
        self.group += 1;
    }
}

impl Holder for Turn {
    fn connection(&self) -> Result<&Connection> {
        self.writing.check()?;
        self.state.as_ref().ok_or_else(Error::closed)?.connection()
    }

    fn file(&self) -> &Arc<File> {
        &self.writer.0.file
    }

    fn away(&self, is_away: bool) {
        self.writing.away(is_away);
    }
}

impl Turn {
    /// Commits, and returns when it is on the disk. `told` is called then, in the order of the commits, also when the caller
    /// has gone away meanwhile.
    pub(crate) async fn commit(mut self, told: Option<Told>) -> Result<()> {
        self.writing.check()?;
        let Some(state) = &mut self.state else { return Err(Error::closed()) };
        if self.undo == Undo::Savepoint {
            state.run("RELEASE berth")?;
        }
        self.undo = Undo::Nothing;
        let (waiting, outcome) = oneshot::channel();
        state.members.push(Member { outcome: waiting, told });
        let is_last = self.writer.0.waiting.load(Ordering::SeqCst) == 0 || state.members.len() >= MOST_MEMBERS;
        if is_last && let Some(mut state) = self.state.take() {
            // Not waited for by itself: a caller who goes away leaves nothing half done.
            spawn_blocking(move || state.flush());
        }
        // Dropped, it sends someone to close the group.
        drop(self);
        outcome.await.unwrap_or(Outcome::Lost).told()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(mut state) = self.state.take() else { return };
        state.undo(self.undo);
        if !state.open {
            return;
        }
        if self.undo != Undo::Nothing {
            request::has_seen(state.group, &state.settled);
        }
        if !state.settling
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            state.settling = true;
            runtime.spawn(self.writer.clone().settle());
        }
    }
}
