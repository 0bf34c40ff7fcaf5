//! Inserting many rows with few statements.

use berth_db::{Error, Values};
use uuid::Uuid;

use crate::tables::{COUNT_HOUSES, count_houses, on_each_engine};

const INSERT: &str = "INSERT INTO houses (id, name, name_key, note, is_open, version) VALUES ($1..)";

/// A row, as it is bound and read.
#[derive(Clone, Debug, PartialEq, berth_db::FromRow)]
struct HouseRow {
    id: Uuid,
    name: String,
    note: Option<String>,
    is_open: bool,
    version: i64,
}

fn houses(count: u128) -> Vec<HouseRow> {
    let house = |number: u128| HouseRow {
        id: Uuid::from_u128(number),
        name: format!("House {number:05}"),
        note: number.is_multiple_of(3).then(|| format!("$1..? {number}")),
        is_open: number.is_multiple_of(2),
        version: i64::try_from(number).unwrap(),
    };
    (0..count).map(house).collect()
}

/// All rows end up in the right columns, however many statements they take.
#[tokio::test]
async fn many_rows_are_read_back_as_inserted() {
    const HOUSES: &str = "SELECT id, name, note, is_open, version FROM houses ORDER BY id";
    on_each_engine(async |test| {
        for count in [1, 7, 512, 1_337, 6_000] {
            let rows = houses(count);
            let mut tx = test.db.begin().await.unwrap();
            let inserted = tx
                .insert(INSERT, &rows, |values, row| {
                    values.bind(row.id).bind(&row.name).bind(&row.name).bind(row.note.as_deref());
                    values.bind(row.is_open).bind(row.version);
                })
                .await
                .unwrap();
            assert_eq!(u128::from(inserted), count);
            assert_eq!(tx.query(HOUSES).all::<HouseRow>().await.unwrap(), rows);
            tx.rollback().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn no_rows_run_no_statement() {
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        let inserted = tx.insert(INSERT, &Vec::<Uuid>::new(), |_, _| panic!("there is no row")).await.unwrap();
        assert_eq!(inserted, 0);
        tx.commit().await.unwrap();
        assert_eq!(count_houses(&test.db).await, 0);
    })
    .await;
}

#[tokio::test]
async fn an_insert_may_ignore_conflicts() {
    const LINKS: &str =
        "INSERT INTO links (house_id, other_id) VALUES ($1..) ON CONFLICT (house_id, other_id) DO NOTHING";
    on_each_engine(async |test| {
        let pairs: Vec<(Uuid, Uuid)> = (0..9).map(|n| (Uuid::from_u128(n % 3), Uuid::from_u128(1))).collect();
        let mut tx = test.db.begin().await.unwrap();
        let bind = |values: &mut Values<'_, '_>, pair: &(Uuid, Uuid)| {
            values.bind(pair.0).bind(pair.1);
        };
        assert_eq!(tx.insert(LINKS, &pairs, bind).await.unwrap(), 3);
    })
    .await;
}

/// A failed statement rolls back all others of its transaction.
#[tokio::test]
async fn one_refused_row_fails_its_transaction() {
    on_each_engine(async |test| {
        let mut rows = houses(700);
        rows[650].name = "House 00003".to_owned();
        let mut tx = test.db.begin().await.unwrap();
        let outcome = tx
            .insert(INSERT, &rows, |values, row| {
                values.bind(row.id).bind(&row.name).bind(&row.name).bind(None::<&str>).bind(true).bind(row.version);
            })
            .await;
        assert_eq!(outcome.unwrap_err().unique(), Some("houses_name_key_key"));
        assert!(tx.query(COUNT_HOUSES).scalar::<i64>().await.is_err());
        assert!(tx.commit().await.is_err());
        assert_eq!(count_houses(&test.db).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_row_binds_each_column_once() {
    on_each_engine(async |test| {
        for values_bound in [0, 1, 3, 4] {
            let mut tx = test.db.begin().await.unwrap();
            let outcome = tx
                .insert("INSERT INTO links (house_id, other_id) VALUES ($1..)", &[Uuid::nil()], |values, id| {
                    for _ in 0..values_bound {
                        values.bind(*id);
                    }
                })
                .await;
            assert!(matches!(outcome, Err(Error::Other(_))), "{outcome:?}");
        }
        let mut tx = test.db.begin().await.unwrap();
        let outcome = tx.insert("INSERT INTO links VALUES ($1..)", &[Uuid::nil()], |_, _| ()).await;
        assert!(matches!(outcome, Err(Error::Other(_))), "{outcome:?}");
    })
    .await;
}

/// After a failed statement, every other statement fails too, also an insert.
#[tokio::test]
async fn an_insert_after_a_failed_statement_is_refused() {
    on_each_engine(async |test| {
        let mut tx = test.db.begin().await.unwrap();
        assert!(tx.query("SELECT nothing FROM nowhere").execute().await.is_err());
        let outcome = tx
            .insert("INSERT INTO links (house_id, other_id) VALUES ($1..)", &[Uuid::nil()], |values, id| {
                values.bind(*id).bind(*id);
            })
            .await;
        assert!(matches!(outcome, Err(Error::Other(_))), "{outcome:?}");
    })
    .await;
}

#[tokio::test]
async fn settling_a_loaded_database_succeeds() {
    on_each_engine(async |test| test.db.settle().await.unwrap()).await;
}
