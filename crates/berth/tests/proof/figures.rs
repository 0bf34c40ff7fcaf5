//! The result of a proof, as a line of JSON that `scripts/prove` stores and adds up. Runs are split over processes and
//! days, so times are stored as counts, not percentiles: counts of two runs can be added, percentiles cannot.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

/// A histogram of durations in microseconds, rounded up to two digits.
#[derive(Debug, Default)]
pub struct Times(BTreeMap<u64, u64>);

impl Times {
    /// Adds a duration.
    pub fn add(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(1);
        let mut unit = 1;
        while micros / unit >= 100 {
            unit *= 10;
        }
        *self.0.entry(micros.div_ceil(unit) * unit).or_default() += 1;
    }

    /// Number of durations.
    pub fn len(&self) -> u64 {
        self.0.values().sum()
    }

    /// The duration that `part` percent of them did not exceed, in milliseconds.
    pub fn percentile(&self, part: u64) -> f64 {
        let mut left = (self.len() * part).div_ceil(100).max(1);
        for (micros, count) in &self.0 {
            if left <= *count {
                return Duration::from_micros(*micros).as_secs_f64() * 1000.0;
            }
            left -= count;
        }
        0.0
    }

    fn json(&self) -> Value {
        self.0.iter().map(|(micros, count)| (micros.to_string(), json!(count))).collect::<Map<_, _>>().into()
    }
}

/// The figures of one run of one proof.
#[derive(Debug)]
pub struct Figures {
    /// The name of the proof in `scripts/prove`.
    pub proof: &'static str,
    /// The engine: `sqlite`, `postgres` or both.
    pub engine: &'static str,
    /// The first seed.
    pub seed: u64,
    /// Number of sequences, rounds, kills or cuts.
    pub count: u64,
    /// Number of violations.
    pub violations: u64,
    /// Number of unexpected answers with a status of 500 or above.
    pub server_errors: u64,
    /// Total duration in seconds.
    pub seconds: u64,
}

impl Figures {
    /// Prints the figures, with times and counts that only this proof has.
    pub fn tell(&self, times: &[(&str, &Times)], counts: &[(&str, u64)]) {
        let times: Map<_, _> = times.iter().map(|(name, times)| ((*name).to_owned(), times.json())).collect();
        let counts: Map<_, _> = counts.iter().map(|(name, count)| ((*name).to_owned(), json!(count))).collect();
        let line = json!({
            "proof": self.proof,
            "engine": self.engine,
            "seed": self.seed,
            "count": self.count,
            "violations": self.violations,
            "serverErrors": self.server_errors,
            "seconds": self.seconds,
            "times": times,
            "counts": counts,
        });
        eprintln!("FIGURES {line}");
    }
}

#[test]
fn times_add_up_and_are_never_rounded_down() {
    let mut times = Times::default();
    for micros in [0, 99, 101, 12_345, 99_999] {
        times.add(Duration::from_micros(micros));
    }
    assert_eq!(times.json(), json!({"1": 1, "99": 1, "110": 1, "13000": 1, "100000": 1}));
    assert_eq!([times.percentile(50), times.percentile(80), times.percentile(100)], [0.11, 13.0, 100.0]);
}
