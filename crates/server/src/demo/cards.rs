//! The saved cards of the demo's main organization: its rows here, the same in the sandbox of payments.

use berth_domain::id::{OrganizationId, SavedCardId};
use berth_stripe::sandbox::{Seed, SeedCard};

use super::fill::World;

/// Who has cards.
const ORGANIZATION: &str = "Harbor Light Recovery";

const CARDS: [SeedCard; 2] = [
    SeedCard { id: "pm_demoHarborVisa", test_card: "pm_card_visa", exp_month: 8, exp_year: 2029 },
    SeedCard { id: "pm_demoHarborMastercard", test_card: "pm_card_mastercard", exp_month: 3, exp_year: 2028 },
];

/// What the sandbox begins with in the demo.
pub const CUSTOMERS: &[Seed] =
    &[Seed { id: "cus_demoHarbor", name: ORGANIZATION, email: "owner@demo.example", cards: &CARDS }];

/// Adds the rows of an organization that has cards.
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
    for (number, card) in seed.cards.iter().enumerate() {
        let at = at.plus_days(i64::try_from(number).unwrap_or_default() * 90);
        let card_id = SavedCardId(world.dice.id(at));
        let brand = card.brand();
        let insert = world.tx.query(CARD).bind(card_id).bind(id).bind(card.id).bind(brand).bind(card.last4());
        insert.bind(card.exp_month).bind(card.exp_year).bind(number == 0).bind(at).execute().await?;
    }
    Ok(())
}
