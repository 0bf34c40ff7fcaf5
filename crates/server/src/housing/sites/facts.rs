//! Loads the row, the lists and the page of a site in the caller's transaction.

use std::collections::HashSet;

use berth_db::Tx;
use berth_domain::catalog::{LANGUAGES, PaymentMethod, SERVICES, SitePaymentOption};
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::{IntakePeriod, TimeOfDay, TimePeriod, Timestamp};

use super::{SiteCounts, SiteDetails, SiteImage, subscription};
use crate::admin::organizations;
use crate::housing::guests;
use crate::housing::reference::ScreeningPeriodView;
use crate::housing::rooms::RoomView;
use crate::http::cache::View;
use crate::{Error, Result};

/// The row of a site with columns of its organization.
#[derive(berth_db::FromRow)]
pub struct SiteRow {
    id: SiteId,
    organization_id: OrganizationId,
    /// Its organization's name.
    pub organization_name: String,
    logo_path: Option<String>,
    is_commercial: bool,
    organization_is_disabled: bool,
    name: String,
    alias: Option<String>,
    description: String,
    is_disabled: bool,
    address: String,
    /// IANA time zone.
    pub time_zone: String,
    contact_phone: String,
    contact_email: String,
    contact_web: Option<String>,
    hold_hours: i64,
    length_of_stay_days_min: Option<i64>,
    length_of_stay_days_max: Option<i64>,
    show_days_of_week: bool,
    pub(super) asks_arrival: bool,
    pub(super) strict_placement: bool,
    latitude: Option<String>,
    longitude: Option<String>,
    admin_email: Option<String>,
    admin_first_name: Option<String>,
    admin_last_name: Option<String>,
    edit_version: i64,
    /// The version in this snapshot.
    pub version: i64,
}

/// Loads the row of a site.
///
/// # Errors
/// 404 if the site was removed.
pub async fn site(tx: &mut Tx, id: SiteId) -> Result<SiteRow> {
    const SITE: &str = "SELECT s.id, s.organization_id, o.name AS organization_name, o.logo_path, o.is_commercial, \
        o.is_disabled AS organization_is_disabled, s.name, s.alias, \
        s.description, s.is_disabled, s.address, s.time_zone, s.contact_phone, s.contact_email, s.contact_web, \
        s.hold_hours, s.length_of_stay_days_min, s.length_of_stay_days_max, s.show_days_of_week, s.asks_arrival, s.strict_placement, s.latitude, \
        s.longitude, s.admin_email, s.admin_first_name, s.admin_last_name, s.edit_version, s.version \
        FROM sites s JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL \
        WHERE s.id = $1 AND s.deleted_at IS NULL";
    Ok(tx.query(SITE).bind(id).one().await?)
}

#[derive(berth_db::FromRow)]
struct PeriodRow {
    time_period: TimePeriod,
    from_time: Option<String>,
    to_time: Option<String>,
    enabled: bool,
}

/// Loads the intake hours of a site, in the order of the time periods.
pub async fn intake_periods(tx: &mut Tx, id: SiteId) -> Result<Vec<IntakePeriod>> {
    const PERIODS: &str = "SELECT time_period, from_time, to_time, enabled FROM site_intake_periods WHERE site_id = $1";
    let time = |text: Option<String>| text.and_then(|text| TimeOfDay::parse(&text).ok());
    let rows: Vec<PeriodRow> = tx.query(PERIODS).bind(id).all().await?;
    let mut periods: Vec<IntakePeriod> = rows
        .into_iter()
        .map(|row| IntakePeriod {
            time_period: row.time_period,
            from: time(row.from_time),
            to: time(row.to_time),
            enabled: row.enabled,
        })
        .collect();
    periods.sort_by_key(|period| period.time_period);
    Ok(periods)
}

async fn codes(tx: &mut Tx, text: &'static str, id: SiteId) -> Result<HashSet<String>> {
    let rows: Vec<(String,)> = tx.query(text).bind(id).all().await?;
    Ok(rows.into_iter().map(|(code,)| code).collect())
}

async fn images(tx: &mut Tx, id: SiteId) -> Result<Vec<SiteImage>> {
    const IMAGES: &str = "SELECT image_path, position FROM site_images WHERE site_id = $1 ORDER BY position";
    let rows: Vec<(String, i64)> = tx.query(IMAGES).bind(id).all().await?;
    Ok(rows.into_iter().map(|(image_path, index)| SiteImage { image_path, index }).collect())
}

