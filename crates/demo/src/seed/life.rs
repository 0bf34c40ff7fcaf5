//! Simulates one site event by event: reservations arrive and are decided, guests move, swap and leave, beds are disabled or
//! removed. It follows the rules of DESIGN 3 at every instant, so that every invariant holds: a reservation arrives only
//! while more beds are vacant than reservations are pending; if there is no room when one is due, a guest leaves first.

use berth_domain::guest::Source;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;

use super::guest::{Host, Person, Persons};
use super::people::{Seat, Team, User};
use super::places::Retirement;
use super::rows::{Batch, GuestRow, StayRow};
use crate::dice::Dice;
use berth_server::admin::audit_log::AuditAction;

/// Exact number of audit rows about each guest.
pub(super) const ROWS_PER_GUEST: usize = 5;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A guest with future events.
pub(super) struct Active {
    pub(super) row: GuestRow,
    pub(super) services: Vec<&'static str>,
    pub(super) person: Person,
    pub(super) stays: Vec<StayRow>,
    /// Index of the bed held.
    pub(super) bed: Option<usize>,
    /// Rows of the trail so far.
    pub(super) rows: usize,
    /// Time of the last row about the guest.
    pub(super) touched: Timestamp,
    next: Next,
    moves: usize,
    leaves_at: Timestamp,
}

/// The next event of a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Accept,
    Reject,
    Expire,
    Move,
    Leave,
    /// Still pending at the end of the simulation.
    Wait,
}

/// The next event of the site.
enum Event {
    Arrival { is_late: bool },
    Retirement(usize),
    Of(usize),
}

/// The simulation of a site.
pub(super) struct Life<'a> {
    pub(super) host: Host<'a>,
    pub(super) team: &'a Team,
    pub(super) users: &'a [User],
    pub(super) dice: Dice,
    pub(super) persons: Persons,
    now: Timestamp,
    /// Time of the last event.
    clock: Timestamp,
    pub(super) active: Vec<Active>,
    /// Time of the next event of each guest in `active`.
    pub(super) due: Vec<Timestamp>,
    /// Guest of each bed, as an index in `active`.
    pub(super) holders: Vec<Option<usize>>,
    retired: Vec<bool>,
    retirements: Vec<(Timestamp, usize)>,
    /// Reservations so far.
    arrived: usize,
    next_arrival: Timestamp,
    /// Undecided reservations of the last hours, the newest first.
    late: Vec<Timestamp>,
    /// Increased with each change, like the version of a touched site.
    pub(super) version: i64,
}

impl<'a> Life<'a> {
    pub(super) fn new(
        host: Host<'a>,
        team: &'a Team,
        users: &'a [User],
        mut dice: Dice,
        persons: Persons,
        now: Timestamp,
    ) -> Self {
        let site = host.site;
        let mut retirements: Vec<(Timestamp, usize)> =
            site.beds.iter().enumerate().filter_map(|(index, bed)| bed.retired.map(|(at, _)| (at, index))).collect();
        retirements.sort_by(|one, other| other.cmp(one));
        let in_use = site.beds.len() - retirements.len();
        let count = match in_use {
            1 => dice.below(2),
            2..=6 => dice.below(3),
            _ => 2 + dice.below(in_use / 12 + 1),
        };
        let earliest = now.plus_millis(-site.hold_hours * HOUR * 95 / 100);
        let mut late: Vec<Timestamp> = (0..count.min(site.guests / 4))
            .map(|_| Timestamp::from_millis(dice.between(earliest.millis(), now.millis() - 2 * MINUTE)))
            .collect();
        late.sort_by(|one, other| other.cmp(one));
        let mut life = Self {
            holders: vec![None; site.beds.len()],
            retired: vec![false; site.beds.len()],
            host,
            team,
            users,
            dice,
            persons,
            now,
            clock: site.opened_at,
            active: Vec::new(),
            due: Vec::new(),
            retirements,
            arrived: 0,
            next_arrival: site.opened_at,
            late,
            version: 1,
        };
        life.plan_arrival();
        life
    }

