//! Stripe's events. Each is stored once and handled once. Only the event's id, its kind and the id of its object are
//! used. The object itself is read from Stripe, so that late, repeated or forged events can do no harm.

use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;
use berth_stripe::{Event, Subscription};

use super::rows::{self, Read};
use super::{notices, sync};
use crate::admin::audit_log::{AuditAction, Author};
use crate::billing::{cards, payments};
use crate::{App, Error, Result, change};

/// The row of `billing_marks` with the last event that was read.
const MARK: &str = "events";
/// Seconds between two reads of Stripe's list of events.
const POLL_SECONDS: i64 = 60;
/// Maximum number of events that one run handles.
const BATCH: i64 = 50;
/// Number of tries after which an event is given up: about three days.
const MAX_TRIES: i64 = 100;

/// Stores events, except those that are stored already.
pub(super) async fn store(app: &App, events: &[Event]) -> Result<()> {
    const INSERT: &str = "INSERT INTO billing_events (id, kind, object_id, received_at, tries, retry_at) \
        VALUES ($1, $2, $3, $4, 0, $4) ON CONFLICT (id) DO NOTHING";
    change::run(app, Author::job(), |mut change| async move {
        for event in events {
            let object = event.data.object.id.as_deref().unwrap_or_default();
            let insert = change.tx.query(INSERT).bind(event.id.as_str()).bind(event.kind.as_str());
            insert.bind(object).bind(change.now).execute().await?;
        }
        change.done(())
    })
    .await
}

/// A stored event that is not handled yet.
#[derive(Debug, berth_db::FromRow)]
struct StoredEvent {
    id: String,
    kind: String,
    object_id: String,
    tries: i64,
}

/// Handles the waiting events. Returns how many are done. An error does not stop the other events; the last one is
/// returned.
pub(super) async fn handle_all(app: &App) -> Result<u64> {
    const WAITING: &str = "SELECT id, kind, object_id, tries FROM billing_events \
        WHERE handled_at IS NULL AND retry_at <= $1 ORDER BY received_at, id LIMIT $2";
    let waiting: Vec<StoredEvent> = app.db.query(WAITING).bind(app.now()).bind(BATCH).all().await?;
    let (mut done, mut failed) = (0, None);
    for event in waiting {
        let handled = handle(app, &event).await;
        let is_done = match handled {
            Ok(is_done) => is_done || event.tries >= MAX_TRIES,
            Err(error) => {
                failed = Some(error);
                event.tries >= MAX_TRIES
            }
        };
        store_result(app, &event, is_done).await?;
        done += u64::from(is_done);
    }
    failed.map_or(Ok(done), Err)
}

/// Records that an event was handled, or when it is tried again.
async fn store_result(app: &App, event: &StoredEvent, is_done: bool) -> Result<()> {
    const HANDLED: &str = "UPDATE billing_events SET handled_at = $2 WHERE id = $1";
    const RETRY: &str = "UPDATE billing_events SET tries = tries + 1, retry_at = $2 WHERE id = $1";
    change::run(app, Author::job(), |mut change| async move {
        if is_done {
            change.tx.query(HANDLED).bind(event.id.as_str()).bind(change.now).execute().await?;
        } else {
            // From 5 seconds to 45 minutes.
            let pause = 5_000 << event.tries.clamp(0, 9);
            let retry_at = change.now.plus_millis(pause);
            change.tx.query(RETRY).bind(event.id.as_str()).bind(retry_at).execute().await?;
        }
        change.done(())
    })
    .await
}

/// Reads the object of an event from Stripe. Returns false if the event must be tried again.
async fn handle(app: &App, event: &StoredEvent) -> Result<bool> {
    let object = event.object_id.as_str();
    match event.kind.as_str() {
        kind if kind.starts_with("customer.subscription.") => refresh_subscription(app, object).await,
        kind if kind.starts_with("invoice.") && !object.is_empty() => {
            let invoice = match app.payments.client().await?.invoice(object).await {
                Ok(invoice) => invoice,
                Err(error) if error.is_missing("invoice") => return Ok(true),
                Err(error) => return Err(payments::failed(error)),
            };
            match invoice.subscription_id() {
                Some(id) => refresh_subscription(app, id).await,
                None => Ok(true),
            }
        }
        "customer.updated" | "customer.deleted" => {
            cards::refresh_customer(app, object).await?;
            Ok(true)
        }
        kind if kind.starts_with("payment_method.") => {
            cards::refresh_payment_method(app, object).await?;
            Ok(true)
        }
        kind if kind.starts_with("price.") || kind.starts_with("product.") => {
            app.catalog.forget();
            notices::notify_of_withdrawn_plans(app).await?;
            Ok(true)
        }
        _ => Ok(true),
    }
}

/// Updates a subscription from Stripe. If it belongs to one of our sites and has no row, the row is added. Returns
/// false if the event must be tried again.
async fn refresh_subscription(app: &App, stripe_id: &str) -> Result<bool> {
    app.previews.forget(Some(stripe_id));
    let Some(read) = sync::refresh(app, stripe_id).await? else { return Ok(true) };
    adopt(app, &read).await
}

