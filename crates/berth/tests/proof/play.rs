//! The model takes one step and returns the expected answer: reservations, reads, jobs and the clock.

use crate::model::{Asked, Expected, Guest, Kept, KeyOwner, Model, Phase, Right, Shows};
use crate::step::{Step, Who};

/// One hour, in milliseconds.
pub const HOUR: i64 = 3_600_000;
/// How long a reservation from the public side is held in the test world.
const HOLD: i64 = 24 * HOUR;
/// How long a code of the public side is valid.
const CODE_LIFE: i64 = HOUR / 6;
/// Sessions of the test world end after a thousand hours, so the clock stays below that.
const LATEST: i64 = 950 * HOUR;

/// An answer with only a status.
pub const fn answer(status: u16) -> Expected {
    Expected { status, shows: Shows::Nothing }
}

impl Model {
    /// Plays a step; `asked` is the request as text, `number` the number of its answer.
    pub fn play(&mut self, step: &Step, asked: &str, number: usize) -> Expected {
        match *step {
            Step::Add { who, site, person, third, over, key } => {
                let third_refused = || third.then(|| Self::turned_away(who, site, Right::Third)).flatten();
                let over_refused = || over.then(|| Self::turned_away(who, site, Right::Over)).flatten();
                let place_refused = Self::turned_away(who, site, Right::Place);
                if let Some(status) = place_refused.or_else(third_refused).or_else(over_refused) {
                    return answer(status);
                }
                self.once(KeyOwner::User(who), key, asked, number, |model| {
                    model.reserve(site, person, Some(who), third, over)
                })
            }
            Step::Reserve { site, .. } if site >= 2 => answer(404),
            Step::Reserve { site, person, key } => {
                self.once(KeyOwner::Phone(person), key, asked, number, |model| model.ask(site, person))
            }
            Step::Confirm { asked: which, right, key } => {
                let known = self.asked(which);
                let is_right = known.is_some_and(|known| self.try_code(known) && right && self.asked[known].sent);
                self.once(KeyOwner::Request(known), key, asked, number, |model| match known.filter(|_| is_right) {
                    Some(known) => model.confirm(known),
                    None => answer(422),
                })
            }
            Step::Cancel { guest } => self.guest(guest).map_or_else(|| answer(0), |guest| self.cancel(guest)),
            Step::Place { who, guest, how, bed, version, key, .. } => {
                let Some(guest) = self.guest(guest) else { return unknown(who) };
                let site = self.guests[guest].site;
                if let Some(status) = Self::turned_away(who, site, Right::Place) {
                    return answer(status);
                }
                let bed = self.bed(bed);
                self.once(KeyOwner::User(who), key, asked, number, |model| {
                    model.command(who, guest, (how, bed), version)
                })
            }
            Step::Merge { who, kept, duplicate, version, .. } => {
                let Some(kept) = self.guest(kept) else { return unknown(who) };
                if let Some(status) = Self::turned_away(who, self.guests[kept].site, Right::Undo) {
                    return answer(status);
                }
                let Some(duplicate) = self.guest(duplicate) else { return answer(422) };
                let site = self.guests[duplicate].site;
                match Self::turned_away(who, site, Right::Undo) {
                    Some(404) => answer(422),
                    Some(status) => answer(status),
                    None if duplicate == kept || site != self.guests[kept].site => answer(422),
                    None => self.merge(kept, duplicate, version),
                }
            }
            Step::Unmerge { who, guest, version, .. } => {
                let Some(guest) = self.guest(guest) else { return unknown(who) };
                match Self::turned_away(who, self.guests[guest].site, Right::Undo) {
                    Some(status) => answer(status),
                    None => self.unmerge(who, guest, version),
                }
            }
            Step::Join { who, site, person, kind, priority, third, key } => {
                let third_refused = || third.then(|| Self::turned_away(who, site, Right::Third)).flatten();
                if let Some(status) = Self::turned_away(who, site, Right::Place).or_else(third_refused) {
                    return answer(status);
                }
                let joins = |model: &mut Self| model.join(who, (site, person), (kind, priority), third);
                self.once(KeyOwner::User(who), key, asked, number, joins)
            }
            Step::Take { who, waiting, third, version, key, .. } => {
                let Some(waiting) = self.waiting_guest(waiting) else { return unknown(who) };
                let site = self.waiting_guests[waiting].site;
                let third_refused = || third.then(|| Self::turned_away(who, site, Right::Third)).flatten();
                if let Some(status) = Self::turned_away(who, site, Right::Place).or_else(third_refused) {
                    return answer(status);
                }
                let takes = |model: &mut Self| model.take_offer(who, waiting, third, version);
                self.once(KeyOwner::User(who), key, asked, number, takes)
            }
            Step::Answer { who, waiting, how, version, key, .. } => {
                let Some(waiting) = self.waiting_guest(waiting) else { return unknown(who) };
                if let Some(status) = Self::turned_away(who, self.waiting_guests[waiting].site, Right::Place) {
                    return answer(status);
                }
                self.once(KeyOwner::User(who), key, asked, number, |model| model.answer_offer(waiting, how, version))
            }
            Step::Edit { who, waiting, edit, third, version, key, .. } => {
                let form = self.form_after(waiting, edit);
                let Some(waiting) = self.waiting_guest(waiting) else { return unknown(who) };
                let site = self.waiting_guests[waiting].site;
                let third_refused = || third.then(|| Self::turned_away(who, site, Right::Third)).flatten();
                if let Some(status) = Self::turned_away(who, site, Right::Place).or_else(third_refused) {
                    return answer(status);
                }
                let edits = |model: &mut Self| model.edit_form(who, waiting, form, third, version);
                self.once(KeyOwner::User(who), key, asked, number, edits)
            }
            Step::Form { who, waiting } => {
                let Some(waiting) = self.waiting_guest(waiting) else { return unknown(who) };
                let known = &self.waiting_guests[waiting];
                match Self::turned_away(who, known.site, Right::Contact) {
                    Some(status) => answer(status),
                    None if known.has_ended => answer(409),
                    None => Expected { status: 200, shows: Shows::Form(waiting) },
                }
            }
            Step::Waitlist { who, site } => Self::view(who, site, Shows::Waitlist(site, Self::sees_contact(who, site))),
            Step::Misspell { who, guest } => {
                let Some(guest) = self.guest(guest) else { return unknown(who) };
                answer(Self::turned_away(who, self.guests[guest].site, Right::Place).unwrap_or(422))
            }
            Step::Read { who, guest } => {
                let Some(guest) = self.guest(guest) else { return unknown(who) };
                let site = self.guests[guest].site;
                Self::view(who, site, Shows::Guest(guest, Self::sees_contact(who, site)))
            }
            Step::Board { who, site } => {
                let shown = self.sorted(site, &["pending", "accepted", "reassigned"]);
                Self::view(who, site, Shows::Guests(shown, Self::sees_contact(who, site)))
            }
            Step::History { who, site, states } => {
                Self::view(who, site, Shows::Guests(self.history(site, states.0), Self::sees_contact(who, site)))
            }
            Step::Beds { who, site } => Self::view(who, site, Shows::Beds(site)),
            Step::Details { who, site } => Self::view(who, site, Shows::Counts(site)),
            Step::Bed { who, bed } => {
                let Some(bed) = self.bed(bed).filter(|bed| !self.beds[*bed].deleted) else { return unknown(who) };
                Self::view(who, self.site_of(bed), Shows::Bed(bed))
            }
            Step::Public { site } if site >= 2 => answer(404),
            Step::Public { site } => Expected { status: 200, shows: Shows::Public(site) },
            Step::AddBeds { who, room, count } => self.add_beds(who, room, count),
            Step::SetBed { who, bed, name, disabled, kind } => self.set_bed(who, bed, name, disabled, kind),
            Step::RemoveBed { who, bed } => self.remove_bed(who, bed),
            Step::AddRoom { who, site, name } => self.add_room(who, site, name),
            Step::RenameRoom { who, room, name } => self.rename_room(who, room, name),
            Step::RemoveRoom { who, room } => self.remove_room(who, room),
            Step::Again => answer(0),
            Step::Pay { active } => {
                self.paid = active;
                self.versions[0] += 1;
                answer(0)
            }
            Step::Wait { minutes } => self.turn_clock(self.now + i64::from(minutes) * 60_000),
            Step::Pause { seconds } => self.turn_clock(self.now + i64::from(seconds) * 1000),
            Step::ToHoldEnd { guest, offset } => {
                let end = self.guest(guest).and_then(|guest| self.guests[guest].expires);
                self.turn_clock(end.unwrap_or(self.now) + i64::from(offset))
            }
            Step::ExpireHolds => self.expire(),
            Step::OfferBeds => self.offer(),
            Step::CleanUp => {
                let now = self.now;
                self.keys.retain(|_, kept| kept.at > now - 24 * HOUR);
                self.waiting.forget(now);
                self.codes.iter_mut().chain(&mut self.codes_a_day).for_each(|limit| limit.forget(now));
                self.asked.iter_mut().filter(|asked| asked.expires <= now).for_each(|asked| asked.gone = true);
                answer(0)
            }
            Step::Send => answer(0),
        }
    }

