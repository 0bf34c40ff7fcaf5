//! The billing job. It finishes operations, handles events, reads events whose webhook was lost, compares old rows with
//! Stripe, ends the subscriptions of sites that no longer need one, and emails owners about first payments that failed
//! and cards that expire.

use berth_domain::id::{OrganizationId, SiteId, SubscriptionId};
use berth_domain::subscription::may_cancel;

use super::operations::{self, Outcome, Parameters};
use super::{events, notices, rows, sync};
use crate::admin::audit_log::Author;
use crate::billing::payments;
use crate::housing::sites::is_live;
use crate::{App, Result, change};

/// Hours after which a subscription without new events is compared with Stripe.
const STALE_HOURS: i64 = 6;

/// Minutes after which a cancellation that Stripe rejected is tried again.
const RETRY_MINUTES: i64 = 30;

/// SQL condition: the site of a live subscription `x` no longer needs one. It is written as a list of sites, because most
/// sites need theirs, and a large platform has thousands.
macro_rules! is_unneeded {
    () => {
        concat!(
            is_live!(),
            " AND x.site_id IN (SELECT s.id FROM sites s WHERE s.deleted_at IS NOT NULL \
             UNION ALL SELECT s.id FROM organizations o JOIN sites s ON s.organization_id = o.id \
             WHERE o.deleted_at IS NOT NULL OR NOT o.is_commercial)"
        )
    };
}

/// SQL condition: a live subscription was not compared with Stripe since `$2`, or not since its paid period ended
/// before `$1`.
macro_rules! is_stale {
    () => {
        concat!(
            is_live!(),
            " AND x.stripe_id IS NOT NULL \
             AND (x.synced_at < $2 OR (x.paid_period_end <= $1 AND x.synced_at < x.paid_period_end))"
        )
    };
}

/// Which tasks are due.
#[derive(Debug, berth_db::FromRow)]
struct Due {
    /// An operation to finish, an event to handle or a subscription to end.
    unfinished: bool,
    /// A subscription to compare with Stripe.
    stale: bool,
    /// Not a task: whether Stripe knows any subscription.
    known: bool,
}

/// Returns true if there is anything to do. It only reads.
pub async fn is_due(app: &App) -> Result<bool> {
    let due = find_due(app).await?;
    if due.unfinished || notices::is_card_expiring(app, app.now()).await? {
        return Ok(true);
    }
    // A sandbox that was never used has no events.
    if !app.payments.is_open() || !due.known {
        return Ok(false);
    }
    Ok(due.stale || notices::is_first_payment_overdue(app, app.now()).await? || events::is_poll_due(app).await?)
}

async fn find_due(app: &App) -> Result<Due> {
    const DUE: &str = concat!(
        "SELECT (EXISTS (SELECT 1 FROM billing_operations WHERE finished_at IS NULL AND busy_until <= $1) \
         OR EXISTS (SELECT 1 FROM billing_events WHERE handled_at IS NULL AND retry_at <= $1) \
         OR EXISTS (SELECT 1 FROM site_subscriptions x WHERE ",
        is_unneeded!(),
        ")) AS unfinished, EXISTS (SELECT 1 FROM site_subscriptions x WHERE ",
        is_stale!(),
        ") AS stale, EXISTS (SELECT 1 FROM site_subscriptions WHERE stripe_id IS NOT NULL) AS known"
    );
    let now = app.now();
    Ok(app.db.query(DUE).bind(now).bind(now.plus_hours(-STALE_HOURS)).one().await?)
}

