//! Lists the subscriptions of an organization's sites with their next charges (spec B 2, "Subscription Summary").

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::rows::{self, Read, Row};
use super::{dollars, moment, sync};
use crate::admin::audit_log::Author;
use crate::auth::caller::{Caller, Organization};
use crate::billing::cards;
use crate::http::body::Query;
use crate::{App, Result};

/// Minutes that a preview is cached.
const CACHE_MINUTES: i64 = 5;
/// Maximum number of previews that are read at the same time.
const MAX_PARALLEL: usize = 8;
/// Timeout for reading all previews, or the subscriptions of a customer.
const PREVIEW_TIMEOUT: Duration = Duration::from_secs(4);

/// The organization whose subscriptions are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SubscriptionsOfOrganization {
    /// The organization.
    organization_id: OrganizationId,
}

/// The subscription of one site (spec B 3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionSummary {
    /// The site.
    site_id: SiteId,
    /// Its name.
    site_name: String,
    /// When the card is charged next; null if it will not be charged, or if the card provider does not answer.
    next_invoice_date: Option<Timestamp>,
    /// The amount of that charge in dollars, after discounts.
    total_invoice: Option<f64>,
    /// The status; `none` if the site never had a subscription.
    status: SubscriptionStatus,
    /// True if guests from the search can be accepted now.
    is_active: bool,
    /// The end of the paid period.
    paid_period_end: Option<Timestamp>,
    /// The id of its price.
    stripe_price_id: Option<String>,
    /// Months in one period.
    subscription_duration_in_months: Option<i64>,
    /// The card that is charged; null if there is no live subscription or no card.
    card: Option<SummaryCard>,
}

/// The card that is charged.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SummaryCard {
    /// Stripe's name for the brand, such as `visa` or `mastercard`.
    #[schema(example = "visa")]
    brand: String,
    /// The last four digits of its number.
    #[schema(example = "4242")]
    last_four_digits: String,
    /// A picture of the brand, if there is one.
    brand_logo_image_src: Option<String>,
}

/// The next charge of a subscription.
#[derive(Debug, Clone, Copy)]
struct Preview {
    at: Option<Timestamp>,
    cents: i64,
}

/// Previews by the id of their subscription, cached for a few minutes; `None` if nothing will be charged.
#[derive(Default)]
pub struct Previews(Mutex<HashMap<String, (Timestamp, Option<Preview>)>>);

impl Previews {
    /// Removes the preview of one subscription, or all previews, from the cache.
    pub fn forget(&self, stripe_id: Option<&str>) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match stripe_id {
            Some(stripe_id) => drop(cached.remove(stripe_id)),
            None => cached.clear(),
        }
    }

    fn get(&self, stripe_id: &str, now: Timestamp) -> Option<Option<Preview>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, preview) = cached.get(stripe_id)?;
        (*at <= now && now < at.plus_minutes(CACHE_MINUTES)).then_some(*preview)
    }

    fn insert(&self, stripe_id: String, preview: Option<Preview>, now: Timestamp) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.retain(|_, (at, _)| now < at.plus_minutes(CACHE_MINUTES));
        cached.insert(stripe_id, (now, preview));
    }
}

/// Lists every site of a commercial organization with its subscription, sorted by name.
#[utoipa::path(get, path = "/api/Subscriptions/sites", tag = "Subscriptions", params(SubscriptionsOfOrganization),
    responses((status = 200, body = Vec<SubscriptionSummary>)))]
