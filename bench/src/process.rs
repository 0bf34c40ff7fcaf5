//! Starts, monitors (through `/proc`) and ends the measured processes.

use std::collections::HashMap;
use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::client::{Client, request};

/// Clock ticks in a second, as counted by `/proc/<pid>/stat`; the same on every known Linux.
const TICKS: f64 = 100.0;

/// The library that counts flushes, once it is built.
pub static SHIM: OnceLock<PathBuf> = OnceLock::new();

/// A server under measurement. It ends when dropped.
pub struct Server {
    child: Child,
    /// The address it listens on.
    pub address: SocketAddr,
    /// Time from the start of the process to the first answer.
    pub started_in: Duration,
    flushes: PathBuf,
    /// Additional process trees to count, such as the one of a database server.
    pub besides: Vec<u32>,
}

impl Server {
    /// Starts `command` and waits until `path` is answered with anything below 500. Its output goes to `log`.
    ///
    /// # Errors
    /// If it does not start within a minute.
    pub fn start(command: Command, address: SocketAddr, path: &str, log: &Path) -> anyhow::Result<Self> {
        let mut command = that_ends_with_us(&command);
        let flushes = log.with_extension("flushes");
        fs::write(&flushes, [0; 8])?;
        if let Some(shim) = SHIM.get() {
            command.env("LD_PRELOAD", shim).env("BENCH_FLUSHES", &flushes);
        }
        let output = File::create(log)?;
        let begun = Instant::now();
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .with_context(|| format!("{name} does not start"))?;
        let mut server = Self { child, address, started_in: Duration::ZERO, flushes, besides: Vec::new() };
        let probe = request("GET", path, &[], None);
        while begun.elapsed() < Duration::from_secs(60) {
            if let Ok(answer) = Client::new(address).send(&probe)
                && answer.status < 500
            {
                server.started_in = begun.elapsed();
                return Ok(server);
            }
            if let Some(status) = server.child.try_wait()? {
                bail!("{name} ended with {status}: {}", fs::read_to_string(log).unwrap_or_default());
            }
            thread::sleep(Duration::from_millis(2));
        }
        bail!("{name} was not ready within a minute: {}", fs::read_to_string(log).unwrap_or_default())
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// CPU milliseconds of the whole tree so far, including children that have ended.
    #[must_use]
    pub fn cpu_millis(&self) -> f64 {
        let stats = stats();
        let roots = std::iter::once(self.pid()).chain(self.besides.iter().copied());
        let ticks: u64 =
            roots.flat_map(|root| tree(&stats, root)).filter_map(|pid| stats.get(&pid)).map(|s| s.ticks).sum();
        ticks as f64 * 1000.0 / TICKS
    }

    /// Resident memory of its own tree in MB (10^6 bytes).
    #[must_use]
    pub fn memory(&self) -> f64 {
        let stats = stats();
        tree(&stats, self.pid()).iter().map(|pid| resident(*pid)).sum()
    }

    /// Number of flushes to the disk so far (0 without the shim).
    #[must_use]
    pub fn flushes(&self) -> u64 {
        let bytes = fs::read(&self.flushes).unwrap_or_default();
        bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_ne_bytes(*bytes))
    }

    /// Asks it to stop and waits.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// The same command, set up so that the kernel stops it when this program ends in any way: an interrupted measurement
/// leaves no server behind that would disturb the next one.
fn that_ends_with_us(command: &Command) -> Command {
    let mut ending = Command::new("setpriv");
    ending.args(["--pdeathsig", "TERM", "--"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => ending.env(name, value),
            None => ending.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        ending.current_dir(folder);
    }
    ending
}

struct Stat {
    parent: u32,
    ticks: u64,
}

/// The parent and the CPU time of every process, including its ended children.
fn stats() -> HashMap<u32, Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return HashMap::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, stat(pid)?))).collect()
}

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain any character, so read what follows its closing parenthesis.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
    Some(Stat { parent: u32::try_from(number(1)?).ok()?, ticks })
}

fn tree(stats: &HashMap<u32, Stat>, root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(stats.iter().filter(|(_, stat)| stat.parent == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found
}

fn resident(pid: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().unwrap_or(0.0) * 1024.0 / 1e6
}

/// A loopback port that was free a moment ago.
///
/// # Errors
/// If there is none.
pub fn free_address() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
