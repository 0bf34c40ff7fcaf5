//! What a connection of SQLite remembers about a text: parameters and columns are found by name on every run, not only on the first.

use berth_db::{Db, Options};

use crate::tables::on_each_engine;

/// The parameters and the columns are not in the order of their numbers.
const PAIR: &str = "SELECT CAST($2 AS BIGINT) AS second, CAST($1 AS BIGINT) AS first";

#[derive(Debug, PartialEq, berth_db::FromRow)]
struct FirstThenSecond {
    first: i64,
    second: i64,
}

#[derive(Debug, PartialEq, berth_db::FromRow)]
struct SecondThenFirst {
    second: i64,
    first: i64,
}

/// Runs `work` on each engine with a single connection, so that every statement meets what the earlier ones left.
async fn on_one_connection(work: impl AsyncFn(Db)) {
    on_each_engine(async |test| {
        let options = Options { max_connections: 1, readers: 1, ..test.options.clone() };
        work(Db::open_with(&test.url, options).await.unwrap()).await;
    })
    .await;
}

#[tokio::test]
async fn a_text_that_runs_again_is_bound_and_read_by_name_each_time() {
    on_one_connection(async |db| {
        for number in 0..3 {
            let pair = db.query(PAIR).bind(number).bind(number + 10).one::<FirstThenSecond>().await.unwrap();
            assert_eq!(pair, FirstThenSecond { first: number, second: number + 10 });
        }
        // Another type reads the same text in another order.
        let pair = db.query(PAIR).bind(1_i64).bind(2_i64).one::<SecondThenFirst>().await.unwrap();
        assert_eq!(pair, SecondThenFirst { second: 2, first: 1 });
        let pair = db.query(PAIR).bind(1_i64).bind(2_i64).one::<(i64, i64)>().await.unwrap();
        assert_eq!(pair, (2, 1));
    })
    .await;
}

#[tokio::test]
async fn a_text_that_runs_again_still_refuses_a_missing_and_an_extra_value() {
    on_one_connection(async |db| {
        for _ in 0..2 {
            assert_eq!(db.query(PAIR).bind(1_i64).bind(2_i64).one::<(i64, i64)>().await.unwrap(), (2, 1));
            let missing = db.query(PAIR).bind(1_i64).one::<(i64, i64)>().await;
            assert!(missing.is_err(), "{missing:?}");
            let extra = db.query(PAIR).bind(1_i64).bind(2_i64).bind(3_i64).one::<(i64, i64)>().await;
            assert!(extra.is_err(), "{extra:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn lists_of_different_lengths_share_a_text_but_no_layout() {
    const CHOSEN: &str = "SELECT COUNT(*) FROM houses WHERE version = $1 OR version IN ($2..)";
    on_one_connection(async |db| {
        for length in [3_i64, 1, 5] {
            let counted = db.query(CHOSEN).bind(7_i64).bind_list(0..length).scalar::<i64>().await;
            assert_eq!(counted.unwrap(), 0, "{length}");
        }
    })
    .await;
}
