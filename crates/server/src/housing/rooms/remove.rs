//! `DELETE /api/Rooms/{id}`: removes a house with its beds.

use axum::extract::State;
use berth_domain::id::{BedId, RoomId};
use berth_domain::policy::Action;
use berth_domain::stay::may_delete_room;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::housing::capacity::keep_capacity;
use crate::housing::{sites, waitlist};
use crate::http::body::{Done, Path};
use crate::{App, Result, change};

/// Removes a house and its beds. Refused while one of them has a guest, or while pending reservations need them.
#[utoipa::path(delete, path = "/api/Rooms/{id}", tag = "Rooms",
    params(("id" = RoomId, Path, description = "the house")), responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<RoomId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE rooms SET deleted_at = $2 WHERE id = $1";
    const REMOVE_BEDS: &str = "UPDATE beds SET deleted_at = $2 WHERE room_id = $1 AND deleted_at IS NULL";
    let site = caller.room(id, Action::EditHouses).await?;
    let site = &site;
    change::run(&app, Author::caller(&caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let room = sites::house(&mut change.tx, site, id, now).await?;
        may_delete_room(room.occupied_beds_count).map_err(sites::refused)?;
        let beds: Vec<BedId> = room.beds.iter().map(|bed| bed.id).collect();
        waitlist::withdraw_offers(&mut change, site, &beds).await?;
        keep_capacity(&change.app, &mut change.tx, site, room.vacant_beds_count, now).await?;

        change.tx.query(REMOVE_BEDS).bind(id).bind(now).execute().await?;
        change.tx.query(REMOVE).bind(id).bind(now).execute().await?;
        sites::settle(&mut change.tx, site.id).await?;
        for bed in &room.beds {
            let summary = format!("bed {} removed with its house", bed.name);
            change.record(Entry::at(site, AuditAction::BedRemoved, (ObjectKind::Bed, bed.id.0), summary)).await?;
        }
        let summary = format!("house {} removed", room.name);
        change.record(Entry::at(site, AuditAction::RoomRemoved, (ObjectKind::Room, id.0), summary)).await?;
        change.done(Done)
    })
    .await
}
