//! The database handle.

use std::path::Path;
use std::sync::Arc;

use sqlx::SqlSafeStr;
use tokio::task::spawn_blocking;

use crate::postgres::Connections;
use crate::query::{On, Query};
use crate::readers::Readers;
use crate::sqlite;
use crate::statement::{Nothing, Statement};
use crate::tx::{Inner, Tx};
use crate::writer::Writer;
use crate::{Error, Notifications, Options, Result, listen, migrate, open};

/// The two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// Embedded, one node, one writer at a time.
    Sqlite,
    /// A server, several nodes.
    Postgres,
}

/// How many connections a pool has open, and how many of them nobody uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// `reader` and `writer` on SQLite, `all` on `PostgreSQL`.
    pub name: &'static str,
    /// Open connections.
    pub open: u32,
    /// Open connections that wait for work.
    pub idle: usize,
    /// The most that may be open.
    pub limit: u32,
}

/// A database: cheap to clone, shared by all requests.
#[derive(Clone, Debug)]
pub struct Db {
    pools: Pools,
    schema: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Pools {
    Sqlite { readers: Readers, writer: Writer },
    Postgres(Connections),
}

impl Db {
    /// Opens `sqlite:PATH` (the file is created when missing) or `postgres://…` with the default [`Options`].
    ///
    /// # Errors
    /// [`Error::Configuration`] when the address is wrong, [`Error::Connection`] when the database cannot be reached.
    pub async fn open(url: &str) -> Result<Self> {
        Self::open_with(url, Options::default()).await
    }

    /// Opens `sqlite:PATH` or `postgres://…`. A `PostgreSQL` that is not on this machine must prove its name by a
    /// certificate (`sslmode=verify-full`) unless the address says another `sslmode`.
    ///
    /// # Errors
    /// [`Error::Configuration`] when the address is wrong, [`Error::Connection`] when the database cannot be reached.
    pub async fn open_with(url: &str, options: Options) -> Result<Self> {
        let pools = if let Some(path) = url.strip_prefix("sqlite:") {
            open::sqlite(path.strip_prefix("//").unwrap_or(path), &options).await?
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            open::postgres(url, &options).await?
        } else {
            return Err(Error::Configuration("The database address begins with sqlite: or postgres://.".to_owned()));
        };
        Ok(Self { pools, schema: options.search_path.map(Arc::from) })
    }

