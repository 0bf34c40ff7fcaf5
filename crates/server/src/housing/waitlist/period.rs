//! `PUT /api/Sites/{id}/offer-period`: how long a site lets an offer stand.

use axum::extract::State;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use berth_domain::waitlist::check_offer_minutes;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Done, Path};
use crate::{App, Error, Result, change};

/// How long a site lets an offer stand.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferPeriod {
    /// In minutes, 5 to 1440.
    offer_minutes: i64,
}

/// Sets how long offers of this site stand. Offers that are open keep their end.
#[utoipa::path(put, path = "/api/Sites/{id}/offer-period", tag = "Waitlist", request_body = OfferPeriod,
    params(("id" = SiteId, Path, description = "the site")), responses((status = 204, description = "saved")))]
pub async fn set(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Body(OfferPeriod { offer_minutes }): Body<OfferPeriod>,
) -> Result<Done> {
    const SET: &str =
        "UPDATE sites SET offer_minutes = $2, edit_version = edit_version + 1 WHERE id = $1 AND offer_minutes <> $2";
    let site = &caller.site(id, Action::EditSite).await?;
    check_offer_minutes(offer_minutes).map_err(|message| Error::field("/offerMinutes", message))?;
    change::run(&app, Author::caller(&caller, Some(site)), |mut change| async move {
        change.touch(site).await?;
        if change.tx.query(SET).bind(id).bind(offer_minutes).execute().await? == 0 {
            return change::unchanged(Done);
        }
        let summary = format!("site {} lets an offer stand for {offer_minutes} minutes", site.name);
        change.record(Entry::at(site, AuditAction::SiteEdited, (ObjectKind::Site, id.0), summary)).await?;
        change.done(Done)
    })
    .await
}
