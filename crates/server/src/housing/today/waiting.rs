//! The pending reservations of all sites, the hold that ends first first.

use berth_db::Tx;
use berth_domain::id::GuestId;
use berth_domain::time::Timestamp;

use super::MAX_ROWS;
use super::filter::{TodayFilter, bind_filter, is_wanted, scope};
use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::guests;

/// The first pending reservations, and the number of all.
pub(super) struct Pending {
    pub(super) first: Vec<GuestId>,
    pub(super) total: i64,
    /// When the next hold ends, listed or not.
    pub(super) next_end: Option<Timestamp>,
}

impl Pending {
    pub(super) fn ids(&self) -> impl Iterator<Item = GuestId> {
        self.first.iter().copied()
    }
}

#[derive(berth_db::FromRow)]
struct Row {
    id: GuestId,
    total: i64,
    next_end: Option<Timestamp>,
}

/// SQL query: the first reservations at $9, $10 at most.
macro_rules! pending {
    ($scope:ident) => {
        concat!(
            "SELECT g.id, COUNT(*) OVER () AS total, MIN(g.expires_at) OVER () AS next_end FROM ",
            scope!($scope),
            " CROSS JOIN guests g WHERE g.site_id = y.id AND ",
            guests::is_pending!("g.", "$9"),
            " AND ",
            is_wanted!(),
            " ORDER BY CASE WHEN g.expires_at IS NULL THEN 1 ELSE 0 END, g.expires_at, g.created_at, g.id LIMIT $10"
        )
    };
}

/// Finds the pending reservations at the caller's sites.
pub(super) async fn pending(tx: &mut Tx, caller: &Caller, filter: &TodayFilter, now: Timestamp) -> Result<Pending> {
    const MINE: &str = pending!(mine);
    const ALL: &str = pending!(all);
    let query = tx.query(if caller.is_global() { ALL } else { MINE });
    let limit = i64::try_from(MAX_ROWS).unwrap_or(i64::MAX);
    let rows: Vec<Row> = bind_filter!(query, caller, filter).bind(now).bind(limit).all().await?;
    let (total, next_end) = rows.first().map_or((0, None), |row| (row.total, row.next_end));
    Ok(Pending { first: rows.into_iter().map(|row| row.id).collect(), total, next_end })
}
