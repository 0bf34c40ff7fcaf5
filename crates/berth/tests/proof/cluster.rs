//! Real `berth serve` processes over one database with the test world: one on SQLite, two on PostgreSQL.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use berth_db::testing::postgres_url;
use berth_db::{Db, Engine, Options};
use berth_domain::id::BedId;
use berth_server::app::{App, Clock, Random};
use berth_server::integrations::outbox;
use berth_server::settings::Settings;
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

use crate::chance::Dice;
use crate::client::{Answer, Client, Shot};
use crate::{harness, invariants, world};

/// The number of databases created by this process so far.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Sessions of the test world last until then, because these processes use the machine's real clock.
const FAR: i64 = 4_000_000_000_000;
/// Beds that are added to the first house.
pub const BEDS: usize = 60;

/// A running server. It is killed when dropped.
pub struct Node {
    process: Child,
    /// The address it listens on.
    pub address: SocketAddr,
    /// The time from its start until it was ready to serve.
    pub ready_after: Duration,
}

impl Node {
    /// Kills it with SIGKILL, so that it finishes nothing and notifies nobody.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// The peak memory of the process, in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A database and the servers over it.
pub struct Cluster {
    pub engine: Engine,
    pub nodes: Vec<Node>,
    /// The beds that were added to the first house of Harbor House.
    pub beds: Vec<BedId>,
    folder: TempDir,
    environment: Vec<(&'static str, PathBuf)>,
    url: String,
    name: String,
    clients: Vec<Client>,
    /// Number of answers with a status of 500 or above.
    pub server_errors: u64,
}

impl Cluster {
    /// Creates a new test world and starts its servers.
    pub async fn new(engine: Engine, dice: &mut Dice) -> Self {
        Self::within(engine, dice, tempfile::tempdir().unwrap(), Vec::new()).await
    }

    /// Creates the test world in a database of `berth seed` and starts its servers.
    pub async fn of_tier(engine: Engine, dice: &mut Dice, tier: &str) -> Self {
        Self::make(engine, dice, tempfile::tempdir().unwrap(), Vec::new(), Some(tier)).await
    }

