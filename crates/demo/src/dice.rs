//! Reproducible random numbers: SplitMix64, written out here so that a seed makes the same world in every version.

use berth_domain::time::Timestamp;
use uuid::Uuid;

/// A stream of random numbers. The streams of a seed are independent of each other.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl Dice {
    pub(crate) const fn new(seed: u64, stream: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ stream.wrapping_mul(0xda94_2042_e4dd_58b5))
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(mixed(self.0))
    }

    /// An index below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.number() % count).unwrap_or_default()
    }

    /// A number from `low` to `high`, both included; `low` if the range is empty.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = u64::try_from(high.saturating_sub(low)).unwrap_or_default().saturating_add(1);
        low + i64::try_from(self.number() % span).unwrap_or_default()
    }

    /// Returns true with a probability of `percent` percent.
    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// An item of a list that is not empty.
    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// An item of a list; none if it is empty.
    pub(crate) fn pick_any<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// Some items of a list, in its order: each with a probability of `percent` percent, at least one.
    pub(crate) fn some<T: Copy>(&mut self, list: &[T], percent: i64) -> Vec<T> {
        let sure = self.below(list.len());
        let chosen = list.iter().enumerate().filter(|(index, _)| *index == sure || self.chance(percent));
        chosen.map(|(_, item)| *item).collect()
    }

    /// A UUIDv7 as if it had been made at `at`.
    pub(crate) fn id(&mut self, at: Timestamp) -> Uuid {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&self.number().to_le_bytes());
        bytes[8..].copy_from_slice(&self.number().to_le_bytes()[..2]);
        let millis = u64::try_from(at.millis()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    /// Seeded data must not change with a new version, because benchmarks compare runs that are months apart.
    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let mut dice = Dice::new(1, 2);
        let numbers = [dice.number(), dice.number(), dice.number()];
        assert_eq!(numbers, [10_539_847_275_222_557_431, 369_742_209_405_613_313, 5_813_235_583_120_798_645]);
    }

    #[test]
    fn numbers_stay_within_their_bounds() {
        let mut dice = Dice::new(7, 0);
        for _ in 0..1000 {
            assert!((3..=5).contains(&dice.between(3, 5)));
            assert!(dice.below(4) < 4);
            assert!(!dice.some(&[1, 2, 3], 20).is_empty());
        }
        assert_eq!(dice.between(9, 3), 9);
    }
}
