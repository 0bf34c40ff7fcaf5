//! The customer at Stripe that pays for an organization. Each organization has one, even if two requests create it at
//! the same time.

use berth_domain::check::Check;
use berth_domain::id::OrganizationId;
use berth_domain::value::Email;
use berth_stripe::NewCustomer;
use uuid::Uuid;

use super::rows;
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::Organization;
use crate::billing::payments;
use crate::{App, Error, Result, change};

/// Minutes after which a call that Stripe never answered is abandoned. If a customer was created anyway, it has no
/// cards and does no harm.
const CALL_LIFETIME_MINUTES: i64 = 60;

/// The stored parameters of a call to Stripe that creates a customer.
#[derive(Debug, berth_db::FromRow)]
struct CreateCall {
    attempt: Uuid,
    email: String,
    name: String,
    stripe_id: Option<String>,
}

/// Returns the Stripe id of an organization's customer, if there is one.
pub(super) async fn find(app: &App, organization: OrganizationId) -> Result<Option<String>> {
    const FIND: &str = "SELECT stripe_id FROM billing_customers WHERE organization_id = $1";
    let row: Option<(Option<String>,)> = app.db.query(FIND).bind(organization).optional().await?;
    Ok(row.and_then(|(id,)| id))
}

/// Returns the customer, after creating it if there is none yet.
///
/// # Errors
/// 422 at `/email` if it is needed and missing or wrong; 503 if Stripe does not answer.
pub(super) async fn ensure(app: &App, organization: &Organization, email: Option<&str>) -> Result<String> {
    if let Some(id) = find(app, organization.id).await? {
        return Ok(id);
    }
    let email = email.map(str::trim).filter(|email| !email.is_empty());
    let sentence = "The first card needs an email address for receipts.";
    let email = email.ok_or_else(|| Error::field("/email", sentence))?;
    let mut check = Check::new();
    let email = check.field("/email", Email::parse(email));
    let email = check.build(|| email)?;

    let call = store_call(app, organization, &email).await?;
    if let Some(id) = call.stripe_id {
        return Ok(id);
    }
    let organization_id = organization.id.to_string();
    let new = NewCustomer { email: &call.email, name: &call.name, organization_id: &organization_id };
    let key = format!("customer:{}", call.attempt);
    match app.payments.client().await?.create_customer(&new, &key).await {
        Ok(customer) => store_answer(app, organization.id, call.attempt, &customer.id).await,
        Err(error) if error.is_outcome_unknown() => Err(payments::failed(error)),
        Err(error) => {
            // Stripe has rejected the call: the next attempt uses a new key.
            remove_call(app, organization.id, call.attempt).await?;
            let is_email = error.api_error().is_some_and(|api_error| api_error.param.as_deref() == Some("email"));
            Err(if is_email { Error::field("/email", "Invalid email.") } else { payments::failed(error) })
        }
    }
}

/// Stores the parameters of the call, or returns those that another request has stored.
async fn store_call(app: &App, organization: &Organization, email: &Email) -> Result<CreateCall> {
    const DELETE_ABANDONED: &str =
        "DELETE FROM billing_customers WHERE organization_id = $1 AND stripe_id IS NULL AND created_at < $2";
    const INSERT: &str = "INSERT INTO billing_customers (organization_id, attempt, email, name, created_at) \
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id) DO NOTHING";
    const SELECT: &str = "SELECT attempt, email, name, stripe_id FROM billing_customers WHERE organization_id = $1";
    change::run(app, Author::job(), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        let abandoned = change.now.plus_minutes(-CALL_LIFETIME_MINUTES);
        change.tx.query(DELETE_ABANDONED).bind(organization.id).bind(abandoned).execute().await?;
        let insert = change.tx.query(INSERT).bind(organization.id).bind(app.id()).bind(email.as_str());
        insert.bind(organization.name.as_str()).bind(change.now).execute().await?;
        let call = change.tx.query(SELECT).bind(organization.id).one().await?;
        change.done(call)
    })
    .await
}

/// Stores Stripe's answer and returns the customer's id. Requests with the same idempotency key get the same answer.
async fn store_answer(app: &App, organization: OrganizationId, attempt: Uuid, stripe_id: &str) -> Result<String> {
    const UPDATE: &str = "UPDATE billing_customers SET stripe_id = $3 \
        WHERE organization_id = $1 AND attempt = $2 AND stripe_id IS NULL";
    const SELECT: &str = "SELECT stripe_id FROM billing_customers WHERE organization_id = $1 AND stripe_id IS NOT NULL";
    let stored: Result<Option<(String,)>> = change::run(app, Author::job(), |mut change| async move {
        change.tx.query(UPDATE).bind(organization).bind(attempt).bind(stripe_id).execute().await?;
        let id = change.tx.query(SELECT).bind(organization).optional().await?;
        change.done(id)
    })
    .await;
    // Another request has abandoned this call in the meantime: the next attempt creates another customer.
    stored?.map(|(id,)| id).ok_or(Error::CardProviderAway)
}

/// Removes the parameters of a call that Stripe rejected.
async fn remove_call(app: &App, organization: OrganizationId, attempt: Uuid) -> Result<()> {
    const DELETE: &str =
        "DELETE FROM billing_customers WHERE organization_id = $1 AND attempt = $2 AND stripe_id IS NULL";
    change::run(app, Author::job(), |mut change| async move {
        change.tx.query(DELETE).bind(organization).bind(attempt).execute().await?;
        change.done(())
    })
    .await
}

/// Removes the customer and its cards, after the customer was deleted at Stripe.
pub(super) async fn forget(app: &App, organization: &Organization, stripe_id: &str) -> Result<()> {
    const DELETE: &str = "DELETE FROM billing_customers WHERE organization_id = $1 AND stripe_id = $2";
    change::run(app, Author::job(), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        if change.tx.query(DELETE).bind(organization.id).bind(stripe_id).execute().await? == 1 {
            for row in rows::list(&mut change.tx, organization.id).await? {
                rows::remove(&mut change.tx, row.id, change.now).await?;
                let summary = format!("{}, gone with its customer at the card provider", row.name());
                change.record(super::entry(organization, AuditAction::CardRemoved, row.id, summary)).await?;
            }
        }
        change.done(())
    })
    .await
}
