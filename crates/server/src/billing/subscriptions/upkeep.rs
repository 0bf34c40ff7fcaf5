//! The billing job. It finishes operations, handles events, asks for events whose webhook was lost, compares old rows with
//! Stripe, ends the subscriptions of sites that no longer need one, and emails owners about first payments that failed and cards
//! that expire.

use berth_domain::id::{OrganizationId, SiteId, SubscriptionId};
use berth_domain::subscription::may_cancel;

use super::operations::{self, Outcome, Parameters};
use super::{events, notices, rows, sync};
use crate::admin::audit_log::Author;
use crate::billing::payments;
use crate::housing::sites::is_live;
use crate::{App, Result};

/// Hours after which a subscription that no event told of is compared with Stripe.
const STALE_HOURS: i64 = 6;

/// Minutes after which a cancellation that Stripe refused is tried again.
const REFUSED_MINUTES: i64 = 30;

/// SQL condition: the site no longer needs a subscription.
macro_rules! is_needless {
    () => {
        "(s.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL OR NOT o.is_commercial)"
    };
}

/// SQL condition: a live subscription was not compared with Stripe since `$2`, or not since its paid period ended before `$1`.
macro_rules! is_stale {
    () => {
        concat!(
            is_live!(),
            " AND x.stripe_id IS NOT NULL \
             AND (x.synced_at < $2 OR (x.paid_period_end <= $1 AND x.synced_at < x.paid_period_end))"
        )
    };
}

/// The number of things of each kind that are due.
#[derive(Debug, berth_db::FromRow)]
struct Work {
    operations: i64,
    events: i64,
    ended: i64,
    stale: i64,
    known: i64,
}

/// Returns true if there is anything to do. It only reads.
///
/// # Errors
/// Those of the database.
pub async fn is_due(app: &App) -> Result<bool> {
    let work = work(app).await?;
    if work.operations + work.events + work.ended > 0 || notices::is_card_expiring(app, app.now()).await? {
        return Ok(true);
    }
    // A sandbox that nobody has used yet has no news.
    if !app.payments.is_open() || work.known == 0 {
        return Ok(false);
    }
    Ok(work.stale > 0 || notices::is_start_overdue(app, app.now()).await? || events::is_poll_due(app).await?)
}

async fn work(app: &App) -> Result<Work> {
    const WORK: &str = concat!(
        "SELECT (SELECT COUNT(*) FROM billing_operations WHERE finished_at IS NULL AND busy_until <= $1) AS operations, \
         (SELECT COUNT(*) FROM billing_events WHERE handled_at IS NULL AND retry_at <= $1) AS events, \
         (SELECT COUNT(*) FROM site_subscriptions x JOIN sites s ON s.id = x.site_id \
         JOIN organizations o ON o.id = s.organization_id WHERE ",
        is_live!(),
        " AND ",
        is_needless!(),
        ") AS ended, (SELECT COUNT(*) FROM site_subscriptions x WHERE ",
        is_stale!(),
        ") AS stale, (SELECT COUNT(*) FROM site_subscriptions WHERE stripe_id IS NOT NULL) AS known"
    );
    let now = app.now();
    Ok(app.db.query(WORK).bind(now).bind(now.plus_hours(-STALE_HOURS)).one().await?)
}

/// Does the work that is due. Returns how many things were done.
///
/// # Errors
/// The last error, after everything else was done.
pub async fn run(app: &App) -> Result<u64> {
    let (mut done, mut failed) = (0, None);
    let mut note = |result: Result<u64>| match result {
        Ok(count) => done += count,
        Err(error) => failed = Some(error),
    };
    note(finish_operations(app).await);
    note(end_needless(app).await);
    note(notices::tell_of_cards(app).await);
    if app.payments.is_open() && events::is_poll_due(app).await? && work(app).await?.known > 0 {
        note(events::poll(app).await.map(|()| 1));
    }
    note(events::handle_all(app).await);
    if app.payments.is_open() {
        note(notices::tell_of_first_payments(app).await);
        note(compare(app).await);
    }
    failed.map_or(Ok(done), Err)
}

/// Finishes operations that a request or a node left open.
async fn finish_operations(app: &App) -> Result<u64> {
    let (mut done, mut failed) = (0, None);
    for id in operations::waiting(app).await? {
        let Some(operation) = operations::take_over(app, id).await? else { continue };
        match operations::finish_late(app, operation).await {
            Ok(_) => done += 1,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}

/// A live subscription of a site that is deleted or no longer commercial.
#[derive(Debug, berth_db::FromRow)]
struct Needless {
    id: SubscriptionId,
    site_id: SiteId,
    organization_id: OrganizationId,
    stripe_id: Option<String>,
}

/// Cancels the subscriptions of sites that no longer need one: the site or its organization is deleted or not commercial.
async fn end_needless(app: &App) -> Result<u64> {
    const NEEDLESS: &str = concat!(
        "SELECT x.id, x.site_id, s.organization_id, x.stripe_id FROM site_subscriptions x \
         JOIN sites s ON s.id = x.site_id JOIN organizations o ON o.id = s.organization_id WHERE ",
        is_live!(),
        " AND ",
        is_needless!(),
        " AND NOT EXISTS (SELECT 1 FROM billing_operations p WHERE p.site_id = x.site_id \
         AND (p.finished_at IS NULL OR (p.kind = 'cancel' AND p.outcome <> 'done' AND p.finished_at > $1))) \
         ORDER BY x.id LIMIT 50"
    );
    // What Stripe refused a moment ago it will refuse again, for example because of a wrong key.
    let refused_since = app.now().plus_minutes(-REFUSED_MINUTES);
    let needless: Vec<Needless> = app.db.query(NEEDLESS).bind(refused_since).all().await?;
    let by = Author::job();
    let (mut done, mut failed) = (0, None);
    for row in needless {
        let result = match row.stripe_id {
            Some(subscription) => {
                let place = (row.organization_id, row.site_id);
                let parameters = Parameters::Cancel { subscription };
                match operations::make(app, place, &by, &parameters, may_cancel).await {
                    Ok(Outcome::Refused(error)) => Err(payments::failed(error)),
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

/// Ends a row that Stripe never knew.
async fn end_unknown(app: &App, site: SiteId, id: SubscriptionId, by: &Author) -> Result<()> {
    let mut tx = app.db.begin().await?;
    rows::lock_site(&mut tx, site).await?;
    let row = rows::find_in(&mut tx, site, app.now()).await?.filter(|row| row.id == id);
    let Some(row) = row else { return Ok(()) };
    let changed = sync::end_in(app, &mut tx, by, &row, "canceled with its site").await?;
    sync::finish(app, tx, changed).await
}

/// Compares old rows with Stripe.
async fn compare(app: &App) -> Result<u64> {
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
