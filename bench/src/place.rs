//! The folders of a benchmark, and the worlds that it makes once and copies for each server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use crate::database::Database;
use crate::process::{SHIM, Server, free_address};
use crate::work;
use crate::world::{self, World};

/// Folders and programs.
#[derive(Debug, Clone)]
pub struct Place {
    /// The sources.
    pub sources: PathBuf,
    /// The folder for everything that a benchmark writes.
    pub folder: PathBuf,
    /// The server under test.
    pub berth: PathBuf,
    /// An older one to compare it with. It makes the worlds for both, so that both read the same rows.
    pub older: Option<PathBuf>,
    /// A folder in memory, to measure CPU without waiting for a disk.
    pub memory: PathBuf,
}

/// Which of two compared programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// The program under test.
    Newer,
    /// The older one.
    Older,
}

/// The PostgreSQL server started by `scripts/with-postgres`.
#[derive(Debug, Clone)]
pub struct Postgres {
    /// The address without a database.
    base: String,
    programs: PathBuf,
    /// The first process of the server.
    pub process: u32,
}

impl Postgres {
    /// Reads it from the environment.
    ///
    /// # Errors
    /// If there is none.
    pub fn found() -> anyhow::Result<Self> {
        let variable = |name: &str| {
            std::env::var(name).with_context(|| format!("{name} is missing: run this by scripts/with-postgres"))
        };
        let address = variable("BERTH_TEST_POSTGRES")?;
        let base = address.rsplit_once('/').context("an address without a database")?.0.to_owned();
        let pid = fs::read_to_string(Path::new(&variable("BERTH_TEST_POSTGRES_DATA")?).join("postmaster.pid"))?;
        let process = pid.lines().next().unwrap_or_default().trim().parse()?;
        Ok(Self { base, programs: variable("BERTH_TEST_POSTGRES_BIN")?.into(), process })
    }

    /// The address of a database.
    #[must_use]
    pub fn url(&self, name: &str) -> String {
        format!("{}/{name}", self.base)
    }

    /// The path of a PostgreSQL program; `pgbench` may be in another folder.
    #[must_use]
    pub fn program(&self, name: &str) -> PathBuf {
        let path = self.programs.join(name);
        if path.is_file() { path } else { name.into() }
    }

    /// A database to prepare or check.
    #[must_use]
    pub fn open(&self, name: &str) -> Database {
        Database::Postgres { url: self.url(name), programs: self.programs.clone() }
    }
}

/// How a Berth server is started.
pub struct Berth<'a> {
    /// Which program.
    pub age: Age,
    /// The folder with its data.
    pub data: &'a Path,
    /// PostgreSQL, to be used instead of the file in the folder.
    pub url: Option<String>,
}

impl Place {
    /// Makes the folders, and the library that counts flushes.
    ///
    /// # Errors
    /// If they cannot be made.
    pub fn open(sources: PathBuf, folder: PathBuf, berth: PathBuf, older: Option<PathBuf>) -> anyhow::Result<Self> {
        let memory = PathBuf::from(format!("/dev/shm/berth-bench-{}", std::process::id()));
        for path in [&folder, &memory] {
            fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
        }
        let shim = folder.join("flushes.so");
        let built = Command::new("cc")
            .args(["-O2", "-shared", "-fPIC", "-o"])
            .arg(&shim)
            .arg(sources.join("bench/flushes.c"))
            .arg("-ldl")
            .status()
            .context("a C compiler is missing")?;
        if !built.success() {
            bail!("flushes.c does not compile");
        }
        let _ = SHIM.set(shim);
        Ok(Self { sources, folder, berth, older, memory })
    }

    /// Removes what only this run needs.
    pub fn leave(&self) {
        let _ = fs::remove_dir_all(&self.memory);
        let _ = fs::remove_dir_all(self.folder.join("run"));
    }

