//! Makes a card the default.

use axum::Json;
use axum::extract::State;
use berth_domain::id::{OrganizationId, SavedCardId};
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::ToSchema;

use super::rows::{self, Row};
use super::{SavedCard, customer, list};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::{Caller, Organization};
use crate::billing::payments;
use crate::http::body::Body;
use crate::{App, Error, Result, change};

/// The card to make the default.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DefaultCard {
    /// The organization.
    organization_id: OrganizationId,
    /// One of its saved cards.
    saved_payment_method_id: SavedCardId,
}

/// The message for a card that was removed on the card provider's page.
const GONE: &str = "This card was removed at the card provider. Here is how it is now.";

/// Makes a card the one that pays for subscriptions, and returns all cards.
#[utoipa::path(put, path = "/api/Subscriptions/savedPaymentMethods/default", tag = "Cards", request_body = DefaultCard,
    responses((status = 200, body = Vec<SavedCard>)))]
pub async fn make_default(
    State(app): State<App>,
    caller: Caller,
    Body(input): Body<DefaultCard>,
) -> Result<Json<Vec<SavedCard>>> {
    let organization = caller.organization(input.organization_id, Action::ManageBilling).await?;
    let cards = rows::list(&app.db, organization.id).await?;
    let row = cards.into_iter().find(|row| row.id == input.saved_payment_method_id).ok_or(Error::NotFound)?;
    let customer = customer::find(&app, organization.id).await?.ok_or(Error::NotFound)?;
    let client = app.payments.client().await?;
    if let Err(error) = client.set_default_payment_method(&customer, &row.payment_method).await {
        let is_gone = error.is_missing("id") || error.is_missing("invoice_settings[default_payment_method]");
        if !is_gone {
            return Err(payments::failed(error));
        }
        list::refresh(&app, &organization).await?;
        return Err(Error::conflict(GONE));
    }
    store_default(&app, &caller, &organization, &row).await?;
    Ok(Json(list::saved(&app, &organization).await?))
}

/// Stores the new default card, after Stripe has accepted it.
async fn store_default(app: &App, caller: &Caller, organization: &Organization, row: &Row) -> Result<()> {
    change::run(app, Author::caller(caller, None), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        rows::set_default(&mut change.tx, organization.id, Some(&row.payment_method)).await?;
        if !row.is_default {
            let entry = super::entry(organization, AuditAction::CardMadeDefault, row.id, row.name());
            change.record(entry).await?;
        }
        change.done(())
    })
    .await
}
