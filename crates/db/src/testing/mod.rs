//! Fresh databases for tests (feature `testing`).
//!
//! A migrated database is a copy of one that was migrated once in this process (see [`Template`]). SQLite: a file in a
//! temporary folder. `PostgreSQL`: a database `test_<random>` of the server that `scripts/with-postgres` started, or a
//! schema of that name if it is to begin without tables.

mod proxy;
mod template;

use std::hash::{BuildHasher, RandomState};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

pub use self::proxy::Proxy;
pub use self::template::Template;
pub use crate::seen::{Seen, seen_texts, statements_of_this_thread};
use crate::{Db, Engine, Options};

/// Both engines, for tests that run on each.
pub const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// A database of one test, deleted after it.
pub struct TestDatabase {
    /// The open database.
    pub db: Db,
    /// Its address. With [`options`](Self::options) it opens the same database again, as another node.
    pub url: String,
    /// The options with which it was opened.
    pub options: Options,
    /// The folder, deleted with the database. `None` on PostgreSQL.
    _folder: Option<TempDir>,
    /// The copy, dropped after the test. `None` on SQLite.
    _copy: Option<template::Copy>,
}

impl TestDatabase {
    /// A database with all tables of Berth.
    ///
    /// # Panics
    /// If there is no database; for `PostgreSQL` the text says how to get one.
    pub async fn migrated(engine: Engine) -> Self {
        static MIGRATED: Template = Template::new();
        MIGRATED.copy(engine, async |_| ()).await
    }

    /// A database without tables.
    ///
    /// # Panics
    /// As [`migrated`](Self::migrated).
    pub async fn empty(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::sqlite(None).await,
            Engine::Postgres => Self::postgres().await,
        }
    }

    /// Opens the same database once more, as a second node would.
    ///
    /// # Panics
    /// If it cannot be opened.
    pub async fn another_node(&self) -> Db {
        Db::open_with(&self.url, self.options.clone()).await.expect("the test database opens again")
    }

    async fn sqlite(template: Option<&[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("berth.db");
        if let Some(template) = template {
            std::fs::write(&file, template).expect("the migrated file is copied");
        }
        let url = format!("sqlite:{}", file.display());
        let options = Options { flush: false, ..Options::default() };
        let db = Db::open_with(&url, options.clone()).await.expect("the test database opens");
        Self { db, url, options, _folder: Some(folder), _copy: None }
    }

    async fn postgres() -> Self {
        let url = postgres_url();
        let schema = random_name();
        let mut connection = PgConnection::connect(&url).await.expect("the test PostgreSQL answers");
        let create = AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
        sqlx::query(create).execute(&mut connection).await.expect("the schema is new");
        connection.close().await.expect("the connection closes");
        let options = Options { search_path: Some(schema), max_connections: 8, ..Options::default() };
        let db = Db::open_with(&url, options.clone()).await.expect("the test database opens");
        Self { db, url, options, _folder: None, _copy: None }
    }
}

/// Returns a name for a schema or database that no other test has.
fn random_name() -> String {
    format!("test_{:016x}", RandomState::new().hash_one(()))
}

/// The address of the `PostgreSQL` server for tests.
///
/// # Panics
/// If there is none: tests must run on both engines, so they are not skipped.
#[expect(clippy::disallowed_methods, reason = "a test has no settings; the script hands the address over")]
#[must_use]
pub fn postgres_url() -> String {
    std::env::var("BERTH_TEST_POSTGRES").expect(
        "this test needs PostgreSQL: run it through scripts/with-postgres, as in `scripts/with-postgres cargo test`",
    )
}
