//! A statement: its SQL text, its values, and the ways to run it.

use std::any::Any;
use std::borrow::Cow;
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::db::Pools;
use crate::sqlite::{self, Done, Holder};
use crate::statement::{self, All, First, Nothing, Statement, Taker};
use crate::tx::{Inner, Tx};
use crate::value::{Arguments, Bind};
use crate::{Column, Engine, Error, FromRow, Result, list};

/// Time after which a statement is logged as slow: by its text, never with its values.
const SLOW: Duration = Duration::from_millis(500);

/// Where a statement runs.
pub(crate) enum On<'a> {
    Pool(&'a Pools),
    Tx(&'a mut Tx),
}

/// A statement about to run. Bind its values in the order of `$1`, `$2`, …, then call one of [`all`](Self::all),
/// [`optional`](Self::optional), [`one`](Self::one), [`scalar`](Self::scalar) and [`execute`](Self::execute).
#[must_use = "a query does nothing until it is run"]
pub struct Query<'a> {
    on: On<'a>,
    text: &'static str,
    arguments: Arguments,
    /// The replacement of the text's marker.
    expansion: Option<Expansion>,
    /// The first mistake made while binding. Returned when the query runs.
    mistake: Option<Error>,
}

/// The replacement of a marker in a text (see [`list`]).
#[derive(Clone, Copy)]
enum Expansion {
    /// The first parameter and the length of the bound list.
    List(usize, usize),
    /// The columns and the number of rows.
    Rows(usize, usize),
}

/// Binds the values of one row of an [`insert`](crate::Tx::insert).
pub struct Values<'q, 'a>(&'q mut Query<'a>);

impl Values<'_, '_> {
    /// Binds the value of the next column.
    pub fn bind<T: Bind>(&mut self, value: T) -> &mut Self {
        self.0.add(&value);
        self
    }
}

impl<'a> Query<'a> {
    pub(crate) fn new(on: On<'a>, text: &'static str) -> Self {
        let engine = match &on {
            On::Pool(Pools::Sqlite { .. }) => Engine::Sqlite,
            On::Pool(Pools::Postgres(_)) => Engine::Postgres,
            On::Tx(tx) => tx.engine(),
        };
        Self { on, text, arguments: Arguments::new(engine), expansion: None, mistake: None }
    }

    /// Binds the next value.
    pub fn bind<T: Bind>(mut self, value: T) -> Self {
        if self.expansion.is_some() {
            self.mistake.get_or_insert_with(|| Error::misuse("a list is the last thing to bind"));
        }
        self.add(&value);
        self
    }

    /// Binds the values of one row, by what also binds those of an insert of several.
    pub fn bind_row(mut self, bind: impl FnOnce(&mut Values<'_, 'a>)) -> Self {
        bind(&mut Values(&mut self));
        self
    }

    /// Binds each item of a list, where the text says `IN ($2..)` (with the number of the first item). The list comes
    /// last. Nothing is in an empty list.
    pub fn bind_list<T: Bind>(mut self, items: impl IntoIterator<Item = T>) -> Self {
        if self.expansion.is_some() {
            self.mistake.get_or_insert_with(|| Error::misuse("a query takes one list"));
        }
        let before = self.arguments.len();
        for item in items {
            self.add(&item);
        }
        self.expansion = Some(Expansion::List(before + 1, self.arguments.len() - before));
        self
    }

    /// Binds one row after the other, where the text says `VALUES ($1..)`.
    pub(crate) fn bind_rows<T>(
        mut self,
        columns: usize,
        rows: &[T],
        bind: &mut impl FnMut(&mut Values<'_, '_>, &T),
    ) -> Self {
        self.arguments.reserve(columns * rows.len());
        for (number, row) in rows.iter().enumerate() {
            bind(&mut Values(&mut self), row);
            if self.arguments.len() != columns * (number + 1) {
                self.mistake.get_or_insert_with(|| Error::misuse("each row of an insert binds each column once"));
            }
        }
        self.expansion = Some(Expansion::Rows(columns, rows.len()));
        self
    }

    /// Every row.
    ///
    /// # Errors
    /// Every variant of [`Error`] except [`Error::NotFound`].
    pub async fn all<T: FromRow>(self) -> Result<Vec<T>> {
        Ok(self.take(All(Vec::<T>::new())).await?.0)
    }

    /// The first row, or none.
    ///
    /// # Errors
    /// Every variant of [`Error`] except [`Error::NotFound`].
    pub async fn optional<T: FromRow>(self) -> Result<Option<T>> {
        Ok(self.take(First(None::<T>)).await?.0)
    }

