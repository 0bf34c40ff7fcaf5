//! Statistics of a site or an organization: occupancy by day, lengths of stay, times to a decision, ends of holds, and
//! reasons (docs/decisions/0053). Only counts are sent. `berth_domain::numbers` has the formulas.

mod count;
mod file;
pub(crate) mod organization;
mod read;
pub(crate) mod site;

use berth_domain::time::DayRange;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Result;

/// The days to count, in the time zone of each site: the last 30 by default, at most 366.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RangeQuery {
    /// The first day.
    #[param(value_type = Option<String>, format = Date)]
    from: Option<String>,
    /// The last day. Today by default.
    #[param(value_type = Option<String>, format = Date)]
    to: Option<String>,
    /// The number of days, 1 to 366, if `from` is absent.
    #[param(value_type = Option<i64>)]
    days: Option<String>,
}

impl RangeQuery {
    fn parse(&self, today: &str) -> Result<DayRange> {
        Ok(DayRange::parse(self.from.as_deref(), self.to.as_deref(), self.days.as_deref(), today)?)
    }
}

/// The statistics of a site or of all sites of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Numbers {
    /// The first day.
    #[schema(format = Date)]
    from: String,
    /// The last day.
    #[schema(format = Date)]
    to: String,
    /// The occupancy of the beds.
    occupancy: OccupancyNumbers,
    /// Lengths of stay of the guests who were discharged on these days.
    length_of_stay: StayNumbers,
    /// Times to a decision about reservations of the public side, decided on these days.
    decisions_from_search: DecisionNumbers,
    /// Times to a decision about guests added by hand, decided on these days.
    decisions_by_hand: DecisionNumbers,
    /// How holds ended on these days.
    holds: HoldNumbers,
    /// Why guests were declined on these days, without those who cancelled.
    decline_reasons: ReasonNumbers,
    /// Why guests were discharged on these days.
    discharge_reasons: ReasonNumbers,
}

/// The occupancy of beds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OccupancyNumbers {
    /// Occupied beds divided by enabled beds over all days, 0 to 1. Null without enabled beds.
    share: Option<f64>,
    /// The days, oldest first.
    days: Vec<NumbersDay>,
}

/// The beds of a day. Today counts up to now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NumbersDay {
    /// The date.
    #[schema(format = Date)]
    date: String,
    /// Beds with a guest, as the average over the day, to two decimals.
    occupied: f64,
    /// Beds that are not disabled, as the average over the day, to two decimals.
    enabled: f64,
    /// Occupied beds divided by enabled beds, 0 to 1, to four decimals. Null without enabled beds.
    share: Option<f64>,
}

/// The number of values in a band.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NumbersBand {
    /// The upper end, inclusive. Null for the last band, which has none.
    up_to: Option<i64>,
    /// How many values are above the previous band and not above this end.
    count: usize,
}

/// Lengths of stay, in days as screens show them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayNumbers {
    /// Guests who were discharged.
    guests: usize,
    /// The median, to one decimal. Null without guests.
    median_days: Option<f64>,
    /// The average, to one decimal. Null without guests.
    average_days: Option<f64>,
    /// Guests by days.
    bands: Vec<NumbersBand>,
}

/// Times from a reservation to its decision, in whole minutes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionNumbers {
    /// Guests who were accepted or declined.
    decisions: usize,
    /// The median. Null without decisions.
    median_minutes: Option<f64>,
    /// The 90th percentile. Null without decisions.
    ninetieth_minutes: Option<i64>,
    /// Decisions by minutes.
    bands: Vec<NumbersBand>,
}

/// How holds ended. Guests added by hand have no hold.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldNumbers {
    /// All holds that ended.
    ended: u32,
    /// The guest was accepted.
    accepted: u32,
    /// The guest was declined.
    declined: u32,
    /// The guest cancelled.
    cancelled: u32,
    /// Nobody decided in time.
    expired: u32,
    /// Expired holds divided by all that ended, 0 to 1, to four decimals. Null if none ended.
    expired_share: Option<f64>,
}

/// Reasons. Each guest counts once: by the reason that was chosen from the list of the organization, or by the free text if none was
/// chosen. Free texts that were given for fewer than three guests are not shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReasonNumbers {
    /// All guests.
    guests: u32,
    /// The chosen reasons, the most frequent first.
    chosen: Vec<ReasonNumber>,
    /// The most frequent free texts, at most 20.
    listed: Vec<ReasonNumber>,
    /// Guests with another free text.
    other: u32,
    /// Guests without a reason.
    none: u32,
}

/// A reason and how often it was given.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReasonNumber {
    /// The text, as it was typed, or the name of the chosen reason.
    reason: String,
    /// The number of guests.
    guests: u32,
}
