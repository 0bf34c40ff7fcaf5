//! Reads without a sign-in neither wait for writes nor write, so strangers cannot block writers.

use berth_db::Engine;

use crate::both_engines;
use crate::matrix::{ask, house, operations, places, sample};

/// Blocks all writes until it is dropped. Reads continue.
async fn keep_from_writing(db: &berth_db::Db) -> berth_db::Tx {
    const TABLES: &str = "SELECT string_agg(quote_ident(table_name), ', ') FROM information_schema.tables \
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'";
    // SQLite has one writer.
    let mut tx = db.begin().await.unwrap();
    if db.engine() == Engine::Postgres {
        let tables: String = tx.query(TABLES).scalar().await.unwrap();
        tx.query(format!("LOCK TABLE {tables} IN EXCLUSIVE MODE").leak()).execute().await.unwrap();
    }
    tx
}

both_engines! {
    async fn public_reads_do_not_write(small: House) {
        let house = house(small.db().engine()).await;
        let [place, ..] = places();
        let writing = keep_from_writing(house.db()).await;
        let mut read = Vec::new();
        for operation in operations().into_iter().filter(|operation| operation.starts_with("GET")) {
            // Its attempts are counted, and each lookup is recorded (docs/decisions/0049).
            if operation == "GET /api/public/reservations/{code}" {
                continue;
            }
            let answer = ask(&house, &operation, &sample(&operation, &place).unwrap()).send().await;
            assert!(answer.status < 500, "{operation}: {} {}", answer.status, answer.text);
            if answer.status == 200 {
                read.push(operation);
            }
        }
        assert_eq!(read, ["GET /api/public/settings", "GET /api/public/sites", "GET /api/public/sites/{id}"]);
        drop(writing);
    }
}
