//! A made-up history of beds and guests.

use berth_domain::id::SiteId;
use uuid::Uuid;

use crate::harness::{House, MINUTE};
use crate::steps::DAY;
use crate::world;

/// A quarter of an hour, in milliseconds. Everything in the generated history happens on a quarter of an hour.
pub(super) const QUARTER: i64 = 15 * MINUTE;
/// January 1, 2026 in UTC.
pub(super) const NEW_YEAR: i64 = 1_767_225_600_000;

/// Repeatable random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % count
    }
}

/// A guest of the generated history. Times are epoch milliseconds.
pub(super) struct Past {
    pub(super) site: SiteId,
    pub(super) is_public: bool,
    pub(super) created: i64,
    pub(super) expires: Option<i64>,
    pub(super) accepted: Option<i64>,
    pub(super) declined: Option<i64>,
    pub(super) is_cancelled: bool,
    pub(super) discharged: Option<i64>,
    pub(super) feedback: Option<&'static str>,
    /// Bed, start and end of each stay.
    pub(super) stays: Vec<(Uuid, i64, Option<i64>)>,
}

/// A bed of the generated history.
pub(super) struct Bed {
    pub(super) site: SiteId,
    pub(super) id: Uuid,
    pub(super) created: i64,
    pub(super) removed: Option<i64>,
    pub(super) outages: Vec<(i64, Option<i64>)>,
}

const WORDS: [Option<&str>; 6] =
    [Some("No answer."), Some("no ANSWER"), None, Some(" "), Some("Went to Casey R's mother"), Some("Completed")];

/// Generates the history of some beds at a site up to `now`, with guests who moved between beds, whose discharge was undone
/// or who are still there, and guests who never got a bed.
pub(super) fn history(site: SiteId, seed: u64, now: i64) -> (Vec<Bed>, Vec<Past>) {
    let mut dice = Dice(seed);
    let (mut beds, mut guests) = (Vec::new(), Vec::new());
    let guest = |is_public: bool, created: i64| Past {
        site,
        is_public,
        created,
        expires: is_public.then_some(created + DAY),
        accepted: None,
        declined: None,
        is_cancelled: false,
        discharged: None,
        feedback: None,
        stays: Vec::new(),
    };
    for number in 0..8_u128 {
        let id = Uuid::from_u128(0x0190_0000_0000_7000_b000_0000_0000_0000 + u128::from(seed) * 0x100 + number);
        let created = NEW_YEAR - dice.below(100) * QUARTER;
        let mut bed = Bed { site, id, created, removed: None, outages: Vec::new() };
        let mut at = created;
        let until = if number == 0 { now - 60 * DAY } else { now };
        while at < until {
            at += dice.below(400) * QUARTER;
            if dice.below(3) == 0 {
                let end = at + dice.below(800) * QUARTER;
                bed.outages.push((at, (end < now).then_some(end)));
                at = end;
                continue;
            }
            let is_public = dice.below(2) == 0;
            let mut past = Past { accepted: Some(at), ..guest(is_public, at - dice.below(150) * QUARTER) };
            // Up to three stays, the last of which may be open. One of them has no length.
            for _ in 0..=dice.below(3) {
                let end = at + dice.below(5) * dice.below(400) * QUARTER;
                past.stays.push((id, at, (end < now).then_some(end)));
                at = end + dice.below(2) * QUARTER;
                if end >= now {
                    break;
                }
            }
            past.discharged = past.stays.last().unwrap().2;
            past.feedback = past.discharged.and(WORDS[usize::try_from(dice.below(6)).unwrap()]);
            if past.accepted.unwrap() < now {
                guests.push(past);
            }
        }
        bed.outages.retain(|(from, _)| *from < now);
        // The first bed has been empty for a long time. It was disabled, and removed the day after.
        if number == 0 {
            bed.outages.push((at, None));
            bed.removed = Some(at + DAY);
        }
        beds.push(bed);
    }
    for _ in 0..300 {
        let created = NEW_YEAR + dice.below((now - NEW_YEAR) / QUARTER) * QUARTER;
        let decided = created + dice.below(90) * QUARTER;
        let mut past = guest(dice.below(3) > 0, created);
        let kind = dice.below(4);
        if kind < 2 && decided <= now {
            past.declined = Some(decided);
            past.is_cancelled = past.is_public && kind == 0;
            past.feedback = if past.is_cancelled { None } else { WORDS[usize::try_from(dice.below(6)).unwrap()] };
        }
        guests.push(past);
    }
    (beds, guests)
}

