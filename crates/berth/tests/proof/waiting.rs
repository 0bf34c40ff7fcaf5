//! The model's waitlists: who waits, which beds are offered to whom, and what becomes of the offers.

use uuid::Uuid;

use crate::model::{Expected, Model, Phase, Right, Shows};
use crate::play::{HOUR, answer};
use crate::step::{Answering, Form, Version, Who};

/// How long an offer stands at the sites of the test world.
const OFFER_STANDS: i64 = HOUR / 2;
/// How long a bed is left alone after its guest has left, and a decline after it was made.
const LEFT_ALONE: i64 = 10_000;
/// How long an offer that was let pass counts.
const PASSED_COUNTS: i64 = 24 * HOUR;

/// A person on a waitlist.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// From the server's answer: of two people who came in the same millisecond, the one with the smaller id is first.
    pub id: Uuid,
    pub site: usize,
    pub form: Form,
    pub has_priority: bool,
    pub since: i64,
    pub version: i64,
    pub has_ended: bool,
    /// The bed that is offered, and when the offer was made.
    pub offer: Option<(usize, i64)>,
    /// Beds that the person let pass, and when.
    pub passed: Vec<(usize, i64)>,
}

impl Model {
    /// Returns true if the bed is offered to a person on a waitlist.
    pub fn is_offered(&self, bed: usize) -> bool {
        self.waiting_guests.iter().any(|waiting| waiting.offer.is_some_and(|(offered, _)| offered == bed))
    }

    /// Number of offered beds of a site.
    pub fn offered(&self, site: usize) -> usize {
        self.beds_of(site).into_iter().filter(|bed| self.is_offered(*bed)).count()
    }

    /// Vacant beds that are not on offer.
    pub fn free(&self, site: usize) -> usize {
        self.vacant(site) - self.offered(site)
    }

    /// Free beds without those that are due to the people who wait.
    pub fn free_for_newcomer(&self, site: usize) -> usize {
        self.free(site) - self.due(site)
    }

    fn due(&self, site: usize) -> usize {
        let Some(limit) = self.free(site).checked_sub(self.pending(site)) else { return 0 };
        self.next_offers(site, self.free_beds(site, i64::MAX), limit).len()
    }

    /// Free beds whose last guest left by `left_by`, in the order of the board.
    fn free_beds(&self, site: usize, left_by: i64) -> Vec<usize> {
        let mut beds = self.beds_of(site);
        beds.retain(|bed| !self.beds[*bed].disabled && self.holder(*bed).is_none() && !self.is_offered(*bed));
        beds.retain(|bed| self.beds[*bed].left.is_none_or(|left| left <= left_by));
        beds
    }

    fn passed(&self, waiting: usize) -> impl Iterator<Item = usize> {
        let since = self.now - PASSED_COUNTS;
        self.waiting_guests[waiting].passed.iter().filter(move |(_, at)| *at > since).map(|(bed, _)| *bed)
    }

    /// How many offers a person let pass that still count.
    pub fn count_of_passed(&self, waiting: usize) -> usize {
        self.passed(waiting).count()
    }

    /// The people who wait at a site, in the order in which they are asked.
    pub fn line(&self, site: usize) -> Vec<usize> {
        let waits = |waiting: &usize| {
            let waiting = &self.waiting_guests[*waiting];
            waiting.site == site && !waiting.has_ended
        };
        let mut line: Vec<usize> = (0..self.waiting_guests.len()).filter(waits).collect();
        line.sort_by_key(|index| {
            let waiting = &self.waiting_guests[*index];
            (self.count_of_passed(*index), !waiting.has_priority, waiting.since, waiting.id)
        });
        line
    }

