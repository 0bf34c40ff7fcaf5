//! Cancels a subscription. It ends at once at Stripe, and stays usable until the paid period ends.

use axum::Json;
use axum::extract::State;
use berth_domain::policy::Action;
use berth_domain::subscription::{SubscriptionStatus, may_cancel};

use super::operations::{self, Outcome, Parameters};
use super::{ChangedSubscription, SubscriptionOfSite, rows, start, sync};
use crate::admin::audit_log::Author;
use crate::auth::caller::{Caller, Site};
use crate::billing::payments;
use crate::http::body::Body;
use crate::{App, Error, Result, change};

/// Cancels the subscription of a site. Guests can be accepted until the paid period ends, and nothing more is charged.
#[utoipa::path(post, path = "/api/Subscriptions/cancel", tag = "Subscriptions", request_body = SubscriptionOfSite,
    responses((status = 200, body = ChangedSubscription)))]
pub async fn cancel(
    State(app): State<App>,
    caller: Caller,
    Body(SubscriptionOfSite { site_id }): Body<SubscriptionOfSite>,
) -> Result<Json<ChangedSubscription>> {
    let site = caller.site(site_id, Action::ManageBilling).await?;
    let row = rows::find(&app.db, site.id, app.now()).await?;
    may_cancel(row.as_ref().map_or(SubscriptionStatus::None, rows::Row::status)).map_err(Error::conflict)?;
    let row = row.ok_or(Error::NotFound)?;
    let by = Author::caller(&caller, Some(&site));
    if let Some(subscription) = row.stripe_id {
        // The paid period is read now, because an ended subscription is never read again.
        sync::refresh(&app, &subscription).await?;
        let now = rows::find(&app.db, site.id, app.now()).await?;
        if now.is_some_and(|row| row.status().is_live()) {
            let place = (site.organization_id, site.id);
            let parameters = Parameters::Cancel { subscription };
            if let Outcome::Rejected(error) = operations::execute(&app, place, &by, &parameters, may_cancel).await? {
                return Err(payments::failed(error));
            }
        }
    } else {
        end(&app, by, &site).await?;
    }
    Ok(Json(ChangedSubscription::of(site.id, start::current(&app, &site).await?, None)))
}

/// Ends a subscription that was made by hand, which Stripe does not know.
async fn end(app: &App, by: Author, site: &Site) -> Result<()> {
    change::run(app, by, |mut change| async move {
        rows::lock_site(&mut change, site.id).await?;
        let row = rows::find(&mut change.tx, site.id, change.now).await?.ok_or(Error::NotFound)?;
        sync::end(&mut change, &row, "canceled").await?;
        change.done(())
    })
    .await
}
