//! One statement of either engine, and what is wanted of it.

use std::borrow::Cow;
use std::marker::PhantomData;

use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::{Executor, SqlStr};

use crate::row::Places;
use crate::value::Stored;
use crate::{Error, FromRow, Result, Row};

/// A statement of SQLite with its values.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) text: Cow<'static, str>,
    pub(crate) values: Vec<Stored>,
    /// The literal it comes from: two texts of different lists are the same statement.
    pub(crate) literal: &'static str,
}

impl Statement {
    /// A statement without values.
    pub(crate) const fn plain(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), values: Vec::new(), literal: text }
    }

    /// Runs it where we are.
    pub(crate) fn run<W: Wanted>(&self, connection: &rusqlite::Connection) -> Result<W::Answer> {
        let mut prepared = connection.prepare_cached(&self.text)?;
        self.bind(&mut prepared)?;
        W::of_sqlite(connection, &mut prepared)
    }

    /// Binds the values. SQLite numbers `$2` by where it stands first in the text, so each is looked up by its name.
    fn bind(&self, prepared: &mut rusqlite::Statement<'_>) -> Result<()> {
        let mut highest = 0;
        for place in 1..=prepared.parameter_count() {
            let number = match prepared.parameter_name(place) {
                None => place,
                Some(name) => name[1..].parse().map_err(|_| Error::misuse("a parameter is $ and a number"))?,
            };
            let value = number.checked_sub(1).and_then(|index| self.values.get(index));
            let value = value.ok_or_else(|| Error::misuse("a statement has fewer values than parameters"))?;
            prepared.raw_bind_parameter(place, value)?;
            highest = highest.max(number);
        }
        if highest != self.values.len() {
            return Err(Error::misuse("a statement has more values than parameters"));
        }
        Ok(())
    }
}

/// What is wanted of a statement.
pub(crate) trait Wanted: Send + 'static {
    type Answer: Send + 'static;

    fn of_sqlite(connection: &rusqlite::Connection, prepared: &mut rusqlite::Statement<'_>) -> Result<Self::Answer>;

    fn of_postgres(
        connection: &mut PgConnection,
        text: SqlStr,
        arguments: PgArguments,
    ) -> impl Future<Output = Result<Self::Answer>> + Send;
}

/// Every row.
pub(crate) struct All<T>(PhantomData<T>);

/// The first row, or none.
pub(crate) struct First<T>(PhantomData<T>);

/// How many rows were changed.
pub(crate) struct Changed;

impl<T: FromRow> Wanted for All<T> {
    type Answer = Vec<T>;

    fn of_sqlite(_: &rusqlite::Connection, prepared: &mut rusqlite::Statement<'_>) -> Result<Vec<T>> {
        let places = Places::default();
        let mut rows = prepared.raw_query();
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(T::from_row(&Row::sqlite(row, &places))?);
        }
        Ok(all)
    }

    async fn of_postgres(connection: &mut PgConnection, text: SqlStr, arguments: PgArguments) -> Result<Vec<T>> {
        let rows = connection.fetch_all(sqlx::query_with(text, arguments)).await?;
        let places = Places::default();
        rows.iter().map(|row| T::from_row(&Row::postgres(row, &places))).collect()
    }
}

impl<T: FromRow> Wanted for First<T> {
    type Answer = Option<T>;

    fn of_sqlite(_: &rusqlite::Connection, prepared: &mut rusqlite::Statement<'_>) -> Result<Option<T>> {
        let places = Places::default();
        let mut rows = prepared.raw_query();
        let first = rows.next()?.map(|row| T::from_row(&Row::sqlite(row, &places))).transpose()?;
        // What changes rows is done when all of them were told.
        while rows.next()?.is_some() {}
        Ok(first)
    }

    async fn of_postgres(connection: &mut PgConnection, text: SqlStr, arguments: PgArguments) -> Result<Option<T>> {
        let row = connection.fetch_optional(sqlx::query_with(text, arguments)).await?;
        row.map(|row| T::from_row(&Row::postgres(&row, &Places::default()))).transpose()
    }
}

impl Wanted for Changed {
    type Answer = u64;

    fn of_sqlite(connection: &rusqlite::Connection, prepared: &mut rusqlite::Statement<'_>) -> Result<u64> {
        let mut rows = prepared.raw_query();
        while rows.next()?.is_some() {}
        drop(rows);
        Ok(if prepared.readonly() { 0 } else { connection.changes() })
    }

    async fn of_postgres(connection: &mut PgConnection, text: SqlStr, arguments: PgArguments) -> Result<u64> {
        Ok(connection.execute(sqlx::query_with(text, arguments)).await?.rows_affected())
    }
}
