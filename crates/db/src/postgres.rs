//! The connections to `PostgreSQL`, kept at hand. A pool of sqlx asks each connection that comes back whether it still
//! works: one more way over the network for each statement. What came back from a statement that went well is kept here
//! instead and taken by the next; whatever failed or was broken off goes back to the pool and is asked
//! (docs/decisions/0025-connections-at-hand.md).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool, Postgres};
use sqlx::{Connection, SqlStr};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::PoolUse;
use crate::open::TEST_AFTER_IDLE;

/// After so long a connection is given back, so that the pool may open another: what a server keeps for one grows.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// A connection that nobody took for so long is given back.
const LONGEST_IDLE: Duration = Duration::from_secs(10 * 60);

/// A pool with its connections at hand: cheap to clone.
pub(crate) struct Connections(Arc<Shared>);

struct Shared {
    pool: PgPool,
    /// As many as the pool has connections: whoever holds a place finds one on the connections or in the pool.
    places: Arc<Semaphore>,
    /// The one used last is on top.
    kept: Mutex<Vec<Kept>>,
    /// How long a caller waits for a connection.
    patience: Duration,
}

struct Kept {
    connection: PoolConnection<Postgres>,
    taken_at: Instant,
    idle_since: Instant,
}

/// A connection in use. Dropped without [`put_back`](Self::put_back), it goes to the pool, which asks it.
pub(crate) struct Taken {
    connection: PoolConnection<Postgres>,
    taken_at: Instant,
    connections: Connections,
    // Dropped last: the connection is back before the next may look for one.
    place: OwnedSemaphorePermit,
}

impl Drop for Shared {
    /// Nobody is left to take them, and perhaps no runtime, which a connection needs on its way back to the pool.
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
    /// Before `pool`, whose connections come from nowhere else.
    pub(crate) fn new(pool: PgPool, patience: Duration) -> Self {
        let places = usize::try_from(pool.options().get_max_connections()).unwrap_or(1);
        let places = Arc::new(Semaphore::new(places));
        Self(Arc::new(Shared { pool, places, kept: Mutex::new(Vec::new()), patience }))
    }

    /// The pool, for what takes no connection from it.
    pub(crate) fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// A connection, first come, first served.
    pub(crate) async fn take(&self) -> sqlx::Result<Taken> {
        timeout(self.0.patience, self.next()).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
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

    /// Begins a transaction by `statement`. When it ends, its connection goes to the pool.
    pub(crate) async fn begin(
        &self,
        statement: Option<SqlStr>,
    ) -> sqlx::Result<(sqlx::Transaction<'static, Postgres>, OwnedSemaphorePermit)> {
        let Taken { connection, place, .. } = self.take().await?;
        Ok((sqlx::Transaction::begin(connection, statement).await?, place))
    }

    /// Waits for running statements and closes every connection.
    pub(crate) async fn close(&self) {
        // From here on nothing is kept any more.
        let closing = self.0.pool.close();
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        closing.await;
    }

    /// For the metrics.
    pub(crate) fn in_use(&self) -> PoolUse {
        let kept = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).len();
        let limit = self.0.pool.options().get_max_connections();
        PoolUse { name: "all", open: self.0.pool.size(), idle: self.0.pool.num_idle() + kept, limit }
    }
}

impl Taken {
    /// The connection.
    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// The statement went well: the connection is at hand for the next.
    pub(crate) fn put_back(self) {
        let Self { connection, taken_at, connections, place } = self;
        let now = Instant::now();
        let mut stale = None;
        {
            let mut kept = connections.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if !connections.0.pool.is_closed() && now - taken_at < LONGEST {
                kept.push(Kept { connection, taken_at, idle_since: now });
            }
            if kept.first().is_some_and(|kept| now - kept.idle_since > LONGEST_IDLE) {
                stale = Some(kept.remove(0));
            }
        }
        drop(stale);
        drop(place);
    }
}
