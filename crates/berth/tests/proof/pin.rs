//! Which guests, beds and people on a waitlist the numbers of a step mean.

use crate::model::{Model, Phase};
use crate::step::{Answering, Edit, Form, Move, Step, Version};

impl Model {
    /// The guest for a number; none means an unknown id.
    pub fn guest(&self, number: u8) -> Option<usize> {
        pick(number, self.guests.len())
    }

    /// The guest from the public side for a number.
    pub fn web_guest(&self, number: u8) -> Option<usize> {
        let web: Vec<usize> = (0..self.guests.len()).filter(|guest| self.guests[*guest].web).collect();
        pick(number, web.len()).map(|place| web[place])
    }

    /// The public request for a number.
    pub fn asked(&self, number: u8) -> Option<usize> {
        pick(number, self.asked.len())
    }

    /// The person on a waitlist for a number.
    pub fn waiting_guest(&self, number: u8) -> Option<usize> {
        pick(number, self.waiting_guests.len())
    }

    /// The bed for a number.
    pub fn bed(&self, number: u8) -> Option<usize> {
        pick(number, self.beds.len())
    }

    /// The house for a number.
    pub fn room(&self, number: u8) -> Option<usize> {
        pick(number, self.rooms.len())
    }

    /// The version that a command names.
    pub fn version(&self, guest: u8, version: Version) -> Option<i64> {
        let current = self.guest(guest).map_or(1, |guest| self.guests[guest].version);
        match version {
            Version::None => None,
            Version::Current => Some(current),
            Version::Stale => Some(current - 1),
            Version::Seen(seen) => Some(seen),
        }
    }

    /// A guest and a bed for which the move is possible.
    fn aim(&self, how: Move, guest: u8, bed: u8) -> Option<(Option<usize>, Option<usize>)> {
        let waits = matches!(how, Move::Accept | Move::Decline);
        let suits = |guest: &usize| match (how, self.guests[*guest].phase) {
            (Move::Undo, Phase::InBed(_)) => self.now - self.guests[*guest].accepted <= 10_000,
            (Move::Undo, phase) => matches!(phase, Phase::Declined | Phase::Left(_)),
            _ if waits => self.status(*guest) == "pending",
            (_, phase) => matches!(phase, Phase::InBed(_)),
        };
        let guests: Vec<usize> = (0..self.guests.len()).filter(suits).collect();
        let guest = guests[pick(guest, guests.len())?];
        let mut beds = self.beds_of(self.guests[guest].site);
        beds.retain(|bed| self.holder(*bed).is_some() == (how == Move::Swap) && !self.beds[*bed].disabled);
        Some((Some(guest), pick(bed, beds.len()).map(|bed| beds[bed])))
    }

    /// Two guests of a site, the second of whom can be merged into the first.
    fn aim_merge(&self, kept: u8, duplicate: u8) -> Option<(usize, usize)> {
        let free = |guest: &usize| self.guests[*guest].kept.is_none();
        let has_bed = |guest: usize| matches!(self.guests[guest].phase, Phase::InBed(_));
        let duplicates: Vec<usize> =
            (0..self.guests.len()).filter(free).filter(|guest| !has_bed(*guest) && !self.has_merged(*guest)).collect();
        let duplicate = duplicates[pick(duplicate, duplicates.len())?];
        let ends = self.status(duplicate) == "pending";
        let is_active = |guest: &usize| has_bed(*guest) || self.status(*guest) == "pending";
        let of_site = |guest: &usize| *guest != duplicate && self.guests[*guest].site == self.guests[duplicate].site;
        let others: Vec<usize> =
            (0..self.guests.len()).filter(free).filter(of_site).filter(|guest| !ends || is_active(guest)).collect();
        Some((others[pick(kept, others.len())?], duplicate))
    }

    /// A person on a waitlist who waits and, if it is about an offer, has one.
    fn aim_waiting(&self, waiting: u8, needs_offer: bool) -> Option<usize> {
        let suits = |index: &usize| {
            let waiting = &self.waiting_guests[*index];
            !waiting.has_ended && (waiting.offer.is_some() || !needs_offer)
        };
        let suiting: Vec<usize> = (0..self.waiting_guests.len()).filter(suits).collect();
        pick(waiting, suiting.len()).map(|place| suiting[place])
    }

