//! Writes the places and the people.

use berth_db::{Result, Tx};
use berth_domain::role::MembershipStatus;
use berth_domain::time::Timestamp;
use berth_domain::value::{name_key, search_key};

use super::World;
use super::people::{PASSWORD_HASH, People};
use super::places::{Places, Retirement, Site};
use berth_server::settings::AGREEMENTS_VERSION;

/// Writes the data with which the simulation of the sites starts.
pub(super) async fn world(tx: &mut Tx, world: &World) -> Result<()> {
    insurers(tx, &world.places).await?;
    organizations(tx, &world.places).await?;
    sites(tx, &world.places).await?;
    offers(tx, &world.places.sites).await?;
    houses(tx, &world.places.sites).await?;
    people(tx, &world.people).await
}

async fn insurers(tx: &mut Tx, places: &Places) -> Result<()> {
    const INSURERS: &str = "INSERT INTO insurance_companies (id, name, name_key, is_primary, created_at) VALUES ($1..)";
    tx.insert(INSURERS, &places.insurers, |values, row| {
        values.bind(row.id).bind(row.name).bind(name_key(row.name)).bind(row.is_primary).bind(row.created_at);
    })
    .await?;
    Ok(())
}

async fn organizations(tx: &mut Tx, places: &Places) -> Result<()> {
    const ORGANIZATIONS: &str =
        "INSERT INTO organizations (id, name, name_key, is_commercial, is_disabled, created_at) VALUES ($1..)";
    const METHODS: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1..)";
    const LINKS: &str =
        "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) VALUES ($1..)";
    tx.insert(ORGANIZATIONS, &places.organizations, |values, row| {
        values.bind(row.id).bind(row.name.as_str()).bind(name_key(&row.name));
        values.bind(row.is_commercial).bind(row.is_disabled).bind(row.created_at);
    })
    .await?;
    let of = places.organizations.iter();
    let methods: Vec<_> = of.clone().flat_map(|row| row.methods.iter().map(|method| (row.id, *method))).collect();
    tx.insert(METHODS, &methods, |values, (id, method)| {
        values.bind(*id).bind(*method);
    })
    .await?;
    let links: Vec<_> = of.flat_map(|row| row.insurers.iter().map(|insurer| (row.id, *insurer))).collect();
    tx.insert(LINKS, &links, |values, (id, insurer)| {
        values.bind(*id).bind(*insurer);
    })
    .await?;
    Ok(())
}

async fn sites(tx: &mut Tx, places: &Places) -> Result<()> {
    const SITES: &str = "INSERT INTO sites (id, organization_id, name, name_key, alias, description, is_disabled, \
        address, address_key, time_zone, contact_phone, contact_email, hold_hours, length_of_stay_days_min, \
        length_of_stay_days_max, created_at) VALUES ($1..)";
    const SUBSCRIPTIONS: &str = "INSERT INTO site_subscriptions (id, site_id, status, paid_period_end, created_at, \
        updated_at) VALUES ($1..)";
    tx.insert(SITES, &places.sites, |values, row| {
        values.bind(row.id).bind(places.organizations[row.organization].id);
        values.bind(row.name.as_str()).bind(name_key(&row.name)).bind(row.alias.as_deref());
        values.bind(row.description.as_str()).bind(row.is_disabled);
        values.bind(row.address.as_str()).bind(name_key(&row.address)).bind(row.time_zone);
        values.bind(row.phone.as_str()).bind(row.email.as_str()).bind(row.hold_hours);
        values.bind(row.stay_days / 2).bind(row.stay_days * 3).bind(row.created_at);
    })
    .await?;
    let subscriptions: Vec<_> =
        places.sites.iter().filter_map(|site| Some((site.id, site.subscription.as_ref()?))).collect();
    tx.insert(SUBSCRIPTIONS, &subscriptions, |values, (site_id, row)| {
        values.bind(row.id).bind(*site_id).bind(row.status);
        values.bind(row.paid_period_end).bind(row.created_at).bind(row.updated_at);
    })
    .await?;
    Ok(())
}

