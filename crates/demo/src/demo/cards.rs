//! Writes our rows for the customers and saved cards that the payment sandbox starts with.

use berth_domain::id::{OrganizationId, SavedCardId};

use super::customers::CUSTOMERS;
use super::fill::World;

/// Adds the rows of an organization that pays.
pub(super) async fn make(world: &mut World, name: &str, id: OrganizationId) -> berth_db::Result<()> {
    const CUSTOMER: &str = "INSERT INTO billing_customers (organization_id, attempt, email, name, stripe_id, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    const CARD: &str = "INSERT INTO saved_cards (id, organization_id, payment_method, brand, last_four, expiry_month, \
        expiry_year, is_default, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let Some(seed) = CUSTOMERS.iter().find(|seed| seed.name == name) else { return Ok(()) };
    let at = world.now.plus_days(-300);
    let attempt = world.dice.id(at);
    let customer = world.tx.query(CUSTOMER).bind(id).bind(attempt).bind(seed.email).bind(seed.name);
    customer.bind(seed.id).bind(at).execute().await?;
    for (number, card) in seed.cards.iter().filter(|card| !card.is_removed).enumerate() {
        let at = at.plus_days(i64::try_from(number).unwrap_or_default() * 90);
        let card_id = SavedCardId(world.dice.id(at));
        let brand = card.brand();
        let insert = world.tx.query(CARD).bind(card_id).bind(id).bind(card.id).bind(brand).bind(card.last4());
        insert.bind(card.exp_month).bind(card.exp_year).bind(number == 0).bind(at).execute().await?;
    }
    Ok(())
}
