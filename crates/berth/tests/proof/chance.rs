//! How long a proof runs, and the seed that makes it repeatable.

use std::hash::{BuildHasher, RandomState};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A number from the environment, as `BERTH_PROOF_ROUNDS=1000`.
#[expect(clippy::disallowed_methods, reason = "a test has no settings")]
pub fn told(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// The seed of this run: `BERTH_PROOF_SEED`, where 0 means a new one. Without it, the seed is always the same, so that
/// `make test` has the same result for the same sources. `scripts/prove` uses new seeds.
pub fn seed() -> u64 {
    match told("BERTH_PROOF_SEED").unwrap_or(20_261_121) {
        0 => RandomState::new().hash_one("seed") >> 16,
        seed => seed,
    }
}

/// A random generator that gives the same numbers for the same seed.
pub struct Dice(StdRng);

impl Dice {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.random_range(0..end)
    }

    /// An index below `end`.
    pub fn index(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }
}
