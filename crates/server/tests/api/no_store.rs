//! No guest data stays on the disk of a shared computer: a browser may store no answer of the API, whether complete, "not
//! modified" or refused. Clients keep entity tags in memory.

use axum::http::Method;

use crate::both_engines;
use crate::harness::Answer;
use crate::matrix::{ask, house, operations, places, sample};
use crate::world;

#[track_caller]
fn is_not_stored(answer: &Answer, what: &str) {
    assert_eq!(answer.header("cache-control"), "no-store", "{what}: {}", answer.status);
}

both_engines! {
    async fn no_answer_of_any_operation_may_be_stored(small: House) {
        let house = house(small.db().engine()).await;
        let [own, ..] = places();
        let mut not_modified = 0;
        // Reads first, because changes may remove what is read.
        let (reads, changes): (Vec<_>, Vec<_>) = operations().into_iter().partition(|name| name.starts_with("GET"));
        for operation in reads.iter().chain(&changes) {
            // Pictures that are not a guest's are public and may be stored; insurance cards are not (`images`).
            if operation.as_str() == "GET /files/{path}" {
                continue;
            }
            let call = || ask(&house, operation, &sample(operation, &own).unwrap());
            for token in [Some(world::GLOBAL), Some(world::STAFF), None] {
                let call = || token.map_or_else(call, |token| call().by(token));
                if operation == "GET /api/live" {
                    let stream = call().open().await;
                    assert_eq!(stream.headers()["cache-control"], "no-store");
                    continue;
                }
                let answer = call().send().await;
                is_not_stored(&answer, operation);
                if !answer.header("etag").is_empty() && operation.starts_with("GET") {
                    let again = call().header("if-none-match", answer.header("etag")).send().await;
                    is_not_stored(&again, operation);
                    not_modified += usize::from(again.status == 304);
                }
            }
        }
        assert!(not_modified >= 5, "the board and the guests are not sent twice: {not_modified}");
        for path in ["/api/nowhere", "/connect/nowhere"] {
            is_not_stored(&house.ask(Method::GET, path).send().await, path);
        }
    }

    async fn an_answer_that_a_client_has_in_memory_is_not_sent_again(house: House) {
        crate::steps::place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let paths = [
            format!("/api/Sites/{}", world::HARBOR_HOUSE.0),
            format!("/api/Beds?siteId={}", world::HARBOR_HOUSE.0),
            format!("/api/Guests?siteId={}", world::HARBOR_HOUSE.0),
            format!("/api/Guests?siteId={}&Status=accepted", world::HARBOR_HOUSE.0),
        ];
        for path in paths {
            let first = house.get(&path).by(world::INTAKE).send().await;
            first.expect(200);
            let again = house.get(&path).by(world::INTAKE).header("if-none-match", first.header("etag")).send().await;
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
            assert_eq!(again.header("etag"), first.header("etag"));
        }
    }
}
