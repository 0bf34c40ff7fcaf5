//! The role × endpoint matrix (DESIGN 4; security-and-proof, attack 5): every operation of the OpenAPI document, as every
//! role, at a commercial and a non-commercial place of one's own, at a foreign place, and with an id that does not exist.
//! An operation without a sample fails, and the text says what to add.

mod places;
mod samples;

use std::fmt::Write as _;

use axum::http::Method;
use berth_db::Engine;
use berth_server::routes;
use serde_json::Value;

pub use self::places::{guest_id, house, places};
pub use self::samples::{Sample, merged_of, sample};

use self::places::SECRETS;
use self::samples::{CONFIRMED, LAST_FOUR, RESERVED};
use crate::harness::{Ask, House};
use crate::{images, pictures, public_cards, steps, world};

/// The callers. `owner` owns both of the actors' own organizations, so that one column shows what an owner may do.
const ACTORS: [(&str, Option<&str>); 8] = [
    ("nobody", None),
    ("1st step", Some(world::FIRST_STEP)),
    ("staff", Some(world::STAFF)),
    ("intake", Some(world::INTAKE)),
    ("admin", Some(world::ADMIN)),
    ("owner", Some(world::OWNER)),
    ("stranger", Some(world::OWNER_FOREIGN)),
    ("global", Some(world::GLOBAL)),
];

pub fn ask(house: &House, operation: &str, sample: &Sample) -> Ask {
    let method: Method = operation.split(' ').next().unwrap_or("GET").parse().unwrap();
    match sample {
        Sample::At(path, Value::Null) | Sample::Once(path, Value::Null) => house.ask(method, path),
        Sample::At(path, body) | Sample::Once(path, body) => house.ask(method, path).json(body.clone()),
        Sample::Form(fields) => house.form("/connect/token", fields),
        Sample::Upload(prefix) => images::form(house, prefix, &[("a.png", pictures::png(2, 2))]),
        Sample::Lookup => {
            house.ask(method, &format!("/api/public/reservations/{RESERVED}")).header("phone-last-four", LAST_FOUR)
        }
        Sample::Cards => {
            let asked = steps::Asked { id: CONFIRMED.to_string(), otp: String::new() };
            public_cards::send(house, &asked, &[("front", pictures::png(2, 2))])
        }
    }
}

/// The operations of the document as "METHOD path", in the document's order.
pub fn operations() -> Vec<String> {
    let document = serde_json::to_value(routes::document()).unwrap();
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "patch", "delete"] {
            if item.get(method).is_some() {
                all.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    all.sort_by_key(|operation| operation.split_once(' ').map(|(method, path)| (path.to_owned(), method.to_owned())));
    all
}

/// Returns true if the actor may see contacts and policies of guests at a place.
fn sees_secrets(actor: &str, place: &str) -> bool {
    match place {
        "foreign" => ["stranger", "global"].contains(&actor),
        "no such id" => false,
        _ => ["intake", "admin", "owner", "global"].contains(&actor),
    }
}

/// Checks an answer about `place`: it shows the secrets of a place only to actors who may see them there and at `place`.
#[track_caller]
fn shows_no_secret(answer: &str, actor: &str, place: &str, operation: &str) {
    for (other, secrets) in places().iter().zip(SECRETS) {
        if sees_secrets(actor, place) && sees_secrets(actor, other.name) {
            continue;
        }
        for secret in secrets {
            assert!(!answer.contains(secret), "{operation} shows {secret} ({}) to {actor}, {place}", other.name);
        }
    }
}

async fn matrix(engine: Engine) -> String {
    let mut table = String::from("operation, place");
    for (name, _) in ACTORS {
        write!(table, " | {name}").unwrap();
    }
    let missing: Vec<String> =
        operations().into_iter().filter(|operation| sample(operation, &places()[0]).is_none()).collect();
    assert!(missing.is_empty(), "add a row to `sample` in tests/api/matrix/samples.rs for: {missing:?}");
    let mut shared = house(engine).await;
    for operation in operations() {
        let reads = operation.starts_with("GET");
        writeln!(table, "\n{operation}").unwrap();
        for place in places() {
            let Some(sample) = sample(&operation, &place) else { continue };
            let once = !matches!(sample, Sample::At(..));
            if once && place.name != "own commercial" {
                continue;
            }
            write!(table, "  {:<20}", if once { "" } else { place.name }).unwrap();
            for (actor, token) in ACTORS {
                let call = ask(&shared, &operation, &sample);
                let call = token
                    .map_or_else(|| call.header("x-none", ""), |token| ask(&shared, &operation, &sample).by(token));
                let status = if operation == "GET /api/live" {
                    call.status().await
                } else {
                    let answer = call.send().await;
                    shows_no_secret(&answer.text, actor, place.name, &operation);
                    answer.status
                };
                write!(table, " {status:<9}").unwrap();
                let limited = operation.contains("/api/public/") || operation.contains("/connect/token");
                if !reads && (limited || (200..300).contains(&status)) {
                    shared = house(engine).await;
                }
            }
            writeln!(table).unwrap();
        }
    }
    table
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_answers_every_role_as_the_policy_says_on_sqlite() {
    insta::assert_snapshot!("matrix", matrix(Engine::Sqlite).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_answers_every_role_as_the_policy_says_on_postgres() {
    insta::assert_snapshot!("matrix", matrix(Engine::Postgres).await);
}
