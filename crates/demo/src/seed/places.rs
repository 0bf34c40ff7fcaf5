//! The places of the world: organizations, sites, houses and beds.

use berth_domain::bed::{BedKind, new_bed_names};
use berth_domain::catalog::{LANGUAGES, Service, ServiceCategory, SitePaymentOption, services_for};
use berth_domain::id::{BedId, InsuranceCompanyId, OrganizationId, RoomId, SiteId};
use berth_domain::subscription::SubscriptionStatus::{self, Active, Canceled, Incomplete, PastDue, Trialing, Unpaid};
use berth_domain::time::{SCREENING_PERIODS, Timestamp};
use berth_server::cli::worlds::Size;
use uuid::Uuid;

use super::sizes::{bed_counts, guest_counts};
use crate::dice::Dice;
use crate::words::{
    DESCRIPTIONS, INSURERS, KINDS, ORGANIZATION_FIRST, ORGANIZATION_SECOND, STREET_NAMES, TOWNS, phone,
};

/// Stream of the random numbers for organizations and insurers; each site has a stream of its own.
const STREAM: u64 = 1;

/// All places.
pub(super) struct Places {
    pub(super) insurers: Vec<Insurer>,
    pub(super) organizations: Vec<Organization>,
    pub(super) sites: Vec<Site>,
}

pub(super) struct Insurer {
    pub(super) id: InsuranceCompanyId,
    pub(super) name: &'static str,
    pub(super) is_primary: bool,
    pub(super) created_at: Timestamp,
}

pub(super) struct Organization {
    pub(super) id: OrganizationId,
    pub(super) name: String,
    pub(super) is_commercial: bool,
    pub(super) is_disabled: bool,
    /// Numbers of reservation methods.
    pub(super) methods: Vec<i64>,
    pub(super) insurers: Vec<InsuranceCompanyId>,
    pub(super) created_at: Timestamp,
}

pub(super) struct Site {
    pub(super) id: SiteId,
    /// Index of its organization.
    pub(super) organization: usize,
    pub(super) name: String,
    pub(super) alias: Option<String>,
    pub(super) description: String,
    pub(super) is_disabled: bool,
    pub(super) address: String,
    pub(super) time_zone: &'static str,
    pub(super) phone: String,
    pub(super) email: String,
    pub(super) hold_hours: i64,
    /// Mean stay, in days.
    pub(super) stay_days: i64,
    pub(super) languages: Vec<&'static str>,
    pub(super) services: Vec<&'static Service>,
    /// Codes of payment options; non-commercial sites.
    pub(super) options: Vec<SitePaymentOption>,
    /// Intake hours of weekdays, weekends and holidays.
    pub(super) intake: [Option<(&'static str, &'static str)>; 3],
    pub(super) subscription: Option<Subscription>,
    pub(super) rooms: Vec<Room>,
    pub(super) beds: Vec<Bed>,
    /// Final number of guests.
    pub(super) guests: usize,
    /// Days between two reservations, in milliseconds.
    pub(super) interval: i64,
    pub(super) created_at: Timestamp,
    /// Time of the first reservation.
    pub(super) opened_at: Timestamp,
    /// The time until which guests from the public side could be accepted; none means always.
    pub(super) web_until: Option<Timestamp>,
}

