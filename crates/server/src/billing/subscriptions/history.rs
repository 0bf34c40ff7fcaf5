//! Lists invoices of sites (spec B 2, "Billing History"). They are read from Stripe; while Stripe does not answer, our
//! copies are shown.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use berth_stripe::{Invoice, InvoiceStatus};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{dollars, moment, rows};
use crate::admin::audit_log::Author;
use crate::auth::caller::{Caller, Site};
use crate::billing::cards;
use crate::http::body::{Body, Path};
use crate::{App, Error, Result, change};

/// Maximum number of sites in one request.
const MAX_SITES: usize = 1000;
/// Maximum number of lists of invoices that are read at the same time.
const MAX_PARALLEL: usize = 8;
/// Timeout for reading all of them.
const READ_TIMEOUT: Duration = Duration::from_secs(8);

/// The sites whose invoices are listed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BillingQuestion {
    /// The sites, at most 1000.
    site_ids: BTreeSet<SiteId>,
    /// Adds the sites of this organization that had a subscription and were deleted: their receipts stay.
    #[serde(default)]
    organization_id: Option<OrganizationId>,
}

/// A site whose invoices are listed. It may have been deleted.
#[derive(berth_db::FromRow)]
struct Billed {
    id: SiteId,
    organization_id: OrganizationId,
    name: String,
}

impl From<Site> for Billed {
    fn from(site: Site) -> Self {
        Self { id: site.id, organization_id: site.organization_id, name: site.name }
    }
}

/// The invoices of one site.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteBilling {
    /// The site.
    site_id: SiteId,
    /// Its name.
    site_name: String,
    /// Its invoices, the newest first.
    items: Vec<BillingItem>,
}

/// An invoice (spec B 3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillingItem {
    /// Its id, `in_…`.
    invoice_id: String,
    /// The number that is printed on it.
    invoice_number: Option<String>,
    /// When it was made.
    date: Timestamp,
    /// Its description.
    description: String,
    /// Its total in dollars, after discounts.
    amount: f64,
    /// Three lowercase letters.
    #[schema(example = "usd")]
    currency: String,
    /// `open`, `paid`, `void` or `uncollectible`.
    #[schema(example = "paid")]
    status: String,
    /// The address of its page at the card provider.
    hosted_invoice_url: Option<String>,
    /// The address of its receipt at the card provider; null until it is paid.
    receipt_url: Option<String>,
}

/// Lists the invoices of several sites, and of the deleted ones of an organization, sorted by the sites' names.
#[utoipa::path(post, path = "/api/Subscriptions/billing", tag = "Subscriptions", request_body = BillingQuestion,
    responses((status = 200, body = Vec<SiteBilling>)))]
pub async fn billing(
    State(app): State<App>,
    caller: Caller,
    Body(BillingQuestion { site_ids, organization_id }): Body<BillingQuestion>,
) -> Result<Json<Vec<SiteBilling>>> {
    const DELETED: &str = "SELECT s.id, s.organization_id, s.name FROM sites s WHERE s.organization_id = $1 \
        AND s.deleted_at IS NOT NULL AND EXISTS (SELECT 1 FROM site_subscriptions x WHERE x.site_id = s.id)";
    if site_ids.len() > MAX_SITES {
        return Err(Error::field("/siteIds", "At most 1000 sites can be selected at once."));
    }
    let mut sites: Vec<Billed> = Vec::new();
    for id in site_ids {
        sites.push(caller.site(id, Action::ManageBilling).await?.into());
    }
    if let Some(id) = organization_id {
        let organization = caller.organization(id, Action::ManageBilling).await?;
        sites.extend(app.db.query(DELETED).bind(organization.id).all::<Billed>().await?);
    }
    Ok(Json(list(&app, sites).await?))
}

/// Lists the invoices of one site, the newest first.
#[utoipa::path(get, path = "/api/Payments/site/{id}", tag = "Subscriptions",
    params(("id" = SiteId, Path, description = "the site")), responses((status = 200, body = Vec<BillingItem>)))]
pub async fn payments(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
) -> Result<Json<Vec<BillingItem>>> {
    let site = caller.site(id, Action::ManageBilling).await?;
    let billing = list(&app, vec![site.into()]).await?;
    Ok(Json(billing.into_iter().flat_map(|site| site.items).collect()))
}

/// Our copy of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, berth_db::FromRow)]
struct InvoiceCopy {
    id: String,
    site_id: SiteId,
    number: Option<String>,
    issued_at: Timestamp,
    description: String,
    amount_cents: i64,
    currency: String,
    status: String,
    hosted_url: Option<String>,
    receipt_url: Option<String>,
}

impl From<InvoiceCopy> for BillingItem {
    fn from(copy: InvoiceCopy) -> Self {
        Self {
            invoice_id: copy.id,
            invoice_number: copy.number,
            date: copy.issued_at,
            description: copy.description,
            amount: dollars(copy.amount_cents),
            currency: copy.currency,
            status: copy.status,
            hosted_invoice_url: copy.hosted_url,
            receipt_url: copy.receipt_url,
        }
    }
}

