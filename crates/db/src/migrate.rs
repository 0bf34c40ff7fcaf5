//! Migrations: one folder for both engines, embedded in the binary.
//!
//! All missing ones run in one transaction, so a failed upgrade leaves the database as it was. That transaction is also
//! what lets several nodes start together: SQLite lets one writer in, on `PostgreSQL` it takes an advisory lock of the
//! schema and keeps it to its end. (`run_direct` and not `run`, whose future is not `Send` on a connection.)

use sqlx::migrate::{Migration, Migrator};
use sqlx::{AssertSqlSafe, Connection, SqlSafeStr};

use crate::db::Pools;
use crate::dialect::text_for;
use crate::{Engine, Result};

/// Waits for the node that migrates, and for the locks that altering a table in use needs.
const WAIT: &str = "SET LOCAL lock_timeout = '60s'";
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('berth migrate ' || current_schema(), 0))";

/// The migrations as an engine runs them. Their checksums stay those of the whole texts.
fn migrations(engine: Engine) -> Migrator {
    let mut migrator = sqlx::migrate!();
    migrator.set_locking(false);
    let ours = |migration: &Migration| Migration {
        sql: AssertSqlSafe(text_for(migration.sql.as_str(), engine)).into_sql_str(),
        ..migration.clone()
    };
    migrator.migrations = migrator.migrations.iter().map(ours).collect();
    migrator
}

pub(crate) async fn run(pools: &Pools) -> Result<()> {
    match pools {
        Pools::Sqlite { writer, .. } => {
            let migrator = migrations(Engine::Sqlite);
            let mut alone = writer.alone().await?;
            let mut tx = alone.connection()?.begin_with("BEGIN IMMEDIATE").await?;
            migrator.run_direct(None, &mut *tx, false).await?;
            tx.commit().await?;
        }
        Pools::Postgres(pool) => {
            let migrator = migrations(Engine::Postgres);
            let (mut tx, _place) = pool.begin(None).await?;
            sqlx::query(WAIT).execute(&mut *tx).await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            migrator.run_direct(None, &mut *tx, false).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}
