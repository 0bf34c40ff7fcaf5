//! Removing an organization with its sites. The rows stay for the history; the memberships end (DESIGN 3, 6).

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::stay::may_delete_organization;
use berth_domain::time::Timestamp;

use super::lock;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Organization};
use crate::change;
use crate::housing::{guests, sites, waitlist};
use crate::http::body::{Done, Path};
use crate::{App, Result};

/// Removes an organization with its sites and ends the memberships there. 409 while a bed is occupied or a reservation is
/// pending.
#[utoipa::path(delete, path = "/api/Organizations/{id}", tag = "Organizations",
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<OrganizationId>) -> Result<Done> {
    let organization = caller.organization(id, Action::DeleteOrganization).await?;
    let organization = &organization;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let now = change.now;
        lock(&mut change.tx, id).await?;
        // Locks every site, so the counts below stay true until the commit.
        change.touch_all(id).await?;
        let (occupied, pending) = in_use(&mut change.tx, id, now).await?;
        may_delete_organization(occupied, pending).map_err(sites::refused)?;
        let ended = end(&mut change.tx, id, now).await?;
        for (site, _) in &ended.sites {
            waitlist::end_all(&mut change, id, *site).await?;
        }
        for entry in entries(organization, &ended) {
            change.record(entry).await?;
        }
        change.done(Done)
    })
    .await
}

/// Counts the occupied beds and the pending reservations of all its sites.
async fn in_use(tx: &mut Tx, id: OrganizationId, now: Timestamp) -> Result<(i64, i64)> {
    const IN_USE: &str = concat!(
        "SELECT (SELECT COUNT(*) FROM stays t JOIN sites s ON s.id = t.site_id \
         WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND t.ended_at IS NULL) AS occupied, \
         (SELECT COUNT(*) FROM guests g JOIN sites s ON s.id = g.site_id \
         WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND ",
        guests::is_pending!("g.", "$2"),
        ") AS pending"
    );
    Ok(tx.query(IN_USE).bind(id).bind(now).one().await?)
}

/// The sites and memberships that were removed with the organization.
struct Ended {
    sites: Vec<(SiteId, String)>,
    memberships: Vec<(MembershipId, Option<SiteId>)>,
}

async fn end(tx: &mut Tx, id: OrganizationId, now: Timestamp) -> Result<Ended> {
    const MEMBERSHIPS: &str = "UPDATE memberships SET deleted_at = $2 WHERE deleted_at IS NULL \
        AND (organization_id = $1 OR site_id IN (SELECT id FROM sites WHERE organization_id = $1)) \
        RETURNING id, site_id";
    const SITES: &str = "UPDATE sites SET deleted_at = $2 WHERE organization_id = $1 AND deleted_at IS NULL \
        RETURNING id, name";
    const ORGANIZATION: &str = "UPDATE organizations SET deleted_at = $2, version = version + 1 WHERE id = $1";
    let mut memberships: Vec<(MembershipId, Option<SiteId>)> = tx.query(MEMBERSHIPS).bind(id).bind(now).all().await?;
    let mut sites: Vec<(SiteId, String)> = tx.query(SITES).bind(id).bind(now).all().await?;
    tx.query(ORGANIZATION).bind(id).bind(now).execute().await?;
    // RETURNING has no defined order.
    memberships.sort_unstable();
    sites.sort_unstable();
    Ok(Ended { sites, memberships })
}

/// Returns the audit rows: one for each membership and site, and one for the organization.
fn entries(organization: &Organization, ended: &Ended) -> Vec<Entry> {
    let place = |action, site_id, object, summary: String| {
        Entry::placed((Some(organization.id), site_id), action, Some(object), summary)
    };
    let memberships = ended.memberships.iter().map(|(membership, site)| {
        place(
            AuditAction::MembershipRemoved,
            *site,
            (ObjectKind::Membership, membership.0),
            "ended with the organization".to_owned(),
        )
    });
    let sites = ended.sites.iter().map(|(site, name)| {
        place(
            AuditAction::SiteRemoved,
            Some(*site),
            (ObjectKind::Site, site.0),
            format!("site {name} removed with its organization"),
        )
    });
    let own =
        super::entry(organization, AuditAction::OrganizationRemoved, format!("organization {}", organization.name));
    memberships.chain(sites).chain([own]).collect()
}
