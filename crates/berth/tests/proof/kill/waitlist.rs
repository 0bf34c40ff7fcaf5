//! The waitlist: three people are put on it, the phone of the first is corrected, and a bed is added. The first person leaves. The
//! second is offered the bed, and declines it or needs another type. The third gets another phone and takes it. The job may offer
//! the new bed at any moment; after the next change of the waitlist it is offered in any case.

use serde_json::{Value, json};

use super::journal::{Journal, KnownPerson, Offer};
use super::writer::Script;
use crate::client::Shot;
use crate::{steps, world};

/// These people have their own phones, because some of them become guests and stay.
const FIRST_PHONES: [usize; 2] = [4000, 6000];
/// Number of people for each new bed.
const PEOPLE: usize = 3;
/// A type of which the site has no bed.
const OTHER_KIND: &str = "Sober Living";

/// The next change.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Put the next person on the list.
    Wait,
    /// The person at this place gets another phone, and keeps an offer.
    Correct(usize),
    AddBed,
    /// The first person, for whom no bed fits, leaves the list. The second person is offered the bed, unless the job was faster.
    Leave,
    /// The second person declines, so the third is offered the bed.
    Decline,
    /// The second person needs another type of bed, so the third is offered the bed.
    ChangeType,
    /// The third person becomes a guest in the bed, and stays.
    Take,
    /// The second person leaves the list.
    LeaveToo,
}

/// The people who wait at Open Door for beds of one type. The site has no others of it than those added for them, and no Sober Living bed.
pub struct Waitlist {
    first_phone: usize,
    kind: &'static str,
    /// Number of acknowledged changes.
    done: usize,
}

impl Waitlist {
    /// The people who wait for Detox beds and those who wait for Treatment beds.
    pub fn of_each_kind() -> impl Iterator<Item = Self> {
        let kinds = ["Detox", "Treatment"].into_iter().zip(FIRST_PHONES);
        kinds.map(|(kind, first_phone)| Self { first_phone, kind, done: 0 })
    }

    const STEPS: [Step; 10] = [
        Step::Wait,
        Step::Wait,
        Step::Wait,
        Step::Correct(0),
        Step::AddBed,
        Step::Leave,
        Step::Decline,
        Step::Correct(2),
        Step::Take,
        Step::LeaveToo,
    ];

    const fn step(&self) -> Step {
        let is_odd_round = self.done / Self::STEPS.len() % 2 == 1;
        match Self::STEPS[self.done % Self::STEPS.len()] {
            Step::Decline if is_odd_round => Step::ChangeType,
            step => step,
        }
    }

    /// Edits the form of the `number`-th person, who is known.
    fn edit(&self, number: usize, person: &KnownPerson, phone: &str, kind: &str) -> Shot {
        let mut guest = steps::form(world::OPEN_DOOR, self.first_phone + number);
        guest["phone"] = json!(phone);
        let body = json!({"guest": guest, "bedType": kind, "version": person.version});
        Shot::new("PUT", format!("/api/Waitlist/{}", person.id), world::ADMIN, body)
    }

    fn kind_of(&self, number: usize) -> &'static str {
        if number.is_multiple_of(PEOPLE) { OTHER_KIND } else { self.kind }
    }
}

/// The phone that a person has after the correction: the same number in another area.
fn corrected(phone: &str) -> String {
    phone.replace("+1714", "+1657")
}

impl Script for Waitlist {
    fn subject(&self) -> &'static str {
        "waitlist"
    }

    fn next(&self, journal: &Journal) -> Shot {
        let count = journal.people.len();
        let person = |place: usize| &journal.people[count - PEOPLE + place];
        let answer = |place: usize, command: &str| {
            let body = json!({"command": command, "version": person(place).version});
            Shot::new("PATCH", format!("/api/Waitlist/{}", person(place).id), world::ADMIN, body)
        };
        match self.step() {
            Step::Wait => {
                // Priority keeps the second person before the third.
                let reason = (count % PEOPLE == 1).then_some("Called twice.");
                let guest = steps::form(world::OPEN_DOOR, self.first_phone + count);
                let body = json!({"guest": guest, "bedType": self.kind_of(count), "priorityReason": reason});
                Shot::new("POST", format!("/api/Sites/{}/waitlist", world::OPEN_DOOR), world::ADMIN, body)
            }
            Step::Correct(place) => {
                let known = person(place);
                self.edit(count - PEOPLE + place, known, &corrected(&known.phone), known.kind)
            }
            Step::AddBed => {
                let body = json!({"roomId": world::OPEN_ROOM, "type": self.kind, "count": 1});
                Shot::new("POST", "/api/Beds", world::OWNER_FREE, body)
            }
            Step::Leave => answer(0, "LEAVE"),
            Step::Decline => answer(1, "DECLINE"),
            Step::ChangeType => self.edit(count - PEOPLE + 1, person(1), &person(1).phone, OTHER_KIND),
            Step::Take => {
                let path = format!("/api/Waitlist/{}/take", person(2).id);
                Shot::new("POST", path, world::ADMIN, json!({"version": person(2).version}))
            }
            Step::LeaveToo => answer(1, "LEAVE"),
        }
    }

    fn note(&mut self, body: &Value, journal: &mut Journal) -> Result<(), String> {
        let step = self.step();
        self.done += 1;
        let id = body["id"].as_str().unwrap_or_default().to_owned();
        if matches!(step, Step::Wait) {
            let number = journal.people.len();
            let (phone, kind) = (steps::phone(self.first_phone + number), self.kind_of(number));
            let (version, offer, outcome, guest) = (1, Offer::None, None, None);
            journal.people.push(KnownPerson { id, version, phone, kind, offer, outcome, guest });
            return Ok(());
        }
        if matches!(step, Step::Take) {
            journal.record(body)?;
        }
        let [.., first, second, third] = journal.people.as_mut_slice() else { return Err("nobody waits".to_owned()) };
        let leave = |person: &mut KnownPerson| {
            person.version += 1;
            person.outcome = Some("left");
        };
        let offer = |person: &mut KnownPerson, offer: Offer| {
            person.version += 1;
            person.offer = offer;
        };
        match step {
            Step::Wait => {}
            Step::Correct(place) => {
                let person = if place == 0 { first } else { third };
                person.phone = corrected(&person.phone);
                person.version += 1;
            }
            Step::AddBed => {
                journal.beds += 1;
                second.offer = Offer::Due;
            }
            Step::Leave => {
                leave(first);
                offer(second, Offer::Open);
            }
            Step::Decline => {
                offer(second, Offer::Declined);
                offer(third, Offer::Open);
            }
            Step::ChangeType => {
                // The edit and the end of the offer raise the version.
                offer(second, Offer::Withdrawn);
                second.version += 1;
                second.kind = OTHER_KIND;
                offer(third, Offer::Open);
            }
            Step::Take => {
                // The end of the offer and that of the wait raise the version.
                offer(third, Offer::Taken);
                third.version += 1;
                (third.outcome, third.guest) = (Some("placed"), Some(id));
            }
            Step::LeaveToo => leave(second),
        }
        Ok(())
    }
}
