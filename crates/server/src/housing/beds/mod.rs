//! Beds: one of them, add, edit (with enable and disable), remove (spec B 3, 4, 5). The list of a site's beds is rendered
//! with its board, in `sites`. Every change touches the site first (DESIGN 2); an occupied bed is left alone (I4).

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
    /// When the guest got a bed.
    pub accepted_at: Option<Timestamp>,
    /// When the guest last moved.
    pub reassigned_at: Option<Timestamp>,
    /// Nights in the site's time zone, at least 1.
    pub days_stayed: i64,
    /// Raised by every change of the guest; to be sent with the next one.
    pub version: i64,
}

/// A bed, where it stands, and who holds it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bed)]
pub struct BedView {
    /// The bed.
    pub id: BedId,
    /// Its name, no other of the house has it.
    pub name: String,
    /// What else there is to say.
    pub description: Option<String>,
    /// What it is for.
    #[serde(rename = "type")]
    pub kind: BedKind,
    /// Its place in the order of the house.
    pub index: i64,
    /// Its photo.
    pub image_path: Option<String>,
    /// Taken out of use.
    pub disabled: bool,
    /// Why it is disabled. Null if no reason was given, and while it is in use.
    pub disabled_reason: Option<String>,
    /// The day on which it is expected back, in the site's time zone, such as 2026-12-01. Null if no day was given, and while
    /// it is in use.
    pub expected_back: Option<String>,
    /// True if it is still disabled after that day.
    pub is_overdue: bool,
    /// True if a guest holds it.
    pub is_occupied: bool,
    /// That guest.
    pub guest: Option<GuestShort>,
    /// Since when it is here.
    pub created_at: Timestamp,
    /// Raised by every edit; to be sent with the next one.
    pub version: i64,
    /// The house it stands in.
    pub room: RoomShort,
}

/// Reads a bed in the transaction of a change or a snapshot.
async fn find(tx: &mut Tx, site: &Site, id: BedId, now: Timestamp) -> Result<BedView> {
    const HOUSE: &str = "SELECT room_id FROM beds WHERE id = $1 AND deleted_at IS NULL";
    let room_id: RoomId = tx.query(HOUSE).bind(id).scalar().await?;
    let house = sites::house(tx, site, room_id, now).await?;
    house.beds.into_iter().find(|bed| bed.id == id).ok_or(Error::NotFound)
}
