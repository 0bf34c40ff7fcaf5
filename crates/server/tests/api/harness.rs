//! The fixture of every test: a fresh database, a fixed clock, repeatable randomness, and calls through the router.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use axum::response::Response;
use berth_db::testing::{Template, TestDatabase};
use berth_db::{Db, Engine};
use berth_server::app::{App, Clock, Random};
use berth_server::billing::payments::Payments;
use berth_server::http::problem::messages::{UNTRANSLATED, coded};
use berth_server::integrations::outbox;
use berth_server::jobs::notices;
use berth_server::routes;
use berth_server::settings::Settings;
use berth_stripe::judge::Judge;
use berth_stripe::sandbox::{MemoryStore, Sandbox, Seed, SeedCard};
use serde_json::Value;
use tower::ServiceExt;

use crate::{links, world};

/// The time at which every test starts: Monday, March 2, 2026, 18:00 UTC (10 a.m. in California).
pub const START: i64 = 1_772_474_400_000;
/// One minute, in milliseconds.
pub const MINUTE: i64 = 60_000;
/// One hour, in milliseconds.
pub const HOUR: i64 = 60 * MINUTE;

const fn card(id: &'static str, test_card: &'static str) -> SeedCard {
    SeedCard { id, test_card, exp_month: 4, exp_year: 2040, is_removed: false }
}

/// Customers that exist in every house's sandbox; `card_steps::rows` links organizations to them.
const CUSTOMERS: [Seed; 2] = [
    Seed {
        id: "cus_harbor",
        name: "Harbor Recovery",
        email: "harbor@test.example",
        cards: &[card("pm_harbor0", "pm_card_visa"), card("pm_harbor1", "pm_card_mastercard")],
        subscriptions: &[],
    },
    Seed {
        id: "cus_foreign",
        name: "Foreign Homes",
        email: "foreign@test.example",
        cards: &[card("pm_foreign0", "pm_card_visa"), card("pm_foreign1", "pm_card_mastercard")],
        subscriptions: &[],
    },
];

/// Runs a test on SQLite and on PostgreSQL.
///
/// ```ignore
/// both_engines! {
///     /// Why the rule matters.
///     async fn a_rule_that_holds(house: House) { … }
/// }
/// ```
#[macro_export]
macro_rules! both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($house:ident: House) $body:block)+) => { $(
        $(#[$meta])*
        async fn $name($house: $crate::harness::House) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name($crate::harness::House::new(berth_db::Engine::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name($crate::harness::House::new(berth_db::Engine::Postgres).await).await;
            }
        }
    )+ };
}

/// A server with the test world (see [`crate::world`]).
pub struct House {
    /// The application.
    pub app: App,
    /// Its router.
    pub router: Router,
    /// The clock of all its nodes, in epoch milliseconds.
    pub clock: Arc<AtomicI64>,
    /// The database and the options it was opened with.
    pub database: TestDatabase,
    /// Checks the calls of the payment sandbox against Stripe's schema, once it runs.
    pub judge: Arc<OnceLock<Judge>>,
}

impl Drop for House {
    /// A call or an answer that does not match Stripe's schema fails the test that caused it.
    fn drop(&mut self) {
        let verdict = self.judge.get().map(Judge::verdict).unwrap_or_default();
        assert!(std::thread::panicking() || verdict.is_empty(), "{verdict:#?}");
    }
}

impl House {
    /// Creates a house with the test world in a fresh database.
    pub async fn new(engine: Engine) -> Self {
        static SMALL_WORLD: Template = Template::new();
        Self::copy_of(&SMALL_WORLD, engine, async |app| world::fill(app).await).await
    }

    /// Creates a house with a copy of a database that `fill` filled once in this process.
    pub async fn copy_of(template: &'static Template, engine: Engine, fill: impl AsyncFnOnce(&App)) -> Self {
        Self::copy_with(template, engine, &CUSTOMERS, fill).await
    }

    /// Like [`House::copy_of`], with these customers in the payment sandbox.
    pub async fn copy_with(
        template: &'static Template,
        engine: Engine,
        customers: &'static [Seed],
        fill: impl AsyncFnOnce(&App),
    ) -> Self {
        let fill = async |db: &Db| {
            let judge = Arc::new(OnceLock::new());
            fill(&judged(db.clone(), &Arc::new(AtomicI64::new(START)), 1, (&judge, customers))).await;
        };
        Self::on(template.copy(engine, fill).await, customers)
    }

