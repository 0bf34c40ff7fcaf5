//! The houses of a site's payload (spec A 2, 5; DESIGN 6, "houses and beds").

use serde::{Deserialize, Serialize};

use crate::bed::BedKind;
use crate::check::{Check, FieldErrors};
use crate::id::RoomId;
use crate::value::{Name, name_key};

/// Maximum number of houses in a payload.
const MOST_ROOMS: usize = 50;
/// Maximum number of beds in a payload.
const MOST_BEDS: i64 = 500;

/// Beds of one type to put into a new house.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BedsForm {
    /// The type. The default is Sober Living.
    #[serde(default, rename = "type")]
    #[schema(required = false)]
    pub kind: BedKind,
    /// Number of beds, 0 to 100.
    pub count: i64,
}

/// A house of a new site.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = NewSiteRoom)]
pub struct NewRoomForm {
    /// Its name. The default is 'House #N'.
    pub name: Option<String>,
    /// Path of its photo, from the upload.
    pub image_path: Option<String>,
    /// Its beds, at least one.
    #[serde(default)]
    #[schema(required = true)]
    pub beds: Vec<BedsForm>,
}

/// A house in an edit. With an id it is renamed, without it is added.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = SiteRoomEdit)]
pub struct RoomChangeForm {
    /// The house to rename. If left out, a house is added.
    pub id: Option<RoomId>,
    /// Its name. The default of a new house is 'House #N'.
    pub name: Option<String>,
    /// New houses: path of the photo, from the upload.
    pub image_path: Option<String>,
    /// New houses: the beds.
    #[serde(default)]
    pub beds: Vec<BedsForm>,
}

/// A house to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRoom {
    /// Its name. `None` for the next 'House #N'.
    pub name: Option<Name>,
    /// Path of its photo. The server checks that it was uploaded as one.
    pub image_path: Option<String>,
    /// The bed types with the number of beds of each, at least 1.
    pub beds: Vec<(BedKind, usize)>,
}

/// The change of a house in an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomChange {
    /// Add the house.
    Add(NewRoom),
    /// Rename the house.
    Rename(RoomId, Name),
}

/// Parses the houses of a new site. A non-commercial site has at least one, and each house has a bed.
pub(super) fn parse_new(forms: &[NewRoomForm], is_commercial: bool) -> Result<Vec<NewRoom>, FieldErrors> {
    let mut check = Check::new();
    check.require(is_commercial || !forms.is_empty(), "", "Add at least one room.");
    let mut rooms = Vec::new();
    for (index, form) in forms.iter().enumerate() {
        let room = room(form.name.as_deref(), form.image_path.as_deref(), &form.beds, true);
        rooms.extend(check.nested(&format!("/{index}"), room));
    }
    let names = forms.iter().map(|form| form.name.as_deref());
    limits(&mut check, names, forms.iter().flat_map(|form| &form.beds));
    check.finish().map(|()| rooms)
}

/// Parses the houses of an edit. A new house may have no beds.
pub(super) fn parse_changes(forms: &[RoomChangeForm]) -> Result<Vec<RoomChange>, FieldErrors> {
    let mut check = Check::new();
    let mut changes = Vec::new();
    for (index, form) in forms.iter().enumerate() {
        changes.extend(check.nested(&format!("/{index}"), change(form)));
        let again = form.id.is_some() && forms.iter().take(index).any(|earlier| earlier.id == form.id);
        check.require(!again, &format!("/{index}/id"), "This house is listed twice.");
    }
    let names = forms.iter().map(|form| form.name.as_deref());
    limits(&mut check, names, forms.iter().flat_map(|form| &form.beds));
    check.finish().map(|()| changes)
}

fn change(form: &RoomChangeForm) -> Result<RoomChange, FieldErrors> {
    let Some(id) = form.id else {
        return room(form.name.as_deref(), form.image_path.as_deref(), &form.beds, false).map(RoomChange::Add);
    };
    let mut check = Check::new();
    let name = check.field("/name", Name::parse(form.name.as_deref().unwrap_or_default()));
    check.require(form.beds.is_empty(), "/beds", "Change the beds of an existing house on the Houses tab.");
    let no_photo = form.image_path.as_deref().is_none_or(|path| path.trim().is_empty());
    check.require(no_photo, "/imagePath", "Change the photo of an existing house on the Houses tab.");
    check.build(|| Some(RoomChange::Rename(id, name?)))
}

fn room(name: Option<&str>, image: Option<&str>, beds: &[BedsForm], needs_beds: bool) -> Result<NewRoom, FieldErrors> {
    let mut check = Check::new();
    let name = check.optional("/name", name, Name::parse);
    for (index, beds) in beds.iter().enumerate() {
        let pointer = format!("/beds/{index}/count");
        check.require(beds.count >= 0, &pointer, "The number of beds cannot be below 0.");
        check.require(beds.count <= 100, &pointer, "At most 100 beds can be added at once.");
    }
    let beds = beds.iter().filter_map(|beds| usize::try_from(beds.count).ok().map(|count| (beds.kind, count)));
    let beds: Vec<_> = beds.filter(|(_, count)| *count > 0).collect();
    check.require(!needs_beds || !beds.is_empty(), "/beds", "Add at least one bed to the room.");
    let image_path = image.map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned);
    check.finish().map(|()| NewRoom { name, image_path, beds })
}

/// Checks that names are unique and that the number of houses and beds is within the limits.
fn limits<'a>(
    check: &mut Check,
    names: impl Iterator<Item = Option<&'a str>>,
    beds: impl Iterator<Item = &'a BedsForm>,
) {
    let keys: Vec<String> = names.map(|name| name.map(key).unwrap_or_default()).collect();
    for (index, key) in keys.iter().enumerate().filter(|(_, key)| !key.is_empty()) {
        let again = keys[..index].contains(key);
        check.require(!again, &format!("/{index}/name"), "A house with this name already exists.");
    }
    check.require(keys.len() <= MOST_ROOMS, "", "At most 50 houses can be added at once.");
    let all = beds.fold(0_i64, |sum, beds| sum.saturating_add(beds.count.max(0)));
    check.require(all <= MOST_BEDS, "", "At most 500 beds can be added at once.");
}

/// Returns the key by which names are unique. Empty for an invalid name.
fn key(name: &str) -> String {
    Name::parse(name).map(|name| name_key(name.as_str())).unwrap_or_default()
}
