//! The errors of the data layer, the same for both engines.
//!
//! Their texts are for operators and hold no SQL and no values; the message of the driver is the source, for the log. A handler
//! turns `Unique` and `Check` into a sentence for the user by the name of the constraint.

use rusqlite::ffi;
use sqlx::error::ErrorKind;

/// The error of an engine's driver, for the log.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A result of the data layer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call of the data layer failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A unique index or primary key rejected the row. `constraint` is the index name, `{table}_{columns}_key`, or
    /// `{table}_pkey` for a primary key, on both engines.
    #[error("the value of {constraint} is taken")]
    Unique {
        /// The index name.
        constraint: String,
    },
    /// A check rejected the row. `constraint` is its name, `{table}_{rule}_check`.
    #[error("the check {constraint} refused the row")]
    Check {
        /// The name of the check.
        constraint: String,
    },
    /// A row refers to one that does not exist, or is still referred to. SQLite does not name the constraint.
    #[error("a row refers to one that does not exist")]
    ForeignKey,
    /// The statement asked for one row and there was none.
    #[error("no such row")]
    NotFound,
    /// Another transaction was in the way: serialization failure, deadlock, lock timeout, a locked file or a full pool.
    /// Nothing was changed; [`retry`](crate::retry) runs the transaction again.
    #[error("the database is busy")]
    Busy(#[source] Cause),
    /// No room is left on the disk of the database. Nothing was changed.
    #[error("the disk of the database is full")]
    DiskFull(#[source] Cause),
    /// The database cannot be reached or went away. A commit that ends with this error may or may not have happened.
    #[error("the database cannot be reached")]
    Connection(#[source] Cause),
    /// The database address or an option is invalid. The text says what to write instead.
    #[error("{0}")]
    Configuration(String),
    /// Anything else: a mistake in the SQL text, a NULL where none is allowed, a value of another type.
    #[error("the database refused the statement")]
    Other(#[source] Cause),
}

impl Error {
    /// Returns the name of the unique index that rejected the row, if this is [`Error::Unique`].
    #[must_use]
    pub fn unique(&self) -> Option<&str> {
        match self {
            Self::Unique { constraint } => Some(constraint),
            _ => None,
        }
    }

    /// No connection became free in time.
    pub(crate) fn no_connection_free() -> Self {
        Self::Busy("no connection came free in time".into())
    }

    /// The database was closed.
    pub(crate) fn closed() -> Self {
        Self::Connection("the database is closed".into())
    }

    /// The thread with the connection ended.
    pub(crate) fn lost(error: tokio::task::JoinError) -> Self {
        Self::Connection(error.into())
    }

    /// A mistake of the caller, described by `text`.
    pub(crate) fn misuse(text: &str) -> Self {
        Self::Other(text.into())
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else {
            return match error {
                sqlx::Error::RowNotFound => Self::NotFound,
                sqlx::Error::PoolTimedOut => Self::Busy(error.into()),
                // A server that went away in the middle of a message is a protocol error to sqlx.
                sqlx::Error::Io(_)
                | sqlx::Error::Protocol(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed
                | sqlx::Error::BeginFailed => Self::Connection(error.into()),
                other => Self::Other(other.into()),
            };
        };
        let constraint = || database.constraint().unwrap_or_default().to_owned();
        match database.kind() {
            ErrorKind::UniqueViolation => Self::Unique { constraint: constraint() },
            ErrorKind::CheckViolation => Self::Check { constraint: constraint() },
            ErrorKind::ForeignKeyViolation => Self::ForeignKey,
            _ => {
                let code = database.code().unwrap_or_default().into_owned();
                by_sqlstate(&code, error.into())
            }
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(ffi::Error { extended_code, .. }, message) = &error else {
            return Self::Other(error.into());
        };
        let message = message.as_deref().unwrap_or_default();
        match *extended_code {
            code @ (ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => {
                Self::Unique { constraint: unique_name(message, code == ffi::SQLITE_CONSTRAINT_PRIMARYKEY) }
            }
            ffi::SQLITE_CONSTRAINT_CHECK => Self::Check { constraint: cut(after_colon(message).to_owned()) },
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Self::ForeignKey,
            // The low byte is the primary code.
            code => match code & 0xff {
                ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => Self::Busy(error.into()),
                ffi::SQLITE_FULL => Self::DiskFull(error.into()),
                ffi::SQLITE_IOERR | ffi::SQLITE_CANTOPEN => Self::Connection(error.into()),
                _ => Self::Other(error.into()),
            },
        }
    }
}

impl From<sqlx::migrate::MigrateError> for Error {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        match error {
            sqlx::migrate::MigrateError::Execute(error) | sqlx::migrate::MigrateError::ExecuteMigration(error, _) => {
                error.into()
            }
            other => Self::Other(other.into()),
        }
    }
}

/// Returns the error for a SQLSTATE code (Appendix A of the `PostgreSQL` manual).
fn by_sqlstate(code: &str, error: Cause) -> Error {
    match code {
        // Serialization failure, deadlock, lock timeout, statement timeout, too many connections.
        "40001" | "40P01" | "55P03" | "57014" | "53300" => Error::Busy(error),
        "53100" => Error::DiskFull(error),
        // Shut down by an administrator, crashed, starting up; ended because a transaction stood idle too long.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => Error::Connection(error),
        _ if code.starts_with("08") => Error::Connection(error),
        _ => Error::Other(error),
    }
}

/// Derives the index name by the naming rule: SQLite names `table.column, table.column` after a colon.
fn unique_name(message: &str, is_primary_key: bool) -> String {
    let columns = after_colon(message);
    if let Some(index) = columns.strip_prefix("index '").and_then(|rest| rest.strip_suffix('\'')) {
        return index.to_owned();
    }
    let mut name = String::new();
    for (position, column) in columns.split(", ").enumerate() {
        let (table, column) = column.split_once('.').unwrap_or(("", column));
        if position == 0 {
            name.push_str(table);
            if is_primary_key {
                name.push_str("_pkey");
                break;
            }
        }
        name.push('_');
        name.push_str(column);
    }
    if !is_primary_key {
        name.push_str("_key");
    }
    cut(name)
}

/// Returns the part of a SQLite message after `… constraint failed: `.
fn after_colon(message: &str) -> &str {
    message.split_once(": ").map_or(message, |(_, rest)| rest)
}

/// Truncates a name to 63 bytes, as `PostgreSQL` does. Names are ASCII.
fn cut(mut name: String) -> String {
    const MAX_NAME_BYTES: usize = 63;
    if name.len() > MAX_NAME_BYTES && name.is_char_boundary(MAX_NAME_BYTES) {
        name.truncate(MAX_NAME_BYTES);
    }
    name
}
