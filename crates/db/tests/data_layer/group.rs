//! Group commit on SQLite: transactions that wait for the writer share a flush, and none is affected by another of its
//! group (decision 0020). `PostgreSQL` does the same by itself, so the rules hold there, too.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use berth_db::{Db, Engine, Error, Result, in_order};
use uuid::Uuid;

use crate::tables::{COUNT_HOUSES, INSERT_HOUSE, TOUCH, add_house, count_houses, on_each_engine, with_tables};

const A_MOMENT: Duration = Duration::from_millis(80);

/// Adds a house if its number is even. If it is odd, drops the transaction and returns false.
async fn add_even(db: Db, number: u128) -> Result<bool> {
    let mut tx = db.begin().await?;
    let name = format!("house {number}");
    tx.query(INSERT_HOUSE).bind(Uuid::from_u128(number)).bind(&name).bind(&name).execute().await?;
    if number % 2 == 1 {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

#[tokio::test]
async fn a_rollback_does_not_undo_others_of_its_group() {
    on_each_engine(async |test| {
        let first = test.db.begin().await.unwrap();
        let rivals: Vec<_> = (1..=40).map(|number| tokio::spawn(add_even(test.db.clone(), number))).collect();
        tokio::time::sleep(A_MOMENT).await;
        first.commit().await.unwrap();
        let mut added = 0;
        for rival in rivals {
            added += i64::from(rival.await.unwrap().unwrap());
        }
        assert_eq!(added, 20);
        assert_eq!(count_houses(&test.db).await, 20, "exactly the acknowledged houses are there");
    })
    .await;
}

#[tokio::test]
async fn a_transaction_that_violates_a_constraint_fails_alone() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let first = test.db.begin().await.unwrap();
        let names = ["Quay", "Pier", "Mole", "Pier", "Dock"];
        let rivals: Vec<_> = (2..)
            .zip(names)
            .map(|(number, name)| {
                let db = test.db.clone();
                tokio::spawn(async move { add_house(&db, number, name).await })
            })
            .collect();
        tokio::time::sleep(A_MOMENT).await;
        drop(first);
        for (rival, name) in rivals.into_iter().zip(names) {
            let outcome = rival.await.unwrap();
            match name {
                "Pier" => assert_eq!(outcome.unwrap_err().unique(), Some("houses_name_key_key")),
                _ => outcome.unwrap(),
            }
        }
        assert_eq!(count_houses(&test.db).await, 4);
    })
    .await;
}

#[tokio::test]
async fn a_commit_is_not_acknowledged_before_others_can_read_it() {
    on_each_engine(async |test| {
        let rivals: Vec<_> = (1..=60)
            .map(|number| {
                let db = test.db.clone();
                tokio::spawn(async move {
                    add_house(&db, number, &format!("house {number}")).await.unwrap();
                    let mine = db.query("SELECT version FROM houses WHERE id = $1").bind(Uuid::from_u128(number));
                    mine.scalar::<i64>().await.unwrap()
                })
            })
            .collect();
        for rival in rivals {
            assert_eq!(rival.await.unwrap(), 0);
        }
    })
    .await;
}

#[tokio::test]
async fn a_transaction_that_saw_an_unflushed_change_reads_it_afterwards() {
    let test = with_tables(Engine::Sqlite).await;
    let first = test.db.begin().await.unwrap();
    // Both wait: the second sees the change of the first before it is flushed.
    let db = test.db.clone();
    let winner = tokio::spawn(async move { add_house(&db, 1, "Pier").await });
    tokio::time::sleep(A_MOMENT).await;
    let db = test.db.clone();
    let loser = tokio::spawn(async move {
        in_order(&db, async {
            let mut tx = db.begin().await.unwrap();
            let inside: i64 = tx.query(COUNT_HOUSES).scalar().await.unwrap();
            drop(tx);
            (inside, db.query(COUNT_HOUSES).scalar::<i64>().await.unwrap())
        })
        .await
    });
    tokio::time::sleep(A_MOMENT).await;
    drop(first);
    winner.await.unwrap().unwrap();
    assert_eq!(loser.await.unwrap(), (1, 1), "it saw the house inside its transaction and after it");
}

#[tokio::test]
async fn a_client_that_disconnects_frees_the_writer_for_the_next() {
    on_each_engine(async |test| {
        for number in 1..=30 {
            let db = test.db.clone();
            let task = tokio::spawn(async move { add_house(&db, number, &format!("house {number}")).await });
            let other = test.db.clone();
            let neighbour =
                tokio::spawn(async move { add_house(&other, number + 100, &format!("house {number} b")).await });
            tokio::time::sleep(Duration::from_micros(u64::try_from(number).unwrap() * 40)).await;
            task.abort();
            neighbour.await.unwrap().unwrap();
        }
        let mut tx = test.db.begin().await.unwrap();
        assert!(tx.query(COUNT_HOUSES).scalar::<i64>().await.unwrap() >= 30);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_full_database_is_reported_to_each_and_acknowledged_changes_stay() {
    const FULL: &str = "PRAGMA max_page_count = 20";
    const ROOM: &str = "PRAGMA max_page_count = 1000000";
    let test = with_tables(Engine::Sqlite).await;
    let mut tx = test.db.begin().await.unwrap();
    tx.query(FULL).execute().await.unwrap();
    tx.commit().await.unwrap();
    let first = test.db.begin().await.unwrap();
    let rivals: Vec<_> = (1..=60)
        .map(|number| {
            let db = test.db.clone();
            tokio::spawn(async move {
                add_house(&db, number, &format!("{number} {}", "x".repeat(1_500))).await.map(|()| number)
            })
        })
        .collect();
    tokio::time::sleep(A_MOMENT).await;
    // It fails with its group, if it has one.
    let outcome = first.commit().await;
    assert!(matches!(outcome, Ok(()) | Err(Error::DiskFull(_) | Error::Busy(_))), "{outcome:?}");
    let mut acknowledged = 0;
    for rival in rivals {
        match rival.await.unwrap() {
            Ok(_) => acknowledged += 1,
            Err(Error::DiskFull(_) | Error::Busy(_)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(count_houses(&test.db).await, acknowledged);
    let mut tx = test.db.begin().await.unwrap();
    tx.query(ROOM).execute().await.unwrap();
    tx.commit().await.unwrap();
    add_house(&test.db, 100, "Dock").await.unwrap();
    assert_eq!(count_houses(&test.db).await, acknowledged + 1);
}

#[tokio::test]
async fn commits_that_share_a_flush_run_their_callbacks_in_order() {
    let test = with_tables(Engine::Sqlite).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let first = test.db.begin().await.unwrap();
    let rivals: Vec<_> = (0..40)
        .map(|_| {
            let (db, told) = (test.db.clone(), Arc::clone(&told));
            tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                let version: i64 = tx.query(TOUCH).bind(Uuid::from_u128(1)).scalar().await.unwrap();
                tx.commit_then(move || told.lock().unwrap().push(version)).await.unwrap();
            })
        })
        .collect();
    tokio::time::sleep(A_MOMENT).await;
    drop(first);
    for rival in rivals {
        rival.await.unwrap();
    }
    assert_eq!(*told.lock().unwrap(), (1..=40).collect::<Vec<i64>>());
}
