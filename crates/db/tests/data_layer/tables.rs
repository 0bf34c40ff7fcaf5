//! Small tables, so that these tests do not depend on Berth's own.

use berth_db::testing::{ENGINES, TestDatabase};
use berth_db::{Db, Engine, Result};
use uuid::Uuid;

const TABLES: [&str; 5] = [
    "CREATE TABLE houses (id UUID NOT NULL PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL, note TEXT, \
     is_open BOOLEAN NOT NULL DEFAULT TRUE, version BIGINT NOT NULL DEFAULT 0 \
     CONSTRAINT houses_version_check CHECK (version >= 0))",
    "CREATE UNIQUE INDEX houses_name_key_key ON houses (name_key)",
    "CREATE TABLE beds (id UUID NOT NULL PRIMARY KEY, house_id UUID NOT NULL REFERENCES houses (id), \
     label TEXT NOT NULL, deleted_at BIGINT)",
    "CREATE UNIQUE INDEX beds_house_id_label_key ON beds (house_id, label) WHERE deleted_at IS NULL",
    "CREATE TABLE links (house_id UUID NOT NULL, other_id UUID NOT NULL, PRIMARY KEY (house_id, other_id))",
];

pub const INSERT_HOUSE: &str = "INSERT INTO houses (id, name, name_key) VALUES ($1, $2, $3)";
pub const COUNT_HOUSES: &str = "SELECT COUNT(*) FROM houses";
pub const TOUCH: &str = "UPDATE houses SET version = version + 1 WHERE id = $1 RETURNING version";
pub const VERSION: &str = "SELECT version FROM houses WHERE id = $1";

/// Runs a test on SQLite, then on PostgreSQL, each with the tables above, empty.
pub async fn on_each_engine(test: impl AsyncFn(TestDatabase)) {
    for engine in ENGINES {
        println!("on {engine:?}");
        test(with_tables(engine).await).await;
    }
}

/// A database with the tables above.
pub async fn with_tables(engine: Engine) -> TestDatabase {
    let test = TestDatabase::empty(engine).await;
    let mut tx = test.db.begin().await.unwrap();
    for table in TABLES {
        tx.query(table).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    test
}

/// Adds a house in a transaction of its own.
pub async fn add_house(db: &Db, id: u128, name: &str) -> Result<()> {
    let mut tx = db.begin().await?;
    tx.query(INSERT_HOUSE).bind(Uuid::from_u128(id)).bind(name).bind(name.to_lowercase()).execute().await?;
    tx.commit().await
}

/// Returns the number of houses, read outside of any transaction.
pub async fn count_houses(db: &Db) -> i64 {
    db.query(COUNT_HOUSES).scalar().await.unwrap()
}
