//! How large a world is, and how its beds and guests are spread: most sites are small, one is huge.

use super::dice::Dice;

/// The size of a world (issue "Proof and speed of the main job").
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Tier {
    /// 5 sites, 120 beds, 2,000 guests, 40 users
    #[value(name = "S")]
    S,
    /// 280 sites, 12,500 beds, 350,000 guests, 1,400 users
    #[value(name = "M")]
    M,
    /// 3,000 sites, 40,000 beds, 2,000,000 guests, 12,000 users
    #[value(name = "L")]
    L,
}

/// The figures of a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Sites, none of them deleted.
    pub sites: usize,
    /// Beds, removed ones left out.
    pub beds: usize,
    /// Rows of guests, in every state.
    pub guests: usize,
    /// Users, with and without a password.
    pub users: usize,
    /// Beds of the largest site; five in each of its houses.
    pub largest: usize,
}

impl Tier {
    /// Its figures.
    #[must_use]
    pub const fn size(self) -> Size {
        match self {
            Self::S => Size { sites: 5, beds: 120, guests: 2_000, users: 40, largest: 85 },
            Self::M => Size { sites: 280, beds: 12_500, guests: 350_000, users: 1_400, largest: 500 },
            Self::L => Size { sites: 3_000, beds: 40_000, guests: 2_000_000, users: 12_000, largest: 500 },
        }
    }
}

/// Beds of the second site in every tier: the board that benchmarks read.
pub(super) const USUAL_BOARD: usize = 20;

/// The most beds of a site that is not the largest.
const CAP: usize = 400;

impl Size {
    /// Beds of each site: the largest, one of [`USUAL_BOARD`], then the others, three in five of them with up to six.
    pub(super) fn bed_counts(self, dice: &mut Dice) -> Vec<usize> {
        let mut counts = vec![self.largest, USUAL_BOARD];
        let small = self.sites * 3 / 5;
        let large = self.sites - 2 - small;
        if large == 0 {
            counts.extend([6, 5, 4]);
            return counts;
        }
        let mut others: Vec<usize> = (0..small).map(|_| *dice.pick(&[1, 2, 3, 4, 4, 5, 6, 6])).collect();
        let left = self.beds - self.largest - USUAL_BOARD - others.iter().sum::<usize>();
        let weights: Vec<usize> = (0..large).map(|_| 100_000 / (3 + dice.below(40))).collect();
        let all: usize = weights.iter().sum();
        // Seven each, so that nobody else is small, and the rest by weight.
        let spread = left - 7 * large;
        let mut sizes: Vec<usize> = weights.iter().map(|weight| (7 + spread * weight / all).min(CAP)).collect();
        let mut missing = left - sizes.iter().sum::<usize>();
        while missing > 0 {
            for size in sizes.iter_mut().filter(|size| **size < CAP) {
                if missing > 0 {
                    *size += 1;
                    missing -= 1;
                }
            }
        }
        others.extend(sizes);
        // Mixed, so that an organization has small and large sites.
        for index in (1..others.len()).rev() {
            others.swap(index, dice.below(index + 1));
        }
        counts.extend(others);
        counts
    }

    /// Guests of each site, by its share of the beds.
    pub(super) fn guest_counts(self, beds: &[usize]) -> Vec<usize> {
        let (mut beds_before, mut guests_before) = (0, 0);
        let share = |beds: &usize| {
            beds_before += beds;
            let until = self.guests * beds_before / self.beds;
            until - std::mem::replace(&mut guests_before, until)
        };
        beds.iter().map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Dice, Tier};

    #[test]
    fn beds_and_guests_add_up_and_are_skewed() {
        for tier in [Tier::S, Tier::M, Tier::L] {
            let size = tier.size();
            for seed in 0..20 {
                let beds = size.bed_counts(&mut Dice::new(seed, 0));
                assert_eq!((beds.len(), beds.iter().sum::<usize>()), (size.sites, size.beds), "{tier:?} {seed}");
                assert_eq!(beds.iter().max(), Some(&size.largest));
                assert_eq!(beds[1], 20);
                let small = beds.iter().filter(|beds| **beds <= 6).count();
                assert!(small * 2 > size.sites, "{tier:?} {seed}: {small} of {}", size.sites);
                let guests = size.guest_counts(&beds);
                assert_eq!(guests.iter().sum::<usize>(), size.guests);
                assert!(guests.iter().all(|guests| *guests > 0));
            }
        }
    }
}
