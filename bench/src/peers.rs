//! The peers: alternatives that do the same work with the same guarantees on the same tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::place::Place;
use crate::process::{Server, free_address};

/// A peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// Fastify 5 with better-sqlite3.
    Fastify,
    /// The same with our cache of board bytes by site version, to separate the effects of design and language.
    FastifyCached,
    /// FastAPI with SQLAlchemy.
    FastApi,
}

impl Peer {
    /// Name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fastify => "fastify",
            Self::FastifyCached => "fastify, cached bytes",
            Self::FastApi => "fastapi",
        }
    }
}

/// The folders in which the peers are installed.
pub struct Installed {
    fastify: PathBuf,
    fastapi: PathBuf,
}

/// Installs both in the benchmark's folder, except what is already there and unchanged.
///
/// # Errors
/// If npm or pip fails.
pub fn install(place: &Place) -> anyhow::Result<Installed> {
    let sources = place.sources.join("bench/peers");
    let installed =
        Installed { fastify: place.folder.join("peers/fastify"), fastapi: place.folder.join("peers/fastapi") };
    let files = ["package.json", "package-lock.json", "server.mjs"];
    if bring(&sources.join("fastify"), &installed.fastify, &files, &files[..2])? {
        eprintln!("── installing Fastify and better-sqlite3");
        let mut command = Command::new("npm");
        command.args(["ci", "--no-audit", "--no-fund", "--build-from-source"]).current_dir(&installed.fastify);
        // Uses the headers installed with this Node.js: the native part is compiled without a download.
        if let Some(headers) = node_headers() {
            command.env("npm_config_nodedir", headers);
        }
        quietly(command)?;
        quietly(node_rebuild(&installed.fastify))?;
        fs::write(installed.fastify.join("whole"), "")?;
    }
    let files = ["requirements.txt", "app.py"];
    if bring(&sources.join("fastapi"), &installed.fastapi, &files, &files[..1])? {
        eprintln!("── installing FastAPI and SQLAlchemy");
        let mut command = Command::new("python3");
        command.args(["-m", "venv", "--clear", "venv"]).current_dir(&installed.fastapi);
        quietly(command)?;
        let mut command = Command::new(installed.fastapi.join("venv/bin/pip"));
        command.args(["install", "--quiet", "-r", "requirements.txt"]).current_dir(&installed.fastapi);
        quietly(command)?;
        fs::write(installed.fastapi.join("whole"), "")?;
    }
    Ok(installed)
}

/// Builds the native part, because npm may be configured not to run install scripts.
fn node_rebuild(folder: &Path) -> Command {
    let mut command = Command::new("sh");
    let text = "test -f node_modules/better-sqlite3/build/Release/better_sqlite3.node || \
        (cd node_modules/better-sqlite3 && npx --yes node-gyp rebuild --release)";
    command.args(["-c", text]).current_dir(folder);
    if let Some(headers) = node_headers() {
        command.env("npm_config_nodedir", headers);
    }
    command
}

/// Copies the files; returns true if the ones that decide what is installed have changed.
fn bring(from: &Path, to: &Path, files: &[&str], deciding: &[&str]) -> anyhow::Result<bool> {
    fs::create_dir_all(to)?;
    let read = |folder: &Path, file: &str| fs::read(folder.join(file)).unwrap_or_default();
    let changed = deciding.iter().any(|file| read(from, file) != read(to, file)) || !to.join("whole").is_file();
    for file in files {
        fs::copy(from.join(file), to.join(file)).with_context(|| format!("cannot copy {file}"))?;
    }
    Ok(changed)
}

fn node_headers() -> Option<PathBuf> {
    let output = Command::new("node").args(["-p", "process.execPath"]).output().ok()?;
    let program = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let prefix = program.parent()?.parent()?.to_owned();
    prefix.join("include/node/node.h").is_file().then_some(prefix)
}

fn quietly(mut command: Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("{command:?} does not start"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        bail!("{command:?}: {text}");
    }
    Ok(())
}

impl Installed {
    /// Starts a peer on a world's file.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn start(&self, place: &Place, peer: Peer, data: &Path) -> anyhow::Result<Server> {
        let address = free_address()?;
        let port = address.port().to_string();
        let mut command = match peer {
            Peer::Fastify | Peer::FastifyCached => {
                let mut command = Command::new("node");
                command.arg("server.mjs").current_dir(&self.fastify).env("NODE_ENV", "production");
                command.env("CACHE_BYTES", if peer == Peer::FastifyCached { "yes" } else { "no" });
                command
            }
            Peer::FastApi => {
                let mut command = Command::new(self.fastapi.join("venv/bin/uvicorn"));
                command.args(["app:app", "--no-access-log", "--log-level", "warning", "--port", &port]);
                command.current_dir(&self.fastapi);
                command
            }
        };
        command.env("PORT", &port).env("DATABASE", data.join("berth.sqlite"));
        let log = place.folder.join(format!("{}.log", peer.name().replace([',', ' '], "-")));
        Server::start(command, address, "/healthz", &log)
    }
}
