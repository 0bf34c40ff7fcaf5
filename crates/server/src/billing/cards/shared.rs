//! Customers and cards, as far as subscriptions need them.

use berth_domain::id::OrganizationId;

use super::{customer as customers, list, rows};
use crate::auth::caller::Organization;
use crate::billing::payments;
use crate::{App, Result};

/// Returns the id of an organization's customer at Stripe, if it has one.
///
/// # Errors
/// Those of the database.
pub async fn customer(app: &App, organization: OrganizationId) -> Result<Option<String>> {
    customers::known(app, organization).await
}

/// Returns true if an organization has a saved card.
///
/// # Errors
/// Those of the database.
pub async fn has_card(app: &App, organization: OrganizationId) -> Result<bool> {
    Ok(rows::all(&app.db, organization).await?.iter().any(|row| row.removing_at.is_none()))
}

/// Returns the brand and the last four digits of the default card.
///
/// # Errors
/// Those of the database.
pub async fn default_card(app: &App, organization: OrganizationId) -> Result<Option<(String, String)>> {
    let cards = rows::all(&app.db, organization).await?;
    Ok(cards.into_iter().find(|row| row.is_default).map(|row| (row.brand, row.last_four)))
}

/// Removes an organization's customer and all its cards, after the customer was deleted at Stripe.
///
/// # Errors
/// Those of the database.
pub async fn forget_customer(app: &App, organization: &Organization, stripe_id: &str) -> Result<()> {
    customers::forget(app, organization, stripe_id).await
}

/// Reads the cards of a customer at Stripe again. Does nothing for a customer that is not ours.
///
/// # Errors
/// Those of the database.
pub async fn refresh_customer(app: &App, stripe_id: &str) -> Result<()> {
    const OF_CUSTOMER: &str = "SELECT o.id, o.name, o.is_commercial, o.is_disabled FROM organizations o \
        JOIN billing_customers c ON c.organization_id = o.id WHERE c.stripe_id = $1 AND o.deleted_at IS NULL";
    let organization: Option<Organization> = app.db.query(OF_CUSTOMER).bind(stripe_id).optional().await?;
    match organization {
        Some(organization) => list::mirror(app, &organization).await,
        None => Ok(()),
    }
}

/// Reads the cards of the customer who has, or had, a payment method again.
///
/// # Errors
/// 503 while Stripe is away; those of the database.
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