    /// Creates a house with an empty database.
    pub async fn empty(engine: Engine) -> Self {
        Self::empty_with(engine, &CUSTOMERS).await
    }

    /// Like [`House::empty`], with these customers in the payment sandbox.
    pub async fn empty_with(engine: Engine, customers: &'static [Seed]) -> Self {
        Self::on(TestDatabase::migrated(engine).await, customers)
    }

    fn on(database: TestDatabase, customers: &'static [Seed]) -> Self {
        let clock = Arc::new(AtomicI64::new(START));
        let judge = Arc::new(OnceLock::new());
        let app = judged(database.db.clone(), &clock, 1, (&judge, customers));
        Self { router: routes::build(app.clone()), app, clock, database, judge }
    }

    /// A second node on the same database, with its own caches and randomness; it shares the clock.
    pub async fn another_node(&self) -> App {
        app(self.database.another_node().await, &self.clock, 2)
    }

    /// The data layer, for recounts.
    pub fn db(&self) -> &Db {
        &self.app.db
    }

    /// Moves the clock.
    pub fn advance(&self, millis: i64) {
        self.clock.fetch_add(millis, Ordering::SeqCst);
    }

    /// A call without a sign-in, unless [`Ask::by`] adds one.
    pub fn ask(&self, method: Method, path: &str) -> Ask {
        Ask::new(self.router.clone(), method, path)
    }

    /// `GET`.
    pub fn get(&self, path: &str) -> Ask {
        self.ask(Method::GET, path)
    }

    /// `POST` of JSON.
    pub fn post(&self, path: &str, body: Value) -> Ask {
        self.ask(Method::POST, path).json(body)
    }

    /// `PUT` of JSON.
    pub fn put(&self, path: &str, body: Value) -> Ask {
        self.ask(Method::PUT, path).json(body)
    }

    /// `PATCH` of JSON.
    pub fn patch(&self, path: &str, body: Value) -> Ask {
        self.ask(Method::PATCH, path).json(body)
    }

    /// `DELETE`.
    pub fn delete(&self, path: &str) -> Ask {
        self.ask(Method::DELETE, path)
    }

    /// `POST` of a form.
    pub fn form(&self, path: &str, fields: &[(&str, &str)]) -> Ask {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut ask = self.ask(Method::POST, path).header("content-type", "application/x-www-form-urlencoded");
        ask.body = body.into_bytes();
        ask
    }

    /// Messages in the outbox, newest first: channel, recipient, body. Pending notifications are written first.
    pub async fn outbox(&self) -> Vec<(String, String, String)> {
        notices::run(&self.app).await.unwrap();
        let messages = outbox::newest(&self.app, 10_000).await.unwrap();
        for message in &messages {
            links::lead_somewhere(&self.app.settings.origins[0], &message.body);
        }
        messages.into_iter().map(|message| (message.channel, message.to, message.body)).collect()
    }

    /// The actions in the audit trail, oldest first.
    pub async fn trail(&self) -> Vec<String> {
        self.app.reads.flush(&self.app).await.unwrap();
        let rows: Vec<(String,)> = self.db().query("SELECT action FROM audit ORDER BY at, id").all().await.unwrap();
        rows.into_iter().map(|(action,)| action).collect()
    }
}

/// A node on a database, with a clock that moves only on request and repeatable randomness.
pub fn app(db: Db, clock: &Arc<AtomicI64>, seed: u64) -> App {
    judged(db, clock, seed, (&Arc::default(), &CUSTOMERS))
}

