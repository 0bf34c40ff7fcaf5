//! A database that is cut off, stalls, or rolls back in favor of other transactions; a clock that goes back and forth
//! (security-and-proof 4f, 4g). Every answer is 2xx, 409 or 503; the Idempotency-Key settles a change whose answer was
//! 503; the recount finds no broken invariant.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::Method;
use berth_db::testing::Proxy;
use berth_db::{Db, Engine, Options};
use berth_domain::time::Timestamp;
use berth_server::jobs::holds;
use berth_server::routes;
use serde_json::{Value, json};

use crate::busy::PROCESSORS;
use crate::chance::{Dice, seed, told};
use crate::figures::Figures;
use crate::harness::{self, Answer, Ask, HOUR, House, START};
use crate::steps::{self, all_at_once, command, more_beds, reserve};
use crate::{both_engines, invariants, world};

/// Number of disturbances in the short form.
const SHORT: u64 = 12;

/// Sends the call to another node.
fn through(mut ask: Ask, router: &Router) -> Ask {
    ask.router = router.clone();
    ask
}

/// Repeats a change until its outcome is known.
async fn surely(house: &House, router: &Router, shot: &Change, unknown: &AtomicU64) -> Result<Answer, String> {
    let start = Instant::now();
    loop {
        let ask = house.ask(shot.method.clone(), &shot.path).by(world::ADMIN).json(shot.body.clone());
        let answer = through(ask.header("idempotency-key", &shot.key), router).send().await;
        match answer.status {
            200..=299 | 409 => return Ok(answer),
            503 if start.elapsed() < Duration::from_secs(60) => {
                if answer.header("retry-after").is_empty() {
                    return Err("a 503 without Retry-After".to_owned());
                }
                unknown.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            _ => return Err(format!("{} {}", answer.status, answer.text)),
        }
    }
}

/// A change with its key.
struct Change {
    method: Method,
    path: String,
    key: String,
    body: Value,
}

/// Repeatedly adds a person, assigns a bed and discharges, each step exactly once.
async fn write(
    house: &House,
    router: &Router,
    number: usize,
    stop: &AtomicBool,
    unknown: &AtomicU64,
) -> Result<u64, String> {
    let (mut done, beds) = (0, [world::BED_A, world::BED_B, world::BED_C, world::BED_D]);
    while !stop.load(Ordering::Relaxed) {
        let change = |step: &str, method, path: String, body| Change {
            method,
            path,
            key: format!("{number}-{done}-{step}"),
            body,
        };
        let form = steps::form(world::HARBOR_HOUSE, number);
        let add = change("add", Method::POST, "/api/Guests".to_owned(), form);
        let guest = surely(house, router, &add, unknown).await?.json();
        let path = format!("/api/Guests/{}", guest["id"].as_str().ok_or_else(|| guest.to_string())?);
        let accept = json!({"status": "ACCEPTED", "bedId": beds[number]});
        let accepted = surely(house, router, &change("accept", Method::PATCH, path.clone(), accept), unknown).await?;
        let leave = change("leave", Method::PATCH, path, json!({"status": "DISCHARGED"}));
        let left = surely(house, router, &leave, unknown).await?.json();
        let versions = [&guest["version"], &accepted.json()["version"], &left["version"]].map(Value::as_i64);
        if versions != [Some(1), Some(2), Some(3)] {
            return Err(format!("not each step exactly once: {versions:?}"));
        }
        done += 1;
    }
    Ok(done)
}

/// Shows what the server logs as errors.
fn show_mistakes() {
    let shown = tracing_subscriber::fmt().with_max_level(tracing::Level::ERROR).with_writer(std::io::stderr);
    let _ = shown.try_init();
}

/// The network between the server and PostgreSQL is cut or stalls at random while four writers write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_or_stalled_database_answers_503_and_keys_settle_the_outcome() {
    let _busy = PROCESSORS.read().await;
    let rounds = told("BERTH_PROOF_FAULTS").unwrap_or(SHORT);
    let first = seed();
    eprintln!("faults: {rounds} cuts and stalls from BERTH_PROOF_SEED={first}");
    show_mistakes();
    let mut dice = Dice::new(first);
    let house = House::new(Engine::Postgres).await;
    let proxy = Proxy::before(&house.database.url).await;
    let options = Options { acquire_timeout: Duration::from_secs(2), ..house.database.options.clone() };
    let db = Db::open_with(&proxy.url(&house.database.url), options).await.unwrap();
    let router = routes::build(harness::app(db, &house.clock, 7));
    let (stop, unknown) = (AtomicBool::new(false), AtomicU64::new(0));
    let start = Instant::now();
    let mischief = async {
        for _ in 0..rounds {
            tokio::time::sleep(Duration::from_millis(5 + dice.below(250))).await;
            if dice.below(3) == 0 {
                proxy.stall();
                tokio::time::sleep(Duration::from_millis(dice.below(150))).await;
                // A stall ends by itself or with a cut.
                if dice.below(2) == 0 {
                    proxy.cut();
                }
            } else {
                proxy.cut();
                tokio::time::sleep(Duration::from_millis(dice.below(40))).await;
            }
            proxy.mend();
        }
        stop.store(true, Ordering::Relaxed);
    };
    let writer = |number| write(&house, &router, number, &stop, &unknown);
    let (_, a, b, c, d) = tokio::join!(mischief, writer(0), writer(1), writer(2), writer(3));
    let mut done = 0;
    for outcome in [a, b, c, d] {
        done += outcome.unwrap();
    }
    invariants::hold(&house).await;
    let stored: i64 = house.db().query("SELECT COUNT(*) FROM guests").scalar().await.unwrap();
    assert_eq!(u64::try_from(stored).unwrap(), done, "each person was added once");
    let open = unknown.load(Ordering::Relaxed);
    let seconds = start.elapsed().as_secs();
    eprintln!(
        "FIGURE faults: {rounds} cuts and stalls, {done} stays of 3 changes, {open} answers 503 settled by key, \
         0 violations, {seconds} s"
    );
    // A 500, or a change that happened twice or not at all, fails the test before this line.
    let (proof, engine) = ("faults", "postgres");
    let figures = Figures { proof, engine, seed: first, count: rounds, violations: 0, server_errors: 0, seconds };
    figures.tell(&[], &[("stays of 3 changes", done), ("503 settled by key", open)]);
}