pub(super) struct Subscription {
    pub(super) id: Uuid,
    pub(super) status: SubscriptionStatus,
    pub(super) paid_period_end: Option<Timestamp>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

pub(super) struct Room {
    pub(super) id: RoomId,
    pub(super) name: String,
}

pub(super) struct Bed {
    pub(super) id: BedId,
    /// Index of its house.
    pub(super) room: usize,
    pub(super) name: String,
    pub(super) kind: BedKind,
    /// Number in its house, from 1.
    pub(super) position: i64,
    /// When and how it was taken out of use, if at all.
    pub(super) retired: Option<(Timestamp, Retirement)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retirement {
    Disabled,
    Removed,
}

const DAY: i64 = 86_400_000;

impl Places {
    pub(super) fn new(size: Size, seed: u64, now: Timestamp) -> Self {
        let mut dice = Dice::new(seed, STREAM);
        let beds = bed_counts(size, &mut dice);
        let guests = guest_counts(size, &beds);
        let mut organizations = Self::organizations(beds.len(), &mut dice);
        let mut sites = Vec::with_capacity(beds.len());
        for (index, (beds, guests)) in beds.into_iter().zip(guests).enumerate() {
            let organization = organizations.iter().rposition(|(first, _)| *first <= index).unwrap_or(0);
            let (first, owner) = &organizations[organization];
            let mut dice = Dice::new(seed, 1_000_000 + u64::try_from(index).unwrap_or_default());
            let number = index - first;
            sites.push(Site::new(index, (organization, owner), number, (beds, guests), now, &mut dice));
        }
        let mut oldest = now;
        for (index, (_, organization)) in organizations.iter_mut().enumerate() {
            let of_it = sites.iter().filter(|site| site.organization == index);
            let first = of_it.map(|site| site.created_at).min().unwrap_or(now);
            organization.created_at = first.plus_days(-dice.between(3, 40));
            organization.id = OrganizationId(dice.id(organization.created_at));
            oldest = oldest.min(organization.created_at);
        }
        let created_at = oldest.plus_days(-30);
        let insurer = |name: &&'static str| Insurer {
            id: InsuranceCompanyId(dice.id(created_at)),
            name,
            is_primary: dice.chance(30),
            created_at,
        };
        let insurers: Vec<Insurer> = INSURERS.iter().map(insurer).collect();
        let ids: Vec<InsuranceCompanyId> = insurers.iter().map(|insurer| insurer.id).collect();
        let mut organizations: Vec<Organization> = organizations.into_iter().map(|(_, made)| made).collect();
        for organization in organizations.iter_mut().filter(|made| made.is_commercial) {
            organization.insurers = dice.some(&ids, 25);
        }
        Self { insurers, organizations, sites }
    }

