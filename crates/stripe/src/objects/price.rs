//! The catalog: products and their prices.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Expandable, Identified};

/// A product of the catalog. Only the id remains of a deleted product.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Product {
    /// `prod_…`
    pub id: String,
    /// True if the product was deleted.
    #[serde(default)]
    pub deleted: bool,
    /// True if the product can be sold.
    #[serde(default)]
    pub active: bool,
    /// The name that customers see.
    #[serde(default)]
    pub name: String,
    /// The description that customers see.
    pub description: Option<String>,
    /// Notes of the seller; `description_es` is the description in Spanish.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

impl Identified for Product {
    fn id(&self) -> &str {
        &self.id
    }
}

/// A price of a product.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Price {
    /// `price_…`
    pub id: String,
    /// True if new subscriptions can use the price; false once it is archived.
    pub active: bool,
    /// Three lowercase letters: `usd`.
    pub currency: String,
    /// The amount in cents. `None` for tiered prices and prices with fractions of a cent.
    pub unit_amount: Option<i64>,
    /// How often the amount is charged. `None` for a one-time price.
    pub recurring: Option<Recurring>,
    /// The product: its id, or the whole product if the call expands it.
    pub product: Expandable<Product>,
}

impl Price {
    /// Returns the number of months that one payment covers. `None` for prices per day or week and for one-time prices.
    #[must_use]
    pub fn months(&self) -> Option<i64> {
        let recurring = self.recurring.as_ref()?;
        match recurring.interval.as_str() {
            "month" => Some(recurring.interval_count),
            "year" => recurring.interval_count.checked_mul(12),
            _ => None,
        }
    }
}

/// How often a price is charged.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Recurring {
    /// `day`, `week`, `month` or `year`.
    pub interval: String,
    /// The number of intervals between two charges.
    pub interval_count: i64,
}

impl Identified for Price {
    fn id(&self) -> &str {
        &self.id
    }
}
