//! SQL on the table `saved_cards`.

use berth_db::{Queries, Tx};
use berth_domain::id::{OrganizationId, SavedCardId};
use berth_domain::time::Timestamp;
use berth_stripe::{Card, PaymentMethod};

use crate::Result;
use crate::admin::organizations;
use crate::change::Change;
use crate::housing::sites::is_live;

/// A saved card.
#[derive(Debug, Clone, PartialEq, Eq, berth_db::FromRow)]
pub(super) struct Row {
    pub(super) id: SavedCardId,
    pub(super) payment_method: String,
    pub(super) brand: String,
    pub(super) last_four: String,
    pub(super) expiry_month: i64,
    pub(super) expiry_year: i64,
    pub(super) is_default: bool,
    /// When the removal at Stripe began; `None` unless the card is being removed.
    pub(super) removing_at: Option<Timestamp>,
}

impl Row {
    /// Returns the card's name in the audit log.
    pub(super) fn name(&self) -> String {
        format!("{} ending in {}", self.brand, self.last_four)
    }
}

/// Locks an organization: changes to its cards are made one after another.
///
/// # Errors
/// 404 if the organization was removed.
pub(super) async fn lock(change: &mut Change, organization: OrganizationId) -> Result<()> {
    organizations::lock(&mut change.tx, organization).await?;
    // The lock may have been waited for.
    change.now = change.app.now();
    Ok(())
}

/// Lists the cards of an organization: the default first, then the newest.
pub(super) async fn list(mut db: impl Queries, organization: OrganizationId) -> Result<Vec<Row>> {
    const CARDS: &str = "SELECT id, payment_method, brand, last_four, expiry_month, expiry_year, is_default, removing_at \
        FROM saved_cards WHERE organization_id = $1 AND deleted_at IS NULL \
        ORDER BY is_default DESC, created_at DESC, id DESC";
    Ok(db.query(CARDS).bind(organization).all().await?)
}

/// Adds a card, unless its payment method has or had a row. Returns true if it was added.
pub(super) async fn insert(
    change: &mut Change,
    organization: OrganizationId,
    method: &PaymentMethod,
    card: &Card,
) -> Result<bool> {
    const INSERT: &str = "INSERT INTO saved_cards (id, organization_id, payment_method, brand, last_four, expiry_month, \
        expiry_year, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (payment_method) DO NOTHING";
    let id = SavedCardId(change.app.id());
    let insert = change.tx.query(INSERT).bind(id).bind(organization).bind(method.id.as_str());
    let insert = insert.bind(card.brand.as_str()).bind(card.last4.as_str());
    Ok(insert.bind(card.exp_month).bind(card.exp_year).bind(change.now).execute().await? == 1)
}

/// Updates a card from Stripe: banks replace cards, and the payment method keeps its id.
pub(super) async fn update(tx: &mut Tx, id: SavedCardId, card: &Card) -> Result<()> {
    const UPDATE: &str =
        "UPDATE saved_cards SET brand = $2, last_four = $3, expiry_month = $4, expiry_year = $5 WHERE id = $1";
    let update = tx.query(UPDATE).bind(id).bind(card.brand.as_str()).bind(card.last4.as_str());
    update.bind(card.exp_month).bind(card.exp_year).execute().await?;
    Ok(())
}

/// Makes the card of a payment method the only default. `None` leaves the organization without a default card.
pub(super) async fn set_default(tx: &mut Tx, organization: OrganizationId, method: Option<&str>) -> Result<()> {
    const NONE: &str = "UPDATE saved_cards SET is_default = FALSE WHERE organization_id = $1 AND is_default";
    const ONE: &str = "UPDATE saved_cards SET is_default = TRUE \
        WHERE organization_id = $1 AND payment_method = $2 AND deleted_at IS NULL";
    // The unique index allows no two defaults, not even within a transaction.
    tx.query(NONE).bind(organization).execute().await?;
    if let Some(method) = method {
        tx.query(ONE).bind(organization).bind(method).execute().await?;
    }
    Ok(())
}

/// Removes a card that is gone at Stripe. Returns false if it was removed before.
pub(super) async fn remove(tx: &mut Tx, id: SavedCardId, now: Timestamp) -> Result<bool> {
    const REMOVE: &str = "UPDATE saved_cards SET deleted_at = $2, is_default = FALSE, removing_at = NULL \
        WHERE id = $1 AND deleted_at IS NULL";
    Ok(tx.query(REMOVE).bind(id).bind(now).execute().await? == 1)
}

/// Stores since when a card is being removed at Stripe; `None` if it no longer is.
pub(super) async fn set_removing(tx: &mut Tx, id: SavedCardId, since: Option<Timestamp>) -> Result<()> {
    const REMOVING: &str = "UPDATE saved_cards SET removing_at = $2 WHERE id = $1";
    tx.query(REMOVING).bind(id).bind(since).execute().await?;
    Ok(())
}

/// Returns the number of live subscriptions that the organization's sites have.
pub(super) async fn count_live_subscriptions(tx: &mut Tx, organization: OrganizationId) -> Result<i64> {
    const LIVE: &str = concat!(
        "SELECT COUNT(*) FROM sites s JOIN site_subscriptions x ON x.site_id = s.id \
         WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND ",
        is_live!()
    );
    Ok(tx.query(LIVE).bind(organization).scalar().await?)
}
