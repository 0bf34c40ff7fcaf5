//! A transaction that ends without a commit is rolled back, and its connection serves the next one.

use std::time::Duration;

use berth_db::{Db, Error, Result};
use uuid::Uuid;

use crate::tables::{COUNT_HOUSES, INSERT_HOUSE, add_house, count_houses, on_each_engine};

async fn half_done(db: &Db) -> Result<berth_db::Tx> {
    let mut tx = db.begin().await?;
    tx.query(INSERT_HOUSE).bind(Uuid::from_u128(1)).bind("Pier").bind("pier").execute().await?;
    assert_eq!(tx.query(COUNT_HOUSES).scalar::<i64>().await?, 1, "a transaction sees its own changes");
    Ok(tx)
}

/// Checks that nothing was written, and that more writers than there are connections can follow.
async fn expect_untouched(db: &Db) {
    assert_eq!(count_houses(db).await, 0);
    for number in 0..12 {
        add_house(db, 100 + number, &format!("House {number}")).await.unwrap();
    }
    assert_eq!(count_houses(db).await, 12);
}

#[tokio::test]
async fn a_commit_lasts() {
    on_each_engine(async |test| {
        half_done(&test.db).await.unwrap().commit().await.unwrap();
        assert_eq!(count_houses(&test.another_node().await).await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_dropped_transaction_rolls_back() {
    on_each_engine(async |test| {
        drop(half_done(&test.db).await.unwrap());
        expect_untouched(&test.db).await;
    })
    .await;
}

#[tokio::test]
async fn an_explicit_rollback_is_done_when_it_returns() {
    on_each_engine(async |test| {
        half_done(&test.db).await.unwrap().rollback().await.unwrap();
        expect_untouched(&test.db).await;
    })
    .await;
}

#[tokio::test]
async fn an_error_rolls_back() {
    async fn command(db: &Db) -> Result<()> {
        let mut tx = half_done(db).await?;
        tx.query(INSERT_HOUSE).bind(Uuid::from_u128(2)).bind("Pier").bind("pier").execute().await?;
        tx.commit().await
    }
    on_each_engine(async |test| {
        let error = command(&test.db).await.unwrap_err();
        assert_eq!(error.unique(), Some("houses_name_key_key"));
        expect_untouched(&test.db).await;
    })
    .await;
}

#[tokio::test]
async fn after_a_failed_statement_other_statements_and_the_commit_fail() {
    on_each_engine(async |test| {
        let mut tx = half_done(&test.db).await.unwrap();
        tx.query("SELECT missing FROM houses").execute().await.unwrap_err();
        assert!(matches!(tx.query(COUNT_HOUSES).scalar::<i64>().await, Err(Error::Other(_))));
        assert!(matches!(tx.commit().await, Err(Error::Other(_))));
        expect_untouched(&test.db).await;
    })
    .await;
}

#[tokio::test]
async fn a_missing_row_does_not_fail_the_transaction() {
    on_each_engine(async |test| {
        let mut tx = half_done(&test.db).await.unwrap();
        let missing = tx.query("SELECT name FROM houses WHERE name = $1").bind("Quay").scalar::<String>().await;
        assert!(matches!(missing, Err(Error::NotFound)));
        tx.commit().await.unwrap();
        assert_eq!(count_houses(&test.db).await, 1);
    })
    .await;
}

#[tokio::test]
async fn an_expected_conflict_does_not_fail_the_transaction() {
    on_each_engine(async |test| {
        let mut tx = half_done(&test.db).await.unwrap();
        let inserted: Option<(Uuid,)> = tx
            .query("INSERT INTO houses (id, name, name_key) VALUES ($1, $2, $3) ON CONFLICT (name_key) DO NOTHING RETURNING id")
            .bind(Uuid::from_u128(2))
            .bind("PIER")
            .bind("pier")
            .optional()
            .await
            .unwrap();
        assert_eq!(inserted, None);
        tx.commit().await.unwrap();
        assert_eq!(count_houses(&test.db).await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_panic_rolls_back() {
    on_each_engine(async |test| {
        let db = test.db.clone();
        let outcome = tokio::spawn(async move {
            let _tx = half_done(&db).await.unwrap();
            panic!("on purpose");
        })
        .await;
        assert!(outcome.unwrap_err().is_panic());
        expect_untouched(&test.db).await;
    })
    .await;
}

/// When the client disconnects, a request is cancelled at whatever await it has reached.
#[tokio::test]
async fn a_cancelled_request_rolls_back_at_any_await() {
    on_each_engine(async |test| {
        for step in 0..40 {
            let db = test.db.clone();
            let request = tokio::spawn(async move {
                loop {
                    let tx = half_done(&db).await.unwrap();
                    tx.rollback().await.unwrap();
                }
            });
            tokio::time::sleep(Duration::from_micros(97 * step)).await;
            request.abort();
            assert!(request.await.unwrap_err().is_cancelled());
        }
        expect_untouched(&test.db).await;
    })
    .await;
}
