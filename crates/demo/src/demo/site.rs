//! Writes a site of the demo: services, photos, intake hours, houses and beds, subscription.

use berth_domain::bed::new_bed_names;
use berth_domain::id::{BedId, InsuranceCompanyId, OrganizationId, RoomId, SiteId};
use berth_domain::time::Timestamp;
use berth_domain::value::name_key;

use super::fill::{Placed, World};
use super::plan::{Intake, OrganizationPlan, RoomPlan, SitePlan};
use super::{rules, subscriptions};

/// Writes a site without its guests.
pub(super) async fn make(
    world: &mut World,
    organization: &'static OrganizationPlan,
    organization_id: OrganizationId,
    plan: &'static SitePlan,
    insurers: &[(InsuranceCompanyId, &'static str)],
) -> berth_db::Result<Placed> {
    const INSERT: &str = "INSERT INTO sites (id, organization_id, name, name_key, alias, description, address, \
        address_key, time_zone, contact_phone, contact_email, contact_web, hold_hours, length_of_stay_days_min, \
        length_of_stay_days_max, created_at, latitude, longitude) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'America/Los_Angeles', $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    let at = world.now.plus_days(-world.dice.between(295, organization.age - 2));
    let id = SiteId(world.dice.id(at));
    world
        .tx
        .query(INSERT)
        .bind(id)
        .bind(organization_id)
        .bind(plan.name)
        .bind(name_key(plan.name))
        .bind(plan.alias)
        .bind(plan.description)
        .bind(plan.address)
        .bind(name_key(plan.address))
        .bind(plan.phone)
        .bind(plan.email)
        .bind(plan.web)
        .bind(plan.hold_hours)
        .bind(plan.stay.0)
        .bind(plan.stay.1)
        .bind(at)
        .bind(plan.position.0)
        .bind(plan.position.1)
        .execute()
        .await?;
    offers(world, id, plan).await?;
    photos(world, id, plan).await?;
    intake(world, id, plan.intake).await?;
    subscriptions::make(world, id, plan.subscriptions).await?;
    let mut beds = Vec::new();
    for (position, room) in (1_i64..).zip(plan.rooms) {
        house(world, (id, plan), room, position, at.plus_hours(position), &mut beds).await?;
    }
    let insurers = insurers.iter().filter(|(_, name)| organization.insurers.contains(name)).copied().collect();
    Ok(Placed { id, organization_id, organization, plan, insurers, beds, actors: Vec::new() })
}

async fn offers(world: &mut World, id: SiteId, plan: &SitePlan) -> berth_db::Result<()> {
    const LANGUAGE: &str = "INSERT INTO site_languages (site_id, language_id) VALUES ($1, $2)";
    const SERVICE: &str = "INSERT INTO site_services (site_id, service_id) VALUES ($1, $2)";
    const OPTION: &str = "INSERT INTO site_payment_options (site_id, option_id) VALUES ($1, $2)";
    for (text, items) in [(LANGUAGE, plan.languages), (SERVICE, plan.services), (OPTION, plan.options)] {
        for item in items {
            world.tx.query(text).bind(id).bind(*item).execute().await?;
        }
    }
    Ok(())
}

async fn photos(world: &mut World, id: SiteId, plan: &SitePlan) -> berth_db::Result<()> {
    const PHOTO: &str = "INSERT INTO site_images (site_id, position, image_path) VALUES ($1, $2, $3)";
    for (position, path) in (0_i64..).zip(world.pictures.remove(plan.name).unwrap_or_default()) {
        world.tx.query(PHOTO).bind(id).bind(position).bind(path).execute().await?;
    }
    Ok(())
}

async fn intake(world: &mut World, id: SiteId, intake: Intake) -> berth_db::Result<()> {
    const INSERT: &str = "INSERT INTO site_intake_periods (site_id, time_period, from_time, to_time, enabled) \
        VALUES ($1, $2, $3, $4, $5)";
    const ALL_DAY: Option<(&str, &str)> = Some(("00:01:00", "00:01:00"));
    let hours = match intake {
        Intake::Always => [ALL_DAY; 3],
        Intake::Daytime => [Some(("08:00:00", "18:00:00")), Some(("10:00:00", "14:00:00")), None],
        Intake::Office => [Some(("09:00:00", "17:00:00")), None, None],
    };
    for (period, hours) in ["Monday to Friday", "Weekends", "Holidays"].into_iter().zip(hours) {
        world
            .tx
            .query(INSERT)
            .bind(id)
            .bind(period)
            .bind(hours.map(|(from, _)| from))
            .bind(hours.map(|(_, to)| to))
            .bind(hours.is_some())
            .execute()
            .await?;
    }
    Ok(())
}

/// Writes a house with its beds.
async fn house(
    world: &mut World,
    (site_id, site): (SiteId, &SitePlan),
    plan: &RoomPlan,
    position: i64,
    at: Timestamp,
    beds: &mut Vec<(BedId, bool)>,
) -> berth_db::Result<()> {
    const ROOM: &str = "INSERT INTO rooms (id, site_id, name, name_key, position, created_at, meant_for) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const BED: &str = "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, description, position, disabled, \
        created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    const WORDS: [&str; 4] =
        ["Lower bunk by the window.", "Close to the nurse's room.", "Step-free, with a wider door.", "Upper bunk."];
    let RoomPlan(name, kinds, disabled) = plan;
    let room_id = RoomId(world.dice.id(at));
    let room = world.tx.query(ROOM).bind(room_id).bind(site_id).bind(*name).bind(name_key(name));
    room.bind(position).bind(at).bind(rules::of_house(site, name).to_text()).execute().await?;
    let mut names: Vec<String> = Vec::new();
    for (kind, count) in *kinds {
        for name in new_bed_names(*kind, *count, &names) {
            let is_disabled = disabled.contains(&names.len());
            let words = if is_disabled { None } else { world.dice.chance(25).then(|| *world.dice.pick(&WORDS)) };
            let id = BedId(world.dice.id(at));
            let position = names.len() + 1;
            world
                .tx
                .query(BED)
                .bind(id)
                .bind(site_id)
                .bind(room_id)
                .bind(name.as_str())
                .bind(name_key(&name))
                .bind(*kind)
                .bind(words)
                .bind(i64::try_from(position).unwrap_or_default())
                .bind(is_disabled)
                .bind(at)
                .execute()
                .await?;
            names.push(name);
            beds.push((id, is_disabled));
        }
    }
    Ok(())
}
