//! Guests whose stay is near or above the maximum stay of their site, or who are expected to leave soon.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::{GuestId, SiteId};
use berth_domain::stay::{SOON_DAYS, days_left, ends_soon};
use berth_domain::time::{Timestamp, date_at, days_stayed};
use serde::Serialize;
use utoipa::ToSchema;

use super::MAX_ROWS;
use super::filter::{TodayFilter, bind_filter, is_wanted, scope};
use super::place::{Places, TodayPlace};
use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::guests::{self, GuestView};

/// A stay that ends soon, or that is longer than the site allows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodayStay {
    /// The guest.
    guest: GuestView,
    /// The site.
    site: TodayPlace,
    /// The maximum stay of the site, in days. Null if it has none.
    maximum_stay_days: Option<i64>,
    /// Days until the maximum stay or the expected departure, whichever is earlier. Negative if that has passed.
    days_left: i64,
}

#[derive(berth_db::FromRow)]
struct Row {
    guest_id: GuestId,
    site_id: SiteId,
    accepted_at: Timestamp,
    maximum_days: Option<i64>,
    expected_departure: Option<String>,
}

/// The stays that end first, and the number of all.
pub(super) struct Ending {
    first: Vec<(Row, i64)>,
    pub(super) total: usize,
}

/// SQL query: the guests accepted so long before $9 that their stay may end within $10 days, and those expected to leave by the day $11.
/// Two days of tolerance, as days are counted in the time zone of the site and may have 23 hours.
macro_rules! ending {
    ($scope:ident) => {
        concat!(
            "SELECT g.id AS guest_id, g.site_id, g.accepted_at, p.length_of_stay_days_max AS maximum_days, g.expected_departure FROM ",
            scope!($scope),
            " CROSS JOIN sites p CROSS JOIN guests g WHERE p.id = y.id AND g.site_id = p.id \
             AND g.accepted_at IS NOT NULL AND ",
            guests::is_open!("g."),
            " AND (g.accepted_at <= $9 - (p.length_of_stay_days_max - $10 - 2) * 86400000 \
             OR g.expected_departure <= $11) AND ",
            is_wanted!()
        )
    };
}

/// Finds the stays that end soon at the caller's sites.
pub(super) async fn ending(
    tx: &mut Tx,
    caller: &Caller,
    filter: &TodayFilter,
    places: &Places,
    now: Timestamp,
) -> Result<Ending> {
    const MINE: &str = ending!(mine);
    const ALL: &str = ending!(all);
    let zones: HashMap<SiteId, &str> =
        places.all().iter().map(|place| (place.site.id, place.site.time_zone.as_str())).collect();
    let last_day = date_at(now.plus_days(SOON_DAYS + 1), "UTC");
    let query = tx.query(if caller.is_global() { ALL } else { MINE });
    let rows: Vec<Row> = bind_filter!(query, caller, filter).bind(now).bind(SOON_DAYS).bind(last_day).all().await?;
    let left = |row: Row| {
        let zone = zones.get(&row.site_id)?;
        let stayed = days_stayed(row.accepted_at, now, zone);
        let left = days_left(row.maximum_days, stayed, row.expected_departure.as_deref(), &date_at(now, zone))?;
        ends_soon(left).then_some((row, left))
    };
    let mut first: Vec<(Row, i64)> = rows.into_iter().filter_map(left).collect();
    first.sort_by_key(|(row, left)| (*left, row.accepted_at, row.guest_id));
    let total = first.len();
    first.truncate(MAX_ROWS);
    Ok(Ending { first, total })
}

impl Ending {
    pub(super) fn ids(&self) -> impl Iterator<Item = GuestId> {
        self.first.iter().map(|(row, _)| row.guest_id)
    }

    /// Returns the stays with their guests.
    pub(super) fn stays(
        &self,
        guests: &HashMap<GuestId, GuestView>,
        place_of: impl Fn(&GuestView) -> Option<TodayPlace>,
    ) -> Vec<TodayStay> {
        let stay = |(row, days_left): &(Row, i64)| {
            let guest = guests.get(&row.guest_id)?.clone();
            let site = place_of(&guest)?;
            Some(TodayStay { guest, site, maximum_stay_days: row.maximum_days, days_left: *days_left })
        };
        self.first.iter().filter_map(stay).collect()
    }
}
