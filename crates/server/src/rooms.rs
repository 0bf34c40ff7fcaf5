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
use crate::files::{self, Prefix};
use crate::idempotency::{self, Claim, Claimed};
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

    let (id, now) = (RoomId(app.id()), app.now());
    let mut tx = app.db.begin().await?;
    let asked = ("POST house", &ask);
    let claim = match idempotency::claim(&app, &mut tx, &headers, caller.actor.user_id.to_string(), &asked).await? {
        Claimed::Go(claim) => claim,
        Claimed::Replay(replay) => return replay.of_nobody(),
    };
    let version = sites::touch(&mut tx, site.id).await?;
    files::claim(&mut tx, Prefix::Room, "/imagePath", image_path.as_deref(), None, now).await?;
    let name = match name {
        Some(name) => name,
        None => {
            let names: Vec<(String,)> = tx.query(NAMES).bind(site.id).all().await?;
            next_room_name(&names.into_iter().map(|(name,)| name).collect::<Vec<_>>())
        }
    };
    let key = berth_domain::name_key(&name);
    let insert = tx.query(INSERT).bind(id).bind(site.id).bind(&name).bind(key).bind(image_path).bind(now);
    insert.execute().await.map_err(taken)?;
    let entry = Entry::at(&site, AuditAction::RoomCreated, (ObjectKind::Room, id.0), format!("house {name} added"));
    audit::write(&app, &mut tx, &By::caller(&caller, Some(&site)), &entry).await?;
    sites::settle(&mut tx, site.id).await?;
    let room = sites::house(&mut tx, &site, id, now).await?;
    let response = Claim::answer(claim, &mut tx, StatusCode::CREATED, &room).await?;
    app.live.commit(tx, &site, version).await?;
    Ok(response)
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

    let now = app.now();
    let mut tx = app.db.begin().await?;
    let version = sites::touch(&mut tx, site.id).await?;
    let old = sites::house(&mut tx, &site, id, now).await?;
    let image_path = sent.unwrap_or_else(|| old.image_path.clone());
    if name.as_str() == old.name && image_path == old.image_path {
        drop(tx);
        let bytes = Shown::of(&old)?.noted(&app, Look::at(&caller, &site, AuditAction::BoardViewed)).await?;
        return Ok(audit::json(StatusCode::OK, bytes));
    }
    etag::guard(&headers, ask.version, old.version)?;

    files::claim(&mut tx, Prefix::Room, "/imagePath", image_path.as_deref(), old.image_path.as_deref(), now).await?;
    let update = tx.query(UPDATE).bind(id).bind(name.as_str()).bind(name.key()).bind(image_path);
    update.execute().await.map_err(taken)?;
    let entry = Entry::at(
        &site,
        AuditAction::RoomEdited,
        (ObjectKind::Room, id.0),
        format!("house {} is now {name}", old.name),
    );
    let by = By::caller(&caller, Some(&site));
    audit::write(&app, &mut tx, &by, &entry).await?;
    let room = sites::house(&mut tx, &site, id, now).await?;
    let seen = Entry::at(&site, AuditAction::BoardViewed.by(&caller), (ObjectKind::Room, id.0), "");
    let bytes = Shown::of(&room)?.written(&app, &mut tx, &by, seen).await?;
    app.live.commit(tx, &site, version).await?;
    Ok(audit::json(StatusCode::OK, bytes))
}

/// Removes a house and its beds. Refused while one of them has a guest, or while pending reservations need them.
#[utoipa::path(delete, path = "/api/Rooms/{id}", tag = "Rooms",
    params(("id" = RoomId, Path, description = "the house")), responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<RoomId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE rooms SET deleted_at = $2 WHERE id = $1";
    const REMOVE_BEDS: &str = "UPDATE beds SET deleted_at = $2 WHERE room_id = $1 AND deleted_at IS NULL";
    let site = caller.room(id, Action::EditHouses).await?;
    let now = app.now();
    let mut tx = app.db.begin().await?;
    let version = sites::touch(&mut tx, site.id).await?;
    let room = sites::house(&mut tx, &site, id, now).await?;
    may_delete_room(room.occupied_beds_count).map_err(sites::refused)?;
    keep_capacity(&app, &mut tx, &site, room.vacant_beds_count, now).await?;

    tx.query(REMOVE_BEDS).bind(id).bind(now).execute().await?;
    tx.query(REMOVE).bind(id).bind(now).execute().await?;
    sites::settle(&mut tx, site.id).await?;
    let by = By::caller(&caller, Some(&site));
    for bed in &room.beds {
        let entry = Entry::at(
            &site,
            AuditAction::BedRemoved,
            (ObjectKind::Bed, bed.id.0),
            format!("bed {} removed with its house", bed.name),
        );
        audit::write(&app, &mut tx, &by, &entry).await?;
    }
    let entry =
        Entry::at(&site, AuditAction::RoomRemoved, (ObjectKind::Room, id.0), format!("house {} removed", room.name));
    audit::write(&app, &mut tx, &by, &entry).await?;
    app.live.commit(tx, &site, version).await?;
    Ok(Done)
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
