//! One transaction, of either engine.

use std::sync::Arc;

use sqlx::postgres::{PgArguments, Postgres};
use sqlx::sqlite::Sqlite;

use crate::ahead::{Ahead, Course};
use crate::query::{On, Query, Row, Values};
use crate::writer::{Told, Turn};
use crate::{Engine, Error, Result, list};

/// A transaction. Dropped without [`commit`](Self::commit), be it by an error, a panic or a cancelled request, it rolls
/// back. Inside it use it alone: [`Db::query`](crate::Db::query) would not see its changes, and a second
/// [`Db::begin`](crate::Db::begin) on SQLite waits for the first; with the feature `testing` both end a request with a panic. No HTTP call, hashing, image work or mail before the
/// commit: on SQLite all other writers wait.
#[must_use = "a transaction that is not committed rolls back"]
pub struct Tx {
    inner: Inner,
    schema: Option<Arc<str>>,
    course: Course,
    #[cfg(feature = "testing")]
    _held: crate::one_connection::Held,
}

/// The place that a transaction holds in the queue for connections (see [`crate::shelf`]).
type Place = tokio::sync::OwnedSemaphorePermit;

pub(crate) enum Inner {
    /// A read.
    Sqlite((sqlx::Transaction<'static, Sqlite>, Place)),
    SqliteWriter(Turn),
    Postgres((sqlx::Transaction<'static, Postgres>, Place)),
}

impl Tx {
    pub(crate) fn new(inner: Inner, schema: Option<Arc<str>>) -> Self {
        Self {
            inner,
            schema,
            course: Course::default(),
            #[cfg(feature = "testing")]
            _held: crate::one_connection::Held::new(),
        }
    }

    /// The engine underneath.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &self.inner {
            Inner::Sqlite(_) | Inner::SqliteWriter(_) => Engine::Sqlite,
            Inner::Postgres(_) => Engine::Postgres,
        }
    }

    /// A statement of this transaction. After one failed, every further statement and the commit fail too, on both
    /// engines: expected conflicts are written `ON CONFLICT … DO NOTHING RETURNING id`.
    pub fn query(&mut self, text: &'static str) -> Query<'_> {
        let on = match &mut self.inner {
            Inner::Sqlite((tx, _)) => On::SqliteTx(tx, self.course.take_arguments()),
            Inner::SqliteWriter(turn) => On::SqliteTx(turn.connection(), self.course.take_arguments()),
            Inner::Postgres((tx, _)) => On::PostgresTx(tx, PgArguments::default()),
        };
        Query::new(on, text, Some(&mut self.course))
    }

    /// Runs the statements that were sent ahead and still wait.
    ///
    /// # Errors
    /// As [`Error`] tells, of whichever of them failed.
    pub async fn together(&mut self) -> Result<()> {
        if !self.course.waits() {
            return Ok(());
        }
        self.course.start()?;
        let arguments = self.course.take_arguments();
        match &mut self.inner {
            Inner::Sqlite((tx, _)) => self.course.run(tx, "", arguments).await?,
            Inner::SqliteWriter(turn) => self.course.run(turn.connection(), "", arguments).await?,
            Inner::Postgres(_) => return Err(Error::misuse("statements wait on SQLite only")),
        };
        self.course.succeeded();
        Ok(())
    }

    /// The rows of a statement that was sent ahead and has run.
    ///
    /// # Errors
    /// [`Error::Other`] when it has not run yet, or when the rows are not such.
    pub fn rows<T: Row>(&self, ahead: Ahead) -> Result<Vec<T>> {
        self.course.done(ahead)?.rows.read()
    }

    /// How many rows a statement changed that was sent ahead and has run.
    ///
    /// # Errors
    /// [`Error::Other`] when it has not run yet.
    pub fn changed(&self, ahead: Ahead) -> Result<u64> {
        Ok(self.course.done(ahead)?.changed)
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
        // Its parameters have no numbers on SQLite.
        self.together().await?;
        let mut inserted = 0;
        let mut rest = rows;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(list::rows_at_once(columns, rest.len()));
            inserted += self.query(text).bind_rows(columns, now, &mut bind).execute().await?;
            rest = later;
        }
        Ok(inserted)
    }

    /// Tells every listener of `channel`, on every node, when and only when this transaction commits. Nothing happens on
    /// SQLite, where there is one node and no [`Db::listen`](crate::Db::listen) to hear it. `payload` is shorter than
    /// 8000 bytes.
    pub async fn notify(&mut self, channel: &str, payload: &str) -> Result<()> {
        if self.engine() == Engine::Sqlite {
            return Ok(());
        }
        let channel = channel_name(self.schema.as_deref(), channel);
        // Not through `query`: the parity test would miss this text on SQLite.
        let Inner::Postgres((tx, _)) = &mut self.inner else { return Ok(()) };
        self.course.start()?;
        sqlx::query("SELECT pg_notify($1, $2)").bind(channel).bind(payload).execute(&mut **tx).await?;
        self.course.succeeded();
        Ok(())
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

    async fn finish(mut self, told: Option<Told>) -> Result<()> {
        if self.course.failed {
            return Err(Error::misuse("a statement of this transaction failed: it was rolled back"));
        }
        match self.inner {
            Inner::SqliteWriter(turn) => {
                let arguments = self.course.take_arguments();
                if self.course.failed {
                    return Err(Error::misuse("a statement of this transaction was begun and never run"));
                }
                let last = self.course.waits().then(|| (self.course.whole(""), arguments));
                return turn.commit(last, told).await;
            }
            Inner::Sqlite((tx, _place)) => tx.commit().await?,
            Inner::Postgres((tx, _place)) => tx.commit().await?,
        }
        if let Some(told) = told {
            told();
        }
        Ok(())
    }

    /// Undoes the changes now. Dropping does the same soon after; this waits for it.
    ///
    /// # Errors
    /// [`Error::Connection`] when the database went away, which undoes the changes too.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite((tx, _place)) => tx.rollback().await?,
            Inner::SqliteWriter(turn) => turn.rollback().await?,
            Inner::Postgres((tx, _place)) => tx.rollback().await?,
        }
        Ok(())
    }
}

/// NOTIFY spans all schemas of a database, so the name carries the schema.
pub(crate) fn channel_name(schema: Option<&str>, channel: &str) -> String {
    schema.map_or_else(|| channel.to_owned(), |schema| format!("{schema}.{channel}"))
}
