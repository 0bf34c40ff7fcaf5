//! One statement of either engine, and who takes its rows.

use std::any::Any;
use std::borrow::Cow;

use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::{Either, Executor, SqlStr};

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

    /// Runs it where we are, and tells how many rows it changed.
    pub(crate) fn run(&self, connection: &rusqlite::Connection, taken: &mut dyn Taker) -> Result<u64> {
        let mut prepared = connection.prepare_cached(&self.text)?;
        self.bind(&mut prepared)?;
        let places = Places::default();
        let mut rows = prepared.raw_query();
        while let Some(row) = rows.next()? {
            taken.take(&Row::sqlite(row, &places))?;
        }
        drop(rows);
        Ok(if prepared.readonly() { 0 } else { connection.changes() })
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

/// Runs a statement of `PostgreSQL`, and tells how many rows it changed.
pub(crate) async fn of_postgres(
    connection: &mut PgConnection,
    text: SqlStr,
    arguments: PgArguments,
    taken: &mut dyn Taker,
) -> Result<u64> {
    let places = Places::default();
    let mut steps = connection.fetch_many(sqlx::query_with(text, arguments));
    let mut changed = 0;
    while let Some(step) = steps.try_next().await? {
        match step {
            Either::Right(row) => taken.take(&Row::postgres(&row, &places))?,
            Either::Left(done) => changed += done.rows_affected(),
        }
    }
    Ok(changed)
}

/// Takes the rows of an answer. An object and not a type parameter: what runs statements is compiled once, not for each
/// kind of row.
pub(crate) trait Taker: Any + Send {
    fn take(&mut self, row: &Row<'_>) -> Result<()>;
}

/// Every row.
pub(crate) struct All<T>(pub(crate) Vec<T>);

/// The first row, or none. The others are passed: what changes rows is done when all of them were told.
pub(crate) struct First<T>(pub(crate) Option<T>);

/// No row.
pub(crate) struct Nothing;

impl<T: FromRow> Taker for All<T> {
    fn take(&mut self, row: &Row<'_>) -> Result<()> {
        self.0.push(T::from_row(row)?);
        Ok(())
    }
}

impl<T: FromRow> Taker for First<T> {
    fn take(&mut self, row: &Row<'_>) -> Result<()> {
        if self.0.is_none() {
            self.0 = Some(T::from_row(row)?);
        }
        Ok(())
    }
}

impl Taker for Nothing {
    fn take(&mut self, _: &Row<'_>) -> Result<()> {
        Ok(())
    }
}
