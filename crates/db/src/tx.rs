//! A transaction of either engine.

use crate::postgres::Transaction;
use crate::query::{On, Query, Values};
use crate::readers::Reader;
use crate::writer::{AfterCommit, Turn};
use crate::{Engine, Error, Result, list};

/// A transaction. It rolls back if it is dropped without [`commit`](Self::commit), be it by an error, a panic or a cancelled
/// request.
///
/// Use nothing else of the database while it is open: [`Db::query`](crate::Db::query) would not see its changes, and a second
/// [`Db::begin`](crate::Db::begin) on SQLite would wait for the first. With the feature `testing` both panic. No HTTP call,
/// hashing, image work or mail before the commit, since all other writers of SQLite wait.
#[must_use = "a transaction that is not committed rolls back"]
pub struct Tx {
    pub(crate) inner: Inner,
    /// True while a statement runs and after one failed.
    failed: bool,
    #[cfg(feature = "testing")]
    _held: crate::one_connection::Held,
}

/// The connection of a transaction. `None` on SQLite after a statement was cancelled, which drops its connection.
pub(crate) enum Inner {
    Reader(Option<Reader>),
    Writer(Option<Turn>),
    Postgres(Transaction),
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

    /// A statement of this transaction. After one has failed, all further statements and the commit fail, on both engines;
    /// write expected conflicts as `ON CONFLICT … DO NOTHING RETURNING id`.
    pub fn query(&mut self, text: &'static str) -> Query<'_> {
        Query::new(On::Tx(self), text)
    }

    /// Begins a statement: fails if an earlier one failed, and marks the transaction as failed until
    /// [`succeeded`](Self::succeeded). After a failed statement `PostgreSQL` takes no more of them and turns `COMMIT` into a
    /// silent rollback, while SQLite goes on; this makes both fail. A statement whose future is dropped counts as failed.
    pub(crate) fn start(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.failed, true) {
            return Err(Error::misuse("a statement of this transaction failed: drop it and begin again"));
        }
        Ok(())
    }

    pub(crate) fn succeeded(&mut self) {
        self.failed = false;
    }

    /// Inserts many rows, up to 128 with each statement, and returns the number of inserted rows.
    ///
    /// The text names its columns and ends in `VALUES ($1..)`, optionally followed by `ON CONFLICT … DO NOTHING`. `bind` binds
    /// each column of a row once, in order. Without rows nothing is sent.
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
    /// Any variant of [`Error`] but `NotFound`. One rejected row fails the transaction.
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

    /// Commits the changes.
    ///
    /// # Errors
    /// [`Error::Connection`] when the outcome is unknown; otherwise nothing was changed.
    pub async fn commit(self) -> Result<()> {
        self.finish(None).await
    }

    /// Commits, and calls `after` if that succeeded. On SQLite the calls are in the order of the commits, and happen even if
    /// the future is dropped.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub async fn commit_then(self, after: impl FnOnce() + Send + 'static) -> Result<()> {
        self.finish(Some(Box::new(after))).await
    }

    async fn finish(self, after: Option<AfterCommit>) -> Result<()> {
        if self.failed {
            return Err(Error::misuse("a statement of this transaction failed: it was rolled back"));
        }
        match self.inner {
            Inner::Writer(turn) => return turn.ok_or_else(Error::closed)?.commit(after).await,
            Inner::Reader(reader) => drop(reader),
            Inner::Postgres(tx) => tx.commit().await?,
        }
        if let Some(after) = after {
            after();
        }
        Ok(())
    }

    /// Rolls the changes back and waits for it. Dropping the transaction rolls back as well, on `PostgreSQL` some time later.
    ///
    /// # Errors
    /// [`Error::Connection`] if the database went away, which rolls the changes back, too.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Reader(reader) => drop(reader),
            Inner::Writer(turn) => drop(turn),
            Inner::Postgres(tx) => tx.rollback().await?,
        }
        Ok(())
    }
}
