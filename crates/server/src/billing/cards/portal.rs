//! Opens the card provider's own page, where a customer finds receipts and billing details.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use berth_domain::id::{GuestId, OrganizationId};
use berth_domain::policy::Action;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::customer;
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::billing::payments;
use crate::http::body::Query;
use crate::{App, Error, Result};

/// The link to the card provider's page.
#[derive(Debug, Serialize, ToSchema)]
pub struct Portal {
    /// The address of the page. It is valid for a short time and for this person only.
    url: String,
}

/// The organization whose page is opened, and where the page leads back to.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PortalOf {
    /// The organization.
    organization_id: OrganizationId,
    /// The guest whose reservation waits for a card. The page leads back to the cards of this reservation.
    reservation: Option<GuestId>,
}

/// The message if the organization has no customer at Stripe.
const NO_CUSTOMER: &str = "There is no billing information yet. Add a card first.";

/// Opens the card provider's page of the organization. It leads back to our own origin.
#[utoipa::path(get, path = "/api/Stripe/customer-portal", tag = "Cards", params(PortalOf),
    responses((status = 200, body = Portal), (status = 409, description = "no card was ever added",
        body = crate::http::problem::Problem, content_type = "application/problem+json")))]
pub async fn open_portal(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(PortalOf { organization_id, reservation }): Query<PortalOf>,
) -> Result<Json<Portal>> {
    let organization = caller.organization(organization_id, Action::ManageBilling).await?;
    let customer = customer::find(&app, organization.id).await?.ok_or_else(|| Error::conflict(NO_CUSTOMER))?;
    // The address is built only from our own origin and ids.
    let waiting = reservation.map(|guest| format!("?reservation={guest}")).unwrap_or_default();
    let back = format!("{}/cards/{}{waiting}", origin(&app, &headers), organization.id);
    let session = match app.payments.client().await?.open_portal(&customer, &back).await {
        Ok(session) => session,
        Err(error) if error.is_missing("customer") => {
            customer::forget(&app, &organization, &customer).await?;
            return Err(Error::conflict(NO_CUSTOMER));
        }
        Err(error) => return Err(payments::failed(error)),
    };
    let object = Some((ObjectKind::Organization, organization.id.0));
    let place = (Some(organization.id), None);
    let entry = Entry::placed(place, AuditAction::BillingPortalOpened, object, "the card provider's page");
    audit_log::record(&app, &Author::caller(&caller, None), &entry).await?;
    Ok(Json(Portal { url: session.url }))
}

/// Returns the configured origin that the request used, so that the person comes back signed in.
fn origin<'a>(app: &'a App, headers: &HeaderMap) -> &'a str {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let origins = &app.settings.origins;
    let asked = origins.iter().find(|origin| origin.split_once("://").is_some_and(|(_, known)| known == host));
    asked.or(origins.first()).map_or("", String::as_str)
}
