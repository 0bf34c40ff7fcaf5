//! Changes at Stripe: each is written down before Stripe is asked, with its idempotency key and parameters, so that one that
//! ended without an answer is finished later, by whoever asks next or by the job, and never made twice.

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId, UserId};
use berth_domain::plan::FirstCharge;
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use berth_stripe::{Client, Discount, FirstPayment, NewSubscription, Subscription};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::rows::{self, Read};
use super::{moment, sync};
use crate::audit::{self, AuditAction, By};
use crate::{App, Error, Result, payments};

/// How long one request may be at it, in milliseconds. All attempts of a call together stay below.
const BUSY_MILLIS: i64 = 30_000;
/// After so many tries without an answer, or so many hours, the operation is settled by reading what Stripe has: keys are
/// forgotten after a day, and a stored failure would be repeated for ever.
const MAX_TRIES: i64 = 3;
const MAX_HOURS: i64 = 20;
/// Minutes after which a subscription that Stripe does not show was never made.
const GIVEN_UP_MINUTES: i64 = 10;
/// Clocks may differ by so many minutes.
const CLOCK_SLACK: i64 = 5;

const BUSY: &str = "Another change of this subscription is being made right now. Please wait a moment and try again.";

/// What Stripe is asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Parameters {
    /// Make a subscription.
    Start { customer: String, price: String, discount: Option<StoredDiscount>, charge: StoredCharge, is_restart: bool },
    /// Pay the open invoice of a subscription.
    Pay { subscription: String, invoice: String },
    /// End a subscription.
    Cancel { subscription: String },
}

/// See [`Discount`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StoredDiscount {
    PromotionCode(String),
    Coupon(String),
}

/// See [`FirstCharge`]; times in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StoredCharge {
    Now,
    Anchor(i64),
    Trial(i64),
}

impl From<FirstCharge> for StoredCharge {
    fn from(charge: FirstCharge) -> Self {
        // Rounded up: not a second is paid twice.
        let seconds = |at: Timestamp| (at.millis() + 999).div_euclid(1000);
        match charge {
            FirstCharge::Now => Self::Now,
            FirstCharge::AtAnchor(at) => Self::Anchor(seconds(at)),
            FirstCharge::AfterTrial(at) => Self::Trial(seconds(at)),
        }
    }
}

impl Parameters {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Pay { .. } => "pay",
            Self::Cancel { .. } => "cancel",
        }
    }

    /// Whether two people asked for the same: the moment of the first charge follows from when they asked.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Start { customer, price, discount, .. },
                Self::Start { customer: other_customer, price: other_price, discount: other_discount, .. },
            ) => (customer, price, discount) == (other_customer, other_price, other_discount),
            _ => self == other,
        }
    }
}

/// An operation without a known outcome.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    id: Uuid,
    organization_id: OrganizationId,
    site_id: SiteId,
    key: String,
    pub(super) parameters: Parameters,
    by: By,
    created_at: Timestamp,
    tries: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    organization_id: OrganizationId,
    site_id: SiteId,
    idempotency_key: String,
    parameters: String,
    actor_id: Option<UserId>,
    actor_email: Option<String>,
    actor_role: Option<String>,
    created_at: Timestamp,
    busy_until: Timestamp,
    tries: i64,
}

impl Row {
    fn operation(self) -> Result<Operation> {
        let parameters = serde_json::from_str(&self.parameters).map_err(|error| Error::Internal(error.into()))?;
        // Whoever finishes it later does so for the one who asked.
        let by =
            By { user_id: self.actor_id.map(|id| id.0), email: self.actor_email, role: self.actor_role, ..By::job() };
        Ok(Operation {
            id: self.id,
            organization_id: self.organization_id,
            site_id: self.site_id,
            key: self.idempotency_key,
            parameters,
            by,
            created_at: self.created_at,
            tries: self.tries,
        })
    }
}

/// The columns of a [`Row`].
macro_rules! select_operation {
    ($rest:literal) => {
        concat!(
            "SELECT id, organization_id, site_id, idempotency_key, parameters, actor_id, actor_email, actor_role, \
             created_at, busy_until, tries FROM billing_operations ",
            $rest
        )
    };
}

/// How an operation ended.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is done; the subscription as Stripe answered.
    Done(Option<Box<Subscription>>),
    /// Stripe refused, or never heard of it.
    Refused(berth_stripe::Error),
    /// Stripe never made it.
    NotMade,
}

