//! Updates a row with what Stripe says. An older read never overwrites a newer one, and an ended subscription stays ended.

use std::time::Duration;

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::subscription::{SubscriptionStatus, paid_period_end};
use berth_domain::time::Timestamp;

use super::notices;
use super::rows::{self, Read, Row};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::billing::payments;
use crate::housing::sites;
use crate::integrations::live::LiveEvent;
use crate::{App, Result};

/// Minutes after which a row is compared with Stripe before it is shown or relied on.
const STALE_MINUTES: i64 = 5;
/// How long a person waits for the comparison; then our row answers.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(2);

/// The audit summary for a row that Stripe no longer knows.
pub(super) const UNKNOWN: &str = "the card provider does not know the subscription any more";

/// Compares the subscription of a site with Stripe, unless that was done in the last five minutes. While Stripe is away or slow,
/// the row stays as it is.
///
/// # Errors
/// Those of the database.
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
        Ok(Err(error)) if error.is_missing("id") => gone(app, stripe_id).await,
        Ok(Err(error)) => {
            tracing::warn!(error = %error, "a subscription comes from our own row");
            Ok(())
        }
        Err(_) => {
            tracing::warn!("a subscription comes from our own row: the card provider is slow");
            Ok(())
        }
    }
}

/// Compares a subscription with Stripe and returns it, or `None` if Stripe does not know it.
///
/// # Errors
/// 503 while Stripe is away; those of the database.
pub(super) async fn refresh(app: &App, stripe_id: &str) -> Result<Option<berth_stripe::Subscription>> {
    let read_at = app.now();
    match app.payments.client().await?.subscription(stripe_id).await {
        Ok(subscription) => {
            store(app, &Author::job(), &Read::from(&subscription), read_at).await?;
            Ok(Some(subscription))
        }
        Err(error) if error.is_missing("id") => {
            gone(app, stripe_id).await?;
            Ok(None)
        }
        Err(error) => Err(payments::failed(error)),
    }
}

/// Stores what Stripe said at `read_at`. If that changes the row, the boards get an event.
///
/// # Errors
/// Those of the database.
pub(super) async fn store(app: &App, by: &Author, read: &Read, read_at: Timestamp) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let Some(site) = rows::by_stripe_id(&mut tx, &read.stripe_id).await?.map(|row| row.site_id) else {
        return Ok(());
    };
    rows::lock_site(&mut tx, site).await?;
    let events = store_in(app, &mut tx, by, read, read_at).await?;
    finish(app, tx, events).await
}

/// Does the same inside the transaction of a caller that holds the lock of the site. Returns the event for the boards.
pub(super) async fn store_in(
    app: &App,
    tx: &mut Tx,
    by: &Author,
    read: &Read,
    read_at: Timestamp,
) -> Result<Option<(Row, LiveEvent)>> {
    let Some(row) = rows::by_stripe_id(tx, &read.stripe_id).await? else { return Ok(None) };
    let is_older = row.synced_at.is_some_and(|at| at > read_at);
    let has_ended = !row.status().is_live() && row.status() != SubscriptionStatus::None;
    if is_older || (has_ended && read.status.is_live()) {
        return Ok(None);
    }
    let paid = paid_period_end(row.paid_period_end, read.current_period_end, read.is_invoice_paid);
    let is_same = row.status() == read.status
        && row.paid_period_end == paid
        && row.latest_invoice == read.latest_invoice
        && row.stripe_price == read.price;
    if is_same {
        rows::compared(tx, row.id, read_at).await?;
        return Ok(None);
    }
    rows::update(tx, row.id, read, paid, (read_at, app.now())).await?;
    notices::status_changed(app, tx, &row, read).await?;
    if row.status() == read.status && row.paid_period_end == paid {
        return Ok(None);
    }
    let summary = match (row.status() == read.status, paid) {
        (false, _) => format!("the subscription is now {}", read.status),
        (true, Some(end)) => format!("the subscription is paid until {end}"),
        (true, None) => "the subscription is no longer paid".to_owned(),
    };
    audit_log::write(app, tx, by, &entry(&row, AuditAction::SubscriptionChanged, summary)).await?;
    let event = touch(tx, row.site_id).await?;
    Ok(Some((row, event)))
}

/// Ends the row of a subscription that Stripe no longer knows.
async fn gone(app: &App, stripe_id: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let Some(row) = rows::by_stripe_id(&mut tx, stripe_id).await? else { return Ok(()) };
    rows::lock_site(&mut tx, row.site_id).await?;
    let events = end_in(app, &mut tx, &Author::job(), &row, UNKNOWN).await?;
    finish(app, tx, events).await
}

/// Ends a row without asking Stripe. The caller holds the lock of the site.
pub(super) async fn end_in(
    app: &App,
    tx: &mut Tx,
    by: &Author,
    row: &Row,
    why: &str,
) -> Result<Option<(Row, LiveEvent)>> {
    if !row.status().is_live() {
        return Ok(None);
    }
    rows::end(tx, row.id, app.now()).await?;
    audit_log::write(app, tx, by, &entry(row, AuditAction::SubscriptionChanged, why.to_owned())).await?;
    Ok(Some((row.clone(), touch(tx, row.site_id).await?)))
}

/// Commits, and tells the boards of the site.
pub(super) async fn finish(app: &App, tx: Tx, changed: Option<(Row, LiveEvent)>) -> Result<()> {
    match changed {
        Some((row, event)) => app.live.commit_many(tx, row.organization_id, vec![event]).await,
        None => Ok(tx.commit().await?),
    }
}

/// Raises the version of a site, because its page shows the subscription. Works for a deleted site as well.
pub(super) async fn touch(tx: &mut Tx, site: SiteId) -> Result<LiveEvent> {
    let version = sites::touch_removed_too(tx, site).await?;
    Ok(LiveEvent { site_id: site, version })
}

/// A row of the trail about a subscription.
pub(super) fn entry(row: &Row, action: AuditAction, summary: String) -> Entry {
    let place = (Some(row.organization_id), Some(row.site_id));
    Entry::placed(place, action, Some((ObjectKind::Subscription, row.id.0)), summary)
}
