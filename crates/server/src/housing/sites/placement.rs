//! `PUT /api/Sites/{id}/placement`: whether a site is strict about whom its beds are for (docs/decisions/0068).

use axum::extract::State;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::housing::waitlist;
use crate::http::body::{Body, Done, Path};
use crate::{App, Result, change};

/// How a site takes its placement rules.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SitePlacement {
    /// True if guests who do not fit the rules of the site or the house are placed only with a reason, by an admin or owner. False if
    /// the web only warns.
    strict_placement: bool,
}

/// Makes the placement rules of a site strict, or not. Guests who have a bed keep it.
#[utoipa::path(put, path = "/api/Sites/{id}/placement", tag = "Sites", request_body = SitePlacement,
    params(("id" = SiteId, Path, description = "the site")), responses((status = 204, description = "saved")))]
pub async fn set_placement(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Body(SitePlacement { strict_placement }): Body<SitePlacement>,
) -> Result<Done> {
    const SET: &str = "UPDATE sites SET strict_placement = $2, edit_version = edit_version + 1 \
        WHERE id = $1 AND strict_placement <> $2";
    let site = &caller.site(id, Action::EditSite).await?;
    change::run(&app, Author::caller(&caller, Some(site)), |mut change| async move {
        change.touch(site).await?;
        if change.tx.query(SET).bind(id).bind(strict_placement).execute().await? == 0 {
            return change::unchanged(Done);
        }
        waitlist::withdraw_unfit(&mut change, site).await?;
        let answer =
            if strict_placement { "is strict about its placement rules" } else { "only warns of its placement rules" };
        let summary = format!("site {} {answer}", site.name);
        change.record(Entry::at(site, AuditAction::SiteEdited, (ObjectKind::Site, id.0), summary)).await?;
        change.done(Done)
    })
    .await
}
