//! Stores the outcome of an operation, with the subscription and the audit entries.

use super::super::rows::{self, Read};
use super::super::sync;
use super::{Operation, Outcome, Parameters};
use crate::admin::audit_log::AuditAction;
use crate::change::{self, Change};
use crate::{App, Error, Result};

/// Stores the outcome of an operation.
pub(super) async fn record(app: &App, operation: &Operation, outcome: &Outcome) -> Result<()> {
    const FINISH: &str = "UPDATE billing_operations SET outcome = $2, finished_at = $3, busy_until = $3 \
        WHERE id = $1 AND finished_at IS NULL";
    let outcome_text = match outcome {
        Outcome::Done(_) => "done",
        Outcome::Rejected(_) => "refused",
        Outcome::NotMade => "given-up",
    };
    let read_at = app.now();
    change::run(app, operation.by.clone(), |mut change| async move {
        rows::lock_site(&mut change, operation.site_id).await?;
        let finish = change.tx.query(FINISH).bind(operation.id).bind(outcome_text).bind(read_at);
        let is_first = finish.execute().await? == 1;
        let Outcome::Done(subscription) = outcome else { return change.done(()) };
        let read = subscription.as_deref().map(Read::from);
        match (&operation.parameters, &read) {
            (Parameters::Start { is_restart, .. }, Some(read)) => {
                store_started(&mut change, operation, read, *is_restart).await?;
            }
            (Parameters::Pay { .. }, Some(read)) => {
                sync::update(&mut change, read, read_at).await?;
                if is_first {
                    let action = AuditAction::SubscriptionRestarted;
                    record_action(&mut change, &read.stripe_id, action, "paid again").await?;
                }
            }
            (Parameters::Cancel { subscription }, read) => {
                match (read, rows::find_by_stripe_id(&mut change.tx, subscription).await?) {
                    (Some(read), _) => sync::update(&mut change, read, read_at).await?,
                    (None, Some(row)) => sync::end(&mut change, &row, sync::UNKNOWN_AT_STRIPE).await?,
                    (None, None) => {}
                }
                if is_first {
                    record_action(&mut change, subscription, AuditAction::SubscriptionCanceled, "canceled").await?;
                }
            }
            _ => {}
        }
        change.done(())
    })
    .await
}

/// Adds the row of a subscription that was started.
async fn store_started(change: &mut Change, operation: &Operation, read: &Read, is_restart: bool) -> Result<()> {
    let now = change.now;
    if !rows::insert(change, operation.site_id, read, now).await? {
        // Another node has added it in the meantime.
        return sync::update(change, read, now).await;
    }
    let row = rows::find_by_stripe_id(&mut change.tx, &read.stripe_id).await?.ok_or(Error::NotFound)?;
    let (action, verb) = if is_restart {
        (AuditAction::SubscriptionRestarted, "restarted")
    } else {
        (AuditAction::SubscriptionStarted, "started")
    };
    let months = read.duration_months.unwrap_or_default();
    let summary = format!("{verb}: {months} month(s) a period, {}", read.status);
    sync::record(change, &row, action, summary).await?;
    sync::touch(change, &row).await
}

/// Writes an audit entry about what a user did, if the subscription has a row.
async fn record_action(change: &mut Change, stripe_id: &str, action: AuditAction, summary: &str) -> Result<()> {
    match rows::find_by_stripe_id(&mut change.tx, stripe_id).await? {
        Some(row) => sync::record(change, &row, action, summary.to_owned()).await,
        None => Ok(()),
    }
}
