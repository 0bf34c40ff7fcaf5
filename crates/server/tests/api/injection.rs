//! SQL and addresses in every parameter of every operation, generated from the OpenAPI document (security-and-proof 5,
//! attacks 12, 13 and 8): query, path, headers, each value of each body, each field of the form.
//!
//! On SQLite, each call may touch no more rows than the same call with valid values does. On PostgreSQL, the rows of a
//! place that is not the caller's stay unchanged, byte for byte, and no row is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::http::Method;
use berth_db::Engine;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::attacks::{self, Stored};
use crate::harness::{Ask, House};
use crate::injected::{self, Call};
use crate::matrix::{self, Sample};
use crate::world;

/// Part of each text, so that it can be found again.
const MARK: &str = "zq7";
const SQL: [&str; 9] = [
    "zq7' OR '1'='1",
    "zq7' OR 1=1 -- ",
    "zq7') OR ('a'='a",
    "1 OR 1=1 /* zq7 */",
    "zq7'; UPDATE users SET first_name = 'zq7owned'; -- ",
    "zq7\"; DELETE FROM guests; --",
    "zq7%' UNION SELECT email_key FROM users -- ",
    "zq7' || (SELECT pg_sleep(60)) || '",
    "zq7\\' OR 1=1 # $$ || pg_sleep(60) || $$ {{7*7}}",
];
/// Texts that an answer would contain if it showed a database error.
const SPOKEN: [&str; 7] =
    ["syntax error", "sqlite", "sqlstate", "unterminated", "no such column", "zq7owned", "email_key"];
/// Texts that only the owner of the foreign place and global admins may read.
const FOREIGN: [&str; 3] = ["Far Away", "Foreign Homes", "owner.foreign@"];
const SLOWEST: Duration = Duration::from_secs(30);

/// A call from its own address, because limits are tested elsewhere.
fn ask(house: &House, operation: &str, actor: &str, call: &Call) -> Ask {
    let method: Method = operation.split(' ').next().unwrap().parse().unwrap();
    let mut ask = match &call.form {
        Some(form) => {
            let fields: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            house.form(&call.path, &fields)
        }
        None if call.body.is_null() => house.ask(method, &call.path),
        None => house.ask(method, &call.path).json(call.body.clone()),
    };
    if let Some((name, value)) = &call.header {
        ask = ask.header(name, value);
    }
    let is_signed = call.header.as_ref().is_some_and(|(name, _)| *name == "authorization");
    if is_signed || actor.is_empty() { ask } else { ask.by(actor) }
}

/// How many rows an answer shows.
fn rows(text: &str) -> usize {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(items)) => items.len(),
        Ok(answer) => answer["items"].as_array().map_or(0, Vec::len),
        Err(_) => text.lines().count(),
    }
}

/// The number of rows of each table that are in one state and not in the other.
fn touched(before: &Stored, after: &Stored) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for (table, rows) in after {
        let (old, new): (BTreeSet<&String>, BTreeSet<&String>) =
            (before[table].iter().collect(), rows.iter().collect());
        let count = old.difference(&new).count().max(new.difference(&old).count());
        if count > 0 {
            all.insert(table.clone(), count);
        }
    }
    all
}

/// The rows that name the foreign place or its owner.
fn foreign(stored: &Stored) -> Vec<&String> {
    let ids = [world::FOREIGN.to_string(), world::FAR_AWAY.to_string(), world::PEOPLE[3].2.to_string()];
    stored.values().flatten().filter(|row| ids.iter().any(|id| row.contains(id))).collect()
}

async fn forget_limits(house: &House) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query("DELETE FROM throttles").execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// Makes a call and checks its answer. Returns the status and the number of rows shown.
async fn judged(house: &House, operation: &str, actor: &str, call: &Call) -> (u16, usize) {
    // A write may reach a limit without saying so, so its limits are reset. A read would say so.
    let reads = operation.starts_with("GET");
    if !reads {
        forget_limits(house).await;
    }
    // No job writes the recorded views here, and a full queue answers 503.
    house.app.reads.flush(&house.app).await.unwrap();
    let start = Instant::now();
    let told = || format!("{operation} by {actor:?}, {}: {}", call.place, call.path);
    if operation == "GET /api/live" {
        let status = ask(house, operation, actor, call).status().await;
        assert!(status < 500, "{}: {status}", told());
        return (status, 0);
    }
    let mut answer = ask(house, operation, actor, call).send().await;
    if reads && answer.status == 429 {
        forget_limits(house).await;
        answer = ask(house, operation, actor, call).send().await;
    }
    assert!(answer.status < 500, "{}: {} {}", told(), answer.status, answer.text);
    assert!(start.elapsed() < SLOWEST, "{} slept", told());
    let lower = answer.text.to_lowercase();
    // Some answers return what was sent; that is not a leak.
    if !lower.contains(MARK) {
        assert_eq!(SPOKEN.iter().find(|word| lower.contains(**word)), None, "{}: {}", told(), answer.text);
    }
    if actor != world::GLOBAL {
        assert_eq!(FOREIGN.iter().find(|word| answer.text.contains(**word)), None, "{}: {}", told(), answer.text);
    }
    (answer.status, if answer.status < 300 { rows(&answer.text) } else { 0 })
}