async fn list(app: &App, mut sites: Vec<Billed>) -> Result<Vec<SiteBilling>> {
    if sites.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<SiteId> = sites.iter().map(|site| site.id).collect();
    let before = list_copies(app, &ids).await?;
    let changed = read_changed(app, &sites, &before).await?;
    let copies = if changed.is_empty() {
        before
    } else {
        store(app, &changed).await?;
        list_copies(app, &ids).await?
    };
    let mut by_site: HashMap<SiteId, Vec<BillingItem>> = HashMap::new();
    for copy in copies {
        by_site.entry(copy.site_id).or_default().push(copy.into());
    }
    sites.sort_by_cached_key(|site| (berth_domain::name_key(&site.name), site.id));
    let billing = |site: Billed| {
        let items = by_site.remove(&site.id).unwrap_or_default();
        SiteBilling { site_id: site.id, site_name: site.name, items }
    };
    Ok(sites.into_iter().map(billing).collect())
}

async fn list_copies(app: &App, sites: &[SiteId]) -> Result<Vec<InvoiceCopy>> {
    const COPIES: &str = "SELECT id, site_id, number, issued_at, description, amount_cents, currency, status, hosted_url, \
        receipt_url FROM billing_invoices WHERE site_id IN ($1..) ORDER BY issued_at DESC, id DESC";
    Ok(app.db.query(COPIES).bind_list(sites.to_vec()).all().await?)
}

/// Reads the invoices of the sites' subscriptions and returns those that differ from our copies. Returns none if Stripe
/// does not answer.
async fn read_changed(app: &App, sites: &[Billed], before: &[InvoiceCopy]) -> Result<Vec<InvoiceCopy>> {
    let ids: Vec<SiteId> = sites.iter().map(|site| site.id).collect();
    let known = rows::list_stripe_ids(&app.db, &ids).await?;
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let client = app.payments.client().await?;
    let mut receipts: HashMap<String, String> = HashMap::new();
    let mut found: Vec<InvoiceCopy> = Vec::new();
    let all = async {
        let organizations: BTreeSet<_> = sites.iter().map(|site| site.organization_id).collect();
        for organization in organizations {
            let Some(customer) = cards::customer(app, organization).await? else { continue };
            match client.charges(&customer).await {
                Ok(charges) => {
                    let paid = charges.into_iter().filter(|charge| charge.status == "succeeded");
                    receipts.extend(paid.filter_map(|charge| Some((charge.payment_intent?, charge.receipt_url?))));
                }
                Err(error) => tracing::warn!(error = %error, "could not read receipts from Stripe"),
            }
        }
        let read = |(stripe_id, site): (String, SiteId)| async move { (site, client.invoices(&stripe_id).await) };
        let mut answers = futures_util::stream::iter(known).map(read).buffer_unordered(MAX_PARALLEL);
        while let Some((site, answer)) = answers.next().await {
            match answer {
                Ok(invoices) => found.extend(invoices.iter().filter_map(|invoice| copy(site, invoice, &receipts))),
                Err(error) => tracing::warn!(error = %error, "could not read invoices from Stripe; using the copies"),
            }
        }
        Ok::<(), Error>(())
    };
    match tokio::time::timeout(READ_TIMEOUT, all).await {
        Ok(read) => read?,
        Err(_) => tracing::warn!("reading invoices from Stripe timed out; using the copies"),
    }
    found.retain(|copy| !before.contains(copy));
    Ok(found)
}

/// Makes our copy of an invoice; `None` for a draft.
fn copy(site: SiteId, invoice: &Invoice, receipts: &HashMap<String, String>) -> Option<InvoiceCopy> {
    let status = invoice.status.filter(|status| *status != InvoiceStatus::Draft)?;
    let line = invoice.lines.data.first().and_then(|line| line.description.clone());
    Some(InvoiceCopy {
        id: invoice.id.clone(),
        site_id: site,
        number: invoice.number.clone(),
        issued_at: moment(invoice.status_transitions.finalized_at.unwrap_or(invoice.created)),
        description: invoice.description.clone().or(line).unwrap_or_else(|| "Subscription".to_owned()),
        amount_cents: invoice.total,
        currency: invoice.currency.clone(),
        status: status.as_str().to_owned(),
        hosted_url: invoice.hosted_invoice_url.clone(),
        receipt_url: invoice.payment_intents().into_iter().find_map(|intent| receipts.get(intent).cloned()),
    })
}

/// Stores copies. A known receipt address is kept if it could not be read this time.
async fn store(app: &App, copies: &[InvoiceCopy]) -> Result<()> {
    const STORE: &str = "INSERT INTO billing_invoices (id, site_id, number, issued_at, description, amount_cents, currency, \
        status, hosted_url, receipt_url) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
        ON CONFLICT (id) DO UPDATE SET number = excluded.number, issued_at = excluded.issued_at, \
        description = excluded.description, amount_cents = excluded.amount_cents, status = excluded.status, \
        hosted_url = excluded.hosted_url, receipt_url = COALESCE(excluded.receipt_url, billing_invoices.receipt_url)";
    change::run(app, Author::job(), |mut change| async move {
        for copy in copies {
            let store = change.tx.query(STORE).bind(copy.id.as_str()).bind(copy.site_id).bind(copy.number.as_deref());
            let store = store.bind(copy.issued_at).bind(copy.description.as_str()).bind(copy.amount_cents);
            let store = store.bind(copy.currency.as_str()).bind(copy.status.as_str());
            store.bind(copy.hosted_url.as_deref()).bind(copy.receipt_url.as_deref()).execute().await?;
        }
        change.done(())
    })
    .await
}
