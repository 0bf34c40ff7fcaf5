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

/// The use of a pool of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// `reader` and `writer` on SQLite, `all` on `PostgreSQL`.
    pub name: &'static str,
    /// Open connections.
    pub open: u32,
    /// Open connections that are idle.
    pub idle: usize,
    /// Maximum number of open connections.
    pub limit: u32,
}

/// A database, shared by all requests. Cheap to clone.
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
    /// Opens `sqlite:PATH` (a missing file is created) or `postgres://…` with the default [`Options`].
    ///
    /// # Errors
    /// [`Error::Configuration`] if the address is wrong, [`Error::Connection`] if the database cannot be reached.
    pub async fn open(url: &str) -> Result<Self> {
        Self::open_with(url, Options::default()).await
    }

    /// Opens `sqlite:PATH` or `postgres://…`. The certificate of a `PostgreSQL` on another machine is verified
    /// (`sslmode=verify-full`) unless the address sets another `sslmode`.
    ///
    /// # Errors
    /// [`Error::Configuration`] if the address is wrong, [`Error::Connection`] if the database cannot be reached.
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

    /// The engine of this database.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &self.pools {
            Pools::Sqlite { .. } => Engine::Sqlite,
            Pools::Postgres(_) => Engine::Postgres,
        }
    }

    /// A statement that reads, outside of a transaction. SQLite rejects a write here; use [`begin`](Self::begin).
    pub fn query(&self, text: &'static str) -> Query<'_> {
        Query::new(On::Pool(&self.pools), text)
    }

    /// Begins a read of several statements that see one snapshot: the database as it was at the first of them. Drop it when
    /// done. Writes are rejected.
    ///
    /// # Errors
    /// [`Error::Busy`] if no connection became free in time.
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

    /// Begins a write. On SQLite there is one writer at a time: writers queue here and share one flush. On `PostgreSQL` (READ
    /// COMMITTED) they queue at the first row that they share; for a site this is the touch of its version.
    ///
    /// # Errors
    /// [`Error::Busy`] if no connection became free in time.
    pub async fn begin(&self) -> Result<Tx> {
        #[cfg(feature = "testing")]
        crate::one_connection::check("a write");
        let inner = match &self.pools {
            Pools::Sqlite { writer, .. } => Inner::Writer(Some(writer.begin().await?)),
            Pools::Postgres(pool) => Inner::Postgres(pool.begin(None).await?),
        };
        Ok(Tx::new(inner))
    }

    /// The writer of SQLite, `None` on `PostgreSQL`.
    pub(crate) fn writer(&self) -> Option<&Writer> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => Some(writer),
            Pools::Postgres(_) => None,
        }
    }

    /// Publishes `payloads`, each shorter than 8000 bytes, to the listeners of `channel` on all nodes, this one included. Does
    /// nothing on SQLite, where there is one node.
    ///
    /// Call it after the commit: NOTIFY inside a transaction would hold a lock of the whole database until the flush.
    ///
    /// # Errors
    /// [`Error::Connection`] and [`Error::Busy`]; nothing was published then.
    pub async fn publish(&self, channel: &str, payloads: &[String]) -> Result<()> {
        let Pools::Postgres(pool) = &self.pools else { return Ok(()) };
        listen::publish(pool, self.schema.as_deref(), channel, payloads).await
    }

    /// Listens to what any node, this one included, [publishes](Self::publish) on `channel`, from the moment this returns. On
    /// SQLite nothing arrives.
    ///
    /// # Errors
    /// [`Error::Connection`] if the database cannot be reached now. The stream recovers from later losses by itself.
    pub async fn listen(&self, channel: &str) -> Result<Notifications> {
        match &self.pools {
            Pools::Sqlite { .. } => Ok(Notifications::silent()),
            Pools::Postgres(pool) => listen::postgres(pool.pool(), self.schema.as_deref(), channel).await,
        }
    }

    /// Runs all missing migrations, or none if one fails. Nodes may start together: the first migrates, the others wait.
    ///
    /// # Errors
    /// [`Error::Other`] if a migration fails, was changed after it ran, or is unknown to this binary (an older binary
    /// on a newer database).
    pub async fn migrate(&self) -> Result<()> {
        migrate::run(&self.pools).await
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// [`Error::Connection`] or [`Error::Busy`] if it does not.
    pub async fn ping(&self) -> Result<()> {
        self.query("SELECT TRUE").execute().await.map(drop)
    }

    /// Returns the use of the pools, for the metrics.
    #[must_use]
    pub fn pool_use(&self) -> Vec<PoolUse> {
        match &self.pools {
            Pools::Sqlite { readers, writer } => vec![readers.in_use(), writer.in_use()],
            Pools::Postgres(pool) => vec![pool.in_use()],
        }
    }

    /// Runs VACUUM ANALYZE on `PostgreSQL` after many rows were loaded, so that its background workers need not do so under
    /// load. Does nothing on SQLite.
    pub async fn settle(&self) -> Result<()> {
        // Not by `query`: the test that runs each text on both engines would miss it on SQLite.
        if let Pools::Postgres(pool) = &self.pools {
            let mut taken = pool.take().await?;
            sqlx::query("VACUUM (ANALYZE, SKIP_LOCKED)").execute(taken.connection()).await?;
        }
        Ok(())
    }

    /// Copies a SQLite database into a new file while others read and write. `PostgreSQL` has its own tools for this.
    ///
    /// # Errors
    /// [`Error::Configuration`] on `PostgreSQL`; [`Error::Other`] if the file exists or cannot be written.
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

    /// Returns the clock of `PostgreSQL` in epoch milliseconds, which all nodes share. `None` on SQLite, whose clock is that of
    /// this machine.
    pub async fn clock(&self) -> Result<Option<i64>> {
        // Not by `query`: the test that runs each text on both engines would miss it on SQLite.
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
