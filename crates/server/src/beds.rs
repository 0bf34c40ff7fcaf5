//! Beds: one of them, add, edit (with enable and disable), remove (spec B 3, 4, 5). The list of a site's beds is rendered
//! with its board, in `sites`. Every change touches the site first (DESIGN 2); an occupied bed is left alone (I4).

mod create;
mod edit;
mod outages;
mod stays;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::Gender;
use berth_domain::id::{BedId, GuestId, RoomId};
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::{self, AuditAction, By, Entry, ObjectKind, Shown};
use crate::body::Path;
use crate::caller::{Caller, Site};
use crate::rooms::RoomShort;
use crate::{App, Error, Result, sites};

pub use crate::sites::{__path_beds as __path_list, beds as list};
pub use create::{__path_create, NewBeds, create};
pub use edit::{__path_edit, __path_remove, BedEdit, edit, remove};
pub use outages::{__path_outages, BedOutage, outages};
pub use stays::{__path_stays, BedStay, stays};

/// The guest who holds a bed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestShort {
    /// The guest.
    #[serde(serialize_with = "audit::guest")]
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

/// One bed. When a guest holds it, the read is put on record first (I11).
#[utoipa::path(get, path = "/api/Beds/{id}", tag = "Beds", params(("id" = BedId, Path, description = "the bed")),
    responses((status = 200, body = BedView)))]
pub async fn one(State(app): State<App>, caller: Caller, Path(id): Path<BedId>) -> Result<Response> {
    let site = caller.bed(id, Action::ViewSite).await?;
    let mut tx = app.db.read().await?;
    let bed = find(&mut tx, &site, id, app.now()).await?;
    drop(tx);
    let shown = Shown::of(&bed)?;
    let bytes = match &bed.guest {
        None => shown.named(&[])?,
        Some(guest) => {
            let object = (ObjectKind::Guest, guest.id.0);
            let entry = Entry::at(&site, AuditAction::GuestViewed.by(&caller), object, guest.code.as_str());
            let entry = entry.between(None, Some(id));
            shown.recorded(&app, &By::caller(&caller, Some(&site)), entry).await?
        }
    };
    Ok(audit::json(StatusCode::OK, bytes))
}
