//! What happened today, from the audit log: each decision about a guest is one row there.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::{BedId, GuestId, SiteId, UserId};
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::{TodayFilter, bind_filter, is_wanted, scope};
use super::place::TodayPlace;
use super::{MAX_ROWS, first_id_of};
use crate::Result;
use crate::admin::audit_log::AuditAction;
use crate::auth::caller::Caller;
use crate::housing::guests::{self, GuestView};

/// What happened to a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TodayMoveKind {
    /// The guest got a first bed.
    Accepted,
    /// The guest got another bed.
    Moved,
    /// The guest changed beds with another guest.
    Swapped,
    /// The guest left.
    Discharged,
    /// The reservation was declined.
    Declined,
    /// The guest cancelled the reservation on the public side.
    Cancelled,
    /// The hold ran out.
    Expired,
}

impl TodayMoveKind {
    fn of(action: &str) -> Option<Self> {
        match AuditAction::from_text(action)? {
            AuditAction::GuestAccepted => Some(Self::Accepted),
            AuditAction::GuestReassigned => Some(Self::Moved),
            AuditAction::GuestSwapped => Some(Self::Swapped),
            AuditAction::GuestDischarged => Some(Self::Discharged),
            AuditAction::GuestRejected => Some(Self::Declined),
            AuditAction::GuestCancelled => Some(Self::Cancelled),
            AuditAction::GuestExpired => Some(Self::Expired),
            _ => None,
        }
    }
}

/// A bed and its house.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodayBed {
    /// The bed.
    bed_id: BedId,
    /// The name of the house.
    room_name: String,
    /// The name of the bed.
    bed_name: String,
}

/// One event of today.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodayMove {
    /// What happened.
    kind: TodayMoveKind,
    /// When.
    at: Timestamp,
    /// First and last name of the person who did it. Null for an account without a name, for the public side, and for a hold that ran out.
    by: Option<String>,
    /// The person who did it. Null for the public side, and for a hold that ran out.
    by_user_id: Option<UserId>,
    /// The guest as it is now.
    guest: GuestView,
    /// The site.
    site: TodayPlace,
    /// The bed that the guest left. Null if there was none, or it is not known.
    from: Option<TodayBed>,
    /// The bed that the guest got. Null if there was none, or it is not known.
    to: Option<TodayBed>,
}

#[derive(berth_db::FromRow)]
struct Row {
    at: Timestamp,
    action: String,
    actor_id: Option<UserId>,
    from_bed_id: Option<BedId>,
    to_bed_id: Option<BedId>,
    site_id: SiteId,
    guest_id: GuestId,
}

/// The latest events of today.
pub(super) struct Happened {
    rows: Vec<Row>,
    pub(super) has_more: bool,
}

/// SQL query: events from the id $9 and the time $10 on, newest first, $11 at most.
macro_rules! happened {
    ($scope:ident) => {
        concat!(
            "SELECT a.at, a.action, a.actor_id, a.from_bed_id, a.to_bed_id, g.site_id, g.id AS guest_id FROM ",
            scope!($scope),
            " CROSS JOIN audit a JOIN guests g ON g.id = a.object_id WHERE a.site_id = y.id AND a.id >= $9 AND a.at >= $10 \
             AND a.action IN ('guest.accepted', 'guest.reassigned', 'guest.swapped', 'guest.discharged', 'guest.rejected', \
             'guest.cancelled', 'guest.expired') \
             AND NOT EXISTS (SELECT 1 FROM guest_undos u WHERE u.decision_id = a.id) \
             AND NOT EXISTS (SELECT 1 FROM undone_accepts u WHERE u.decision_id = a.id) AND ",
            is_wanted!(),
            " ORDER BY a.id DESC LIMIT $11"
        )
    };
}

/// Maximum number of events that are read. Some of them are of yesterday where their site is.
const MAX_READ: i64 = 300;

/// Finds the events at the caller's sites since midnight there.
pub(super) async fn happened(
    tx: &mut Tx,
    caller: &Caller,
    filter: &TodayFilter,
    midnights: &HashMap<SiteId, Timestamp>,
    now: Timestamp,
) -> Result<Happened> {
    const MINE: &str = happened!(mine);
    const ALL: &str = happened!(all);
    let from = midnights.values().min().copied().unwrap_or(now);
    let query = tx.query(if caller.is_global() { ALL } else { MINE });
    let query = bind_filter!(query, caller, filter).bind(first_id_of(from)).bind(from).bind(MAX_READ);
    let mut rows: Vec<Row> = query.all().await?;
    rows.retain(|row| midnights.get(&row.site_id).is_some_and(|midnight| row.at >= *midnight));
    let has_more = rows.len() > MAX_ROWS;
    rows.truncate(MAX_ROWS);
    Ok(Happened { rows, has_more })
}

impl Happened {
    pub(super) fn ids(&self) -> impl Iterator<Item = GuestId> {
        self.rows.iter().map(|row| row.guest_id)
    }

    /// Returns the events with their guests, beds and people.
    pub(super) async fn moves(
        &self,
        tx: &mut Tx,
        guests: &HashMap<GuestId, GuestView>,
        place_of: impl Fn(&GuestView) -> Option<TodayPlace>,
    ) -> Result<Vec<TodayMove>> {
        let beds =
            beds(tx, self.rows.iter().flat_map(|row| [row.from_bed_id, row.to_bed_id]).flatten().collect()).await?;
        let people = guests::names(&mut *tx, self.rows.iter().filter_map(|row| row.actor_id).collect()).await?;
        let bed = |id: Option<BedId>| id.and_then(|id| beds.get(&id).cloned());
        let event = |row: &Row| {
            let guest = guests.get(&row.guest_id)?.clone();
            Some(TodayMove {
                kind: TodayMoveKind::of(&row.action)?,
                at: row.at,
                by: row.actor_id.and_then(|id| people.get(&id).cloned()),
                by_user_id: row.actor_id,
                site: place_of(&guest)?,
                guest,
                from: bed(row.from_bed_id),
                to: bed(row.to_bed_id),
            })
        };
        Ok(self.rows.iter().filter_map(event).collect())
    }
}

/// Loads the names of beds, removed ones included.
async fn beds(tx: &mut Tx, mut ids: Vec<BedId>) -> Result<HashMap<BedId, TodayBed>> {
    const BEDS: &str = "SELECT b.id, r.name, b.name FROM beds b JOIN rooms r ON r.id = b.room_id WHERE b.id IN ($1..)";
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(BedId, String, String)> = tx.query(BEDS).bind_list(ids).all().await?;
    Ok(rows.into_iter().map(|(id, room_name, bed_name)| (id, TodayBed { bed_id: id, room_name, bed_name })).collect())
}
