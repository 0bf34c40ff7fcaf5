//! Slow, endless and ambiguous requests over raw sockets (security-and-proof 5, attack 14).

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header;
use axum::routing::{get, post};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use berth_db::Engine;
use berth_server::http::connections::{self, TimeLimits};

use crate::harness::House;

/// A time limit that is short enough for a test.
const SHORT: Duration = Duration::from_millis(300);

/// A server that answers "here" at `/` and echoes posted bodies. It stops when the guard is dropped.
async fn server(limits: TimeLimits) -> (std::net::SocketAddr, tokio_util::sync::DropGuard) {
    let router = Router::new().route("/", get(|| async { "here" })).route("/echo", post(|body: String| async { body }));
    serve(router, limits).await
}

async fn serve(router: Router, limits: TimeLimits) -> (std::net::SocketAddr, tokio_util::sync::DropGuard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    tokio::spawn(connections::serve(listener, router, limits, stop.clone()));
    (address, stop.drop_guard())
}

/// Sends `text` and reads until the server closes.
async fn talk(address: std::net::SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that refuses early may close before everything is written.
    let _ = stream.write_all(text.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[tokio::test]
async fn a_client_that_never_finishes_its_request_is_closed_while_others_are_served() {
    let (address, _server) = server(TimeLimits { head: SHORT, ..TimeLimits::default() }).await;
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ").await.unwrap();
        slow.push(stream);
    }
    let other = talk(address, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    assert_eq!(status(&other), "200", "{other}");
    for mut stream in slow {
        let mut rest = Vec::new();
        // Ends only because the server closes: this test sets no time limit.
        let _ = stream.read_to_end(&mut rest).await;
        assert_ne!(status(&String::from_utf8_lossy(&rest)), "200");
    }
}

#[tokio::test]
async fn a_client_that_never_finishes_its_body_blocks_nobody_else() {
    let (address, _server) = server(TimeLimits::default()).await;
    let mut half: Vec<TcpStream> = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhalf").await.unwrap();
        half.push(stream);
    }
    for _ in 0..20 {
        let other = talk(address, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        assert_eq!(status(&other), "200", "{other}");
    }
    // An incomplete body reached no handler.
    let mut cut = half.pop().unwrap();
    cut.shutdown().await.unwrap();
    let mut answer = String::new();
    let _ = cut.read_to_string(&mut answer).await;
    assert!(!answer.contains("half"), "{answer}");
}

#[tokio::test]
async fn endless_heads_are_refused() {
    let (address, _server) = server(TimeLimits::default()).await;
    let long = format!("GET / HTTP/1.1\r\nHost: a\r\nX-Long: {}\r\n\r\n", "a".repeat(200_000));
    let many = format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "X-Many: 1\r\n".repeat(200));
    let path = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(200_000));
    for text in [long, many, path] {
        let answer = talk(address, &text).await;
        assert!(["400", "414", "431", "none"].contains(&status(&answer)), "{answer}");
        assert!(!answer.contains("here"), "{answer}");
    }
}