    /// The first row.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub async fn one<T: FromRow>(self) -> Result<T> {
        self.optional().await?.ok_or(Error::NotFound)
    }

    /// The first column of the first row.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no row.
    pub async fn scalar<T: Column>(self) -> Result<T> {
        self.one::<(T,)>().await.map(|(value,)| value)
    }

    /// Runs the statement and returns the number of rows that it changed.
    ///
    /// # Errors
    /// Every variant of [`Error`] except [`Error::NotFound`].
    pub async fn execute(self) -> Result<u64> {
        self.run(Box::new(Nothing)).await.map(|(_, changed)| changed)
    }

    async fn take<T: Taker>(self, taker: T) -> Result<T> {
        let (taker, _) = self.run(Box::new(taker)).await?;
        let taker: Box<dyn Any> = taker;
        taker.downcast().map(|taker| *taker).map_err(|_| Error::misuse("the rows went to another taker"))
    }

    async fn run(self, taker: Box<dyn Taker>) -> Done {
        let (text, begun) = (self.text, Instant::now());
        let done = match self.on {
            On::Pool(pools) => {
                #[cfg(feature = "testing")]
                crate::one_connection::check(text);
                let prepared = prepare(self.text, self.arguments, self.expansion, self.mistake)?;
                of_pool(pools, prepared, taker).await
            }
            On::Tx(tx) => {
                let prepared = prepare(self.text, self.arguments, self.expansion, self.mistake)?;
                tx.start()?;
                let done = of_transaction(tx, prepared, taker).await;
                if done.is_ok() {
                    tx.succeeded();
                }
                done
            }
        };
        let took = begun.elapsed();
        if took > SLOW {
            tracing::warn!(statement = text, milliseconds = took.as_millis(), "slow statement");
        }
        done
    }

    fn add(&mut self, value: &impl Bind) {
        if let Err(error) = self.arguments.add(value.value()) {
            self.mistake.get_or_insert(error);
        }
    }
}

/// A statement as its engine takes it.
enum Prepared {
    Sqlite(Statement),
    Postgres(sqlx::SqlStr, sqlx::postgres::PgArguments),
}

fn prepare(
    text: &'static str,
    arguments: Arguments,
    expansion: Option<Expansion>,
    mistake: Option<Error>,
) -> Result<Prepared> {
    if let Some(mistake) = mistake {
        return Err(mistake);
    }
    let engine = match &arguments {
        Arguments::Sqlite(_) => Engine::Sqlite,
        Arguments::Postgres(_) => Engine::Postgres,
    };
    #[cfg(feature = "testing")]
    crate::seen::note(engine, text);
    let expanded = match expansion {
        None => Cow::Borrowed(text),
        Some(Expansion::List(first, count)) => list::expand(text, first, count)?.into(),
        Some(Expansion::Rows(columns, count)) => list::expand_rows(text, columns, count, engine)?.into(),
    };
    Ok(match arguments {
        Arguments::Sqlite(values) => Prepared::Sqlite(Statement { text: expanded, values, literal: text }),
        Arguments::Postgres(values) => {
            let text = match expanded {
                Cow::Borrowed(text) => text.into_sql_str(),
                Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
            };
            Prepared::Postgres(text, values)
        }
    })
}

async fn of_pool(pools: &Pools, prepared: Prepared, mut taker: Box<dyn Taker>) -> Done {
    match (pools, prepared) {
        (Pools::Sqlite { readers, writer }, Prepared::Sqlite(statement)) => {
            writer.wait_for_what_was_seen().await;
            sqlite::run(readers.take().await?, statement, taker).await.1
        }
        (Pools::Postgres(pool), Prepared::Postgres(text, values)) => {
            let mut taken = pool.take().await?;
            let changed = statement::of_postgres(taken.connection(), text, values, &mut *taker).await?;
            // A connection whose statement succeeded is kept for the next one.
            taken.put_back();
            Ok((taker, changed))
        }
        _ => Err(Error::misuse("a statement runs on its own engine")),
    }
}

async fn of_transaction(tx: &mut Tx, prepared: Prepared, mut taker: Box<dyn Taker>) -> Done {
    match (&mut tx.inner, prepared) {
        (Inner::Reader(reader), Prepared::Sqlite(statement)) => held(reader, statement, taker).await,
        (Inner::Writer(turn), Prepared::Sqlite(statement)) => held(turn, statement, taker).await,
        (Inner::Postgres(tx), Prepared::Postgres(text, values)) => {
            let changed = statement::of_postgres(tx.connection()?, text, values, &mut *taker).await?;
            Ok((taker, changed))
        }
        _ => Err(Error::misuse("a statement runs on its own engine")),
    }
}

async fn held<H: Holder>(place: &mut Option<H>, statement: Statement, taker: Box<dyn Taker>) -> Done {
    let holder = place.take().ok_or_else(|| Error::misuse("a statement of this transaction was cancelled"))?;
    let (holder, done) = sqlite::run(holder, statement, taker).await;
    *place = holder;
    done
}
