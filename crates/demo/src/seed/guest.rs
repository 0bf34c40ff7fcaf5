//! The persons and reservations of one site.

use std::collections::VecDeque;

use berth_domain::catalog::{AgeGroup, Gender, ServiceCategory};
use berth_domain::guest::Source;
use berth_domain::id::{GuestId, UserId};
use berth_domain::new_guest::reservation_code;
use berth_domain::time::Timestamp;

use super::places::{Organization, Site};
use super::rows::GuestRow;
use crate::dice::Dice;
use crate::words::{INITIALS, TOWNS, first_name, gender, phone};

/// A person, who may have several reservations.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub(super) gender: Gender,
    pub(super) age: AgeGroup,
    pub(super) first_name: &'static str,
    pub(super) last_initial: &'static str,
    pub(super) email: String,
    /// Number of the phone, for [`crate::words::phone`].
    pub(super) phone: usize,
}

/// The free phone numbers and the former guests of a site. A phone number belongs to one person at a time: two active
/// guests with the same number are the same person.
pub(super) struct Persons {
    free: VecDeque<usize>,
    former: Vec<Person>,
}

/// Number of former guests who may return.
const FORMER: usize = 32;

/// Returns the number of phones that a site needs: more than it can have active guests.
pub(super) const fn phones_needed(beds: usize) -> usize {
    beds + beds / 4 + 2
}

impl Persons {
    pub(super) fn new(first_phone: usize, beds: usize) -> Self {
        Self { free: (first_phone..first_phone + phones_needed(beds)).collect(), former: Vec::new() }
    }

    /// Returns a new person, or a former guest, with a phone number that is free.
    pub(super) fn arrive(&mut self, number: u64, dice: &mut Dice) -> Person {
        let phone = self.free.pop_front().unwrap_or_default();
        if self.former.len() > 4 && dice.chance(12) {
            let person = self.former.swap_remove(dice.below(self.former.len()));
            return Person { phone, ..person };
        }
        let gender = gender(dice);
        let age = *dice.pick(&[AgeGroup::From18To26, AgeGroup::Over27, AgeGroup::Over27, AgeGroup::Under18]);
        let first_name = first_name(gender, dice);
        let last_initial = *dice.pick(&INITIALS);
        let mut email = format!("{first_name}.{last_initial}{number}@mail.example");
        email.make_ascii_lowercase();
        Person { gender, age, first_name, last_initial, email, phone }
    }

    /// Frees the phone number of a person without active reservations.
    pub(super) fn leave(&mut self, person: Person) {
        self.free.push_back(person.phone);
        if self.former.len() < FORMER {
            self.former.push(person);
        }
    }
}

/// Returns the code of the guest with this number. Codes are unique and do not look consecutive.
pub(super) fn code(number: u64) -> String {
    // 28^6, and a factor that shares no divisor with it.
    const CODES: u64 = 481_890_304;
    const FACTOR: u64 = 290_182_597;
    reservation_code((number.wrapping_mul(FACTOR) % CODES).to_le_bytes())
}

/// The site that guests come to, with the services it offers by category.
pub(super) struct Host<'a> {
    pub(super) site: &'a Site,
    pub(super) organization: &'a Organization,
    general: Vec<&'static str>,
    special: Vec<&'static str>,
    client: Vec<&'static str>,
}

impl<'a> Host<'a> {
    pub(super) fn new(site: &'a Site, organization: &'a Organization) -> Self {
        let of = |category: ServiceCategory| {
            let offered = site.services.iter().filter(|service| service.category == category);
            offered.map(|service| service.id).collect()
        };
        Self {
            site,
            organization,
            general: of(ServiceCategory::General),
            special: of(ServiceCategory::Disability),
            client: of(ServiceCategory::Client),
        }
    }

    /// Draws the services that a guest needs, without duplicates; at least one is general.
    pub(super) fn services(&self, dice: &mut Dice) -> Vec<&'static str> {
        let first = dice.below(self.general.len());
        let mut chosen = vec![self.general[first]];
        if self.general.len() > 1 && dice.chance(40) {
            chosen.push(self.general[(first + 1 + dice.below(self.general.len() - 1)) % self.general.len()]);
        }
        if dice.chance(10) {
            chosen.push(*dice.pick(&self.special));
        }
        chosen
    }

    /// Makes a pending reservation.
    pub(super) fn reservation(
        &self,
        number: u64,
        person: &Person,
        source: Source,
        at: Timestamp,
        created_by: Option<UserId>,
        dice: &mut Dice,
    ) -> GuestRow {
        let is_commercial = self.organization.is_commercial;
        let payment_method = is_commercial.then(|| *dice.pick(&self.organization.methods));
        let is_insured = payment_method == Some(2);
        GuestRow {
            id: GuestId(dice.id(at)),
            site_id: self.site.id,
            code: code(number),
            first_name: person.first_name,
            last_name: person.last_initial,
            gender: person.gender,
            age: person.age,
            client_service_id: is_commercial.then(|| *dice.pick(&self.client)),
            phone: phone(person.phone),
            email: person.email.clone(),
            location: dice.pick(&TOWNS).with_state(),
            source,
            payment_method,
            medi_cal_choice: if is_commercial { None } else { Some(*dice.pick(&self.site.options)) },
            insurance_company_id: is_insured.then(|| *dice.pick(&self.organization.insurers)),
            policy_number: is_insured.then(|| format!("P{:09}", dice.number() % 1_000_000_000)),
            group_number: (is_insured && dice.chance(70)).then(|| format!("G-{:05}", dice.number() % 100_000)),
            feedback: None,
            version: 1,
            created_at: at,
            created_by,
            expires_at: (source == Source::Web).then(|| at.plus_hours(self.site.hold_hours)),
            accepted_at: None,
            reassigned_at: None,
            rejected_at: None,
            discharged_at: None,
            expired_at: None,
            reminded: 0,
        }
    }
}

/// Returns the column `reminded`: the reminders of a hold that the job would have sent by `until`.
pub(super) fn reminded(created_at: Timestamp, expires_at: Option<Timestamp>, until: Timestamp) -> i64 {
    const AT_HALF: i64 = 1;
    const IN_LAST_HOUR: i64 = 2;
    let Some(end) = expires_at else { return 0 };
    let hold = end.millis() - created_at.millis();
    let half = if created_at.plus_millis(hold / 2) <= until { AT_HALF } else { 0 };
    let last = if hold > 7_200_000 && end.plus_hours(-1) <= until { IN_LAST_HOUR } else { 0 };
    half | last
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn codes_are_all_different() {
        let mut codes: Vec<String> = (0..200_000).map(code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), 200_000);
    }
}
