//! The free beds of each site and bed type.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy;
use berth_domain::role::Role;
use berth_domain::stay::available_of_type;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::place::Place;
use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::housing::sites::SiteCounts;

/// The beds of one type at a site.
#[derive(Debug, Serialize, ToSchema)]
pub struct FreeBeds {
    /// The type.
    #[serde(rename = "type")]
    kind: BedKind,
    /// Enabled beds of this type.
    beds: i64,
    /// Those of them without a guest.
    vacant: i64,
    /// Those of them that the site can still promise: at most the available beds of the site, since reservations hold no named bed.
    available: i64,
}

/// A site with its free beds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodaySite {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
    /// Its organization.
    organization_id: OrganizationId,
    /// The name of the organization.
    organization_name: String,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// IANA time zone.
    time_zone: String,
    /// The caller's roles at the site, highest first.
    roles: Vec<Role>,
    /// Houses, beds and guests, counted.
    counts: SiteCounts,
    /// People on the waitlist of the site.
    waiting: i64,
    /// Those of them to whom a bed is offered now.
    offers: i64,
    /// When the newest of these offers was made. Null without one.
    offered_at: Option<Timestamp>,
    /// The types that the site has enabled beds of, in the order of the catalog.
    free: Vec<FreeBeds>,
}

#[derive(berth_db::FromRow)]
struct CountRow {
    site_id: SiteId,
    rooms: i64,
    beds: i64,
    disabled: i64,
    occupied: i64,
    offered: i64,
}

#[derive(berth_db::FromRow)]
struct KindRow {
    site_id: SiteId,
    kind: BedKind,
    beds: i64,
    vacant: i64,
}

/// Loads the free beds of `places`, and when the next hold ends there, whether or not a filter lists its guest.
pub(super) async fn load(
    tx: &mut Tx,
    caller: &Caller,
    places: &[&Place],
    now: Timestamp,
) -> Result<(Vec<TodaySite>, Option<Timestamp>)> {
    const COUNTS: &str =
        "SELECT site_id, rooms, beds, disabled, occupied, offered FROM site_counts WHERE site_id IN ($1..)";
    const KINDS: &str = "SELECT b.site_id, b.kind, COUNT(*) AS beds, \
        COUNT(*) - COUNT(t.id) AS vacant FROM beds b LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL \
        WHERE b.site_id IN ($1..) AND b.deleted_at IS NULL AND NOT b.disabled GROUP BY b.site_id, b.kind";
    const PENDING: &str = concat!(
        "SELECT site_id, COUNT(*), MIN(expires_at) FROM guests WHERE site_id IN ($2..) AND ",
        guests::is_pending!("", "$1"),
        " GROUP BY site_id"
    );
    const WAITLISTS: &str = "SELECT w.site_id, COUNT(*), COUNT(f.id), MAX(f.offered_at) FROM waiting_guests w \
        LEFT JOIN bed_offers f ON f.waiting_guest_id = w.id AND f.ended_at IS NULL \
        WHERE w.site_id IN ($1..) AND w.ended_at IS NULL GROUP BY w.site_id";
    if places.is_empty() {
        return Ok((Vec::new(), None));
    }
    let ids = || places.iter().map(|place| place.site.id);
    let counts: Vec<CountRow> = tx.query(COUNTS).bind_list(ids()).all().await?;
    let kinds: Vec<KindRow> = tx.query(KINDS).bind_list(ids()).all().await?;
    let pending: Vec<(SiteId, i64, Option<Timestamp>)> = tx.query(PENDING).bind(now).bind_list(ids()).all().await?;
    let waitlists: Vec<(SiteId, i64, i64, Option<Timestamp>)> = tx.query(WAITLISTS).bind_list(ids()).all().await?;
    let waitlists: HashMap<SiteId, (i64, i64, Option<Timestamp>)> =
        waitlists.into_iter().map(|(site, waiting, offers, newest)| (site, (waiting, offers, newest))).collect();
    let counts: HashMap<SiteId, CountRow> = counts.into_iter().map(|row| (row.site_id, row)).collect();
    let next_end = pending.iter().filter_map(|(_, _, end)| *end).min();
    let pending: HashMap<SiteId, i64> = pending.into_iter().map(|(site, count, _)| (site, count)).collect();
    let site = |place: &&Place| {
        let site = &place.site;
        let row = counts.get(&site.id);
        let pending = pending.get(&site.id).copied().unwrap_or_default();
        let (waiting, offers, offered_at) = waitlists.get(&site.id).copied().unwrap_or_default();
        let counts = row.map_or_else(SiteCounts::default, |row| SiteCounts {
            rooms: row.rooms,
            beds: row.beds,
            vacant: row.beds - row.disabled - row.occupied,
            occupied: row.occupied,
            disabled: row.disabled,
            offered: row.offered,
            ..SiteCounts::default()
        });
        let counts = counts.with_pending(pending);
        let of_kind = |kind: BedKind| kinds.iter().find(move |row| row.site_id == site.id && row.kind == kind);
        let free = BedKind::ALL.iter().filter_map(|kind| of_kind(*kind)).map(|row| FreeBeds {
            kind: row.kind,
            beds: row.beds,
            vacant: row.vacant,
            available: available_of_type(row.vacant, counts.available),
        });
        TodaySite {
            id: site.id,
            name: site.name.clone(),
            organization_id: site.organization_id,
            organization_name: place.organization_name.clone(),
            is_commercial: site.is_commercial,
            time_zone: site.time_zone.clone(),
            roles: policy::roles_at(&caller.actor, &site.target()),
            waiting,
            offers,
            offered_at,
            free: free.collect(),
            counts,
        }
    };
    Ok((places.iter().map(site).collect(), next_end))
}