/// Does the tasks that are due. Returns how many were done. An error does not stop the other tasks; the last one is
/// returned.
pub async fn run(app: &App) -> Result<u64> {
    let (mut done, mut failed) = (0, None);
    let mut note = |result: Result<u64>| match result {
        Ok(count) => done += count,
        Err(error) => failed = Some(error),
    };
    note(finish_operations(app).await);
    note(end_unneeded(app).await);
    note(notices::notify_of_expiring_cards(app).await);
    if app.payments.is_open() && events::is_poll_due(app).await? && find_due(app).await?.known {
        note(events::poll(app).await.map(|()| 1));
    }
    note(events::handle_all(app).await);
    if app.payments.is_open() {
        note(notices::notify_of_first_payments(app).await);
        note(refresh_stale(app).await);
    }
    failed.map_or(Ok(done), Err)
}

/// Finishes operations that a request or a node left open.
async fn finish_operations(app: &App) -> Result<u64> {
    let (mut done, mut failed) = (0, None);
    for id in operations::list_waiting(app).await? {
        let Some(operation) = operations::take_over(app, id).await? else { continue };
        match operations::finish_late(app, operation).await {
            Ok(_) => done += 1,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}

/// A live subscription of a site that no longer needs one.
#[derive(Debug, berth_db::FromRow)]
struct UnneededSubscription {
    id: SubscriptionId,
    site_id: SiteId,
    organization_id: OrganizationId,
    stripe_id: Option<String>,
}

/// Cancels the subscriptions of sites that no longer need one: the site or its organization is deleted or not
/// commercial.
async fn end_unneeded(app: &App) -> Result<u64> {
    const UNNEEDED: &str = concat!(
        "SELECT x.id, x.site_id, s.organization_id, x.stripe_id FROM site_subscriptions x \
         JOIN sites s ON s.id = x.site_id WHERE ",
        is_unneeded!(),
        " AND NOT EXISTS (SELECT 1 FROM billing_operations p WHERE p.site_id = x.site_id \
         AND (p.finished_at IS NULL OR (p.kind = 'cancel' AND p.outcome <> 'done' AND p.finished_at > $1))) \
         ORDER BY x.id LIMIT 50"
    );
    // Stripe would reject it again right away, for example because of a wrong key.
    let rejected_since = app.now().plus_minutes(-RETRY_MINUTES);
    let unneeded: Vec<UnneededSubscription> = app.db.query(UNNEEDED).bind(rejected_since).all().await?;
    let by = Author::job();
    let (mut done, mut failed) = (0, None);
    for row in unneeded {
        let result = match row.stripe_id {
            Some(subscription) => {
                let place = (row.organization_id, row.site_id);
                let parameters = Parameters::Cancel { subscription };
                match operations::execute(app, place, &by, &parameters, may_cancel).await {
                    Ok(Outcome::Rejected(error)) => Err(payments::failed(error)),
                    other => other.map(|_| ()),
                }
            }
            None => end_unknown(app, row.site_id, row.id, &by).await,
        };
        match result {
            Ok(()) => done += 1,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}

/// Ends a subscription that was made by hand, which Stripe does not know.
async fn end_unknown(app: &App, site: SiteId, id: SubscriptionId, by: &Author) -> Result<()> {
    change::run(app, by.clone(), |mut change| async move {
        rows::lock_site(&mut change, site).await?;
        let row = rows::find(&mut change.tx, site, change.now).await?.filter(|row| row.id == id);
        let Some(row) = row else { return change::unchanged(()) };
        sync::end(&mut change, &row, "canceled with its site").await?;
        change.done(())
    })
    .await
}

/// Compares stale subscriptions with Stripe.
async fn refresh_stale(app: &App) -> Result<u64> {
    const STALE: &str = concat!(
        "SELECT x.stripe_id FROM site_subscriptions x WHERE ",
        is_stale!(),
        " ORDER BY x.synced_at, x.id LIMIT 50"
    );
    let now = app.now();
    let stale: Vec<(String,)> = app.db.query(STALE).bind(now).bind(now.plus_hours(-STALE_HOURS)).all().await?;
    let (mut done, mut failed) = (0, None);
    for (stripe_id,) in stale {
        match sync::refresh(app, &stripe_id).await {
            Ok(_) => done += 1,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}
