//! Stripe's events. Each is stored once and handled once. Of an event only its id, its kind and the id of its object are used.
//! The object itself is read from Stripe, so that late, repeated or forged events can do no harm.

use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::time::Timestamp;
use berth_stripe::{Event, Subscription};

use super::rows::{self, Read};
use super::{notices, sync};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::billing::{cards, payments};
use crate::{App, Error, Result};

/// The row of `billing_marks` that says up to which event we have read.
const MARK: &str = "events";
/// Seconds from one reading of Stripe's list of events to the next.
const POLL_SECONDS: i64 = 60;
/// The most events that one run handles.
const BATCH: i64 = 50;
/// The number of tries after which an event is given up: about three days.
const MAX_TRIES: i64 = 100;

/// Stores the events that we do not know yet.
///
/// # Errors
/// Those of the database.
pub(super) async fn keep(app: &App, events: &[Event]) -> Result<()> {
    const KEEP: &str = "INSERT INTO billing_events (id, kind, object_id, received_at, tries, retry_at) \
        VALUES ($1, $2, $3, $4, 0, $4) ON CONFLICT (id) DO NOTHING";
    let now = app.now();
    let mut tx = app.db.begin().await?;
    for event in events {
        let object = event.data.object.id.as_deref().unwrap_or_default();
        let keep = tx.query(KEEP).bind(event.id.as_str()).bind(event.kind.as_str());
        keep.bind(object).bind(now).execute().await?;
    }
    Ok(tx.commit().await?)
}

/// A stored event that is not handled yet.
#[derive(Debug, berth_db::FromRow)]
struct Waiting {
    id: String,
    kind: String,
    object_id: String,
    tries: i64,
}

/// Handles the waiting events. Returns how many are done.
///
/// # Errors
/// The last error, after everything else was done.
pub(super) async fn handle_all(app: &App) -> Result<u64> {
    const WAITING: &str = "SELECT id, kind, object_id, tries FROM billing_events \
        WHERE handled_at IS NULL AND retry_at <= $1 ORDER BY received_at, id LIMIT $2";
    const HANDLED: &str = "UPDATE billing_events SET handled_at = $2 WHERE id = $1";
    const LATER: &str = "UPDATE billing_events SET tries = tries + 1, retry_at = $2 WHERE id = $1";
    let waiting: Vec<Waiting> = app.db.query(WAITING).bind(app.now()).bind(BATCH).all().await?;
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
        let now = app.now();
        let mut tx = app.db.begin().await?;
        if is_done {
            tx.query(HANDLED).bind(event.id.as_str()).bind(now).execute().await?;
            done += 1;
        } else {
            // From 5 seconds to 45 minutes.
            let pause = 5_000 << event.tries.clamp(0, 9);
            tx.query(LATER).bind(event.id.as_str()).bind(now.plus_millis(pause)).execute().await?;
        }
        tx.commit().await?;
    }
    failed.map_or(Ok(done), Err)
}

