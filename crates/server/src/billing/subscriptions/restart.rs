//! Restarts a subscription whose payment failed.

use axum::Json;
use axum::extract::State;
use berth_domain::plan::first_charge;
use berth_domain::policy::Action;
use berth_domain::stay::PayingStep;
use berth_domain::subscription::{self, SubscriptionStatus, may_restart};
use secrecy::ExposeSecret;

use super::operations::{self, Outcome, Parameters};
use super::{ChangedSubscription, SubscriptionOfSite, catalog, rows, start, sync};
use crate::admin::audit_log::Author;
use crate::auth::caller::{Caller, Organization, Site};
use crate::billing::payments;
use crate::housing::guests;
use crate::http::body::Body;
use crate::{App, Error, Result};

const NOT_AT_STRIPE: &str = "The card provider does not know this subscription. Cancel it and start a new one.";
const NOT_PAYABLE: &str =
    "The card provider no longer accepts this payment. Cancel the subscription and start a new one.";
const PLAN_GONE: &str =
    "The plan of this subscription is no longer offered. Start a new subscription with another plan.";

/// Pays the open invoice with the default card. If the subscription expired before its first payment, a new one is made
/// at the same price. 409 with the bank's reason if the card is declined. If the answer has a `clientSecret`, the
/// cardholder must confirm.
#[utoipa::path(post, path = "/api/Subscriptions/restart", tag = "Subscriptions", request_body = SubscriptionOfSite,
    responses((status = 200, body = ChangedSubscription)))]
pub async fn restart(
    State(app): State<App>,
    caller: Caller,
    Body(SubscriptionOfSite { site_id }): Body<SubscriptionOfSite>,
) -> Result<Json<ChangedSubscription>> {
    let site = caller.site(site_id, Action::ManageBilling).await?;
    let organization = caller.organization(site.organization_id, Action::ManageBilling).await?;
    let before = rows::find(&app.db, site.id, app.now()).await?;
    let before = before.map_or(SubscriptionStatus::None, |row| row.status());
    may_restart(before).map_err(Error::conflict)?;
    start::throttle_payments(&app, &organization).await?;
    let customer = start::customer_with_card(&app, &organization).await?;
    if let Some(stripe_id) = rows::find(&app.db, site.id, app.now()).await?.and_then(|row| row.stripe_id) {
        sync::refresh(&app, &stripe_id).await?;
    }
    let row = rows::find(&app.db, site.id, app.now()).await?.ok_or(Error::NotFound)?;
    if row.status() != before && may_restart(row.status()).is_err() {
        // It was paid in the meantime: on the card provider's page, or by an earlier attempt whose answer was lost.
        let now = start::current(&app, &site).await?;
        return Ok(Json(ChangedSubscription::of(site.id, now, None)));
    }
    let Some(subscription) = row.stripe_id.clone() else { return Err(Error::conflict(NOT_AT_STRIPE)) };
    if row.status() == SubscriptionStatus::IncompleteExpired {
        return Ok(Json(start_again(&app, &caller, &site, &organization, customer, &row).await?));
    }
    let invoice = row.latest_invoice.ok_or_else(|| Error::conflict(NOT_PAYABLE))?;
    let parameters = Parameters::Pay { subscription, invoice: invoice.clone() };
    let (place, by) = ((organization.id, site.id), Author::caller(&caller, Some(&site)));
    guests::extend_holds(&app, &by, &site, PayingStep::Charging).await?;
    let outcome = operations::execute(&app, place, &by, &parameters, subscription::may_restart).await?;
    let secret = match outcome {
        Outcome::Done(_) => None,
        Outcome::Rejected(error) if error.needs_authentication() => {
            let invoice = app.payments.client().await?.invoice(&invoice).await.map_err(payments::failed)?;
            invoice.confirmation_secret.map(|secret| secret.client_secret.expose_secret().to_owned())
        }
        Outcome::Rejected(error) => return Err(rejected(&error)),
        Outcome::NotMade => return Err(Error::CardProviderAway),
    };
    Ok(Json(ChangedSubscription::of(site.id, start::current(&app, &site).await?, secret)))
}

/// Makes a new subscription at the price of the expired one.
async fn start_again(
    app: &App,
    caller: &Caller,
    site: &Site,
    organization: &Organization,
    customer: String,
    row: &rows::Row,
) -> Result<ChangedSubscription> {
    let price = row.stripe_price.as_deref().unwrap_or_default();
    let Some(price) = catalog::find(app, price).await? else {
        return Err(Error::conflict_code("plan-gone", PLAN_GONE));
    };
    let charge = first_charge(rows::paid_until(&app.db, site.id).await?, price.duration_in_months, app.now()).into();
    let parameters = start::restart_parameters(customer, price.price_id, charge, start::site_name(app, site).await?);
    start::create(app, caller, site, organization, &parameters).await
}

/// Returns the error for a payment that Stripe rejected.
fn rejected(error: &berth_stripe::Error) -> Error {
    if error.has_no_payment_method() {
        return Error::conflict_code("card-needed", start::NO_CARD);
    }
    match error.card_sentence() {
        Some(sentence) => Error::conflict(sentence),
        None => {
            tracing::warn!(error = %error, "the card provider rejected a payment");
            Error::conflict(NOT_PAYABLE)
        }
    }
}
