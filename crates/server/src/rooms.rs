//! Rooms, shown as houses: add, edit, remove (spec B 3, 4, 5). Every change touches the site first (DESIGN 2).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::bed::next_room_name;
use berth_domain::check::Check;
use berth_domain::id::{RoomId, SiteId};
use berth_domain::policy::Action;
use berth_domain::stay::{may_delete_room, may_take_beds};
use berth_domain::time::Timestamp;
use berth_domain::value::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::audit::{self, AuditAction, By, Entry, Look, ObjectKind, Shown};
use crate::beds::BedView;
use crate::body::{Body, Done, Path, present};
use crate::caller::{Caller, Site};
use crate::change;
use crate::files::{self, Prefix};
use crate::jobs::holds;
use crate::{App, Error, Result, etag, sites};

/// A house, as far as its beds and guests name it.
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
    /// Its name, no other of the site has it.
    pub name: String,
    /// Its photo; the same as `imagePath`.
    pub photo: Option<String>,
    /// Its photo.
    pub image_path: Option<String>,
    /// Whether it has a photo.
    pub has_photo: bool,
    /// Whether it has beds.
    pub has_beds: bool,
    /// Whether one of its beds has a guest.
    pub has_any_guests: bool,
    /// Beds, disabled ones included.
    pub beds_count: i64,
    /// Enabled beds without a guest.
    pub vacant_beds_count: i64,
    /// Beds with a guest.
    pub occupied_beds_count: i64,
    /// Beds taken out of use.
    pub disabled_beds_count: i64,
    /// Since when it is here.
    pub created_at: Timestamp,
    /// Raised by every edit; to be sent with the next one.
    pub version: i64,
    /// Its beds, in order.
    pub beds: Vec<BedView>,
}

impl RoomView {
    /// A house with `beds`, counted.
    #[must_use]
    pub fn of(room: RoomShort, created_at: Timestamp, version: i64, beds: Vec<BedView>) -> Self {
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
            created_at,
            version,
            beds,
        }
    }
}

/// A house to add.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewRoom {
    /// Where.
    site_id: SiteId,
    /// Its name; 'House #N' when left out.
    #[schema(nullable = false)]
    name: Option<String>,
    /// Its photo, as the upload answered.
    #[schema(nullable = false)]
    image_path: Option<String>,
}

/// A house as it shall be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomEdit {
    /// Its name.
    name: String,
    /// Its photo; null takes it away, absent leaves it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    image_path: Option<Option<String>>,
    /// The version that the caller saw; `If-Match` says the same. Another one is answered by 412.
    #[serde(default)]
    version: Option<i64>,
}

/// A name that another house of the site has is a field error; anything else went wrong.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("rooms_site_id_name_key_key") => Error::field("/name", "A house with this name already exists."),
        _ => error.into(),
    }
}

/// Adds a house to a site.
#[utoipa::path(post, path = "/api/Rooms", tag = "Rooms", request_body = NewRoom,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, body = RoomView)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(ask): Body<NewRoom>,
) -> Result<Response> {
    const NAMES: &str = "SELECT name FROM rooms WHERE site_id = $1 AND deleted_at IS NULL";
    const INSERT: &str = "INSERT INTO rooms (id, site_id, name, name_key, image_path, position, created_at) \
        SELECT $1, $2, $3, $4, $5, COALESCE(MAX(position), 0) + 1, $6 FROM rooms WHERE site_id = $2";
    let site = caller.site(ask.site_id, Action::EditHouses).await?;
    let mut check = Check::new();
    let name = check.optional("/name", ask.name.as_deref(), Name::parse).map(String::from);
    let image_path = sites::photo(&mut check, ask.image_path.as_deref());
    check.finish()?;

    let (site, name, image_path) = (&site, &name, image_path.as_deref());
    let by = By::caller(&caller, Some(site));
    change::once(&app, by, &headers, &("POST house", &ask), |mut change| async move {
        let (id, now) = (RoomId(change.app.id()), change.now);
        change.touch(site).await?;
        files::claim(&mut change.tx, Prefix::Room, "/imagePath", image_path, None, now).await?;
        let name = match name {
            Some(name) => name.clone(),
            None => {
                let names: Vec<(String,)> = change.tx.query(NAMES).bind(site.id).all().await?;
                next_room_name(&names.into_iter().map(|(name,)| name).collect::<Vec<_>>())
            }
        };
        let key = berth_domain::name_key(&name);
        let insert = change.tx.query(INSERT).bind(id).bind(site.id).bind(&name).bind(key).bind(image_path).bind(now);
        insert.execute().await.map_err(taken)?;
        let object = (ObjectKind::Room, id.0);
        change.tell(Entry::at(site, AuditAction::RoomCreated, object, format!("house {name} added"))).await?;
        sites::settle(&mut change.tx, site.id).await?;
        let room = sites::house(&mut change.tx, site, id, now).await?;
        change.with((StatusCode::CREATED, room))
    })
    .await
}

