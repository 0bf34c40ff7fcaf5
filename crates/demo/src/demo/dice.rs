//! Chance with a fixed seed, so that every demo is the same world.

use berth_domain::time::Timestamp;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use uuid::Uuid;

/// The seed of the demo's world.
const SEED: u64 = 2026;

/// A seeded source of ids and choices.
pub(super) struct Dice(StdRng);

impl Dice {
    pub(super) fn new() -> Self {
        Self::seeded(SEED)
    }

    /// Another sequence, so that what is drawn by it changes nothing else.
    pub(super) fn seeded(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// An id as if it had been made at `at`.
    pub(super) fn id(&mut self, at: Timestamp) -> Uuid {
        let mut bytes = [0; 10];
        self.0.fill_bytes(&mut bytes);
        let millis = u64::try_from(at.millis()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }

    pub(super) fn bytes(&mut self) -> [u8; 8] {
        self.0.next_u64().to_le_bytes()
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = u64::try_from(high - low + 1).unwrap_or(1).max(1);
        low + i64::try_from(self.0.next_u64() % span).unwrap_or_default()
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of a list that is not empty.
    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let last = i64::try_from(list.len()).unwrap_or(1) - 1;
        &list[usize::try_from(self.between(0, last)).unwrap_or_default()]
    }
}