/// Writes down what Stripe will be asked, under the lock of the site. An operation that nobody is at is taken over: what it
/// asks comes first, and the caller looks whether it is the same.
///
/// # Errors
/// 404 for a deleted site, 409 when `may` refuses the site's status or somebody else is at it.
pub(super) async fn open(
    app: &App,
    (organization_id, site_id): (OrganizationId, SiteId),
    by: &By,
    parameters: &Parameters,
    may: impl Fn(SubscriptionStatus) -> Result<(), &'static str> + Send,
) -> Result<Operation> {
    const OPEN: &str = select_operation!("WHERE site_id = $1 AND finished_at IS NULL");
    const ATTEMPTS: &str = "SELECT COUNT(*) FROM billing_operations WHERE site_id = $1 AND kind = $2";
    const INSERT: &str = "INSERT INTO billing_operations (id, organization_id, site_id, kind, attempt, idempotency_key, \
        parameters, actor_id, actor_email, actor_role, created_at, busy_until, tries) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1)";
    let now = app.now();
    let mut tx = app.db.begin().await?;
    rows::lock_site(&mut tx, site_id).await?;
    let open: Option<Row> = tx.query(OPEN).bind(site_id).optional().await?;
    if let Some(row) = open {
        if row.busy_until > now {
            return Err(Error::conflict(BUSY));
        }
        let operation = take(&mut tx, row, now).await?;
        tx.commit().await?;
        return Ok(operation);
    }
    let status = rows::find_in(&mut tx, site_id, now).await?.map_or(SubscriptionStatus::None, |row| row.status());
    may(status).map_err(Error::conflict)?;
    let kind = parameters.kind();
    let attempts: i64 = tx.query(ATTEMPTS).bind(site_id).bind(kind).scalar().await?;
    let operation = Operation {
        id: app.id(),
        organization_id,
        site_id,
        key: format!("{kind}:{site_id}:{}:{}", attempts + 1, app.id()),
        parameters: parameters.clone(),
        by: by.clone(),
        created_at: now,
        tries: 1,
    };
    let text = serde_json::to_string(parameters).map_err(|error| Error::Internal(error.into()))?;
    let insert = tx.query(INSERT).bind(operation.id).bind(organization_id).bind(site_id).bind(kind);
    let insert = insert.bind(attempts + 1).bind(operation.key.as_str()).bind(text);
    let insert = insert.bind(by.user_id).bind(by.email.clone()).bind(by.role.clone());
    insert.bind(now).bind(now.plus_millis(BUSY_MILLIS)).execute().await?;
    tx.commit().await?;
    Ok(operation)
}

/// Operations that nobody is at, the oldest first.
pub(super) async fn waiting(app: &App) -> Result<Vec<Uuid>> {
    const WAITING: &str = "SELECT id FROM billing_operations WHERE finished_at IS NULL AND busy_until <= $1 ORDER BY created_at, id LIMIT 20";
    let rows: Vec<(Uuid,)> = app.db.query(WAITING).bind(app.now()).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Takes an operation over, unless somebody else did.
pub(super) async fn take_over(app: &App, id: Uuid) -> Result<Option<Operation>> {
    const ROW: &str = select_operation!("WHERE id = $1 AND finished_at IS NULL AND busy_until <= $2");
    let now = app.now();
    let mut tx = app.db.begin().await?;
    let row: Option<Row> = tx.query(ROW).bind(id).bind(now).optional().await?;
    let Some(row) = row else { return Ok(None) };
    rows::lock_site(&mut tx, row.site_id).await?;
    let row: Option<Row> = tx.query(ROW).bind(id).bind(now).optional().await?;
    let Some(row) = row else { return Ok(None) };
    let operation = take(&mut tx, row, now).await?;
    tx.commit().await?;
    Ok(Some(operation))
}

async fn take(tx: &mut Tx, row: Row, now: Timestamp) -> Result<Operation> {
    const TAKE: &str = "UPDATE billing_operations SET busy_until = $2, tries = tries + 1 WHERE id = $1";
    tx.query(TAKE).bind(row.id).bind(now.plus_millis(BUSY_MILLIS)).execute().await?;
    let mut operation = row.operation()?;
    operation.tries += 1;
    Ok(operation)
}

/// Opens an operation and brings it to its end. One that was open before is brought to its end first: if it asked for the same,
/// its outcome is the answer.
///
/// # Errors
/// Those of [`open`] and [`finish`].
pub(super) async fn make(
    app: &App,
    place: (OrganizationId, SiteId),
    by: &By,
    parameters: &Parameters,
    may: impl Fn(SubscriptionStatus) -> Result<(), &'static str> + Send + Copy,
) -> Result<Outcome> {
    let operation = open(app, place, by, parameters, may).await?;
    let is_ours = operation.parameters.is_same(parameters);
    let outcome = finish(app, operation, by, 0).await?;
    if is_ours {
        return Ok(outcome);
    }
    let operation = open(app, place, by, parameters, may).await?;
    if operation.parameters.is_same(parameters) {
        finish(app, operation, by, 0).await
    } else {
        Err(Error::conflict(BUSY))
    }
}

/// Asks Stripe and writes the outcome down. While it stays unknown the operation stays open, for the job after `pause`
/// milliseconds and for whoever asks again.
///
/// # Errors
/// 503 when the outcome is not known; those of the database.
pub(super) async fn finish(app: &App, operation: Operation, by: &By, pause: i64) -> Result<Outcome> {
    const FREE: &str = "UPDATE billing_operations SET busy_until = $2 WHERE id = $1 AND finished_at IS NULL";
    let outcome = match ask(app, &operation).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let mut tx = app.db.begin().await?;
            tx.query(FREE).bind(operation.id).bind(app.now().plus_millis(pause)).execute().await?;
            tx.commit().await?;
            return Err(error);
        }
    };
    write(app, &operation, &outcome, by).await?;
    Ok(outcome)
}

