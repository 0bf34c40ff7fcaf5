//! Saves a card. The browser sends the card to Stripe; Berth gets the card's id from there and checks that it belongs
//! to the organization.

use axum::Json;
use axum::extract::State;
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;
use berth_stripe::{Card, PaymentMethod};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rows::{self, Row};
use super::{SavedCard, customer};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::{Caller, Organization};
use crate::billing::payments;
use crate::http::body::{Body, Created};
use crate::{App, Error, Result, change};

/// The field with the card's id.
const CARD_FIELD: &str = "/externalSavedPaymentMethodId";

/// A request to save a card.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetupAsk {
    /// The organization.
    organization_id: OrganizationId,
    /// The email address for receipts. Needed for the first card only.
    #[serde(default)]
    email: Option<String>,
}

/// The secret of a card setup.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Setup {
    /// The secret with which the browser sends the card to Stripe.
    client_secret: String,
}

/// Starts to save a card. The browser sends it to Stripe with the secret in the answer.
#[utoipa::path(post, path = "/api/Stripe/setup-intent", tag = "Cards", request_body = SetupAsk,
    responses((status = 200, body = Setup)))]
pub async fn begin_setup(State(app): State<App>, caller: Caller, Body(input): Body<SetupAsk>) -> Result<Json<Setup>> {
    let organization = caller.organization(input.organization_id, Action::ManageBilling).await?;
    let client = app.payments.client().await?;
    let customer = customer::ensure(&app, &organization, input.email.as_deref()).await?;
    let intent = match client.create_setup_intent(&customer).await {
        Err(error) if error.is_missing("customer") => {
            // The customer was deleted at Stripe: try once more with a new one.
            customer::forget(&app, &organization, &customer).await?;
            let customer = customer::ensure(&app, &organization, input.email.as_deref()).await?;
            client.create_setup_intent(&customer).await
        }
        answer => answer,
    };
    let secret = intent.map_err(payments::failed)?.client_secret;
    let client_secret = secret.ok_or_else(|| Error::internal("Stripe gave no client secret"))?;
    Ok(Json(Setup { client_secret }))
}

/// A card to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSavedCard {
    /// The card's id at the card provider, `pm_…`.
    external_saved_payment_method_id: String,
    /// The organization.
    organization_id: OrganizationId,
    /// The email address for receipts. Needed for the first card only.
    #[serde(default)]
    email: Option<String>,
}

/// Saves a card that the browser sent to the card provider. The first card becomes the default.
#[utoipa::path(post, path = "/api/Subscriptions/savedPaymentMethods", tag = "Cards", request_body = NewSavedCard,
    responses((status = 201, body = SavedCard)))]
pub async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(input): Body<NewSavedCard>,
) -> Result<Created<SavedCard>> {
    let organization = caller.organization(input.organization_id, Action::ManageBilling).await?;
    let client = app.payments.client().await?;
    // Checked before a customer is created for it.
    let method = client.payment_method(&input.external_saved_payment_method_id).await.map_err(|error| {
        if error.is_missing("payment_method") {
            return Error::field(CARD_FIELD, "The card provider does not know this card. Please enter it again.");
        }
        payments::failed(error)
    })?;
    let card = method.card.clone();
    let card = card.ok_or_else(|| Error::field(CARD_FIELD, "Only cards can be saved."))?;
    let customer = customer_for(&app, &organization, &method, input.email.as_deref()).await?;
    if method.customer.is_none() {
        // A key for this call only: if the card was detached in the meantime, an old answer would no longer be true.
        let key = format!("attach:{}", app.id());
        client.attach(&method.id, &customer, &key).await.map_err(not_attached)?;
    }
    let paid_with = client.customer(&customer).await.map_err(payments::failed)?;
    let is_first = paid_with.invoice_settings.default_payment_method.is_none();
    if is_first {
        client.set_default_payment_method(&customer, &method.id).await.map_err(payments::failed)?;
    }
    let row = store(&app, &caller, &organization, (&method, &card), is_first).await?;
    Ok(Created(row.into()))
}

/// Stores a card that is attached at Stripe, unless it has a row already.
async fn store(
    app: &App,
    caller: &Caller,
    organization: &Organization,
    (method, card): (&PaymentMethod, &Card),
    is_first: bool,
) -> Result<Row> {
    change::run(app, Author::caller(caller, None), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        let is_new = rows::insert(&mut change, organization.id, method, card).await?;
        if is_first {
            rows::set_default(&mut change.tx, organization.id, Some(&method.id)).await?;
        }
        let rows = rows::list(&mut change.tx, organization.id).await?;
        // It was removed in the meantime, and cannot be attached again.
        let removed = || Error::field(CARD_FIELD, "This card was removed. Please enter it again.");
        let row = rows.into_iter().find(|row| row.payment_method == method.id).ok_or_else(removed)?;
        if is_new {
            change.record(super::entry(organization, AuditAction::CardAdded, row.id, row.name())).await?;
        }
        change.done(row)
    })
    .await
}

/// Returns the organization's customer. If the card has a customer, it must be the same.
async fn customer_for(
    app: &App,
    organization: &Organization,
    method: &PaymentMethod,
    email: Option<&str>,
) -> Result<String> {
    let known = customer::find(app, organization.id).await?;
    if method.customer.is_some() && method.customer != known {
        return Err(Error::Forbidden("This card belongs to someone else.".to_owned()));
    }
    match known {
        Some(known) => Ok(known),
        None => customer::ensure(app, organization, email).await,
    }
}

/// Returns the error for a card that could not be attached: its bank declined it, or it was detached before.
fn not_attached(error: berth_stripe::Error) -> Error {
    if let Some(sentence) = error.card_sentence() {
        return Error::field(CARD_FIELD, sentence);
    }
    match error.api_error() {
        Some(api_error) if api_error.status == 400 => {
            Error::field(CARD_FIELD, "This card cannot be saved. Please enter it again.")
        }
        _ => payments::failed(error),
    }
}