/// Each operation with a valid call: caller, path, body.
async fn honest() -> Vec<attacks::Good> {
    let known = attacks::calls().await;
    let mut all = Vec::new();
    for operation in matrix::operations() {
        if let Some(call) = known.iter().find(|(name, ..)| *name == operation) {
            all.push(call.clone());
            continue;
        }
        let (path, body) = match matrix::sample(&operation, &matrix::places()[0]) {
            Some(Sample::At(path, body) | Sample::Once(path, body)) => (path, body),
            Some(Sample::Form(_)) => ("/connect/token".to_owned(), Value::Null),
            Some(Sample::Upload(_) | Sample::Cards | Sample::Lookup) | None => continue,
        };
        let actor =
            if operation.contains("/api/public/") || operation.contains("/connect/") { "" } else { world::ADMIN };
        all.push((operation, actor, path, body));
    }
    all
}

/// A listener on this machine, and the number of connections to it.
async fn listener() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://{}/zq7", listener.local_addr().unwrap());
    let hits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&hits);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    (address, hits)
}

async fn attack(engine: Engine) {
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let (address, hits) = listener().await;
    let wrong: Vec<&str> = SQL.into_iter().chain([address.as_str()]).collect();
    let mut house = matrix::house(engine).await;
    let (mut tried, mut taken, mut shown) = (0, 0, 0);
    for (operation, actor, path, body) in honest().await {
        let plain =
            Call { place: "honest".to_owned(), path: path.clone(), header: None, body: body.clone(), form: None };
        let reads = operation.starts_with("GET");
        if engine == Engine::Sqlite && !reads {
            house = matrix::house(engine).await;
        }
        if reads {
            // Rows that are created on first use exist afterwards.
            judged(&house, &operation, actor, &plain).await;
        }
        let mut before = attacks::tables(&house).await;
        let (mut actor, mut most) = (actor, 0);
        if operation != "POST /connect/token" {
            let answered = judged(&house, &operation, actor, &plain).await;
            most = answered.1;
            if reads && answered.0 == 403 {
                actor = world::GLOBAL;
                most = judged(&house, &operation, actor, &plain).await.1;
            }
        }
        let mut after = attacks::tables(&house).await;
        let mut allowed = touched(&before, &after);
        if !reads {
            // Once more: the second call may replace what the first one created.
            judged(&house, &operation, actor, &plain).await;
            before = after;
            after = attacks::tables(&house).await;
            for (table, count) in touched(&before, &after) {
                let most = allowed.entry(table).or_default();
                *most = count.max(*most);
            }
        }
        if reads {
            assert_eq!(allowed, BTreeMap::new(), "{operation} changes something");
        }
        // A download of the trail contains the rows of the calls before it.
        let grows = operation.starts_with("GET /api/EventLogs/");
        let mut own_rows = 0;
        for (number, text) in wrong.iter().enumerate() {
            let wrong_calls = if operation == "POST /connect/token" {
                injected::forms(text)
            } else {
                injected::calls(&document, &operation, &path, &body, text)
            };
            for call in wrong_calls {
                // The same headers are read for every operation, so each operation gets two of the texts in each header.
                if call.header.is_some() && call.place.len() % 5 != number % 5 {
                    continue;
                }
                let (status, rows) = judged(&house, &operation, actor, &call).await;
                tried += 1;
                own_rows += usize::from(grows);
                let most = most + own_rows;
                assert!(!reads || rows <= most, "{operation}, {}: {rows} rows instead of {most}", call.place);
                shown = shown.max(rows);
                if !reads && status < 300 {
                    taken += 1;
                    before = after;
                    after = attacks::tables(&house).await;
                    check(engine, &operation, &call, &allowed, &before, &after);
                }
            }
        }
        let mut refused = touched(&after, &attacks::tables(&house).await);
        if operation == "POST /connect/token" {
            // A wrong code counts as a try of its first step.
            refused.remove("secrets");
        }
        if operation == "POST /api/public/reservations/{id}/confirm" {
            // And as an attempt of its request.
            refused.remove("reservation_requests");
        }
        assert_eq!(refused, BTreeMap::new(), "{operation} was refused but changed something");
    }
    assert_eq!(hits.load(Ordering::SeqCst), 0, "the server connected to an address from a request");
    eprintln!(
        "FIGURE injection on {engine:?}: {tried} calls, {taken} texts taken as texts, at most {shown} rows shown, 0 answers \
         of 5xx, 0 rows too many, 0 changes beside the own, 0 visits at our listener"
    );
}

/// Checks what an accepted call has changed.
fn check(
    engine: Engine,
    operation: &str,
    call: &Call,
    allowed: &BTreeMap<String, usize>,
    before: &Stored,
    after: &Stored,
) {
    let place = &call.place;
    assert_eq!(foreign(before), foreign(after), "{operation}, {place} changed a foreign place");
    for (table, rows) in after {
        assert!(rows.len() >= before[table].len(), "{operation}, {place}: {table} lost rows");
    }
    if engine == Engine::Sqlite {
        for (table, count) in touched(before, after) {
            let most = allowed.get(&table).copied().unwrap_or_default();
            assert!(count <= most, "{operation}, {place}: {count} rows of {table} instead of {most}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sql_and_addresses_in_any_value_are_texts_like_others_on_sqlite() {
    attack(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sql_and_addresses_in_any_value_are_texts_like_others_on_postgres() {
    attack(Engine::Postgres).await;
}
