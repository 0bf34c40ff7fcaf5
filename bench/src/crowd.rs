//! Runs many clients at once and collects their results. Percentiles are exact, because every latency is kept.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The result of one step of a client.
pub struct Step {
    /// Kind of work.
    pub kind: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// Time from the first byte sent to the last byte read.
    pub took: Duration,
}

/// One client: each call is one request and its answer.
pub type Work<'a> = Box<dyn FnMut() -> anyhow::Result<Step> + Send + 'a>;

/// The length of a run.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    /// A time.
    Time(Duration),
    /// A number of steps of each client.
    Steps(usize),
}

/// The latencies of one kind of work, in milliseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Latency {
    /// Number of requests.
    pub count: usize,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// The slowest.
    pub max: f64,
}

impl Latency {
    /// Computes them from the given times.
    #[must_use]
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |share: f64| {
            let rank = (share * times.len() as f64).ceil() as usize;
            times.get(rank.saturating_sub(1).min(times.len().saturating_sub(1))).map_or(0.0, |time| millis(*time))
        };
        Self { count: times.len(), p50: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

/// Converts to milliseconds with a fraction.
#[must_use]
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The results of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Met {
    /// Requests answered.
    pub requests: usize,
    /// Seconds from the first request to the last answer.
    pub seconds: f64,
    /// All latencies.
    pub all: Latency,
    /// Latencies by kind of work and status class, as in `assign 2xx`.
    pub by_kind: BTreeMap<String, Latency>,
    /// Number of answers by status.
    #[serde(deserialize_with = "by_number")]
    pub statuses: BTreeMap<u16, usize>,
    /// The first failure without an answer.
    pub broken: Option<String>,
}

/// JSON stores the keys of a map as strings, and serde does not convert them back to numbers in a flattened record.
fn by_number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<BTreeMap<u16, usize>, D::Error> {
    let texts: BTreeMap<String, usize> = serde::Deserialize::deserialize(from)?;
    texts.into_iter().map(|(key, count)| Ok((key.parse().map_err(serde::de::Error::custom)?, count))).collect()
}

/// Starts all clients at the same moment. `around` is called before the first request and after the last answer.
pub fn run(clients: Vec<Work<'_>>, until: Until, mut around: impl FnMut(bool)) -> Met {
    let barrier = Barrier::new(clients.len() + 1);
    let mut steps: Vec<Step> = Vec::new();
    let mut broken = None;
    let mut seconds = 0.0;
    thread::scope(|scope| {
        let threads: Vec<_> = clients
            .into_iter()
            .map(|mut work| {
                let barrier = &barrier;
                scope.spawn(move || {
                    let mut mine = Vec::with_capacity(16 * 1024);
                    barrier.wait();
                    let begun = Instant::now();
                    loop {
                        let done = match until {
                            Until::Time(time) => begun.elapsed() >= time,
                            Until::Steps(count) => mine.len() >= count,
                        };
                        if done {
                            return (mine, None);
                        }
                        match work() {
                            Ok(step) => mine.push(step),
                            Err(error) => return (mine, Some(format!("{error:#}"))),
                        }
                    }
                })
            })
            .collect();
        around(true);
        barrier.wait();
        let begun = Instant::now();
        for thread in threads {
            match thread.join() {
                Ok((mine, failure)) => {
                    steps.extend(mine);
                    broken = broken.take().or(failure);
                }
                Err(_) => broken = Some("a client panicked".to_owned()),
            }
        }
        seconds = begun.elapsed().as_secs_f64();
        around(false);
    });
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<String, Vec<Duration>> = BTreeMap::new();
    for step in &steps {
        *statuses.entry(step.status).or_default() += 1;
        kinds.entry(format!("{} {}xx", step.kind, step.status / 100)).or_default().push(step.took);
    }
    Met {
        requests: steps.len(),
        seconds,
        all: Latency::of(steps.iter().map(|step| step.took).collect()),
        by_kind: kinds.into_iter().map(|(kind, times)| (kind, Latency::of(times))).collect(),
        statuses,
        broken,
    }
}
