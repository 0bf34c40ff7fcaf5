//! The distribution of numbers such as lengths of stay: median, average, 90th percentile, bands.

/// A band of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Its inclusive upper bound. `None` for the last band.
    pub to: Option<i64>,
    /// Number of values above the previous band and not above `to`.
    pub count: usize,
}

/// The distribution of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Number of values.
    pub count: usize,
    /// The median; of two middle values, their average. `None` without values.
    pub median: Option<f64>,
    /// The average. `None` without values.
    pub average: Option<f64>,
    /// The 90th percentile: the smallest value that at least 90% of them do not exceed. `None` without values.
    pub ninetieth: Option<i64>,
    /// The bands.
    pub bands: Vec<Band>,
}

impl Spread {
    /// Computes the distribution. `ends` are the ascending upper bounds of the bands; a last band without one is added.
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
