//! The proofs on the page: the lines that `scripts/prove` wrote, summed by proof, engine and program.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::scorecard::rounded;

/// The required number of runs of each proof on each engine, and its name on the page.
const WANTED: [(&str, u64, &str); 6] = [
    ("model", 10_000, "sequences of 50 commands beside the model"),
    ("storms", 10_000, "rounds of storms"),
    ("kills", 500, "kill -9"),
    ("kills in tier M", 100, "kill -9 in tier M"),
    ("kills while paying", 500, "kill -9 while paying"),
    ("faults", 500, "cuts and stalls of the database"),
];

/// A histogram of times: microseconds, rounded up to two digits, and how often each occurred.
type Times = BTreeMap<u64, u64>;

/// One run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    proof: String,
    engine: String,
    commit: String,
    profile: String,
    date: String,
    place: String,
    count: u64,
    violations: u64,
    #[serde(default)]
    server_errors: u64,
    #[serde(default)]
    broken_off: bool,
    #[serde(default)]
    times: BTreeMap<String, BTreeMap<String, u64>>,
    #[serde(default)]
    counts: BTreeMap<String, u64>,
}

/// Runs of one proof on one engine with one program.
#[derive(Debug, Default)]
struct Sum {
    runs: u64,
    broken_off: u64,
    count: u64,
    violations: u64,
    server_errors: u64,
    dates: [String; 2],
    place: String,
    times: BTreeMap<String, Times>,
    counts: BTreeMap<String, u64>,
}

impl Sum {
    fn add(&mut self, run: Run) {
        self.runs += 1;
        self.broken_off += u64::from(run.broken_off);
        self.count += run.count;
        self.violations += run.violations;
        self.server_errors += run.server_errors;
        if self.dates[0].is_empty() || run.date < self.dates[0] {
            self.dates[0].clone_from(&run.date);
        }
        if run.date > self.dates[1] {
            self.dates[1] = run.date;
        }
        self.place = run.place;
        for (name, times) in run.times {
            let sum = self.times.entry(name).or_default();
            for (micros, count) in times {
                *sum.entry(micros.parse().unwrap_or_default()).or_default() += count;
            }
        }
        for (name, count) in run.counts {
            *self.counts.entry(name).or_default() += count;
        }
    }

    /// The other counts, and the times.
    fn more(&self) -> String {
        let mut more: Vec<String> = self.counts.iter().map(|(name, count)| format!("{name}: {count}")).collect();
        for (name, times) in &self.times {
            let [half, most, all] = [50, 99, 100].map(|part| rounded(percentile(times, part)));
            more.push(format!("{name}: p50 {half}, p99 {most}, max {all} ms"));
        }
        let ratio =
            |part| Some(percentile(self.times.get("loser")?, part) / percentile(self.times.get("alone")?, part));
        if let [Some(half), Some(most)] = [50, 99].map(ratio) {
            more.push(format!(
                "a loser waits {} × (p50), {} × (p99) what a command alone takes",
                rounded(half),
                rounded(most)
            ));
        }
        if self.broken_off > 0 {
            more.push(format!("**{} runs broke off**", self.broken_off));
        }
        more.join("; ")
    }
}

/// Milliseconds that `part` percent did not exceed.
fn percentile(times: &Times, part: u64) -> f64 {
    let mut left = (times.values().sum::<u64>() * part).div_ceil(100).max(1);
    for (micros, count) in times {
        if left <= *count {
            return *micros as f64 / 1000.0;
        }
        left -= count;
    }
    f64::NAN
}

/// The section of the page; it says so if there is no file.
///
/// # Errors
/// If a line was not written by `scripts/prove`.
pub fn section(file: &Path) -> anyhow::Result<String> {
    let mut text = "\n## Proofs\n\n".to_owned();
    let Ok(lines) = fs::read_to_string(file) else {
        text.push_str("None has been played: `make bench ARGS=\"--only proofs\"` plays them.\n");
        return Ok(text);
    };
    let mut sums: BTreeMap<(usize, String, String, String), Sum> = BTreeMap::new();
    for line in lines.lines() {
        let run: Run = serde_json::from_str(line).with_context(|| format!("{}: {line}", file.display()))?;
        let place = WANTED.iter().position(|(name, ..)| *name == run.proof).context("a proof that nobody knows")?;
        sums.entry((place, run.engine.clone(), run.commit.clone(), run.profile.clone())).or_default().add(run);
    }
    text.push_str(
        "Played by `make bench ARGS=\"--only proofs\"` (which is `scripts/prove --long`) on real processes, from fresh seeds, in runs that \
         were added up. Each commit stands by itself: figures of different programs are not added. Times are rounded up to two digits; \
         other work was on the machine unless the load above says otherwise.\n\n\
         | proof | engine | commit | played | asked | violations | answers 5xx | runs | data in | from, to | more |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for ((place, engine, commit, profile), sum) in &sums {
        let (_, wanted, what) = WANTED[*place];
        let sign = if sum.count >= wanted { "" } else { " (fewer than asked)" };
        let bold = |count: u64| if count == 0 { "0".to_owned() } else { format!("**{count}**") };
        let _ = writeln!(
            text,
            "| {what} | {engine} | {commit}, {profile} | {}{sign} | {wanted} | {} | {} | {} | {} | {}, {} | {} |",
            sum.count,
            bold(sum.violations),
            bold(sum.server_errors),
            sum.runs,
            sum.place,
            sum.dates[0],
            sum.dates[1],
            sum.more(),
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_commit_add_up_and_percentiles_are_those_of_all_of_them() -> anyhow::Result<()> {
        let file = std::env::temp_dir().join(format!("berth-proofs-{}.jsonl", std::process::id()));
        let line = |commit: &str, loser: &str| {
            format!(
                "{{\"proof\":\"storms\",\"engine\":\"sqlite\",\"seed\":1,\"count\":50,\"violations\":0,\"serverErrors\":0,\
                 \"seconds\":1,\"times\":{{\"loser\":{loser},\"alone\":{{\"1000\":4}}}},\"counts\":{{\"live events\":7}},\
                 \"commit\":\"{commit}\",\"profile\":\"release\",\"program\":\"p\",\"date\":\"2026-11-21 17:00 UTC\",\
                 \"place\":\"memory\",\"asked\":50}}\n"
            )
        };
        let off = "{\"proof\":\"kills\",\"engine\":\"sqlite\",\"seed\":1,\"count\":0,\"violations\":1,\"brokenOff\":true,\
            \"commit\":\"b\",\"profile\":\"release\",\"program\":\"p\",\"date\":\"2026-11-21 17:00 UTC\",\"place\":\"disk\"}\n";
        fs::write(
            &file,
            [line("a", "{\"2000\":99}"), line("a", "{\"30000\":1}"), line("b", "{}"), off.to_owned()].concat(),
        )?;
        let page = section(&file);
        fs::remove_file(&file)?;
        let page = page?;
        for part in [
            "| a, release | 100 (fewer than asked) | 10000 | 0 | 0 | 2 |",
            "live events: 14",
            "loser: p50 2.00, p99 2.00, max 30.0 ms",
            "| b, release | 50 (fewer than asked) |",
            "| kill -9 | sqlite | b, release | 0 (fewer than asked) | 500 | **1** |",
            "**1 runs broke off**",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
        Ok(())
    }
}
