//! Loads the board of a site for the rules, after the site was touched (DESIGN 2, 3).

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::guest::GuestFacts;
use berth_domain::id::{BedId, GuestId, SiteId};
use berth_domain::stay::{BedFacts, Board, Change};
use berth_domain::time::Timestamp;

use super::state::facts_columns;
use super::view::FactsRow;
use crate::Result;
use crate::auth::caller::Site;
use crate::housing::sites;
use crate::http::problem::BedPlace;

#[derive(berth_db::FromRow)]
struct BedRow {
    id: BedId,
    disabled: bool,
}

#[derive(berth_db::FromRow)]
struct HolderRow {
    bed_id: BedId,
    started_at: Timestamp,
    code: String,
    #[row(flatten)]
    facts: FactsRow,
}

/// A board, and when the stays of its guests began.
pub(super) struct Loaded {
    pub board: Board,
    began: HashMap<GuestId, Timestamp>,
    /// The codes of the guests, for the audit log.
    pub codes: HashMap<GuestId, String>,
}

#[derive(berth_db::FromRow)]
struct GuestRow {
    code: String,
    #[row(flatten)]
    facts: FactsRow,
}

impl Loaded {
    /// Returns the time of a change: now or, if the clock went back, the start of the latest stay that it ends or the
    /// time of the decision that it undoes. Stays end and begin at the same time, so they never overlap.
    pub(super) fn moment(&self, guest: &GuestFacts, change: &Change, now: Timestamp) -> Timestamp {
        let began = change.ended.iter().filter_map(|stay| self.began.get(&stay.guest)).copied();
        began.chain(guest.accepted_at).chain(guest.rejected_at).chain(guest.discharged_at).fold(now, Timestamp::max)
    }
}

/// Loads the beds of a site with their guests, and the state of its subscription.
pub(super) async fn load(tx: &mut Tx, site: &Site, now: Timestamp) -> Result<Loaded> {
    const BEDS: &str = "SELECT b.id, b.disabled FROM beds b JOIN rooms r ON r.id = b.room_id \
        WHERE b.site_id = $1 AND b.deleted_at IS NULL ORDER BY r.position, r.id, b.position, b.id";
    const HOLDERS: &str = concat!(
        "SELECT s.bed_id, s.started_at, g.code, ",
        facts_columns!("g."),
        " FROM stays s JOIN guests g ON g.id = s.guest_id WHERE s.site_id = $1 AND s.ended_at IS NULL"
    );
    let beds: Vec<BedRow> = tx.query(BEDS).bind(site.id).all().await?;
    let holders: Vec<HolderRow> = tx.query(HOLDERS).bind(site.id).all().await?;
    let subscription_active = site.is_commercial && sites::subscription(tx, site.id, now).await?.is_active;
    let codes = holders.iter().map(|holder| (holder.facts.id(), holder.code.clone())).collect();
    let began = holders.iter().map(|holder| (holder.facts.id(), holder.started_at)).collect();
    let mut holders: HashMap<BedId, GuestFacts> =
        holders.into_iter().map(|holder| (holder.bed_id, holder.facts.into())).collect();
    let board = Board {
        beds: beds
            .into_iter()
            .map(|bed| BedFacts { id: bed.id, disabled: bed.disabled, guest: holders.remove(&bed.id) })
            .collect(),
        needs_subscription: site.is_commercial,
        subscription_active,
        undo: None,
    };
    Ok(Loaded { board, began, codes })
}

/// Loads the code and the times of a guest.
///
/// # Errors
/// 404 if there is no such guest.
pub async fn facts(tx: &mut Tx, id: GuestId) -> Result<(String, GuestFacts)> {
    const FACTS: &str = concat!("SELECT code, ", facts_columns!(""), " FROM guests WHERE id = $1");
    let row: GuestRow = tx.query(FACTS).bind(id).one().await?;
    Ok((row.code, row.facts.into()))
}

#[derive(berth_db::FromRow)]
struct PlacedRow {
    site_id: SiteId,
    #[row(flatten)]
    facts: FactsRow,
}

/// Finds the reservation with this code whose phone ends with these four digits and has received the code: when the
/// reservation was made, or in a text message about a guest whom staff added. One statement checks everything, so that
/// a wrong code and wrong digits take equally long.
pub async fn find_by_code(tx: &mut Tx, code: &str, digits: &str) -> Result<Option<(SiteId, GuestFacts)>> {
    // A phone is stored as +1 and ten digits.
    const FIND: &str = concat!(
        "SELECT site_id, ",
        facts_columns!(""),
        " FROM guests WHERE code = $1 AND substr(phone, 9) = $2 \
         AND (source = 'Web' OR EXISTS (SELECT 1 FROM guest_texts t WHERE t.guest_id = guests.id AND t.outcome = 'sent'))"
    );
    let row: Option<PlacedRow> = tx.query(FIND).bind(code).bind(digits).optional().await?;
    Ok(row.map(|row| (row.site_id, row.facts.into())))
}

/// Loads the names of a bed and its house.
pub(super) async fn place(tx: &mut Tx, id: BedId) -> Result<BedPlace, berth_db::Error> {
    const PLACE: &str = "SELECT b.name, r.name FROM beds b JOIN rooms r ON r.id = b.room_id WHERE b.id = $1";
    let (bed_name, room_name): (String, String) = tx.query(PLACE).bind(id).one().await?;
    Ok(BedPlace { bed_id: id, bed_name, room_name })
}
