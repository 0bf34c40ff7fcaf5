//! Lists the plans on sale: Stripe's prices, cached for five minutes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use berth_domain::plan::PlanInterval;
use berth_domain::policy::Action;
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use berth_stripe::Price;
use serde::Serialize;
use utoipa::ToSchema;

use super::dollars;
use crate::auth::caller::Caller;
use crate::billing::payments;
use crate::{App, Error, Result};

/// Minutes that prices are cached.
const CACHE_MINUTES: i64 = 5;

/// A product of the catalog (spec B 3).
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogProduct {
    /// `prod_…`
    #[schema(example = "prod_berth")]
    product_id: String,
    /// Its name.
    name: String,
    /// Its description.
    description: Option<String>,
    /// Its description in Spanish: `description_es` of the product's metadata at Stripe.
    description_es: Option<String>,
    /// Its prices, the shortest period first.
    prices: Vec<CatalogPrice>,
}

/// A price of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogPrice {
    /// Its id, `price_…`. A new subscription names it as `stripePriceId`.
    #[schema(example = "price_berth_month")]
    pub(super) price_id: String,
    /// The price of one period, in dollars.
    #[schema(example = 1200.0)]
    pub(super) unit_amount_in_dollars: f64,
    /// `month` or `year`.
    interval: PlanInterval,
    /// The number of intervals in one period.
    interval_count: i64,
    /// Months in one period. A new subscription repeats it as `subscriptionDurationInMonths`.
    pub(super) duration_in_months: i64,
    /// Three lowercase letters.
    #[schema(example = "usd")]
    currency: String,
}

/// The cached catalog.
#[derive(Default)]
pub struct Catalog(Mutex<Option<(Timestamp, Arc<Vec<CatalogProduct>>)>>);

impl Catalog {
    /// Clears the cache, because a price or a product has changed.
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn get(&self, now: Timestamp) -> Option<Arc<Vec<CatalogProduct>>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, products) = cached.as_ref()?;
        (*at <= now && now < at.plus_minutes(CACHE_MINUTES)).then(|| Arc::clone(products))
    }

    fn set(&self, products: &Arc<Vec<CatalogProduct>>, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(products)));
    }
}

/// Lists the plans on sale: active products with their active prices per month or year.
#[utoipa::path(get, path = "/api/Stripe/catalog", tag = "Subscriptions",
    responses((status = 200, body = Vec<CatalogProduct>)))]
pub async fn catalog(State(app): State<App>, caller: Caller) -> Result<Json<Vec<CatalogProduct>>> {
    may_bill(&caller).await?;
    Ok(Json(products(&app).await?.as_ref().clone()))
}

/// Checks that the caller manages the billing of a commercial organization: only those have plans and promo codes.
///
/// # Errors
/// 403 for everyone but global admins and the owners of commercial organizations.
pub(super) async fn may_bill(caller: &Caller) -> Result<()> {
    caller.platform(Action::ManageBilling)?;
    if caller.is_global() {
        return Ok(());
    }
    let mut rejection = Error::NotFound;
    let owned = caller.actor.memberships.iter().filter(|held| held.role == Role::Owner);
    for id in owned.filter_map(|held| held.organization_id) {
        match caller.organization(id, Action::ManageBilling).await {
            Ok(_) => return Ok(()),
            Err(error @ Error::Forbidden(_)) => rejection = error,
            Err(Error::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Err(rejection)
}

/// Returns the products, from the cache if it is fresh.
pub(super) async fn products(app: &App) -> Result<Arc<Vec<CatalogProduct>>> {
    let now = app.now();
    if let Some(products) = app.catalog.get(now) {
        return Ok(products);
    }
    let prices = app.payments.client().await?.prices().await.map_err(payments::failed)?;
    let products = Arc::new(by_product(prices));
    app.catalog.set(&products, now);
    Ok(products)
}

/// Finds a price by its id, if it is on sale.
pub(super) async fn find(app: &App, price: &str) -> Result<Option<CatalogPrice>> {
    let products = products(app).await?;
    Ok(products.iter().flat_map(|product| &product.prices).find(|known| known.price_id == price).cloned())
}

/// Groups monthly and yearly prices by product. Products are sorted by name, prices by the length of their period.
fn by_product(prices: Vec<Price>) -> Vec<CatalogProduct> {
    let mut products: BTreeMap<(String, String), CatalogProduct> = BTreeMap::new();
    for price in prices {
        let Some(product) = price.product.object().filter(|product| product.active && !product.deleted) else {
            continue;
        };
        let (Some(cents), Some(recurring), Some(months)) = (price.unit_amount, &price.recurring, price.months()) else {
            continue;
        };
        let Some(interval) = PlanInterval::from_text(&recurring.interval).filter(|_| price.active) else { continue };
        let sold = CatalogPrice {
            price_id: price.id.clone(),
            unit_amount_in_dollars: dollars(cents),
            interval,
            interval_count: recurring.interval_count,
            duration_in_months: months,
            currency: price.currency.clone(),
        };
        let entry = products.entry((product.name.clone(), product.id.clone()));
        let entry = entry.or_insert_with(|| CatalogProduct {
            product_id: product.id.clone(),
            name: product.name.clone(),
            description: product.description.clone(),
            description_es: product.metadata.get("description_es").cloned(),
            prices: Vec::new(),
        });
        entry.prices.push(sold);
    }
    let mut products: Vec<CatalogProduct> = products.into_values().collect();
    for product in &mut products {
        product.prices.sort_by(|left, right| {
            left.duration_in_months.cmp(&right.duration_in_months).then_with(|| left.price_id.cmp(&right.price_id))
        });
    }
    products
}
