//! Running a statement on either engine, and collecting its rows.

use std::any::Any;
use std::borrow::Cow;

use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::{Either, Executor, SqlStr};

use crate::connection::{Connection, Layout};
use crate::row::Places;
use crate::value::Stored;
use crate::{Error, FromRow, Result, Row};

/// A statement of SQLite with its values.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) text: Cow<'static, str>,
    pub(crate) values: Vec<Stored>,
    /// The text as written in the source, the same for lists of all lengths.
    pub(crate) literal: &'static str,
}

impl Statement {
    /// A statement without values.
    pub(crate) const fn plain(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), values: Vec::new(), literal: text }
    }

    /// Runs the statement on this thread, and returns the number of rows that it changed.
    pub(crate) fn run(&self, connection: &Connection, taken: &mut dyn Taker) -> Result<u64> {
        let mut prepared = connection.prepare_cached(&self.text)?;
        // The text of a list depends on its length, so that its layout is not kept.
        let kept = if let Cow::Borrowed(text) = self.text { Some(text) } else { None };
        let layout = match kept.and_then(|text| connection.take_layout(text)) {
            Some(layout) => layout,
            None => Layout::of(&prepared)?,
        };
        self.run_prepared(&mut prepared, &layout, taken)?;
        if let Some(text) = kept {
            connection.keep_layout(text, layout);
        }
        Ok(if prepared.readonly() { 0 } else { connection.changes() })
    }

    fn run_prepared(
        &self,
        prepared: &mut rusqlite::Statement<'_>,
        layout: &Layout,
        taken: &mut dyn Taker,
    ) -> Result<()> {
        self.bind(prepared, layout)?;
        let mut rows = prepared.raw_query();
        while let Some(row) = rows.next()? {
            taken.take(&Row::sqlite(row, &layout.places))?;
        }
        Ok(())
    }

    fn bind(&self, prepared: &mut rusqlite::Statement<'_>, layout: &Layout) -> Result<()> {
        for (place, number) in (1..).zip(&layout.parameters) {
            let value = number.checked_sub(1).and_then(|index| self.values.get(index));
            let value = value.ok_or_else(|| Error::misuse("a statement has fewer values than parameters"))?;
            prepared.raw_bind_parameter(place, value)?;
        }
        if layout.parameters.iter().max().copied().unwrap_or(0) != self.values.len() {
            return Err(Error::misuse("a statement has more values than parameters"));
        }
        Ok(())
    }
}

/// Runs a statement of `PostgreSQL`, and returns the number of rows that it changed.
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

/// Collects the rows of a statement. A trait object and not a type parameter, so that the code that runs statements is compiled
/// once and not for each type of row.
pub(crate) trait Taker: Any + Send {
    fn take(&mut self, row: &Row<'_>) -> Result<()>;
}

/// Collects every row.
pub(crate) struct All<T>(pub(crate) Vec<T>);

/// Collects the first row, if there is one. The others are read and dropped, since a statement that changes rows must run to
/// its end.
pub(crate) struct First<T>(pub(crate) Option<T>);

/// Collects no row.
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