    fn turn_clock(&mut self, to: i64) -> Expected {
        self.now = to.clamp(-48 * HOUR, LATEST);
        answer(0)
    }

    fn view(who: Who, site: usize, shows: Shows) -> Expected {
        Self::turned_away(who, site, Right::View).map_or(Expected { status: 200, shows }, answer)
    }

    /// Does something once per key. A refusal does not use the key, nor does a request that changes nothing.
    fn once(
        &mut self,
        owner: KeyOwner,
        key: Option<u8>,
        asked: &str,
        number: usize,
        deed: impl FnOnce(&mut Self) -> Expected,
    ) -> Expected {
        if let Some(kept) = key.and_then(|key| self.keys.get(&(owner, key))) {
            if kept.asked != asked {
                return answer(422);
            }
            // The answer about a person who no longer waits is erased.
            let is_erased = kept.waiting.is_some_and(|waiting| self.waiting_guests[waiting].has_ended);
            let earlier = Expected { status: kept.status, shows: Shows::Earlier(kept.number) };
            return if is_erased { answer(409) } else { earlier };
        }
        let expected = deed(self);
        if let Some(key) = key.filter(|_| expected.status < 300 && expected.shows != Shows::Unchanged) {
            let waiting = match expected.shows {
                Shows::NewWaiting(waiting) => Some(waiting),
                _ => None,
            };
            let kept = Kept { asked: asked.to_owned(), number, status: expected.status, at: self.now, waiting };
            self.keys.insert((owner, key), kept);
        }
        expected
    }

