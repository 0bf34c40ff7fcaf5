//! Changes at Stripe. Each is stored with its idempotency key and parameters before Stripe is asked. If no answer comes, the job
//! or the next request finishes the same operation, so that nothing is made twice.

mod ask;
mod parameters;
mod queue;
mod record;

use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::subscription::SubscriptionStatus;
use berth_stripe::Subscription;

pub(super) use self::parameters::{Parameters, StoredCharge, StoredDiscount};
use self::queue::{Operation, open};
pub(super) use self::queue::{take_over, waiting};
use crate::admin::audit_log::Author;
use crate::{App, Error, Result};

const BUSY: &str = "Another change of this subscription is being made right now. Please wait a moment and try again.";

/// The outcome of an operation.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is done; the subscription as Stripe answered, or `None` if Stripe no longer knows it.
    Done(Option<Box<Subscription>>),
    /// Stripe refused.
    Refused(berth_stripe::Error),
    /// Stripe never made it.
    NotMade,
}

/// Opens an operation and finishes it. An earlier one that still waits is finished first; if it asks for the same, its outcome
/// is the answer. In the trail an operation belongs to the person who asked for it.
///
/// # Errors
/// 404 for a deleted site; 409 if `may` refuses, or if another change is being made; 503 if Stripe does not answer.
pub(super) async fn make(
    app: &App,
    place: (OrganizationId, SiteId),
    by: &Author,
    parameters: &Parameters,
    may: impl Fn(SubscriptionStatus) -> Result<(), &'static str> + Send + Copy,
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

/// Asks Stripe and stores the outcome. If the outcome is not known, the operation stays open: the job tries again after `pause`
/// milliseconds, or earlier the next request of somebody.
async fn finish(app: &App, operation: Operation, pause: i64) -> Result<Outcome> {
    const FREE: &str = "UPDATE billing_operations SET busy_until = $2 WHERE id = $1 AND finished_at IS NULL";
    let outcome = match ask::ask(app, &operation).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let mut tx = app.db.begin().await?;
            tx.query(FREE).bind(operation.id).bind(app.now().plus_millis(pause)).execute().await?;
            tx.commit().await?;
            return Err(error);
        }
    };
    record::record(app, &operation, &outcome).await?;
    Ok(outcome)
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
