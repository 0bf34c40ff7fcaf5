//! Runs the measures: starts the servers together, interleaves their runs, and counts the CPU of each run.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::book::{Book, Figures};
use crate::crowd::{Until, Work, run};
use crate::database::Database;
use crate::peers::{Installed, Peer};
use crate::place::{Age, Berth, Place, Postgres};
use crate::process::{Server, free_address};
use crate::world::{self, World};

/// The settings and state of a benchmark.
pub struct Bench {
    /// Folders.
    pub place: Place,
    /// PostgreSQL.
    pub postgres: Postgres,
    /// The peers, unless they are skipped.
    pub peers: Option<Installed>,
    /// Figures so far.
    pub book: Book,
    /// Runs of each server.
    pub rounds: usize,
    /// A smoke run: it shows that everything works; do not quote its figures.
    pub short: bool,
}

/// A server to be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Berth on SQLite, in memory.
    Sqlite,
    /// Berth on SQLite, on the disk.
    SqliteOnDisk,
    /// Berth on SQLite with a given tier, on the disk.
    Tier(&'static str),
    /// Berth on PostgreSQL.
    Postgres,
    /// Berth on PostgreSQL with a given tier.
    PostgresTier(&'static str),
    /// A peer, in memory.
    Peer(Peer),
    /// A peer, on the disk.
    PeerOnDisk(Peer),
    /// axum with static bytes.
    Static,
}

impl Target {
    /// True for a Berth server, of which there may be an older one to compare with.
    fn is_berth(self) -> bool {
        !matches!(self, Self::Peer(_) | Self::PeerOnDisk(_) | Self::Static)
    }

    /// Name in the tables.
    #[must_use]
    pub fn name_of(self, age: Age) -> String {
        match age {
            Age::Newer => self.name(),
            Age::Older => self.name().replacen("berth", OLDER, 1),
        }
    }

    /// Name in the tables, for the program under test.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Sqlite | Self::SqliteOnDisk => "berth, SQLite".to_owned(),
            Self::Tier(tier) => format!("berth, SQLite, tier {tier}"),
            Self::Postgres => "berth, PostgreSQL".to_owned(),
            Self::PostgresTier(tier) => format!("berth, PostgreSQL, tier {tier}"),
            Self::Peer(peer) | Self::PeerOnDisk(peer) => peer.name().to_owned(),
            Self::Static => "axum, static bytes".to_owned(),
        }
    }
}

/// What the older of two programs is called in the tables.
pub const OLDER: &str = "older berth";

/// A started server and its world.
pub struct Running {
    /// Kind of server.
    pub target: Target,
    /// Which of two programs.
    pub age: Age,
    /// Its processes.
    pub server: Server,
    /// Contents of its world.
    pub world: World,
    /// Its data folder; none with PostgreSQL.
    pub data: Option<PathBuf>,
    /// Its database in PostgreSQL.
    pub database: Option<String>,
}

impl Running {
    /// Name in the tables.
    #[must_use]
    pub fn name(&self) -> String {
        self.target.name_of(self.age)
    }
}

impl Bench {
    /// Seconds, or a share of them in a smoke run.
    #[must_use]
    pub fn seconds(&self, full: f64) -> Duration {
        Duration::from_secs_f64(if self.short { (full / 3.0).max(1.0) } else { full })
    }

    /// Makes the world of a server if it does not exist yet.
    fn make_world(&self, target: Target, age: Age) -> anyhow::Result<()> {
        match target {
            Target::PostgresTier(tier) => self.place.postgres_world(&self.postgres, age, tier).map(|_| ()),
            Target::Postgres => self.place.postgres_world(&self.postgres, age, "S").map(|_| ()),
            Target::Tier(tier) => self.place.world(age, tier).map(|_| ()),
            _ => self.place.world(age, "S").map(|_| ()),
        }
    }

