//! The guests whose bed is reserved until they arrive, at the sites that ask for arrivals.

use berth_db::Tx;
use berth_domain::id::GuestId;

use super::MAX_ROWS;
use super::filter::{TodayFilter, bind_filter, is_wanted, scope};
use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::guests;

/// SQL query: the guests who were accepted first, $9 at most.
macro_rules! arriving {
    ($scope:ident) => {
        concat!(
            "SELECT g.id FROM ",
            scope!($scope),
            " CROSS JOIN sites p CROSS JOIN guests g WHERE p.id = y.id AND p.asks_arrival AND g.site_id = p.id \
             AND g.accepted_at IS NOT NULL AND g.arrived_at IS NULL AND ",
            guests::is_open!("g."),
            " AND ",
            is_wanted!(),
            " ORDER BY g.accepted_at, g.id LIMIT $9"
        )
    };
}

/// Finds the guests who have not arrived, the longest awaited first.
pub(super) async fn arriving(tx: &mut Tx, caller: &Caller, filter: &TodayFilter) -> Result<Vec<GuestId>> {
    const MINE: &str = arriving!(mine);
    const ALL: &str = arriving!(all);
    let query = tx.query(if caller.is_global() { ALL } else { MINE });
    let limit = i64::try_from(MAX_ROWS).unwrap_or(i64::MAX);
    let rows: Vec<(GuestId,)> = bind_filter!(query, caller, filter).bind(limit).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}
