//! Rooms, shown as houses on the screens: create, edit, remove (spec B 3, 4, 5). Every change touches the site first
//! (DESIGN 2).

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod remove;

use berth_domain::id::RoomId;
use berth_domain::placement::MeantFor;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Error;
use crate::housing::beds::BedView;

/// A house as part of its beds and guests.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomShort {
    /// The house.
    pub id: RoomId,
    /// Its name.
    pub name: String,
    /// Its photo.
    pub image_path: Option<String>,
}

/// A house with its beds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Room)]
pub struct RoomView {
    /// The house.
    pub id: RoomId,
    /// Its name, unique within the site.
    pub name: String,
    /// Its photo; the same as `imagePath`.
    pub photo: Option<String>,
    /// Its photo.
    pub image_path: Option<String>,
    /// True if it has a photo.
    pub has_photo: bool,
    /// True if it has beds.
    pub has_beds: bool,
    /// True if one of its beds has a guest.
    pub has_any_guests: bool,
    /// Beds, disabled ones included.
    pub beds_count: i64,
    /// Enabled beds without a guest.
    pub vacant_beds_count: i64,
    /// Beds with a guest.
    pub occupied_beds_count: i64,
    /// Disabled beds.
    pub disabled_beds_count: i64,
    /// Ids of the genders, ages and types of client that the house is for. A category without an id has no limit.
    pub meant_for: Vec<&'static str>,
    /// When it was added.
    pub created_at: Timestamp,
    /// Raised by every edit. Send it with the next edit.
    pub version: i64,
    /// Its beds, in order.
    pub beds: Vec<BedView>,
}

impl RoomView {
    /// Builds a house and counts its beds.
    #[must_use]
    pub fn of(room: RoomShort, meant_for: &MeantFor, created_at: Timestamp, version: i64, beds: Vec<BedView>) -> Self {
        let count =
            |which: fn(&BedView) -> bool| i64::try_from(beds.iter().filter(|bed| which(bed)).count()).unwrap_or(0);
        let occupied_beds_count = count(|bed| bed.is_occupied);
        Self {
            id: room.id,
            name: room.name,
            photo: room.image_path.clone(),
            has_photo: room.image_path.is_some(),
            image_path: room.image_path,
            has_beds: !beds.is_empty(),
            has_any_guests: occupied_beds_count > 0,
            beds_count: count(|_| true),
            vacant_beds_count: count(|bed| !bed.is_occupied && !bed.disabled),
            occupied_beds_count,
            disabled_beds_count: count(|bed| bed.disabled),
            meant_for: meant_for.ids(),
            created_at,
            version,
            beds,
        }
    }
}

/// Turns a name that another house of the site has into a field error. Other errors stay as they are.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("rooms_site_id_name_key_key") => Error::field("/name", "A house with this name already exists."),
        _ => error.into(),
    }
}
