//! The subscription of a commercial site, as far as accepting guests asks for it (spec B 3, 4; DESIGN 6, "isActive").

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;

/// The subscription of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSubscription {
    /// Its status; `none` when there never was one.
    pub status: SubscriptionStatus,
    /// Whether guests from the search may be accepted now.
    pub is_active: bool,
    /// Until when it is paid.
    pub paid_period_end: Option<Timestamp>,
}

/// The site's live subscription, else the ended one that is paid the longest.
///
/// # Errors
/// Those of the database.
pub async fn subscription(tx: &mut Tx, site_id: SiteId, now: Timestamp) -> Result<SiteSubscription> {
    const SUBSCRIPTION: &str = "SELECT status, paid_period_end FROM site_subscriptions WHERE site_id = $1 \
        ORDER BY (CASE WHEN status IN ('canceled', 'incomplete_expired') THEN 1 ELSE 0 END), \
        COALESCE(paid_period_end, 0) DESC, created_at DESC, id DESC LIMIT 1";
    let row: Option<(String, Option<Timestamp>)> = tx.query(SUBSCRIPTION).bind(site_id).optional().await?;
    Ok(row.map_or_else(SiteSubscription::default, |(status, paid_period_end)| {
        let status = SubscriptionStatus::from_stripe(&status);
        SiteSubscription { status, is_active: status.is_active(paid_period_end, now), paid_period_end }
    }))
}
