//! Counts the loaded rows, in the time zone of each site.

use std::collections::{HashMap, HashSet};

use berth_domain::id::{GuestId, SiteId};
use berth_domain::numbers::{
    Band, BedTimes, DECISION_BANDS, Given, HoldEnds, OccupancyDay, Reason, Reasons, STAY_BANDS, Spread, add_up,
};
use berth_domain::time::{DayRange, Timestamp, date_at, days_stayed};

use super::read::{self, DeclinedRow, DischargedRow, Facts, Scope, SiteRow, StayRow};
use super::{
    DecisionNumbers, HoldNumbers, Numbers, NumbersBand, NumbersDay, OccupancyNumbers, RangeQuery, ReasonNumber,
    ReasonNumbers, StayNumbers,
};
use crate::{App, Result};

/// Loads and counts the statistics of a scope.
pub(super) async fn numbers(app: &App, scope: Scope, range: &RangeQuery) -> Result<Numbers> {
    let now = app.now();
    let mut tx = app.db.read().await?;
    let sites = read::sites(&mut tx, scope).await?;
    // The latest day that has begun at every site.
    let today = sites.iter().map(|site| date_at(now, &site.time_zone)).min();
    let range = range.parse(&today.unwrap_or_else(|| date_at(now, "UTC")))?;
    let mut calendars = Calendars::new(&sites, &range, now);
    let facts = read::facts(&mut tx, &sites, calendars.bounds(now), now).await?;
    drop(tx);
    Ok(calendars.count(&range, facts))
}

/// The days of one time zone, and the beds of its sites.
struct Calendar {
    time_zone: String,
    start: Timestamp,
    end: Timestamp,
    beds: BedTimes,
}

impl Calendar {
    fn contains(&self, time: Timestamp) -> bool {
        self.start <= time && time < self.end
    }
}

/// The calendars of all time zones, and which one each site has.
struct Calendars {
    zones: Vec<Calendar>,
    of_site: HashMap<SiteId, usize>,
}

impl Calendars {
    fn new(sites: &[SiteRow], range: &DayRange, now: Timestamp) -> Self {
        let mut zones: Vec<Calendar> = Vec::new();
        let mut of_site = HashMap::new();
        for site in sites {
            let known = zones.iter().position(|zone| zone.time_zone == site.time_zone);
            let index = known.unwrap_or_else(|| {
                zones.push(calendar(&site.time_zone, range, now));
                zones.len() - 1
            });
            of_site.insert(site.id, index);
        }
        if zones.is_empty() {
            zones.push(calendar("UTC", range, now));
        }
        Self { zones, of_site }
    }

    /// Returns the earliest start and the latest end of the range in any time zone.
    fn bounds(&self, now: Timestamp) -> (Timestamp, Timestamp) {
        let start = self.zones.iter().map(|zone| zone.start).min();
        let end = self.zones.iter().map(|zone| zone.end).max();
        (start.unwrap_or(now), end.unwrap_or(now))
    }

    fn at(&mut self, site: SiteId) -> Option<&mut Calendar> {
        self.zones.get_mut(*self.of_site.get(&site)?)
    }

    /// Returns the calendar of a site if it contains a time.
    fn containing(&self, site: SiteId, time: Timestamp) -> Option<&Calendar> {
        self.zones.get(*self.of_site.get(&site)?).filter(|zone| zone.contains(time))
    }

    fn count(&mut self, range: &DayRange, facts: Facts) -> Numbers {
        let Facts { beds, outages, stays_before, stays, mut declined, expired, mut discharged } = facts;
        for bed in beds {
            if let Some(zone) = self.at(bed.site_id) {
                zone.beds.add_bed(bed.period());
            }
        }
        for outage in outages {
            if let Some(zone) = self.at(outage.site_id) {
                zone.beds.add_outage(outage.period());
            }
        }
        for stay in stays_before.iter().chain(stays.iter().map(|stay| &stay.period)) {
            if let Some(zone) = self.at(stay.site_id) {
                zone.beds.add_stay(stay.period());
            }
        }
        let accepted = self.accepted(stays);
        declined.retain(|guest| self.containing(guest.site_id, guest.declined_at).is_some());
        discharged.retain(|guest| self.containing(guest.site_id, guest.discharged_at).is_some());
        let expired = expired.iter().filter(|guest| self.containing(guest.site_id, guest.expired_at).is_some()).count();
        Numbers {
            from: range.first(),
            to: range.last(),
            length_of_stay: self.lengths_of_stay(&discharged),
            decisions_from_search: decisions(&accepted, &declined, true),
            decisions_by_hand: decisions(&accepted, &declined, false),
            holds: holds(&accepted, &declined, expired),
            decline_reasons: reasons(
                declined
                    .iter()
                    .filter(|guest| !guest.is_cancelled)
                    .map(|guest| given(&guest.phone, guest.reason_name.as_ref(), guest.feedback.as_ref())),
            ),
            discharge_reasons: reasons(
                discharged.iter().map(|guest| given(&guest.phone, guest.reason_name.as_ref(), guest.feedback.as_ref())),
            ),
            occupancy: occupancy(add_up(self.zones.drain(..).map(|zone| zone.beds.finish()).collect())),
        }
    }

