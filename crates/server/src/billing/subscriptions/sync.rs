//! Updates our subscriptions from Stripe. An older read never overwrites a newer one, and an ended subscription stays
//! ended.

use std::time::Duration;

use berth_domain::id::SiteId;
use berth_domain::subscription::{SubscriptionStatus, paid_period_end};
use berth_domain::time::Timestamp;

use super::notices;
use super::rows::{self, Read, Row};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::billing::payments;
use crate::change::{self, Change};
use crate::housing::sites;
use crate::{App, Result};

/// Minutes after which a row is compared with Stripe before it is shown or relied on.
const STALE_MINUTES: i64 = 5;
/// Maximum time that a request waits for the comparison; after that, our row is used as it is.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(2);

/// The audit summary for a row that Stripe no longer knows.
pub(super) const UNKNOWN_AT_STRIPE: &str = "the card provider does not know the subscription any more";

/// Compares the subscription of a site with Stripe, unless that was done in the last five minutes. While Stripe is away
/// or slow, the row stays as it is.
pub async fn refresh_if_stale(app: &App, site: SiteId) -> Result<()> {
    let now = app.now();
    let Some(row) = rows::find(&app.db, site, now).await? else { return Ok(()) };
    let is_fresh = row.synced_at.is_some_and(|at| at > now.plus_minutes(-STALE_MINUTES));
    let Some(stripe_id) = row.stripe_id.as_deref().filter(|_| !is_fresh && row.status().is_live()) else {
        return Ok(());
    };
    let client = app.payments.client().await?;
    // The limit is only for the call: the row is always written completely.
    match tokio::time::timeout(REFRESH_TIMEOUT, client.subscription(stripe_id)).await {
        Ok(Ok(subscription)) => store(app, &Author::job(), &Read::from(&subscription), now).await,
        Ok(Err(error)) if error.is_missing("id") => end_unknown(app, stripe_id).await,
        Ok(Err(error)) => {
            tracing::warn!(error = %error, "could not read a subscription from Stripe; using the stored one");
            Ok(())
        }
        Err(_) => {
            tracing::warn!("reading a subscription from Stripe timed out; using the stored one");
            Ok(())
        }
    }
}

/// Compares a subscription with Stripe and returns it, or `None` if Stripe does not know it.
///
/// # Errors
/// 503 while Stripe is away.
pub(super) async fn refresh(app: &App, stripe_id: &str) -> Result<Option<berth_stripe::Subscription>> {
    let read_at = app.now();
    match app.payments.client().await?.subscription(stripe_id).await {
        Ok(subscription) => {
            store(app, &Author::job(), &Read::from(&subscription), read_at).await?;
            Ok(Some(subscription))
        }
        Err(error) if error.is_missing("id") => {
            end_unknown(app, stripe_id).await?;
            Ok(None)
        }
        Err(error) => Err(payments::failed(error)),
    }
}

/// Stores a state that was read from Stripe at `read_at`, in a transaction of its own.
pub(super) async fn store(app: &App, by: &Author, read: &Read, read_at: Timestamp) -> Result<()> {
    change::run(app, by.clone(), |mut change| async move {
        let Some(row) = rows::find_by_stripe_id(&mut change.tx, &read.stripe_id).await? else {
            return change::unchanged(());
        };
        rows::lock_site(&mut change, row.site_id).await?;
        update(&mut change, read, read_at).await?;
        change.done(())
    })
    .await
}

/// Updates a subscription with a state that was read from Stripe at `read_at`. The change holds the lock of the site.
/// If the status or the paid period changes, it is recorded and published.
pub(super) async fn update(change: &mut Change, read: &Read, read_at: Timestamp) -> Result<()> {
    let Some(row) = rows::find_by_stripe_id(&mut change.tx, &read.stripe_id).await? else { return Ok(()) };
    let is_older = row.synced_at.is_some_and(|at| at > read_at);
    let has_ended = !row.status().is_live() && row.status() != SubscriptionStatus::None;
    if is_older || (has_ended && read.status.is_live()) {
        return Ok(());
    }
    let paid = paid_period_end(row.paid_period_end, read.current_period_end, read.is_invoice_paid);
    let is_same = row.status() == read.status
        && row.paid_period_end == paid
        && row.latest_invoice == read.latest_invoice
        && row.stripe_price == read.price;
    if is_same {
        return rows::set_synced(&mut change.tx, row.id, read_at).await;
    }
    rows::update(&mut change.tx, row.id, read, paid, (read_at, change.now)).await?;
    notices::notify_of_failed_payment(change, &row, read).await?;
    if row.status() == read.status && row.paid_period_end == paid {
        return Ok(());
    }
    let summary = match (row.status() == read.status, paid) {
        (false, _) => format!("the subscription is now {}", read.status),
        (true, Some(end)) => format!("the subscription is paid until {end}"),
        (true, None) => "the subscription is no longer paid".to_owned(),
    };
    record(change, &row, AuditAction::SubscriptionChanged, summary).await?;
    touch(change, &row).await
}

/// Ends a subscription that Stripe no longer knows.
async fn end_unknown(app: &App, stripe_id: &str) -> Result<()> {
    change::run(app, Author::job(), |mut change| async move {
        let Some(row) = rows::find_by_stripe_id(&mut change.tx, stripe_id).await? else {
            return change::unchanged(());
        };
        rows::lock_site(&mut change, row.site_id).await?;
        end(&mut change, &row, UNKNOWN_AT_STRIPE).await?;
        change.done(())
    })
    .await
}

/// Ends a subscription without asking Stripe, unless it has ended. The change holds the lock of the site. `why` becomes
/// the summary of the audit entry.
pub(super) async fn end(change: &mut Change, row: &Row, why: &str) -> Result<()> {
    if !row.status().is_live() {
        return Ok(());
    }
    rows::end(&mut change.tx, row.id, change.now).await?;
    record(change, row, AuditAction::SubscriptionChanged, why.to_owned()).await?;
    touch(change, row).await
}

/// Raises and publishes the version of a site, because its page shows the subscription. Works for a removed site as
/// well.
pub(super) async fn touch(change: &mut Change, row: &Row) -> Result<()> {
    let version = sites::touch_removed_too(&mut change.tx, row.site_id).await?;
    change.publish(row.organization_id, row.site_id, version);
    Ok(())
}

/// Writes an audit entry about a subscription.
pub(super) async fn record(change: &mut Change, row: &Row, action: AuditAction, summary: String) -> Result<()> {
    let place = (Some(row.organization_id), Some(row.site_id));
    change.record(Entry::placed(place, action, Some((ObjectKind::Subscription, row.id.0)), summary)).await
}
