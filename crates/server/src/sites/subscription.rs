//! The subscription of a commercial site, as far as it decides whether guests may be accepted (spec B 3, 4; DESIGN 6,
//! "isActive").

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;

/// The subscription of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSubscription {
    /// The status; `none` if there never was a subscription.
    pub status: SubscriptionStatus,
    /// True if guests from the search may be accepted now.
    pub is_active: bool,
    /// The end of the paid period.
    pub paid_period_end: Option<Timestamp>,
}

impl SiteSubscription {
    fn of(status: &str, paid_period_end: Option<Timestamp>, now: Timestamp) -> Self {
        let status = SubscriptionStatus::from_stripe(status);
        Self { status, is_active: status.is_active(paid_period_end, now), paid_period_end }
    }
}

/// The site's live subscription, else a canceled one that is still paid, else the newest.
///
/// # Errors
/// Those of the database.
pub async fn subscription(tx: &mut Tx, site_id: SiteId, now: Timestamp) -> Result<SiteSubscription> {
    const SUBSCRIPTION: &str = "SELECT status, paid_period_end FROM site_subscriptions WHERE site_id = $1 \
        ORDER BY (CASE WHEN status NOT IN ('canceled', 'incomplete_expired') THEN 0 \
        WHEN status = 'canceled' AND paid_period_end > $2 THEN 1 ELSE 2 END), created_at DESC, id DESC LIMIT 1";
    let row: Option<(String, Option<Timestamp>)> = tx.query(SUBSCRIPTION).bind(site_id).bind(now).optional().await?;
    let of = |(status, paid_period_end): (String, _)| SiteSubscription::of(&status, paid_period_end, now);
    Ok(row.map_or_else(SiteSubscription::default, of))
}

/// The same of every site of an organization that has one or had one.
///
/// # Errors
/// Those of the database.
pub async fn subscriptions(
    tx: &mut Tx,
    organization_id: OrganizationId,
    now: Timestamp,
) -> Result<HashMap<SiteId, SiteSubscription>> {
    const SUBSCRIPTIONS: &str = "SELECT u.site_id, u.status, u.paid_period_end FROM sites s \
        CROSS JOIN site_subscriptions u WHERE s.organization_id = $1 AND u.site_id = s.id \
        ORDER BY u.site_id, (CASE WHEN u.status NOT IN ('canceled', 'incomplete_expired') THEN 0 \
        WHEN u.status = 'canceled' AND u.paid_period_end > $2 THEN 1 ELSE 2 END), u.created_at DESC, u.id DESC";
    let rows: Vec<(SiteId, String, Option<Timestamp>)> =
        tx.query(SUBSCRIPTIONS).bind(organization_id).bind(now).all().await?;
    let mut of_sites = HashMap::new();
    for (site_id, status, paid_period_end) in rows {
        // Of each site, only the first row counts.
        of_sites.entry(site_id).or_insert_with(|| SiteSubscription::of(&status, paid_period_end, now));
    }
    Ok(of_sites)
}
