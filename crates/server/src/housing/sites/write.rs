//! SQL shared by creating and editing a site: its lists, photos, and houses with beds.

use berth_db::Tx;
use berth_domain::bed::{new_bed_names, next_room_name};
use berth_domain::catalog::SitePaymentOption;
use berth_domain::check::FieldError;
use berth_domain::id::{BedId, RoomId, SiteId};
use berth_domain::site_form::{NewRoom, SiteValues};
use berth_domain::time::Timestamp;
use berth_domain::value::name_key;

use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::change::Change;
use crate::integrations::files::{self, Prefix};
use crate::{Error, Result};

/// Replaces the languages, services, payment options, intake hours and photos of a site.
pub(super) async fn replace_lists(tx: &mut Tx, id: SiteId, values: &SiteValues) -> Result<()> {
    const NO_LANGUAGES: &str = "DELETE FROM site_languages WHERE site_id = $1";
    const NO_SERVICES: &str = "DELETE FROM site_services WHERE site_id = $1";
    const NO_OPTIONS: &str = "DELETE FROM site_payment_options WHERE site_id = $1";
    const NO_PERIODS: &str = "DELETE FROM site_intake_periods WHERE site_id = $1";
    const NO_IMAGES: &str = "DELETE FROM site_images WHERE site_id = $1";
    const LANGUAGE: &str = "INSERT INTO site_languages (site_id, language_id) VALUES ($1, $2)";
    const SERVICE: &str = "INSERT INTO site_services (site_id, service_id) VALUES ($1, $2)";
    const OPTION: &str = "INSERT INTO site_payment_options (site_id, option_id) VALUES ($1, $2)";
    const PERIOD: &str = "INSERT INTO site_intake_periods (site_id, time_period, from_time, to_time, enabled) \
        VALUES ($1, $2, $3, $4, $5)";
    const IMAGE: &str = "INSERT INTO site_images (site_id, position, image_path) VALUES ($1, $2, $3)";
    for text in [NO_LANGUAGES, NO_SERVICES, NO_OPTIONS, NO_PERIODS, NO_IMAGES] {
        tx.query(text).bind(id).execute().await?;
    }
    let languages: Vec<&str> = values.languages.iter().map(|language| language.id).collect();
    let services: Vec<&str> = values.services.iter().map(|service| service.id).collect();
    let options: Vec<&str> = values.payment_options.iter().copied().map(SitePaymentOption::as_str).collect();
    for (text, codes) in [(LANGUAGE, languages), (SERVICE, services), (OPTION, options)] {
        for code in codes {
            tx.query(text).bind(id).bind(code).execute().await?;
        }
    }
    for period in &values.intake_periods {
        let insert = tx.query(PERIOD).bind(id).bind(period.time_period);
        let insert = insert.bind(period.from.map(|time| time.to_string())).bind(period.to.map(|time| time.to_string()));
        insert.bind(period.enabled).execute().await?;
    }
    for (position, photo) in (0_i64..).zip(&values.images) {
        tx.query(IMAGE).bind(id).bind(position).bind(&photo.path).execute().await?;
    }
    Ok(())
}

/// Checks that every new photo was uploaded for this purpose. Photos that the site already shows are not checked.
///
/// # Errors
/// 422 with all fields whose photo is unknown.
pub(super) async fn claim_photos<'a>(
    tx: &mut Tx,
    values: &SiteValues,
    shown: &[String],
    rooms: impl Iterator<Item = (usize, &'a NewRoom)>,
    now: Timestamp,
) -> Result<()> {
    let of_site = values.images.iter().filter(|photo| !shown.contains(&photo.path));
    let of_site = of_site.map(|photo| (Prefix::Site, format!("/images/{}/imagePath", photo.sent_at), &photo.path));
    let of_rooms = rooms.filter_map(|(index, room)| {
        Some((Prefix::Room, format!("/rooms/{index}/imagePath"), room.image_path.as_ref()?))
    });
    let mut refused: Vec<FieldError> = Vec::new();
    for (prefix, pointer, path) in of_site.chain(of_rooms) {
        match files::claim(tx, prefix, &pointer, Some(path), None, now).await {
            Err(Error::Fields(errors)) => refused.extend(errors),
            other => other?,
        }
    }
    if refused.is_empty() { Ok(()) } else { Err(Error::Fields(refused)) }
}

/// Adds a house with its beds, each with its audit row. `names` holds the names of the site's houses; the new name is
/// pushed to it.
pub(super) async fn add_room(change: &mut Change, site: &Site, room: &NewRoom, names: &mut Vec<String>) -> Result<()> {
    const ROOM: &str = "INSERT INTO rooms (id, site_id, name, name_key, image_path, position, created_at) \
        SELECT $1, $2, $3, $4, $5, COALESCE(MAX(position), 0) + 1, $6 FROM rooms WHERE site_id = $2";
    const BED: &str = "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let (id, now) = (RoomId(change.app.id()), change.now);
    let name = room.name.as_ref().map_or_else(|| next_room_name(names), |name| name.as_str().to_owned());
    let insert = change.tx.query(ROOM).bind(id).bind(site.id).bind(&name).bind(name_key(&name));
    insert.bind(room.image_path.as_deref()).bind(now).execute().await?;
    let summary = format!("house {name} added");
    change.record(Entry::at(site, AuditAction::RoomCreated, (ObjectKind::Room, id.0), summary)).await?;
    let mut beds: Vec<String> = Vec::new();
    for (kind, count) in &room.beds {
        for bed_name in new_bed_names(*kind, *count, &beds) {
            let bed_id = BedId(change.app.id());
            let position = i64::try_from(beds.len() + 1).unwrap_or(i64::MAX);
            let key = name_key(&bed_name);
            let insert = change.tx.query(BED).bind(bed_id).bind(site.id).bind(id).bind(&bed_name).bind(key);
            insert.bind(*kind).bind(position).bind(now).execute().await?;
            let summary = format!("bed {bed_name} added to house {name}");
            change.record(Entry::at(site, AuditAction::BedCreated, (ObjectKind::Bed, bed_id.0), summary)).await?;
            beds.push(bed_name);
        }
    }
    names.push(name);
    Ok(())
}
