//! The model's decisions about guests: commands, merges, and what undoes them.

use crate::model::{Expected, Guest, Model, Phase, Right, Shows};
use crate::play::{HOUR, answer};
use crate::step::{Move, Version, Who};

impl Model {
    pub fn command(&mut self, who: Who, guest: usize, (how, bed): (Move, Option<usize>), version: Version) -> Expected {
        let as_it_is = |status| Expected { status, shows: Shows::Guest(guest, true) };
        if let Version::Seen(seen) = version
            && seen != self.guests[guest].version
        {
            return as_it_is(412);
        }
        let Guest { site, web, phase, .. } = self.guests[guest];
        if how == Move::Undo {
            if version == Version::None {
                return as_it_is(412);
            }
            return as_it_is(self.undo(who, guest));
        }
        let waiting = self.status(guest) == "pending";
        let here = bed.filter(|bed| self.site_of(*bed) == site && !self.beds[*bed].deleted);
        let is_free = |bed: &usize| !self.beds[*bed].disabled && self.holder(*bed).is_none() && !self.is_offered(*bed);
        let free = here.filter(is_free);
        let mut moved = vec![(guest, phase)];
        match (how, phase) {
            (Move::Accept, _) if waiting => {
                if site == 0 && web && !self.paid {
                    return answer(402);
                }
                let Some(bed) = free else { return as_it_is(409) };
                moved[0].1 = Phase::InBed(bed);
            }
            (Move::Reassign, Phase::InBed(_)) => {
                let Some(bed) = free else { return as_it_is(409) };
                moved[0].1 = Phase::InBed(bed);
            }
            (Move::Swap, Phase::InBed(own)) => {
                let other = here.and_then(|bed| self.holder(bed)).filter(|other| *other != guest);
                let Some(other) = other else { return as_it_is(409) };
                moved = vec![(guest, self.guests[other].phase), (other, Phase::InBed(own))];
            }
            (Move::Decline, _) if waiting => moved[0].1 = Phase::Declined,
            (Move::Discharge, Phase::InBed(bed)) => moved[0].1 = Phase::Left(bed),
            (Move::NoShow, Phase::InBed(bed)) if self.is_arriving(guest) => moved[0].1 = Phase::Left(bed),
            (Move::Arrive, Phase::InBed(_)) if self.is_arriving(guest) => {}
            (Move::UndoArrival, Phase::InBed(_))
                if Self::asks_arrival(site)
                    && self.guests[guest].arrived.is_some_and(|at| self.now <= at + 24 * HOUR) => {}
            _ => return as_it_is(409),
        }
        // After the clock went back, a change is never earlier than the stays that it ends.
        let in_bed = moved.iter().filter(|(guest, _)| matches!(self.guests[*guest].phase, Phase::InBed(_)));
        let at = in_bed.map(|(guest, _)| self.guests[*guest].began).fold(self.now, i64::max);
        let now = self.now;
        for (guest, phase) in moved {
            let guest = &mut self.guests[guest];
            if let Phase::InBed(bed) = guest.phase
                && phase != guest.phase
            {
                let left = &mut self.beds[bed].left;
                *left = Some(left.map_or(at, |left| left.max(at)));
            }
            guest.moved |= matches!(how, Move::Reassign | Move::Swap);
            guest.phase = phase;
            guest.version += 1;
            guest.no_show = how == Move::NoShow;
            match how {
                Move::Accept => (guest.accepted, guest.began, guest.accepted_by) = (at, at, Some(who)),
                Move::Arrive => guest.arrived = Some(now.max(guest.accepted)),
                Move::UndoArrival => guest.arrived = None,
                Move::Decline | Move::Discharge | Move::NoShow => (guest.ended, guest.ended_by) = (at, Some(who)),
                Move::Reassign | Move::Swap => guest.began = at,
                Move::Undo => unreachable!("played before"),
            }
        }
        self.versions[site] += 1;
        as_it_is(200)
    }

    /// The guest cancels from the network that made the reservation. Cancelling again gets the same answer; a week after the
    /// decision, the reservation is unknown.
    pub fn cancel(&mut self, guest: usize) -> Expected {
        const WEEK: i64 = 7 * 24 * HOUR;
        let status = self.status(guest);
        let Guest { site, accepted, ended, expires, .. } = self.guests[guest];
        let decided = match status {
            "pending" => None,
            "rejected" => Some(ended),
            "expired" => expires,
            _ => Some(accepted),
        };
        if decided.is_some_and(|decided| self.now >= decided + WEEK) {
            return answer(404);
        }
        if status == "pending" {
            let now = self.now;
            let cancelled = &mut self.guests[guest];
            (cancelled.phase, cancelled.cancelled, cancelled.ended) = (Phase::Declined, true, now);
            cancelled.version += 1;
            self.versions[site] += 1;
        }
        if self.guests[guest].cancelled { Expected { status: 200, shows: Shows::State(guest) } } else { answer(409) }
    }

    fn is_version(&self, guest: usize, version: Version) -> bool {
        matches!(version, Version::Seen(seen) if seen == self.guests[guest].version)
    }

