//! Emails to the owners about their subscriptions: a failed payment, a first payment that failed, a card that expires,
//! a plan that is no longer offered. The primary key of `billing_notices` makes sure that each is sent once. No email
//! contains a card number.

use berth_domain::card::{CardExpiry, expiring_through};
use berth_domain::id::{OrganizationId, SavedCardId, SiteId, SubscriptionId};
use berth_domain::locale::Locale;
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::owners::{self, Letter, in_letter};
use super::rows::{self, Read, Row};
use super::{catalog, sync};
use crate::admin::audit_log::Author;
use crate::change::{self, Change};
use crate::housing::sites::is_live;
use crate::{App, Result};

/// Maximum number of notices of one kind that one run sends.
const BATCH: i64 = 50;

/// Minutes before owners get an email about a first payment. Until then the cardholder may be confirming it at the
/// bank.
const FIRST_PAYMENT_MINUTES: i64 = 10;

/// The key of a notice: its kind, the subscription or card, and the invoice, month or price.
#[derive(Debug, Clone, Copy)]
struct Event<'a> {
    kind: &'static str,
    subject: Uuid,
    detail: &'a str,
}

/// The content of a notice.
#[derive(Debug, Clone, Copy)]
enum Notice<'a> {
    /// The first payment failed, so the subscription has not started.
    NotStarted { site: &'a str },
    /// A payment failed, and Stripe tries it again.
    PastDue { site: &'a str },
    /// A payment failed, and Stripe tries it no more.
    Unpaid { site: &'a str },
    /// The card that is charged is in its last month.
    CardExpires { last_month: CardExpiry },
    /// The price of a subscription was archived.
    PlanGone { site: &'a str },
}

/// Adds a notice to all owners to the outbox, unless it was sent before.
async fn notify(
    change: &mut Change,
    organization: OrganizationId,
    Event { kind, subject, detail }: Event<'_>,
    notice: Notice<'_>,
) -> Result<()> {
    const ONCE: &str = "INSERT INTO billing_notices (kind, subject_id, detail, told_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (kind, subject_id, detail) DO NOTHING";
    if change.tx.query(ONCE).bind(kind).bind(subject).bind(detail).bind(change.now).execute().await? == 0 {
        return Ok(());
    }
    let owners = owners::list(&mut change.tx, organization, None).await?;
    let link = owners::link(&change.app, &format!("/payment-details/{organization}"));
    owners::send(change, &owners, |language| letter(language, notice, &link)).await
}

/// Emails the owners if a payment for a subscription has failed, once for each invoice. Sends nothing about a removed
/// site.
pub(super) async fn notify_of_failed_payment(change: &mut Change, row: &Row, read: &Read) -> Result<()> {
    const SITE: &str = "SELECT name FROM sites WHERE id = $1 AND deleted_at IS NULL";
    if !matches!(read.status, SubscriptionStatus::PastDue | SubscriptionStatus::Unpaid) {
        return Ok(());
    }
    let site: Option<(String,)> = change.tx.query(SITE).bind(row.site_id).optional().await?;
    let Some((site,)) = site else { return Ok(()) };
    let site = in_letter(&site);
    let notice = if read.status == SubscriptionStatus::PastDue {
        Notice::PastDue { site: &site }
    } else {
        Notice::Unpaid { site: &site }
    };
    let detail = read.latest_invoice.as_deref().unwrap_or_default();
    let event = Event { kind: read.status.as_str(), subject: row.id.0, detail };
    notify(change, row.organization_id, event, notice).await
}

/// A subscription whose first payment failed.
#[derive(Debug, berth_db::FromRow)]
struct NotStarted {
    stripe_id: String,
    site_id: SiteId,
    name: String,
}

/// Selects subscriptions whose first payment is overdue since `$1` and about which no notice was sent.
const NOT_STARTED: &str = "SELECT x.stripe_id, x.site_id, s.name FROM site_subscriptions x JOIN sites s ON s.id = x.site_id \
    WHERE x.status = 'incomplete' AND x.stripe_id IS NOT NULL AND x.created_at <= $1 AND s.deleted_at IS NULL \
    AND NOT EXISTS (SELECT 1 FROM billing_notices n WHERE n.kind = 'incomplete' AND n.subject_id = x.id) ORDER BY x.id LIMIT $2";

/// Returns true if a notice about a first payment is due.
pub(super) async fn is_first_payment_overdue(app: &App, now: Timestamp) -> Result<bool> {
    let before = now.plus_minutes(-FIRST_PAYMENT_MINUTES);
    let first: Option<NotStarted> = app.db.query(NOT_STARTED).bind(before).bind(1_i64).optional().await?;
    Ok(first.is_some())
}

/// Emails the owners whose subscriptions have not started because the first payment failed. Asks Stripe first, because
/// the event of a payment may have been lost. Returns the number of notices.
///
/// # Errors
/// 503 while Stripe is away.
pub(super) async fn notify_of_first_payments(app: &App) -> Result<u64> {
    let before = app.now().plus_minutes(-FIRST_PAYMENT_MINUTES);
    let waiting: Vec<NotStarted> = app.db.query(NOT_STARTED).bind(before).bind(BATCH).all().await?;
    let mut sent = 0;
    for subscription in waiting {
        sync::refresh(app, &subscription.stripe_id).await?;
        sent += u64::from(notify_of_first_payment(app, &subscription).await?);
    }
    Ok(sent)
}

/// Emails the owners about one first payment. Returns false if the subscription has started or ended in the meantime.
async fn notify_of_first_payment(app: &App, subscription: &NotStarted) -> Result<bool> {
    let NotStarted { stripe_id, site_id, name } = subscription;
    change::run(app, Author::job(), |mut change| async move {
        rows::lock_site(&mut change, *site_id).await?;
        let row = rows::find_by_stripe_id(&mut change.tx, stripe_id).await?;
        let Some(row) = row.filter(|row| row.status() == SubscriptionStatus::Incomplete) else {
            return change::unchanged(false);
        };
        let detail = row.latest_invoice.as_deref().unwrap_or_default();
        let event = Event { kind: SubscriptionStatus::Incomplete.as_str(), subject: row.id.0, detail };
        let notice = Notice::NotStarted { site: &in_letter(name) };
        notify(&mut change, row.organization_id, event, notice).await?;
        change.done(true)
    })
    .await
}

/// Sends one notice in a transaction of its own.
async fn send(app: &App, organization: OrganizationId, event: Event<'_>, notice: Notice<'_>) -> Result<()> {
    change::run(app, Author::job(), |mut change| async move {
        notify(&mut change, organization, event, notice).await?;
        change.done(())
    })
    .await
}

/// A default card that expires, and about which no notice was sent.
#[derive(Debug, berth_db::FromRow)]
struct ExpiringCard {
    id: SavedCardId,
    organization_id: OrganizationId,
    expiry_month: i64,
    expiry_year: i64,
}

/// Selects default cards that pay for a live subscription, are in their last month or expired, and have no notice yet.
const EXPIRING: &str = concat!(
    "SELECT c.id, c.organization_id, c.expiry_month, c.expiry_year FROM saved_cards c \
     WHERE c.is_default AND c.deleted_at IS NULL AND c.removing_at IS NULL AND c.expiry_year >= 2000 \
     AND c.expiry_year * 12 + c.expiry_month <= $1 \
     AND EXISTS (SELECT 1 FROM site_subscriptions x JOIN sites s ON s.id = x.site_id \
     WHERE s.organization_id = c.organization_id AND s.deleted_at IS NULL AND ",
    is_live!(),
    ") AND NOT EXISTS (SELECT 1 FROM billing_notices n WHERE n.kind = 'card-expires' AND n.subject_id = c.id \
     AND n.detail = CAST(c.expiry_month AS TEXT) || '/' || CAST(c.expiry_year AS TEXT)) ORDER BY c.id LIMIT $2"
);

/// Returns true if there is a card that expires and has no notice yet.
pub(super) async fn is_card_expiring(app: &App, now: Timestamp) -> Result<bool> {
    let first: Option<ExpiringCard> = app.db.query(EXPIRING).bind(expiring_through(now)).bind(1_i64).optional().await?;
    Ok(first.is_some())
}

/// Emails the owners about cards that expire. Returns the number of cards.
pub(super) async fn notify_of_expiring_cards(app: &App) -> Result<u64> {
    let now = app.now();
    let cards: Vec<ExpiringCard> = app.db.query(EXPIRING).bind(expiring_through(now)).bind(BATCH).all().await?;
    let mut sent = 0;
    for card in cards {
        let Ok(last_month) = CardExpiry::of(card.expiry_month, card.expiry_year) else { continue };
        let detail = format!("{}/{}", card.expiry_month, card.expiry_year);
        let event = Event { kind: "card-expires", subject: card.id.0, detail: &detail };
        send(app, card.organization_id, event, Notice::CardExpires { last_month }).await?;
        sent += 1;
    }
    Ok(sent)
}

/// A live subscription with its price.
#[derive(Debug, berth_db::FromRow)]
struct Priced {
    id: SubscriptionId,
    site_id: SiteId,
    organization_id: OrganizationId,
    name: String,
    stripe_price: String,
}

/// Emails the owners about live subscriptions whose price is no longer in the catalog.
///
/// # Errors
/// 503 while Stripe is away.
pub(super) async fn notify_of_withdrawn_plans(app: &App) -> Result<()> {
    const PRICED: &str = concat!(
        "SELECT x.id, x.site_id, s.organization_id, s.name, x.stripe_price FROM site_subscriptions x \
         JOIN sites s ON s.id = x.site_id WHERE s.deleted_at IS NULL AND x.stripe_price IS NOT NULL AND ",
        is_live!(),
        " AND NOT EXISTS (SELECT 1 FROM billing_notices n WHERE n.kind = 'plan-gone' AND n.subject_id = x.id \
         AND n.detail = x.stripe_price) ORDER BY x.id"
    );
    let subscriptions: Vec<Priced> = app.db.query(PRICED).all().await?;
    for Priced { id, site_id, organization_id, name, stripe_price } in subscriptions {
        if catalog::find(app, &stripe_price).await?.is_some() {
            continue;
        }
        tracing::info!(site_id = %site_id, "the price of a subscription is no longer offered");
        let event = Event { kind: "plan-gone", subject: id.0, detail: &stripe_price };
        send(app, organization_id, event, Notice::PlanGone { site: &in_letter(&name) }).await?;
    }
    Ok(())
}

fn letter(language: Locale, notice: Notice<'_>, link: &str) -> Letter {
    let (subject, text) = match language {
        Locale::English => english(notice),
        Locale::Spanish => spanish(notice),
    };
    let open = language.pick("Open Billing", "Abrir facturación");
    let why = language.pick(
        "You get this message because you are an owner of the organization. For your security, it contains no card number.",
        "Recibe este mensaje porque es propietario de la organización. Por seguridad, no contiene ningún número de tarjeta.",
    );
    Letter { subject, body: format!("{text}\n\n{open}:\n{link}\n\n{why}\n") }
}

fn english(notice: Notice<'_>) -> (String, String) {
    match notice {
        Notice::NotStarted { site } => (
            format!("Subscription not started: {site}"),
            format!(
                "The first payment for the subscription of {site} failed, so the subscription has not started. Reservations \
                 from the public search cannot be accepted there. Check the card, then restart the subscription."
            ),
        ),
        Notice::PastDue { site } => (
            format!("Payment failed: {site}"),
            format!(
                "The payment for the subscription of {site} failed. Until it is paid, reservations from the public search \
                 cannot be accepted there. Check the card, then restart the subscription."
            ),
        ),
        Notice::Unpaid { site } => (
            format!("Subscription suspended: {site}"),
            format!(
                "The subscription of {site} is suspended because its payment failed several times. Reservations from the \
                 public search cannot be accepted there. Check the card and pay the open invoice."
            ),
        ),
        Notice::CardExpires { last_month } => (
            "The card for your subscriptions expires soon".to_owned(),
            format!(
                "The card that pays for your subscriptions is valid through {last_month}. Add another card and make it the \
                 default, so that the next payment does not fail."
            ),
        ),
        Notice::PlanGone { site } => (
            format!("Plan no longer offered: {site}"),
            format!(
                "The plan of the subscription of {site} is no longer offered. The subscription continues as it is. If it ends, \
                 choose another plan to start again."
            ),
        ),
    }
}

fn spanish(notice: Notice<'_>) -> (String, String) {
    match notice {
        Notice::NotStarted { site } => (
            format!("Suscripción no iniciada: {site}"),
            format!(
                "El primer pago de la suscripción de {site} falló, por lo que la suscripción no ha comenzado. Allí no se pueden \
                 aceptar reservas de la búsqueda pública. Revise la tarjeta y reinicie la suscripción."
            ),
        ),
        Notice::PastDue { site } => (
            format!("Pago fallido: {site}"),
            format!(
                "El pago de la suscripción de {site} falló. Hasta que se pague, allí no se pueden aceptar reservas de la \
                 búsqueda pública. Revise la tarjeta y reinicie la suscripción."
            ),
        ),
        Notice::Unpaid { site } => (
            format!("Suscripción suspendida: {site}"),
            format!(
                "La suscripción de {site} está suspendida porque su pago falló varias veces. Allí no se pueden aceptar \
                 reservas de la búsqueda pública. Revise la tarjeta y pague la factura pendiente."
            ),
        ),
        Notice::CardExpires { last_month } => (
            "La tarjeta de sus suscripciones vence pronto".to_owned(),
            format!(
                "La tarjeta que paga sus suscripciones es válida hasta {last_month}. Añada otra tarjeta y hágala la \
                 predeterminada, para que el próximo pago no falle."
            ),
        ),
        Notice::PlanGone { site } => (
            format!("Plan que ya no se ofrece: {site}"),
            format!(
                "El plan de la suscripción de {site} ya no se ofrece. La suscripción sigue como está. Si termina, elegirá \
                 otro plan para empezar de nuevo."
            ),
        ),
    }
}
