//! Writes when guests of a site are expected to leave: one should have left, one leaves today, one tomorrow.

use berth_domain::id::GuestId;
use berth_domain::time::date_at;

use super::fill::{AuditLine, Placed, World};
use super::guests::OFFICE_ADDRESS;
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// A site of the demo's intake user.
const SITE: &str = "Harbor Light Anaheim Detox";
/// Days from today, for the guests who have been there longest.
const DAYS: [i64; 3] = [0, 1, -1];
/// Days since the departures were written down.
const SINCE: i64 = 2;

/// Writes the expected departures.
pub(super) async fn make(world: &mut World, sites: &[Placed]) -> berth_db::Result<()> {
    const LONGEST: &str = "SELECT g.id, g.code FROM guests g JOIN stays t ON t.guest_id = g.id AND t.ended_at IS NULL \
        WHERE g.site_id = $1 ORDER BY g.accepted_at, g.id LIMIT $2";
    const SET: &str = "UPDATE guests SET expected_departure = $2, version = version + 1 WHERE id = $1";
    let most = i64::try_from(DAYS.len()).unwrap_or(i64::MAX);
    for site in sites.iter().filter(|site| site.plan.name == SITE) {
        let guests: Vec<(GuestId, String)> = world.tx.query(LONGEST).bind(site.id).bind(most).all().await?;
        for ((guest, code), days) in guests.into_iter().zip(DAYS) {
            let day = date_at(world.now.plus_days(days), "America/Los_Angeles");
            world.tx.query(SET).bind(guest).bind(&day).execute().await?;
            let line = AuditLine {
                at: world.now.plus_days(-SINCE),
                action: AuditAction::GuestDepartureSet,
                actor: site.actors.first(),
                login: None,
                place: (Some(site.organization_id), Some(site.id)),
                object: Some((ObjectKind::Guest, guest.0)),
                summary: format!("{code}: expected to leave: {day}"),
                address: OFFICE_ADDRESS,
            };
            world.record(line).await?;
        }
    }
    Ok(())
}
