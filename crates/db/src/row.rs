//! The rows of a statement, and reading structs and tuples from them.

use std::cell::{Cell as Place, RefCell};

use rusqlite::types::ValueRef;
use sqlx::postgres::PgRow;
use sqlx::{Column as _, Row as _, ValueRef as _};
use uuid::Uuid;

use crate::{Error, Result};

/// A type that is read from a row: a tuple, or a struct with `#[derive(berth_db::FromRow)]`.
pub trait FromRow: Sized + Send + 'static {
    /// Reads the row.
    ///
    /// # Errors
    /// [`Error::Other`] if a column is missing, has another type, or is NULL and the field is no `Option`.
    fn from_row(row: &Row<'_>) -> Result<Self>;
}

/// A type that is read from a column: `i64`, `bool`, `Uuid`, text, types stored as one of these, and `Option` of them.
pub trait Column: Sized + Send + 'static {
    /// Reads the cell.
    ///
    /// # Errors
    /// [`Error::Other`] if the value has another type or is NULL.
    fn read(cell: &Cell<'_>) -> Result<Self>;
}

/// A row of either engine.
pub struct Row<'r> {
    cells: Cells<'r>,
    places: &'r Places,
}

/// One value of a row.
pub struct Cell<'r> {
    cells: Cells<'r>,
    place: usize,
}

#[derive(Clone, Copy)]
enum Cells<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r PgRow),
}

/// The positions of the columns that are read, in the order of reading. All rows are read alike, so the first row looks columns up
/// by name and the others reuse the positions.
#[derive(Debug, Default)]
pub(crate) struct Places {
    known: RefCell<Vec<(&'static str, usize)>>,
    next: Place<usize>,
}

impl<'r> Row<'r> {
    pub(crate) fn sqlite(row: &'r rusqlite::Row<'r>, places: &'r Places) -> Self {
        places.next.set(0);
        Self { cells: Cells::Sqlite(row), places }
    }

    pub(crate) fn postgres(row: &'r PgRow, places: &'r Places) -> Self {
        places.next.set(0);
        Self { cells: Cells::Postgres(row), places }
    }

    /// The column of this name.
    ///
    /// # Errors
    /// [`Error::Other`] if there is none, or if its value is no `T`.
    pub fn get<T: Column>(&self, name: &'static str) -> Result<T> {
        let asked = self.places.next.replace(self.places.next.get() + 1);
        let known = self.places.known.borrow().get(asked).copied();
        let place = match known {
            Some((same, place)) if std::ptr::eq(same, name) => place,
            _ => {
                let place = self.look_up(name)?;
                let mut known = self.places.known.borrow_mut();
                if known.len() == asked {
                    known.push((name, place));
                }
                place
            }
        };
        self.at(place)
    }

    /// The column at this position, from 0.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn at<T: Column>(&self, place: usize) -> Result<T> {
        T::read(&Cell { cells: self.cells, place })
    }

    fn look_up(&self, name: &str) -> Result<usize> {
        let place = match self.cells {
            Cells::Sqlite(row) => row.as_ref().column_names().into_iter().position(|column| column == name),
            Cells::Postgres(row) => row.columns().iter().position(|column| column.name() == name),
        };
        place.ok_or_else(|| Error::misuse(&format!("the answer has no column {name}")))
    }
}

impl Cell<'_> {
    /// Returns true for NULL.
    ///
    /// # Errors
    /// [`Error::Other`] if there is no such column.
    pub fn is_null(&self) -> Result<bool> {
        match self.cells {
            Cells::Sqlite(_) => Ok(matches!(self.stored()?, ValueRef::Null)),
            Cells::Postgres(row) => Ok(row.try_get_raw(self.place)?.is_null()),
        }
    }

    /// The value of a `BIGINT` column.
    ///
    /// # Errors
    /// [`Error::Other`] if it has another type.
    pub fn integer(&self) -> Result<i64> {
        match self.cells {
            Cells::Sqlite(_) => match self.stored()? {
                ValueRef::Integer(number) => Ok(number),
                other => Err(self.unlike("an integer", other)),
            },
            Cells::Postgres(row) => Ok(row.try_get(self.place)?),
        }
    }

    /// The value of a `BOOLEAN` column.
    ///
    /// # Errors
    /// [`Error::Other`] if it has another type.
    pub fn boolean(&self) -> Result<bool> {
        match self.cells {
            Cells::Sqlite(_) => Ok(self.integer()? != 0),
            Cells::Postgres(row) => Ok(row.try_get(self.place)?),
        }
    }

    /// The value of a `UUID` column.
    ///
    /// # Errors
    /// [`Error::Other`] if it has another type.
    pub fn uuid(&self) -> Result<Uuid> {
        match self.cells {
            Cells::Sqlite(_) => match self.stored()? {
                ValueRef::Blob(bytes) => Uuid::from_slice(bytes).map_err(|error| Error::Other(error.into())),
                other => Err(self.unlike("a UUID", other)),
            },
            Cells::Postgres(row) => Ok(row.try_get(self.place)?),
        }
    }

    /// The value of a `TEXT` column.
    ///
    /// # Errors
    /// [`Error::Other`] if it has another type.
    pub fn text(&self) -> Result<&str> {
        match self.cells {
            Cells::Sqlite(row) => match row.get_ref(self.place)? {
                ValueRef::Text(bytes) => std::str::from_utf8(bytes).map_err(|error| Error::Other(error.into())),
                other => Err(self.unlike("text", other)),
            },
            Cells::Postgres(row) => Ok(row.try_get(self.place)?),
        }
    }

    fn stored(&self) -> Result<ValueRef<'_>> {
        match self.cells {
            Cells::Sqlite(row) => Ok(row.get_ref(self.place)?),
            Cells::Postgres(_) => Err(Error::misuse("this row is not of SQLite")),
        }
    }

    /// The error for a value of another type. It names the types and never the value.
    fn unlike(&self, wanted: &str, found: ValueRef<'_>) -> Error {
        let found = found.data_type();
        Error::misuse(&format!("column {} of the answer is {found} and not {wanted}", self.place))
    }
}

impl Column for i64 {
    fn read(cell: &Cell<'_>) -> Result<Self> {
        cell.integer()
    }
}

impl Column for bool {
    fn read(cell: &Cell<'_>) -> Result<Self> {
        cell.boolean()
    }
}

impl Column for Uuid {
    fn read(cell: &Cell<'_>) -> Result<Self> {
        cell.uuid()
    }
}

impl Column for String {
    fn read(cell: &Cell<'_>) -> Result<Self> {
        cell.text().map(ToOwned::to_owned)
    }
}

impl<T: Column> Column for Option<T> {
    fn read(cell: &Cell<'_>) -> Result<Self> {
        if cell.is_null()? { Ok(None) } else { T::read(cell).map(Some) }
    }
}

/// A tuple is read from the columns in order.
macro_rules! tuple {
    ($($column:ident $place:tt),+) => {
        impl<$($column: Column),+> FromRow for ($($column,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                Ok(($(row.at::<$column>($place)?,)+))
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
