//! Users and memberships: the six known accounts, so that benchmarks can sign in, and random ones. All have the same
//! password, except invited users, who have none.

use std::collections::HashSet;

use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::role::MembershipStatus::{self, Active, Disabled, PendingInvitation};
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::places::Places;
use crate::accounts::{self, Person};
use crate::dice::Dice;
use crate::words::{EITHER_NAMES, LAST_NAMES, phone, phone_count};

/// The Argon2id hash (19 MiB, t = 2, p = 1) of [`crate::accounts::PASSWORD`], made once: hashing it for each user would take
/// minutes.
pub(super) const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$EIFz6PoCNs6coQBgpZS8AA$3eSDZpnbxRUQWeyNMk4G9ZU76tczmibg4rpeUaxvD4g";

/// The roles of a site, in the order in which they are filled.
const ROLES: [Role; 6] = [Role::Intake, Role::Admin, Role::Staff, Role::Intake, Role::Staff, Role::Staff];

/// Stream of the random numbers for people.
const STREAM: u64 = 2;

pub(super) struct User {
    pub(super) id: UserId,
    pub(super) email: String,
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
    /// None while invited; such a user has no password either.
    pub(super) phone: Option<String>,
    pub(super) created_at: Timestamp,
    /// Id of the acceptance of the agreements; made for everyone, used for users with a password.
    pub(super) acceptance_id: Uuid,
}

pub(super) struct Membership {
    pub(super) id: MembershipId,
    pub(super) user: usize,
    pub(super) role: Role,
    pub(super) organization_id: Option<OrganizationId>,
    pub(super) site_id: Option<SiteId>,
    pub(super) status: MembershipStatus,
    pub(super) texts: bool,
    pub(super) created_at: Timestamp,
}

/// A user, by index, in a role.
pub(super) type Seat = (usize, Role);

/// The users who work at a site.
#[derive(Debug, Default, Clone)]
pub(super) struct Team {
    /// Users who may read.
    pub(super) everyone: Vec<Seat>,
    /// Users who may decide on guests; never empty.
    pub(super) deciders: Vec<Seat>,
    /// Users who may allow a third reservation.
    pub(super) admins: Vec<Seat>,
}

/// All people.
#[derive(Default)]
pub(super) struct People {
    pub(super) users: Vec<User>,
    pub(super) memberships: Vec<Membership>,
    /// By site.
    pub(super) teams: Vec<Team>,
}

impl People {
    pub(super) fn new(count: usize, places: &Places, seed: u64) -> Self {
        let mut maker = Maker { dice: Dice::new(seed, STREAM), places, people: Self::default(), taken: HashSet::new() };
        maker.people.teams = vec![Team::default(); places.sites.len()];
        maker.known();
        maker.owners(count);
        maker.teams(count);
        maker.people
    }
}

struct Maker<'a> {
    dice: Dice,
    places: &'a Places,
    people: People,
    /// User and site of each role at a site.
    taken: HashSet<(usize, usize)>,
}