/// Finishes an operation that a job took over.
///
/// # Errors
/// As [`finish`].
pub(super) async fn finish_late(app: &App, operation: Operation) -> Result<Outcome> {
    let by = operation.by.clone();
    // Growing pauses, up to 16 minutes.
    let pause = 15_000 << operation.tries.clamp(0, 6);
    finish(app, operation, &by, pause).await
}

/// The call. An error is an outcome that is not known.
async fn ask(app: &App, operation: &Operation) -> Result<Outcome> {
    let client = app.payments.client().await?;
    match &operation.parameters {
        Parameters::Start { customer, price, discount, charge, .. } => {
            let is_old = operation.created_at < app.now().plus_hours(-MAX_HOURS);
            if operation.tries > MAX_TRIES || is_old {
                return settle(app, client, operation, customer).await;
            }
            let (site_id, organization_id) = (operation.site_id.to_string(), operation.organization_id.to_string());
            let new = NewSubscription {
                customer,
                price,
                discount: discount.as_ref().map(|discount| match discount {
                    StoredDiscount::PromotionCode(id) => Discount::PromotionCode(id),
                    StoredDiscount::Coupon(id) => Discount::Coupon(id),
                }),
                first_payment: match charge {
                    StoredCharge::Now => FirstPayment::Now,
                    StoredCharge::Anchor(at) => FirstPayment::Anchor(*at),
                    StoredCharge::Trial(at) => FirstPayment::TrialEnd(*at),
                },
                site_id: &site_id,
                organization_id: &organization_id,
            };
            known(client.create_subscription(&new, &operation.key).await)
        }
        Parameters::Pay { subscription, invoice } => match client.pay_invoice(invoice, &operation.key).await {
            Err(error) if error.is_outcome_unknown() => Err(payments::failed(error)),
            // Stripe's subscription follows its invoice: it is read either way.
            paid => {
                let after = client.subscription(subscription).await.map_err(payments::failed)?;
                match paid {
                    Err(error) if !after.expanded_invoice().is_some_and(berth_stripe::Invoice::is_paid) => {
                        sync::store(app, &operation.by, &Read::from(&after), app.now()).await?;
                        Ok(Outcome::Refused(error))
                    }
                    _ => Ok(Outcome::Done(Some(Box::new(after)))),
                }
            }
        },
        Parameters::Cancel { subscription } => match client.cancel_subscription(subscription).await {
            Ok(canceled) => Ok(Outcome::Done(Some(Box::new(canceled)))),
            // Somebody was faster, or the customer was deleted; or the answer of our own call was lost.
            Err(error) if error.is_missing("id") => match client.subscription(subscription).await {
                Ok(canceled) => Ok(Outcome::Done(Some(Box::new(canceled)))),
                Err(error) if error.is_missing("id") => Ok(Outcome::Done(None)),
                Err(error) => Err(payments::failed(error)),
            },
            Err(error) => known(Err(error)),
        },
    }
}

/// An answer of Stripe's as an outcome.
fn known(answer: berth_stripe::Result<Subscription>) -> Result<Outcome> {
    match answer {
        Ok(subscription) => Ok(Outcome::Done(Some(Box::new(subscription)))),
        Err(error) if error.is_outcome_unknown() => Err(payments::failed(error)),
        Err(error) => Ok(Outcome::Refused(error)),
    }
}

