//! The functions of this module that subscriptions use.

use berth_domain::id::OrganizationId;

use super::{customer as customers, list, rows};
use crate::auth::caller::Organization;
use crate::billing::payments;
use crate::{App, Result};

/// Returns the id of an organization's customer at Stripe, if it has one.
pub async fn customer(app: &App, organization: OrganizationId) -> Result<Option<String>> {
    customers::find(app, organization).await
}

/// Returns true if an organization has a saved card.
pub async fn has_card(app: &App, organization: OrganizationId) -> Result<bool> {
    Ok(rows::list(&app.db, organization).await?.iter().any(|row| row.removing_at.is_none()))
}

/// Returns the brand and the last four digits of the default card.
pub async fn default_card(app: &App, organization: OrganizationId) -> Result<Option<(String, String)>> {
    let cards = rows::list(&app.db, organization).await?;
    Ok(cards.into_iter().find(|row| row.is_default).map(|row| (row.brand, row.last_four)))
}

/// Removes an organization's customer and all its cards, after the customer was deleted at Stripe.
pub async fn forget_customer(app: &App, organization: &Organization, stripe_id: &str) -> Result<()> {
    customers::forget(app, organization, stripe_id).await
}

/// Updates our cards of a Stripe customer. Does nothing if the customer is unknown to us.
pub async fn refresh_customer(app: &App, stripe_id: &str) -> Result<()> {
    const OF_CUSTOMER: &str = "SELECT o.id, o.name, o.is_commercial, o.is_disabled FROM organizations o \
        JOIN billing_customers c ON c.organization_id = o.id WHERE c.stripe_id = $1 AND o.deleted_at IS NULL";
    let organization: Option<Organization> = app.db.query(OF_CUSTOMER).bind(stripe_id).optional().await?;
    match organization {
        Some(organization) => list::refresh(app, &organization).await,
        None => Ok(()),
    }
}

/// Updates our cards of the customer who has, or had, a payment method.
///
/// # Errors
/// 503 while Stripe is away.
pub async fn refresh_payment_method(app: &App, payment_method: &str) -> Result<()> {
    const OF_CARD: &str = "SELECT c.stripe_id FROM billing_customers c JOIN saved_cards s \
        ON s.organization_id = c.organization_id WHERE s.payment_method = $1 AND c.stripe_id IS NOT NULL";
    let known: Option<(String,)> = app.db.query(OF_CARD).bind(payment_method).optional().await?;
    let customer = match known {
        Some((customer,)) => Some(customer),
        None => match app.payments.client().await?.payment_method(payment_method).await {
            Ok(method) => method.customer,
            Err(error) if error.is_missing("payment_method") => None,
            Err(error) => return Err(payments::failed(error)),
        },
    };
    match customer {
        Some(customer) => refresh_customer(app, &customer).await,
        None => Ok(()),
    }
}