    /// Returns the first stays of guests who were accepted in the range, each guest once.
    fn accepted(&self, stays: Vec<StayRow>) -> Vec<StayRow> {
        let mut seen: HashSet<GuestId> = HashSet::new();
        let is_counted = |stay: &StayRow| {
            stay.is_first
                && self.containing(stay.period.site_id, stay.period.started_at).is_some()
                && seen.insert(stay.guest_id)
        };
        stays.into_iter().filter(is_counted).collect()
    }

    fn lengths_of_stay(&self, discharged: &[DischargedRow]) -> StayNumbers {
        let days = |guest: &DischargedRow| {
            let zone = self.containing(guest.site_id, guest.discharged_at)?;
            Some(days_stayed(guest.accepted_at, guest.discharged_at, &zone.time_zone))
        };
        let spread = Spread::of(discharged.iter().filter_map(days).collect(), &STAY_BANDS);
        StayNumbers {
            guests: spread.count,
            median_days: spread.median.map(|days| rounded(days, 10.0)),
            average_days: spread.average.map(|days| rounded(days, 10.0)),
            bands: bands(&spread.bands),
        }
    }
}

fn calendar(time_zone: &str, range: &DayRange, now: Timestamp) -> Calendar {
    let days = range.days(time_zone);
    let start = days.first().map_or(now, |day| day.start);
    let end = days.last().map_or(now, |day| day.end);
    Calendar { time_zone: time_zone.to_owned(), start, end, beds: BedTimes::new(days, now) }
}

fn occupancy(days: Vec<OccupancyDay>) -> OccupancyNumbers {
    let (occupied, enabled) =
        days.iter().fold((0.0, 0.0), |(occupied, enabled), day| (occupied + day.occupied, enabled + day.enabled));
    let all = OccupancyDay { date: String::new(), occupied, enabled };
    let counted = days.into_iter().map(|day| NumbersDay {
        occupied: rounded(day.occupied, 100.0),
        enabled: rounded(day.enabled, 100.0),
        share: share(&day),
        date: day.date,
    });
    OccupancyNumbers { share: share(&all), days: counted.collect() }
}

fn share(day: &OccupancyDay) -> Option<f64> {
    day.share().map(|share| rounded(share, 10_000.0))
}

/// Counts times to a decision, for reservations of the public side or for guests added by hand. Cancelled reservations
/// have none.
fn decisions(accepted: &[StayRow], declined: &[DeclinedRow], is_public: bool) -> DecisionNumbers {
    let minutes = |from: Timestamp, to: Timestamp| ((to.millis() - from.millis()) / 60_000).max(0);
    let accepted = accepted.iter().filter(|stay| stay.is_public == is_public);
    let declined = declined.iter().filter(|guest| guest.is_public == is_public && !guest.is_cancelled);
    let times = accepted.map(|stay| minutes(stay.reserved_at, stay.period.started_at));
    let times = times.chain(declined.map(|guest| minutes(guest.reserved_at, guest.declined_at)));
    let spread = Spread::of(times.collect(), &DECISION_BANDS);
    DecisionNumbers {
        decisions: spread.count,
        median_minutes: spread.median,
        ninetieth_minutes: spread.ninetieth,
        bands: bands(&spread.bands),
    }
}

fn holds(accepted: &[StayRow], declined: &[DeclinedRow], expired: usize) -> HoldNumbers {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let ended = |is_cancelled: bool| {
        count(declined.iter().filter(|guest| guest.has_hold && guest.is_cancelled == is_cancelled).count())
    };
    let ends = HoldEnds {
        accepted: count(accepted.iter().filter(|stay| stay.has_hold).count()),
        declined: ended(false),
        cancelled: ended(true),
        expired: count(expired),
    };
    HoldNumbers {
        ended: ends.total(),
        accepted: ends.accepted,
        declined: ends.declined,
        cancelled: ends.cancelled,
        expired: ends.expired,
        expired_share: ends.expired_share().map(|share| rounded(share, 10_000.0)),
    }
}

fn given<'a>(person: &'a str, chosen: Option<&'a String>, feedback: Option<&'a String>) -> Given<'a> {
    Given { person, chosen: chosen.map(String::as_str), feedback: feedback.map(String::as_str) }
}

fn reasons<'a>(given: impl IntoIterator<Item = Given<'a>>) -> ReasonNumbers {
    let reasons = Reasons::of(given);
    let numbers = |reasons: Vec<Reason>| {
        reasons.into_iter().map(|reason| ReasonNumber { reason: reason.text, guests: reason.count }).collect()
    };
    ReasonNumbers {
        guests: reasons.total(),
        other: reasons.other,
        none: reasons.none,
        chosen: numbers(reasons.chosen),
        listed: numbers(reasons.listed),
    }
}

fn bands(bands: &[Band]) -> Vec<NumbersBand> {
    bands.iter().map(|band| NumbersBand { up_to: band.to, count: band.count }).collect()
}

/// Rounds a number to the decimals of `unit`: 100 for two.
fn rounded(number: f64, unit: f64) -> f64 {
    (number * unit).round() / unit
}
