//! Competing transactions: they queue, or one gets `Busy` in bounded time; none hangs and no change is lost.

use std::time::{Duration, Instant};

use berth_db::testing::TestDatabase;
use berth_db::{Db, Engine, Error, Options, retry};
use uuid::Uuid;

use crate::tables::{TOUCH, VERSION, add_house, on_each_engine, with_tables};

const HOUSE: Uuid = Uuid::from_u128(1);
const SHORT: Duration = Duration::from_millis(150);

/// The same database with short timeouts and few connections, as another node opens it.
async fn impatient(test: &TestDatabase) -> Db {
    let options =
        Options { acquire_timeout: SHORT, lock_timeout: SHORT, max_connections: 2, readers: 2, ..test.options.clone() };
    Db::open_with(&test.url, options).await.unwrap()
}

async fn touch(db: &Db) -> berth_db::Result<i64> {
    let mut tx = db.begin().await?;
    let version = tx.query(TOUCH).bind(HOUSE).scalar().await?;
    tx.commit().await?;
    Ok(version)
}

#[tokio::test]
async fn writers_of_one_row_queue_and_no_change_is_lost() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let other = test.another_node().await;
        let writers: Vec<_> = (0..40)
            .map(|number| {
                let db = if number % 2 == 0 { test.db.clone() } else { other.clone() };
                tokio::spawn(async move { retry(|| touch(&db)).await.unwrap() })
            })
            .collect();
        let mut versions = Vec::new();
        for writer in writers {
            versions.push(writer.await.unwrap());
        }
        versions.sort_unstable();
        assert_eq!(versions, (1..=40).collect::<Vec<i64>>(), "each writer got its own version");
    })
    .await;
}

#[tokio::test]
async fn the_second_writer_waits_for_the_first() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let mut first = test.db.begin().await.unwrap();
        assert_eq!(first.query(TOUCH).bind(HOUSE).scalar::<i64>().await.unwrap(), 1);
        let db = test.db.clone();
        let second = tokio::spawn(async move { touch(&db).await });
        tokio::time::sleep(SHORT).await;
        assert!(!second.is_finished());
        assert_eq!(test.db.query(VERSION).bind(HOUSE).scalar::<i64>().await.unwrap(), 0, "readers do not wait");
        first.commit().await.unwrap();
        assert_eq!(second.await.unwrap().unwrap(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_is_not_released_is_busy_in_bounded_time() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let rival = impatient(&test).await;
        let mut holder = test.db.begin().await.unwrap();
        holder.query(TOUCH).bind(HOUSE).scalar::<i64>().await.unwrap();
        let begun = Instant::now();
        assert!(matches!(touch(&rival).await, Err(Error::Busy(_))));
        assert!(begun.elapsed() < Duration::from_secs(3));
        drop(holder);
        assert_eq!(retry(|| touch(&rival)).await.unwrap(), 1, "and is free again afterwards");
    })
    .await;
}

#[tokio::test]
async fn a_full_pool_is_busy_in_bounded_time() {
    on_each_engine(async |test| {
        let db = impatient(&test).await;
        let mut held = vec![db.begin().await.unwrap()];
        if db.engine() == Engine::Postgres {
            held.push(db.begin().await.unwrap());
        }
        let begun = Instant::now();
        assert!(matches!(db.begin().await, Err(Error::Busy(_))));
        assert!(begun.elapsed() < Duration::from_secs(3));
        drop(held);
        retry(|| async { db.begin().await?.commit().await }).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_read_without_a_free_reader_is_busy_in_bounded_time() {
    on_each_engine(async |test| {
        let db = impatient(&test).await;
        let held = (db.read().await.unwrap(), db.read().await.unwrap());
        assert!(matches!(db.query("SELECT TRUE").scalar::<bool>().await, Err(Error::Busy(_))));
        drop(held);
        assert!(retry(|| db.query("SELECT TRUE").scalar::<bool>()).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_busy_command_succeeds_once_its_rival_is_gone() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let rival = impatient(&test).await;
        let mut holder = test.db.begin().await.unwrap();
        holder.query(TOUCH).bind(HOUSE).scalar::<i64>().await.unwrap();
        let patient = tokio::spawn(async move { retry(|| touch(&rival)).await });
        tokio::time::sleep(SHORT * 2).await;
        holder.commit().await.unwrap();
        assert_eq!(patient.await.unwrap().unwrap(), 2);
    })
    .await;
}

/// SQLite has one writer at a time, so this deadlock and the conflicts below happen on PostgreSQL only.
#[tokio::test]
async fn a_deadlock_makes_one_of_the_two_busy() {
    let test = with_tables(Engine::Postgres).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
    add_house(&test.db, 2, "Quay").await.unwrap();
    let (mut left, mut right) = (test.db.begin().await.unwrap(), test.db.begin().await.unwrap());
    let other = Uuid::from_u128(2);
    left.query(TOUCH).bind(HOUSE).scalar::<i64>().await.unwrap();
    right.query(TOUCH).bind(other).scalar::<i64>().await.unwrap();
    let left = tokio::spawn(async move {
        left.query(TOUCH).bind(other).scalar::<i64>().await?;
        left.commit().await
    });
    let right = tokio::spawn(async move {
        right.query(TOUCH).bind(HOUSE).scalar::<i64>().await?;
        right.commit().await
    });
    let outcomes = [left.await.unwrap(), right.await.unwrap()];
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Err(Error::Busy(_)))).count(), 1);
}

#[tokio::test]
async fn postgresql_conflicts_are_busy_and_a_full_disk_is_a_full_disk() {
    let test = with_tables(Engine::Postgres).await;
    let raised = [
        ("DO $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '40001'; END $$", true),
        ("DO $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '40P01'; END $$", true),
        ("DO $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '53100'; END $$", false),
    ];
    for (text, busy) in raised {
        let error = test.db.query(text).execute().await.unwrap_err();
        assert!(if busy { matches!(error, Error::Busy(_)) } else { matches!(error, Error::DiskFull(_)) }, "{error:?}");
        assert!(!error.to_string().contains("injected"), "the database's own message is not shown");
    }
}
