//! `DELETE /api/Beds/{id}`: removes a vacant bed.

use axum::extract::State;
use berth_domain::id::BedId;
use berth_domain::policy::Action;
use berth_domain::stay::{BedChange, may_change_bed};

use super::load;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::housing::capacity::keep_capacity;
use crate::housing::{sites, waitlist};
use crate::http::body::{Done, Path};
use crate::{App, Result, change};

/// Removes a vacant bed. Its stays remain in the history.
#[utoipa::path(delete, path = "/api/Beds/{id}", tag = "Beds", params(("id" = BedId, Path, description = "the bed")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<BedId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE beds SET deleted_at = $2 WHERE id = $1";
    let site = caller.bed(id, Action::EditHouses).await?;
    let site = &site;
    change::run(&app, Author::caller(&caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let bed = load(&mut change.tx, site, id, now).await?;
        may_change_bed(BedChange::Remove, bed.is_occupied).map_err(sites::refused)?;
        waitlist::withdraw_offers(&mut change, site, &[id]).await?;
        keep_capacity(&change.app, &mut change.tx, site, i64::from(!bed.disabled), now).await?;

        change.tx.query(REMOVE).bind(id).bind(now).execute().await?;
        sites::settle(&mut change.tx, site.id).await?;
        let summary = format!("bed {} of house {} removed", bed.name, bed.room.name);
        change.record(Entry::at(site, AuditAction::BedRemoved, (ObjectKind::Bed, id.0), summary)).await?;
        change.done(Done)
    })
    .await
}