pub async fn sites(
    State(app): State<App>,
    caller: Caller,
    Query(SubscriptionsOfOrganization { organization_id }): Query<SubscriptionsOfOrganization>,
) -> Result<Json<Vec<SubscriptionSummary>>> {
    const SITES: &str = "SELECT id, name FROM sites WHERE organization_id = $1 AND deleted_at IS NULL \
        ORDER BY name_key COLLATE \"C\", id";
    let organization = caller.organization(organization_id, Action::ManageBilling).await?;
    let now = app.now();
    refresh(&app, &organization, now).await?;
    let mut rows: HashMap<SiteId, Row> = HashMap::new();
    for row in rows::list(&app.db, organization.id, now).await? {
        rows.insert(row.site_id, row);
    }
    let previews = previews(&app, rows.values(), now).await?;
    let card = cards::default_card(&app, organization.id).await?;
    let card =
        card.map(|(brand, last_four_digits)| SummaryCard { brand, last_four_digits, brand_logo_image_src: None });
    let sites: Vec<(SiteId, String)> = app.db.query(SITES).bind(organization.id).all().await?;
    let summary = |(site_id, site_name): (SiteId, String)| {
        let row = rows.get(&site_id);
        let status = row.map_or(SubscriptionStatus::None, Row::status);
        let preview = row.and_then(|row| row.stripe_id.as_ref()).and_then(|id| previews.get(id).copied());
        let paid_period_end = row.and_then(|row| row.paid_period_end);
        SubscriptionSummary {
            site_id,
            site_name,
            next_invoice_date: preview.and_then(|preview| preview.at),
            total_invoice: preview.map(|preview| dollars(preview.cents)),
            status,
            is_active: status.is_active(paid_period_end, now),
            paid_period_end,
            stripe_price_id: row.and_then(|row| row.stripe_price.clone()),
            subscription_duration_in_months: row.and_then(|row| row.duration_months),
            card: card.clone().filter(|_| status.is_live()),
        }
    };
    Ok(Json(sites.into_iter().map(summary).collect()))
}

/// Updates the subscriptions of an organization from Stripe in one call, if one of them was not compared in the last
/// minutes.
async fn refresh(app: &App, organization: &Organization, now: Timestamp) -> Result<()> {
    let rows = rows::list(&app.db, organization.id, now).await?;
    let is_stale = |row: &Row| {
        let is_fresh = row.synced_at.is_some_and(|at| at > now.plus_minutes(-CACHE_MINUTES));
        row.status().is_live() && row.stripe_id.is_some() && !is_fresh
    };
    if !rows.iter().any(is_stale) {
        return Ok(());
    }
    let Some(customer) = cards::customer(app, organization.id).await? else { return Ok(()) };
    let client = app.payments.client().await?;
    match tokio::time::timeout(PREVIEW_TIMEOUT, client.subscriptions(&customer)).await {
        Ok(Ok(subscriptions)) => {
            for subscription in &subscriptions {
                sync::store(app, &Author::job(), &Read::from(subscription), now).await?;
            }
        }
        Ok(Err(error)) => {
            tracing::warn!(error = %error, "could not read subscriptions from Stripe; using the stored ones");
        }
        Err(_) => tracing::warn!("reading subscriptions from Stripe timed out; using the stored ones"),
    }
    Ok(())
}

/// Returns the next charges of the live subscriptions among `rows`, except those that Stripe does not answer in time.
async fn previews(app: &App, rows: impl Iterator<Item = &Row>, now: Timestamp) -> Result<HashMap<String, Preview>> {
    let mut found = HashMap::new();
    let mut missing = Vec::new();
    for stripe_id in rows.filter(|row| row.status().is_live()).filter_map(|row| row.stripe_id.clone()) {
        match app.previews.get(&stripe_id, now) {
            Some(Some(preview)) => drop(found.insert(stripe_id, preview)),
            Some(None) => {}
            None => missing.push(stripe_id),
        }
    }
    if missing.is_empty() {
        return Ok(found);
    }
    let client = app.payments.client().await?;
    let read = |stripe_id: String| async move {
        let answer = client.preview_invoice(&stripe_id).await;
        (stripe_id, answer)
    };
    let mut answers = futures_util::stream::iter(missing).map(read).buffer_unordered(MAX_PARALLEL);
    let all = async {
        while let Some((stripe_id, answer)) = answers.next().await {
            let preview = match answer {
                Ok(invoice) => {
                    let at = invoice.next_payment_attempt.unwrap_or(invoice.period_end);
                    Some(Preview { at: Some(moment(at)), cents: invoice.amount_due })
                }
                // The subscription ends with its period, so nothing will be charged.
                Err(error) if error.api_error().is_some_and(|api_error| api_error.status == 404) => None,
                Err(error) => {
                    tracing::warn!(error = %error, "could not read the next invoice of a subscription");
                    continue;
                }
            };
            if let Some(preview) = preview {
                found.insert(stripe_id.clone(), preview);
            }
            app.previews.insert(stripe_id, preview, now);
        }
    };
    let _ = tokio::time::timeout(PREVIEW_TIMEOUT, all).await;
    drop(answers);
    Ok(found)
}
