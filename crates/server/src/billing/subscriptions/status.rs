//! Shows the status of a site's subscription to users who accept guests.

use axum::Json;
use axum::extract::State;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{rows, sync};
use crate::auth::caller::Caller;
use crate::housing::sites::{self, SiteSubscription};
use crate::http::body::Query;
use crate::{App, Error, Result};

/// The site whose status is requested.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct StatusOfSite {
    /// The site.
    site_id: SiteId,
}

/// Shows the subscription of a site; 404 if it never had one. If it was not compared with the card provider in the last
/// five minutes, that is done first, for at most two seconds.
#[utoipa::path(get, path = "/api/Subscriptions/site-status", tag = "Subscriptions", params(StatusOfSite),
    responses((status = 200, body = SiteSubscription)))]
pub async fn site_status(
    State(app): State<App>,
    caller: Caller,
    Query(StatusOfSite { site_id }): Query<StatusOfSite>,
) -> Result<Json<SiteSubscription>> {
    let site = caller.site(site_id, Action::ReadSubscriptionStatus).await?;
    let now = app.now();
    if !site.is_commercial || rows::find(&app.db, site.id, now).await?.is_none() {
        return Err(Error::NotFound);
    }
    sync::refresh_if_stale(&app, site.id).await?;
    Ok(Json(sites::subscription(&app.db, site.id, now).await?))
}