    /// The next event and its time; none when the simulation has reached the present.
    pub(super) fn next_at(&self) -> Option<Timestamp> {
        self.next().map(|(at, _)| at)
    }

    fn next(&self) -> Option<(Timestamp, Event)> {
        let arrival = (self.arrived < self.host.site.guests).then(|| {
            let is_late = self.arrived + self.late.len() >= self.host.site.guests;
            (self.next_arrival, Event::Arrival { is_late })
        });
        let retirement = self.retirements.last().map(|(at, bed)| (*at, Event::Retirement(*bed)));
        let guest = (0..self.due.len()).min_by_key(|index| self.due[*index]);
        let guest = guest.filter(|index| self.due[*index] <= self.now).map(|index| (self.due[index], Event::Of(index)));
        [retirement, guest, arrival].into_iter().flatten().min_by_key(|(at, _)| *at)
    }

    /// Runs the next event. `number` counts the guests of the world. Returns true if a guest was added.
    pub(super) fn step(&mut self, number: u64, out: &mut Batch) -> bool {
        let Some((at, event)) = self.next() else { return false };
        let at = at.max(self.clock);
        match event {
            Event::Arrival { is_late } => {
                self.make_room(at, 1, out);
                self.arrive(number, at.max(self.clock), is_late, out);
                return true;
            }
            Event::Retirement(bed) => {
                self.retirements.pop();
                self.retire(bed, at, out);
            }
            Event::Of(index) => self.go_on(index, at, out),
        }
        false
    }

    /// Writes the guests who still have future events.
    pub(super) fn finish(&mut self, out: &mut Batch) {
        self.clock = self.now;
        while !self.active.is_empty() {
            let last = self.active.len() - 1;
            self.record_rest(last, self.now, out);
            self.close(last, self.now, out);
        }
    }

    fn plan_arrival(&mut self) {
        let site = self.host.site;
        let regular = site.guests - self.late.len().min(site.guests);
        self.next_arrival = if self.arrived < regular {
            let slot = i64::try_from(self.arrived).unwrap_or_default() * site.interval;
            site.opened_at.plus_millis(slot + self.dice.between(0, site.interval - 1))
        } else {
            let index = site.guests.saturating_sub(self.arrived + 1);
            self.late.get(index).copied().unwrap_or(self.now)
        };
    }

    fn is_pending(&self, index: usize) -> bool {
        self.active[index].row.accepted_at.is_none()
    }

    fn is_vacant(&self, bed: usize) -> bool {
        self.holders[bed].is_none() && !self.retired[bed]
    }

    /// Ends stays until `vacant - needed >= pending`.
    fn make_room(&mut self, at: Timestamp, needed: usize, out: &mut Batch) {
        loop {
            let vacant = (0..self.holders.len()).filter(|bed| self.is_vacant(*bed)).count();
            let pending = (0..self.active.len()).filter(|index| self.is_pending(*index)).count();
            if vacant >= pending + needed {
                return;
            }
            let at = at.plus_millis(-self.dice.between(2 * MINUTE, 40 * MINUTE)).max(self.clock);
            let assigned = (0..self.active.len()).filter(|index| !self.is_pending(*index));
            let first = assigned.min_by_key(|index| self.active[*index].leaves_at);
            let oldest = || (0..self.active.len()).min_by_key(|index| self.active[*index].row.created_at);
            match (first, oldest()) {
                (Some(index), _) => self.discharge(index, at, out),
                (None, Some(index)) => self.reject(index, at, out),
                (None, None) => return,
            }
        }
    }