/// Writes what sites offer, and when they admit guests.
async fn offers(tx: &mut Tx, sites: &[Site]) -> Result<()> {
    const LANGUAGES: &str = "INSERT INTO site_languages (site_id, language_id) VALUES ($1..)";
    const SERVICES: &str = "INSERT INTO site_services (site_id, service_id) VALUES ($1..)";
    const OPTIONS: &str = "INSERT INTO site_payment_options (site_id, option_id) VALUES ($1..)";
    const INTAKE: &str =
        "INSERT INTO site_intake_periods (site_id, time_period, from_time, to_time, enabled) VALUES ($1..)";
    let languages: Vec<_> = sites.iter().flat_map(|site| site.languages.iter().map(|code| (site.id, *code))).collect();
    let services: Vec<_> = sites.iter().flat_map(|site| site.services.iter().map(|row| (site.id, row.id))).collect();
    let options: Vec<_> =
        sites.iter().flat_map(|site| site.options.iter().map(|row| (site.id, row.as_str()))).collect();
    for (text, codes) in [(LANGUAGES, languages), (SERVICES, services), (OPTIONS, options)] {
        tx.insert(text, &codes, |values, (id, code)| {
            values.bind(*id).bind(*code);
        })
        .await?;
    }
    let periods = ["Monday to Friday", "Weekends", "Holidays"];
    let intake: Vec<_> = sites
        .iter()
        .flat_map(|site| periods.iter().zip(site.intake).map(|(period, hours)| (site.id, *period, hours)))
        .collect();
    tx.insert(INTAKE, &intake, |values, (id, period, hours)| {
        values.bind(*id).bind(*period);
        values.bind(hours.map(|(from, _)| from)).bind(hours.map(|(_, to)| to)).bind(hours.is_some());
    })
    .await?;
    Ok(())
}

async fn houses(tx: &mut Tx, sites: &[Site]) -> Result<()> {
    const ROOMS: &str = "INSERT INTO rooms (id, site_id, name, name_key, position, created_at) VALUES ($1..)";
    const BEDS: &str = "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, disabled, created_at, \
        deleted_at) VALUES ($1..)";
    let rooms: Vec<_> =
        sites.iter().flat_map(|site| (1_i64..).zip(&site.rooms).map(move |room| (site, room))).collect();
    tx.insert(ROOMS, &rooms, |values, (site, (position, row))| {
        values.bind(row.id).bind(site.id).bind(row.name.as_str()).bind(name_key(&row.name));
        values.bind(*position).bind(site.created_at.plus_minutes(5));
    })
    .await?;
    const OUTAGES: &str = "INSERT INTO bed_outages (id, bed_id, started_at) VALUES ($1..)";
    let beds: Vec<_> = sites.iter().flat_map(|site| site.beds.iter().map(move |bed| (site, bed))).collect();
    tx.insert(BEDS, &beds, |values, (site, row)| {
        let removed: Option<Timestamp> = row.retired.filter(|(_, how)| *how == Retirement::Removed).map(|(at, _)| at);
        let is_disabled = row.retired.is_some_and(|(_, how)| how == Retirement::Disabled);
        values.bind(row.id).bind(site.id).bind(site.rooms[row.room].id);
        values.bind(row.name.as_str()).bind(name_key(&row.name)).bind(row.kind).bind(row.position);
        values.bind(is_disabled).bind(site.created_at.plus_minutes(10)).bind(removed);
    })
    .await?;
    let disabled = |(at, how): (Timestamp, Retirement)| (how == Retirement::Disabled).then_some(at);
    let outages: Vec<_> =
        beds.iter().filter_map(|(_, row)| row.retired.and_then(disabled).map(|at| (row.id, at))).collect();
    tx.insert(OUTAGES, &outages, |values, (bed, at)| {
        values.bind(bed.0).bind(*bed).bind(*at);
    })
    .await?;
    Ok(())
}

async fn people(tx: &mut Tx, people: &People) -> Result<()> {
    const USERS: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, phone, \
        phone_confirmed_at, created_at) VALUES ($1..)";
    const ACCEPTANCES: &str =
        "INSERT INTO agreement_acceptances (id, user_id, version, accepted_at, address) VALUES ($1..)";
    const MEMBERSHIPS: &str = "INSERT INTO memberships (id, user_id, role, organization_id, site_id, status, \
        receive_reservation_texts, created_at, created_by, invited_first_name, invited_last_name) VALUES ($1..)";
    tx.insert(USERS, &people.users, |values, row| {
        let joined = row.phone.as_ref().map(|_| row.created_at.plus_hours(3));
        values.bind(row.id).bind(row.email.as_str()).bind(search_key(&row.email));
        values.bind(row.first_name).bind(row.last_name).bind(joined.map(|_| PASSWORD_HASH));
        values.bind(row.phone.as_deref()).bind(joined).bind(row.created_at);
    })
    .await?;
    let joined: Vec<_> = people.users.iter().filter(|user| user.phone.is_some()).collect();
    tx.insert(ACCEPTANCES, &joined, |values, row| {
        values.bind(row.acceptance_id).bind(row.id).bind(AGREEMENTS_VERSION);
        values.bind(row.created_at.plus_hours(3)).bind("203.0.113.20");
    })
    .await?;
    // The first user is the first global admin.
    let founder = people.users.first().map(|user| user.id);
    tx.insert(MEMBERSHIPS, &people.memberships, |values, row| {
        let status: MembershipStatus = row.status;
        values.bind(row.id).bind(people.users[row.user].id).bind(row.role);
        values.bind(row.organization_id).bind(row.site_id).bind(status);
        values.bind(row.texts).bind(row.created_at).bind(founder);
        values.bind(people.users[row.user].first_name).bind(people.users[row.user].last_name);
    })
    .await?;
    Ok(())
}