    /// Starts a server on a fresh copy of its world.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(&self, target: Target, age: Age, measure: &str) -> anyhow::Result<Running> {
        let name = format!("{measure}-{}", target.name_of(age).replace([',', ' '], "-"));
        let (place, log) = (&self.place, name.as_str());
        let mut database = None;
        let (server, world, data) = match target {
            Target::Postgres | Target::PostgresTier(_) => {
                let tier = if let Target::PostgresTier(tier) = target { tier } else { "S" };
                let (own, world) = place.postgres_world(&self.postgres, age, tier)?;
                let folder = place.memory.join(&name);
                std::fs::create_dir_all(&folder)?;
                let url = Some(self.postgres.url(&own));
                let mut server = place.start_berth(&Berth { age, data: &folder, url }, log)?;
                server.besides.push(self.postgres.process);
                catch_up(&mut self.postgres.open(&own))?;
                database = Some(own);
                (server, world, None)
            }
            Target::Sqlite | Target::SqliteOnDisk | Target::Tier(_) => {
                let tier = if let Target::Tier(tier) = target { tier } else { "S" };
                let (folder, world) = place.copy(age, tier, &name, target == Target::Sqlite)?;
                let server = place.start_berth(&Berth { age, data: &folder, url: None }, log)?;
                catch_up(&mut Database::sqlite(&folder.join("berth.sqlite"))?)?;
                (server, world, Some(folder))
            }
            Target::Peer(peer) | Target::PeerOnDisk(peer) => {
                let (folder, world) = place.copy(age, "S", &name, target == Target::Peer(peer))?;
                let peers = self.peers.as_ref().context("the peers are left out")?;
                (peers.start(place, peer, &folder)?, world, Some(folder))
            }
            Target::Static => {
                let (_, world) = place.copy(age, "S", &name, true)?;
                let address = free_address()?;
                let mut command = std::process::Command::new(std::env::current_exe()?);
                command.args(["static", &address.port().to_string()]);
                let log = place.folder.join("static.log");
                (Server::start(command, address, "/healthz", &log)?, world, None)
            }
        };
        Ok(Running { target, age, server, world, data, database })
    }

    /// Measures some servers in turns: all of them once, then all of them again, `self.rounds` times; each by both
    /// programs if two are compared. Skips servers that already have figures.
    ///
    /// # Errors
    /// If a server does not start or a figure cannot be saved.
    pub fn in_turns(
        &mut self,
        measure: &str,
        targets: &[Target],
        mut once: impl FnMut(&Self, &Running) -> anyhow::Result<Figures>,
    ) -> anyhow::Result<()> {
        let rounds = self.rounds;
        let alone = self.peers.is_none();
        let open = |book: &Book, target: Target, age: Age| {
            let left_out = alone && matches!(target, Target::Peer(_) | Target::PeerOnDisk(_));
            !left_out && !book.has(measure, &target.name_of(age), rounds)
        };
        let ages = |target: Target| if target.is_berth() { self.place.ages() } else { &[Age::Newer] };
        let each = targets.iter().flat_map(|target| ages(*target).iter().map(|age| (*target, *age)));
        let each: Vec<_> = each.filter(|(target, age)| open(&self.book, *target, *age)).collect();
        // Making a world of tier L takes longer than the idle limit of a session.
        for (target, age) in &each {
            self.make_world(*target, *age)?;
        }
        let running = each
            .iter()
            .map(|(target, age)| {
                self.start(*target, *age, measure).with_context(|| format!("{measure}, {}", target.name_of(*age)))
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        for _ in 0..rounds {
            for one in &running {
                if open(&self.book, one.target, one.age) {
                    let figures = once(self, one).with_context(|| format!("{measure}, {}", one.name()))?;
                    self.book.add(measure, &one.name(), figures)?;
                }
            }
        }
        for one in running {
            one.server.stop();
            if let Some(folder) = one.data {
                let _ = std::fs::remove_dir_all(folder);
            }
        }
        Ok(())
    }

    /// One run of clients against a server.
    ///
    /// # Errors
    /// If the number of PostgreSQL's flushes cannot be read.
    pub fn measure(&self, running: &Running, clients: Vec<Work<'_>>, until: Until) -> anyhow::Result<Figures> {
        let (mut cpu, mut flushes) = (0.0, 0.0);
        let of_postgres = matches!(running.target, Target::Postgres | Target::PostgresTier(_));
        let met = run(clients, until, |first| {
            let sign = if first { -1.0 } else { 1.0 };
            cpu += sign * running.server.cpu_millis();
            flushes += sign * running.server.flushes() as f64;
            if of_postgres {
                flushes += sign * self.postgres_flushes();
            }
        });
        let cpu = cpu / met.requests.max(1) as f64;
        Ok(Figures { met, cpu, flushes: flushes as u64, memory: running.server.memory(), ..Figures::default() })
    }

    /// Number of flushes of PostgreSQL's log; PostgreSQL updates it with a delay of a second.
    fn postgres_flushes(&self) -> f64 {
        std::thread::sleep(Duration::from_millis(1_200));
        let mut database = self.postgres.open("postgres");
        database.count("SELECT wal_sync FROM pg_stat_wal").map_or(0.0, |count| count as f64)
    }
}

/// Waits until the server has recorded the holds that have expired since its world was made, and has marked and sealed
/// the trail: a large world has thousands of such holds and millions of audit rows, and this work is not part of the
/// measured calls.
///
/// # Errors
/// If it takes longer than ten minutes.
pub fn catch_up(database: &mut Database) -> anyhow::Result<()> {
    /// Rows from one mark to the next.
    const ROWS_PER_MARK: i64 = 500;
    let now = world::now();
    let overdue = format!(
        "SELECT COUNT(*) FROM guests WHERE expires_at <= {now} AND accepted_at IS NULL AND rejected_at IS NULL \
         AND expired_at IS NULL AND expires_at IS NOT NULL"
    );
    // Rows that were made with the world; newer rows get marks later.
    let old = format!("FROM audit WHERE at < {}", now - 600_000);
    let mut lists = Vec::new();
    for (kind, rows) in [("internal", old.clone()), ("guests", format!("{old} AND action = 'guest.created'"))] {
        let marked = format!("SELECT COALESCE(MAX(ordinal), 0) FROM audit_marks WHERE kind = '{kind}'");
        lists.push((marked, database.count(&format!("SELECT COUNT(*) {rows}"))? - ROWS_PER_MARK));
    }
    // Ids are in the order of time, so the sealed rows can be counted.
    let sealed = "SELECT COALESCE(SUM(row_count), 0) FROM audit_seals";
    let old = database.count(&format!("SELECT COUNT(*) {old}"))?;
    for _ in 0..3000 {
        let mut behind = database.count(&overdue)? > 0 || database.count(sealed)? < old;
        for (marked, rows) in &lists {
            behind = behind || database.count(marked)? < *rows;
        }
        if !behind {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    anyhow::bail!("holds that have run out are not put on record, or the pages of the trail are not marked")
}