    /// Organizations with one to twelve sites each, and the index of the first of them. The first is commercial and the
    /// second is not; neither is hidden.
    fn organizations(sites: usize, dice: &mut Dice) -> Vec<(usize, Organization)> {
        let (first, second) = (&ORGANIZATION_FIRST, &ORGANIZATION_SECOND);
        let names = first.len() * second.len();
        // Stepping by a number that has no common divisor with `names` uses every pair of words once.
        let step = (names / 3..).find(|step| divisor(*step, names) == 1).unwrap_or(1);
        let mut made: Vec<(usize, Organization)> = Vec::new();
        let mut next = 0;
        while next < sites {
            let index = made.len();
            let of_it = if index == 0 { dice.between(3, 4) } else { *dice.pick(&[1, 1, 2, 3, 4, 5, 6, 8, 12]) };
            let is_commercial = index == 0 || (index > 1 && dice.chance(70));
            let pair = index * step % names;
            let kind = dice.pick(&KINDS[usize::from(!is_commercial)]);
            let name = format!("{} {} {kind}", first[pair / second.len()], second[pair % second.len()]);
            made.push((
                next,
                Organization {
                    id: OrganizationId(Uuid::nil()),
                    name,
                    is_commercial,
                    is_disabled: index > 1 && dice.chance(2),
                    methods: if is_commercial { dice.some(&[1, 2, 3], 75) } else { vec![3] },
                    insurers: Vec::new(),
                    created_at: Timestamp::from_millis(0),
                },
            ));
            next += usize::try_from(of_it).unwrap_or(1);
        }
        made
    }
}

fn divisor(one: usize, other: usize) -> usize {
    if other == 0 { one } else { divisor(other, one % other) }
}

impl Site {
    fn new(
        index: usize,
        (organization, owner): (usize, &Organization),
        number: usize,
        (beds, guests): (usize, usize),
        now: Timestamp,
        dice: &mut Dice,
    ) -> Self {
        let is_known = index < 2;
        let is_commercial = owner.is_commercial;
        let stay_days = dice.between(18, 45);
        let hold_hours = if is_known { 24 } else { *dice.pick(&SCREENING_PERIODS) };
        // This many reservations a day keep 60 to 92 of a hundred beds occupied if two in three are accepted.
        let taken = dice.between(60, 92);
        let interval = stay_days * DAY * 68 / (taken * i64::try_from(beds).unwrap_or(1));
        let span = interval * i64::try_from(guests).unwrap_or(1);
        let opened_at = now.plus_hours(-hold_hours).plus_millis(-span);
        let created_at = opened_at.plus_millis(-dice.between(DAY, 20 * DAY));
        let town = &TOWNS[(organization * 5 + number) % TOWNS.len()];
        let words: Vec<&str> = owner.name.split(' ').take(2).collect();
        let name = format!("{} {}", words.join(" "), town.name);
        let street = *dice.pick(STREET_NAMES.as_slice());
        let zip = town.zip + u32::try_from(dice.below(12)).unwrap_or_default();
        let way = dice.pick(&["Street", "Avenue", "Drive", "Lane", "Road"]);
        let address = format!("{} {street} {way}, {}, {} {zip:05}", dice.between(100, 9800), town.name, town.state);
        let services: Vec<&'static Service> = services_for(is_commercial).collect();
        let mut chosen = Vec::new();
        for (category, percent) in [
            (ServiceCategory::General, 40),
            (ServiceCategory::Disability, 30),
            (ServiceCategory::Gender, 80),
            (ServiceCategory::Age, 80),
            (ServiceCategory::Client, 60),
        ] {
            let of_it: Vec<&'static Service> =
                services.iter().filter(|service| service.category == category).copied().collect();
            if !of_it.is_empty() {
                chosen.extend(dice.some(&of_it, percent));
            }
        }
        let id = SiteId(dice.id(created_at));
        let (rooms, beds) = houses(beds, opened_at, span, created_at, is_known, dice);
        let (subscription, web_until) =
            if is_commercial { subscription(is_known, created_at, now, dice) } else { (None, None) };
        let alias = dice.chance(20).then(|| format!("{} House", words.first().unwrap_or(&"Open")));
        Self {
            id,
            organization,
            description: format!("{name} in {}. {}", town.name, dice.pick(&DESCRIPTIONS)),
            alias,
            is_disabled: !is_known && dice.chance(3),
            address,
            time_zone: town.time_zone,
            phone: phone(index * 7),
            email: format!("house{index}@{}.example", words.join("").to_lowercase()),
            hold_hours,
            stay_days,
            languages: languages(dice),
            services: chosen,
            options: if is_commercial { Vec::new() } else { dice.some(SitePaymentOption::ALL, 40) },
            intake: intake(dice),
            subscription,
            rooms,
            beds,
            guests,
            interval,
            created_at,
            opened_at,
            web_until,
            name,
        }
    }
}

fn languages(dice: &mut Dice) -> Vec<&'static str> {
    let mut spoken: Vec<&'static str> = vec!["en"];
    let others: Vec<&'static str> = LANGUAGES.iter().map(|language| language.id).filter(|id| *id != "en").collect();
    spoken.extend(dice.some(&others, 6));
    spoken
}

fn intake(dice: &mut Dice) -> [Option<(&'static str, &'static str)>; 3] {
    const ALL_DAY: Option<(&str, &str)> = Some(("00:01:00", "00:01:00"));
    const OFFICE: Option<(&str, &str)> = Some(("09:00:00", "17:00:00"));
    *dice.pick(&[
        [ALL_DAY; 3],
        [Some(("08:00:00", "18:00:00")), Some(("10:00:00", "14:00:00")), None],
        [OFFICE, None, None],
        [OFFICE; 3],
    ])
}

