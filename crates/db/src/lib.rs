//! The data layer: one SQL text for two engines, a thin facade on sqlx.
//!
//! [`Db`] is SQLite (embedded, one writer and a few readers) or PostgreSQL (several nodes). A handler writes a SQL
//! literal that both engines read alike, binds domain values and gets plain structs back:
//!
//! ```no_run
//! # async fn example(db: &berth_db::Db) -> berth_db::Result<()> {
//! #[derive(sqlx::FromRow)]
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
//! What differs between the engines, and how to write SQL that does not, stands in `docs/decisions`. The rules that the
//! compiler cannot check: column types are `UUID`, `BOOLEAN`, `BIGINT` and `TEXT`; parameters are `$1`, `$2`, …; text is
//! ordered by `COLLATE "C"` and every order ends in an id; a unique index is named `{table}_{columns}_key`, a check
//! `{table}_{rule}_check`; every write runs in a [`Tx`].

mod db;
mod error;
mod list;
mod listen;
mod migrate;
mod open;
mod query;
mod retry;
mod tx;

#[cfg(feature = "testing")]
mod seen;
#[cfg(feature = "testing")]
pub mod testing;

pub use db::{Db, Engine, PoolUse};
pub use error::{Error, Result};
pub use listen::{Notification, Notifications};
pub use open::Options;
pub use query::{Bind, Query, Row};
pub use retry::{IsBusy, retry};
pub use tx::Tx;
