//! Loads the board of a site for the rules, after the site was touched (DESIGN 2, 3).

use std::collections::HashMap;

use berth_db::{FromRow, Row, Tx};
use berth_domain::guest::GuestFacts;
use berth_domain::id::{BedId, GuestId, SiteId};
use berth_domain::stay::{BedFacts, Board, Change, Command};
use berth_domain::time::Timestamp;

use super::state::facts_columns;
use super::view::FactsRow;
use crate::Result;
use crate::auth::caller::Site;
use crate::housing::{sites, waitlist};
use crate::http::problem::BedPlace;

/// A bed and its guest, if it has one.
struct BedRow {
    id: BedId,
    disabled: bool,
    offered: bool,
    holder: Option<HolderRow>,
}

impl FromRow for BedRow {
    fn from_row(row: &Row<'_>) -> berth_db::Result<Self> {
        let held: Option<Timestamp> = row.get("started_at")?;
        let holder = held.map(|_| HolderRow::from_row(row)).transpose()?;
        Ok(Self { id: row.get("bed_id")?, disabled: row.get("disabled")?, offered: row.get("offered")?, holder })
    }
}

#[derive(berth_db::FromRow)]
struct HolderRow {
    started_at: Timestamp,
    code: String,
    #[row(flatten)]
    facts: FactsRow,
}

/// The columns of a [`BedRow`], and what follows them.
macro_rules! select_beds {
    ($rest:literal) => {
        concat!(
            "SELECT b.id AS bed_id, b.disabled, NOT ",
            waitlist::is_unoffered!("b."),
            " AS offered, s.started_at, g.code, ",
            facts_columns!("g."),
            " FROM beds b LEFT JOIN stays s ON s.bed_id = b.id AND s.ended_at IS NULL \
             LEFT JOIN guests g ON g.id = s.guest_id ",
            $rest
        )
    };
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

impl Loaded {
    fn of(rows: Vec<BedRow>, site: &Site) -> Self {
        let (mut began, mut codes) = (HashMap::new(), HashMap::new());
        let mut beds = Vec::with_capacity(rows.len());
        for BedRow { id, disabled, offered, holder } in rows {
            let guest = holder.map(|holder| {
                let guest = GuestFacts::from(holder.facts);
                began.insert(guest.id, holder.started_at);
                codes.insert(guest.id, holder.code);
                guest
            });
            beds.push(BedFacts { id, disabled, offered, guest });
        }
        let board = Board {
            beds,
            needs_subscription: site.is_commercial,
            subscription_active: false,
            asks_arrival: site.asks_arrival,
            undo: None,
        };
        Self { board, began, codes }
    }
}

/// Loads all beds of a site with their guests, in the order of the board. The subscription is not read.
pub(super) async fn load(tx: &mut Tx, site: &Site) -> Result<Loaded> {
    const BEDS: &str = select_beds!(
        "JOIN rooms r ON r.id = b.room_id WHERE b.site_id = $1 AND b.deleted_at IS NULL \
         ORDER BY r.position, r.id, b.position, b.id"
    );
    Ok(Loaded::of(tx.query(BEDS).bind(site.id).all().await?, site))
}

/// Loads a guest and what a command on the guest is decided on: the guest's bed and the bed that the command names, and for
/// an accept the state of the subscription. An undo counts vacant beds, so it gets the whole board.
///
/// # Errors
/// 404 if there is no such guest.
pub(super) async fn load_for(
    tx: &mut Tx,
    site: &Site,
    id: GuestId,
    command: &Command,
    now: Timestamp,
) -> Result<(GuestFacts, Loaded)> {
    const BEDS: &str = select_beds!(
        "WHERE b.site_id = $1 AND b.deleted_at IS NULL \
         AND b.id IN ($2, (SELECT x.bed_id FROM stays x WHERE x.guest_id = $3 AND x.ended_at IS NULL))"
    );
    const ASKS: &str = "SELECT asks_arrival FROM sites WHERE id = $1";
    let mut loaded = match command {
        Command::Undo => load(tx, site).await?,
        _ => Loaded::of(tx.query(BEDS).bind(site.id).bind(command.bed()).bind(id).all().await?, site),
    };
    if matches!(command, Command::Arrive | Command::UndoArrival | Command::NoShow { .. }) {
        // Under the lock: it may have been turned off since the caller was authenticated.
        loaded.board.asks_arrival = tx.query(ASKS).bind(site.id).scalar().await?;
    }
    if site.is_commercial && matches!(command, Command::Accept { .. }) {
        loaded.board.subscription_active = sites::subscription(&mut *tx, site.id, now).await?.is_active;
    }
    let holder = loaded.board.beds.iter().find_map(|bed| bed.guest.as_ref().filter(|guest| guest.id == id));
    if let Some(guest) = holder {
        return Ok((guest.clone(), loaded));
    }
    let (code, guest) = facts(tx, id).await?;
    loaded.codes.insert(id, code);
    Ok((guest, loaded))
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
/// reservation was made, or in a text message about a guest whom staff added. A text that waits for the time of an undo
/// counts as well: staff read out the code on the phone. One statement checks everything, so that a wrong code and wrong
/// digits take equally long.
pub async fn find_by_code(tx: &mut Tx, code: &str, digits: &str) -> Result<Option<(SiteId, GuestFacts)>> {
    // A phone is stored as +1 and ten digits.
    const FIND: &str = concat!(
        "SELECT site_id, ",
        facts_columns!(""),
        " FROM guests WHERE code = $1 AND substr(phone, 9) = $2 \
         AND (source = 'Web' OR EXISTS (SELECT 1 FROM guest_texts t WHERE t.guest_id = guests.id \
             AND (t.outcome IS NULL OR t.outcome = 'sent')))"
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