    fn arrive(&mut self, number: u64, at: Timestamp, is_late: bool, out: &mut Batch) {
        let source = if self.dice.chance(if is_late { 75 } else { 65 }) { Source::Web } else { Source::Admin };
        let person = self.person(number, source);
        let is_third = self.active.iter().filter(|guest| guest.person.phone == person.phone).count() == 2;
        let by = self.creator(source, is_third);
        let user_id = by.map(|(user, _)| self.users[user].id);
        let row = self.host.reservation(number, &person, source, at, user_id, &mut self.dice);
        let services = self.host.services(&mut self.dice);
        let hold = self.host.site.hold_hours * HOUR;
        let (next, due) = match (is_late, source) {
            (true, _) => (Next::Wait, self.now.plus_days(1)),
            (false, Source::Web) => match self.dice.between(0, 99) {
                0..64 => (Next::Accept, at.plus_millis(self.dice.between(5 * MINUTE, hold * 9 / 10))),
                64..78 => (Next::Reject, at.plus_millis(self.dice.between(5 * MINUTE, hold * 9 / 10))),
                // Recorded soon after the end of the hold, so that the server's job has nothing to expire.
                _ => (
                    Next::Expire,
                    at.plus_millis(hold + self.dice.between(0, 40_000)).min(self.now.max(at.plus_millis(hold))),
                ),
            },
            (false, Source::Admin) => {
                let next = if self.dice.chance(85) { Next::Accept } else { Next::Reject };
                (next, at.plus_millis(self.dice.between(10 * MINUTE, 2 * DAY)))
            }
        };
        let moves = match self.dice.between(0, 99) {
            0..3 => 2,
            3..15 => 1,
            _ => 0,
        };
        let mut guest = Active {
            row,
            services,
            person,
            stays: Vec::new(),
            bed: None,
            rows: 0,
            touched: at,
            next,
            moves,
            leaves_at: at,
        };
        self.record_created(&mut guest, by, is_third, at, out);
        self.active.push(guest);
        self.due.push(due);
        self.arrived += 1;
        self.changed(at);
        self.plan_arrival();
    }

    /// Usually a person without a reservation, sometimes one who already has one, rarely one who has two.
    fn person(&mut self, number: u64, source: Source) -> Person {
        if !self.active.is_empty() && self.dice.chance(2) {
            let person = self.dice.pick(&self.active).person.clone();
            let count = self.active.iter().filter(|guest| guest.person.phone == person.phone).count();
            let may_have_third = source == Source::Admin && !self.team.admins.is_empty();
            if count == 1 || (count == 2 && may_have_third) {
                return person;
            }
        }
        self.persons.arrive(number, &mut self.dice)
    }

    fn go_on(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        match self.active[index].next {
            Next::Accept => self.accept(index, at, out),
            Next::Reject => self.reject(index, at, out),
            Next::Expire => self.expire(index, at, out),
            Next::Move => self.move_on(index, at, out),
            Next::Leave => self.discharge(index, at, out),
            Next::Wait => self.due[index] = self.now.plus_days(1),
        }
    }

    fn accept(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        let unpaid = self.host.site.web_until.is_some_and(|until| at > until);
        if unpaid && self.active[index].row.source == Source::Web {
            return self.reject(index, at, out);
        }
        let Some(bed) = self.vacant_bed() else { return self.reject(index, at, out) };
        let guest = &mut self.active[index];
        // Creating, accepting and discharging take three rows; moves and views share the other two.
        if guest.rows + 3 + guest.moves.min(2) <= ROWS_PER_GUEST {
            self.record_viewed(index, at, out);
        }
        let mean = self.host.site.stay_days * DAY;
        self.active[index].row.accepted_at = Some(at);
        self.active[index].leaves_at = at.plus_millis(self.dice.between(mean * 3 / 10, mean * 17 / 10));
        let by = self.decider();
        self.open(index, bed, at, by);
        self.record_placed(index, AuditAction::GuestAccepted, (None, Some(bed)), by, at, out);
        self.changed(at);
        self.plan(index, at);
    }

