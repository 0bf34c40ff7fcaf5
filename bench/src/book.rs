//! The figures of a benchmark, saved to a file after each run, so that an interrupted benchmark continues where it
//! stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::crowd::Met;

/// The result of one run of one server.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    /// What the clients measured.
    #[serde(flatten)]
    pub met: Met,
    /// CPU milliseconds of the whole process tree for each request.
    pub cpu: f64,
    /// Flushes to the disk.
    pub flushes: u64,
    /// Resident memory after it, in MB.
    pub memory: f64,
    /// Figures of this measure only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, f64>,
}

impl Figures {
    /// Requests a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        if self.met.seconds > 0.0 { self.met.requests as f64 / self.met.seconds } else { 0.0 }
    }

    /// Only figures specific to a measure.
    #[must_use]
    pub fn only(more: &[(&str, f64)]) -> Self {
        Self { more: more.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(), ..Self::default() }
    }
}

/// All figures by measure and server.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Book {
    /// What was measured: commit, binary, mode. Figures of different programs are not mixed.
    pub of: String,
    /// Facts of the machine and the versions.
    pub facts: BTreeMap<String, String>,
    /// Runs by measure, then by server.
    pub runs: BTreeMap<String, BTreeMap<String, Vec<Figures>>>,
    #[serde(skip)]
    file: PathBuf,
}

impl Book {
    /// Reads the file if its figures are for the same program, otherwise starts a new book.
    #[must_use]
    pub fn open(file: &Path, of: String) -> Self {
        let kept: Option<Self> = fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let kept = kept.filter(|book| book.of == of);
        Self { file: file.to_owned(), ..kept.unwrap_or_else(|| Self { of, ..Self::default() }) }
    }

    /// Reads a file as it is.
    ///
    /// # Errors
    /// If it does not exist or cannot be parsed.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        Ok(Self { file: file.to_owned(), ..serde_json::from_slice(&fs::read(file)?)? })
    }

    /// Returns true if the server has `rounds` runs.
    #[must_use]
    pub fn has(&self, measure: &str, server: &str, rounds: usize) -> bool {
        self.all(measure, server).len() >= rounds
    }

    /// The runs of one server.
    #[must_use]
    pub fn all(&self, measure: &str, server: &str) -> &[Figures] {
        self.runs.get(measure).and_then(|servers| servers.get(server)).map_or(&[], Vec::as_slice)
    }

    /// Adds a run and saves the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, measure: &str, server: &str, figures: Figures) -> anyhow::Result<()> {
        let statuses: Vec<String> = figures.met.statuses.iter().map(|(status, n)| format!("{status}×{n}")).collect();
        let more: Vec<String> = figures.more.iter().map(|(name, value)| format!("{name} {value:.3}")).collect();
        eprintln!(
            "{measure:<14} {server:<22} {:.4} ms CPU  {:>8.0}/s  p50 {:.2}  p99 {:.2} ms  {} flushes  {:.0} MB  {} {}",
            figures.cpu,
            figures.rate(),
            figures.met.all.p50,
            figures.met.all.p99,
            figures.flushes,
            figures.memory,
            statuses.join(" "),
            more.join(" "),
        );
        if let Some(broken) = &figures.met.broken {
            eprintln!("{measure:<14} {server:<22} a client broke off: {broken}");
        }
        self.runs.entry(measure.to_owned()).or_default().entry(server.to_owned()).or_default().push(figures);
        self.save()
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> anyhow::Result<()> {
        let whole = self.file.with_extension("new");
        fs::write(&whole, serde_json::to_vec_pretty(self)?)?;
        Ok(fs::rename(whole, &self.file)?)
    }

    /// The median of a figure over the runs of a server.
    #[must_use]
    pub fn median(&self, measure: &str, server: &str, figure: impl Fn(&Figures) -> f64) -> Option<f64> {
        let mut values: Vec<f64> = self.all(measure, server).iter().map(figure).collect();
        values.sort_by(f64::total_cmp);
        match values.len() {
            0 => None,
            count if count % 2 == 1 => Some(values[count / 2]),
            count => Some((values[count / 2 - 1] + values[count / 2]) / 2.0),
        }
    }

    /// The median of a figure of this measure only.
    #[must_use]
    pub fn more(&self, measure: &str, server: &str, name: &str) -> Option<f64> {
        let has = self.all(measure, server).iter().any(|figures| figures.more.contains_key(name));
        has.then(|| self.median(measure, server, |figures| figures.more.get(name).copied().unwrap_or(f64::NAN)))?
    }
}
