//! Writes the reasons for declines and discharges of the demo's organizations, and which guests have one.

use berth_domain::id::{OrganizationId, ReasonId};
use berth_domain::reason::ReasonKind::{self, Decline, Discharge};
use berth_domain::value::name_key;

use super::fill::World;
use crate::words::{DECLINED, LEFT};

/// Kind and name, and the feedback of the guests who have it.
const REASONS: [(ReasonKind, &str, &[&str]); 9] = [
    (Decline, "Needs more medical care", &[DECLINED[0]]),
    (Decline, "No answer", &[DECLINED[1]]),
    (Decline, "Found another place", &[DECLINED[2], DECLINED[3]]),
    (Decline, "Payment not accepted here", &[DECLINED[4]]),
    (Decline, "Wants to come later", &[]),
    (Discharge, "Completed the program", &[LEFT[0], LEFT[1]]),
    (Discharge, "Moved to another program", &[LEFT[2]]),
    (Discharge, "Left by own wish", &[LEFT[3]]),
    (Discharge, "Needs medical care", &[LEFT[5]]),
];

/// Writes the reasons of an organization.
pub(super) async fn make(world: &mut World, organization: OrganizationId) -> berth_db::Result<()> {
    const INSERT: &str =
        "INSERT INTO reasons (id, organization_id, kind, name, name_key, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    const GIVE: &str = "UPDATE guests SET reason_id = $1 WHERE feedback = $2 \
        AND site_id IN (SELECT id FROM sites WHERE organization_id = $3)";
    let at = world.now.plus_days(-120);
    for (kind, name, feedback) in REASONS {
        let id = ReasonId(world.dice.id(at));
        let insert = world.tx.query(INSERT).bind(id).bind(organization).bind(kind).bind(name);
        insert.bind(name_key(name)).bind(at).execute().await?;
        for text in feedback {
            world.tx.query(GIVE).bind(id).bind(*text).bind(organization).execute().await?;
        }
    }
    Ok(())
}