    /// The programs to measure, the older one first.
    #[must_use]
    pub fn ages(&self) -> &'static [Age] {
        if self.older.is_some() { &[Age::Older, Age::Newer] } else { &[Age::Newer] }
    }

    /// The file of a program.
    #[must_use]
    pub fn program(&self, age: Age) -> &Path {
        match (age, &self.older) {
            (Age::Older, Some(older)) => older,
            _ => &self.berth,
        }
    }

    /// The program that makes worlds.
    fn maker(&self) -> Age {
        self.ages()[0]
    }

    /// Starts a Berth server and waits until it answers.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn start_berth(&self, berth: &Berth<'_>, log: &str) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(self.program(berth.age));
        command
            .args(["serve", "--listen", &address.to_string(), "--trusted-proxies", "127.0.0.1", "--data"])
            .arg(berth.data)
            .current_dir(&self.folder);
        if let Some(url) = &berth.url {
            command.args(["--database-url", url]);
        }
        Server::start(command, address, "/healthz", &self.folder.join(format!("{log}.log")))
    }

    /// The file of a world, made if it does not exist: seeded, with the boards and sessions of the benchmark. A world
    /// that another program made is opened once, so that it has the tables of this one.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn world(&self, age: Age, tier: &str) -> anyhow::Result<PathBuf> {
        let made_here = age == self.maker();
        let name = format!("{tier}-{}{}", self.fingerprint()?, if made_here { "" } else { "-newer" });
        let folder = self.folder.join("worlds").join(name);
        let file = folder.join("berth.sqlite");
        if folder.join("whole").is_file() {
            return Ok(file);
        }
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let berth = Berth { age, data: &folder, url: None };
        if made_here {
            eprintln!("── making the world of tier {tier}");
            self.seed(tier, &["--data".as_ref(), folder.as_os_str()])?;
            let world = world::prepare(&mut Database::sqlite(&file)?)?;
            let server = self.start_berth(&berth, "prepare")?;
            work::move_in(server.address, &world)?;
            server.stop();
        } else {
            fs::copy(self.world(self.maker(), tier)?, &file)?;
            eprintln!("── opening the older program's world of tier {tier}");
            self.start_berth(&berth, "prepare")?.stop();
        }
        // A single file without a separate log, so that it can be copied.
        let mut database = Database::sqlite(&file)?;
        database.rows("PRAGMA wal_checkpoint(TRUNCATE)")?;
        drop(database);
        fs::write(folder.join("whole"), "")?;
        Ok(file)
    }

    /// A world in a separate database.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn postgres_world(&self, postgres: &Postgres, age: Age, tier: &str) -> anyhow::Result<(String, World)> {
        let made_here = age == self.maker();
        let original = format!("bench_{}", tier.to_lowercase());
        let name = format!("{original}{}", if made_here { "" } else { "_newer" });
        let there = "SELECT COUNT(*) FROM pg_database WHERE datname = '";
        if postgres.open("postgres").count(&format!("{there}{name}'"))? == 0 {
            let berth = Berth { age, data: &self.memory, url: Some(postgres.url(&name)) };
            if made_here {
                eprintln!("── making the world of tier {tier} on PostgreSQL");
                postgres.open("postgres").run(&format!("CREATE DATABASE {name}"))?;
                self.seed(tier, &["--database-url".as_ref(), postgres.url(&name).as_ref()])?;
                let world = world::prepare(&mut postgres.open(&name))?;
                let server = self.start_berth(&berth, "prepare")?;
                work::move_in(server.address, &world)?;
                server.stop();
            } else {
                self.postgres_world(postgres, self.maker(), tier)?;
                eprintln!("── opening the older program's world of tier {tier} on PostgreSQL");
                postgres.open("postgres").run(&format!("CREATE DATABASE {name} TEMPLATE {original}"))?;
                self.start_berth(&berth, "prepare")?.stop();
            }
            postgres.open(&name).run("VACUUM ANALYZE")?;
        }
        Ok((name.clone(), world::prepare(&mut postgres.open(&name))?))
    }

    fn seed(&self, tier: &str, place: &[&std::ffi::OsStr]) -> anyhow::Result<()> {
        let program = self.program(self.maker());
        let mut command = Command::new(program);
        command.args(["seed", "--tier", tier]).args(place).current_dir(&self.folder);
        let output = command.output().with_context(|| format!("{} does not start", program.display()))?;
        if !output.status.success() {
            bail!("the world was not made: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(())
    }

    /// A copy of a world for one server, with fresh sessions: in memory, or on the disk.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn copy(&self, age: Age, tier: &str, name: &str, in_memory: bool) -> anyhow::Result<(PathBuf, World)> {
        let file = self.world(age, tier)?;
        let folder = if in_memory { self.memory.join(name) } else { self.folder.join("run").join(name) };
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let copy = folder.join("berth.sqlite");
        fs::copy(&file, &copy).with_context(|| format!("cannot copy the world to {}", folder.display()))?;
        let world = world::prepare(&mut Database::sqlite(&copy)?)?;
        Ok((folder, world))
    }

    /// A digest of what a world depends on: the tables, the seeding, and the boards of the benchmark.
    fn fingerprint(&self) -> anyhow::Result<String> {
        let mut digest = Sha256::new();
        for folder in ["crates/db/migrations", "crates/demo/src", "crates/demo/src/seed"] {
            let entries = fs::read_dir(self.sources.join(folder))?.flatten().map(|entry| entry.path());
            let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
            files.sort();
            for file in files {
                digest.update(fs::read(file)?);
            }
        }
        digest.update(include_str!("world.rs"));
        if let Some(older) = &self.older {
            digest.update(fs::read(older)?);
        }
        Ok(hex::encode(digest.finalize())[..12].to_owned())
    }
}

