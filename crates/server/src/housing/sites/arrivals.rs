//! `PUT /api/Sites/{id}/arrivals`: whether a site asks if accepted guests have arrived (docs/decisions/0062).

use axum::extract::State;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use berth_domain::stay::may_stop_arrivals;
use serde::Deserialize;
use utoipa::ToSchema;

use super::refused;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::http::body::{Body, Done, Path};
use crate::{App, Result, change};

/// Whether a site asks for arrivals.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteArrivals {
    /// True if accepted guests are arriving until somebody says that they have arrived.
    asks_arrival: bool,
}

/// Turns the question for arrivals on or off. Guests who have a bed when it is turned on count as arrived. It cannot be turned off while
/// guests are arriving.
#[utoipa::path(put, path = "/api/Sites/{id}/arrivals", tag = "Sites", request_body = SiteArrivals,
    params(("id" = SiteId, Path, description = "the site")), responses((status = 204, description = "saved")))]
pub async fn set(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Body(SiteArrivals { asks_arrival }): Body<SiteArrivals>,
) -> Result<Done> {
    const SET: &str =
        "UPDATE sites SET asks_arrival = $2, edit_version = edit_version + 1 WHERE id = $1 AND asks_arrival <> $2";
    const ARRIVED: &str = "UPDATE guests SET arrived_at = accepted_at WHERE site_id = $1 AND accepted_at IS NOT NULL \
        AND arrived_at IS NULL AND no_show_at IS NULL AND (discharged_at IS NULL OR discharged_at > $2)";
    const ARRIVING: &str = concat!(
        "SELECT COUNT(*) FROM guests g JOIN sites s ON s.id = g.site_id WHERE g.site_id = $1 AND s.asks_arrival \
         AND g.accepted_at IS NOT NULL AND g.arrived_at IS NULL AND ",
        guests::is_open!("g.")
    );
    let site = &caller.site(id, Action::EditSite).await?;
    change::run(&app, Author::caller(&caller, Some(site)), |mut change| async move {
        change.touch(site).await?;
        if !asks_arrival {
            let arriving = change.tx.query(ARRIVING).bind(id).scalar().await?;
            may_stop_arrivals(arriving).map_err(refused)?;
        }
        if change.tx.query(SET).bind(id).bind(asks_arrival).execute().await? == 0 {
            return change::unchanged(Done);
        }
        if asks_arrival {
            // Also those whose discharge can still be undone: they come back as they were.
            let day_ago = change.now.plus_days(-1);
            change.tx.query(ARRIVED).bind(id).bind(day_ago).execute().await?;
        }
        let answer = if asks_arrival { "asks for arrivals" } else { "does not ask for arrivals" };
        let summary = format!("site {} {answer}", site.name);
        change.record(Entry::at(site, AuditAction::SiteEdited, (ObjectKind::Site, id.0), summary)).await?;
        change.done(Done)
    })
    .await
}
