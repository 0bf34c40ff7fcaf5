//! The one writer of SQLite, and group commit: transactions that wait for it one behind the other share one flush to the
//! disk (docs/decisions/0020-group-commit.md).
//!
//! The first transaction of a group is SQLite's own (`BEGIN IMMEDIATE`), each later one a savepoint in it. A transaction that
//! commits while others wait hands the writer on and waits for the `COMMIT` of the group; nobody is told of success
//! before that. The group is closed by whoever finds nobody waiting, at the latest by [`settle`], which queues behind those
//! who waited at the group's first commit. Alone, a transaction is `BEGIN IMMEDIATE`, its statements, `COMMIT`: as without.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot, watch};

use crate::{Error, PoolUse, Result};

/// The most transactions of a group: bounds how much one failed flush takes back.
const MOST_MEMBERS: usize = 128;

tokio::task_local! {
    /// The last group whose changes a request may have seen before they were flushed.
    static SEEN: Cell<u64>;
}

/// The writer: cheap to clone.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Shared>);

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Writer").field(&self.0.connect.get_filename()).finish()
    }
}

struct Shared {
    state: Arc<Mutex<State>>,
    /// Transactions that wait for their turn.
    waiting: AtomicUsize,
    /// The last group that is settled: flushed, or failed and told so.
    settled: watch::Sender<u64>,
    connect: SqliteConnectOptions,
    patience: Duration,
}

/// Statements that run with the commit.
pub(crate) type Last = (String, SqliteArguments);

/// What a commit tells, and to whom, once it is on the disk.
pub(crate) type Told = Box<dyn FnOnce() + Send>;

/// One who waits for the flush.
struct Member {
    outcome: oneshot::Sender<Outcome>,
    told: Option<Told>,
}

struct State {
    /// None after [`Writer::close`], and while a broken one has not been opened anew.
    connection: Option<SqliteConnection>,
    closed: bool,
    /// The present group, or the next if none is open.
    group: u64,
    /// Whether SQLite is in a transaction of ours.
    open: bool,
    /// Those who have committed and wait for the flush.
    members: Vec<Member>,
    /// What must be undone before anyone else may write: the transaction that has its turn, until it has committed.
    undo: Undo,
    /// Whether someone is on the way to close the group.
    settling: bool,
}

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
        let source = || sqlx::Error::Protocol("the group of this transaction was rolled back".to_owned());
        match self {
            Self::Flushed => Ok(()),
            Self::Full => Err(Error::DiskFull(source())),
            Self::Busy => Err(Error::Busy(source())),
            Self::Lost => Err(Error::Connection(source())),
        }
    }
}

/// A transaction's turn at the writer. Dropped without [`commit`](Self::commit), its changes are undone before anyone else
/// writes.
pub(crate) struct Turn {
    state: Option<OwnedMutexGuard<State>>,
    writer: Writer,
}

/// The writer's connection, and nobody else at it.
pub(crate) struct Alone(OwnedMutexGuard<State>);

