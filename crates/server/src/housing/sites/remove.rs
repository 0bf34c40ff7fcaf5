//! Removing a site. The rows stay for the history; the memberships end (spec A 7; DESIGN 3, 6).

use axum::extract::State;
use berth_domain::id::{MembershipId, SiteId};
use berth_domain::policy::Action;
use berth_domain::stay::may_delete_site;

use super::{refused, touch};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::http::body::{Done, Path};
use crate::{App, Result};

/// Removes a site and ends the memberships there. Refused while a bed has a guest or a reservation waits.
#[utoipa::path(delete, path = "/api/Sites/{id}", tag = "Sites", params(("id" = SiteId, Path, description = "the site")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<SiteId>) -> Result<Done> {
    const IN_USE: &str = concat!(
        "SELECT (SELECT COUNT(*) FROM stays WHERE site_id = $1 AND ended_at IS NULL) AS occupied, \
         (SELECT COUNT(*) FROM guests WHERE site_id = $1 AND ",
        guests::is_pending!("", "$2"),
        ") AS pending"
    );
    const MEMBERSHIPS: &str = "UPDATE memberships SET deleted_at = $2 WHERE site_id = $1 AND deleted_at IS NULL \
        RETURNING id";
    const REMOVE: &str = "UPDATE sites SET deleted_at = $2, edit_version = edit_version + 1 WHERE id = $1";
    let site = caller.site(id, Action::DeleteSite).await?;
    let now = app.now();
    let mut tx = app.db.begin().await?;
    let version = touch(&mut tx, id).await?;
    let (occupied, pending): (i64, i64) = tx.query(IN_USE).bind(id).bind(now).one().await?;
    may_delete_site(occupied, pending).map_err(refused)?;

    let mut ended: Vec<(MembershipId,)> = tx.query(MEMBERSHIPS).bind(id).bind(now).all().await?;
    // The engines return rows in orders of their own.
    ended.sort_unstable();
    tx.query(REMOVE).bind(id).bind(now).execute().await?;
    let by = Author::caller(&caller, Some(&site));
    for (membership,) in ended {
        let entry = Entry::at(
            &site,
            AuditAction::MembershipRemoved,
            (ObjectKind::Membership, membership.0),
            "ended with the site",
        );
        audit_log::write(&app, &mut tx, &by, &entry).await?;
    }
    let entry =
        Entry::at(&site, AuditAction::SiteRemoved, (ObjectKind::Site, id.0), format!("site {} removed", site.name));
    audit_log::write(&app, &mut tx, &by, &entry).await?;
    app.live.commit(tx, &site, version).await?;
    Ok(Done)
}
