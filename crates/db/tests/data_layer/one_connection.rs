//! A request holds one connection at a time. In tests, a second one panics.

use berth_db::{Db, in_order};

use crate::tables::on_each_engine;

/// What a request opens.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Query,
    Read,
    Write,
}

async fn ask(db: &Db, ask: Ask) {
    match ask {
        Ask::Query => db.ping().await.unwrap(),
        Ask::Read => drop(db.read().await.unwrap()),
        Ask::Write => db.begin().await.unwrap().rollback().await.unwrap(),
    }
}

#[tokio::test]
async fn a_request_that_holds_a_transaction_may_not_open_a_second_connection() {
    on_each_engine(async |test| {
        for (is_write, second) in [true, false]
            .into_iter()
            .flat_map(|is_write| [Ask::Query, Ask::Read, Ask::Write].map(|second| (is_write, second)))
        {
            let db = test.db.clone();
            let request = tokio::spawn(async move {
                let request = async {
                    let _held = if is_write { db.begin().await } else { db.read().await }.unwrap();
                    ask(&db, second).await;
                };
                in_order(&db, request).await;
            });
            assert!(request.await.is_err_and(|error| error.is_panic()), "{second:?} while it holds one");
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_may_open_another_after_its_transaction_has_ended() {
    on_each_engine(async |test| {
        let db = &test.db;
        in_order(db, async {
            db.begin().await.unwrap().commit().await.unwrap();
            ask(db, Ask::Query).await;
            db.begin().await.unwrap().rollback().await.unwrap();
            ask(db, Ask::Read).await;
            drop(db.begin().await.unwrap());
            ask(db, Ask::Write).await;
            ask(db, Ask::Query).await;
        })
        .await;
    })
    .await;
}