impl Alone {
    /// The connection.
    ///
    /// # Errors
    /// [`Error::Connection`] after the database was closed.
    pub(crate) fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.0.connection.as_mut().ok_or(Error::Connection(sqlx::Error::PoolClosed))
    }
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
    pub(crate) async fn open(connect: SqliteConnectOptions, patience: Duration) -> Result<Self> {
        let connection = connect.connect().await?;
        let state = State {
            connection: Some(connection),
            closed: false,
            group: 1,
            open: false,
            members: Vec::new(),
            undo: Undo::Nothing,
            settling: false,
        };
        Ok(Self(Arc::new(Shared {
            state: Arc::new(Mutex::new(state)),
            waiting: AtomicUsize::new(0),
            settled: watch::channel(0).0,
            connect,
            patience,
        })))
    }

    /// Waits for a turn, first come, first served, and begins a transaction.
    pub(crate) async fn begin(&self) -> Result<Turn> {
        let shared = &*self.0;
        let state = {
            let _waiting = Waiting::new(&shared.waiting);
            let turn = tokio::time::timeout(shared.patience, Arc::clone(&shared.state).lock_owned()).await;
            turn.map_err(|_| Error::Busy(sqlx::Error::PoolTimedOut))?
        };
        let mut turn = Turn { state: Some(state), writer: self.clone() };
        let state = turn.state()?;
        state.ready(shared).await?;
        let (undo, text) =
            if state.open { (Undo::Savepoint, "SAVEPOINT berth") } else { (Undo::All, "BEGIN IMMEDIATE") };
        state.undo = undo;
        state.run(text).await?;
        state.open = true;
        Ok(turn)
    }

    /// The connection without a transaction, to the exclusion of all others, for migrations, which begin their own.
    pub(crate) async fn alone(&self) -> Result<Alone> {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        state.ready(&self.0).await?;
        if state.open {
            state.flush(&self.0).await?;
        }
        Ok(Alone(state))
    }

    /// Waits until what this request may have seen of others is flushed. Outside of [`in_order`] it has seen nothing.
    pub(crate) async fn wait_for_what_was_seen(&self) {
        let Ok(group) = SEEN.try_with(Cell::get) else { return };
        self.wait_until_settled(group).await;
    }

    async fn wait_until_settled(&self, group: u64) {
        if *self.0.settled.borrow() < group {
            // It ends with the last writer, and there is one: we hold it.
            let _ = self.0.settled.subscribe().wait_for(|settled| *settled >= group).await;
        }
    }

    /// Queues behind those who wait now, undoes what was dropped, and closes the group.
    async fn settle(self) {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        state.settling = false;
        state.tidy(&self.0).await;
        if state.open {
            let _ = state.flush(&self.0).await;
        }
    }

    /// Closes the group and the connection.
    pub(crate) async fn close(&self) {
        let mut state = Arc::clone(&self.0.state).lock_owned().await;
        state.tidy(&self.0).await;
        if state.open {
            let _ = state.flush(&self.0).await;
        }
        state.closed = true;
        if let Some(connection) = state.connection.take() {
            let _ = connection.close().await;
        }
    }

    /// For the metrics.
    pub(crate) fn in_use(&self) -> PoolUse {
        let idle = usize::from(self.0.state.try_lock().is_ok_and(|state| !state.open));
        PoolUse { name: "writer", open: 1, idle, limit: 1 }
    }
}

impl State {
    async fn run(&mut self, text: &'static str) -> Result<()> {
        sqlx::query(text).execute(self.connection()?).await?;
        Ok(())
    }

    fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.connection.as_mut().ok_or(Error::Connection(sqlx::Error::PoolClosed))
    }

    /// Undoes what a dropped transaction left, and opens a connection that was lost anew.
    async fn ready(&mut self, shared: &Shared) -> Result<()> {
        self.tidy(shared).await;
        if self.connection.is_none() && !self.closed {
            self.connection = Some(shared.connect.connect().await?);
        }
        Ok(())
    }

    /// Undoes what a dropped transaction left. Should its savepoint be gone, SQLite has rolled everything back by itself,
    /// as it does when the disk is full: then the whole group has failed.
    async fn tidy(&mut self, shared: &Shared) {
        match self.undo {
            Undo::Nothing => {}
            Undo::All => self.fail(shared, Outcome::Busy).await,
            Undo::Savepoint => {
                let undone = match self.run("ROLLBACK TO berth").await {
                    Ok(()) => self.run("RELEASE berth").await,
                    failed => failed,
                };
                match undone {
                    Ok(()) => self.undo = Undo::Nothing,
                    Err(error) => {
                        tracing::warn!(error = %error, members = self.members.len(), "a group of writes was lost");
                        self.fail(shared, Outcome::Busy).await;
                    }
                }
            }
        }
    }

    /// Rolls the group back and tells its members.
    async fn fail(&mut self, shared: &Shared, outcome: Outcome) {
        if let Err(error) = self.run("ROLLBACK").await
            && !matches!(error, Error::Other(_))
        {
            // Neither done nor refused ("no transaction is active"): this connection cannot be trusted any more.
            self.connection = None;
        }
        self.ended(shared, outcome);
    }

    /// Commits the group: one flush for all.
    async fn flush(&mut self, shared: &Shared) -> Result<()> {
        match self.run("COMMIT").await {
            Ok(()) => {
                self.ended(shared, Outcome::Flushed);
                Ok(())
            }
            Err(error) => {
                self.fail(shared, Outcome::of(&error)).await;
                Err(error)
            }
        }
    }

    fn ended(&mut self, shared: &Shared, outcome: Outcome) {
        self.open = false;
        self.undo = Undo::Nothing;
        // In the order of the commits, so that news of a site never overtake each other.
        for Member { outcome: waiting, told } in self.members.drain(..) {
            if let Some(told) = told.filter(|_| matches!(outcome, Outcome::Flushed)) {
                told();
            }
            // Whoever has stopped waiting need not be told.
            let _ = waiting.send(outcome);
        }
        shared.settled.send_replace(self.group);
        self.group += 1;
    }
}

