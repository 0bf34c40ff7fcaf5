//! The statistics by a simple count.

use berth_domain::id::SiteId;
use serde_json::{Value, json};

use super::days;
use super::history::{Bed, Past, QUARTER};
use crate::harness::{HOUR, MINUTE};
use crate::steps::DAY;

/// The date of a time in days since 1970, in California (8 hours behind UTC, 7 since March 8, 2026) or in New York, which
/// is 3 hours ahead of California.
fn date(time: i64, is_new_york: bool) -> i64 {
    const CHANGE: i64 = 1_772_964_000_000;
    let change = if is_new_york { CHANGE - 3 * HOUR } else { CHANGE };
    let offset = if time < change { -8 } else { -7 } + if is_new_york { 3 } else { 0 };
    (time + offset * HOUR).div_euclid(DAY)
}

/// Counts in the simplest way: it looks at every bed for each quarter of an hour.
pub(super) struct Plain<'a> {
    pub(super) beds: Vec<&'a Bed>,
    pub(super) guests: Vec<&'a Past>,
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) now: i64,
    /// True for a site in New York.
    pub(super) is_new_york: &'a dyn Fn(SiteId) -> bool,
}

impl Plain<'_> {
    fn date(&self, time: i64, site: SiteId) -> i64 {
        date(time, (self.is_new_york)(site))
    }

    fn is_counted(&self, time: i64, site: SiteId) -> bool {
        (self.first..=self.last).contains(&self.date(time, site))
    }

    /// Occupied and enabled beds of each day.
    fn days(&self) -> Vec<(f64, f64)> {
        let sites: std::collections::BTreeSet<SiteId> = self.beds.iter().map(|bed| bed.site).collect();
        let mut sum = vec![(0.0, 0.0); usize::try_from(self.last - self.first + 1).unwrap()];
        let is_during = |at: i64, from: i64, to: Option<i64>| from <= at && to.is_none_or(|to| at < to);
        for is_new_york in [false, true] {
            let of_zone = |site: SiteId| (self.is_new_york)(site) == is_new_york && sites.contains(&site);
            let mut counted = vec![(0_i32, 0_i32, 0_i32); sum.len()];
            let mut at = self.first * DAY;
            while at < self.now {
                let index = date(at, is_new_york) - self.first;
                if let Some(day) = usize::try_from(index).ok().and_then(|index| counted.get_mut(index)) {
                    day.0 += 1;
                    for bed in self.beds.iter().filter(|bed| of_zone(bed.site)) {
                        let is_disabled = bed.outages.iter().any(|(from, to)| is_during(at, *from, *to));
                        day.2 += i32::from(is_during(at, bed.created, bed.removed) && !is_disabled);
                    }
                    let stays = self.guests.iter().filter(|past| of_zone(past.site)).flat_map(|past| &past.stays);
                    day.1 += i32::try_from(stays.filter(|(_, from, to)| is_during(at, *from, *to)).count()).unwrap();
                }
                at += QUARTER;
            }
            for (total, (length, occupied, enabled)) in sum.iter_mut().zip(counted) {
                if length > 0 {
                    total.0 += f64::from(occupied) / f64::from(length);
                    total.1 += f64::from(enabled) / f64::from(length);
                }
            }
        }
        sum
    }

    /// All numbers except the days.
    fn numbers(&self) -> Value {
        let mut stays: Vec<i64> = Vec::new();
        let (mut search, mut by_hand) = (Vec::new(), Vec::new());
        let mut holds = [0; 4];
        let (mut declined, mut discharged) = (Vec::new(), Vec::new());
        for past in &self.guests {
            let within = |time: Option<i64>| time.filter(|time| self.is_counted(*time, past.site));
            if let Some(left) = within(past.discharged) {
                let nights = self.date(left, past.site) - self.date(past.accepted.unwrap(), past.site);
                stays.push(nights.max(1));
                discharged.push(past.feedback);
            }
            let waits = if past.is_public { &mut search } else { &mut by_hand };
            if let Some(at) = within(past.accepted) {
                waits.push((at - past.created) / MINUTE);
                holds[0] += i32::from(past.is_public);
            }
            if let Some(at) = within(past.declined) {
                if past.is_cancelled {
                    holds[2] += 1;
                } else {
                    waits.push((at - past.created) / MINUTE);
                    holds[1] += i32::from(past.is_public);
                    declined.push(past.feedback);
                }
            }
            let is_over = past.accepted.is_none() && past.declined.is_none();
            if within(past.expires.filter(|end| is_over && *end <= self.now)).is_some() {
                holds[3] += 1;
            }
        }
        let total: i32 = holds.iter().sum();
        json!({
            "lengthOfStay": {
                "guests": stays.len(), "medianDays": median(&stays), "averageDays": (average(&stays) * 10.0).round() / 10.0,
                "bands": bands(&stays, &[7, 30, 60, 90]),
            },
            "decisionsFromSearch": waits(&search),
            "decisionsByHand": waits(&by_hand),
            "holds": {
                "ended": total, "accepted": holds[0], "declined": holds[1], "cancelled": holds[2], "expired": holds[3],
                "expiredShare": (f64::from(holds[3]) / f64::from(total) * 10_000.0).round() / 10_000.0,
            },
            "declineReasons": reasons(&declined),
            "dischargeReasons": reasons(&discharged),
        })
    }
}

