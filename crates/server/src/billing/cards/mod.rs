//! The saved cards of an organization (spec B 2, 4, 7; guide payments 1.4, 1.5). Stripe keeps the cards; our rows have
//! the brand, last four digits and expiry date, and are shown while Stripe is away. Card numbers never reach Berth.
//!
//! No transaction is open during a call to Stripe.

pub(crate) mod create;
mod customer;
pub(crate) mod list;
pub(crate) mod make_default;
pub(crate) mod portal;
pub(crate) mod remove;
mod rows;
mod shared;

pub use shared::{customer, default_card, forget_customer, has_card, refresh_customer, refresh_payment_method};

use berth_domain::card::CardExpiry;
use berth_domain::id::{OrganizationId, SavedCardId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::auth::caller::Organization;

/// A saved card.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCard {
    /// The card's id at Berth.
    id: SavedCardId,
    /// `visa`, `mastercard` or another brand, in Stripe's word.
    #[schema(example = "visa")]
    brand: String,
    /// The last four digits of its number.
    #[schema(example = "4242")]
    last_four_digits: String,
    /// True if this card pays for subscriptions.
    is_default: bool,
    /// The month of expiration, as `M/YY`.
    #[schema(example = "4/30")]
    expiration_date: String,
    /// The same as `expirationDate` (spec B 3).
    #[schema(example = "4/30")]
    formatted_expiration_date: String,
}

impl From<rows::Row> for SavedCard {
    fn from(row: rows::Row) -> Self {
        // An invalid date is sent as it is; the page says that it is incorrect.
        let date = CardExpiry::of(row.expiry_month, row.expiry_year)
            .map_or_else(|_| format!("{}/{}", row.expiry_month, row.expiry_year), |expiry| expiry.to_string());
        Self {
            id: row.id,
            brand: row.brand,
            last_four_digits: row.last_four,
            is_default: row.is_default,
            formatted_expiration_date: date.clone(),
            expiration_date: date,
        }
    }
}

/// The organization whose cards are requested.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OfOrganization {
    /// The organization.
    organization_id: OrganizationId,
}

/// Returns an audit entry about a card. `summary` must name only the brand and the last four digits.
fn entry(organization: &Organization, action: AuditAction, card: SavedCardId, summary: String) -> Entry {
    Entry::placed((Some(organization.id), None), action, Some((ObjectKind::Card, card.0)), summary)
}
