//! Occupancy day by day: occupied bed time divided by enabled bed time.

use crate::time::{Day, Timestamp};

/// A period in the life of a bed: it exists, is disabled, or has a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// When it began.
    pub from: Timestamp,
    /// When it ended; `None` while it lasts.
    pub to: Option<Timestamp>,
}

/// The beds of one day.
#[derive(Debug, Clone, PartialEq)]
pub struct OccupancyDay {
    /// The date, such as `2026-12-01`.
    pub date: String,
    /// Beds with a guest, as the average over the day. A guest who stays half of the day counts as half a bed.
    pub occupied: f64,
    /// Beds that could have a guest, as the average over the day: those that exist and are not disabled.
    pub enabled: f64,
}

impl OccupancyDay {
    /// Returns occupied beds divided by enabled beds, 0 to 1. `None` on a day without enabled beds.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.enabled > 0.0).then(|| self.occupied / self.enabled)
    }
}

/// Adds up the bed time of each day of one time zone, in milliseconds. A day counts up to now.
#[derive(Debug, Clone)]
pub struct BedTimes {
    days: Vec<Day>,
    occupied: Vec<i64>,
    enabled: Vec<i64>,
}

impl BedTimes {
    /// Creates it without beds. `days` are consecutive.
    #[must_use]
    pub fn new(mut days: Vec<Day>, now: Timestamp) -> Self {
        for day in &mut days {
            day.end = day.end.min(now).max(day.start);
        }
        let count = days.len();
        Self { days, occupied: vec![0; count], enabled: vec![0; count] }
    }

    /// Adds a bed that exists for a period.
    pub fn add_bed(&mut self, period: Period) {
        add(&mut self.enabled, &self.days, period, 1);
    }

    /// Subtracts the time for which a bed is disabled. The bed must exist all that time.
    pub fn add_outage(&mut self, period: Period) {
        add(&mut self.enabled, &self.days, period, -1);
    }

    /// Adds the time for which a bed has a guest.
    pub fn add_stay(&mut self, period: Period) {
        add(&mut self.occupied, &self.days, period, 1);
    }

    /// Returns the averages of each day. A day that has not begun has no beds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "bed times stay far below 2^53 milliseconds")]
    pub fn finish(self) -> Vec<OccupancyDay> {
        let average = |time: i64, day: &Day| {
            let length = day.end.millis() - day.start.millis();
            if length > 0 { time as f64 / length as f64 } else { 0.0 }
        };
        let times = self.occupied.into_iter().zip(self.enabled);
        let counted = self.days.into_iter().zip(times).map(|(day, (occupied, enabled))| OccupancyDay {
            occupied: average(occupied, &day),
            enabled: average(enabled, &day),
            date: day.date,
        });
        counted.collect()
    }
}

/// Adds the part of a period that lies within each day.
fn add(times: &mut [i64], days: &[Day], period: Period, sign: i64) {
    let first = days.partition_point(|day| day.end <= period.from);
    for (time, day) in times.iter_mut().zip(days).skip(first) {
        if period.to.is_some_and(|to| to <= day.start) {
            break;
        }
        let from = period.from.max(day.start);
        let to = period.to.map_or(day.end, |to| to.min(day.end));
        *time += sign * (to.millis() - from.millis()).max(0);
    }
}

/// Adds up the same days of several time zones.
#[must_use]
pub fn add_up(zones: Vec<Vec<OccupancyDay>>) -> Vec<OccupancyDay> {
    let mut zones = zones.into_iter();
    let mut sum = zones.next().unwrap_or_default();
    for zone in zones {
        for (total, day) in sum.iter_mut().zip(zone) {
            total.occupied += day.occupied;
            total.enabled += day.enabled;
        }
    }
    sum
}