    /// A public request: it holds nothing, and the answer depends only on the site.
    fn ask(&mut self, site: usize, person: u8) -> Expected {
        // A refused request is not counted.
        let mut waiting = self.waiting;
        if waiting.refuses(self.now) {
            return answer(429);
        }
        if self.free_for_newcomer(site) <= self.pending(site) {
            return answer(409);
        }
        self.waiting = waiting;
        let (hour, day) = (&mut self.codes[usize::from(person)], &mut self.codes_a_day[usize::from(person)]);
        let mut sent = !hour.refuses(self.now);
        if sent && day.refuses(self.now) {
            hour.give_back();
            sent = false;
        }
        let expires = self.now + CODE_LIFE;
        self.asked.push(Asked { site, person, expires, sent, tries: 0, gone: false });
        Expected { status: 202, shows: Shows::Asked(self.asked.len() - 1) }
    }

    /// Counts an attempt at a code. Returns true if the code is checked.
    fn try_code(&mut self, known: usize) -> bool {
        let now = self.now;
        let asked = &mut self.asked[known];
        let looked_at = !asked.gone && asked.expires > now && asked.tries < 5;
        asked.tries += u8::from(looked_at);
        looked_at
    }

    fn confirm(&mut self, known: usize) -> Expected {
        let Asked { site, person, .. } = self.asked[known];
        let expected = self.reserve(site, person, None, false, false);
        if expected.status == 201 {
            self.asked[known].gone = true;
            self.waiting.give_back();
        }
        expected
    }

