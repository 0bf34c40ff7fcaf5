//! Makes the histories of a site's guests: consistent times, beds and ends. Pure.

use berth_domain::guest::Source;
use berth_domain::stay::EndReason;
use berth_domain::time::{Hold, Timestamp};

use super::plan::SitePlan;
use crate::dice::Dice;
use crate::words::{DECLINED, LEFT};

/// A stay; beds are counted from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedStay {
    pub(super) bed: usize,
    pub(super) from: Timestamp,
    pub(super) end: Option<(Timestamp, EndReason)>,
}

/// The history of one guest.
#[derive(Debug, Clone)]
pub(super) struct History {
    pub(super) source: Source,
    pub(super) created: Timestamp,
    pub(super) expires: Option<Timestamp>,
    pub(super) accepted: Option<Timestamp>,
    pub(super) reassigned: Option<Timestamp>,
    pub(super) rejected: Option<Timestamp>,
    pub(super) discharged: Option<Timestamp>,
    pub(super) expired: Option<Timestamp>,
    pub(super) stays: Vec<PlannedStay>,
    pub(super) feedback: Option<&'static str>,
    /// As in the column `reminded`: 1 at half of the hold, 2 in the last hour.
    pub(super) reminded: i64,
}

impl History {
    /// Returns the history of a reservation that nothing has happened to.
    pub(super) fn created(source: Source, created: Timestamp, plan: &SitePlan) -> Self {
        let hold = Hold::hours(plan.hold_hours).ok();
        Self {
            source,
            created,
            expires: hold.filter(|_| source == Source::Web).map(|hold| hold.expires_at(created)),
            accepted: None,
            reassigned: None,
            rejected: None,
            discharged: None,
            expired: None,
            stays: Vec::new(),
            feedback: None,
            reminded: 0,
        }
    }
}

const DAY: i64 = 1440;
/// The end of an open stay.
const OPEN: Timestamp = Timestamp::from_millis(i64::MAX);

/// Makes the histories of a site, oldest first within each kind. `beds` is true for each disabled bed.
pub(super) fn write(dice: &mut Dice, now: Timestamp, plan: &SitePlan, beds: &[bool]) -> Vec<History> {
    let mut writer = Writer { dice, now, plan, beds, taken: vec![Vec::new(); beds.len()] };
    let mix = &plan.guests;
    let mut all = Vec::new();
    for _ in 0..mix.swaps {
        all.extend(writer.swapped());
    }
    for _ in 0..mix.moved {
        all.extend(writer.moved());
    }
    for _ in 0..mix.accepted {
        all.extend(writer.accepted());
    }
    for _ in 0..mix.discharged {
        all.extend(writer.discharged());
    }
    all.extend((0..mix.rejected).map(|_| writer.rejected()));
    all.extend((0..mix.expired).map(|_| writer.expired()));
    all.extend(mix.waiting.iter().map(|left| writer.waiting(*left)));
    all.extend((0..mix.by_hand).map(|_| writer.by_hand()));
    all
}

struct Writer<'a> {
    dice: &'a mut Dice,
    now: Timestamp,
    plan: &'a SitePlan,
    beds: &'a [bool],
    /// When each bed is taken.
    taken: Vec<Vec<(Timestamp, Timestamp)>>,
}

