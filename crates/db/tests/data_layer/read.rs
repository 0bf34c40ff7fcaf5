//! Reads: consistent snapshots, one sort order, lists as parameters, and no writes.

use berth_db::testing::{TestDatabase, seen_texts};
use berth_db::{Engine, Error, Queries};
use uuid::Uuid;

use crate::tables::{COUNT_HOUSES, add_house, count_houses, on_each_engine};

#[tokio::test]
async fn a_snapshot_sees_one_view() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let mut view = test.db.read().await.unwrap();
        assert_eq!(view.query(COUNT_HOUSES).scalar::<i64>().await.unwrap(), 1);
        add_house(&test.db, 2, "Quay").await.unwrap();
        assert_eq!(view.query(COUNT_HOUSES).scalar::<i64>().await.unwrap(), 1);
        assert_eq!(count_houses(&test.db).await, 2);
        drop(view);
        let mut later = test.db.read().await.unwrap();
        assert_eq!(later.query(COUNT_HOUSES).scalar::<i64>().await.unwrap(), 2);
    })
    .await;
}

#[tokio::test]
async fn one_function_reads_from_the_database_and_in_a_transaction() {
    async fn count(mut on: impl Queries) -> i64 {
        on.query(COUNT_HOUSES).scalar().await.unwrap()
    }
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        tx.query("INSERT INTO houses (id, name, name_key) VALUES ($1, $2, $2)")
            .bind(Uuid::from_u128(1))
            .bind("Pier")
            .execute()
            .await
            .unwrap();
        assert_eq!(count(&mut tx).await, 1);
        tx.rollback().await.unwrap();
        assert_eq!(count(&test.db).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_snapshot_refuses_to_write() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let mut view = test.db.read().await.unwrap();
        let outcome = view.query("UPDATE houses SET version = $1").bind(7_i64).execute().await;
        assert!(matches!(outcome, Err(Error::Other(_))), "{outcome:?}");
        drop(view);
        assert_eq!(test.db.query("SELECT version FROM houses").scalar::<i64>().await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn sqlite_refuses_a_write_outside_of_a_transaction() {
    let test = crate::tables::with_tables(Engine::Sqlite).await;
    assert!(matches!(test.db.query("DELETE FROM houses").execute().await, Err(Error::Other(_))));
}

#[tokio::test]
async fn text_is_ordered_by_its_bytes() {
    on_each_engine(async |test| {
        let names = ["b", "a b", "ab", "Z", "é", "e", "_", "a-b", "\u{1F6CF}", "\u{FFFD}", "1", "10", "2"];
        for (number, name) in names.iter().enumerate() {
            let mut tx = test.db.begin().await.unwrap();
            tx.query("INSERT INTO houses (id, name, name_key) VALUES ($1, $2, $2)")
                .bind(Uuid::from_u128(number as u128))
                .bind(*name)
                .execute()
                .await
                .unwrap();
            tx.commit().await.unwrap();
        }
        let ordered: Vec<(String,)> =
            test.db.query(r#"SELECT name FROM houses ORDER BY name_key COLLATE "C", id"#).all().await.unwrap();
        let ordered: Vec<&str> = ordered.iter().map(|(name,)| name.as_str()).collect();
        let mut expected = names;
        expected.sort_unstable();
        assert_eq!(ordered, expected);
    })
    .await;
}

#[tokio::test]
async fn a_list_parameter_matches_its_items_and_an_empty_one_nothing() {
    const TEXT: &str = "SELECT name FROM houses WHERE version = $1 AND id IN ($2..) ORDER BY id";
    on_each_engine(async |test| {
        for (id, name) in [(1, "Pier"), (2, "Quay"), (3, "Dock")] {
            add_house(&test.db, id, name).await.unwrap();
        }
        for (ids, expected) in [(vec![3, 1, 9], vec!["Pier", "Dock"]), (vec![2], vec!["Quay"]), (vec![], vec![])] {
            let ids = ids.into_iter().map(Uuid::from_u128);
            let found: Vec<(String,)> = test.db.query(TEXT).bind(0_i64).bind_list(ids).all().await.unwrap();
            assert_eq!(found.iter().map(|(name,)| name.as_str()).collect::<Vec<_>>(), expected);
        }
    })
    .await;
}

#[tokio::test]
async fn misuse_of_a_list_parameter_is_an_error() {
    on_each_engine(async |test| {
        let after = test.db.query("SELECT name FROM houses WHERE version IN ($1..)").bind_list([1_i64]).bind(2_i64);
        assert!(matches!(after.all::<(String,)>().await, Err(Error::Other(_))));
        let unmarked = test.db.query("SELECT name FROM houses WHERE version IN ($1)").bind_list([1_i64]);
        assert!(matches!(unmarked.all::<(String,)>().await, Err(Error::Other(_))));
        let not_in = test.db.query("SELECT name FROM houses WHERE version NOT IN ($1..)").bind_list([0_i64; 0]);
        assert!(matches!(not_in.all::<(String,)>().await, Err(Error::Other(_))));
    })
    .await;
}

#[tokio::test]
async fn each_statement_is_recorded_with_the_engines_that_ran_it() {
    const BOTH: &str = "SELECT COUNT(*) FROM houses WHERE name = 'noted on both'";
    const ONE: &str = "SELECT COUNT(*) FROM houses WHERE name = 'noted on one'";
    on_each_engine(async |test| {
        test.db.query(BOTH).scalar::<i64>().await.unwrap();
        if test.db.engine() == Engine::Sqlite {
            test.db.query(ONE).scalar::<i64>().await.unwrap();
        }
    })
    .await;
    let seen = |text| seen_texts().into_iter().find(|(noted, _)| *noted == text).unwrap().1;
    assert!(seen(BOTH).sqlite && seen(BOTH).postgres);
    assert!(seen(ONE).sqlite && !seen(ONE).postgres);
}

#[tokio::test]
async fn pools_report_how_many_connections_are_used() {
    on_each_engine(async |test| {
        let used =
            |test: &TestDatabase| test.db.pool_use().iter().map(|pool| pool.open as usize - pool.idle).sum::<usize>();
        let tx = test.db.begin().await.unwrap();
        assert!(used(&test) >= 1);
        assert!(test.db.pool_use().iter().all(|pool| pool.open <= pool.limit));
        drop(tx);
        test.db.ping().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_copy_of_a_sqlite_file_is_complete_while_a_writer_is_active() {
    let test = crate::tables::with_tables(Engine::Sqlite).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.db");
    let mut writer = test.db.begin().await.unwrap();
    writer.query("UPDATE houses SET version = $1").bind(9_i64).execute().await.unwrap();
    test.db.copy_to(&file).await.unwrap();
    writer.commit().await.unwrap();
    assert!(test.db.copy_to(&file).await.is_err(), "a copy never overwrites a file");
    let copy = berth_db::Db::open(&format!("sqlite:{}", file.display())).await.unwrap();
    assert_eq!(copy.query("SELECT version FROM houses").scalar::<i64>().await.unwrap(), 0);
}

#[tokio::test]
async fn parameters_are_distinguished_by_their_numbers() {
    on_each_engine(async |test| {
        let row: (i64, i64, i64) = test
            .db
            .query("SELECT CAST($2 AS BIGINT), CAST($1 AS BIGINT), CAST($2 AS BIGINT)")
            .bind(1_i64)
            .bind(2_i64)
            .one()
            .await
            .unwrap();
        assert_eq!(row, (2, 1, 2));
    })
    .await;
}

#[tokio::test]
async fn a_statement_needs_as_many_values_as_parameters() {
    on_each_engine(async |test| {
        // PostgreSQL accepts an unused value when it prepares the text for the first time.
        let wrong: &[i64] = if test.db.engine() == Engine::Sqlite { &[0, 1, 3] } else { &[0, 1] };
        for &values in wrong {
            let mut query = test.db.query("SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT)");
            for value in 0..values {
                query = query.bind(value);
            }
            assert!(query.optional::<(i64, i64)>().await.is_err(), "{values} values for two parameters");
        }
    })
    .await;
}

#[tokio::test]
async fn null_can_only_be_read_into_an_option() {
    on_each_engine(async |test| {
        let nothing = test.db.query("SELECT CAST(NULL AS BIGINT)").scalar::<i64>().await;
        assert!(matches!(nothing, Err(Error::Other(_))), "{nothing:?}");
        assert_eq!(test.db.query("SELECT CAST(NULL AS BIGINT)").scalar::<Option<i64>>().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn each_row_is_read_by_column_name() {
    #[derive(Debug, PartialEq, berth_db::FromRow)]
    struct House {
        version: i64,
        #[row(flatten)]
        named: Named,
    }
    #[derive(Debug, PartialEq, berth_db::FromRow)]
    struct Named {
        name: String,
        id: Uuid,
    }
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        add_house(&test.db, 2, "Quay").await.unwrap();
        let houses: Vec<House> =
            test.db.query("SELECT id, name, name_key, version FROM houses ORDER BY id").all().await.unwrap();
        let house = |number, name: &str| House {
            version: 0,
            named: Named { name: name.to_owned(), id: Uuid::from_u128(number) },
        };
        assert_eq!(houses, [house(1, "Pier"), house(2, "Quay")]);
        let missing = test.db.query("SELECT id, name FROM houses").all::<House>().await;
        assert!(matches!(missing, Err(Error::Other(_))), "{missing:?}");
    })
    .await;
}
