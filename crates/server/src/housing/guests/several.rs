//! Loads guests of several sites, each with the fields that the caller may see there.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::{GuestId, SiteId};
use berth_domain::time::Timestamp;

use super::view::{self, GuestRow, GuestView, ServiceRow, by_guest, guest_columns, guest_tables};
use crate::Result;
use crate::auth::caller::{Caller, Site};

/// A guest with its site.
#[derive(berth_db::FromRow)]
struct Row {
    at_site_id: SiteId,
    #[row(flatten)]
    guest: GuestRow,
}

/// Loads the guests `ids` in two statements. Guests of other sites than `sites` are left out.
pub async fn load(
    tx: &mut Tx,
    (caller, sites): (&Caller, &HashMap<SiteId, Site>),
    mut ids: Vec<GuestId>,
    now: Timestamp,
) -> Result<HashMap<GuestId, GuestView>> {
    const GUESTS: &str = concat!(
        "SELECT g.site_id AS at_site_id, ",
        guest_columns!(),
        " FROM ",
        guest_tables!(),
        "WHERE g.id IN ($1..)"
    );
    const THEIR_SERVICES: &str = "SELECT guest_id, service_id FROM guest_services WHERE guest_id IN ($1..)";
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = tx.query(GUESTS).bind_list(ids.iter().copied()).all().await?;
    let services: Vec<ServiceRow> = tx.query(THEIR_SERVICES).bind_list(ids).all().await?;
    let mut services = by_guest(&services);
    let guest = |row: Row| {
        let site = sites.get(&row.at_site_id)?;
        let id = row.guest.id();
        let chosen = services.remove(&id).unwrap_or_default();
        Some((id, GuestView::of(row.guest, chosen, site, view::view_of(caller, site), now)))
    };
    Ok(rows.into_iter().filter_map(guest).collect())
}