impl Writer<'_> {
    /// Returns a time `least` to `most` minutes ago, not on a full second.
    fn ago(&mut self, least: i64, most: i64) -> Timestamp {
        self.now.plus_minutes(-self.dice.between(least, most)).plus_millis(-self.dice.between(0, 59_999))
    }

    /// Takes an enabled bed that is free from `from` to `to`.
    fn take(&mut self, from: Timestamp, to: Timestamp) -> Option<usize> {
        let free = |bed: &usize| self.taken[*bed].iter().all(|(begun, ended)| *ended <= from || to <= *begun);
        let beds: Vec<usize> = (0..self.beds.len()).filter(|bed| !self.beds[*bed]).filter(free).collect();
        if beds.is_empty() {
            return None;
        }
        let bed = *self.dice.pick(&beds);
        self.taken[bed].push((from, to));
        Some(bed)
    }

    /// Makes a reservation that was created some time before its decision.
    fn reserved(&mut self, decided: Timestamp) -> History {
        let source = if self.dice.chance(70) { Source::Web } else { Source::Admin };
        let longest = (self.plan.hold_hours * 60 * 4 / 5).min(900);
        let created = decided.plus_minutes(-self.dice.between(12, longest)).plus_millis(self.dice.between(0, 59_999));
        self.created(source, created)
    }

    fn created(&self, source: Source, created: Timestamp) -> History {
        History::created(source, created, self.plan)
    }

    /// Returns a time of admission from which the guest may still be there.
    fn admission(&mut self, least_days: i64) -> Timestamp {
        let most = self.plan.stay.1.min(75).max(least_days + 2);
        self.ago(least_days * DAY + 40, most * DAY)
    }

    fn accepted(&mut self) -> Option<History> {
        let accepted = self.admission(0);
        let bed = self.take(accepted, OPEN)?;
        let stays = vec![PlannedStay { bed, from: accepted, end: None }];
        Some(History { accepted: Some(accepted), stays, ..self.reserved(accepted) })
    }

    fn moved(&mut self) -> Option<History> {
        let accepted = self.admission(3);
        let moved = self.ago(90, 2 * DAY);
        let bed = self.take(moved, OPEN)?;
        let before = self.take(accepted, moved)?;
        let stays = vec![
            PlannedStay { bed: before, from: accepted, end: Some((moved, EndReason::Reassigned)) },
            PlannedStay { bed, from: moved, end: None },
        ];
        Some(History { accepted: Some(accepted), reassigned: Some(moved), stays, ..self.reserved(accepted) })
    }

    /// Makes two guests who swapped beds.
    fn swapped(&mut self) -> Vec<History> {
        let swapped = self.ago(300, 2 * DAY);
        let admissions = [self.admission(3), self.admission(3)];
        let (Some(one), Some(other)) = (self.take(admissions[0], OPEN), self.take(admissions[1], OPEN)) else {
            return Vec::new();
        };
        let ways = [(one, other), (other, one)];
        let write = |(accepted, (before, after)): (Timestamp, (usize, usize))| {
            let stays = vec![
                PlannedStay { bed: before, from: accepted, end: Some((swapped, EndReason::Swapped)) },
                PlannedStay { bed: after, from: swapped, end: None },
            ];
            History { accepted: Some(accepted), reassigned: Some(swapped), stays, ..self.reserved(accepted) }
        };
        admissions.into_iter().zip(ways).map(write).collect()
    }

    fn discharged(&mut self) -> Option<History> {
        let left = self.ago(DAY, 110 * DAY);
        let days = self.dice.between(self.plan.stay.0, self.plan.stay.1.min(80));
        let accepted = left.plus_minutes(-days * DAY - self.dice.between(0, 500));
        let moved = left.plus_days(-self.dice.between(1, days - 2));
        let is_moved = self.dice.chance(35);
        let feedback = self.dice.chance(70).then(|| *self.dice.pick(&LEFT));
        let end = Some((left, EndReason::Discharged));
        let stays = if is_moved {
            let (before, after) = (self.take(accepted, moved)?, self.take(moved, left)?);
            let stays = PlannedStay { bed: before, from: accepted, end: Some((moved, EndReason::Reassigned)) };
            vec![stays, PlannedStay { bed: after, from: moved, end }]
        } else {
            vec![PlannedStay { bed: self.take(accepted, left)?, from: accepted, end }]
        };
        let reassigned = is_moved.then_some(moved);
        let reserved = self.reserved(accepted);
        Some(History { accepted: Some(accepted), reassigned, discharged: Some(left), stays, feedback, ..reserved })
    }

    fn rejected(&mut self) -> History {
        let rejected = self.ago(100, 30 * DAY);
        let feedback = Some(*self.dice.pick(&DECLINED));
        History { rejected: Some(rejected), feedback, ..self.reserved(rejected) }
    }

    fn expired(&mut self) -> History {
        let hold = self.plan.hold_hours * 60;
        let created = self.ago(hold + 60, hold + 25 * DAY);
        let history = self.created(Source::Web, created);
        let late = self.dice.between(500, 4500);
        History { expired: history.expires.map(|expires| expires.plus_millis(late)), ..history }
    }

    fn waiting(&mut self, minutes_left: i64) -> History {
        let created = self.now.plus_minutes(minutes_left - self.plan.hold_hours * 60);
        let created = created.plus_millis(self.dice.between(0, 59_999));
        // The reminders that are due by now were sent before the demo began.
        let half = minutes_left * 2 <= self.plan.hold_hours * 60;
        let last_hour = minutes_left <= 60 && self.plan.hold_hours > 2;
        History { reminded: i64::from(half) + 2 * i64::from(last_hour), ..self.created(Source::Web, created) }
    }

    fn by_hand(&mut self) -> History {
        let created = self.ago(70, 900);
        self.created(Source::Admin, created)
    }
}
