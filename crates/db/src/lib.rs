//! The data layer: one SQL text for two engines, a thin facade on rusqlite and sqlx.
//!
//! [`Db`] is SQLite (embedded, one writer and a few readers) or PostgreSQL (several nodes). A handler writes a SQL
//! literal that both engines read alike, binds domain values and gets plain structs back:
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
//! # SQL that both engines read alike
//!
//! - Columns are `UUID`, `BOOLEAN`, `BIGINT` or `TEXT`; a primary key says `NOT NULL`. Parameters are `$1`, `$2`, …; a list
//!   is `IN ($2..)` with [`Query::bind_list`], many rows are `VALUES ($1..)` with [`Tx::insert`].
//! - A unique index is named `{table}_{columns}_key`, a check `{table}_{rule}_check`: [`Error`] tells these names on both.
//! - Every order is `ORDER BY name_key COLLATE "C", id` or the like: by bytes, and ending in an id. Case is folded in Rust.
//! - A sum is `CAST(COALESCE(SUM(x), 0) AS BIGINT)`; a bare `1` is no `i64` on `PostgreSQL`, `COUNT(*)` is.
//! - An expected conflict is `ON CONFLICT … DO NOTHING RETURNING id` (with `WHERE TRUE` before it in `INSERT … SELECT`):
//!   a failed statement ends its transaction.
//! - What may be NULL is read into an `Option`: anything else is refused.
//! - Every write runs in a [`Tx`]: SQLite refuses it elsewhere, `PostgreSQL` does not.
//!
//! The compiler checks none of this; the tests run each text on both engines, and with the feature `testing` each
//! process notes which ran where (`testing::seen_texts`).

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