/// Reads the object of an event from Stripe. Returns false if the event must be tried again.
async fn handle(app: &App, event: &Waiting) -> Result<bool> {
    let object = event.object_id.as_str();
    match event.kind.as_str() {
        kind if kind.starts_with("customer.subscription.") => subscription(app, object).await,
        kind if kind.starts_with("invoice.") && !object.is_empty() => {
            let invoice = match app.payments.client().await?.invoice(object).await {
                Ok(invoice) => invoice,
                Err(error) if error.is_missing("invoice") => return Ok(true),
                Err(error) => return Err(payments::failed(error)),
            };
            match invoice.subscription_id() {
                Some(id) => subscription(app, id).await,
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
            notices::tell_of_plans(app).await?;
            Ok(true)
        }
        _ => Ok(true),
    }
}

/// Reads a subscription from Stripe. If we have no row for it and it belongs to one of our sites, the row is added.
async fn subscription(app: &App, stripe_id: &str) -> Result<bool> {
    app.previews.forget(Some(stripe_id));
    let Some(read) = sync::refresh(app, stripe_id).await? else { return Ok(true) };
    adopt(app, &read).await
}

/// The site that a subscription names in its metadata.
#[derive(Debug, berth_db::FromRow)]
struct Place {
    site_id: SiteId,
    organization_id: OrganizationId,
    /// The number of operations at the site whose outcome is not known.
    open: i64,
}

/// Adds the row of a subscription that Stripe has and we do not, for example after a crash between the call and the commit. If
/// the site has another live subscription, the new one is canceled at Stripe, so that nobody pays twice. Returns false while an
/// operation at the site is open, because that operation may have made it.
pub(super) async fn adopt(app: &App, subscription: &Subscription) -> Result<bool> {
    const PLACE: &str = "SELECT s.id AS site_id, s.organization_id, (SELECT COUNT(*) FROM billing_operations o \
        WHERE o.site_id = s.id AND o.finished_at IS NULL) AS open \
        FROM sites s JOIN billing_customers c ON c.organization_id = s.organization_id \
        WHERE s.id = $1 AND c.stripe_id = $2";
    let Some(site) = subscription.metadata.get("site_id").and_then(|id| id.parse::<SiteId>().ok()) else {
        return Ok(true);
    };
    let now = app.now();
    let read = Read::from(subscription);
    let mut tx = app.db.begin().await?;
    if rows::by_stripe_id(&mut tx, &read.stripe_id).await?.is_some() {
        return Ok(true);
    }
    rows::lock_site(&mut tx, site).await?;
    let place: Option<Place> = tx.query(PLACE).bind(site).bind(read.customer.as_str()).optional().await?;
    let Some(place) = place else { return Ok(true) };
    if place.open > 0 {
        return Ok(false);
    }
    let current = rows::find_in(&mut tx, site, now).await?;
    if read.status.is_live() && current.is_some_and(|row| row.status().is_live()) {
        drop(tx);
        tracing::error!(site_id = %site, "a second subscription of a site is canceled");
        let client = app.payments.client().await?;
        return match client.cancel_subscription(&read.stripe_id).await {
            // The event of the cancellation adds the row.
            Ok(_) => Ok(true),
            Err(error) if error.is_missing("id") => Ok(true),
            Err(error) => Err(payments::failed(error)),
        };
    }
    if !rows::insert(app, &mut tx, site, &read, now).await? {
        return Ok(true);
    }
    let row = rows::by_stripe_id(&mut tx, &read.stripe_id).await?.ok_or(Error::NotFound)?;
    let summary = format!("found at the card provider: {}", read.status);
    audit_log::write(app, &mut tx, &Author::job(), &sync::entry(&row, AuditAction::SubscriptionChanged, summary))
        .await?;
    let event = sync::touch(&mut tx, place.site_id).await?;
    app.live.commit_many(tx, place.organization_id, vec![event]).await?;
    Ok(true)
}

/// Returns true if Stripe's list of events should be read again.
///
/// # Errors
/// Those of the database.
pub(super) async fn is_poll_due(app: &App) -> Result<bool> {
    const READ_AT: &str = "SELECT read_at FROM billing_marks WHERE name = $1";
    let read_at: Option<(Timestamp,)> = app.db.query(READ_AT).bind(MARK).optional().await?;
    Ok(read_at.is_none_or(|(at,)| at <= app.now().plus_millis(-POLL_SECONDS * 1000)))
}

/// Stores the events since the last reading, so that a lost webhook does no harm.
///
/// # Errors
/// 503 while Stripe is away; those of the database.
pub(super) async fn poll(app: &App) -> Result<()> {
    const LAST: &str = "SELECT event_id FROM billing_marks WHERE name = $1";
    const MARKED: &str = "INSERT INTO billing_marks (name, event_id, read_at) VALUES ($1, $2, $3) \
        ON CONFLICT (name) DO UPDATE SET event_id = excluded.event_id, read_at = excluded.read_at";
    let last: Option<(Option<String>,)> = app.db.query(LAST).bind(MARK).optional().await?;
    let last = last.and_then(|(id,)| id);
    let client = app.payments.client().await?;
    let events = match &last {
        Some(last) => match client.events_after(last).await {
            Ok(events) => Some(events),
            // Stripe has forgotten it, because this server was down for a month. The comparison of all subscriptions catches up.
            Err(error) if error.is_missing("ending_before") => None,
            Err(error) => return Err(payments::failed(error)),
        },
        None => None,
    };
    let newest = match &events {
        Some(events) => {
            keep(app, events).await?;
            events.last().map(|event| event.id.clone()).or(last)
        }
        None => client.latest_event().await.map_err(payments::failed)?.map(|event| event.id),
    };
    let mut tx = app.db.begin().await?;
    tx.query(MARKED).bind(MARK).bind(newest).bind(app.now()).execute().await?;
    Ok(tx.commit().await?)
}