impl Maker<'_> {
    /// Adds the known accounts.
    fn known(&mut self) {
        let free = self.places.organizations.iter().position(|made| !made.is_commercial).unwrap_or(0);
        let oldest = self.places.insurers.first().map_or(Timestamp::from_millis(0), |insurer| insurer.created_at);
        for Person { email, role, first_name, last_name } in accounts::SEED {
            let user = self.user(email.to_owned(), (first_name, last_name), true, oldest);
            match role {
                Role::GlobalAdmin => self.member(user, role, None, None, Active),
                Role::Owner if email.contains("free") => self.member(user, role, Some(free), None, Active),
                Role::Owner => self.member(user, role, Some(0), None, Active),
                Role::Admin | Role::Intake | Role::Staff => {
                    let of_free = self.places.sites.iter().position(|site| site.organization == free);
                    for site in [Some(0), Some(1), of_free].into_iter().flatten() {
                        self.member(user, role, None, Some(site), Active);
                    }
                }
            }
        }
    }

    /// Adds an owner for each organization, a second one for every third, and two more global admins.
    fn owners(&mut self, count: usize) {
        let places = self.places;
        let oldest = self.people.users[0].created_at;
        for _ in 0..if count > 100 { 2 } else { 0 } {
            let user = self.somebody(true, oldest);
            self.member(user, Role::GlobalAdmin, None, None, Active);
        }
        for (index, organization) in places.organizations.iter().enumerate() {
            let user = self.somebody(true, organization.created_at);
            self.member(user, Role::Owner, Some(index), None, Active);
            if index % 3 == 2 {
                let status = *self.dice.pick(&[Active, Active, Disabled, PendingInvitation]);
                let user = self.somebody(status != PendingInvitation, organization.created_at);
                self.member(user, Role::Owner, Some(index), None, status);
            }
        }
    }

    /// Adds the other users. Each works at a site, some at two of the same organization.
    fn teams(&mut self, count: usize) {
        let places = self.places;
        for number in 0.. {
            if self.people.users.len() >= count {
                break;
            }
            let index = number % places.sites.len();
            let round = number / places.sites.len();
            let site = &places.sites[index];
            // The first two of a site decide on its guests from the first day on.
            let status = match self.dice.between(0, 99) {
                _ if round < 2 => Active,
                0..6 => PendingInvitation,
                6..11 => Disabled,
                _ => Active,
            };
            let role = ROLES[round % ROLES.len()];
            let created_at = places.organizations[site.organization].created_at.plus_days(1);
            let user = self.somebody(status != PendingInvitation, created_at);
            self.member(user, role, None, Some(index), status);
            let next = index + 1;
            let is_near = places.sites.get(next).is_some_and(|other| other.organization == site.organization);
            if is_near && status == Active && self.dice.chance(12) {
                self.member(user, role, None, Some(next), Active);
            }
        }
    }

    /// Adds a user with a random name.
    fn somebody(&mut self, has_joined: bool, created_at: Timestamp) -> usize {
        let gender = *self.dice.pick(&berth_domain::catalog::Gender::ALL[..2]);
        let first_name = match self.dice.below(12) {
            0 => *self.dice.pick(EITHER_NAMES.as_slice()),
            _ => crate::words::first_name(gender, &mut self.dice),
        };
        let last_name = *self.dice.pick(LAST_NAMES.as_slice());
        let number = self.people.users.len();
        let email = format!("{first_name}.{last_name}{number}@staff.example").to_lowercase();
        self.user(email, (first_name, last_name), has_joined, created_at)
    }

    fn user(
        &mut self,
        email: String,
        (first_name, last_name): (&'static str, &'static str),
        has_joined: bool,
        created_at: Timestamp,
    ) -> usize {
        let number = self.people.users.len();
        let id = UserId(self.dice.id(created_at));
        // From the end of the range: the start belongs to the guests of the first sites.
        let phone = has_joined.then(|| phone(phone_count() - 1 - number));
        let acceptance_id = self.dice.id(created_at.plus_hours(3));
        self.people.users.push(User { id, email, first_name, last_name, phone, created_at, acceptance_id });
        number
    }

    fn member(
        &mut self,
        user: usize,
        role: Role,
        organization: Option<usize>,
        site: Option<usize>,
        status: MembershipStatus,
    ) {
        if site.is_some_and(|site| !self.taken.insert((user, site))) {
            return;
        }
        let places = self.places;
        let begun = self.people.users[user].created_at.plus_minutes(1);
        let place = site.map(|site| places.sites[site].created_at.plus_minutes(30));
        let place = place.or_else(|| organization.map(|index| places.organizations[index].created_at));
        let created_at = place.map_or(begun, |place| place.max(begun));
        let id = MembershipId(self.dice.id(created_at));
        let texts = status == Active && matches!(role, Role::Admin | Role::Intake) && self.dice.chance(70);
        if let (Some(site), Active) = (site, status) {
            let team = &mut self.people.teams[site];
            team.everyone.push((user, role));
            if role != Role::Staff {
                team.deciders.push((user, role));
            }
            if role == Role::Admin {
                team.admins.push((user, role));
            }
        }
        self.people.memberships.push(Membership {
            id,
            user,
            role,
            organization_id: organization.map(|index| places.organizations[index].id),
            site_id: site.map(|index| places.sites[index].id),
            status,
            texts,
            created_at,
        });
    }
}