    /// Who is offered which of the free beds, at most `limit` of them.
    fn next_offers(&self, site: usize, mut free: Vec<usize>, limit: usize) -> Vec<(usize, usize)> {
        let mut line = self.line(site);
        line.retain(|waiting| self.waiting_guests[*waiting].offer.is_none());
        let mut made = Vec::new();
        for (place, waiting) in line.iter().enumerate() {
            if made.len() == limit {
                break;
            }
            let kind = self.waiting_guests[*waiting].form.kind;
            let suits = |bed: &usize| {
                kind.is_none_or(|kind| kind == self.beds[*bed].kind)
                    && self.passed(*waiting).all(|passed| passed != *bed)
            };
            let suiting: Vec<usize> = free.iter().copied().filter(suits).collect();
            // Rather a bed that nobody later in the line needs.
            let is_spare = |bed: &&usize| {
                line[place + 1..]
                    .iter()
                    .all(|later| self.waiting_guests[*later].form.kind != Some(self.beds[**bed].kind))
            };
            if let Some(bed) = suiting.iter().find(is_spare).or(suiting.first()).copied() {
                free.retain(|other| *other != bed);
                made.push((*waiting, bed));
            }
        }
        made
    }

    fn end_offer(&mut self, waiting: usize, is_passed: bool) {
        let now = self.now;
        let waiting = &mut self.waiting_guests[waiting];
        if let Some((bed, made)) = waiting.offer.take() {
            waiting.version += 1;
            if is_passed {
                waiting.passed.push((bed, now.max(made)));
            }
        }
    }

    /// Withdraws the offers of beds that are disabled or removed.
    pub fn withdraw(&mut self, beds: &[usize]) {
        for waiting in 0..self.waiting_guests.len() {
            if self.waiting_guests[waiting].offer.is_some_and(|(bed, _)| beds.contains(&bed)) {
                self.end_offer(waiting, false);
            }
        }
    }

    /// Ends the offers of a site that are over, and makes new ones. Returns how many.
    fn offer_at(&mut self, site: usize) -> usize {
        let over = |waiting: &usize| {
            let waiting = &self.waiting_guests[*waiting];
            waiting.site == site && waiting.offer.is_some_and(|(_, made)| made + OFFER_STANDS <= self.now)
        };
        let over: Vec<usize> = (0..self.waiting_guests.len()).filter(over).collect();
        for waiting in &over {
            self.end_offer(*waiting, true);
        }
        if self.line(site).iter().all(|waiting| self.waiting_guests[*waiting].offer.is_some()) {
            return over.len();
        }
        let left_by = self.now - LEFT_ALONE;
        let free = self.free_beds(site, left_by);
        if free.is_empty() {
            return over.len();
        }
        self.expire_at(site);
        let is_fresh = |guest: &&crate::model::Guest| {
            guest.site == site && guest.phase == Phase::Declined && !guest.cancelled && guest.ended > left_by
        };
        let declined = self.guests.iter().filter(is_fresh).count();
        let limit = free.len().saturating_sub(self.pending(site) + declined);
        let made = self.next_offers(site, free, limit);
        for (waiting, bed) in &made {
            let waiting = &mut self.waiting_guests[*waiting];
            waiting.offer = Some((*bed, self.now));
            waiting.version += 1;
        }
        over.len() + made.len()
    }

    /// The job that ends and makes offers.
    pub fn offer(&mut self) -> Expected {
        for site in 0..self.versions.len() {
            let before = self.clone();
            if self.offer_at(site) == 0 {
                *self = before;
            } else {
                self.versions[site] += 1;
            }
        }
        answer(0)
    }