/// What was done about a subscription that Stripe has and we do not.
enum Adoption {
    /// It was added, has a row already, or belongs to no site of ours.
    Settled,
    /// An operation at the site is open, which may have made the subscription.
    OperationOpen,
    /// The site has another live subscription.
    Duplicate,
}

/// Adds the row of a subscription that Stripe has and we do not, for example after a crash between the call and the
/// commit. If the site has another live subscription, the new one is canceled at Stripe, so that nobody pays twice.
/// Returns false while an operation at the site is open, because that operation may have made it.
async fn adopt(app: &App, subscription: &Subscription) -> Result<bool> {
    let Some(site) = subscription.metadata.get("site_id").and_then(|id| id.parse::<SiteId>().ok()) else {
        return Ok(true);
    };
    let read = Read::from(subscription);
    match store_adopted(app, site, &read).await? {
        Adoption::Settled => Ok(true),
        Adoption::OperationOpen => Ok(false),
        Adoption::Duplicate => {
            tracing::error!(site_id = %site, "canceling a second subscription of a site");
            match app.payments.client().await?.cancel_subscription(&read.stripe_id).await {
                // The event of the cancellation adds the row.
                Ok(_) => Ok(true),
                Err(error) if error.is_missing("id") => Ok(true),
                Err(error) => Err(payments::failed(error)),
            }
        }
    }
}

async fn store_adopted(app: &App, site: SiteId, read: &Read) -> Result<Adoption> {
    const OPEN_OPERATIONS: &str = "SELECT (SELECT COUNT(*) FROM billing_operations o \
        WHERE o.site_id = s.id AND o.finished_at IS NULL) \
        FROM sites s JOIN billing_customers c ON c.organization_id = s.organization_id \
        WHERE s.id = $1 AND c.stripe_id = $2";
    let read_at = app.now();
    change::run(app, Author::job(), |mut change| async move {
        if rows::find_by_stripe_id(&mut change.tx, &read.stripe_id).await?.is_some() {
            return change::unchanged(Adoption::Settled);
        }
        rows::lock_site(&mut change, site).await?;
        let open: Option<(i64,)> =
            change.tx.query(OPEN_OPERATIONS).bind(site).bind(read.customer.as_str()).optional().await?;
        match open {
            None => return change::unchanged(Adoption::Settled),
            Some((0,)) => {}
            Some(_) => return change::unchanged(Adoption::OperationOpen),
        }
        let current = rows::find(&mut change.tx, site, change.now).await?;
        if read.status.is_live() && current.is_some_and(|row| row.status().is_live()) {
            return change::unchanged(Adoption::Duplicate);
        }
        if !rows::insert(&mut change, site, read, read_at).await? {
            return change::unchanged(Adoption::Settled);
        }
        let row = rows::find_by_stripe_id(&mut change.tx, &read.stripe_id).await?.ok_or(Error::NotFound)?;
        let summary = format!("found at the card provider: {}", read.status);
        sync::record(&mut change, &row, AuditAction::SubscriptionChanged, summary).await?;
        sync::touch(&mut change, &row).await?;
        change.done(Adoption::Settled)
    })
    .await
}

/// Returns true if Stripe's list of events must be read again.
pub(super) async fn is_poll_due(app: &App) -> Result<bool> {
    const READ_AT: &str = "SELECT read_at FROM billing_marks WHERE name = $1";
    let read_at: Option<(Timestamp,)> = app.db.query(READ_AT).bind(MARK).optional().await?;
    Ok(read_at.is_none_or(|(at,)| at <= app.now().plus_millis(-POLL_SECONDS * 1000)))
}

/// Stores the events since the last read, so that lost webhooks do no harm.
///
/// # Errors
/// 503 while Stripe is away.
pub(super) async fn poll(app: &App) -> Result<()> {
    const LAST: &str = "SELECT event_id FROM billing_marks WHERE name = $1";
    const SET_LAST: &str = "INSERT INTO billing_marks (name, event_id, read_at) VALUES ($1, $2, $3) \
        ON CONFLICT (name) DO UPDATE SET event_id = excluded.event_id, read_at = excluded.read_at";
    let last: Option<(Option<String>,)> = app.db.query(LAST).bind(MARK).optional().await?;
    let last = last.and_then(|(id,)| id);
    let client = app.payments.client().await?;
    let events = match &last {
        Some(last) => match client.events_after(last).await {
            Ok(events) => Some(events),
            // Stripe keeps events for 30 days. After a longer downtime the comparison of all subscriptions catches up.
            Err(error) if error.is_missing("ending_before") => None,
            Err(error) => return Err(payments::failed(error)),
        },
        None => None,
    };
    let newest = match &events {
        Some(events) => {
            store(app, events).await?;
            events.last().map(|event| event.id.clone()).or(last)
        }
        None => client.latest_event().await.map_err(payments::failed)?.map(|event| event.id),
    };
    let newest = newest.as_deref();
    change::run(app, Author::job(), |mut change| async move {
        change.tx.query(SET_LAST).bind(MARK).bind(newest).bind(change.now).execute().await?;
        change.done(())
    })
    .await
}
