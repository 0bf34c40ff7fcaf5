//! Removes a card: `DELETE /api/Subscriptions/savedPaymentMethods/{id}`.

use axum::extract::State;
use berth_domain::card::may_remove;
use berth_domain::id::SavedCardId;
use berth_domain::policy::Action;
use berth_stripe::Client;

use super::customer;
use super::rows::{self, Row};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::{Caller, Organization};
use crate::billing::payments;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result, change};

/// Removes a card. If it was the default, another card becomes the default. 409 for the last card while a subscription
/// is active.
#[utoipa::path(delete, path = "/api/Subscriptions/savedPaymentMethods/{id}", tag = "Cards",
    params(("id" = SavedCardId, Path, description = "the card")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<SavedCardId>) -> Result<Done> {
    let organization = caller.card(id, Action::ManageBilling).await?;
    let customer = customer::find(&app, organization.id).await?;
    let (row, next_default) = begin_removal(&app, &organization, id).await?;
    let client = app.payments.client().await?;
    if let Err(error) = detach(client, customer.as_deref(), &row, next_default.as_ref()).await {
        cancel_removal(&app, row.id).await?;
        return Err(payments::failed(error));
    }
    finish_removal(&app, &caller, &organization, &row, next_default.as_ref()).await?;
    Ok(Done)
}

/// Checks that a card may be removed, records that its removal has begun, and chooses the next default card.
async fn begin_removal(app: &App, organization: &Organization, id: SavedCardId) -> Result<(Row, Option<Row>)> {
    change::run(app, Author::job(), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        let cards = rows::list(&mut change.tx, organization.id).await?;
        let row = cards.iter().find(|row| row.id == id).cloned().ok_or(Error::NotFound)?;
        // Cards that are being removed do not count: if the last two are removed at once, one stays.
        let others: Vec<&Row> = cards.iter().filter(|other| other.id != id && other.removing_at.is_none()).collect();
        let live = rows::count_live_subscriptions(&mut change.tx, organization.id).await?;
        may_remove(i64::try_from(others.len()).unwrap_or(i64::MAX), live).map_err(Error::conflict)?;
        let next_default = if row.is_default { others.first().map(|row| (*row).clone()) } else { None };
        rows::set_removing(&mut change.tx, id, Some(change.now)).await?;
        change.done((row, next_default))
    })
    .await
}

/// Records that a card was not removed, because Stripe could not detach it.
async fn cancel_removal(app: &App, id: SavedCardId) -> Result<()> {
    change::run(app, Author::job(), |mut change| async move {
        rows::set_removing(&mut change.tx, id, None).await?;
        change.done(())
    })
    .await
}

/// Removes a card that Stripe has detached, and stores the next default card.
async fn finish_removal(
    app: &App,
    caller: &Caller,
    organization: &Organization,
    row: &Row,
    next_default: Option<&Row>,
) -> Result<()> {
    change::run(app, Author::caller(caller, None), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        if rows::remove(&mut change.tx, row.id, change.now).await? {
            if let Some(next) = next_default {
                rows::set_default(&mut change.tx, organization.id, Some(&next.payment_method)).await?;
            }
            change.record(super::entry(organization, AuditAction::CardRemoved, row.id, row.name())).await?;
        }
        change.done(())
    })
    .await
}

/// Detaches a card at Stripe, after the next default card was set there. Succeeds if the card is already detached.
async fn detach(
    client: &Client,
    customer: Option<&str>,
    row: &Row,
    next_default: Option<&Row>,
) -> berth_stripe::Result<()> {
    if let (Some(customer), Some(next)) = (customer, next_default) {
        match client.set_default_payment_method(customer, &next.payment_method).await {
            Ok(_) => {}
            // The customer, or the other card, was removed in the meantime; the next list shows it.
            Err(error)
                if error.api_error().is_some_and(|api_error| api_error.code.as_deref() == Some("resource_missing")) => {
            }
            Err(error) => return Err(error),
        }
    }
    match client.detach(&row.payment_method).await {
        Ok(_) => Ok(()),
        Err(error) if error.is_missing("payment_method") => Ok(()),
        Err(error) => match client.payment_method(&row.payment_method).await {
            Ok(method) if method.customer.is_none() => Ok(()),
            _ => Err(error),
        },
    }
}
