//! Calls Stripe for an operation. If it is too late to repeat a call, reads from Stripe whether it had an effect.

use berth_stripe::{Client, Discount, FirstPayment, Invoice, NewSubscription, Subscription};

use super::super::rows::{self, Read};
use super::super::{moment, sync};
use super::{Operation, Outcome, Parameters, StoredCharge, StoredDiscount};
use crate::billing::payments;
use crate::{App, Error, Result};

/// After this many calls without an answer, or this many hours, the outcome is read from Stripe instead of calling
/// again: Stripe forgets idempotency keys after a day, and repeats a stored failure until then.
const MAX_TRIES: i64 = 3;
const MAX_HOURS: i64 = 20;
/// Minutes after which a call that shows no effect at Stripe counts as not made.
const NOT_MADE_MINUTES: i64 = 10;
/// Maximum difference between Stripe's clock and ours, in minutes.
const CLOCK_SLACK: i64 = 5;

/// Calls Stripe. An error means that the outcome is not known.
pub(super) async fn call(app: &App, operation: &Operation) -> Result<Outcome> {
    let client = app.payments.client().await?;
    let is_late = operation.tries > MAX_TRIES || operation.created_at < app.now().plus_hours(-MAX_HOURS);
    match &operation.parameters {
        Parameters::Start { customer, price, discount, charge, site_name, .. } => {
            if is_late {
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
                description: site_name.as_deref(),
                site_id: &site_id,
                organization_id: &organization_id,
            };
            outcome_of(client.create_subscription(&new, &operation.key).await)
        }
        Parameters::Pay { subscription, .. } if is_late => settle_payment(app, client, operation, subscription).await,
        Parameters::Pay { subscription, invoice } => pay(app, client, operation, (subscription, invoice)).await,
        Parameters::Cancel { subscription } => match client.cancel_subscription(subscription).await {
            Ok(canceled) => Ok(Outcome::Done(Some(Box::new(canceled)))),
            // It was canceled by someone else, the customer was deleted, or the answer to an earlier call was lost.
            Err(error) if error.is_missing("id") => match client.subscription(subscription).await {
                Ok(canceled) => Ok(Outcome::Done(Some(Box::new(canceled)))),
                Err(error) if error.is_missing("id") => Ok(Outcome::Done(None)),
                Err(error) => Err(payments::failed(error)),
            },
            Err(error) => outcome_of(Err(error)),
        },
    }
}

/// Pays an invoice.
async fn pay(
    app: &App,
    client: &Client,
    operation: &Operation,
    (subscription, invoice): (&str, &str),
) -> Result<Outcome> {
    let paid = match client.pay_invoice(invoice, &operation.key).await {
        Err(error) if error.is_outcome_unknown() => return Err(payments::failed(error)),
        paid => paid,
    };
    // Stripe's subscription follows its invoice, so it is read either way.
    let after = client.subscription(subscription).await.map_err(payments::failed)?;
    match paid {
        Err(error) if !after.expanded_invoice().is_some_and(Invoice::is_paid) => {
            sync::store(app, &operation.by, &Read::from(&after), app.now()).await?;
            Ok(Outcome::Rejected(error))
        }
        _ => Ok(Outcome::Done(Some(Box::new(after)))),
    }
}

/// Reads from Stripe whether an invoice was paid. It is not paid again, because nobody expects a charge so late.
async fn settle_payment(app: &App, client: &Client, operation: &Operation, subscription: &str) -> Result<Outcome> {
    let now = client.subscription(subscription).await.map_err(payments::failed)?;
    if now.expanded_invoice().is_some_and(Invoice::is_paid) {
        return Ok(Outcome::Done(Some(Box::new(now))));
    }
    not_made(app, operation)
}

/// Returns the outcome of a call that shows no effect at Stripe. At first an error, because the call may still be in
/// progress.
fn not_made(app: &App, operation: &Operation) -> Result<Outcome> {
    if operation.created_at < app.now().plus_minutes(-NOT_MADE_MINUTES) {
        Ok(Outcome::NotMade)
    } else {
        Err(Error::CardProviderAway)
    }
}

/// Turns Stripe's answer into an outcome.
fn outcome_of(answer: berth_stripe::Result<Subscription>) -> Result<Outcome> {
    match answer {
        Ok(subscription) => Ok(Outcome::Done(Some(Box::new(subscription)))),
        Err(error) if error.is_outcome_unknown() => Err(payments::failed(error)),
        Err(error) => Ok(Outcome::Rejected(error)),
    }
}

/// Reads from Stripe whether the subscription was created: it is the one of this site that we have no row for.
async fn settle(app: &App, client: &Client, operation: &Operation, customer: &str) -> Result<Outcome> {
    let all = match client.subscriptions(customer).await {
        Ok(all) => all,
        Err(error) if error.is_missing("customer") => return Ok(Outcome::NotMade),
        Err(error) => return Err(payments::failed(error)),
    };
    let site = operation.site_id.to_string();
    let since = operation.created_at.plus_minutes(-CLOCK_SLACK);
    let known = rows::list_stripe_ids(&app.db, &[operation.site_id]).await?;
    let ours = all.into_iter().find(|subscription| {
        subscription.metadata.get("site_id") == Some(&site)
            && moment(subscription.created) >= since
            && known.iter().all(|(id, _)| *id != subscription.id)
    });
    match ours {
        Some(subscription) => Ok(Outcome::Done(Some(Box::new(subscription)))),
        None => not_made(app, operation),
    }
}
