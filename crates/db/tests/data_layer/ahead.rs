//! Statements that are sent ahead go together on SQLite and one by one on `PostgreSQL`; what they tell is the same.

use berth_db::{Error, Tx};
use uuid::Uuid;

use crate::tables::{COUNT_HOUSES, INSERT_HOUSE, count_houses, on_each_engine};

const RENAME: &str = "UPDATE houses SET name = $2 WHERE id = $1";
const NAMES: &str = "SELECT name FROM houses WHERE id = $1 OR id = $2 ORDER BY id";

async fn house_ahead(tx: &mut Tx, number: u128, name: &str) -> berth_db::Result<berth_db::Ahead> {
    tx.query(INSERT_HOUSE).bind(Uuid::from_u128(number)).bind(name).bind(name.to_lowercase()).ahead().await
}

#[tokio::test]
async fn statements_run_in_their_order_each_with_its_own_values() {
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        let first = house_ahead(&mut tx, 1, "Pier").await.unwrap();
        let second = house_ahead(&mut tx, 2, "Quay").await.unwrap();
        let none = tx.query(RENAME).bind(Uuid::from_u128(9)).bind("Nobody").ahead().await.unwrap();
        let names = tx.query(NAMES).bind(Uuid::from_u128(1)).bind(Uuid::from_u128(2)).ahead().await.unwrap();
        assert_eq!(tx.query(COUNT_HOUSES).scalar::<i64>().await.unwrap(), 2);
        let counts = [first, second, none].map(|ahead| tx.changed(ahead).unwrap());
        assert_eq!(counts, [1, 1, 0]);
        let names: Vec<(String,)> = tx.rows(names).unwrap();
        assert_eq!(names, [("Pier".to_owned(),), ("Quay".to_owned(),)]);
        tx.commit().await.unwrap();
        assert_eq!(count_houses(&test.db).await, 2);
    })
    .await;
}

#[tokio::test]
async fn what_waits_at_the_commit_is_part_of_it() {
    on_each_engine(async |test| {
        let others = (10..14).map(|number| {
            let db = test.db.clone();
            async move {
                let mut tx = db.begin().await.unwrap();
                let _ = house_ahead(&mut tx, number, &format!("House {number}")).await.unwrap();
                tx.commit().await.unwrap();
            }
        });
        // Alone and in a group that shares its flush.
        futures_util::future::join_all(others).await;
        assert_eq!(count_houses(&test.another_node().await).await, 4);
    })
    .await;
}

#[tokio::test]
async fn a_dropped_transaction_runs_nothing_that_waits() {
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        let _ = house_ahead(&mut tx, 1, "Pier").await.unwrap();
        drop(tx);
        assert_eq!(count_houses(&test.db).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_failure_of_one_is_told_and_fails_the_transaction() {
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        let _ = house_ahead(&mut tx, 1, "Pier").await.unwrap();
        let told = match house_ahead(&mut tx, 1, "Quay").await {
            Ok(_) => tx.together().await,
            Err(error) => Err(error),
        };
        assert!(matches!(told, Err(Error::Unique { .. })), "{told:?}");
        assert!(tx.query(COUNT_HOUSES).scalar::<i64>().await.is_err());
        assert!(tx.commit().await.is_err());
        assert_eq!(count_houses(&test.db).await, 0);

        let mut tx = test.db.begin().await.unwrap();
        let _ = house_ahead(&mut tx, 1, "Pier").await.unwrap();
        let committed = match house_ahead(&mut tx, 1, "Quay").await {
            Ok(_) => tx.commit().await,
            Err(error) => Err(error),
        };
        assert!(matches!(committed, Err(Error::Unique { .. })), "{committed:?}");
        assert_eq!(count_houses(&test.db).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_query_that_took_what_waits_and_never_ran_fails_the_transaction() {
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        let sqlite = tx.engine() == berth_db::Engine::Sqlite;
        let _ = house_ahead(&mut tx, 1, "Pier").await.unwrap();
        drop(tx.query(RENAME).bind(Uuid::from_u128(1)));
        assert_eq!(tx.commit().await.is_err(), sqlite, "nothing is lost in silence");
        assert_eq!(count_houses(&test.db).await, i64::from(!sqlite));
    })
    .await;
}