/// Counts the pending reservations, and finds the earliest end of their holds.
async fn pending(tx: &mut Tx, id: SiteId, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    const PENDING: &str =
        concat!("SELECT COUNT(*), MIN(expires_at) FROM guests WHERE site_id = $1 AND ", guests::is_pending!("", "$2"));
    Ok(tx.query(PENDING).bind(id).bind(now).one().await?)
}

fn degrees(stored: Option<String>) -> Option<f64> {
    stored.and_then(|text| text.parse().ok())
}

/// Adds up the counts of the houses.
pub fn counts(rooms: &[RoomView], pending: i64) -> SiteCounts {
    let mut counts = SiteCounts::default();
    for room in rooms {
        counts.rooms += 1;
        counts.beds += room.beds_count;
        counts.vacant += room.vacant_beds_count;
        counts.occupied += room.occupied_beds_count;
        counts.disabled += room.disabled_beds_count;
        counts.offered += room.beds.iter().map(|bed| i64::from(bed.offered_until.is_some())).sum::<i64>();
    }
    counts.with_pending(pending)
}

/// Loads the page of a site, and the times at which it changes without an edit: the end of the next hold, and the end
/// of the paid period of a canceled subscription.
pub async fn details(
    tx: &mut Tx,
    site: SiteRow,
    rooms: Vec<RoomView>,
    view: View,
    now: Timestamp,
) -> Result<(SiteDetails, [Option<Timestamp>; 2])> {
    const SPOKEN: &str = "SELECT language_id FROM site_languages WHERE site_id = $1";
    const OFFERED: &str = "SELECT service_id FROM site_services WHERE site_id = $1";
    const PAID_BY: &str = "SELECT option_id FROM site_payment_options WHERE site_id = $1";
    let spoken = codes(tx, SPOKEN, site.id).await?;
    let offered = codes(tx, OFFERED, site.id).await?;
    let paid_by = codes(tx, PAID_BY, site.id).await?;
    let images = images(tx, site.id).await?;
    let intake_periods = intake_periods(tx, site.id).await?;
    let methods: Vec<PaymentMethod> = organizations::payment_methods(tx, site.organization_id).await?;
    let insurers = organizations::insurers(tx, site.organization_id).await?;
    let (pending, hold_ends_at) = pending(tx, site.id, now).await?;
    let paid = if site.is_commercial { Some(subscription(tx, site.id, now).await?) } else { None };
    let ending = paid.filter(|paid| paid.is_active && paid.status == SubscriptionStatus::Canceled);
    let counts = counts(&rooms, pending);
    let screening_period = ScreeningPeriodView::of(site.hold_hours);
    let screening_period = screening_period.ok_or_else(|| Error::internal("the hold of a site is out of range"))?;
    let details = SiteDetails {
        id: site.id,
        name: site.name,
        alias: site.alias,
        description: site.description,
        organization_id: site.organization_id,
        organization_name: site.organization_name,
        logo_path: site.logo_path,
        is_commercial: site.is_commercial,
        organization_is_disabled: site.organization_is_disabled,
        is_disabled: site.is_disabled,
        address: site.address,
        contact_phone: site.contact_phone,
        contact_email: site.contact_email,
        contact_web: site.contact_web,
        cover_image: images.first().cloned(),
        images,
        time_zone: site.time_zone,
        screening_period,
        length_of_stay_days_min: site.length_of_stay_days_min,
        length_of_stay_days_max: site.length_of_stay_days_max,
        intake_periods,
        languages: LANGUAGES.into_iter().filter(|language| spoken.contains(language.id)).collect(),
        services: SERVICES.into_iter().filter(|service| offered.contains(service.id)).collect(),
        non_commercial_payment_methods: SitePaymentOption::ALL
            .iter()
            .filter(|option| paid_by.contains(option.as_str()))
            .map(|option| (*option).into())
            .collect(),
        organization_reservation_payment_methods: methods.into_iter().map(Into::into).collect(),
        insurance_companies: insurers,
        rooms,
        count_of_beds: counts.beds,
        count_of_vacant_beds: counts.vacant,
        counts,
        version: site.version,
        edit_version: site.edit_version,
        show_days_of_week: site.show_days_of_week,
        asks_arrival: site.asks_arrival,
        strict_placement: site.strict_placement,
        latitude: degrees(site.latitude),
        longitude: degrees(site.longitude),
        admin_email: site.admin_email.filter(|_| view == View::Manage),
        admin_first_name: site.admin_first_name.filter(|_| view == View::Manage),
        admin_last_name: site.admin_last_name.filter(|_| view == View::Manage),
        subscription: paid.filter(|_| view != View::Staff),
    };
    Ok((details, [hold_ends_at, ending.and_then(|paid| paid.paid_period_end)]))
}
