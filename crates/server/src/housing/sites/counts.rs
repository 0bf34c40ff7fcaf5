//! The stored counters of sites (security-and-proof 6.3, I15): lists and totals read them instead of counting 200,000
//! beds. A change of a site's houses, beds or stays recounts that site in its own transaction. Counters are never
//! incremented, so they cannot drift.

use berth_db::Tx;
use berth_domain::id::SiteId;

use crate::Result;
use crate::admin::dashboard::{self, Part};

/// Recounts a site and invalidates the dashboard's totals. Must be called after every change of its rooms or beds or of
/// the number of its stays, in the same transaction, after the touch. Inserts the row of a new site.
pub async fn settle(tx: &mut Tx, id: SiteId) -> Result<()> {
    const SETTLE: &str = "INSERT INTO site_counts (site_id, part, rooms, beds, disabled, occupied) \
        SELECT $1, $2, (SELECT COUNT(*) FROM rooms r WHERE r.site_id = $1 AND r.deleted_at IS NULL), COUNT(*), \
        COUNT(*) FILTER (WHERE b.disabled), \
        (SELECT COUNT(*) FROM stays t WHERE t.site_id = $1 AND t.ended_at IS NULL) \
        FROM beds b WHERE b.site_id = $1 AND b.deleted_at IS NULL \
        ON CONFLICT (site_id) DO UPDATE SET rooms = excluded.rooms, beds = excluded.beds, \
        disabled = excluded.disabled, occupied = excluded.occupied RETURNING part";
    let part: i64 = tx.query(SETTLE).bind(id).bind(Part::of_new_site(id)).scalar().await?;
    dashboard::raise(tx, Part::Sites(part)).await
}

/// Recounts the beds on offer of a site. Must be called after every change of its offers, in the same transaction.
pub async fn settle_offers(tx: &mut Tx, id: SiteId) -> Result<()> {
    const SETTLE: &str = "UPDATE site_counts SET offered = (SELECT COUNT(*) FROM bed_offers f WHERE f.site_id = $1 \
        AND f.ended_at IS NULL) WHERE site_id = $1";
    tx.query(SETTLE).bind(id).execute().await?;
    Ok(())
}

/// Recounts all sites, after many rows were loaded at once.
pub async fn settle_all(tx: &mut Tx) -> berth_db::Result<()> {
    const FORGET: &str = "DELETE FROM site_counts";
    const COUNT: &str = "WITH houses AS (SELECT site_id, COUNT(*) AS rooms FROM rooms WHERE deleted_at IS NULL \
        GROUP BY site_id), places AS (SELECT site_id, COUNT(*) AS beds, COUNT(*) FILTER (WHERE disabled) AS disabled \
        FROM beds WHERE deleted_at IS NULL GROUP BY site_id), guests_in AS (SELECT site_id, COUNT(*) AS occupied \
        FROM stays WHERE ended_at IS NULL GROUP BY site_id) \
        INSERT INTO site_counts (site_id, part, rooms, beds, disabled, occupied, offered) \
        SELECT s.id, (ROW_NUMBER() OVER (ORDER BY s.id)) % $1, COALESCE(h.rooms, 0), COALESCE(p.beds, 0), \
        COALESCE(p.disabled, 0), COALESCE(g.occupied, 0), \
        (SELECT COUNT(*) FROM bed_offers f WHERE f.site_id = s.id AND f.ended_at IS NULL) FROM sites s LEFT JOIN houses h ON h.site_id = s.id \
        LEFT JOIN places p ON p.site_id = s.id LEFT JOIN guests_in g ON g.site_id = s.id";
    tx.query(FORGET).execute().await?;
    tx.query(COUNT).bind(Part::OF_SITES).execute().await?;
    dashboard::raise_all(tx).await
}