    /// Creates a new test world in the given folder and starts its servers with the given environment.
    pub async fn within(
        engine: Engine,
        dice: &mut Dice,
        folder: TempDir,
        environment: Vec<(&'static str, PathBuf)>,
    ) -> Self {
        Self::make(engine, dice, folder, environment, None).await
    }

    async fn make(
        engine: Engine,
        dice: &mut Dice,
        folder: TempDir,
        environment: Vec<(&'static str, PathBuf)>,
        tier: Option<&str>,
    ) -> Self {
        // Tests with the same seed run in parallel, and so may two runs on one database server.
        let made = MADE.fetch_add(1, Ordering::SeqCst);
        let name = format!("proof_{}_{made}_{}", std::process::id(), dice.below(u64::MAX));
        let url = match engine {
            Engine::Sqlite => format!("sqlite:{}", folder.path().join("berth.sqlite").display()),
            Engine::Postgres => {
                administer(format!("CREATE DATABASE {name}")).await;
                let (server, _) = postgres_url().rsplit_once('/').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                format!("{server}/{name}")
            }
        };
        if let Some(tier) = tier {
            grow(engine, folder.path(), &url, tier).await;
        }
        fill(&url).await;
        let count = if engine == Engine::Sqlite { 1 } else { 2 };
        let mut cluster = Self {
            engine,
            nodes: Vec::new(),
            beds: Vec::new(),
            folder,
            environment,
            url,
            name,
            clients: Vec::new(),
            server_errors: 0,
        };
        for _ in 0..count {
            let node = cluster.start().await;
            cluster.nodes.push(node);
        }
        let body = json!({"roomId": world::ROOM_1, "name": "More", "type": "Detox", "count": BEDS});
        let made = cluster.one(Shot::new("POST", "/api/Beds", world::OWNER, body)).await.expect(201);
        let id = |bed: &Value| bed["id"].as_str().unwrap().parse().unwrap();
        cluster.beds = made.as_array().unwrap().iter().map(id).collect();
        cluster
    }

    /// Starts one more server and waits until it is ready.
    pub async fn start(&self) -> Node {
        let mut command = berth();
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "info", "--data"]).arg(self.folder.path());
        if self.engine == Engine::Postgres {
            command.args(["--database-url", &self.url, "--database-connections", "10"]);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let start = Instant::now();
        let command = command.current_dir(self.folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
        let mut heard = Vec::new();
        let told = lines.find(|line| {
            heard.push(line.clone());
            line.contains("Berth serves")
        });
        let Some(told) = told else { panic!("the server does not start: {heard:#?}") };
        let address = told.split("address=").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        // Keep reading, because a server blocks when its log pipe is full. Errors are shown.
        std::thread::spawn(move || {
            for line in lines.filter(|line| line.contains("ERROR")) {
                eprintln!("{line}");
            }
        });
        let mut client = Client::new(address, Ipv4Addr::LOCALHOST);
        let ready = Shot { method: "GET", path: "/readyz".to_owned(), token: None, key: None, body: None };
        while !client.send(&ready).await.is_ok_and(|answer| answer.status == 200) {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not become ready");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Node { process, address, ready_after: start.elapsed() }
    }

    /// Makes one call to the first server, which must answer.
    pub async fn one(&mut self, shot: Shot) -> Answer {
        self.fire(&[shot]).await.remove(0)
    }

    /// Makes all calls at once, each from its own client, distributed over the servers. All must be answered.
    pub async fn fire(&mut self, shots: &[Shot]) -> Vec<Answer> {
        while self.clients.len() < shots.len() {
            let node = self.nodes[self.clients.len() % self.nodes.len()].address;
            self.clients.push(Client::new(node, Ipv4Addr::LOCALHOST));
        }
        let calls = self.clients.iter_mut().zip(shots).map(|(client, shot)| client.send(shot));
        let answers = join_all(calls).await.into_iter();
        let answers: Vec<Answer> = answers.map(|answer| answer.expect("a running server answers")).collect();
        self.count_errors(&answers);
        answers
    }

    /// Counts answers that must not occur.
    pub fn count_errors(&mut self, answers: &[Answer]) {
        self.server_errors += answers.iter().map(|answer| u64::from(answer.status >= 500)).sum::<u64>();
    }

    /// Drops the clients, after a server was stopped or started.
    pub fn forget_clients(&mut self) {
        self.clients.clear();
    }

    /// The database itself, for recounts.
    pub async fn db(&self) -> Db {
        Db::open_with(&self.url, Options { max_connections: 2, readers: 1, ..Options::default() }).await.unwrap()
    }

    /// Describes the broken invariants.
    pub async fn broken(&self) -> Vec<String> {
        let db = self.db().await;
        let broken = recount(&db).await;
        db.close().await;
        broken
    }

    /// Stops the servers, then removes the database.
    pub async fn end(mut self) {
        self.nodes.clear();
        if self.engine == Engine::Postgres {
            administer(format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
        }
    }
}

/// Describes the broken invariants of a database that is already open.
pub async fn recount(db: &Db) -> Vec<String> {
    invariants::broken(db, system(db).now()).await
}

/// The confirmation of a public request, with the code from the outbox.
pub async fn confirmation(db: &Db, asked: &Value, phone: String) -> Shot {
    /// More than the number of simultaneous requests.
    const NEWEST: i64 = 500;
    let messages = outbox::newest(&system(db), NEWEST).await.unwrap();
    let texts = messages.iter().filter(|message| message.channel == "sms" && message.to == phone);
    let otp =
        texts.map(|message| crate::steps::code_of(&message.body)).find(|code| code.len() == 6).unwrap_or_default();
    let path = format!("/api/public/reservations/{}/confirm", asked["id"].as_str().unwrap_or_default());
    Shot { token: None, ..Shot::new("POST", path, "", json!({"otp": otp})) }
}

/// The name of an engine in figures.
pub fn name_of(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgres",
    }
}

/// An application with the machine's clock.
pub fn system(db: &Db) -> App {
    App::new(db.clone(), Settings::default().checked().unwrap(), Clock::System, Random::System)
}

async fn administer(text: String) {
    let mut connection = PgConnection::connect(&postgres_url()).await.unwrap();
    sqlx::query(AssertSqlSafe(text)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The program, without the settings in the environment of this process.
fn berth() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_berth"));
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("BERTH_")) {
            command.env_remove(name);
        }
    }
    command
}

/// Creates the data of a tier. The file is created once and copied; `BERTH_PROOF_WORLDS` says where it is kept.
async fn grow(engine: Engine, folder: &Path, url: &str, tier: &str) {
    let (kept, copy) = (worlds().join(format!("{tier}.sqlite")), folder.join("berth.sqlite"));
    if engine == Engine::Sqlite && kept.is_file() {
        std::fs::copy(&kept, &copy).unwrap();
        return;
    }
    let mut command = berth();
    command.args(["seed", "--tier", tier]).current_dir(folder);
    match engine {
        Engine::Sqlite => command.arg("--data").arg(folder),
        Engine::Postgres => command.args(["--database-url", url]),
    };
    let made = command.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    if engine == Engine::Sqlite {
        // Closing merges the log into the file.
        Db::open(url).await.unwrap().close().await;
        let whole = kept.with_extension("new");
        std::fs::create_dir_all(worlds()).unwrap();
        std::fs::copy(&copy, &whole).unwrap();
        std::fs::rename(whole, kept).unwrap();
    }
}

fn worlds() -> PathBuf {
    std::env::var_os("BERTH_PROOF_WORLDS").map_or_else(std::env::temp_dir, PathBuf::from)
}

/// Fills in the test world, with sessions that do not expire.
async fn fill(url: &str) {
    let db = Db::open(url).await.unwrap();
    db.migrate().await.unwrap();
    let clock = Arc::new(AtomicI64::new(harness::START));
    world::fill(&harness::app(db.clone(), &clock, 1)).await;
    let mut tx = db.begin().await.unwrap();
    for text in ["UPDATE sessions SET last_seen_at = $1, expires_at = $1", "UPDATE secrets SET expires_at = $1"] {
        tx.query(text).bind(FAR).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    db.close().await;
}
