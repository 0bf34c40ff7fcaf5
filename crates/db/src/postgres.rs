//! The connections to `PostgreSQL`. A pool of sqlx pings each connection that is returned to it, one more round trip for each
//! statement. A connection whose statement succeeded is therefore kept here and taken by the next statement; one whose statement
//! failed or was cancelled goes back to the pool, which pings it (docs/decisions/0025-connections-at-hand.md).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool, PgTransactionManager, Postgres};
use sqlx::{Connection, SqlStr};
use sqlx_core::transaction::TransactionManager;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::PoolUse;
use crate::open::TEST_AFTER_IDLE;

/// Age after which a connection goes back to the pool, which replaces it: the server's memory for a connection grows.
const MAX_AGE: Duration = Duration::from_secs(30 * 60);
/// Idle time after which a connection goes back to the pool.
const MAX_IDLE: Duration = Duration::from_secs(10 * 60);

/// A pool and the connections that are kept for the next statements. Cheap to clone.
pub(crate) struct Connections(Arc<Shared>);

struct Shared {
    pool: PgPool,
    /// One permit for each connection: the holder of a permit finds a kept connection or one in the pool.
    places: Arc<Semaphore>,
    /// The connection that was used last is at the end.
    kept: Mutex<Vec<Kept>>,
    /// Time limit of the wait for a connection.
    timeout: Duration,
}

struct Kept {
    connection: PoolConnection<Postgres>,
    taken_at: Instant,
    idle_since: Instant,
}

/// A connection in use. It goes to the pool if it is dropped without [`put_back`](Self::put_back).
pub(crate) struct Taken {
    connection: PoolConnection<Postgres>,
    taken_at: Instant,
    connections: Connections,
    // Dropped last, so that the connection is back before the next caller looks for one.
    place: OwnedSemaphorePermit,
}

/// A transaction. `Transaction` of sqlx returns its connection to the pool even after a commit.
pub(crate) struct Transaction {
    /// `None` once it has ended.
    taken: Option<Taken>,
    /// False until the answer to BEGIN.
    begun: bool,
}

impl Drop for Transaction {
    /// Rolls back: the pool sends what is queued here when it pings the connection.
    fn drop(&mut self) {
        let Some(mut taken) = self.taken.take() else { return };
        if self.begun {
            PgTransactionManager::start_rollback(taken.connection());
        } else {
            // Nobody knows whether it began: sqlx would roll nothing back.
            taken.connection.close_on_drop();
        }
    }
}

impl Drop for Shared {
    /// Detaches the connections: on its way back to the pool a connection needs a runtime, and there may be none any more.
    fn drop(&mut self) {
        for kept in self.kept.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            drop(kept.connection.detach());
        }
    }
}

impl Clone for Connections {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Connections").field(&self.0.pool).finish()
    }
}

impl Connections {
    /// Wraps `pool`, whose connections nothing else may take.
    pub(crate) fn new(pool: PgPool, timeout: Duration) -> Self {
        let places = usize::try_from(pool.options().get_max_connections()).unwrap_or(1);
        let places = Arc::new(Semaphore::new(places));
        Self(Arc::new(Shared { pool, places, kept: Mutex::new(Vec::new()), timeout }))
    }

    /// The pool, for uses that take no connection from it.
    pub(crate) fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// Takes a connection, first come, first served.
    pub(crate) async fn take(&self) -> sqlx::Result<Taken> {
        timeout(self.0.timeout, self.next()).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    async fn next(&self) -> sqlx::Result<Taken> {
        let place = Arc::clone(&self.0.places).acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        while let Some(mut kept) = self.top() {
            if kept.idle_since.elapsed() >= TEST_AFTER_IDLE && kept.connection.ping().await.is_err() {
                continue;
            }
            return Ok(Taken {
                connection: kept.connection,
                taken_at: kept.taken_at,
                connections: self.clone(),
                place,
            });
        }
        let connection = self.0.pool.acquire().await?;
        Ok(Taken { connection, taken_at: Instant::now(), connections: self.clone(), place })
    }

    fn top(&self) -> Option<Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Begins a transaction, by `statement` if there is one.
    pub(crate) async fn begin(&self, statement: Option<SqlStr>) -> sqlx::Result<Transaction> {
        let mut transaction = Transaction { taken: Some(self.take().await?), begun: false };
        PgTransactionManager::begin(transaction.connection()?, statement).await?;
        transaction.begun = true;
        Ok(transaction)
    }

    /// Waits for running statements and closes every connection.
    pub(crate) async fn close(&self) {
        // No connection is kept from here on.
        let closing = self.0.pool.close();
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        closing.await;
    }

    /// Returns the use of the pool, for the metrics.
    pub(crate) fn in_use(&self) -> PoolUse {
        let kept = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).len();
        let limit = self.0.pool.options().get_max_connections();
        PoolUse { name: "all", open: self.0.pool.size(), idle: self.0.pool.num_idle() + kept, limit }
    }
}

impl Transaction {
    /// The connection, unless the transaction has ended.
    pub(crate) fn connection(&mut self) -> sqlx::Result<&mut PgConnection> {
        self.taken.as_mut().map(Taken::connection).ok_or(sqlx::Error::PoolClosed)
    }

    /// Commits, and keeps the connection for the next statement.
    pub(crate) async fn commit(mut self) -> sqlx::Result<()> {
        PgTransactionManager::commit(self.connection()?).await?;
        self.put_back();
        Ok(())
    }

    /// Rolls back, and keeps the connection for the next statement.
    pub(crate) async fn rollback(mut self) -> sqlx::Result<()> {
        PgTransactionManager::rollback(self.connection()?).await?;
        self.put_back();
        Ok(())
    }

    fn put_back(&mut self) {
        if let Some(taken) = self.taken.take() {
            taken.put_back();
        }
    }
}

impl Taken {
    /// The connection.
    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Keeps the connection for the next statement, after one that succeeded.
    pub(crate) fn put_back(self) {
        let Self { connection, taken_at, connections, place } = self;
        let now = Instant::now();
        let mut stale = None;
        {
            let mut kept = connections.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if !connections.0.pool.is_closed() && now - taken_at < MAX_AGE {
                kept.push(Kept { connection, taken_at, idle_since: now });
            }
            if kept.first().is_some_and(|kept| now - kept.idle_since > MAX_IDLE) {
                stale = Some(kept.remove(0));
            }
        }
        drop(stale);
        drop(place);
    }
}
