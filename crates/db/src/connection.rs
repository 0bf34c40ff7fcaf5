//! A connection of SQLite and what it remembers about its statements.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;

use rusqlite::OpenFlags;

use crate::open::PREPARED_STATEMENTS;
use crate::row::Places;
use crate::{Error, Result};

/// A connection. Asking SQLite for the names of parameters and columns costs as much as a short statement, so each is asked
/// once.
#[derive(Debug)]
pub(crate) struct Connection {
    inner: rusqlite::Connection,
    layouts: RefCell<HashMap<&'static str, Layout>>,
}

/// Where the parameters and columns of a text are.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The number behind the `$` of each parameter. SQLite numbers them by their first position in the text.
    pub(crate) parameters: Vec<usize>,
    pub(crate) places: Places,
}

impl Connection {
    /// Opens a connection to a file.
    pub(crate) fn open(path: &Path, flags: OpenFlags) -> Result<Self> {
        // One task at a time uses a connection, so SQLite need not lock it.
        let connection = rusqlite::Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        // By bytes, as PostgreSQL's "C": comparing `str`s is comparing bytes.
        connection.create_collation("C", str::cmp)?;
        connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
        Ok(Self { inner: connection, layouts: RefCell::default() })
    }

    /// Takes what is known of the statement of `text`.
    pub(crate) fn take_layout(&self, text: &'static str) -> Option<Layout> {
        self.layouts.borrow_mut().remove(text)
    }

    /// Keeps a layout for the next run of `text`.
    pub(crate) fn keep_layout(&self, text: &'static str, layout: Layout) {
        self.layouts.borrow_mut().insert(text, layout);
    }
}

impl Deref for Connection {
    type Target = rusqlite::Connection;

    fn deref(&self) -> &rusqlite::Connection {
        &self.inner
    }
}

impl Layout {
    /// Reads the layout of a prepared statement. The columns are looked up when they are first read.
    pub(crate) fn of(prepared: &rusqlite::Statement<'_>) -> Result<Self> {
        let number = |place| match prepared.parameter_name(place) {
            None => Ok(place),
            Some(name) => name[1..].parse().map_err(|_| Error::misuse("a parameter is $ and a number")),
        };
        let parameters = (1..=prepared.parameter_count()).map(number).collect::<Result<_>>()?;
        Ok(Self { parameters, places: Places::default() })
    }
}
