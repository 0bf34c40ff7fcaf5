//! Loads houses with their beds and guests in the caller's transaction, so that an answer is consistent.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::Gender;
use berth_domain::id::{BedId, GuestId, RoomId};
use berth_domain::new_guest::display_name;
use berth_domain::outage::{Outage, OutageKind};
use berth_domain::placement::MeantFor;
use berth_domain::time::{Timestamp, date_at, days_stayed};

use crate::auth::caller::Site;
use crate::housing::beds::{BedView, GuestShort};
use crate::housing::rooms::{RoomShort, RoomView};
use crate::{Error, Result};

#[derive(berth_db::FromRow)]
struct RoomRow {
    id: RoomId,
    name: String,
    image_path: Option<String>,
    meant_for: String,
    created_at: Timestamp,
    version: i64,
}

#[derive(berth_db::FromRow)]
struct BedRow {
    id: BedId,
    room_id: RoomId,
    name: String,
    description: Option<String>,
    kind: BedKind,
    position: i64,
    image_path: Option<String>,
    disabled: bool,
    disabled_kind: Option<OutageKind>,
    disabled_reason: Option<String>,
    expected_back: Option<String>,
    offered_until: Option<Timestamp>,
    created_at: Timestamp,
    version: i64,
    guest_id: Option<GuestId>,
    code: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    gender: Option<Gender>,
    accepted_at: Option<Timestamp>,
    reassigned_at: Option<Timestamp>,
    arrived_at: Option<Timestamp>,
    expected_departure: Option<String>,
    guest_version: Option<i64>,
}

impl BedRow {
    /// Returns the guest who has the bed at `now`.
    fn guest(&self, site: &Site, now: Timestamp) -> Option<GuestShort> {
        let (id, version) = (self.guest_id?, self.guest_version?);
        let (code, first_name, last_name) = (self.code.clone()?, self.first_name.clone()?, self.last_name.clone()?);
        Some(GuestShort {
            id,
            display_name: display_name(&first_name, &last_name, &code),
            code,
            first_name,
            last_name,
            gender: self.gender?,
            accepted_at: self.accepted_at,
            is_arriving: site.asks_arrival && self.arrived_at.is_none(),
            reassigned_at: self.reassigned_at,
            days_stayed: self.accepted_at.map_or(1, |from| days_stayed(from, now, &site.time_zone)),
            expected_departure: self.expected_departure.clone(),
            version,
        })
    }
}

/// Loads the houses of a site with their beds, in the order of the screen; only the house `room_id` if given.
pub async fn houses(tx: &mut Tx, site: &Site, room_id: Option<RoomId>, now: Timestamp) -> Result<Vec<RoomView>> {
    const ROOMS: &str = "SELECT id, name, image_path, meant_for, created_at, version FROM rooms WHERE site_id = $1 \
        AND deleted_at IS NULL AND ($2 IS NULL OR id = $2) ORDER BY position, id";
    const BEDS: &str = "SELECT b.id, b.room_id, b.name, b.description, b.kind, b.position, b.image_path, b.disabled, \
        o.kind AS disabled_kind, o.reason AS disabled_reason, o.expected_back, f.expires_at AS offered_until, b.created_at, b.version, g.id AS guest_id, \
        g.code, g.first_name, g.last_name, g.gender, g.accepted_at, g.reassigned_at, g.arrived_at, g.expected_departure, g.version AS guest_version FROM beds b \
        LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL LEFT JOIN guests g ON g.id = t.guest_id \
        LEFT JOIN bed_outages o ON o.bed_id = b.id AND o.ended_at IS NULL \
        LEFT JOIN bed_offers f ON f.bed_id = b.id AND f.ended_at IS NULL \
        WHERE b.site_id = $1 AND b.deleted_at IS NULL AND ($2 IS NULL OR b.room_id = $2) ORDER BY b.position, b.id";
    let today = date_at(now, &site.time_zone);
    let rooms: Vec<RoomRow> = tx.query(ROOMS).bind(site.id).bind(room_id).all().await?;
    let rows: Vec<BedRow> = tx.query(BEDS).bind(site.id).bind(room_id).all().await?;
    let mut beds: HashMap<RoomId, Vec<BedRow>> = HashMap::new();
    for row in rows {
        beds.entry(row.room_id).or_default().push(row);
    }
    let houses = rooms.into_iter().map(|room| {
        let short = RoomShort { id: room.id, name: room.name, image_path: room.image_path };
        let rows = beds.remove(&room.id).unwrap_or_default();
        let beds = rows.into_iter().map(|row| bed_view(row, &short, site, now, &today)).collect();
        let meant_for = MeantFor::from_text(&room.meant_for);
        RoomView::of(short, &meant_for, room.created_at, room.version, beds)
    });
    Ok(houses.collect())
}

/// Loads a house with its beds.
///
/// # Errors
/// 404 if there is no such house or it was removed.
pub async fn house(tx: &mut Tx, site: &Site, room_id: RoomId, now: Timestamp) -> Result<RoomView> {
    houses(tx, site, Some(room_id), now).await?.pop().ok_or(Error::NotFound)
}

fn bed_view(row: BedRow, room: &RoomShort, site: &Site, now: Timestamp, today: &str) -> BedView {
    let guest = row.guest(site, now);
    let outage = Outage {
        kind: row.disabled_kind.unwrap_or_default(),
        reason: row.disabled_reason,
        expected_back: row.expected_back,
    };
    BedView {
        id: row.id,
        name: row.name,
        description: row.description,
        kind: row.kind,
        index: row.position,
        image_path: row.image_path,
        disabled: row.disabled,
        disabled_kind: row.disabled_kind,
        is_overdue: outage.is_overdue(today),
        disabled_reason: outage.reason,
        expected_back: outage.expected_back,
        offered_until: row.offered_until,
        is_occupied: guest.is_some(),
        guest,
        created_at: row.created_at,
        version: row.version,
        room: room.clone(),
    }
}
