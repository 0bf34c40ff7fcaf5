//! Our rows for the subscriptions that the payment sandbox starts with.

use std::collections::HashMap;

use anyhow::Context;
use berth_domain::id::SiteId;
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use berth_stripe::{Invoice, Subscription};

use super::customers::CUSTOMERS;
use super::fill::World;
use berth_server::App;

/// Subscriptions by their ids at the card provider.
pub(super) type Subscriptions = HashMap<String, Subscription>;

/// Reads the subscriptions of the demo's customers from the sandbox.
///
/// # Errors
/// A sentence if the sandbox cannot start.
pub(super) async fn read(app: &App) -> anyhow::Result<Subscriptions> {
    let mut found = HashMap::new();
    let client = app.payments.client().await.context("the sandbox of payments cannot start")?;
    for customer in CUSTOMERS {
        let theirs = client.subscriptions(customer.id).await.context("the sandbox of payments does not answer")?;
        found.extend(theirs.into_iter().map(|subscription| (subscription.id.clone(), subscription)));
    }
    Ok(found)
}

/// Adds the rows of a site's subscriptions.
pub(super) async fn make(world: &mut World, site: SiteId, ids: &[&str]) -> berth_db::Result<()> {
    const INSERT: &str = "INSERT INTO site_subscriptions (id, site_id, status, paid_period_end, created_at, updated_at, \
        stripe_id, stripe_customer, stripe_price, duration_months, latest_invoice, synced_at) \
        VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11)";
    for id in ids {
        let Some(found) = world.subscriptions.as_mut().and_then(|all| all.remove(*id)) else { continue };
        let at = moment(found.created);
        let insert = world.tx.query(INSERT).bind(world.dice.id(at)).bind(site);
        let insert = insert.bind(SubscriptionStatus::from_stripe(found.status.as_str()).as_str());
        let insert =
            insert.bind(paid_period_end(&found)).bind(at).bind(found.id.as_str()).bind(found.customer.as_str());
        let insert = insert.bind(found.item().map(|item| item.price.id.as_str()));
        let insert = insert.bind(found.item().and_then(|item| item.price.months()));
        insert.bind(found.latest_invoice_id()).bind(world.now).execute().await?;
    }
    Ok(())
}

/// Returns the end of the last paid period; none if none was paid.
fn paid_period_end(subscription: &Subscription) -> Option<Timestamp> {
    let item = subscription.item()?;
    if subscription.expanded_invoice().is_some_and(Invoice::is_paid) {
        return Some(moment(item.current_period_end));
    }
    (item.current_period_start > subscription.created).then(|| moment(item.current_period_start))
}

/// Converts Stripe's Unix seconds.
const fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1000))
}
