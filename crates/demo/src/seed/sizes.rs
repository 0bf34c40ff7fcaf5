//! Distributes the beds and guests of a world over its sites: most sites are small, one is huge.

use berth_server::cli::worlds::Size;

use crate::dice::Dice;

/// Beds of the second site in every tier: the board that benchmarks read.
pub(super) const USUAL_BOARD: usize = 20;

/// Maximum number of beds of any site but the largest.
const CAP: usize = 400;

/// Beds of each site: the largest, one of [`USUAL_BOARD`], then the others, three in five of them with up to six.
pub(super) fn bed_counts(size: Size, dice: &mut Dice) -> Vec<usize> {
    let mut counts = vec![size.largest, USUAL_BOARD];
    let small = size.sites * 3 / 5;
    let large = size.sites - 2 - small;
    if large == 0 {
        counts.extend([6, 5, 4]);
        return counts;
    }
    let mut others: Vec<usize> = (0..small).map(|_| *dice.pick(&[1, 2, 3, 4, 4, 5, 6, 6])).collect();
    let left = size.beds - size.largest - USUAL_BOARD - others.iter().sum::<usize>();
    let weights: Vec<usize> = (0..large).map(|_| 100_000 / (3 + dice.below(40))).collect();
    let all: usize = weights.iter().sum();
    // Seven each, so that none of these is small, and the rest by weight.
    let spread = left - 7 * large;
    let mut sizes: Vec<usize> = weights.iter().map(|weight| (7 + spread * weight / all).min(CAP)).collect();
    let mut missing = left - sizes.iter().sum::<usize>();
    while missing > 0 {
        for beds in sizes.iter_mut().filter(|beds| **beds < CAP) {
            if missing > 0 {
                *beds += 1;
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

/// Guests of each site, in proportion to its beds.
pub(super) fn guest_counts(size: Size, beds: &[usize]) -> Vec<usize> {
    let (mut beds_before, mut guests_before) = (0, 0);
    let share = |beds: &usize| {
        beds_before += beds;
        let until = size.guests * beds_before / size.beds;
        until - std::mem::replace(&mut guests_before, until)
    };
    beds.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use berth_server::cli::worlds::Tier;

    use super::{Dice, bed_counts, guest_counts};

    #[test]
    fn beds_and_guests_add_up_and_are_skewed() {
        for tier in [Tier::S, Tier::M, Tier::L] {
            let size = tier.size();
            for seed in 0..20 {
                let beds = bed_counts(size, &mut Dice::new(seed, 0));
                assert_eq!((beds.len(), beds.iter().sum::<usize>()), (size.sites, size.beds), "{tier:?} {seed}");
                assert_eq!(beds.iter().max(), Some(&size.largest));
                assert_eq!(beds[1], 20);
                let small = beds.iter().filter(|beds| **beds <= 6).count();
                assert!(small * 2 > size.sites, "{tier:?} {seed}: {small} of {}", size.sites);
                let guests = guest_counts(size, &beds);
                assert_eq!(guests.iter().sum::<usize>(), size.guests);
                assert!(guests.iter().all(|guests| *guests > 0));
            }
        }
    }
}
