//! One statement: a SQL text, its values, and the ways to run it.

use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgConnection, PgRow, Postgres};
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Either, Encode, Executor, FromRow, SqlSafeStr, SqlStr, Type};

use crate::ahead::{Ahead, Course, Done, Rows};
use crate::shelf::{Shelf, Taken};
use crate::writer::Writer;
use crate::{Error, Result, list};

/// A value that both engines can store: `i64`, `bool`, `Uuid`, text, `Option` of these, and newtypes and text enums
/// with sqlx's `Type` derive. No list to keep by hand: whatever encodes on both is one.
pub trait Bind<'t>: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

impl<'t, T> Bind<'t> for T where T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

/// A row that both engines can give: a tuple, or a struct with `#[derive(sqlx::FromRow)]`.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// Where a statement runs, with the values bound so far.
pub(crate) enum On<'a> {
    SqlitePool((&'a Shelf<Sqlite>, &'a Writer), SqliteArguments),
    SqliteTx(&'a mut SqliteConnection, SqliteArguments),
    PostgresPool(&'a Shelf<Postgres>, PgArguments),
    PostgresTx(&'a mut PgConnection, PgArguments),
}

/// A statement about to run. Bind its values in the order of `$1`, `$2`, …, then call one of [`all`](Self::all),
/// [`optional`](Self::optional), [`one`](Self::one), [`scalar`](Self::scalar) and [`execute`](Self::execute).
#[must_use = "a query does nothing until it is run"]
pub struct Query<'a> {
    on: On<'a>,
    text: &'static str,
    /// What takes the place of the text's marker.
    expansion: Option<Expansion>,
    /// The first mistake made while binding, told when the query runs.
    mistake: Option<Error>,
    /// The transaction that this statement belongs to.
    course: Option<&'a mut Course>,
    /// How many values belong to statements that wait for this one.
    before: usize,
}

/// What takes the place of a marker in a text (see [`list`]).
#[derive(Clone, Copy)]
enum Expansion {
    /// The first parameter and the length of the bound list.
    List(usize, usize),
    /// The columns and the number of rows.
    Rows(usize, usize),
}

/// The values of one row on their way into an [`insert`](crate::Tx::insert).
pub struct Values<'q, 'a>(&'q mut Query<'a>);

impl Values<'_, '_> {
    /// Binds the value of the next column.
    pub fn bind<'t, T: Bind<'t>>(&mut self, value: T) -> &mut Self {
        self.0.add(value);
        self
    }
}

/// The connection of a statement that went well stays at hand.
fn kept<D: sqlx::Database, T>(taken: Taken<D>, answer: sqlx::Result<T>) -> sqlx::Result<T> {
    if answer.is_ok() {
        taken.put_back();
    }
    answer
}

/// Runs one sqlx method on whichever connection the query belongs to.
macro_rules! run {
    ($query:expr, |$text:ident, $arguments:ident, $executor:ident| $call:expr) => {{
        let mut query = $query;
        let $text = query.ready()?;
        #[cfg(feature = "testing")]
        if query.course.is_none() {
            crate::one_connection::check(query.text);
        }
        let answer = match query.on {
            On::SqlitePool((readers, writer), $arguments) => {
                writer.wait_for_what_was_seen().await;
                let mut taken = readers.take().await?;
                let $executor = taken.connection();
                let answer = $call;
                kept(taken, answer)
            }
            On::SqliteTx($executor, $arguments) => $call,
            On::PostgresPool(pool, $arguments) => {
                let mut taken = pool.take().await?;
                let $executor = taken.connection();
                let answer = $call;
                kept(taken, answer)
            }
            On::PostgresTx($executor, $arguments) => $call,
        };
        if answer.is_ok()
            && let Some(course) = query.course
        {
            course.succeeded();
        }
        answer.map_err(Error::from)
    }};
}

impl<'a> Query<'a> {
    pub(crate) fn new(on: On<'a>, text: &'static str, course: Option<&'a mut Course>) -> Self {
        let before = course.as_ref().map_or(0, |course| course.bound());
        Self { on, text, expansion: None, mistake: None, course, before }
    }

    /// Binds the next value.
    pub fn bind<'t, T: Bind<'t>>(mut self, value: T) -> Self {
        if self.expansion.is_some() {
            self.mistake.get_or_insert_with(|| Error::misuse("a list is the last thing to bind"));
        }
        self.add(value);
        self
    }

    /// Binds the values of one row, by what also binds those of an insert of several.
    pub fn bind_row(mut self, bind: impl FnOnce(&mut Values<'_, 'a>)) -> Self {
        bind(&mut Values(&mut self));
        self
    }

    /// Binds each item of a list, where the text says `IN ($2..)` (with the number of the first item). The list comes
    /// last. Nothing is in an empty list.
    pub fn bind_list<'t, T: Bind<'t>>(mut self, items: impl IntoIterator<Item = T>) -> Self {
        if self.expansion.is_some() {
            self.mistake.get_or_insert_with(|| Error::misuse("a query takes one list"));
        }
        let before = self.bound();
        for item in items {
            self.add(item);
        }
        self.expansion = Some(Expansion::List(before + 1, self.bound() - before));
        self
    }

    /// Binds one row after the other, where the text says `VALUES ($1..)`.
    pub(crate) fn bind_rows<T>(
        mut self,
        columns: usize,
        rows: &[T],
        bind: &mut impl FnMut(&mut Values<'_, '_>, &T),
    ) -> Self {
        self.reserve(columns * rows.len());
        for (number, row) in rows.iter().enumerate() {
            bind(&mut Values(&mut self), row);
            if self.bound() != columns * (number + 1) {
                self.mistake.get_or_insert_with(|| Error::misuse("each row of an insert binds each column once"));
            }
        }
        self.expansion = Some(Expansion::Rows(columns, rows.len()));
        self
    }

    /// Every row.
    ///
    /// # Errors
    /// As [`Error`] tells; never [`Error::NotFound`].
    pub async fn all<T: Row>(self) -> Result<Vec<T>> {
        if self.has_company() {
            return self.together().await?.rows.read();
        }
        run!(self, |text, arguments, executor| sqlx::query_as_with::<_, T, _>(text, arguments)
            .fetch_all(executor)
            .await)
    }

    /// The first row, or none.
    ///
    /// # Errors
    /// As [`Error`] tells; never [`Error::NotFound`].
    pub async fn optional<T: Row>(self) -> Result<Option<T>> {
        if self.has_company() {
            return Ok(self.together().await?.rows.read()?.into_iter().next());
        }
        run!(self, |text, arguments, executor| sqlx::query_as_with::<_, T, _>(text, arguments)
            .fetch_optional(executor)
            .await)
    }

    /// The first row.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub async fn one<T: Row>(self) -> Result<T> {
        self.optional().await?.ok_or(Error::NotFound)
    }

    /// The first column of the first row.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no row.
    pub async fn scalar<T>(self) -> Result<T>
    where
        (T,): Row,
    {
        self.one::<(T,)>().await.map(|(value,)| value)
    }

    /// Runs the statement and tells how many rows it changed.
    ///
    /// # Errors
    /// As [`Error`] tells; never [`Error::NotFound`].
    pub async fn execute(self) -> Result<u64> {
        if self.has_company() {
            return Ok(self.together().await?.changed);
        }
        run!(self, |text, arguments, executor| sqlx::query_with(text, arguments)
            .execute(executor)
            .await
            .map(|done| done.rows_affected()))
    }

    /// Sends the statement ahead: it runs with the next one of this transaction that is waited for, at the latest with
    /// [`Tx::together`](crate::Tx::together) or the commit, in the order in which they were asked. A failure is told there.
    ///
    /// # Errors
    /// As [`Error`] tells: on `PostgreSQL` the statement runs now.
    pub async fn ahead(mut self) -> Result<Ahead> {
        if self.course.is_none() {
            return Err(Error::misuse("only a statement of a transaction is sent ahead"));
        }
        let text = self.ready()?;
        let Some(course) = self.course else { return Err(Error::misuse("no transaction")) };
        let ahead = match self.on {
            On::SqliteTx(_, arguments) => course.push(text.as_str(), arguments),
            On::PostgresTx(connection, arguments) => {
                let mut steps = connection.fetch_many(sqlx::query_with(text, arguments));
                let (mut rows, mut changed) = (Vec::new(), 0);
                while let Some(step) = steps.try_next().await? {
                    match step {
                        Either::Right(row) => rows.push(row),
                        Either::Left(ended) => changed = ended.rows_affected(),
                    }
                }
                drop(steps);
                course.keep(Done { rows: Rows::Postgres(rows), changed })
            }
            _ => return Err(Error::misuse("only a statement of a transaction is sent ahead")),
        };
        course.succeeded();
        Ok(ahead)
    }

    /// Returns true if statements wait for this one.
    fn has_company(&self) -> bool {
        self.course.as_ref().is_some_and(|course| course.waits())
    }

    /// Runs the statement and those that wait for it.
    async fn together(mut self) -> Result<Done> {
        let text = self.ready()?;
        match (self.on, self.course) {
            (On::SqliteTx(connection, arguments), Some(course)) => {
                let done = course.run(connection, text.as_str(), arguments).await?;
                course.succeeded();
                Ok(done)
            }
            _ => Err(Error::misuse("statements wait in transactions of SQLite only")),
        }
    }

    fn bound(&self) -> usize {
        let all = match &self.on {
            On::SqlitePool(_, arguments) | On::SqliteTx(_, arguments) => arguments.len(),
            On::PostgresPool(_, arguments) | On::PostgresTx(_, arguments) => arguments.len(),
        };
        all - self.before
    }

    fn reserve(&mut self, values: usize) {
        match &mut self.on {
            On::SqlitePool(_, arguments) | On::SqliteTx(_, arguments) => arguments.reserve(values, 0),
            On::PostgresPool(_, arguments) | On::PostgresTx(_, arguments) => arguments.reserve(values, values * 16),
        }
    }

    fn add<'t, T: Bind<'t>>(&mut self, value: T) {
        let added = match &mut self.on {
            On::SqlitePool(_, arguments) | On::SqliteTx(_, arguments) => Arguments::add(arguments, value),
            On::PostgresPool(_, arguments) | On::PostgresTx(_, arguments) => Arguments::add(arguments, value),
        };
        if let Err(error) = added {
            self.mistake.get_or_insert(Error::Other(sqlx::Error::Encode(error)));
        }
    }

    /// The text to send. Marks the transaction as failed until the statement has succeeded: `PostgreSQL` takes no more
    /// statements after a failed one and turns `COMMIT` into a silent rollback, SQLite goes on; here both refuse. A
    /// statement whose future is dropped half way counts as failed too.
    fn ready(&mut self) -> Result<SqlStr> {
        if let Some(mistake) = self.mistake.take() {
            return Err(mistake);
        }
        if let Some(course) = &mut self.course {
            course.start()?;
        }
        #[cfg(feature = "testing")]
        crate::seen::note(self.engine(), self.text);
        let expanded = match self.expansion {
            None => return Ok(self.text.into_sql_str()),
            Some(Expansion::List(first, count)) => list::expand(self.text, first, count)?,
            Some(Expansion::Rows(columns, count)) => list::expand_rows(self.text, columns, count, self.engine())?,
        };
        Ok(AssertSqlSafe(expanded).into_sql_str())
    }

    fn engine(&self) -> crate::Engine {
        match &self.on {
            On::SqlitePool(..) | On::SqliteTx(..) => crate::Engine::Sqlite,
            On::PostgresPool(..) | On::PostgresTx(..) => crate::Engine::Postgres,
        }
    }
}
