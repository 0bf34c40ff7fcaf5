//! `DELETE /api/Subscriptions/savedPaymentMethods/{id}`: a card goes.

use axum::extract::State;
use berth_domain::card::may_remove;
use berth_domain::id::SavedCardId;
use berth_domain::policy::Action;
use berth_stripe::Client;

use super::customer;
use super::rows::{self, Row};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::admin::organizations;
use crate::auth::caller::{Caller, Organization};
use crate::billing::payments;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result};

/// Removes a card. Another one becomes the default if it was that. The last card stays while a subscription lives.
#[utoipa::path(delete, path = "/api/Subscriptions/savedPaymentMethods/{id}", tag = "Cards",
    params(("id" = SavedCardId, Path, description = "the card")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<SavedCardId>) -> Result<Done> {
    let organization = caller.card(id, Action::ManageBilling).await?;
    let customer = customer::known(&app, organization.id).await?;
    let (row, successor) = claim(&app, &organization, id).await?;
    let client = app.payments.client().await?;
    if let Err(error) = take(client, customer.as_deref(), &row, successor.as_ref()).await {
        let mut tx = app.db.begin().await?;
        rows::set_removing(&mut tx, row.id, None).await?;
        tx.commit().await?;
        return Err(payments::failed(error));
    }
    let mut tx = app.db.begin().await?;
    organizations::lock(&mut tx, organization.id).await?;
    if rows::end(&mut tx, row.id, app.now()).await? {
        if let Some(successor) = &successor {
            rows::set_default(&mut tx, organization.id, Some(&successor.payment_method)).await?;
        }
        let entry = super::entry(&organization, AuditAction::CardRemoved, row.id, row.name());
        audit_log::write(&app, &mut tx, &Author::caller(&caller, None), &entry).await?;
    }
    tx.commit().await?;
    Ok(Done)
}

/// Records that a card is being removed, if it may be, and chooses the next default.
async fn claim(app: &App, organization: &Organization, id: SavedCardId) -> Result<(Row, Option<Row>)> {
    let mut tx = app.db.begin().await?;
    organizations::lock(&mut tx, organization.id).await?;
    let cards = rows::all_in(&mut tx, organization.id).await?;
    let row = cards.iter().find(|row| row.id == id).cloned().ok_or(Error::NotFound)?;
    // Cards that are being removed do not count: if the last two are removed at once, one stays.
    let others: Vec<&Row> = cards.iter().filter(|other| other.id != id && other.removing_at.is_none()).collect();
    let live = rows::live_subscriptions(&mut tx, organization.id).await?;
    may_remove(i64::try_from(others.len()).unwrap_or(i64::MAX), live).map_err(Error::conflict)?;
    let successor = if row.is_default { others.first().map(|row| (*row).clone()) } else { None };
    rows::set_removing(&mut tx, id, Some(app.now())).await?;
    tx.commit().await?;
    Ok((row, successor))
}

/// Detaches the card at Stripe, after the other one has become the default. Succeeds if the card is already detached.
async fn take(client: &Client, customer: Option<&str>, row: &Row, successor: Option<&Row>) -> berth_stripe::Result<()> {
    if let (Some(customer), Some(successor)) = (customer, successor) {
        match client.set_default_payment_method(customer, &successor.payment_method).await {
            Ok(_) => {}
            // The customer, or the other card, was removed in the meantime; the next list shows it.
            Err(error)
                if error.refusal().is_some_and(|refusal| refusal.code.as_deref() == Some("resource_missing")) => {}
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