/// Houses of five beds, the last one smaller; up to six beds are a single house. The beds beyond `live` were removed,
/// and some of the live ones are disabled; at least one is in use.
fn houses(
    live: usize,
    opened_at: Timestamp,
    span: i64,
    created_at: Timestamp,
    is_known: bool,
    dice: &mut Dice,
) -> (Vec<Room>, Vec<Bed>) {
    let per_house = if live <= 6 { 6 } else { 5 };
    let retired_at = |dice: &mut Dice| opened_at.plus_millis(span / 100 * dice.between(50, 90));
    let room = |number: usize, dice: &mut Dice| Room {
        id: RoomId(dice.id(created_at.plus_minutes(5))),
        name: format!("House #{}", number + 1),
    };
    let rooms: Vec<Room> = (0..live.div_ceil(per_house)).map(|number| room(number, dice)).collect();
    let mut beds = Vec::with_capacity(live + live / 60);
    for (number, _) in rooms.iter().enumerate() {
        let count = per_house.min(live - number * per_house);
        let removed = usize::from(!is_known && live > 9 && dice.chance(8));
        let mut names: Vec<String> = Vec::new();
        while names.len() < count + removed {
            let kind = *dice.pick(&[BedKind::Detox, BedKind::Treatment, BedKind::SoberLiving, BedKind::SoberLiving]);
            let together = (count + removed - names.len()).min(1 + dice.below(4));
            names.extend(new_bed_names(kind, together, &names));
            for name in &names[names.len() - together..] {
                let position = i64::try_from(beds.len()).unwrap_or_default();
                let id = BedId(dice.id(created_at.plus_minutes(10)));
                beds.push(Bed { id, room: number, name: name.clone(), kind, position, retired: None });
            }
        }
        let first = beds.len() - names.len();
        for (place, bed) in beds[first..].iter_mut().enumerate() {
            bed.position = i64::try_from(place).unwrap_or_default() + 1;
            let is_extra = place >= count;
            let may_close = !is_known && live > 3 && (number, place) != (0, 0);
            if is_extra {
                bed.retired = Some((retired_at(dice), Retirement::Removed));
            } else if may_close && dice.chance(3) {
                bed.retired = Some((retired_at(dice), Retirement::Disabled));
            }
        }
    }
    (rooms, beds)
}

/// The subscription, and the time until which guests from the public side could be accepted with it.
fn subscription(
    is_known: bool,
    created_at: Timestamp,
    now: Timestamp,
    dice: &mut Dice,
) -> (Option<Subscription>, Option<Timestamp>) {
    const NEVER: Option<Timestamp> = Some(Timestamp::from_millis(0));
    let roll = if is_known { 0 } else { dice.between(0, 99) };
    let (status, days) = match roll {
        0..80 => (Active, dice.between(1, 29)),
        80..86 => (Trialing, dice.between(1, 13)),
        86..90 => (PastDue, -dice.between(2, 20)),
        90..92 => (Unpaid, -dice.between(2, 20)),
        92..95 => (Canceled, dice.between(2, 28)),
        95..98 => (Canceled, -dice.between(2, 200)),
        98 => (Incomplete, 0),
        _ => return (None, NEVER),
    };
    let end = now.plus_days(days);
    let updated_at = created_at.max(if days > 0 { end.plus_days(-30) } else { end });
    let created_at = if status == Incomplete { now.plus_days(-1).max(created_at) } else { created_at };
    let web_until = match status {
        Incomplete => NEVER,
        _ if days < 0 => Some(end),
        _ => None,
    };
    let paid_period_end = (status != Incomplete).then_some(end);
    let id = dice.id(created_at);
    (Some(Subscription { id, status, paid_period_end, created_at, updated_at: updated_at.max(created_at) }), web_until)
}
