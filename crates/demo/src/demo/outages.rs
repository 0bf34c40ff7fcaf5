//! Writes why the demo's disabled beds are disabled, since when, and by whom.

use berth_domain::outage::OutageKind::{self, Cleaning, OutOfService};
use berth_domain::time::date_at;

use super::fill::{AuditLine, Placed, World};
use super::guests::OFFICE_ADDRESS;
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// Kind, reason, days since it was disabled, days until it is expected back.
const OUTAGES: [(OutageKind, Option<&str>, i64, Option<i64>); 4] = [
    (OutOfService, Some("Mattress is being replaced"), 6, Some(3)),
    (OutOfService, Some("Water damage under the window"), 12, Some(-1)),
    (Cleaning, None, 1, Some(0)),
    (OutOfService, Some("Bed frame is broken"), 3, None),
];

/// Writes the outages of all disabled beds.
pub(super) async fn make(world: &mut World, sites: &[Placed]) -> berth_db::Result<()> {
    const INSERT: &str = "INSERT INTO bed_outages (id, bed_id, kind, reason, expected_back, started_at, started_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const NAME: &str = "SELECT name FROM beds WHERE id = $1";
    let mut outages = OUTAGES.into_iter().cycle();
    for site in sites {
        for (bed, _) in site.beds.iter().filter(|(_, is_disabled)| *is_disabled) {
            let Some((kind, reason, since, back)) = outages.next() else { continue };
            let at = world.now.plus_days(-since);
            let day = back.map(|days| date_at(world.now.plus_days(days), "America/Los_Angeles"));
            let actor = site.actors.first();
            let insert = world.tx.query(INSERT).bind(bed.0).bind(bed).bind(kind).bind(reason);
            insert.bind(&day).bind(at).bind(actor.map(|actor| actor.id)).execute().await?;
            let name: String = world.tx.query(NAME).bind(bed).scalar().await?;
            let changed = if reason.is_some() { "disabled, reason" } else { "disabled" };
            let back = day.map(|day| format!(", expected back {day}")).unwrap_or_default();
            let line = AuditLine {
                at,
                action: AuditAction::BedDisabled,
                actor,
                login: None,
                place: (Some(site.organization_id), Some(site.id)),
                object: Some((ObjectKind::Bed, bed.0)),
                summary: format!("bed {name}: {changed} changed ({}{back})", kind.words()),
                address: OFFICE_ADDRESS,
            };
            world.record(line).await?;
        }
    }
    Ok(())
}