/// Finds out by reading whether Stripe made the subscription: the one of this site that we have no row of.
async fn settle(app: &App, client: &Client, operation: &Operation, customer: &str) -> Result<Outcome> {
    let all = match client.subscriptions(customer).await {
        Ok(all) => all,
        Err(error) if error.is_missing("customer") => return Ok(Outcome::NotMade),
        Err(error) => return Err(payments::failed(error)),
    };
    let site = operation.site_id.to_string();
    let since = operation.created_at.plus_minutes(-CLOCK_SLACK);
    let known = rows::known_at_stripe(&app.db, &[operation.site_id]).await?;
    let ours = all.into_iter().find(|subscription| {
        subscription.metadata.get("site_id") == Some(&site)
            && moment(subscription.created) >= since
            && known.iter().all(|(id, _)| *id != subscription.id)
    });
    match ours {
        Some(subscription) => Ok(Outcome::Done(Some(Box::new(subscription)))),
        None if operation.created_at < app.now().plus_minutes(-GIVEN_UP_MINUTES) => Ok(Outcome::NotMade),
        // It may still be on its way.
        None => Err(Error::CardProviderAway),
    }
}

/// Writes an outcome down, with the row of the subscription and the trail.
async fn write(app: &App, operation: &Operation, outcome: &Outcome, by: &By) -> Result<()> {
    const FINISH: &str = "UPDATE billing_operations SET outcome = $2, finished_at = $3, busy_until = $3 \
        WHERE id = $1 AND finished_at IS NULL";
    let word = match outcome {
        Outcome::Done(_) => "done",
        Outcome::Refused(_) => "refused",
        Outcome::NotMade => "given-up",
    };
    let now = app.now();
    let mut tx = app.db.begin().await?;
    rows::lock_site(&mut tx, operation.site_id).await?;
    let is_first = tx.query(FINISH).bind(operation.id).bind(word).bind(now).execute().await? == 1;
    let mut changed = None;
    if let Outcome::Done(subscription) = outcome {
        let read = subscription.as_deref().map(Read::from);
        changed = match (&operation.parameters, &read) {
            (Parameters::Start { is_restart, .. }, Some(read)) => {
                started(app, &mut tx, operation, read, *is_restart, by).await?
            }
            (Parameters::Pay { .. }, Some(read)) => {
                let changed = sync::store_in(app, &mut tx, by, read, now).await?;
                tell(app, &mut tx, is_first, &read.stripe_id, AuditAction::SubscriptionRestarted, "paid again", by)
                    .await?;
                changed
            }
            (Parameters::Cancel { subscription }, read) => {
                let changed = match (read, rows::by_stripe_id(&mut tx, subscription).await?) {
                    (Some(read), _) => sync::store_in(app, &mut tx, by, read, now).await?,
                    (None, Some(row)) => {
                        sync::end_in(
                            app,
                            &mut tx,
                            by,
                            &row,
                            "the card provider does not know the subscription any more",
                        )
                        .await?
                    }
                    (None, None) => None,
                };
                tell(app, &mut tx, is_first, subscription, AuditAction::SubscriptionCanceled, "canceled", by).await?;
                changed
            }
            _ => None,
        };
    }
    sync::finish(app, tx, changed).await
}

/// Adds the row of a subscription that was made.
async fn started(
    app: &App,
    tx: &mut Tx,
    operation: &Operation,
    read: &Read,
    is_restart: bool,
    by: &By,
) -> Result<Option<(rows::Row, crate::live::LiveEvent)>> {
    if !rows::insert(app, tx, operation.site_id, read, app.now()).await? {
        // A node that was thought dead had written it.
        return sync::store_in(app, tx, by, read, app.now()).await;
    }
    let row = rows::by_stripe_id(tx, &read.stripe_id).await?.ok_or(Error::NotFound)?;
    let (action, verb) = if is_restart {
        (AuditAction::SubscriptionRestarted, "restarted")
    } else {
        (AuditAction::SubscriptionStarted, "started")
    };
    let months = read.duration_months.unwrap_or_default();
    let summary = format!("{verb}: {months} month(s) a period, {}", read.status);
    audit::write(app, tx, by, &sync::entry(&row, action, summary)).await?;
    let event = sync::touch(tx, row.site_id).await?;
    Ok(Some((row, event)))
}

/// A row of the trail about what somebody did, once an operation.
async fn tell(
    app: &App,
    tx: &mut Tx,
    is_first: bool,
    stripe_id: &str,
    action: AuditAction,
    summary: &str,
    by: &By,
) -> Result<()> {
    match rows::by_stripe_id(tx, stripe_id).await? {
        Some(row) if is_first => audit::write(app, tx, by, &sync::entry(&row, action, summary.to_owned())).await,
        _ => Ok(()),
    }
}
