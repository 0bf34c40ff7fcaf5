//! Migrations: one folder for both engines, embedded in the binary.
//!
//! All missing ones run in one transaction, so that a failed upgrade leaves the database unchanged. The transaction also lets
//! several nodes start together: SQLite has one writer, and on `PostgreSQL` it holds an advisory lock of the schema.
//! (`run_direct` and not `run`, whose future is not `Send` on a connection.)

use std::collections::BTreeMap;
use std::time::Duration;

use crate::connection::Connection;
use sqlx::migrate::{MigrateError, Migration, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::db::Pools;
use crate::dialect::text_for;
use crate::{Engine, Result};

/// Time limit of the wait for a node that migrates, and for the locks that altering a table in use needs.
const WAIT: &str = "SET LOCAL lock_timeout = '60s'";
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('berth migrate ' || current_schema(), 0))";

/// Time limit of the wait, on SQLite, for another program that migrates.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL)";
const APPLIED: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (?1, ?2, TRUE, ?3, 0)";

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
        Pools::Sqlite { writer, .. } => writer.alone(on_sqlite).await?,
        Pools::Postgres(pool) => {
            let migrator = migrations(Engine::Postgres);
            let mut tx = pool.begin(None).await?;
            sqlx::query(WAIT).execute(tx.connection()?).await?;
            sqlx::query(LOCK).execute(tx.connection()?).await?;
            migrator.run_direct(None, tx.connection()?, false).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// What sqlx does on `PostgreSQL`, with the same table.
fn on_sqlite(connection: &Connection) -> Result<()> {
    connection.busy_timeout(LOCK_TIMEOUT)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let outcome = bring_up_to_date(connection);
    connection.execute_batch(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    connection.busy_timeout(Duration::ZERO)?;
    outcome
}

fn bring_up_to_date(connection: &Connection) -> Result<()> {
    connection.execute_batch(TABLE)?;
    let mut applied = connection.prepare("SELECT version, checksum FROM _sqlx_migrations ORDER BY version")?;
    let applied = applied.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut applied: BTreeMap<i64, Vec<u8>> = applied.collect::<rusqlite::Result<_>>()?;
    for migration in migrations(Engine::Sqlite).iter() {
        match applied.remove(&migration.version) {
            Some(checksum) if checksum == *migration.checksum => {}
            Some(_) => return Err(MigrateError::VersionMismatch(migration.version).into()),
            None => {
                connection.execute_batch(migration.sql.as_str())?;
                let description: &str = &migration.description;
                connection.execute(APPLIED, (migration.version, description, &*migration.checksum))?;
            }
        }
    }
    match applied.first_key_value() {
        Some((unknown, _)) => Err(MigrateError::VersionMissing(*unknown).into()),
        None => Ok(()),
    }
}