/// PostgreSQL aborts a conflicting transaction (40001, 40P01): the command is retried up to three times, then the answer is
/// 503.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serialization_failures_and_deadlocks_are_repeated_three_times() {
    const COUNTER: &str = "CREATE SEQUENCE ways";
    const LIMIT: &str = "CREATE TABLE given (failures BIGINT NOT NULL, code TEXT NOT NULL)";
    const FAIL: &str = "CREATE FUNCTION give_way() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN \
        IF nextval('ways') <= (SELECT MAX(failures) FROM given) THEN \
        RAISE EXCEPTION 'injected' USING ERRCODE = (SELECT MAX(code) FROM given); END IF; RETURN NEW; END $body$";
    const TRIGGER: &str = "CREATE TRIGGER way BEFORE UPDATE ON sites FOR EACH ROW EXECUTE FUNCTION give_way()";
    let house = House::new(Engine::Postgres).await;
    let mut tx = house.db().begin().await.unwrap();
    for text in [COUNTER, LIMIT, FAIL, TRIGGER] {
        tx.query(text).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut number = 0;
    for code in ["40001", "40P01"] {
        for (failures, status) in [(0_i64, 201), (1, 201), (3, 201), (4, 503), (0, 201)] {
            let mut tx = house.db().begin().await.unwrap();
            tx.query("DELETE FROM given").execute().await.unwrap();
            tx.query("INSERT INTO given VALUES ($1, $2)").bind(failures).bind(code).execute().await.unwrap();
            tx.query("ALTER SEQUENCE ways RESTART").execute().await.unwrap();
            tx.commit().await.unwrap();
            let form = steps::form(world::HARBOR_HOUSE, number);
            let answer = house.post("/api/Guests", form).by(world::ADMIN).send().await;
            assert_eq!(answer.status, status, "{failures} times {code}: {}", answer.text);
            if status == 201 {
                command(&house, answer.json()["id"].as_str().unwrap(), "REJECTED", None).send().await;
            }
            number += 1;
            invariants::hold(&house).await;
        }
    }
}

