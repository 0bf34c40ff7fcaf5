//! Beds: show, create, edit (with enable and disable), remove (spec B 3, 4, 5). The list of a site's beds is rendered
//! with its board, in `sites`. Every change touches the site first (DESIGN 2); occupied beds cannot be changed (I4).

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod outages;
pub(crate) mod remove;
pub(crate) mod show;
pub(crate) mod stays;

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::Gender;
use berth_domain::id::{BedId, GuestId, RoomId};
use berth_domain::outage::OutageKind;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::audit_log;
use crate::auth::caller::Site;
use crate::housing::rooms::RoomShort;
use crate::housing::sites;
use crate::{Error, Result};

pub use create::NewBeds;
pub use edit::BedEdit;
pub use outages::BedOutage;
pub use stays::BedStay;

/// The guest who holds a bed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestShort {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    pub id: GuestId,
    /// The reservation's code.
    pub code: String,
    /// First name.
    pub first_name: String,
    /// Initial of the last name.
    pub last_name: String,
    /// First name, initial and code.
    pub display_name: String,
    /// Gender.
    pub gender: Gender,
    /// When the guest was accepted.
    pub accepted_at: Option<Timestamp>,
    /// True if the bed is reserved for the guest, who has not arrived yet. Only at sites that ask for arrivals.
    pub is_arriving: bool,
    /// When the guest was last moved or swapped.
    pub reassigned_at: Option<Timestamp>,
    /// Nights since the guest was accepted, in the site's time zone, at least 1.
    pub days_stayed: i64,
    /// The day on which the guest is expected to leave, in the site's time zone, such as 2026-12-01. Null if no day was given.
    pub expected_departure: Option<String>,
    /// Raised by every change of the guest. Send it with the next change.
    pub version: i64,
}

/// A bed with its house and its guest.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bed)]
pub struct BedView {
    /// The bed.
    pub id: BedId,
    /// Its name, unique within the house.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// What it is for.
    #[serde(rename = "type")]
    pub kind: BedKind,
    /// Its position in the house.
    pub index: i64,
    /// Its photo.
    pub image_path: Option<String>,
    /// True if it is disabled.
    pub disabled: bool,
    /// What it waits for while it is disabled. Null while it is in use.
    pub disabled_kind: Option<OutageKind>,
    /// Why it is disabled. Null if no reason was given, and while it is in use.
    pub disabled_reason: Option<String>,
    /// The day on which it is expected back, in the site's time zone, such as 2026-12-01. Null if no day was given, and
    /// while it is in use.
    pub expected_back: Option<String>,
    /// True if it is still disabled after that day.
    pub is_overdue: bool,
    /// Until when it is offered to a person on the waitlist. Null if it is not on offer.
    pub offered_until: Option<Timestamp>,
    /// True if it has a guest.
    pub is_occupied: bool,
    /// The guest who has it.
    pub guest: Option<GuestShort>,
    /// When it was added.
    pub created_at: Timestamp,
    /// Raised by every edit. Send it with the next edit.
    pub version: i64,
    /// Its house.
    pub room: RoomShort,
}

/// Loads a bed in a transaction.
async fn load(tx: &mut Tx, site: &Site, id: BedId, now: Timestamp) -> Result<BedView> {
    const HOUSE: &str = "SELECT room_id FROM beds WHERE id = $1 AND deleted_at IS NULL";
    let room_id: RoomId = tx.query(HOUSE).bind(id).scalar().await?;
    let house = sites::house(tx, site, room_id, now).await?;
    house.beds.into_iter().find(|bed| bed.id == id).ok_or(Error::NotFound)
}
