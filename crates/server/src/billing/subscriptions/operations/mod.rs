//! Changes at Stripe. Each is stored with its idempotency key and parameters before Stripe is called. If no answer
//! comes, the job or the next request finishes the same operation, so that nothing is made twice.

mod call;
mod parameters;
mod queue;
mod record;

use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::subscription::SubscriptionStatus;
use berth_stripe::Subscription;

pub(super) use self::parameters::{Parameters, StoredCharge, StoredDiscount};
use self::queue::{Operation, open};
pub(super) use self::queue::{list_waiting, take_over};
use crate::admin::audit_log::Author;
use crate::{App, Error, Result, change};

const BUSY: &str = "Another change of this subscription is being made right now. Please wait a moment and try again.";

/// The outcome of an operation.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Stripe has done it and answered with this subscription; `None` if Stripe no longer knows the subscription.
    Done(Option<Box<Subscription>>),
    /// Stripe rejected the call.
    Rejected(berth_stripe::Error),
    /// The call had no effect.
    NotMade,
}

/// Opens an operation and finishes it. An earlier operation that still waits is finished first; if it is the same, its
/// outcome is returned. The audit log names the user who opened the operation.
///
/// # Errors
/// 404 for a site that does not exist; 409 if `may` rejects the site's status, or if another change is being made; 503
/// if Stripe does not answer.
pub(super) async fn execute(
    app: &App,
    place: (OrganizationId, SiteId),
    by: &Author,
    parameters: &Parameters,
    may: fn(SubscriptionStatus) -> Result<(), &'static str>,
) -> Result<Outcome> {
    let operation = open(app, place, by, parameters, may).await?;
    let is_same = operation.parameters.is_same(parameters);
    let outcome = finish(app, operation, 0).await?;
    if is_same {
        return Ok(outcome);
    }
    let operation = open(app, place, by, parameters, may).await?;
    if operation.parameters.is_same(parameters) { finish(app, operation, 0).await } else { Err(Error::conflict(BUSY)) }
}

/// Calls Stripe and stores the outcome. If the outcome is not known, the operation stays open: the job tries again
/// after `pause` milliseconds, or the next request does so earlier.
async fn finish(app: &App, operation: Operation, pause: i64) -> Result<Outcome> {
    let outcome = match call::call(app, &operation).await {
        Ok(outcome) => outcome,
        Err(error) => {
            release(app, &operation, pause).await?;
            return Err(error);
        }
    };
    record::record(app, &operation, &outcome).await?;
    Ok(outcome)
}

/// Lets others take an operation over after `pause` milliseconds.
async fn release(app: &App, operation: &Operation, pause: i64) -> Result<()> {
    const RELEASE: &str = "UPDATE billing_operations SET busy_until = $2 WHERE id = $1 AND finished_at IS NULL";
    change::run(app, Author::job(), |mut change| async move {
        let busy_until = change.now.plus_millis(pause);
        change.tx.query(RELEASE).bind(operation.id).bind(busy_until).execute().await?;
        change.done(())
    })
    .await
}

/// Finishes an operation that the job took over.
///
/// # Errors
/// 503 if Stripe does not answer.
pub(super) async fn finish_late(app: &App, operation: Operation) -> Result<Outcome> {
    // From 30 seconds up to 16 minutes.
    let pause = 15_000 << operation.tries.clamp(0, 6);
    finish(app, operation, pause).await
}
