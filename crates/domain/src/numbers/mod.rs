//! Statistics of sites and organizations (docs/decisions/0053): occupancy, lengths of stay, times to a decision, ends of holds, and reasons.
//! The functions take the events within a range of days, without the guests.

mod occupancy;
mod reasons;
mod spread;

pub use occupancy::{BedTimes, OccupancyDay, Period, add_up};
pub use reasons::{Given, MIN_GUESTS, Reason, Reasons};
pub use spread::{Band, Spread};

/// Upper bounds of the bands of lengths of stay, in days. The last band has none.
pub const STAY_BANDS: [i64; 4] = [7, 30, 60, 90];
/// Upper bounds of the bands of times to a decision, in minutes. The last band has none.
pub const DECISION_BANDS: [i64; 4] = [60, 4 * 60, 12 * 60, 24 * 60];

/// How holds ended. A hold is the time that a reservation from the public side waits for a decision; guests added by
/// staff have none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HoldEnds {
    /// The guest was accepted.
    pub accepted: u32,
    /// The guest was declined.
    pub declined: u32,
    /// The guest cancelled the reservation.
    pub cancelled: u32,
    /// Nobody decided in time.
    pub expired: u32,
}

impl HoldEnds {
    /// Returns the total.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.accepted + self.declined + self.cancelled + self.expired
    }

    /// Returns the share that expired, 0 to 1. `None` if none ended.
    #[must_use]
    pub fn expired_share(&self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| f64::from(self.expired) / f64::from(total))
    }
}