    /// Adds a guest by a signed-in user, or from the public side if `by` is none.
    fn reserve(&mut self, site: usize, person: u8, by: Option<Who>, third: bool, over: bool) -> Expected {
        let web = by.is_none();
        self.expire_concerned(site, person);
        let active = self.active(person, web);
        let sees = |site: usize| by.is_some_and(|who| Self::turned_away(who, site, Right::View).is_none());
        let visible = active.iter().filter(|(site, _)| sees(*site)).count();
        let all = active.iter().filter(|(site, is_proved)| *is_proved || sees(*site)).count();
        let free = self.free_for_newcomer(site);
        let full = free <= self.pending(site) && !(over && free > 0);
        let allowed = if visible == 2 && third { 2 } else { 1 };
        if full || visible > allowed || all > allowed && !over {
            return answer(409);
        }
        let guest = self.add_guest(site, person, by, [third && visible == 2, over]);
        self.versions[site] += 1;
        let shows = if web { Shows::Reservation(guest) } else { Shows::Guest(guest, true) };
        Expected { status: 201, shows }
    }

    /// Adds a pending guest. `allowed`: with an override as a third reservation, and over capacity.
    pub fn add_guest(&mut self, site: usize, person: u8, by: Option<Who>, allowed: [bool; 2]) -> usize {
        let web = by.is_none();
        self.guests.push(Guest {
            site,
            person,
            web,
            created: self.now,
            expires: web.then_some(self.now + HOLD),
            accepted: 0,
            accepted_by: None,
            returned: false,
            paused: false,
            began: 0,
            ended: 0,
            cancelled: false,
            kept: None,
            ended_by_merge: false,
            ended_by: None,
            allowed,
            expired: false,
            phase: Phase::Waiting,
            moved: false,
            arrived: None,
            no_show: false,
            version: 1,
        });
        self.guests.len() - 1
    }

    /// Records ended holds before a reservation of a person at a site, if one of them concerns it.
    pub fn expire_concerned(&mut self, site: usize, person: u8) {
        let concerns = |guest: &Guest| guest.site == site || guest.person == person;
        if self.overdue().into_iter().any(|guest| concerns(&self.guests[guest])) {
            self.expire();
        }
    }

    fn expire(&mut self) -> Expected {
        let mut sites: Vec<usize> = self.overdue().iter().map(|guest| self.guests[*guest].site).collect();
        sites.sort_unstable();
        sites.dedup();
        for site in sites {
            self.expire_at(site);
            self.versions[site] += 1;
        }
        answer(0)
    }

    /// Guests whose hold has ended but is not recorded as expired.
    pub fn overdue(&self) -> Vec<usize> {
        let is_over = |guest: &usize| self.status(*guest) == "expired" && !self.guests[*guest].expired;
        (0..self.guests.len()).filter(is_over).collect()
    }

    /// Records the ended holds of a site, so that a bed they freed stays free.
    pub fn expire_at(&mut self, site: usize) {
        for guest in self.overdue() {
            if self.guests[guest].site == site {
                self.guests[guest].expired = true;
                self.guests[guest].version += 1;
            }
        }
    }
}

/// The answer about something that does not exist.
pub fn unknown(who: Who) -> Expected {
    answer(if matches!(who, Who::Nobody | Who::FirstStep) { 401 } else { 404 })
}