    /// The next move, or the end of the stay.
    fn plan(&mut self, index: usize, at: Timestamp) {
        let guest = &mut self.active[index];
        // This move and the discharge add two rows.
        let moves = guest.moves > 0 && guest.rows + 2 <= ROWS_PER_GUEST;
        guest.next = if moves { Next::Move } else { Next::Leave };
        let end = guest.leaves_at.max(at.plus_millis(HOUR));
        self.due[index] = if moves {
            let left = end.millis() - at.millis();
            at.plus_millis(self.dice.between(left / 10, left * 7 / 10))
        } else {
            end
        };
    }

    fn move_on(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        self.active[index].moves -= 1;
        let partner = self.partner(index);
        let bed = self.vacant_bed();
        let by = self.decider();
        match (partner, bed) {
            (Some(other), bed) if bed.is_none() || self.dice.chance(35) => self.swap(index, other, by, at, out),
            (_, Some(bed)) => {
                let from = self.end(index, at, by, EndReason::Reassigned);
                self.open(index, bed, at, by);
                self.active[index].row.reassigned_at = Some(at);
                self.record_placed(index, AuditAction::GuestReassigned, (from, Some(bed)), by, at, out);
                self.changed(at);
            }
            (_, None) => {}
        }
        self.plan(index, at);
    }

    /// Another guest with a bed, about whom another row may be written.
    fn partner(&mut self, index: usize) -> Option<usize> {
        let start = self.dice.below(self.active.len());
        let others = (0..self.active.len()).map(|step| (start + step) % self.active.len());
        let may_move = |other: &usize| {
            let guest = &self.active[*other];
            *other != index && guest.bed.is_some() && guest.rows + 2 <= ROWS_PER_GUEST
        };
        others.into_iter().find(may_move)
    }

    fn swap(&mut self, one: usize, other: usize, by: Seat, at: Timestamp, out: &mut Batch) {
        let beds = [one, other].map(|index| self.end(index, at, by, EndReason::Swapped));
        for (index, from, to) in [(one, beds[0], beds[1]), (other, beds[1], beds[0])] {
            if let Some(bed) = to {
                self.open(index, bed, at, by);
            }
            self.active[index].row.reassigned_at = Some(at);
            self.record_placed(index, AuditAction::GuestSwapped, (from, to), by, at, out);
        }
        self.changed(at);
        // The other guest may have no row left for another move.
        let guest = &self.active[other];
        if guest.next == Next::Move && guest.rows + 2 > ROWS_PER_GUEST {
            self.plan(other, at);
        }
    }

    pub(super) fn reject(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        let by = self.decider();
        self.record_ended(index, AuditAction::GuestRejected, Some(by), at, out);
        self.active[index].row.rejected_at = Some(at);
        self.close(index, at, out);
        self.changed(at);
    }

    fn expire(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        self.record_ended(index, AuditAction::GuestExpired, None, at, out);
        self.active[index].row.expired_at = Some(at);
        self.close(index, at, out);
        self.changed(at);
    }

    fn discharge(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        let by = self.decider();
        self.record_ended(index, AuditAction::GuestDischarged, Some(by), at, out);
        self.end(index, at, by, EndReason::Discharged);
        self.active[index].row.discharged_at = Some(at);
        self.close(index, at, out);
        self.changed(at);
    }

    /// Takes a bed out of use; its guest and, if necessary, others leave first.
    fn retire(&mut self, bed: usize, at: Timestamp, out: &mut Batch) {
        if let Some(index) = self.holders[bed] {
            self.discharge(index, at, out);
        }
        self.make_room(at, 1, out);
        // Nobody has moved into the bed while room was made.
        self.retired[bed] = true;
        let removed = self.host.site.beds[bed].retired.is_some_and(|(_, how)| how == Retirement::Removed);
        self.record_retired(bed, removed, at.max(self.clock), out);
        self.changed(at.max(self.clock));
    }

    fn vacant_bed(&mut self) -> Option<usize> {
        let start = self.dice.below(self.holders.len());
        (0..self.holders.len()).map(|step| (start + step) % self.holders.len()).find(|bed| self.is_vacant(*bed))
    }

    fn changed(&mut self, at: Timestamp) {
        self.clock = self.clock.max(at);
        self.version += 1;
    }
}