fn median(numbers: &[i64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let (one, other) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    f64::from(i32::try_from(one + other).unwrap()) / 2.0
}

fn average(numbers: &[i64]) -> f64 {
    let sum: i64 = numbers.iter().sum();
    f64::from(i32::try_from(sum).unwrap()) / f64::from(i32::try_from(numbers.len()).unwrap())
}

fn bands(numbers: &[i64], ends: &[i64]) -> Value {
    let mut from = i64::MIN;
    let mut bands = Vec::new();
    for end in ends.iter().copied().map(Some).chain([None]) {
        let fits = |number: &&i64| **number > from && end.is_none_or(|end| **number <= end);
        bands.push(json!({"upTo": end, "count": numbers.iter().filter(fits).count()}));
        from = end.unwrap_or(from);
    }
    json!(bands)
}

fn waits(minutes: &[i64]) -> Value {
    // The smallest value that nine of ten do not exceed.
    let is_enough = |one: &&i64| minutes.iter().filter(|other| *other <= *one).count() * 10 >= minutes.len() * 9;
    json!({
        "decisions": minutes.len(), "medianMinutes": median(minutes),
        "ninetiethMinutes": minutes.iter().filter(is_enough).min(), "bands": bands(minutes, &[60, 240, 720, 1440]),
    })
}

/// Counts reasons. "No answer." has two spellings, which count as one; other reasons are compared as they are.
fn reasons(texts: &[Option<&str>]) -> Value {
    let count = |wanted: &[&str]| texts.iter().flatten().filter(|text| wanted.contains(text)).count();
    let spelled = if count(&["no ANSWER"]) > count(&["No answer."]) { "no ANSWER" } else { "No answer." };
    let mut listed = vec![
        (count(&["No answer.", "no ANSWER"]), spelled),
        (count(&["Went to Casey R's mother"]), "Went to Casey R's mother"),
        (count(&["Completed"]), "Completed"),
    ];
    let other: usize = listed.iter().map(|(count, _)| *count).filter(|count| *count < 3).sum();
    listed.retain(|(count, _)| *count >= 3);
    listed.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(other.1)));
    let listed: Vec<Value> = listed.into_iter().map(|(count, text)| json!({"reason": text, "guests": count})).collect();
    json!({"guests": texts.len(), "chosen": [], "listed": listed, "other": other,
        "none": texts.iter().filter(|text| text.is_none_or(|text| text.trim().is_empty())).count()})
}

/// Compares an answer with the simple count.
pub(super) fn compare(answer: &Value, plain: &Plain<'_>) {
    let rounded = |number: f64| (number * 100.0).round() / 100.0;
    let expected: Vec<_> = plain.days().into_iter().map(|(one, two)| (rounded(one), rounded(two))).collect();
    let found: Vec<_> = days(answer).into_iter().map(|(_, occupied, enabled)| (occupied, enabled)).collect();
    assert_eq!(found, expected);
    let mut rest = answer.clone();
    for field in ["from", "to", "occupancy"] {
        rest.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(rest, plain.numbers());
}
