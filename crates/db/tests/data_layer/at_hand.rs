//! Reused connections: a few serve many callers, and a cancelled statement's answer never reaches the next caller.

use std::pin::pin;
use std::time::Duration;

use berth_db::{Db, Error, Options};
use futures_util::FutureExt;
use futures_util::future::join_all;

use crate::tables::{add_house, count_houses, on_each_engine};

const NUMBER: &str = "SELECT $1";

async fn number(db: &Db, wanted: i64) {
    assert_eq!(db.query(NUMBER).bind(wanted).scalar::<i64>().await.unwrap(), wanted);
}

/// Polls a call some times and drops it: before it is sent, before its answer, or after it.
async fn give_up<T>(call: impl Future<Output = T>, polls: i64) {
    let mut call = pin!(call);
    for _ in 0..polls {
        if call.as_mut().now_or_never().is_some() {
            return;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_connections_serve_statements_and_transactions_of_many_callers() {
    on_each_engine(async |test| {
        let options = Options { max_connections: 2, readers: 2, ..test.options.clone() };
        let db = Db::open_with(&test.url, options).await.unwrap();
        let crowd = (0..120_i64).map(|caller| {
            let db = db.clone();
            async move {
                match caller % 4 {
                    0 => {
                        let mut tx = db.read().await.unwrap();
                        assert_eq!(tx.query(NUMBER).bind(caller).scalar::<i64>().await.unwrap(), caller);
                        if caller % 8 == 0 {
                            tx.commit().await.unwrap();
                        }
                    }
                    1 => add_house(&db, u128::from(caller.unsigned_abs()), &format!("House {caller}")).await.unwrap(),
                    2 => assert!(matches!(db.query("SELECT nothing").execute().await, Err(Error::Other(_)))),
                    _ => number(&db, caller).await,
                }
            }
        });
        join_all(crowd).await;
        assert_eq!(count_houses(&db).await, 30);
        assert!(db.pool_use().iter().all(|pool| pool.open <= pool.limit), "{:?}", db.pool_use());
    })
    .await;
}

#[tokio::test]
async fn the_answer_of_a_cancelled_statement_never_reaches_the_next_caller() {
    on_each_engine(async |test| {
        let options = Options { max_connections: 1, readers: 1, ..test.options.clone() };
        let db = Db::open_with(&test.url, options).await.unwrap();
        for round in 0..50 {
            number(&db, round).await;
            give_up(db.query(NUMBER).bind(-1_i64).scalar::<i64>(), round % 5).await;
            number(&db, round + 1000).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_begin_that_is_given_up_leaves_no_open_transaction() {
    on_each_engine(async |test| {
        let options = Options { max_connections: 1, readers: 1, ..test.options.clone() };
        let db = Db::open_with(&test.url, options).await.unwrap();
        for round in 0..50 {
            number(&db, round).await;
            give_up(db.begin(), round % 5).await;
            number(&db, round + 1000).await;
            // Refused in a transaction that has read already.
            let mut read = db.read().await.unwrap();
            assert_eq!(read.query(NUMBER).bind(round).scalar::<i64>().await.unwrap(), round);
        }
    })
    .await;
}

#[tokio::test]
async fn closing_does_not_wait_for_callers_that_are_gone() {
    on_each_engine(async |test| {
        let db = test.another_node().await;
        join_all((0..10).map(|wanted| number(&db, wanted))).await;
        tokio::time::timeout(Duration::from_secs(5), db.close()).await.expect("idle connections do not keep it open");
        assert!(matches!(db.query(NUMBER).bind(1_i64).scalar::<i64>().await, Err(Error::Connection(_))));
    })
    .await;
}

#[test]
fn a_database_may_outlive_the_runtime_that_used_it() {
    for engine in berth_db::testing::ENGINES {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let db = runtime.block_on(async {
            let test = berth_db::testing::TestDatabase::empty(engine).await;
            let db = Db::open_with(&test.url, test.options.clone()).await.unwrap();
            join_all((0..10).map(|wanted| number(&db, wanted))).await;
            db
        });
        drop(runtime);
        drop(db);
    }
}
