//! The subscription of a commercial site, which decides if guests can be accepted (spec B 3, 4).

use std::collections::HashMap;

use berth_db::{Queries, Tx};
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;

/// SQL condition: the subscription `x` is live.
macro_rules! is_live {
    () => {
        "x.status NOT IN ('canceled', 'incomplete_expired')"
    };
}

/// SQL order: the subscription `x` that counts for its site at `$2` comes first. It is the live one, else an ended one
/// that is still paid, else the newest.
macro_rules! counting_first {
    () => {
        concat!(
            "(CASE WHEN ",
            $crate::housing::sites::is_live!(),
            " THEN 0 WHEN x.status = 'canceled' AND x.paid_period_end > $2 THEN 1 ELSE 2 END), x.created_at DESC, x.id DESC"
        )
    };
}

pub(crate) use {counting_first, is_live};

/// The subscription of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSubscription {
    /// Its status; `none` if the site never had a subscription.
    pub status: SubscriptionStatus,
    /// True if guests from the search can be accepted now.
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

/// Loads the subscription that counts for a site at `now`.
pub async fn subscription(mut db: impl Queries, site_id: SiteId, now: Timestamp) -> Result<SiteSubscription> {
    const SUBSCRIPTION: &str = concat!(
        "SELECT x.status, x.paid_period_end FROM site_subscriptions x WHERE x.site_id = $1 ORDER BY ",
        counting_first!(),
        " LIMIT 1"
    );
    let row: Option<(String, Option<Timestamp>)> = db.query(SUBSCRIPTION).bind(site_id).bind(now).optional().await?;
    let of = |(status, paid_period_end): (String, _)| SiteSubscription::of(&status, paid_period_end, now);
    Ok(row.map_or_else(SiteSubscription::default, of))
}

/// Loads the subscriptions of all sites of an organization that have or had one.
pub async fn subscriptions(
    tx: &mut Tx,
    organization_id: OrganizationId,
    now: Timestamp,
) -> Result<HashMap<SiteId, SiteSubscription>> {
    const SUBSCRIPTIONS: &str = concat!(
        "SELECT x.site_id, x.status, x.paid_period_end FROM sites s CROSS JOIN site_subscriptions x \
         WHERE s.organization_id = $1 AND x.site_id = s.id ORDER BY x.site_id, ",
        counting_first!()
    );
    let rows: Vec<(SiteId, String, Option<Timestamp>)> =
        tx.query(SUBSCRIPTIONS).bind(organization_id).bind(now).all().await?;
    let mut of_sites = HashMap::new();
    for (site_id, status, paid_period_end) in rows {
        // Of each site, only the first row counts.
        of_sites.entry(site_id).or_insert_with(|| SiteSubscription::of(&status, paid_period_end, now));
    }
    Ok(of_sites)
}
