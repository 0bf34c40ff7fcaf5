//! A thousand sign-ins at once, each from its own address and for its own account, so that only the limit of hashing stops
//! them (security-and-proof 5, attack 18): memory stays within its bound, a client that finds the queue full gets the time
//! of its next try and loses no attempt, and health checks and boards are answered meanwhile.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use berth_db::Engine;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

use crate::busy::PROCESSORS;
use crate::chance::{Dice, seed};
use crate::client::{Client, Shot, connect};
use crate::cluster::Cluster;
use crate::world;

/// Sign-ins at once.
const SIGN_INS: u32 = 1_000;
/// Allowed growth of the process: two hashings of 19 MiB, the rest for a thousand connections.
const MOST_GROWTH: u64 = 64 << 20;

/// One failed sign-in from its own address. Returns the head of the answer.
async fn sign_in(server: SocketAddr, number: u32) -> io::Result<String> {
    let from = Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 77, 0, 1)) + number);
    let mut stream = connect(server, from).await?;
    let body = format!("grant_type=password&username=u{number}%40test.example&password=wrong");
    let request = format!(
        "POST /connect/token HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase())
}

/// Repeats a request until `stop` is set. Returns the number of requests and the duration of the slowest one.
async fn watch(server: SocketAddr, shot: Shot, stop: Arc<AtomicBool>) -> (u32, Duration) {
    let mut client = Client::new(server, Ipv4Addr::LOCALHOST);
    let (mut count, mut slowest) = (0, Duration::ZERO);
    while !stop.load(Ordering::SeqCst) {
        let answer = client.send(&shot).await.expect("the server answers during the flood");
        assert_eq!(answer.status, 200, "{}: {}", shot.path, answer.body);
        slowest = slowest.max(answer.took);
        count += 1;
    }
    (count, slowest)
}

async fn flood(engine: Engine) {
    const COUNTED: &str = "SELECT COUNT(*) FROM throttles WHERE key LIKE 'sign-in:account:%' AND count > 0";
    let _alone = PROCESSORS.write().await;
    let cluster = Cluster::new(engine, &mut Dice::new(seed())).await;
    let (server, before) = (cluster.nodes[0].address, cluster.nodes[0].memory());
    let stop = Arc::new(AtomicBool::new(false));
    let health = Shot { method: "GET", path: "/healthz".to_owned(), token: None, key: None, body: None };
    let board = Shot::get(format!("/api/Beds?siteId={}", world::HARBOR_HOUSE), world::INTAKE);
    let watchers = [health, board].map(|shot| tokio::spawn(watch(server, shot, Arc::clone(&stop))));

    let start = Instant::now();
    let mut all = JoinSet::new();
    for number in 0..SIGN_INS {
        all.spawn(sign_in(server, number));
    }
    let (mut looked_at, mut sent_away) = (0, 0);
    for head in all.join_all().await {
        let head = head.expect("every sign-in is answered");
        match head.split(' ').nth(1) {
            Some("400") => looked_at += 1,
            Some("503") => {
                assert!(head.contains("\r\nretry-after: "), "{head}");
                sent_away += 1;
            }
            _ => panic!("{head}"),
        }
    }
    let took = start.elapsed();
    stop.store(true, Ordering::SeqCst);
    let [health, board] = watchers;
    let (health, board) = (health.await.unwrap(), board.await.unwrap());
    assert!(health.0 > 0 && board.0 > 0);
    assert_eq!(looked_at + sent_away, SIGN_INS);

    let growth = cluster.nodes[0].memory().saturating_sub(before);
    assert!(growth <= MOST_GROWTH, "{growth} bytes more");
    let db = cluster.db().await;
    let counted: i64 = db.query(COUNTED).scalar().await.unwrap();
    assert_eq!(counted, i64::from(looked_at), "a rejected client has lost no attempt");
    db.close().await;
    eprintln!(
        "FIGURE flood on {engine:?}: {SIGN_INS} sign-ins at once in {:.1} s, {looked_at} looked at, {sent_away} sent away with \
         Retry-After and without losing a try, {:.1} MB more at the peak, {} times health (slowest {} ms) and {} times the \
         board (slowest {} ms) meanwhile, 0 violations",
        took.as_secs_f64(),
        growth as f64 / 1e6,
        health.0,
        health.1.as_millis(),
        board.0,
        board.1.as_millis()
    );
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_sign_ins_at_once_stay_within_bounds_on_sqlite() {
    flood(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_sign_ins_at_once_stay_within_bounds_on_postgres() {
    flood(Engine::Postgres).await;
}
