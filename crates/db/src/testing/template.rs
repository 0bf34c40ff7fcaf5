//! Databases that are prepared once in a process and copied for each test.

use std::mem;
use std::sync::{Mutex, PoisonError};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::sync::OnceCell;

use super::{TestDatabase, postgres_url, random_name};
use crate::{Db, Engine, Options};

/// A migrated database with the rows that a group of tests begins with.
///
/// The migrations and these rows are run once for each engine; each test gets a copy that shares nothing with the
/// others. A copy takes a fraction of the time that the migrations take.
pub struct Template {
    /// The database file.
    sqlite: OnceCell<Vec<u8>>,
    /// The name of the database.
    postgres: OnceCell<String>,
}

impl Default for Template {
    fn default() -> Self {
        Self::new()
    }
}

impl Template {
    /// Creates a template that is prepared on first use.
    #[must_use]
    pub const fn new() -> Self {
        Self { sqlite: OnceCell::const_new(), postgres: OnceCell::const_new() }
    }

    /// Returns a copy for one test. The first call for an engine migrates the template and has it filled; `fill` must
    /// not keep the database open.
    ///
    /// # Panics
    /// If there is no database; for `PostgreSQL` the text says how to get one.
    pub async fn copy(&self, engine: Engine, fill: impl AsyncFnOnce(&Db)) -> TestDatabase {
        match engine {
            Engine::Sqlite => {
                let file = self.sqlite.get_or_init(async || {
                    let first = TestDatabase::empty(Engine::Sqlite).await;
                    prepare(&first.db, fill).await;
                    let file = first.url.trim_start_matches("sqlite:");
                    std::fs::read(file).expect("the template is read")
                });
                TestDatabase::sqlite(Some(file.await)).await
            }
            Engine::Postgres => {
                let template = self.postgres.get_or_init(async || {
                    let name = random_name();
                    let create = format!("CREATE DATABASE {name} TEMPLATE template0");
                    run_on_server([create]).await;
                    let db = Db::open_with(&address_of(&name), Options::default()).await.expect("the template opens");
                    prepare(&db, fill).await;
                    name
                });
                copy_on_postgres(template.await).await
            }
        }
    }
}

/// Migrates and fills a template. Closing it merges SQLite's log into the file; `PostgreSQL` copies no open database.
async fn prepare(db: &Db, fill: impl AsyncFnOnce(&Db)) {
    db.migrate().await.expect("the migrations run");
    fill(db).await;
    db.close().await;
}

/// A copy on `PostgreSQL`. Dropping a database needs a connection, so the next test that makes a copy does it.
pub(super) struct Copy {
    name: String,
}

/// Names of the copies of ended tests.
static UNUSED: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Drop for Copy {
    fn drop(&mut self) {
        UNUSED.lock().unwrap_or_else(PoisonError::into_inner).push(mem::take(&mut self.name));
    }
}

async fn copy_on_postgres(template: &str) -> TestDatabase {
    let name = random_name();
    let unused = mem::take(&mut *UNUSED.lock().unwrap_or_else(PoisonError::into_inner));
    // A test may end while its server still holds connections.
    let drops = unused.into_iter().map(|unused| format!("DROP DATABASE {unused} WITH (FORCE)"));
    // Copying the files takes half the time of writing each page to the log, which is the default.
    let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
    run_on_server(drops.chain([create])).await;
    let url = address_of(&name);
    let options = Options { max_connections: 8, ..Options::default() };
    let db = Db::open_with(&url, options.clone()).await.expect("the copy opens");
    TestDatabase { db, url, options, _folder: None, _copy: Some(Copy { name }) }
}

/// Runs statements on the server's own database, one by one: neither of these may run in a transaction.
async fn run_on_server(statements: impl IntoIterator<Item = String>) {
    let mut connection = PgConnection::connect(&postgres_url()).await.expect("the test PostgreSQL answers");
    for statement in statements {
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.expect("the statement runs");
    }
    connection.close().await.expect("the connection closes");
}

/// The address of another database of the server.
fn address_of(database: &str) -> String {
    let url = postgres_url();
    let (server, _) = url.rsplit_once('/').expect("the address names a database");
    format!("{server}/{database}")
}
