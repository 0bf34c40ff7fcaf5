//! On SQLite, statements run on the thread of the request (decision 0055) and are ready at once, unless they take long.

use std::time::Duration;

use berth_db::{Db, Engine, in_order};
use futures_util::FutureExt;
use uuid::Uuid;

use crate::tables::{COUNT_HOUSES, TOUCH, add_house, on_each_engine, with_tables};

/// Counts to `$1`: a hundred thousand takes milliseconds, a million millions longer than any test.
const COUNT_TO: &str =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) SELECT COUNT(*) FROM n";
const MILLISECONDS: i64 = 100_000;
const FOR_EVER: i64 = 1_000_000_000_000;
const BOUNDED: Duration = Duration::from_secs(20);

#[tokio::test]
async fn the_statements_of_a_transaction_are_ready_at_once() {
    let test = with_tables(Engine::Sqlite).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
    let transaction = async || {
        let mut tx = test.db.begin().await.unwrap();
        let version: i64 = tx.query(TOUCH).bind(Uuid::from_u128(1)).scalar().await.unwrap();
        let houses: i64 = tx.query(COUNT_HOUSES).scalar().await.unwrap();
        tx.rollback().await.unwrap();
        (version, houses)
    };
    // On a busy machine a statement may take long, and runs on a thread of its own until it is short again.
    for _ in 0..100 {
        let mut running = Box::pin(transaction());
        match (&mut running).now_or_never() {
            Some(answer) => return assert_eq!(answer, (1, 1)),
            None => drop(running.await),
        }
    }
    panic!("no transaction was ready after one poll");
}

#[tokio::test]
async fn a_request_that_awaits_something_else_inside_a_write_is_stopped() {
    let test = with_tables(Engine::Sqlite).await;
    let db = test.db.clone();
    let request = tokio::spawn(async move {
        let request = async {
            let tx = db.begin().await.unwrap();
            tokio::task::yield_now().await;
            tx.commit().await.unwrap();
        };
        in_order(&db, request).await;
    });
    assert!(request.await.is_err_and(|error| error.is_panic()));
    add_house(&test.db, 1, "Pier").await.unwrap();
}

#[tokio::test]
async fn a_request_may_await_before_and_after_its_transaction() {
    on_each_engine(async |test| {
        let db = test.db.clone();
        let request = async {
            tokio::task::yield_now().await;
            add_house(&db, 1, "Pier").await.unwrap();
            tokio::task::yield_now().await;
            drop(db.begin().await.unwrap());
            tokio::task::yield_now().await;
        };
        in_order(&db, request).await;
    })
    .await;
}

/// Makes the database learn that the statement takes long.
async fn learn(db: &Db) {
    for _ in 0..2 {
        assert_eq!(db.query(COUNT_TO).bind(MILLISECONDS).scalar::<i64>().await.unwrap(), MILLISECONDS);
    }
}

#[tokio::test]
async fn a_long_statement_blocks_nobody_and_ends_with_its_request() {
    let test = with_tables(Engine::Sqlite).await;
    let db = test.another_node().await;
    learn(&db).await;
    let other = db.clone();
    let long = tokio::spawn(async move { other.query(COUNT_TO).bind(FOR_EVER).scalar::<i64>().await });
    // One thread runs this test: if the statement did not have its own thread, none of this could happen.
    tokio::task::yield_now().await;
    add_house(&db, 1, "Pier").await.unwrap();
    assert_eq!(db.query(COUNT_HOUSES).scalar::<i64>().await.unwrap(), 1);
    assert!(!long.is_finished());
    long.abort();
    tokio::time::timeout(BOUNDED, db.close()).await.expect("a statement that nobody waits for was stopped");
}

#[tokio::test]
async fn a_long_statement_inside_a_transaction_is_part_of_it() {
    let test = with_tables(Engine::Sqlite).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
    let db = test.db.clone();
    learn(&db).await;
    let written = in_order(&db, async {
        let mut tx = db.begin().await.unwrap();
        tx.query(TOUCH).bind(Uuid::from_u128(1)).execute().await.unwrap();
        let counted: i64 = tx.query(COUNT_TO).bind(MILLISECONDS).scalar().await.unwrap();
        let version: i64 = tx.query(TOUCH).bind(Uuid::from_u128(1)).scalar().await.unwrap();
        tx.commit().await.unwrap();
        (counted, version)
    })
    .await;
    assert_eq!(written, (MILLISECONDS, 2));
}

#[tokio::test]
async fn a_cancelled_long_statement_is_rolled_back_and_frees_the_writer() {
    let test = with_tables(Engine::Sqlite).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
    let db = test.db.clone();
    learn(&db).await;
    let other = db.clone();
    let long = tokio::spawn(async move {
        let mut tx = other.begin().await.unwrap();
        tx.query(TOUCH).bind(Uuid::from_u128(1)).execute().await.unwrap();
        tx.query(COUNT_TO).bind(FOR_EVER).scalar::<i64>().await.unwrap();
        tx.commit().await.unwrap();
    });
    tokio::task::yield_now().await;
    long.abort();
    let mut tx = tokio::time::timeout(BOUNDED, db.begin()).await.expect("the writer is free").unwrap();
    assert_eq!(
        tx.query(TOUCH).bind(Uuid::from_u128(1)).scalar::<i64>().await.unwrap(),
        1,
        "its change was rolled back"
    );
    tx.commit().await.unwrap();
}
