//! The values that a statement binds.

use std::borrow::Cow;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use sqlx::Arguments as _;
use sqlx::postgres::PgArguments;
use uuid::Uuid;

use crate::{Engine, Result};

/// A value of one of the four column types. `None` is NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// A `BIGINT` column.
    Integer(Option<i64>),
    /// A `BOOLEAN` column.
    Boolean(Option<bool>),
    /// A `UUID` column.
    Uuid(Option<Uuid>),
    /// A `TEXT` column.
    Text(Option<&'v str>),
}

/// A type that a statement can bind: `i64`, `bool`, `Uuid`, text, types stored as one of these, and `Option` of them.
pub trait Bind {
    /// NULL of this column type.
    const NULL: Value<'static>;

    /// The value as stored.
    fn value(&self) -> Value<'_>;
}

impl Bind for i64 {
    const NULL: Value<'static> = Value::Integer(None);

    fn value(&self) -> Value<'_> {
        Value::Integer(Some(*self))
    }
}

impl Bind for bool {
    const NULL: Value<'static> = Value::Boolean(None);

    fn value(&self) -> Value<'_> {
        Value::Boolean(Some(*self))
    }
}

impl Bind for Uuid {
    const NULL: Value<'static> = Value::Uuid(None);

    fn value(&self) -> Value<'_> {
        Value::Uuid(Some(*self))
    }
}

impl Bind for str {
    const NULL: Value<'static> = Value::Text(None);

    fn value(&self) -> Value<'_> {
        Value::Text(Some(self))
    }
}

impl Bind for String {
    const NULL: Value<'static> = Value::Text(None);

    fn value(&self) -> Value<'_> {
        Value::Text(Some(self))
    }
}

impl Bind for Cow<'_, str> {
    const NULL: Value<'static> = Value::Text(None);

    fn value(&self) -> Value<'_> {
        Value::Text(Some(self))
    }
}

impl<T: Bind + ?Sized> Bind for &T {
    const NULL: Value<'static> = T::NULL;

    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl<T: Bind> Bind for Option<T> {
    const NULL: Value<'static> = T::NULL;

    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(T::NULL, Bind::value)
    }
}

/// The values of a statement, as its engine takes them.
pub(crate) enum Arguments {
    Sqlite(Vec<Stored>),
    Postgres(PgArguments),
}

/// A value as SQLite stores it: a boolean as 0 or 1, a UUID as its 16 bytes.
#[derive(Debug)]
pub(crate) enum Stored {
    Null,
    Integer(i64),
    Uuid(Uuid),
    Text(Box<str>),
}

impl ToSql for Stored {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Uuid(uuid) => ValueRef::Blob(uuid.as_bytes()),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

impl From<Value<'_>> for Stored {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Integer(Some(number)) => Self::Integer(number),
            Value::Boolean(Some(is_true)) => Self::Integer(i64::from(is_true)),
            Value::Uuid(Some(uuid)) => Self::Uuid(uuid),
            Value::Text(Some(text)) => Self::Text(text.into()),
            Value::Integer(None) | Value::Boolean(None) | Value::Uuid(None) | Value::Text(None) => Self::Null,
        }
    }
}

impl Arguments {
    pub(crate) fn new(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::Sqlite(Vec::new()),
            Engine::Postgres => Self::Postgres(PgArguments::default()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Sqlite(values) => values.len(),
            Self::Postgres(values) => values.len(),
        }
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        match self {
            Self::Sqlite(values) => values.reserve(more),
            Self::Postgres(values) => values.reserve(more, more * 16),
        }
    }

    pub(crate) fn add(&mut self, value: Value<'_>) -> Result<()> {
        match self {
            Self::Sqlite(values) => {
                values.push(value.into());
                Ok(())
            }
            Self::Postgres(values) => match value {
                Value::Integer(number) => values.add(number),
                Value::Boolean(is_true) => values.add(is_true),
                Value::Uuid(uuid) => values.add(uuid),
                Value::Text(text) => values.add(text),
            }
            .map_err(|error| sqlx::Error::Encode(error).into()),
        }
    }
}