    /// Puts a person on the waitlist of a site.
    pub fn join(
        &mut self,
        who: Who,
        (site, person): (usize, u8),
        (kind, has_priority): (Option<&'static str>, bool),
        third: bool,
    ) -> Expected {
        let is_available = self.free_for_newcomer(site) > self.pending(site);
        let suits = |bed: &usize| kind.is_none_or(|kind| kind == self.beds[*bed].kind);
        let form = Form { contact: person, name: person, kind };
        if is_available && self.free_beds(site, i64::MAX).iter().any(suits)
            || !self.may_have_another(who, person, third)
            || self.waits_already(site, form, None)
        {
            return answer(409);
        }
        let since = self.now;
        self.waiting_guests.push(Waiting {
            id: Uuid::nil(),
            site,
            form,
            has_priority,
            since,
            version: 1,
            has_ended: false,
            offer: None,
            passed: Vec::new(),
        });
        self.versions[site] += 1;
        Expected { status: 201, shows: Shows::NewWaiting(self.waiting_guests.len() - 1) }
    }

    /// Returns true if a person whose bed is certain may have another reservation. Hidden ones do not count then.
    fn may_have_another(&self, who: Who, person: u8, third: bool) -> bool {
        let sees = |site: usize| Self::turned_away(who, site, Right::View).is_none();
        let visible = self.active(person, false).iter().filter(|(site, _)| sees(*site)).count();
        visible <= 1 || visible == 2 && third
    }

    /// Returns true if somebody with the phone and the name of the form waits at the site, other than `except`.
    fn waits_already(&self, site: usize, form: Form, except: Option<usize>) -> bool {
        let others = self.line(site).into_iter().filter(|waiting| Some(*waiting) != except);
        let mut others = others.map(|waiting| self.waiting_guests[waiting].form);
        others.any(|other| (other.contact, other.name) == (form.contact, form.name))
    }

    fn is_stale(&self, waiting: usize, version: Version) -> bool {
        version != Version::Seen(self.waiting_guests[waiting].version)
    }

    /// What happens to a person on the waitlist, except for taking the offered bed.
    pub fn answer_offer(&mut self, waiting: usize, how: Answering, version: Version) -> Expected {
        let Waiting { site, has_ended, offer, .. } = self.waiting_guests[waiting];
        if has_ended || how == Answering::Decline && offer.is_none() {
            return answer(409);
        }
        if self.is_stale(waiting, version) {
            return answer(412);
        }
        match how {
            Answering::Decline => self.end_offer(waiting, true),
            Answering::Leave => {
                self.end_offer(waiting, false);
                self.waiting_guests[waiting].has_ended = true;
                self.waiting_guests[waiting].version += 1;
            }
            Answering::Prioritize(has_priority) => {
                self.waiting_guests[waiting].has_priority = has_priority;
                self.waiting_guests[waiting].version += 1;
            }
        }
        self.offer_at(site);
        self.versions[site] += 1;
        answer(204)
    }

    /// Replaces the form of a person on the waitlist, who keeps the place. The offer of a bed that does not fit any more is withdrawn.
    pub fn edit_form(&mut self, who: Who, waiting: usize, form: Form, third: bool, version: Version) -> Expected {
        let Waiting { site, form: before, has_ended, offer, .. } = self.waiting_guests[waiting];
        if has_ended {
            return answer(409);
        }
        if form == before {
            return Expected { status: 204, shows: Shows::Unchanged };
        }
        if self.is_stale(waiting, version) {
            return answer(412);
        }
        let is_other_person = form.contact != before.contact;
        if is_other_person && !self.may_have_another(who, form.contact, third)
            || self.waits_already(site, form, Some(waiting))
        {
            return answer(409);
        }
        self.waiting_guests[waiting].form = form;
        self.waiting_guests[waiting].version += 1;
        if let Some((bed, _)) = offer
            && form.kind.is_some_and(|kind| kind != self.beds[bed].kind)
        {
            self.end_offer(waiting, false);
        }
        self.offer_at(site);
        self.versions[site] += 1;
        answer(204)
    }

    /// The person takes the offered bed and becomes a guest in it.
    pub fn take_offer(&mut self, who: Who, waiting: usize, third: bool, version: Version) -> Expected {
        let Waiting { site, form, has_ended, offer, .. } = self.waiting_guests[waiting];
        let person = form.contact;
        let Some((bed, _)) = offer.filter(|_| !has_ended) else { return answer(409) };
        if self.is_stale(waiting, version) {
            return answer(412);
        }
        self.expire_concerned(site, person);
        if !self.may_have_another(who, person, third) {
            return answer(409);
        }
        let visible = self.active(person, false).into_iter().map(|(site, _)| site);
        let visible = visible.filter(|site| Self::turned_away(who, *site, Right::View).is_none()).count();
        self.end_offer(waiting, false);
        self.waiting_guests[waiting].has_ended = true;
        self.waiting_guests[waiting].version += 1;
        let guest = self.add_guest(site, person, Some(who), [third && visible == 2, false]);
        let now = self.now;
        let placed = &mut self.guests[guest];
        placed.phase = Phase::InBed(bed);
        (placed.accepted, placed.began, placed.accepted_by, placed.version) = (now, now, Some(who), 2);
        self.versions[site] += 1;
        Expected { status: 201, shows: Shows::Guest(guest, true) }
    }
}
