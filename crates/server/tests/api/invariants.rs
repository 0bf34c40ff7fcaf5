//! Invariants that hold after every race, recounted by SQL (security-and-proof 3). I1 to I5, I8, I10, I11 and I15 are the
//! queries of `berth doctor`; the ones here can only be counted while nothing else runs.

use berth_db::Db;
use berth_domain::time::Timestamp;
use berth_server::cli::invariants;

use crate::harness::House;

/// I6: a swap ends two stays at one moment, and the guests hold each other's beds from then on.
const I6: &str = "SELECT COUNT(*) FROM stays a WHERE a.end_reason = 'swapped' AND NOT EXISTS (\
    SELECT 1 FROM stays b JOIN stays a2 ON a2.guest_id = a.guest_id AND a2.bed_id = b.bed_id \
        AND a2.started_at >= a.ended_at \
    JOIN stays b2 ON b2.guest_id = b.guest_id AND b2.bed_id = a.bed_id AND b2.started_at >= b.ended_at \
    WHERE b.end_reason = 'swapped' AND b.ended_at = a.ended_at AND b.id <> a.id)";

/// I10, by email: persons whom staff added more than twice at one site without an override for one of them. The email
/// address of a public reservation is not verified, so it does not count. `$1` is now.
const I10_MAILBOX: &str = "SELECT COUNT(*) FROM (SELECT g.email_key FROM guests g WHERE g.source = 'Admin' \
    AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL \
    AND (g.accepted_at IS NOT NULL OR g.expires_at IS NULL OR g.expires_at > $1) \
    AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.object_id = g.id \
    AND a.action IN ('guest.third-allowed', 'guest.over-capacity')) \
    GROUP BY g.email_key, g.site_id HAVING COUNT(*) > 2) people";

/// Fails with the names of the broken invariants.
pub async fn hold(house: &House) {
    let broken = broken(house.db(), house.app.now()).await;
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Describes the broken invariants of a database that nothing else uses.
pub async fn broken(db: &Db, now: Timestamp) -> Vec<String> {
    let mut broken = invariants::broken(db, now).await.unwrap();
    for (name, text) in [("I6: a swap makes both moves", I6)] {
        let violations: i64 = db.query(text).scalar().await.unwrap();
        if violations != 0 {
            broken.push(format!("{name} ({violations} times not)"));
        }
    }
    let people: i64 = db.query(I10_MAILBOX).bind(now).scalar().await.unwrap();
    if people != 0 {
        broken.push(format!("I10: two active reservations a mailbox ({people} times not)"));
    }
    broken
}
