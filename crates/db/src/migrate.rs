//! Migrations: one folder for both engines, embedded in the binary.
//!
//! All missing ones run in one transaction, so a failed upgrade leaves the database as it was. That transaction is also
//! what lets several nodes start together: SQLite lets one writer in, on `PostgreSQL` it takes an advisory lock of the
//! schema and keeps it to its end. (`run_direct` and not `run`, whose future is not `Send` on a connection.)

use sqlx::Connection;

use crate::Result;
use crate::db::Pools;

/// Waits for the node that migrates, and for the locks that altering a table in use needs.
const WAIT: &str = "SET LOCAL lock_timeout = '60s'";
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('berth migrate ' || current_schema(), 0))";

pub(crate) async fn run(pools: &Pools) -> Result<()> {
    let mut migrator = sqlx::migrate!();
    migrator.set_locking(false);
    match pools {
        Pools::Sqlite { writer, .. } => {
            let mut alone = writer.alone().await?;
            let mut tx = alone.connection()?.begin_with("BEGIN IMMEDIATE").await?;
            migrator.run_direct(None, &mut *tx, false).await?;
            tx.commit().await?;
        }
        Pools::Postgres(pool) => {
            let (mut tx, _place) = pool.begin(None).await?;
            sqlx::query(WAIT).execute(&mut *tx).await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            migrator.run_direct(None, &mut *tx, false).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}
