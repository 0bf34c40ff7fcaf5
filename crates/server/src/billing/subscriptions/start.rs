//! Starts a subscription.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use berth_domain::check::Check;
use berth_domain::id::SiteId;
use berth_domain::plan::first_charge;
use berth_domain::policy::Action;
use berth_domain::stay::PayingStep;
use berth_domain::subscription::{self, SubscriptionStatus};
use serde::Deserialize;
use utoipa::ToSchema;

use super::operations::{self, Outcome, Parameters, StoredCharge, StoredDiscount};
use super::{ChangedSubscription, catalog, coupon, read, rows};
use crate::admin::audit_log::Author;
use crate::auth::caller::{Caller, Organization, Site};
use crate::auth::throttle;
use crate::billing::{cards, payments};
use crate::housing::guests;
use crate::housing::sites::{self, SiteSubscription};
use crate::http::body::Body;
use crate::{App, Error, Result};

/// The field with the price.
const PRICE_FIELD: &str = "/stripePriceId";
/// The field with the promo code.
const COUPON_FIELD: &str = "/couponCode";
const NOT_OFFERED: &str = "This plan is no longer offered. Please choose another one.";
const BAD_CODE: &str = "Invalid or expired code";
pub(super) const NO_CARD: &str = "There is no saved card yet. Add a card first.";

/// A new subscription.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSubscription {
    /// The site.
    site_id: SiteId,
    /// The id of a price in the catalog.
    stripe_price_id: String,
    /// Months in one period. It must be the `durationInMonths` of the price.
    subscription_duration_in_months: i64,
    /// A promo code. Null, empty or missing means none.
    #[serde(default)]
    coupon_code: Option<String>,
}

/// Starts the subscription of a site, paid with the organization's default card. If the card is declined, the
/// subscription is `incomplete`; that is not an error. If the site is already paid for some time, nothing is charged
/// before that time ends.
#[utoipa::path(post, path = "/api/Subscriptions/site", tag = "Subscriptions", request_body = NewSubscription,
    responses((status = 201, body = ChangedSubscription)))]
pub async fn start(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewSubscription>,
) -> Result<(StatusCode, Json<ChangedSubscription>)> {
    let site = caller.site(new.site_id, Action::ManageBilling).await?;
    let organization = caller.organization(site.organization_id, Action::ManageBilling).await?;
    let now = app.now();
    let known = rows::find(&app.db, site.id, now).await?;
    subscription::may_start(known.map_or(SubscriptionStatus::None, |row| row.status())).map_err(Error::conflict)?;
    throttle_payments(&app, &organization).await?;
    let customer = customer_with_card(&app, &organization).await?;
    let code = new.coupon_code.as_deref().map(str::trim).filter(|code| !code.is_empty());
    let price = catalog::find(&app, &new.stripe_price_id).await?;
    let discount = match code {
        Some(code) => coupon::find(&app, Some(organization.id), code).await?.map(|(discount, _)| discount),
        None => None,
    };
    let mut check = Check::new();
    check.require(price.is_some(), PRICE_FIELD, NOT_OFFERED);
    let fits = price.as_ref().is_none_or(|price| price.duration_in_months == new.subscription_duration_in_months);
    let sentence = "The duration does not match the plan. Reload the page.";
    check.require(fits, "/subscriptionDurationInMonths", sentence);
    check.require(code.is_none() || discount.is_some(), COUPON_FIELD, BAD_CODE);
    let price = check.build(|| price)?;

    let charge = first_charge(rows::paid_until(&app.db, site.id).await?, price.duration_in_months, now).into();
    let site_name = site_name(&app, &site).await?;
    let parameters =
        Parameters::Start { customer, price: price.price_id, discount, charge, is_restart: false, site_name };
    let started = create(&app, &caller, &site, &organization, &parameters).await?;
    Ok((StatusCode::CREATED, Json(started)))
}

/// Returns the Stripe customer of an organization that has a card.
///
/// # Errors
/// 409 if there is no card.
pub(super) async fn customer_with_card(app: &App, organization: &Organization) -> Result<String> {
    let no_card = || Error::conflict_code("card-needed", NO_CARD);
    let customer = cards::customer(app, organization.id).await?.ok_or_else(no_card)?;
    if cards::has_card(app, organization.id).await? { Ok(customer) } else { Err(no_card()) }
}

/// Counts an attempt to pay. 429 after too many.
pub(super) async fn throttle_payments(app: &App, organization: &Organization) -> Result<()> {
    let key = format!("billing:{}", organization.id);
    throttle::attempt(app, &key, throttle::BILLING_ORGANIZATION, app.now()).await
}

/// Creates the subscription and returns its status. First extends the holds of reservations that wait for it.
pub(super) async fn create(
    app: &App,
    caller: &Caller,
    site: &Site,
    organization: &Organization,
    parameters: &Parameters,
) -> Result<ChangedSubscription> {
    let (place, by) = ((organization.id, site.id), Author::caller(caller, Some(site)));
    guests::extend_holds(app, &by, site, PayingStep::Charging).await?;
    match operations::execute(app, place, &by, parameters, subscription::may_start).await? {
        Outcome::Done(made) => {
            let secret = made.as_deref().and_then(read::client_secret);
            Ok(ChangedSubscription::of(site.id, current(app, site).await?, secret))
        }
        Outcome::NotMade => Err(Error::CardProviderAway),
        Outcome::Rejected(error) => Err(rejected(app, organization, parameters, error).await?),
    }
}

/// Returns the current subscription of a site.
pub(super) async fn current(app: &App, site: &Site) -> Result<SiteSubscription> {
    sites::subscription(&app.db, site.id, app.now()).await
}

/// Returns the error for a call that Stripe rejected, at the field that caused it.
async fn rejected(
    app: &App,
    organization: &Organization,
    parameters: &Parameters,
    error: berth_stripe::Error,
) -> Result<Error> {
    let Parameters::Start { customer, discount, .. } = parameters else { return Ok(payments::failed(error)) };
    if error.is_bad_discount() && discount.is_some() {
        return Ok(Error::field(COUPON_FIELD, BAD_CODE));
    }
    if error.is_missing("customer") {
        cards::forget_customer(app, organization, customer).await?;
        return Ok(Error::conflict_code("card-needed", NO_CARD));
    }
    if error.has_no_payment_method() {
        return Ok(Error::conflict_code("card-needed", NO_CARD));
    }
    let is_price =
        |api_error: &berth_stripe::ApiError| api_error.param.as_deref().is_some_and(|param| param.contains("price"));
    if error.api_error().is_some_and(is_price) {
        // It was archived after the catalog was read.
        app.catalog.forget();
        return Ok(Error::field(PRICE_FIELD, NOT_OFFERED));
    }
    Ok(match error.card_sentence() {
        Some(sentence) => Error::conflict(sentence),
        None => payments::failed(error),
    })
}

/// Returns the parameters of a new subscription at the price of an expired one.
pub(super) fn restart_parameters(
    customer: String,
    price: String,
    charge: StoredCharge,
    site_name: Option<String>,
) -> Parameters {
    let discount: Option<StoredDiscount> = None;
    Parameters::Start { customer, price, discount, charge, is_restart: true, site_name }
}

/// Returns the name of a site, which invoices show.
pub(super) async fn site_name(app: &App, site: &Site) -> Result<Option<String>> {
    const NAME: &str = "SELECT name FROM sites WHERE id = $1";
    Ok(app.db.query(NAME).bind(site.id).optional().await?.map(|(name,): (String,)| name))
}