    /// Merges a guest into another one of the site.
    pub fn merge(&mut self, kept: usize, duplicate: usize, version: Version) -> Expected {
        if !self.is_version(duplicate, version) {
            return answer(412);
        }
        let ends = self.status(duplicate) == "pending";
        let is_active = matches!(self.guests[kept].phase, Phase::InBed(_)) || self.status(kept) == "pending";
        let Guest { site, phase, kept: merged, .. } = self.guests[duplicate];
        let is_taken = merged.is_some() || self.guests[kept].kept.is_some() || self.has_merged(duplicate);
        if is_taken || matches!(phase, Phase::InBed(_)) || ends && !is_active {
            return answer(409);
        }
        if self.overdue().contains(&duplicate) {
            self.expire_at(site);
        }
        let now = self.now;
        let guest = &mut self.guests[duplicate];
        guest.kept = Some(kept);
        guest.ended_by_merge = ends;
        if ends {
            (guest.phase, guest.ended, guest.ended_by) = (Phase::Declined, now, None);
        }
        guest.version += 1;
        self.versions[site] += 1;
        Expected { status: 200, shows: Shows::Guest(duplicate, true) }
    }

    pub fn unmerge(&mut self, who: Who, guest: usize, version: Version) -> Expected {
        if self.guests[guest].kept.is_none() {
            return answer(409);
        }
        if !self.is_version(guest, version) {
            return answer(412);
        }
        let Guest { site, person, expires, ended_by_merge, .. } = self.guests[guest];
        self.expire_concerned(site, person);
        let is_over = expires.is_some_and(|end| end <= self.now);
        if ended_by_merge && !is_over && !self.may_return(who, guest) {
            return answer(409);
        }
        let guest_id = guest;
        let guest = &mut self.guests[guest];
        guest.kept = None;
        if ended_by_merge {
            (guest.phase, guest.ended, guest.ended_by_merge) = (Phase::Waiting, 0, false);
            guest.expired = is_over;
        }
        guest.version += 1;
        self.versions[site] += 1;
        Expected { status: 200, shows: Shows::Guest(guest_id, true) }
    }

    /// Returns true if a bed is free for a guest who becomes active again, and the person may have the reservation.
    fn may_return(&self, who: Who, guest: usize) -> bool {
        let Guest { site, person, web, allowed: [third, over], .. } = self.guests[guest];
        let has_room = self.free(site) > self.pending(site) || over && self.free(site) > 0;
        let active = self.active(person, web);
        let sees = |site: usize| Self::turned_away(who, site, Right::View).is_none();
        let visible = active.iter().filter(|(site, _)| sees(*site)).count();
        let all = active.iter().filter(|(site, is_proved)| *is_proved || sees(*site)).count();
        let others = if third { 2 } else { 1 };
        has_room && visible <= others && (all <= others || over)
    }

    /// Undoes an accept. Returns the status of the answer.
    fn undo_accept(&mut self, who: Who, guest: usize) -> u16 {
        let Guest { site, accepted, accepted_by, moved, returned, expires, arrived, .. } = self.guests[guest];
        let is_late = accepted_by != Some(who) || self.now - accepted > 10_000;
        if moved || returned || is_late || arrived.is_some() || expires.is_some_and(|end| end <= self.now) {
            return 409;
        }
        let guest = &mut self.guests[guest];
        (guest.phase, guest.accepted, guest.began, guest.accepted_by) = (Phase::Waiting, 0, 0, None);
        guest.version += 1;
        self.versions[site] += 1;
        200
    }

    /// Undoes an accept, a decline or a discharge. Returns the status of the answer.
    fn undo(&mut self, who: Who, guest: usize) -> u16 {
        if matches!(self.guests[guest].phase, Phase::InBed(_)) {
            return self.undo_accept(who, guest);
        }
        let Guest { site, person, phase, .. } = self.guests[guest];
        let is_closed = self.guests[guest].cancelled || self.guests[guest].kept.is_some();
        if !matches!(phase, Phase::Declined | Phase::Left(_)) || is_closed {
            return 409;
        }
        self.expire_concerned(site, person);
        let Guest { ended, ended_by, expires, paused, .. } = self.guests[guest];
        let passed = self.now - ended;
        let by_right = Self::turned_away(who, site, Right::Undo).is_none() && passed <= 24 * HOUR;
        if !(by_right || ended_by == Some(who) && passed <= 10_000) || !self.may_return(who, guest) {
            return 409;
        }
        let at = self.now.max(ended);
        let phase = match phase {
            Phase::Left(bed)
                if self.beds[bed].deleted
                    || self.beds[bed].disabled
                    || self.holder(bed).is_some()
                    || self.is_offered(bed) =>
            {
                return 409;
            }
            Phase::Left(bed) => Phase::InBed(bed),
            _ => Phase::Waiting,
        };
        let expires = if phase == Phase::Waiting && !paused { expires.map(|end| end + at - ended) } else { expires };
        if phase == Phase::Waiting && expires.is_some_and(|end| end <= self.now) {
            return 409;
        }
        let guest = &mut self.guests[guest];
        (guest.phase, guest.began, guest.ended, guest.ended_by) = (phase, at, 0, None);
        guest.no_show = false;
        guest.expires = expires;
        guest.paused |= phase == Phase::Waiting;
        guest.returned |= phase != Phase::Waiting;
        guest.version += 1;
        self.versions[site] += 1;
        200
    }
}
