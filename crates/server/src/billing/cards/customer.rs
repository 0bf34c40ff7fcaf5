//! The customer at Stripe that pays for an organization. There is only one, even for requests at the same time.

use berth_domain::check::Check;
use berth_domain::id::OrganizationId;
use berth_domain::time::Timestamp;
use berth_domain::value::Email;
use berth_stripe::NewCustomer;
use uuid::Uuid;

use super::rows;
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::admin::organizations;
use crate::auth::caller::Organization;
use crate::billing::payments;
use crate::{App, Error, Result};

/// Minutes after which a call that Stripe never answered is given up. A customer that was created anyway has no cards
/// and does no harm.
const GIVEN_UP: i64 = 60;

/// The parameters of the call to Stripe.
#[derive(Debug, berth_db::FromRow)]
struct Asked {
    attempt: Uuid,
    email: String,
    name: String,
    stripe_id: Option<String>,
}

/// Returns the known customer of an organization.
pub(super) async fn known(app: &App, organization: OrganizationId) -> Result<Option<String>> {
    const KNOWN: &str = "SELECT stripe_id FROM billing_customers WHERE organization_id = $1";
    let row: Option<(Option<String>,)> = app.db.query(KNOWN).bind(organization).optional().await?;
    Ok(row.and_then(|(id,)| id))
}

/// Returns the customer, after creating it if there is none yet.
///
/// # Errors
/// 422 at `/email` if it is needed and missing or wrong; 503 if Stripe does not answer.
pub(super) async fn ensure(app: &App, organization: &Organization, email: Option<&str>) -> Result<String> {
    if let Some(id) = known(app, organization.id).await? {
        return Ok(id);
    }
    let email = email.map(str::trim).filter(|email| !email.is_empty());
    let sentence = "The first card needs an email address for receipts.";
    let email = email.ok_or_else(|| Error::field("/email", sentence))?;
    let mut check = Check::new();
    let email = check.field("/email", Email::parse(email));
    let email = check.build(|| email)?;

    let asked = ask(app, organization, &email).await?;
    if let Some(id) = asked.stripe_id {
        return Ok(id);
    }
    let organization_id = organization.id.to_string();
    let new = NewCustomer { email: &asked.email, name: &asked.name, organization_id: &organization_id };
    let key = format!("customer:{}", asked.attempt);
    match app.payments.client().await?.create_customer(&new, &key).await {
        Ok(customer) => answered(app, organization.id, asked.attempt, &customer.id).await,
        Err(error) if error.is_outcome_unknown() => Err(payments::failed(error)),
        Err(error) => {
            // Stripe has rejected the call: the next attempt uses a new key.
            give_up(app, organization.id, asked.attempt).await?;
            let is_email = error.refusal().is_some_and(|refusal| refusal.param.as_deref() == Some("email"));
            Err(if is_email { Error::field("/email", "Invalid email.") } else { payments::failed(error) })
        }
    }
}

/// Stores the parameters of the call, or returns those that another request has stored.
async fn ask(app: &App, organization: &Organization, email: &Email) -> Result<Asked> {
    const OLD: &str =
        "DELETE FROM billing_customers WHERE organization_id = $1 AND stripe_id IS NULL AND created_at < $2";
    const ASK: &str = "INSERT INTO billing_customers (organization_id, attempt, email, name, created_at) \
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id) DO NOTHING";
    const ASKED: &str = "SELECT attempt, email, name, stripe_id FROM billing_customers WHERE organization_id = $1";
    let now: Timestamp = app.now();
    let mut tx = app.db.begin().await?;
    organizations::lock(&mut tx, organization.id).await?;
    tx.query(OLD).bind(organization.id).bind(now.plus_minutes(-GIVEN_UP)).execute().await?;
    let insert = tx.query(ASK).bind(organization.id).bind(app.id()).bind(email.as_str());
    insert.bind(organization.name.as_str()).bind(now).execute().await?;
    let asked = tx.query(ASKED).bind(organization.id).one().await?;
    tx.commit().await?;
    Ok(asked)
}

/// Stores Stripe's answer. Requests with the same key got the same answer.
async fn answered(app: &App, organization: OrganizationId, attempt: Uuid, stripe_id: &str) -> Result<String> {
    const ANSWERED: &str = "UPDATE billing_customers SET stripe_id = $3 \
        WHERE organization_id = $1 AND attempt = $2 AND stripe_id IS NULL";
    const NOW: &str = "SELECT stripe_id FROM billing_customers WHERE organization_id = $1 AND stripe_id IS NOT NULL";
    let mut tx = app.db.begin().await?;
    tx.query(ANSWERED).bind(organization).bind(attempt).bind(stripe_id).execute().await?;
    let id: Option<(String,)> = tx.query(NOW).bind(organization).optional().await?;
    tx.commit().await?;
    // Another request has given up this call in the meantime: the next attempt creates another customer.
    id.map(|(id,)| id).ok_or(Error::CardProviderAway)
}

async fn give_up(app: &App, organization: OrganizationId, attempt: Uuid) -> Result<()> {
    const GIVE_UP: &str =
        "DELETE FROM billing_customers WHERE organization_id = $1 AND attempt = $2 AND stripe_id IS NULL";
    let mut tx = app.db.begin().await?;
    tx.query(GIVE_UP).bind(organization).bind(attempt).execute().await?;
    Ok(tx.commit().await?)
}

/// Removes the customer and its cards, after the customer was deleted at Stripe.
pub(super) async fn forget(app: &App, organization: &Organization, stripe_id: &str) -> Result<()> {
    const FORGET: &str = "DELETE FROM billing_customers WHERE organization_id = $1 AND stripe_id = $2";
    let mut tx = app.db.begin().await?;
    organizations::lock(&mut tx, organization.id).await?;
    if tx.query(FORGET).bind(organization.id).bind(stripe_id).execute().await? == 1 {
        let now = app.now();
        for row in rows::all_in(&mut tx, organization.id).await? {
            rows::end(&mut tx, row.id, now).await?;
            let summary = format!("{}, gone with its customer at the card provider", row.name());
            audit_log::write(
                app,
                &mut tx,
                &Author::job(),
                &super::entry(organization, AuditAction::CardRemoved, row.id, summary),
            )
            .await?;
        }
    }
    Ok(tx.commit().await?)
}
