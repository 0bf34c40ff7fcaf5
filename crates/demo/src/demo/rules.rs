//! Whom the houses of one site of the demo are for. The site is strict about it and asks whether accepted guests have come; its women's
//! house is full, and two guests are on their way.

use berth_domain::guest::Source;
use berth_domain::id::BedId;
use berth_domain::placement::MeantFor;
use berth_domain::role::Role;
use berth_domain::time::Timestamp;

use super::fill::{AuditLine, Placed, World};
use super::guests::{self, OFFICE_ADDRESS};
use super::histories::{History, PlannedStay};
use super::plan::{RoomPlan, SitePlan};
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// The site with the rules and the waitlist.
pub(super) const SITE: &str = "Open Door Houses";
/// The house that is full.
const FULL_HOUSE: &str = "Women's House";
/// House, and ids of whom it is for.
const HOUSES: [(&str, &[&str]); 4] = [
    ("House #1", &["gender-male"]),
    ("House #2", &["gender-male"]),
    (FULL_HOUSE, &["gender-female"]),
    ("Family House", &["age-18-26", "age-under-18"]),
];
/// Hours since the site is strict and asks for arrivals. Who was accepted before has arrived.
const SINCE: i64 = 20;
/// House and hours since the acceptance of the guests who are on their way.
const ARRIVING: [(&str, i64); 2] = [(FULL_HOUSE, 3), ("House #1", 2)];
/// Days since the last vacant beds of the full house were taken.
const FULL_SINCE: i64 = 3;

/// Returns whom a house is for; an empty rule if for everyone.
pub(super) fn of_house(site: &SitePlan, house: &str) -> MeantFor {
    let rule = HOUSES.iter().find(|(name, _)| site.name == SITE && *name == house);
    MeantFor::of_services(rule.map_or(&[][..], |(_, ids)| ids).iter().copied())
}

/// Returns whom the house of a bed is for. Beds are counted from 0.
pub(super) fn of_bed(site: &SitePlan, bed: usize) -> MeantFor {
    let mut end = 0;
    let room = site.rooms.iter().find(|RoomPlan(_, kinds, _)| {
        end += kinds.iter().map(|(_, count)| count).sum::<usize>();
        bed < end
    });
    room.map(|RoomPlan(name, ..)| of_house(site, name)).unwrap_or_default()
}

/// Returns `drawn`, or else one of `all` whom the rule allows, if it has a limit for them.
pub(super) fn fitting<T: Copy>(rule: &MeantFor, drawn: T, all: &[T], id: impl Fn(T) -> &'static str) -> T {
    let allowed = rule.ids();
    if allowed.contains(&id(drawn)) {
        return drawn;
    }
    all.iter().copied().find(|one| allowed.contains(&id(*one))).unwrap_or(drawn)
}

/// Makes the site strict and ask for arrivals, fills its women's house, and sends two guests on their way.
pub(super) async fn make(world: &mut World, sites: &[Placed]) -> berth_db::Result<()> {
    const SET: &str = "UPDATE sites SET strict_placement = TRUE, asks_arrival = TRUE WHERE id = $1";
    const ARRIVED: &str = "UPDATE guests SET arrived_at = accepted_at WHERE site_id = $1 AND accepted_at < $2 \
        AND (discharged_at IS NULL OR discharged_at > $3)";
    let Some(site) = sites.iter().find(|site| site.plan.name == SITE) else { return Ok(()) };
    for (house, hours) in ARRIVING {
        accept(world, site, house, world.now.plus_hours(-hours)).await?;
    }
    while accept(world, site, FULL_HOUSE, world.now.plus_days(-FULL_SINCE)).await? {}
    let at = world.now.plus_hours(-SINCE);
    world.tx.query(SET).bind(site.id).execute().await?;
    world.tx.query(ARRIVED).bind(site.id).bind(at).bind(at.plus_days(-1)).execute().await?;
    for answer in ["is strict about its placement rules", "asks for arrivals"] {
        let line = AuditLine {
            at,
            action: AuditAction::SiteEdited,
            actor: site.actors.iter().find(|actor| actor.role == Role::Admin),
            login: None,
            place: (Some(site.organization_id), Some(site.id)),
            object: Some((ObjectKind::Site, site.id.0)),
            summary: format!("site {} {answer}", site.plan.name),
            address: OFFICE_ADDRESS,
        };
        world.record(line).await?;
    }
    Ok(())
}

/// Accepts a new guest into the first bed of a house that nobody has had since. Returns false if there is none.
async fn accept(world: &mut World, site: &Placed, house: &str, at: Timestamp) -> berth_db::Result<bool> {
    const VACANT: &str = "SELECT b.id FROM beds b JOIN rooms r ON r.id = b.room_id WHERE r.site_id = $1 AND r.name = $2 \
        AND NOT b.disabled AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id \
        AND (t.ended_at IS NULL OR t.ended_at > $3)) ORDER BY b.position LIMIT 1";
    let vacant: Option<(BedId,)> = world.tx.query(VACANT).bind(site.id).bind(house).bind(at).optional().await?;
    let number = vacant.and_then(|(id,)| site.beds.iter().position(|(bed, _)| *bed == id));
    let Some(bed) = number else { return Ok(false) };
    let created = at.plus_minutes(-world.dice.between(15, 90));
    let history = History {
        accepted: Some(at),
        stays: vec![PlannedStay { bed, from: at, end: None }],
        ..History::created(Source::Web, created, site.plan)
    };
    guests::write(world, site, &history).await?;
    Ok(true)
}