#[tokio::test]
async fn a_request_whose_length_is_ambiguous_is_refused() {
    let (address, _server) = server(TimeLimits::default()).await;
    let head = "POST /echo HTTP/1.1\r\nHost: a\r\n";
    for lines in [
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        "Content-Length: 5, 6\r\n\r\nabcdef",
        "Content-Length: +5\r\n\r\nabcde",
        "Content-Length: -1\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n0\r\n\r\n",
    ] {
        let answer = talk(address, &format!("{head}{lines}")).await;
        assert_eq!(status(&answer), "400", "{lines:?}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "nothing after it is read as another request: {answer}");
    }
}

#[tokio::test]
async fn a_length_with_chunks_never_lets_a_hidden_request_through() {
    let (address, _server) = server(TimeLimits::default()).await;
    let hidden = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    // By its length, the hidden request is part of the body; by its chunks, it comes after the body. A proxy may read it
    // the other way, so the connection must be closed after such a request.
    let text = format!(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
        hidden.len() + 5
    );
    let answer = talk(address, &text).await;
    assert!(!answer.contains("here"), "{answer}");
}

/// A server whose answers at `/` never end; each sends to `ended` when it is dropped.
async fn endless(content_type: &'static str) -> (std::net::SocketAddr, mpsc::UnboundedReceiver<()>, impl Drop) {
    /// Sends a message when it is dropped.
    struct Told(mpsc::UnboundedSender<()>);
    impl Drop for Told {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let (sender, ended) = mpsc::unbounded_channel();
    let answer = move || {
        let told = Told(sender.clone());
        let pieces = futures_util::stream::repeat_with(move || {
            let _ = &told;
            Ok::<_, std::convert::Infallible>(vec![b'x'; 64 * 1024])
        });
        async move { ([(header::CONTENT_TYPE, content_type)], Body::from_stream(pieces)) }
    };
    let limits = TimeLimits { stalled_write: SHORT, ..TimeLimits::default() };
    let (address, guard) = serve(Router::new().route("/", get(answer)), limits).await;
    (address, ended, guard)
}

#[tokio::test]
async fn a_client_that_never_reads_the_answer_is_closed() {
    for content_type in ["application/json", "text/event-stream"] {
        let (address, mut ended, _server) = endless(content_type).await;
        let mut silent = TcpStream::connect(address).await.unwrap();
        silent.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(60), ended.recv()).await;
        assert_eq!(ended.expect("the answer is dropped"), Some(()), "{content_type}");
        drop(silent);
    }
}

/// A complete test house behind real connections.
async fn housed() -> (House, std::net::SocketAddr, tokio_util::sync::DropGuard) {
    let house = House::empty(Engine::Sqlite).await;
    let (address, guard) = serve(house.router.clone(), TimeLimits::default()).await;
    (house, address, guard)
}

#[tokio::test]
async fn a_request_names_its_host_exactly_once() {
    let (_house, address, _server) = housed().await;
    let ask = async |head: &str| talk(address, &format!("{head}Connection: close\r\n\r\n")).await;
    assert_eq!(status(&ask("GET /healthz HTTP/1.1\r\nHost: a\r\n").await), "200");
    assert_eq!(status(&ask("GET /healthz HTTP/1.0\r\n").await), "200", "HTTP/1.0 needs no Host");
    for head in [
        "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n",
        "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n",
        "GET /healthz HTTP/1.1\r\n",
    ] {
        let answer = ask(head).await;
        assert_eq!(status(&answer), "400", "{head:?}: {answer}");
        assert!(answer.contains("Send exactly one Host header."), "{answer}");
    }
}

#[tokio::test]
async fn a_head_of_64_kib_is_accepted_and_a_larger_one_is_not() {
    let (_house, address, _server) = housed().await;
    let head = |size: usize| {
        let (before, after) = ("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: ", "\r\n\r\n");
        format!("{before}{}{after}", "a".repeat(size - before.len() - after.len()))
    };
    let limit = 64 * 1024;
    for (size, wanted) in
        [(limit / 2, "200"), (limit, "200"), (limit + 1, "431"), (limit + 20_000, "431"), (limit * 4, "431")]
    {
        let answer = talk(address, &head(size)).await;
        // If it is much larger, the connection closes before everything is sent, and the answer may be lost.
        assert!(status(&answer) == wanted || (size > limit && status(&answer) == "none"), "{size}: {answer}");
    }
}

/// The announced length counts: no byte of the body is sent, and this test sets no time limit.
#[tokio::test]
async fn a_body_that_announces_too_much_is_refused_before_it_is_sent() {
    let house = House::new(Engine::Sqlite).await;
    let (address, _server) = serve(house.router.clone(), TimeLimits::default()).await;
    let bearer = format!("Authorization: Bearer {}\r\n", crate::world::OWNER);
    for (line, media_type, length) in [
        ("POST /connect/token", "application/x-www-form-urlencoded", 900_000_000),
        ("POST /connect/token", "application/x-www-form-urlencoded", 64 * 1024 + 1),
        ("POST /api/public/reservations", "application/json", 900_000_000),
        ("POST /api/Stripe/webhook", "application/json", 900_000_000),
        ("POST /api/Stripe/webhook", "application/json", 512 * 1024 + 1),
        ("POST /api/Images", "multipart/form-data; boundary=x", 900_000_000),
        ("POST /api/Guests", "application/json", 1_u64 << 60),
    ] {
        let head = format!(
            "{line} HTTP/1.1\r\nHost: a\r\n{bearer}Content-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
        );
        let answer = tokio::time::timeout(Duration::from_secs(10), talk(address, &head)).await.unwrap_or_default();
        assert_eq!(status(&answer), "413", "{line} {length}: {answer}");
    }
}
