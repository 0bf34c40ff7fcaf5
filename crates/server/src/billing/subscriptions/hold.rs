//! Extends the holds of reservations while an owner prepares to pay for a site's subscription.

use axum::extract::State;
use axum::http::StatusCode;
use berth_domain::policy::Action;
use berth_domain::stay::PayingStep;

use super::{SubscriptionOfSite, start};
use crate::admin::audit_log::Author;
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::http::body::Body;
use crate::{App, Result};

/// Extends the holds of reservations that would end within ten minutes, while an owner adds a card or chooses a plan.
/// Each hold is extended once, to 30 minutes from now. Does nothing if guests can be accepted at the site already.
#[utoipa::path(post, path = "/api/Subscriptions/hold", tag = "Subscriptions", request_body = SubscriptionOfSite,
    responses((status = 204, description = "reservations are held while the payment is prepared")))]
pub async fn hold(
    State(app): State<App>,
    caller: Caller,
    Body(SubscriptionOfSite { site_id }): Body<SubscriptionOfSite>,
) -> Result<StatusCode> {
    let site = caller.site(site_id, Action::ManageBilling).await?;
    if !start::current(&app, &site).await?.is_active {
        guests::extend_holds(&app, &Author::caller(&caller, Some(&site)), &site, PayingStep::Preparing).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
