//! How `PostgreSQL` plans statements while its statistics are older than the rows.

use berth_db::Engine;
use berth_db::testing::TestDatabase;

/// Statistics that know the tokens of the first three people only, as after a start with few users.
const WORLD: [&str; 6] = [
    "CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE tokens (hash TEXT PRIMARY KEY, person_id BIGINT NOT NULL REFERENCES people (id))",
    "INSERT INTO people (id, name) SELECT n, 'person ' || n FROM generate_series(1, 20000) n",
    "INSERT INTO tokens (hash, person_id) SELECT 'old ' || n, n % 3 + 1 FROM generate_series(1, 96) n",
    "ANALYZE people, tokens",
    "INSERT INTO tokens (hash, person_id) SELECT 'new ' || n, 19980 + n FROM generate_series(1, 16) n",
];

const PLAN: &str = "EXPLAIN SELECT t.hash, p.name FROM tokens t JOIN people p ON p.id = t.person_id \
    WHERE t.hash IN ('new 1', 'new 2', 'new 3', 'new 4')";

/// A merge join would read the people from the first to the one with the last of the tokens.
#[tokio::test]
async fn looking_up_what_the_statistics_do_not_know_yet_reads_no_whole_index() {
    let test = TestDatabase::empty(Engine::Postgres).await;
    let mut tx = test.db.begin().await.unwrap();
    for statement in WORLD {
        tx.query(statement).execute().await.unwrap();
    }
    let plan: Vec<(String,)> = tx.query(PLAN).all().await.unwrap();
    let plan: Vec<String> = plan.into_iter().map(|(line,)| line).collect();
    let reads_by_key = plan.iter().any(|line| line.contains("Index Cond: (id = t.person_id)"));
    assert!(reads_by_key, "{plan:#?}");
}