/// Guests who left in the hours in which the range has begun or ended in one time zone but not in the other: February 10,
/// 06:00 UTC is the 9th in California; on March 9, 05:00 UTC, the 8th is over in New York.
pub(super) fn discharges_between_midnights() -> [Past; 2] {
    [(world::HARBOR_HOUSE, 1_770_703_200_000), (world::OPEN_DOOR, 1_773_032_400_000)].map(|(site, left)| Past {
        site,
        is_public: false,
        created: NEW_YEAR - 11 * DAY,
        expires: None,
        accepted: Some(NEW_YEAR - 10 * DAY),
        declined: None,
        is_cancelled: false,
        discharged: Some(left),
        feedback: Some("Completed"),
        stays: Vec::new(),
    })
}

pub(super) async fn write(house: &House, beds: &[Bed], guests: &[Past]) {
    const BED: &str = "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, created_at, deleted_at, disabled) \
        VALUES ($1..)";
    const OUTAGE: &str = "INSERT INTO bed_outages (id, bed_id, started_at, ended_at) VALUES ($1..)";
    const GUEST: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, age_service_id, \
        phone, email, email_key, source, created_at, expires_at, accepted_at, rejected_at, cancelled_at, discharged_at, feedback) \
        VALUES ($1..)";
    const STAY: &str =
        "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, ended_at, end_reason) VALUES ($1..)";
    let number = |kind: u128, index: usize| Uuid::from_u128((kind << 32) + u128::try_from(index).unwrap());
    let mut tx = house.db().begin().await.unwrap();
    tx.insert(BED, beds, |values, bed| {
        let room = if bed.site == world::HARBOR_HOUSE { world::ROOM_1 } else { world::OPEN_ROOM };
        values.bind(bed.id).bind(bed.site).bind(room).bind(bed.id.to_string()).bind(bed.id.to_string()).bind("Detox");
        let is_disabled = bed.outages.iter().any(|(_, end)| end.is_none());
        values.bind(9_i64).bind(bed.created).bind(bed.removed).bind(is_disabled);
    })
    .await
    .unwrap();
    let outages: Vec<_> =
        beds.iter().flat_map(|bed| bed.outages.iter().map(move |outage| (bed.id, outage))).enumerate().collect();
    tx.insert(OUTAGE, &outages, |values, (index, (bed, (from, to)))| {
        values.bind(number(1, *index)).bind(*bed).bind(*from).bind(*to);
    })
    .await
    .unwrap();
    let numbered: Vec<_> = guests.iter().enumerate().collect();
    tx.insert(GUEST, &numbered, |values, (index, past)| {
        values.bind(number(2, *index)).bind(past.site).bind(format!("N{index}")).bind("Casey").bind("casey").bind("R");
        values
            .bind("Female")
            .bind("age-18-26")
            .bind(format!("+1714{index:07}"))
            .bind("n@guests.example")
            .bind("n@guests.example");
        values.bind(if past.is_public { "Web" } else { "Admin" }).bind(past.created).bind(past.expires);
        values.bind(past.accepted).bind(past.declined).bind(past.declined.filter(|_| past.is_cancelled));
        values.bind(past.discharged).bind(past.feedback);
    })
    .await
    .unwrap();
    let stays: Vec<_> = guests
        .iter()
        .enumerate()
        .flat_map(|(index, past)| past.stays.iter().map(move |stay| (index, past.site, stay)))
        .enumerate()
        .collect();
    tx.insert(STAY, &stays, |values, (index, (guest, site, (bed, from, to)))| {
        values.bind(number(3, *index)).bind(*site).bind(number(2, *guest)).bind(*bed).bind(*from).bind(*to);
        values.bind(to.map(|_| "discharged"));
    })
    .await
    .unwrap();
    tx.commit().await.unwrap();
}
