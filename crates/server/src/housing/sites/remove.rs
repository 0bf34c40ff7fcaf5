//! `DELETE /api/Sites/{id}`: removes a site. Its rows are kept for the history; its memberships end (spec A 7; DESIGN
//! 3, 6).

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, SiteId};
use berth_domain::policy::Action;
use berth_domain::stay::may_delete_site;
use berth_domain::time::Timestamp;

use super::refused;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Change};
use crate::housing::{guests, waitlist};
use crate::http::body::{Done, Path};
use crate::{App, Result};

/// Removes a site and ends its memberships. Refused while a bed has a guest or a reservation is pending.
#[utoipa::path(delete, path = "/api/Sites/{id}", tag = "Sites", params(("id" = SiteId, Path, description = "the site")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<SiteId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE sites SET deleted_at = $2, edit_version = edit_version + 1 WHERE id = $1";
    let site = caller.site(id, Action::DeleteSite).await?;
    let site = &site;
    change::run(&app, Author::caller(&caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        check_unused(&mut change.tx, id, now).await?;
        waitlist::end_all(&mut change, site.organization_id, id).await?;
        end_memberships(&mut change, site, now).await?;
        change.tx.query(REMOVE).bind(id).bind(now).execute().await?;
        let summary = format!("site {} removed", site.name);
        change.record(Entry::at(site, AuditAction::SiteRemoved, (ObjectKind::Site, id.0), summary)).await?;
        change.done(Done)
    })
    .await
}

/// Checks that no bed has a guest and no reservation is pending.
///
/// # Errors
/// 409 otherwise.
async fn check_unused(tx: &mut Tx, id: SiteId, now: Timestamp) -> Result<()> {
    const IN_USE: &str = concat!(
        "SELECT (SELECT COUNT(*) FROM stays WHERE site_id = $1 AND ended_at IS NULL) AS occupied, \
         (SELECT COUNT(*) FROM guests WHERE site_id = $1 AND ",
        guests::is_pending!("", "$2"),
        ") AS pending"
    );
    let (occupied, pending): (i64, i64) = tx.query(IN_USE).bind(id).bind(now).one().await?;
    may_delete_site(occupied, pending).map_err(refused)
}

async fn end_memberships(change: &mut Change, site: &Site, now: Timestamp) -> Result<()> {
    const END: &str = "UPDATE memberships SET deleted_at = $2 WHERE site_id = $1 AND deleted_at IS NULL RETURNING id";
    let mut ended: Vec<(MembershipId,)> = change.tx.query(END).bind(site.id).bind(now).all().await?;
    // SQLite and PostgreSQL return the rows in different orders.
    ended.sort_unstable();
    for (membership,) in ended {
        let object = (ObjectKind::Membership, membership.0);
        change.record(Entry::at(site, AuditAction::MembershipRemoved, object, "ended with the site")).await?;
    }
    Ok(())
}
