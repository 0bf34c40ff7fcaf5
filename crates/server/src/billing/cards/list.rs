//! Lists the cards of an organization. They are copied from Stripe to our rows; while Stripe is away, our rows are
//! shown.

use axum::Json;
use axum::extract::State;
use berth_domain::policy::Action;
use berth_stripe::{Card, PaymentMethod};

use super::rows::{self, Row};
use super::{OfOrganization, SavedCard, customer};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::{Caller, Organization};
use crate::http::body::Query;
use crate::{App, Result, change};

/// Minutes after which a removal that did not finish no longer counts.
const REMOVAL_TIMEOUT_MINUTES: i64 = 5;

/// Lists the saved cards of a commercial organization: the default first, then the newest.
#[utoipa::path(get, path = "/api/Subscriptions/savedPaymentMethods", tag = "Cards", params(OfOrganization),
    responses((status = 200, body = Vec<SavedCard>)))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(OfOrganization { organization_id }): Query<OfOrganization>,
) -> Result<Json<Vec<SavedCard>>> {
    let organization = caller.organization(organization_id, Action::ManageBilling).await?;
    refresh(&app, &organization).await?;
    Ok(Json(saved(&app, &organization).await?))
}

/// Returns the cards in our rows.
pub(super) async fn saved(app: &App, organization: &Organization) -> Result<Vec<SavedCard>> {
    let rows = rows::list(&app.db, organization.id).await?;
    Ok(rows.into_iter().map(SavedCard::from).collect())
}

/// Updates our rows from Stripe. While Stripe is away, they do not change.
pub(super) async fn refresh(app: &App, organization: &Organization) -> Result<()> {
    let Some(stripe_id) = customer::find(app, organization.id).await? else { return Ok(()) };
    // Read before Stripe is asked: cards that are added from now on may be missing in its answer, and must not be
    // removed.
    let before = rows::list(&app.db, organization.id).await?;
    let client = app.payments.client().await?;
    let (customer, cards) = tokio::join!(client.customer(&stripe_id), client.cards(&stripe_id));
    let (customer, cards) = match (customer, cards) {
        (Ok(customer), _) if customer.deleted => return customer::forget(app, organization, &stripe_id).await,
        (Err(error), _) if error.is_missing("id") => return customer::forget(app, organization, &stripe_id).await,
        (Ok(customer), Ok(cards)) => (customer, cards),
        (Err(error), _) | (_, Err(error)) => {
            tracing::warn!(error = %error, "the list of cards comes from our own rows");
            return Ok(());
        }
    };
    let default = customer.invoice_settings.default_payment_method;
    let changes = Changes::between(app, &before, &cards, default.as_deref());
    if changes.is_empty() { Ok(()) } else { store(app, organization, &changes, default.as_deref()).await }
}

/// The differences between Stripe's cards and our rows.
struct Changes<'a> {
    /// Our cards that Stripe no longer has.
    removed: Vec<&'a Row>,
    /// Stripe's cards that we do not have, the newest first.
    added: Vec<(&'a PaymentMethod, &'a Card)>,
    /// Cards that the bank has replaced.
    replaced: Vec<(&'a Row, &'a Card)>,
    /// Cards whose removal was begun and never finished.
    kept: Vec<&'a Row>,
    is_default_wrong: bool,
}

impl<'a> Changes<'a> {
    fn between(app: &App, rows: &'a [Row], methods: &'a [PaymentMethod], default: Option<&str>) -> Self {
        let cards: Vec<(&PaymentMethod, &Card)> =
            methods.iter().filter_map(|method| Some((method, method.card.as_ref()?))).collect();
        let of = |row: &Row| cards.iter().find(|(method, _)| method.id == row.payment_method).map(|(_, card)| *card);
        let is_new = |method: &PaymentMethod| rows.iter().all(|row| row.payment_method != method.id);
        let is_old = |row: &&Row, card: &Card| {
            (row.expiry_month, row.expiry_year) != (card.exp_month, card.exp_year)
                || row.brand != card.brand
                || row.last_four != card.last4
        };
        let given_up = app.now().plus_minutes(-REMOVAL_TIMEOUT_MINUTES);
        let here = rows.iter().find(|row| row.is_default).map(|row| row.payment_method.as_str());
        let there = default.filter(|default| cards.iter().any(|(method, _)| method.id == *default));
        Self {
            removed: rows.iter().filter(|row| of(row).is_none()).collect(),
            added: cards.iter().copied().filter(|(method, _)| is_new(method)).collect(),
            replaced: rows
                .iter()
                .filter_map(|row| Some((row, of(row)?)))
                .filter(|(row, card)| is_old(row, card))
                .collect(),
            kept: rows
                .iter()
                .filter(|row| of(row).is_some() && row.removing_at.is_some_and(|since| since < given_up))
                .collect(),
            is_default_wrong: here != there,
        }
    }

    fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.replaced.is_empty()
            && self.kept.is_empty()
            && !self.is_default_wrong
    }
}

/// Copies the differences to our rows.
async fn store(app: &App, organization: &Organization, changes: &Changes<'_>, default: Option<&str>) -> Result<()> {
    change::run(app, Author::job(), |mut change| async move {
        rows::lock(&mut change, organization.id).await?;
        for row in &changes.removed {
            if rows::remove(&mut change.tx, row.id, change.now).await? {
                let summary = format!("{}, removed at the card provider", row.name());
                change.record(super::entry(organization, AuditAction::CardRemoved, row.id, summary)).await?;
            }
        }
        // The oldest first, so that the newest stays the newest.
        for (method, card) in changes.added.iter().rev() {
            rows::insert(&mut change, organization.id, method, card).await?;
        }
        for (row, card) in &changes.replaced {
            rows::update(&mut change.tx, row.id, card).await?;
        }
        for row in &changes.kept {
            rows::set_removing(&mut change.tx, row.id, None).await?;
        }
        rows::set_default(&mut change.tx, organization.id, default).await?;
        for row in rows::list(&mut change.tx, organization.id).await? {
            if changes.added.iter().any(|(method, _)| method.id == row.payment_method) {
                let summary = format!("{}, added at the card provider", row.name());
                change.record(super::entry(organization, AuditAction::CardAdded, row.id, summary)).await?;
            }
        }
        change.done(())
    })
    .await
}
