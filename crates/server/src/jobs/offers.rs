//! Offers beds that became free to the people on the waitlist, and ends offers that were not answered in time (docs/decisions/0066).

use berth_domain::id::SiteId;
use berth_domain::waitlist::{PASSED_HOURS, UNDO_SECONDS};

use crate::admin::audit_log::Author;
use crate::auth::caller::Site;
use crate::housing::{guests, sites, waitlist};
use crate::{App, Result, change};

/// Sites with an offer that is over, or with a person who waits without an offer while a fitting bed is free that no reservation holds. $1 is
/// now, $2 the time since which beds are left alone, $3 the time since which offers that were let pass count.
const SITES: &str = concat!(
    "SELECT DISTINCT site_id FROM bed_offers WHERE ended_at IS NULL AND expires_at <= $1 \
     UNION SELECT w.site_id FROM waiting_guests w JOIN sites s ON s.id = w.site_id AND s.deleted_at IS NULL \
     WHERE w.ended_at IS NULL \
     AND NOT EXISTS (SELECT 1 FROM bed_offers f WHERE f.waiting_guest_id = w.id AND f.ended_at IS NULL) \
     AND EXISTS (SELECT 1 FROM beds b WHERE b.site_id = w.site_id AND b.deleted_at IS NULL AND NOT b.disabled \
        AND (w.bed_kind IS NULL OR w.bed_kind = b.kind) \
        AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND (t.ended_at IS NULL OR t.ended_at > $2)) \
        AND NOT EXISTS (SELECT 1 FROM bed_offers p WHERE p.waiting_guest_id = w.id AND p.bed_id = b.id AND p.ended_at > $3 \
            AND p.outcome IN ('declined', 'lapsed')) AND ",
    waitlist::is_unoffered!("b."),
    ") AND (SELECT COUNT(*) FROM beds b WHERE b.site_id = w.site_id AND b.deleted_at IS NULL AND NOT b.disabled \
        AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND (t.ended_at IS NULL OR t.ended_at > $2)) AND ",
    waitlist::is_unoffered!("b."),
    ") > (SELECT COUNT(*) FROM guests g WHERE g.site_id = w.site_id AND ",
    guests::is_pending!("g.", "$1"),
    ") + (SELECT COUNT(*) FROM guests g WHERE g.site_id = w.site_id AND g.rejected_at > $2 AND g.cancelled_at IS NULL)"
);

async fn due(app: &App) -> Result<Vec<(SiteId,)>> {
    let now = app.now();
    Ok(app
        .db
        .query(SITES)
        .bind(now)
        .bind(now.plus_millis(-UNDO_SECONDS * 1000))
        .bind(now.plus_hours(-PASSED_HOURS))
        .all()
        .await?)
}

/// Returns true if an offer is over or a bed can be offered.
pub async fn is_due(app: &App) -> Result<bool> {
    Ok(!due(app).await?.is_empty())
}

/// Ends and makes the offers that are due, with one transaction for each site. Returns how many there were.
///
/// # Errors
/// The last error, after everything else was done: an error at one site does not stop the others.
pub async fn run(app: &App) -> Result<u64> {
    let persons = app.persons.key(app).await?;
    let (mut done, mut failed) = (0, None);
    let mut sites_due = due(app).await?;
    sites_due.sort_unstable();
    for (id,) in sites_due {
        let offered: Result<u64> = change::run(app, Author::job(), |mut change| async move {
            let version = sites::touch_removed_too(&mut change.tx, id).await?;
            change.now = change.app.now();
            let site = Site::load_removed_too(&mut change.tx, id).await?;
            let offered = waitlist::offer_due(&mut change, &site, persons).await?;
            if offered == 0 {
                // Another node was first.
                return change::unchanged(0);
            }
            change.publish(site.organization_id, site.id, version);
            change.done(offered)
        })
        .await;
        match offered {
            Ok(offered) => done += offered,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}
