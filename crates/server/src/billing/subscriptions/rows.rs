//! SQL on the table `site_subscriptions`.

use berth_db::{Db, Queries, Tx};
use berth_domain::id::{OrganizationId, SiteId, SubscriptionId};
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;

use crate::change::Change;
use crate::housing::sites::counting_first;
use crate::{Error, Result, locks};

/// A subscription as it was last read.
#[derive(Debug, Clone, berth_db::FromRow)]
pub(super) struct Row {
    pub(super) id: SubscriptionId,
    pub(super) site_id: SiteId,
    pub(super) organization_id: OrganizationId,
    status: String,
    pub(super) paid_period_end: Option<Timestamp>,
    /// `None` for a subscription that was made by hand, which Stripe does not know.
    pub(super) stripe_id: Option<String>,
    pub(super) stripe_price: Option<String>,
    pub(super) duration_months: Option<i64>,
    pub(super) latest_invoice: Option<String>,
    /// When the read from Stripe began whose result this is.
    pub(super) synced_at: Option<Timestamp>,
}

impl Row {
    pub(super) fn status(&self) -> SubscriptionStatus {
        SubscriptionStatus::from_stripe(&self.status)
    }
}

/// The columns of a [`Row`].
macro_rules! select_subscription {
    ($($rest:tt)*) => {
        concat!(
            "SELECT x.id, x.site_id, s.organization_id, x.status, x.paid_period_end, x.stripe_id, x.stripe_price, \
             x.duration_months, x.latest_invoice, x.synced_at \
             FROM site_subscriptions x JOIN sites s ON s.id = x.site_id ",
            $($rest)*
        )
    };
}

/// Finds the subscription that counts for a site at `now`.
pub(super) async fn find(mut db: impl Queries, site: SiteId, now: Timestamp) -> Result<Option<Row>> {
    const CURRENT: &str = select_subscription!("WHERE x.site_id = $1 ORDER BY ", counting_first!(), " LIMIT 1");
    Ok(db.query(CURRENT).bind(site).bind(now).optional().await?)
}

/// Lists the subscriptions that count for the sites of an organization, at most one for each site.
pub(super) async fn list(db: &Db, organization: OrganizationId, now: Timestamp) -> Result<Vec<Row>> {
    const ALL: &str = select_subscription!(
        "WHERE s.organization_id = $1 AND s.deleted_at IS NULL ORDER BY x.site_id, ",
        counting_first!()
    );
    let mut rows: Vec<Row> = db.query(ALL).bind(organization).bind(now).all().await?;
    rows.dedup_by_key(|row| row.site_id);
    Ok(rows)
}

/// Finds a subscription by its id at Stripe.
pub(super) async fn find_by_stripe_id(tx: &mut Tx, stripe_id: &str) -> Result<Option<Row>> {
    const ROW: &str = select_subscription!("WHERE x.stripe_id = $1");
    Ok(tx.query(ROW).bind(stripe_id).optional().await?)
}

/// Lists the Stripe ids of all subscriptions that the sites ever had, each with its site.
pub(super) async fn list_stripe_ids(db: &Db, sites: &[SiteId]) -> Result<Vec<(String, SiteId)>> {
    const KNOWN: &str =
        "SELECT stripe_id, site_id FROM site_subscriptions WHERE stripe_id IS NOT NULL AND site_id IN ($1..)";
    Ok(db.query(KNOWN).bind_list(sites.to_vec()).all().await?)
}

/// Returns the latest time until which any subscription of the site is paid.
pub(super) async fn paid_until(db: &Db, site: SiteId) -> Result<Option<Timestamp>> {
    const PAID: &str =
        "SELECT MAX(paid_period_end) FROM site_subscriptions WHERE site_id = $1 AND status <> 'incomplete_expired'";
    let (end,): (Option<Timestamp>,) = db.query(PAID).bind(site).one().await?;
    Ok(end)
}

/// Locks a site, even a removed one: changes to its subscription are made one after another.
///
/// # Errors
/// 404 if there is no such site.
pub(super) async fn lock_site(change: &mut Change, site: SiteId) -> Result<()> {
    if !locks::site(&mut change.tx, site).await? {
        return Err(Error::NotFound);
    }
    // The lock may have been waited for.
    change.now = change.app.now();
    Ok(())
}

/// The state of a subscription as read from Stripe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) stripe_id: String,
    pub(super) customer: String,
    pub(super) status: SubscriptionStatus,
    pub(super) price: Option<String>,
    pub(super) duration_months: Option<i64>,
    pub(super) current_period_end: Option<Timestamp>,
    pub(super) is_invoice_paid: bool,
    pub(super) latest_invoice: Option<String>,
}

/// Adds a subscription that was read from Stripe at `read_at`. Returns false if it has a row already.
pub(super) async fn insert(change: &mut Change, site: SiteId, read: &Read, read_at: Timestamp) -> Result<bool> {
    const INSERT: &str = "INSERT INTO site_subscriptions (id, site_id, status, paid_period_end, created_at, updated_at, \
        stripe_id, stripe_customer, stripe_price, duration_months, latest_invoice, synced_at) \
        VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (stripe_id) DO NOTHING";
    let paid = if read.is_invoice_paid { read.current_period_end } else { None };
    let id = SubscriptionId(change.app.id());
    let insert = change.tx.query(INSERT).bind(id).bind(site).bind(read.status.as_str()).bind(paid);
    let insert = insert.bind(change.now).bind(read.stripe_id.as_str()).bind(read.customer.as_str());
    let insert = insert.bind(read.price.as_deref()).bind(read.duration_months).bind(read.latest_invoice.as_deref());
    Ok(insert.bind(read_at).execute().await? == 1)
}

/// Overwrites a row with the state that was read from Stripe at `read_at`.
pub(super) async fn update(
    tx: &mut Tx,
    id: SubscriptionId,
    read: &Read,
    paid_period_end: Option<Timestamp>,
    (read_at, now): (Timestamp, Timestamp),
) -> Result<()> {
    const UPDATE: &str = "UPDATE site_subscriptions SET status = $2, paid_period_end = $3, latest_invoice = $4, \
        stripe_price = $5, duration_months = $6, synced_at = $7, updated_at = $8 WHERE id = $1";
    let update = tx.query(UPDATE).bind(id).bind(read.status.as_str()).bind(paid_period_end);
    let update = update.bind(read.latest_invoice.as_deref()).bind(read.price.as_deref()).bind(read.duration_months);
    update.bind(read_at).bind(now).execute().await?;
    Ok(())
}

/// Ends a subscription that Stripe does not know. The paid period stays as it is.
pub(super) async fn end(tx: &mut Tx, id: SubscriptionId, now: Timestamp) -> Result<()> {
    const END: &str =
        "UPDATE site_subscriptions SET status = 'canceled', synced_at = $2, updated_at = $2 WHERE id = $1";
    tx.query(END).bind(id).bind(now).execute().await?;
    Ok(())
}

/// Records that a row was compared with Stripe and is up to date.
pub(super) async fn set_synced(tx: &mut Tx, id: SubscriptionId, read_at: Timestamp) -> Result<()> {
    const SYNCED: &str =
        "UPDATE site_subscriptions SET synced_at = $2 WHERE id = $1 AND (synced_at IS NULL OR synced_at < $2)";
    tx.query(SYNCED).bind(id).bind(read_at).execute().await?;
    Ok(())
}