/// Renames a house or changes its photo. Its guests stay where they are.
#[utoipa::path(put, path = "/api/Rooms/{id}", tag = "Rooms", request_body = RoomEdit,
    params(("id" = RoomId, Path, description = "the house")), responses((status = 200, body = RoomView)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<RoomId>,
    headers: HeaderMap,
    Body(ask): Body<RoomEdit>,
) -> Result<Response> {
    const UPDATE: &str = "UPDATE rooms SET name = $2, name_key = $3, image_path = $4, version = version + 1 \
        WHERE id = $1";
    let site = caller.room(id, Action::EditHouses).await?;
    let mut check = Check::new();
    let name = check.field("/name", Name::parse(&ask.name));
    let sent = ask.image_path.map(|sent| sites::photo(&mut check, sent.as_deref()));
    let name = check.build(|| name)?;

    let (app, caller, headers, site, name, sent) = (&app, &caller, &headers, &site, &name, &sent);
    change::run(app, By::caller(caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let old = sites::house(&mut change.tx, site, id, now).await?;
        let image_path = sent.clone().unwrap_or_else(|| old.image_path.clone());
        if name.as_str() == old.name && image_path == old.image_path {
            drop(change);
            let bytes = Shown::of(&old)?.noted(app, Look::at(caller, site, AuditAction::BoardViewed)).await?;
            return change::nothing(audit::json(StatusCode::OK, bytes));
        }
        etag::guard(headers, ask.version, old.version)?;

        let (path, before) = (image_path.as_deref(), old.image_path.as_deref());
        files::claim(&mut change.tx, Prefix::Room, "/imagePath", path, before, now).await?;
        let update = change.tx.query(UPDATE).bind(id).bind(name.as_str()).bind(name.key()).bind(path);
        update.execute().await.map_err(taken)?;
        let object = (ObjectKind::Room, id.0);
        let summary = format!("house {} is now {name}", old.name);
        change.tell(Entry::at(site, AuditAction::RoomEdited, object, summary)).await?;
        let room = sites::house(&mut change.tx, site, id, now).await?;
        let seen = Entry::at(site, AuditAction::BoardViewed.by(caller), object, "");
        let bytes = change.show(&room, seen).await?;
        change.with(audit::json(StatusCode::OK, bytes))
    })
    .await
}

/// Removes a house and its beds. Refused while one of them has a guest, or while pending reservations need them.
#[utoipa::path(delete, path = "/api/Rooms/{id}", tag = "Rooms",
    params(("id" = RoomId, Path, description = "the house")), responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<RoomId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE rooms SET deleted_at = $2 WHERE id = $1";
    const REMOVE_BEDS: &str = "UPDATE beds SET deleted_at = $2 WHERE room_id = $1 AND deleted_at IS NULL";
    let site = caller.room(id, Action::EditHouses).await?;
    let site = &site;
    change::run(&app, By::caller(&caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let room = sites::house(&mut change.tx, site, id, now).await?;
        may_delete_room(room.occupied_beds_count).map_err(sites::refused)?;
        keep_capacity(&change.app, &mut change.tx, site, room.vacant_beds_count, now).await?;

        change.tx.query(REMOVE_BEDS).bind(id).bind(now).execute().await?;
        change.tx.query(REMOVE).bind(id).bind(now).execute().await?;
        sites::settle(&mut change.tx, site.id).await?;
        for bed in &room.beds {
            let summary = format!("bed {} removed with its house", bed.name);
            change.tell(Entry::at(site, AuditAction::BedRemoved, (ObjectKind::Bed, bed.id.0), summary)).await?;
        }
        let summary = format!("house {} removed", room.name);
        change.tell(Entry::at(site, AuditAction::RoomRemoved, (ObjectKind::Room, id.0), summary)).await?;
        change.with(Done)
    })
    .await
}

/// Refuses to take `taken` vacant beds away from pending reservations that need them (I10). Those whose hold is over need
/// none any more: their end goes on record with the change.
///
/// # Errors
/// 409 with the sentence.
pub async fn keep_capacity(app: &App, tx: &mut Tx, site: &Site, taken: i64, now: Timestamp) -> Result<()> {
    let capacity = sites::capacity(tx, site.id, now).await?;
    if taken > 0 && capacity.overdue > 0 {
        holds::end_overdue_of(app, tx, site, now).await?;
    }
    may_take_beds(capacity.vacant, taken, capacity.pending).map_err(sites::refused)
}
