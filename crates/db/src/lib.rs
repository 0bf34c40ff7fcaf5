//! The data layer: one SQL text for two engines, over rusqlite and sqlx.
//!
//! - [`Db`] is the database: SQLite (embedded, one node) or `PostgreSQL` (several nodes). Cheap to clone.
//! - [`Query`] is one statement with its bound values: [`all`](Query::all), [`optional`](Query::optional),
//!   [`one`](Query::one), [`scalar`](Query::scalar) or [`execute`](Query::execute) runs it. Rows become plain structs by [`FromRow`].
//! - [`Tx`] is a transaction. It rolls back if it is dropped without [`Tx::commit`].
//! - [`Queries`] is either of the two, for functions that run statements on a [`Db`] or in a [`Tx`].
//! - [`retry`] runs a transaction again while another one is in its way.
//!
//! ```no_run
//! # async fn example(db: &berth_db::Db) -> berth_db::Result<()> {
//! #[derive(berth_db::FromRow)]
//! struct RoomRow {
//!     name: String,
//!     bed_count: i64,
//! }
//!
//! let rooms: Vec<RoomRow> =
//!     db.query("SELECT name, bed_count FROM rooms WHERE bed_count > $1 ORDER BY name, id").bind(3_i64).all().await?;
//!
//! let mut tx = db.begin().await?;
//! let renamed = tx.query("UPDATE rooms SET name = $1 WHERE name = $2").bind("Pier").bind(&rooms[0].name).execute().await?;
//! tx.commit().await?; // dropped instead: rolled back
//! # assert_eq!(renamed, 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Where a statement runs
//!
//! | call | SQLite | `PostgreSQL` |
//! |---|---|---|
//! | [`Db::query`] | a reading connection | any connection |
//! | [`Db::read`] | a reading connection, one snapshot | REPEATABLE READ, READ ONLY |
//! | [`Db::begin`] | the one writer; others queue and share one flush | READ COMMITTED; others queue at the first row they share |
//!
//! Statements of SQLite run on the thread of the request, and on a thread of their own if they took long before.
//!
//! # What a transaction may await
//!
//! Only its own statements. While a write is open, all other writers of SQLite wait, so no HTTP call, hashing, image work or
//! mail happens in it, and no second [`Db::begin`] and no [`Db::query`], which would not see its changes. A request that awaits
//! anything else loses its transaction on SQLite; with the feature `testing` it panics. A failed statement ends its
//! transaction: later statements and the commit fail as well.
//!
//! # Errors and the log
//!
//! [`Error`] has the same variants for both engines. Its text holds no SQL and no values; what the engine said is its source.
//! A statement that takes longer than half a second is logged by its text, without values.
//!
//! # SQL that both engines read alike
//!
//! - Columns are `UUID`, `BOOLEAN`, `BIGINT` or `TEXT`; a primary key says `NOT NULL`. Parameters are `$1`, `$2`, …; a list
//!   is `IN ($2..)` with [`Query::bind_list`], many rows are `VALUES ($1..)` with [`Tx::insert`].
//! - A unique index is named `{table}_{columns}_key`, a check `{table}_{rule}_check`: [`Error`] gives these names on both.
//! - Every order is `ORDER BY name_key COLLATE "C", id` or the like: by bytes, and ending in an id. Case is folded in Rust.
//! - A sum is `CAST(COALESCE(SUM(x), 0) AS BIGINT)`; a bare `1` is not an `i64` on `PostgreSQL`, `COUNT(*)` is.
//! - An expected conflict is `ON CONFLICT … DO NOTHING RETURNING id` (with `WHERE TRUE` before it in `INSERT … SELECT`),
//!   since a failed statement ends its transaction.
//! - A column that may be NULL is read into an `Option`; any other type is an error.
//! - Every write runs in a [`Tx`]: SQLite rejects it elsewhere, `PostgreSQL` does not.
//!
//! The compiler checks none of this. The tests run each text on both engines; with the feature `testing` each process
//! records which texts ran where (`testing::seen_texts`).

mod connection;
mod db;
mod dialect;
mod error;
mod list;
mod listen;
mod migrate;
mod open;
mod postgres;
mod queries;
mod query;
mod readers;
mod request;
mod retry;
mod row;
mod sqlite;
mod statement;
mod tx;
mod value;
mod writer;

#[cfg(feature = "testing")]
mod one_connection;
#[cfg(feature = "testing")]
mod seen;
#[cfg(feature = "testing")]
pub mod testing;

/// Reads a struct from a row: each field from the column of its name, a field with `#[row(flatten)]` from the whole row.
pub use berth_db_derive::FromRow;
pub use db::{Db, Engine, PoolUse};
pub use error::{Cause, Error, Result};
pub use listen::{Notification, Notifications};
pub use open::Options;
pub use queries::Queries;
pub use query::{Query, Values};
pub use request::in_order;
pub use retry::{IsBusy, retry};
pub use row::{Cell, Column, FromRow, Row};
pub use tx::Tx;
pub use value::{Bind, Value};