    /// The engine underneath.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &self.pools {
            Pools::Sqlite { .. } => Engine::Sqlite,
            Pools::Postgres(_) => Engine::Postgres,
        }
    }

    /// A read of one statement. A write here is refused on SQLite: it belongs into [`begin`](Self::begin).
    pub fn query(&self, text: &'static str) -> Query<'_> {
        Query::new(On::Pool(&self.pools), text)
    }

    /// A read of several statements that all see the database as it was at the first of them. Drop it when done;
    /// writes are refused.
    ///
    /// # Errors
    /// [`Error::Busy`] when no connection came free in time.
    pub async fn read(&self) -> Result<Tx> {
        #[cfg(feature = "testing")]
        crate::one_connection::check("a read");
        let inner = match &self.pools {
            Pools::Sqlite { readers, writer } => {
                writer.wait_for_what_was_seen().await;
                let reader = readers.take().await?;
                let (reader, begun) = sqlite::run(reader, Statement::plain("BEGIN"), Box::new(Nothing)).await;
                begun?;
                Inner::Reader(reader)
            }
            Pools::Postgres(pool) => {
                const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Inner::Postgres(pool.begin(Some(BEGIN.into_sql_str())).await?)
            }
        };
        Ok(Tx::new(inner))
    }

    /// Begins a write. On SQLite writers queue here, one at a time, and those who wait share one flush; on `PostgreSQL` (READ COMMITTED) they queue at the
    /// first row they share, for a site the touch of its version.
    ///
    /// # Errors
    /// [`Error::Busy`] when no connection came free in time.
    pub async fn begin(&self) -> Result<Tx> {
        #[cfg(feature = "testing")]
        crate::one_connection::check("a write");
        let inner = match &self.pools {
            Pools::Sqlite { writer, .. } => Inner::Writer(Some(writer.begin().await?)),
            Pools::Postgres(pool) => Inner::Postgres(pool.begin(None).await?),
        };
        Ok(Tx::new(inner))
    }

    /// The writer of SQLite.
    pub(crate) fn writer(&self) -> Option<&Writer> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => Some(writer),
            Pools::Postgres(_) => None,
        }
    }

    /// Tells every listener of `channel`, on every node, this one included: what was committed, so never from inside its
    /// transaction, which would hold a lock of the whole database until its flush. Several payloads go together, each
    /// shorter than 8000 bytes. Nothing happens on SQLite, where there is one node.
    ///
    /// # Errors
    /// [`Error::Connection`] and [`Error::Busy`]; then nobody was told.
    pub async fn publish(&self, channel: &str, payloads: &[String]) -> Result<()> {
        let Pools::Postgres(pool) = &self.pools else { return Ok(()) };
        listen::publish(pool, self.schema.as_deref(), channel, payloads).await
    }

    /// What is told on `channel` by [`publish`](Self::publish), from any node, this one included. It listens
    /// when this returns. On SQLite nothing ever comes.
    ///
    /// # Errors
    /// [`Error::Connection`] when the database cannot be reached now; later losses are mended in the stream.
    pub async fn listen(&self, channel: &str) -> Result<Notifications> {
        match &self.pools {
            Pools::Sqlite { .. } => Ok(Notifications::silent()),
            Pools::Postgres(pool) => listen::postgres(pool.pool(), self.schema.as_deref(), channel).await,
        }
    }

    /// Brings the tables up to this binary's version: all of the missing migrations or none. Nodes may start together;
    /// the first migrates, the others wait for it.
    ///
    /// # Errors
    /// [`Error::Other`] when a migration fails, was changed after it ran, or is unknown to this binary (an older binary
    /// on a newer database).
    pub async fn migrate(&self) -> Result<()> {
        migrate::run(&self.pools).await
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// [`Error::Connection`] or [`Error::Busy`] when it does not.
    pub async fn ping(&self) -> Result<()> {
        self.query("SELECT TRUE").execute().await.map(drop)
    }

    /// The pools, for the metrics.
    #[must_use]
    pub fn pool_use(&self) -> Vec<PoolUse> {
        match &self.pools {
            Pools::Sqlite { readers, writer } => vec![readers.in_use(), writer.in_use()],
            Pools::Postgres(pool) => vec![pool.in_use()],
        }
    }

    /// Settles a database after many rows were loaded: `PostgreSQL` cleans up and counts for its planner, so that its
    /// background workers need not while others work. Nothing happens on SQLite, which plans without.
    pub async fn settle(&self) -> Result<()> {
        // Not through `query`: the parity test would miss this text on SQLite.
        if let Pools::Postgres(pool) = &self.pools {
            let mut taken = pool.take().await?;
            sqlx::query("VACUUM (ANALYZE, SKIP_LOCKED)").execute(taken.connection()).await?;
        }
        Ok(())
    }

    /// Copies a SQLite database as it is now into a new file, while others read and write. `PostgreSQL` has its own
    /// tools for this.
    ///
    /// # Errors
    /// [`Error::Configuration`] on `PostgreSQL`; [`Error::Other`] when the file exists or cannot be written.
    pub async fn copy_to(&self, file: &Path) -> Result<()> {
        let Pools::Sqlite { readers, .. } = &self.pools else {
            return Err(Error::Configuration("Use pg_dump to copy a PostgreSQL database.".to_owned()));
        };
        let Some(path) = file.to_str() else {
            return Err(Error::Configuration("The name of the copy is not readable text.".to_owned()));
        };
        let (file, copy) = (Arc::clone(readers.file()), path.to_owned());
        spawn_blocking(move || file.copy_to(&copy)).await.map_err(Error::lost)?
    }

    /// The clock of the database in epoch milliseconds, by which nodes with different clocks agree; none on SQLite, whose
    /// clock is this machine's.
    pub async fn clock(&self) -> Result<Option<i64>> {
        // Not through `query`: the parity test would miss this text on SQLite.
        let Pools::Postgres(pool) = &self.pools else { return Ok(None) };
        const CLOCK: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
        let mut taken = pool.take().await?;
        let clock = sqlx::query_scalar(CLOCK).fetch_one(taken.connection()).await?;
        taken.put_back();
        Ok(Some(clock))
    }

    /// Waits for running statements and closes every connection. On SQLite the log is merged into the file.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { readers, writer } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres(pool) => pool.close().await,
        }
    }
}
