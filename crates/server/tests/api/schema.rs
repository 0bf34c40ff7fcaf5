//! Parity of the two engines: the same migrations create the same tables on both (backend 7).

use std::collections::BTreeSet;

use berth_db::Engine;
use berth_db::testing::{ENGINES, TestDatabase};

/// The same query of the catalog for each engine.
struct Question {
    sqlite: &'static str,
    postgres: &'static str,
}

impl Question {
    const fn text(&self, engine: Engine) -> &'static str {
        match engine {
            Engine::Sqlite => self.sqlite,
            Engine::Postgres => self.postgres,
        }
    }
}

/// Table, column (computed ones, too), type in lower case, NOT NULL.
const COLUMNS: Question = Question {
    sqlite: "SELECT m.name, c.name, LOWER(c.type), c.\"notnull\" = 1 FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c \
        WHERE m.type = 'table' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
    postgres: "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT), is_nullable = 'NO' \
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name) \
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name NOT LIKE '\\_sqlx%'",
};

/// Table, index (one word for all that belong to a constraint, because the engines name these differently), whether it
/// is unique, whether it is partial, position of the column, column.
const INDEXES: Question = Question {
    sqlite: "SELECT m.name, CASE WHEN l.origin = 'c' THEN l.name ELSE 'of a constraint' END, l.\"unique\" = 1, l.partial = 1, \
        c.seqno + 1, c.name FROM sqlite_master m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) c \
        WHERE m.type = 'table' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
    postgres: "SELECT CAST(t.relname AS TEXT), CASE WHEN EXISTS (SELECT 1 FROM pg_constraint n \
        WHERE n.conindid = x.indexrelid AND n.contype IN ('p', 'u')) THEN 'of a constraint' ELSE CAST(i.relname AS TEXT) END, \
        x.indisunique, x.indpred IS NOT NULL, k.place, CAST(a.attname AS TEXT) \
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid \
        JOIN pg_namespace s ON s.oid = t.relnamespace AND s.nspname = current_schema() \
        CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k (number, place) \
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number WHERE t.relname NOT LIKE '\\_sqlx%'",
};

/// Table, column, the table and the column it refers to.
const REFERENCES: Question = Question {
    sqlite: "SELECT m.name, f.\"from\", f.\"table\", f.\"to\" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f \
        WHERE m.type = 'table'",
    postgres: "SELECT CAST(t.relname AS TEXT), CAST(a.attname AS TEXT), CAST(r.relname AS TEXT), CAST(b.attname AS TEXT) \
        FROM pg_constraint n JOIN pg_class t ON t.oid = n.conrelid JOIN pg_class r ON r.oid = n.confrelid \
        JOIN pg_namespace s ON s.oid = t.relnamespace AND s.nspname = current_schema() \
        CROSS JOIN LATERAL unnest(n.conkey, n.confkey) AS k (here, there) \
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.here \
        JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.there WHERE n.contype = 'f'",
};

async fn databases() -> [TestDatabase; 2] {
    [TestDatabase::migrated(ENGINES[0]).await, TestDatabase::migrated(ENGINES[1]).await]
}

/// Fails with the rows that only one engine has.
#[track_caller]
fn agree<T: Ord + std::fmt::Debug>(sqlite: &[T], postgres: &[T], at_least: usize) {
    let (sqlite, postgres): (BTreeSet<&T>, BTreeSet<&T>) = (sqlite.iter().collect(), postgres.iter().collect());
    let (only_sqlite, only_postgres): (Vec<_>, Vec<_>) =
        (sqlite.difference(&postgres).collect(), postgres.difference(&sqlite).collect());
    assert!(
        only_sqlite.is_empty() && only_postgres.is_empty(),
        "only on SQLite: {only_sqlite:#?}\nonly on PostgreSQL: {only_postgres:#?}"
    );
    assert!(sqlite.len() >= at_least, "the catalogs were not read: {} rows", sqlite.len());
}

#[tokio::test]
async fn columns_have_the_same_type_and_nullability() {
    type Row = (String, String, String, bool);
    let [sqlite, postgres] = databases().await;
    let sqlite: Vec<Row> = sqlite.db.query(COLUMNS.text(Engine::Sqlite)).all().await.unwrap();
    let postgres: Vec<Row> = postgres.db.query(COLUMNS.text(Engine::Postgres)).all().await.unwrap();
    agree(&sqlite, &postgres, 150);
    let known = ["uuid", "boolean", "bigint", "text"];
    let others: Vec<&Row> = sqlite.iter().filter(|row| !known.contains(&row.2.as_str())).collect();
    assert!(others.is_empty(), "only UUID, BOOLEAN, BIGINT and TEXT mean the same on both: {others:?}");
}

#[tokio::test]
async fn indexes_have_the_same_names_columns_and_uniqueness() {
    type Row = (String, String, bool, bool, i64, String);
    let [sqlite, postgres] = databases().await;
    let sqlite: Vec<Row> = sqlite.db.query(INDEXES.text(Engine::Sqlite)).all().await.unwrap();
    let postgres: Vec<Row> = postgres.db.query(INDEXES.text(Engine::Postgres)).all().await.unwrap();
    agree(&sqlite, &postgres, 60);
}

#[tokio::test]
async fn foreign_keys_refer_to_the_same_tables() {
    type Row = (String, String, String, String);
    let [sqlite, postgres] = databases().await;
    let sqlite: Vec<Row> = sqlite.db.query(REFERENCES.text(Engine::Sqlite)).all().await.unwrap();
    let postgres: Vec<Row> = postgres.db.query(REFERENCES.text(Engine::Postgres)).all().await.unwrap();
    agree(&sqlite, &postgres, 30);
}
