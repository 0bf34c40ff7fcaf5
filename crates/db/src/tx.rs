//! One transaction, of either engine.

use sqlx::postgres::Postgres;

use crate::query::{On, Query, Values};
use crate::readers::Reader;
use crate::writer::{Told, Turn};
use crate::{Engine, Error, Result, list};

/// A transaction. Dropped without [`commit`](Self::commit), be it by an error, a panic or a cancelled request, it rolls
/// back. Inside it use it alone: [`Db::query`](crate::Db::query) would not see its changes, and a second
/// [`Db::begin`](crate::Db::begin) on SQLite waits for the first; with the feature `testing` both end a request with a panic. No HTTP call, hashing, image work or mail before the
/// commit: on SQLite all other writers wait.
#[must_use = "a transaction that is not committed rolls back"]
pub struct Tx {
    pub(crate) inner: Inner,
    /// True while a statement runs, and after one failed.
    failed: bool,
    #[cfg(feature = "testing")]
    _held: crate::one_connection::Held,
}

/// The place that a transaction holds in the queue for connections (see [`crate::postgres`]).
type Place = tokio::sync::OwnedSemaphorePermit;

/// The connection of a transaction; none of SQLite when it went with a statement that was broken off.
pub(crate) enum Inner {
    Reader(Option<Reader>),
    Writer(Option<Turn>),
    Postgres((sqlx::Transaction<'static, Postgres>, Place)),
}

impl Tx {
    pub(crate) fn new(inner: Inner) -> Self {
        Self {
            inner,
            failed: false,
            #[cfg(feature = "testing")]
            _held: crate::one_connection::Held::new(),
        }
    }

    /// The engine underneath.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &self.inner {
            Inner::Reader(_) | Inner::Writer(_) => Engine::Sqlite,
            Inner::Postgres(_) => Engine::Postgres,
        }
    }

    /// A statement of this transaction. After one failed, every further statement and the commit fail too, on both
    /// engines: expected conflicts are written `ON CONFLICT … DO NOTHING RETURNING id`.
    pub fn query(&mut self, text: &'static str) -> Query<'_> {
        Query::new(On::Tx(self), text)
    }

    /// Refuses after a failure; until [`succeeded`](Self::succeeded) the transaction counts as failed: `PostgreSQL` takes
    /// no more statements after a failed one and turns `COMMIT` into a silent rollback, SQLite goes on; here both refuse.
    /// A statement whose future is dropped half way counts as failed too.
    pub(crate) fn start(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.failed, true) {
            return Err(Error::misuse("a statement of this transaction failed: drop it and begin again"));
        }
        Ok(())
    }

    pub(crate) fn succeeded(&mut self) {
        self.failed = false;
    }

    /// Inserts many rows, hundreds with each statement, and answers how many there were: the way to load a database.
    /// The text names its columns and ends in `VALUES ($1..)`, or in that and an `ON CONFLICT … DO NOTHING`; `bind` binds
    /// each column of a row once, in their order. Without rows nothing is sent.
    ///
    /// ```no_run
    /// # async fn example(tx: &mut berth_db::Tx, beds: &[(uuid::Uuid, String)]) -> berth_db::Result<()> {
    /// const BEDS: &str = "INSERT INTO beds (id, name) VALUES ($1..)";
    /// tx.insert(BEDS, beds, |values, (id, name)| {
    ///     values.bind(*id).bind(name);
    /// })
    /// .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Error`] tells: one refused row fails its transaction.
    pub async fn insert<T: Sync>(
        &mut self,
        text: &'static str,
        rows: &[T],
        mut bind: impl FnMut(&mut Values<'_, '_>, &T) + Send,
    ) -> Result<u64> {
        let columns = list::columns(text)?;
        let mut inserted = 0;
        let mut rest = rows;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(list::rows_at_once(columns, rest.len()));
            inserted += self.query(text).bind_rows(columns, now, &mut bind).execute().await?;
            rest = later;
        }
        Ok(inserted)
    }

    /// Makes the changes last and visible to others.
    ///
    /// # Errors
    /// [`Error::Connection`] when the outcome is unknown; otherwise nothing was changed.
    pub async fn commit(self) -> Result<()> {
        self.finish(None).await
    }

    /// Commits, and calls `told` when and only when that succeeded. On SQLite in the order of the commits, and also when the
    /// caller goes away before he is answered.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub async fn commit_then(self, told: impl FnOnce() + Send + 'static) -> Result<()> {
        self.finish(Some(Box::new(told))).await
    }

    async fn finish(self, told: Option<Told>) -> Result<()> {
        if self.failed {
            return Err(Error::misuse("a statement of this transaction failed: it was rolled back"));
        }
        match self.inner {
            Inner::Writer(turn) => return turn.ok_or_else(Error::closed)?.commit(told).await,
            Inner::Reader(reader) => drop(reader),
            Inner::Postgres((tx, _place)) => tx.commit().await?,
        }
        if let Some(told) = told {
            told();
        }
        Ok(())
    }

    /// Undoes the changes now. On `PostgreSQL` dropping does the same soon after; this waits for it.
    ///
    /// # Errors
    /// [`Error::Connection`] when the database went away, which undoes the changes too.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Reader(reader) => drop(reader),
            Inner::Writer(turn) => drop(turn),
            Inner::Postgres((tx, _place)) => tx.rollback().await?,
        }
        Ok(())
    }
}
