//! A lost database: it is reported in bounded time, leaves no partial change, and works again once it is back.

use std::process::Stdio;
use std::time::{Duration, Instant};

use berth_db::testing::Proxy;
use berth_db::{Db, Engine, Error, Options, Result};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use uuid::Uuid;

use crate::tables::{INSERT_HOUSE, add_house, count_houses, with_tables};

const SHORT: Duration = Duration::from_millis(400);

fn is_gone<T: std::fmt::Debug>(outcome: &Result<T>) -> bool {
    matches!(outcome, Err(Error::Connection(_) | Error::Busy(_)))
}

/// The server is back, but old connections may still be in the pool. Each of them fails at most once.
async fn eventually_counts(db: &Db, expected: i64) {
    let begun = Instant::now();
    loop {
        match db.query("SELECT COUNT(*) FROM houses").scalar::<i64>().await {
            Ok(count) => return assert_eq!(count, expected),
            Err(Error::Connection(_) | Error::Busy(_)) if begun.elapsed() < Duration::from_secs(20) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test]
async fn a_cut_network_is_reported_in_bounded_time_and_recovers() {
    let test = with_tables(Engine::Postgres).await;
    let proxy = Proxy::before(&test.url).await;
    let options = Options { acquire_timeout: SHORT, ..test.options.clone() };
    let db = Db::open_with(&proxy.url(&test.url), options).await.unwrap();
    add_house(&db, 1, "Pier").await.unwrap();
    let mut open = db.begin().await.unwrap();
    open.query(INSERT_HOUSE).bind(Uuid::from_u128(2)).bind("Quay").bind("quay").execute().await.unwrap();

    proxy.cut();
    let begun = Instant::now();
    let commit = open.commit().await;
    assert!(matches!(commit, Err(Error::Connection(_))), "{commit:?}");
    for _ in 0..3 {
        let outcome = add_house(&db, 3, "Dock").await;
        assert!(is_gone(&outcome), "{outcome:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(10));

    proxy.mend();
    eventually_counts(&db, 1).await;
    add_house(&db, 3, "Dock").await.unwrap();
    assert_eq!(count_houses(&test.db).await, 2);
}

#[tokio::test]
async fn a_stalled_statement_can_be_cancelled_and_its_connection_recovers() {
    let test = with_tables(Engine::Postgres).await;
    let proxy = Proxy::before(&test.url).await;
    let options = Options { max_connections: 1, ..test.options.clone() };
    let db = Db::open_with(&proxy.url(&test.url), options).await.unwrap();
    proxy.stall();
    assert!(tokio::time::timeout(SHORT, add_house(&db, 1, "Pier")).await.is_err());
    proxy.mend();
    eventually_counts(&db, 0).await;
    add_house(&db, 1, "Pier").await.unwrap();
}

#[tokio::test]
async fn a_terminated_session_loses_only_its_transaction() {
    let test = with_tables(Engine::Postgres).await;
    let mut victim = test.db.begin().await.unwrap();
    victim.query(INSERT_HOUSE).bind(Uuid::from_u128(1)).bind("Pier").bind("pier").execute().await.unwrap();
    let process: i64 = victim.query("SELECT CAST(pg_backend_pid() AS BIGINT)").scalar().await.unwrap();
    assert!(
        test.db.query("SELECT pg_terminate_backend(CAST($1 AS INT))").bind(process).scalar::<bool>().await.unwrap()
    );
    let outcome = victim.query("SELECT COUNT(*) FROM houses").scalar::<i64>().await;
    assert!(matches!(outcome, Err(Error::Connection(_))), "{outcome:?}");
    drop(victim);
    eventually_counts(&test.db, 0).await;
    add_house(&test.db, 1, "Pier").await.unwrap();
}

/// Stops and starts a server that only this test uses.
#[tokio::test]
async fn a_restarted_server_serves_the_same_pool() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/with-postgres");
    let mut server = Command::new(script)
        .args(["bash", "-c", "echo \"$BERTH_TEST_POSTGRES\"; echo \"$BERTH_TEST_PG_CTL\"; read -r _"])
        .env_remove("BERTH_TEST_POSTGRES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
    let url = said.next_line().await.unwrap().expect("the address of the server");
    let control = said.next_line().await.unwrap().expect("the control program of the server");
    let tell = async |action: &str| {
        let status =
            Command::new(&control).args([action, "-m", "fast", "-w"]).stdout(Stdio::null()).status().await.unwrap();
        assert!(status.success(), "pg_ctl {action}");
    };

    let options = Options { acquire_timeout: SHORT, ..Options::default() };
    let db = Db::open_with(&url, options).await.unwrap();
    db.migrate().await.unwrap();
    let organizations = async || db.query("SELECT COUNT(*) FROM organizations").scalar::<i64>().await;
    assert_eq!(organizations().await.unwrap(), 0);
    tell("stop").await;
    assert!(is_gone(&organizations().await));
    let begun = Instant::now();
    let refused = Db::open_with(&url, Options { acquire_timeout: SHORT, ..Options::default() }).await;
    assert!(matches!(refused, Err(Error::Connection(_))), "an unreachable server is a connection error, not busy");
    assert!(begun.elapsed() < Duration::from_secs(5));

    tell("start").await;
    let begun = Instant::now();
    while is_gone(&organizations().await) && begun.elapsed() < Duration::from_secs(20) {}
    assert_eq!(organizations().await.unwrap(), 0);
    db.close().await;
    drop(server.stdin.take());
    server.wait().await.unwrap();
}

#[tokio::test]
async fn a_closed_database_reports_it_and_a_reopened_file_has_all_commits() {
    for engine in berth_db::testing::ENGINES {
        let test = with_tables(engine).await;
        add_house(&test.db, 1, "Pier").await.unwrap();
        test.db.close().await;
        assert!(matches!(add_house(&test.db, 2, "Quay").await, Err(Error::Connection(_))));
        assert_eq!(count_houses(&test.another_node().await).await, 1);
    }
}

#[tokio::test]
async fn an_invalid_address_is_explained() {
    for url in ["mysql://localhost/berth", "sqlite::memory:", "sqlite:", "postgres://[oops/berth"] {
        let outcome = Db::open(url).await.map(drop);
        assert!(matches!(outcome, Err(Error::Configuration(_))), "{url}: {outcome:?}");
    }
    let missing = Db::open("sqlite:/nowhere/at/all/berth.db").await.map(drop);
    assert!(matches!(missing, Err(Error::Connection(_))), "{missing:?}");
}