both_engines! {
    async fn a_caller_that_cannot_get_the_lock_is_asked_to_retry_and_changes_nothing(house: House) {
        let options = Options {
            lock_timeout: Duration::from_millis(50),
            acquire_timeout: Duration::from_millis(300),
            ..house.database.options.clone()
        };
        let impatient = Db::open_with(&house.database.url, options).await.unwrap();
        let router = routes::build(harness::app(impatient, &house.clock, 5));
        let mut other = house.db().begin().await.unwrap();
        other.query("UPDATE sites SET version = version WHERE id = $1").bind(world::HARBOR_HOUSE).execute().await.unwrap();
        let calls = (0..6).map(|number| {
            let form = steps::form(world::HARBOR_HOUSE, number);
            through(house.post("/api/Guests", form).by(world::ADMIN), &router)
        });
        for answer in all_at_once(calls.collect()).await {
            answer.refusal(503);
            assert_eq!(answer.header("retry-after"), "1");
        }
        other.rollback().await.unwrap();
        let guests: i64 = house.db().query("SELECT COUNT(*) FROM guests").scalar().await.unwrap();
        assert_eq!(guests, 0);
        let form = steps::form(world::HARBOR_HOUSE, 0);
        through(house.post("/api/Guests", form).by(world::ADMIN), &router).send().await.expect(201);
    }

    /// An answer rendered later than now is not shown: the hold that had ended then has not ended now.
    async fn a_clock_that_goes_back_brings_a_pending_guest_back_to_the_board(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
        let board = async || house.get(&path).by(world::INTAKE).send().await.expect(200)["items"].clone();
        house.advance(25 * HOUR);
        assert_eq!(board().await, json!([]));
        house.advance(-2 * HOUR);
        assert_eq!(board().await[0]["id"], json!(reserved));
    }

    /// I6: after the clock went back, a swap still ends and starts its four stays at the same moment.
    async fn stays_never_overlap_when_the_clock_goes_back(house: House) {
        const OVERLAPPING: &str = "SELECT COUNT(*) FROM stays a JOIN stays b ON b.guest_id = a.guest_id AND b.id <> a.id \
            AND b.started_at >= a.started_at AND b.started_at < a.ended_at";
        let one = steps::place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        house.advance(HOUR);
        let two = steps::place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        house.advance(-2 * HOUR);
        command(&house, &steps::id(&one), "SWAP", Some(world::BED_B)).send().await.expect(200);
        command(&house, &steps::id(&two), "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        let latest = Timestamp::from_millis(START + HOUR);
        assert_eq!(invariants::broken(house.db(), latest).await, Vec::<String>::new());
        let overlapping: i64 = house.db().query(OVERLAPPING).scalar().await.unwrap();
        assert_eq!(overlapping, 0);
    }

    /// I9: two nodes expire and accept guests while the clock jumps forward and back over the ends of holds.
    async fn a_clock_that_jumps_over_due_holds_expires_each_once_and_no_accepted_guest(house: House) {
        const TWICE: &str = "SELECT COUNT(*) FROM (SELECT object_id FROM audit WHERE action = 'guest.expired' \
            GROUP BY object_id HAVING COUNT(*) > 1) doubled";
        const EARLY: &str = "SELECT COUNT(*) FROM guests WHERE expired_at < expires_at OR (expired_at IS NOT NULL \
            AND accepted_at IS NOT NULL)";
        let first = seed();
        eprintln!("clock: from BERTH_PROOF_SEED={first}");
        let mut dice = Dice::new(first);
        let other = if house.db().engine() == Engine::Postgres { house.another_node().await } else { house.app.clone() };
        let beds = more_beds(&house, 40).await;
        let mut guests = Vec::new();
        for number in 0..20 {
            guests.push(reserve(&house, world::HARBOR_HOUSE, number).await);
            house.advance(11 * 60_000);
        }
        let clock = Arc::clone(&house.clock);
        for round in 0..20 {
            let jump = i64::try_from(dice.below(8)).unwrap() * HOUR + i64::try_from(dice.below(3)).unwrap() - 1;
            let accept = command(&house, &guests[round], "ACCEPTED", Some(beds[round])).send();
            let turn = async {
                tokio::time::sleep(Duration::from_millis(dice.below(4))).await;
                clock.store(START + 22 * HOUR + jump, Ordering::SeqCst);
            };
            let (answer, (), one, two) = tokio::join!(accept, turn, holds::run(&house.app), holds::run(&other));
            assert!([200, 409].contains(&answer.status), "{}", answer.text);
            one.unwrap();
            two.unwrap();
            let latest = Timestamp::from_millis(START + 31 * HOUR);
            assert_eq!(invariants::broken(house.db(), latest).await, Vec::<String>::new());
            let wrong: (i64, i64) = (
                house.db().query(TWICE).scalar().await.unwrap(),
                house.db().query(EARLY).scalar().await.unwrap(),
            );
            assert_eq!(wrong, (0, 0), "expired twice, expired early or after acceptance");
        }
    }
}