/// Like [`app`], with an in-memory payment sandbox whose calls `judge` checks.
fn judged(
    db: Db,
    clock: &Arc<AtomicI64>,
    seed: u64,
    (judge, customers): (&Arc<OnceLock<Judge>>, &'static [Seed]),
) -> App {
    // Nodes of one house share its clock and therefore the folder of its pictures, which is created only when needed.
    let name = format!("data-{}-{:x}", std::process::id(), Arc::as_ptr(clock) as usize);
    let data = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let settings = Settings { demo: true, data, ..Settings::default() }.checked().unwrap();
    let judge = Arc::clone(judge);
    let payments = Payments::sandbox(move || {
        // Another test of this process set it first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let wrap = judge.get_or_init(Judge::default).wrap();
        Sandbox::open_wrapped(Box::new(MemoryStore::default()), customers, Some(wrap))
    });
    App::with_payments(db, settings, Clock::Fixed(Arc::clone(clock)), Random::seeded(seed), payments)
}

/// A call under construction.
pub struct Ask {
    /// The node that gets the call.
    pub router: Router,
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    peer: Option<SocketAddr>,
}

impl Ask {
    fn new(router: Router, method: Method, path: &str) -> Self {
        Self { router, method, path: path.to_owned(), headers: Vec::new(), body: Vec::new(), peer: None }
    }

    /// Makes the call as a user of the test world, by bearer token: `world::INTAKE` and so on, or a token of a real sign-in.
    pub fn by(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the client's address. Without it, the call has no address.
    pub fn from(mut self, address: Ipv4Addr) -> Self {
        self.peer = Some(SocketAddr::from((address, 4711)));
        self
    }

    /// Sets a JSON body.
    #[expect(clippy::needless_pass_by_value, reason = "tests hand over `json!` literals")]
    pub fn json(mut self, body: Value) -> Self {
        self.body = serde_json::to_vec(&body).unwrap();
        self.header("content-type", "application/json")
    }

    /// Sets a body of another media type.
    pub fn raw(mut self, media_type: &str, body: Vec<u8>) -> Self {
        self.body = body;
        self.header("content-type", media_type)
    }

    /// Makes the call and leaves the body unread, for streams that do not end.
    pub async fn open(self) -> Response {
        let mut request = Request::builder().method(self.method).uri(self.path);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        if let Some(peer) = self.peer {
            request = request.extension(ConnectInfo(peer));
        }
        self.router.oneshot(request.body(Body::from(self.body)).unwrap()).await.unwrap()
    }

    /// Makes the call and reads only its status.
    pub async fn status(self) -> u16 {
        self.open().await.status().as_u16()
    }

    /// Makes the call and reads the complete answer.
    pub async fn send(self) -> Answer {
        let response = self.open().await;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let bytes = axum::body::to_bytes(response.into_body(), 64 << 20).await.unwrap();
        let text =
            if bytes.starts_with(b"PK") { workbook_text(&bytes) } else { String::from_utf8_lossy(&bytes).into_owned() };
        let answer = Answer { status, headers, text };
        check_codes(&answer);
        answer
    }
}

/// The parts of a workbook, with its texts quoted as in JSON answers.
fn workbook_text(bytes: &[u8]) -> String {
    let mut parts = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    for number in 0..parts.len() {
        std::io::Read::read_to_string(&mut parts.by_index(number).unwrap(), &mut text).unwrap();
    }
    text.replace("<t>", "\"").replace("</t>", "\"")
}

/// An answer, read completely.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: axum::http::HeaderMap,
    /// The body.
    pub text: String,
}

/// Checks that the sentences of a refusal carry their codes. Every answer of every test goes through it.
#[track_caller]
pub fn check_codes(answer: &Answer) {
    if answer.status < 400 {
        return;
    }
    let body = answer.json();
    let fields = body["errors"].as_array().into_iter().flatten();
    for part in fields.chain([&body]) {
        let Some(sentence) = part["message"].as_str().or_else(|| part["error_description"].as_str()) else { continue };
        assert_ne!(part["code"], UNTRANSLATED, "add this sentence to src/http/problem/messages.rs: {sentence}");
        assert_eq!(part["code"], coded(sentence).code, "the code belongs to another sentence: {sentence}");
    }
}

impl Answer {
    /// The body as JSON; null when there is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The body as JSON, after checking the status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The sentence of a refusal, after checking the status.
    #[track_caller]
    pub fn refusal(&self, status: u16) -> String {
        self.expect(status)["message"].as_str().unwrap_or_default().to_owned()
    }

    /// The field errors of a 422 as "pointer: message", in their order.
    #[track_caller]
    pub fn field_errors(&self) -> Vec<String> {
        let problem = self.expect(422);
        let errors = problem["errors"].as_array().cloned().unwrap_or_default();
        let text = |error: &Value| {
            format!("{}: {}", error["pointer"].as_str().unwrap_or(""), error["message"].as_str().unwrap_or(""))
        };
        errors.iter().map(text).collect()
    }

    /// A header, empty when absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The value that a `Set-Cookie` gives a cookie.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        cookies
            .filter_map(|cookie| cookie.split(';').next()?.split_once('='))
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
            .next_back()
    }
}