impl Place {
    /// Digests of the measured programs.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn identity(&self) -> anyhow::Result<String> {
        let digest = |age: &Age| Ok(hex::encode(Sha256::digest(fs::read(self.program(*age))?))[..16].to_owned());
        Ok(self.ages().iter().map(digest).collect::<anyhow::Result<Vec<String>>>()?.join(" and "))
    }

    /// The machine, its load, and the versions of everything.
    #[must_use]
    pub fn facts(&self, postgres: &Postgres) -> Vec<(String, String)> {
        let said = |program: &Path, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(&self.sources).output().ok()?;
            Some(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_owned())
        };
        let file = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
            line.split_once(':').map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
        let memory = field(&file("/proc/meminfo"), "MemTotal");
        let machine = format!("{} × {}, {memory} of memory", cores, field(&file("/proc/cpuinfo"), "model name"));
        let system = file("/etc/os-release");
        let system = system.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or_default().to_owned();
        let kernel = file("/proc/sys/kernel/osrelease").trim().to_owned();
        let peers = self.folder.join("peers");
        [
            ("machine", Some(machine)),
            ("system", Some(format!("{}, Linux {kernel}", system.trim_matches('"')))),
            ("load before", Some(file("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(" "))),
            ("commit", said("git".as_ref(), &["describe", "--always", "--dirty", "--abbrev=12"])),
            ("date", said("date".as_ref(), &["-u", "+%Y-%m-%d %H:%M UTC"])),
            ("rustc", said("rustc".as_ref(), &["--version"])),
            ("node", said("node".as_ref(), &["--version"])),
            ("python", said(&peers.join("fastapi/venv/bin/python"), &["--version"])),
            ("postgres", said(&postgres.program("postgres"), &["--version"])),
            ("fastify", Some(pinned(&self.sources.join("bench/peers/fastify/package.json"), "\"fastify\""))),
            (
                "better-sqlite3",
                Some(pinned(&self.sources.join("bench/peers/fastify/package.json"), "\"better-sqlite3\"")),
            ),
            ("fastapi", Some(pinned(&self.sources.join("bench/peers/fastapi/requirements.txt"), "fastapi"))),
            ("sqlalchemy", Some(pinned(&self.sources.join("bench/peers/fastapi/requirements.txt"), "SQLAlchemy"))),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
    }
}

/// The version pinned in a file.
fn pinned(file: &Path, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().map(str::trim).find(|line| line.starts_with(name)).unwrap_or_default();
    line[name.len().min(line.len())..].trim_matches([' ', ':', '"', ',', '=']).to_owned()
}
