//! Stores an outcome, with the row of the subscription and the trail.

use berth_db::Tx;

use super::super::rows::{self, Read};
use super::super::sync;
use super::{Operation, Outcome, Parameters};
use crate::admin::audit_log::{self, AuditAction};
use crate::{App, Error, Result};

/// Stores the outcome of an operation.
pub(super) async fn record(app: &App, operation: &Operation, outcome: &Outcome) -> Result<()> {
    const FINISH: &str = "UPDATE billing_operations SET outcome = $2, finished_at = $3, busy_until = $3 \
        WHERE id = $1 AND finished_at IS NULL";
    let word = match outcome {
        Outcome::Done(_) => "done",
        Outcome::Refused(_) => "refused",
        Outcome::NotMade => "given-up",
    };
    let (now, by) = (app.now(), &operation.by);
    let mut tx = app.db.begin().await?;
    rows::lock_site(&mut tx, operation.site_id).await?;
    let is_first = tx.query(FINISH).bind(operation.id).bind(word).bind(now).execute().await? == 1;
    let mut changed = None;
    if let Outcome::Done(subscription) = outcome {
        let read = subscription.as_deref().map(Read::from);
        changed = match (&operation.parameters, &read) {
            (Parameters::Start { is_restart, .. }, Some(read)) => {
                started(app, &mut tx, operation, read, *is_restart).await?
            }
            (Parameters::Pay { .. }, Some(read)) => {
                let changed = sync::store_in(app, &mut tx, by, read, now).await?;
                if is_first {
                    let action = AuditAction::SubscriptionRestarted;
                    note(app, &mut tx, operation, &read.stripe_id, action, "paid again").await?;
                }
                changed
            }
            (Parameters::Cancel { subscription }, read) => {
                let changed = match (read, rows::by_stripe_id(&mut tx, subscription).await?) {
                    (Some(read), _) => sync::store_in(app, &mut tx, by, read, now).await?,
                    (None, Some(row)) => sync::end_in(app, &mut tx, by, &row, sync::UNKNOWN).await?,
                    (None, None) => None,
                };
                if is_first {
                    let action = AuditAction::SubscriptionCanceled;
                    note(app, &mut tx, operation, subscription, action, "canceled").await?;
                }
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
) -> Result<Option<(rows::Row, crate::integrations::live::LiveEvent)>> {
    let by = &operation.by;
    if !rows::insert(app, tx, operation.site_id, read, app.now()).await? {
        // Another node has added it in the meantime.
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
    audit_log::write(app, tx, by, &sync::entry(&row, action, summary)).await?;
    let event = sync::touch(tx, row.site_id).await?;
    Ok(Some((row, event)))
}

/// Adds a row to the trail about what somebody did.
async fn note(
    app: &App,
    tx: &mut Tx,
    operation: &Operation,
    stripe_id: &str,
    action: AuditAction,
    summary: &str,
) -> Result<()> {
    match rows::by_stripe_id(tx, stripe_id).await? {
        Some(row) => audit_log::write(app, tx, &operation.by, &sync::entry(&row, action, summary.to_owned())).await,
        None => Ok(()),
    }
}
