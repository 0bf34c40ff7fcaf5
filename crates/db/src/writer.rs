//! The one writer of SQLite, with group commit: transactions that queue for it share one flush to the disk
//! (docs/decisions/0020-group-commit.md).
//!
//! The first transaction of a group is `BEGIN IMMEDIATE`, each later one a savepoint in it. A transaction that commits while
//! others wait passes the writer on and waits for the `COMMIT` of the group; no commit returns before that. The group is
//! closed by the first transaction behind which nobody waits, at the latest by [`Writer::settle`], which queues behind those who
//! waited at the group's first commit. A transaction without others is `BEGIN IMMEDIATE`, its statements and `COMMIT`.

//!
//! Statements run on the thread of the request ([`crate::sqlite`]), the flush on a thread of its own.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard, oneshot, watch};
use tokio::task::spawn_blocking;

use crate::connection::Connection;
use crate::request::{self, Writing};
use crate::sqlite::{self, File, Holder};
use crate::statement::{Nothing, Statement};
use crate::{Error, PoolUse, Result};

/// Maximum number of transactions of a group: the number that a failed flush can roll back.
const MAX_MEMBERS: usize = 128;

/// The writer. Cheap to clone.
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
    /// Number of transactions that wait for their turn.
    waiting: AtomicUsize,
    /// Time limit of their wait.
    timeout: Duration,
}

/// Called after the commit has reached the disk.
pub(crate) type AfterCommit = Box<dyn FnOnce() + Send>;

/// A committed transaction that waits for the flush.
struct Member {
    outcome: oneshot::Sender<Outcome>,
    after: Option<AfterCommit>,
}

struct State {
    /// `None` after [`Writer::close`], and until a broken connection is replaced.
    connection: Option<Connection>,
    closed: bool,
    /// The number of the current group, or of the next one if none is open.
    group: u64,
    /// The last group that has ended, flushed or failed.
    settled: watch::Sender<u64>,
    /// True if SQLite is in a transaction of this writer.
    open: bool,
    /// The committed transactions that wait for the flush.
    members: Vec<Member>,
    /// True if a task is on the way to close the group.
    settling: bool,
}

/// What to undo when a transaction is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Undo {
    Nothing,
    Savepoint,
    All,
}

/// How a group ended, sent to each member. Errors cannot be cloned, so only their kind is.
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

    fn into_result(self) -> Result<()> {
        let source = || "the group of this transaction was rolled back".into();
        match self {
            Self::Flushed => Ok(()),
            Self::Full => Err(Error::DiskFull(source())),
            Self::Busy => Err(Error::Busy(source())),
            Self::Lost => Err(Error::Connection(source())),
        }
    }
}

/// A transaction's turn at the writer. Its changes are undone if it is dropped without [`commit`](Self::commit).
pub(crate) struct Turn {
    /// `None` once it has ended.
    state: Option<OwnedMutexGuard<State>>,
    writer: Writer,
    undo: Undo,
    writing: Writing,
}

/// Counts a waiting transaction until it is dropped.
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
    pub(crate) async fn open(file: Arc<File>, timeout: Duration) -> Result<Self> {
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
        Ok(Self(Arc::new(Shared { file, state, waiting: AtomicUsize::new(0), timeout })))
    }

    /// Waits for a turn, first come, first served, and begins a transaction.
    pub(crate) async fn begin(&self) -> Result<Turn> {
        let shared = &*self.0;
        let mut state = {
            let _waiting = Waiting::new(&shared.waiting);
            let turn = tokio::time::timeout(shared.timeout, Arc::clone(&shared.state).lock_owned()).await;
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

    /// Runs `work` with the connection, outside of any transaction, while all others wait.
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

    /// Waits until the changes of others that this request may have read are flushed. Returns at once outside of
    /// [`crate::in_order`].
    pub(crate) async fn wait_for_what_was_seen(&self) {
        if let Some(group) = request::seen() {
            group.settled().await;
        }
    }

    /// Queues behind those that wait now, then closes the group.
    async fn settle(self) {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        state.settling = false;
        if state.open {
            // The members of the group get the error.
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

    /// Returns the use of the connection, for the metrics.
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

    /// Replaces a lost connection.
    fn ready(&mut self, file: &File) -> Result<()> {
        if self.connection.is_none() && !self.closed {
            self.connection = Some(file.writer()?);
        }
        Ok(())
    }

    /// Undoes the changes of a dropped transaction. If its savepoint is gone, SQLite has rolled everything back by itself, as
    /// it does when the disk is full; then the whole group has failed.
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

    /// Rolls the group back and notifies its members.
    fn fail(&mut self, outcome: Outcome) {
        if self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit())
            && self.run("ROLLBACK").is_err()
        {
            // The state of this connection is unknown.
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
        // In the order of the commits, so that events of a site never overtake each other.
        for Member { outcome: waiting, after } in self.members.drain(..) {
            if let Some(after) = after.filter(|_| matches!(outcome, Outcome::Flushed)) {
                after();
            }
            // The receiver is gone if the request was cancelled.
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
    /// Commits, and returns when the commit is on the disk. Then calls `after`, in the order of the commits, even if the
    /// future was dropped meanwhile.
    pub(crate) async fn commit(mut self, after: Option<AfterCommit>) -> Result<()> {
        self.writing.check()?;
        let Some(state) = &mut self.state else { return Err(Error::closed()) };
        if self.undo == Undo::Savepoint {
            state.run("RELEASE berth")?;
        }
        self.undo = Undo::Nothing;
        let (waiting, outcome) = oneshot::channel();
        state.members.push(Member { outcome: waiting, after });
        let is_last = self.writer.0.waiting.load(Ordering::SeqCst) == 0 || state.members.len() >= MAX_MEMBERS;
        if is_last && let Some(mut state) = self.state.take() {
            // Not awaited: it completes even if the caller goes away.
            spawn_blocking(move || state.flush());
        }
        // Its drop makes sure that the group is closed.
        drop(self);
        outcome.await.unwrap_or(Outcome::Lost).into_result()
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
