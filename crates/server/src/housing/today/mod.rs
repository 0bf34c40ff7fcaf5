//! `GET /api/Today`: what needs a decision, what is free, what happened today and whose stay ends soon, at all sites of the caller
//! (docs/decisions/0060).
//!
//! The answer is kept for users with the same memberships until one of their sites changes. Each list is limited, with the total beside
//! it, so that a global admin with thousands of sites gets an answer of the same size.

mod arriving;
mod filter;
mod free;
mod moves;
mod place;
mod soon;
mod waiting;

use std::collections::HashMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use berth_domain::id::{GuestId, SiteId};
use berth_domain::policy::Action;
use berth_domain::time::{Timestamp, next_midnight};
use serde::Serialize;
use utoipa::ToSchema;

pub use self::filter::TodayFilter;
pub use self::free::{FreeBeds, TodaySite};
pub use self::moves::{TodayBed, TodayMove, TodayMoveKind};
use self::place::Place;
pub use self::place::TodayPlace;
pub use self::soon::TodayStay;
use crate::admin::audit_log::GuestSet;
use crate::auth::caller::{Caller, Site};
use crate::housing::guests::{self, GuestView};
use crate::http::body::Query;
use crate::http::cache::several::{Answer, several};
use crate::{App, Result};

/// Maximum number of rows of each list of guests.
const MAX_ROWS: usize = 50;
/// Maximum number of sites.
const MAX_SITES: usize = 100;

/// A guest with the site.
#[derive(Debug, Serialize, ToSchema)]
pub struct TodayReservation {
    /// The guest.
    guest: GuestView,
    /// The site.
    site: TodayPlace,
}

/// The day at all sites of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Today {
    /// Pending reservations: the hold that ends first is first; those without a hold are last, oldest first. At most 50.
    waiting: Vec<TodayReservation>,
    /// Number of pending reservations.
    waiting_total: i64,
    /// Guests whose bed is reserved until they arrive, at sites that ask for arrivals: the longest awaited first. At most 50.
    arriving: Vec<TodayReservation>,
    /// Sites by name. At most 100.
    sites: Vec<TodaySite>,
    /// Number of sites.
    sites_total: usize,
    /// What happened since midnight in the time zone of each site, newest first. Decisions that were undone are left out. At most 50.
    moves: Vec<TodayMove>,
    /// True if more happened than is listed.
    has_more_moves: bool,
    /// Guests near or above the maximum stay of their site, or expected to leave soon: the most overdue is first. At most 50.
    soon: Vec<TodayStay>,
    /// Number of these guests.
    soon_total: usize,
}

/// Shows what needs a decision, what is free, what happened today, and which stays end soon, at all sites of the caller. Fields of guests
/// that the caller may not see at their site are absent.
#[utoipa::path(get, path = "/api/Today", tag = "Guests", params(TodayFilter), responses(
    (status = 200, body = Today), (status = 304, description = "not modified")))]
pub async fn today(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(filter): Query<TodayFilter>,
) -> Result<Response> {
    if let Some(id) = filter.site_id {
        caller.site(id, Action::ViewGuests).await?;
    }
    filter.check()?;
    let text = filter.text();
    several(&app, &caller, &headers, ("today", &text), async |tx, now| {
        let places = place::load(tx, &caller, &filter).await?;
        let pending = waiting::pending(tx, &caller, &filter, now).await?;
        let happened = moves::happened(tx, &caller, &filter, &places.midnights(now), now).await?;
        let ending = soon::ending(tx, &caller, &filter, &places, now).await?;
        let sites: HashMap<SiteId, Site> =
            places.all().iter().map(|place| (place.site.id, place.site.clone())).collect();
        let arriving = arriving::arriving(tx, &caller, &filter).await?;
        let ids = pending.ids().chain(happened.ids()).chain(ending.ids()).chain(arriving.iter().copied()).collect();
        let guests = guests::several::load(tx, (&caller, &sites), ids, now).await?;
        let by_id = places.by_id();
        let place_of = |guest: &GuestView| places.of(&by_id, guest);
        let reservation = |id: GuestId| {
            let guest = guests.get(&id)?.clone();
            Some(TodayReservation { site: place_of(&guest)?, guest })
        };
        let offered: Vec<&Place> = places.all().iter().filter(|place| place.is_offered).collect();
        let listed = offered.get(..MAX_SITES).unwrap_or(&offered);
        let (free, next_end) = free::load(tx, &caller, listed, now).await?;
        let today = Today {
            waiting: pending.ids().filter_map(reservation).collect(),
            waiting_total: pending.total,
            arriving: arriving.into_iter().filter_map(reservation).collect(),
            sites: free,
            sites_total: offered.len(),
            moves: happened.moves(tx, &guests, place_of).await?,
            has_more_moves: happened.has_more,
            soon: ending.stays(&guests, place_of),
            soon_total: ending.total,
        };
        let zones = places.all().iter().map(|place| place.site.time_zone.as_str());
        let valid_until = zones.map(|zone| next_midnight(now, zone)).chain(pending.next_end).chain(next_end).min();
        let shown =
            by_site(guests.values()).into_iter().filter_map(|(id, shown)| Some((sites.get(&id)?.clone(), shown)));
        Ok(Answer { value: today, valid_until, shown: shown.collect() })
    })
    .await
}

/// Groups guests by site, for the audit log.
fn by_site<'a>(guests: impl Iterator<Item = &'a GuestView>) -> Vec<(SiteId, GuestSet)> {
    let mut ids: HashMap<SiteId, Vec<GuestId>> = HashMap::new();
    for guest in guests {
        ids.entry(guest.site_id).or_default().push(guest.id);
    }
    ids.into_iter().filter_map(|(site, guests)| Some((site, GuestSet::of(guests)?))).collect()
}

/// Returns the smallest id that a row of this time can have. Row ids are ordered by time.
fn first_id_of(at: Timestamp) -> uuid::Uuid {
    let millis = u64::try_from(at.millis()).unwrap_or_default();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
    uuid::Uuid::from_bytes(bytes)
}