    /// The version of a person on a waitlist that a command names.
    pub fn version_of_waiting(&self, waiting: u8, version: Version) -> i64 {
        let current = self.waiting_guest(waiting).map_or(1, |waiting| self.waiting_guests[waiting].version);
        match version {
            Version::Seen(seen) => seen,
            Version::Stale => current - 1,
            Version::None | Version::Current => current,
        }
    }

    /// The form of a person on a waitlist after an edit.
    pub fn form_after(&self, waiting: u8, edit: Edit) -> Form {
        let form = self.waiting_guest(waiting).map_or(Form::default(), |waiting| self.waiting_guests[waiting].form);
        match edit {
            Edit::Nothing => form,
            Edit::Contact(contact) => Form { contact, ..form },
            Edit::Name(name) => Form { name, ..form },
            Edit::Kind(kind) => Form { kind, ..form },
            Edit::All(form) => form,
        }
    }

    /// The step with its current numbers and version, so that it means the same later.
    pub fn pin(&self, step: &Step) -> Step {
        let index = |found: Option<usize>| found.and_then(|index| u8::try_from(index).ok()).unwrap_or(u8::MAX);
        let mut pinned = step.clone();
        if let Step::Place { guest, bed, version, how, aimed, .. } = &mut pinned {
            let found = self.aim(*how, *guest, *bed).filter(|_| *aimed);
            let (whom, place) = found.unwrap_or((self.guest(*guest), self.bed(*bed)));
            (*guest, *bed) = (index(whom), index(place));
            *version = self.version(*guest, *version).map_or(Version::None, Version::Seen);
            *aimed = false;
        }
        if let Step::Merge { kept, duplicate, version, aimed, .. } = &mut pinned {
            let found = self.aim_merge(*kept, *duplicate).filter(|_| *aimed);
            let pair =
                found.map_or((self.guest(*kept), self.guest(*duplicate)), |(kept, other)| (Some(kept), Some(other)));
            (*kept, *duplicate) = (index(pair.0), index(pair.1));
            *version = self.version(*duplicate, *version).map_or(Version::None, Version::Seen);
            *aimed = false;
        }
        if let Step::Unmerge { guest, version, aimed, .. } = &mut pinned {
            let merged: Vec<usize> =
                (0..self.guests.len()).filter(|guest| self.guests[*guest].kept.is_some()).collect();
            let found = pick(*guest, merged.len()).map(|place| merged[place]).filter(|_| *aimed);
            *guest = index(found.or(self.guest(*guest)));
            *version = self.version(*guest, *version).map_or(Version::None, Version::Seen);
            *aimed = false;
        }
        let needs_offer = !matches!(step, Step::Answer { how: Answering::Leave | Answering::Prioritize(_), .. });
        if let Step::Take { waiting, version, aimed, .. } | Step::Answer { waiting, version, aimed, .. } = &mut pinned {
            let found = self.aim_waiting(*waiting, needs_offer).filter(|_| *aimed);
            *waiting = index(found.or(self.waiting_guest(*waiting)));
            *version = Version::Seen(self.version_of_waiting(*waiting, *version));
            *aimed = false;
        }
        if let Step::Edit { waiting, edit, version, aimed, .. } = &mut pinned {
            let with_offer = self.aim_waiting(*waiting, true).filter(|_| matches!(edit, Edit::Kind(_)));
            let found = with_offer.or(self.aim_waiting(*waiting, false)).filter(|_| *aimed);
            *waiting = index(found.or(self.waiting_guest(*waiting)));
            *version = Version::Seen(self.version_of_waiting(*waiting, *version));
            *edit = Edit::All(self.form_after(*waiting, *edit));
            *aimed = false;
        }
        if let Step::Cancel { guest } = &mut pinned {
            *guest = index(self.web_guest(*guest));
        }
        if let Step::Confirm { asked, .. } = &mut pinned {
            *asked = index(self.asked(*asked));
        }
        pinned
    }
}

/// Maps a number to one of the existing items. Large numbers mean an unknown id.
fn pick(number: u8, count: usize) -> Option<usize> {
    if number >= 250 || count == 0 { None } else { Some(usize::from(number) % count) }
}