impl Turn {
    fn state(&mut self) -> Result<&mut State> {
        self.state.as_deref_mut().ok_or(Error::Connection(sqlx::Error::PoolClosed))
    }

    /// The connection, for a statement of the transaction.
    ///
    /// # Panics
    /// Never: whoever has a turn has the connection.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        let state = self.state.as_mut().expect("a turn lasts until its end");
        state.connection.as_mut().expect("a turn has the connection")
    }

    /// Runs the `last` statements, commits, and returns when it is on the disk. `told` is called then, in the order of
    /// the commits, also when the caller has gone away meanwhile.
    pub(crate) async fn commit(self, last: Option<Last>, told: Option<Told>) -> Result<()> {
        // A task of its own: a caller who goes away half way leaves nothing half done.
        tokio::spawn(self.commit_whole(last, told)).await.map_err(|_| Error::Connection(sqlx::Error::WorkerCrashed))?
    }

    async fn commit_whole(mut self, last: Option<Last>, told: Option<Told>) -> Result<()> {
        let writer = self.writer.clone();
        let shared = &*writer.0;
        let state = self.state()?;
        let release = if state.undo == Undo::Savepoint { "RELEASE berth" } else { "" };
        match last {
            Some((text, arguments)) => {
                let text = AssertSqlSafe(format!("{text};\n{release}"));
                sqlx::query_with(text, arguments).execute(state.connection()?).await?;
            }
            None if release.is_empty() => {}
            None => state.run(release).await?,
        }
        state.undo = Undo::Nothing;
        let (waiting, outcome) = oneshot::channel();
        state.members.push(Member { outcome: waiting, told });
        if shared.waiting.load(Ordering::SeqCst) == 0 || state.members.len() >= MOST_MEMBERS {
            return state.flush(shared).await;
        }
        if !std::mem::replace(&mut state.settling, true) {
            tokio::spawn(writer.clone().settle());
        }
        drop(self.state.take());
        outcome.await.unwrap_or(Outcome::Lost).told()
    }

    /// Undoes the changes now.
    pub(crate) async fn rollback(mut self) -> Result<()> {
        let writer = self.writer.clone();
        let state = self.state()?;
        state.tidy(&writer.0).await;
        Ok(())
    }
}

impl Drop for Turn {
    /// What is to be undone is undone by the next in the queue, be it a transaction or the task started here.
    fn drop(&mut self) {
        let Some(state) = &mut self.state else { return };
        if !state.members.is_empty() {
            let group = state.group;
            let _ = SEEN.try_with(|seen| seen.set(group));
        }
        let something_to_do = state.undo != Undo::Nothing || !state.members.is_empty();
        if something_to_do
            && !state.settling
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            state.settling = true;
            runtime.spawn(self.writer.clone().settle());
        }
    }
}

/// Runs one request so that it is in order with what it saw: a transaction that is dropped, because it refuses or repeats an
/// earlier answer, may have seen changes that are not flushed yet. Later reads of the request, and its end, wait for
/// that flush. Without it a crash could take back what someone was told about.
///
/// With the feature `testing`, a request panics that asks for a connection while it holds a transaction.
pub async fn in_order<T>(db: &crate::Db, request: impl Future<Output = T>) -> T {
    #[cfg(feature = "testing")]
    let request = crate::one_connection::watched(request);
    let Some(writer) = db.writer() else { return request.await };
    SEEN.scope(Cell::new(0), async {
        let answer = request.await;
        writer.wait_for_what_was_seen().await;
        answer
    })
    .await
}
