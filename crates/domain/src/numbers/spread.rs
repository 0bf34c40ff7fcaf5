//! How numbers such as lengths of stay are spread: median, average, 90th percentile, bands.

/// A band of numbers, and how many lie in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Its upper end, included. `None` for the last band.
    pub to: Option<i64>,
    /// How many numbers lie above the band before it and not above `to`.
    pub count: usize,
}

/// How numbers are spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// The middle one; between two middle ones, their average. `None` without numbers.
    pub median: Option<f64>,
    /// Their average. `None` without numbers.
    pub average: Option<f64>,
    /// The smallest one that at least 90% of them do not exceed. `None` without numbers.
    pub ninetieth: Option<i64>,
    /// How many there are in each band.
    pub bands: Vec<Band>,
}

impl Spread {
    /// Describes numbers. `ends` are the upper ends of the bands, ascending; a last band for everything above them is added.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "days and minutes stay far below 2^53")]
    pub fn of(mut numbers: Vec<i64>, ends: &[i64]) -> Self {
        numbers.sort_unstable();
        let count = numbers.len();
        let at = |index: usize| numbers.get(index).copied();
        let median = at(count / 2).zip(at(count.saturating_sub(1) / 2)).map(|(one, other)| (one + other) as f64 / 2.0);
        let average = (count > 0).then(|| numbers.iter().sum::<i64>() as f64 / count as f64);
        let ninetieth = at((count * 9).div_ceil(10).saturating_sub(1));
        let mut counted = 0;
        let mut band = |to: Option<i64>| {
            let up_to = to.map_or(count, |to| numbers.partition_point(|number| *number <= to));
            let band = Band { to, count: up_to - counted };
            counted = up_to;
            band
        };
        let bands = ends.iter().copied().map(Some).chain([None]).map(&mut band).collect();
        Self { count, median, average, ninetieth, bands }
    }
}
