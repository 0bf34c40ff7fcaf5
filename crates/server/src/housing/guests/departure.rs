//! `PUT /api/Guests/{id}/departure`: the day on which a guest is expected to leave (docs/decisions/0061).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::id::GuestId;
use berth_domain::policy::Action;
use berth_domain::stay::may_set_departure;
use berth_domain::time::{check_not_passed, date_at, parse_optional_day};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board;
use super::edit::tag;
use super::view::{GuestView, view_of};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::change::{self, Answer};
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::{App, Error, Result};

/// The day on which a guest is expected to leave.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestDeparture {
    /// The day in the site's time zone, such as 2026-12-01, not before today. Null or empty removes it.
    #[serde(deserialize_with = "Deserialize::deserialize")]
    expected_departure: Option<String>,
    /// The version of the guest that the caller saw; `If-Match` has the same meaning. Another version is answered with 412.
    #[serde(default)]
    version: Option<i64>,
}

/// Sets the day on which a guest who has a bed is expected to leave. Nothing happens on that day by itself.
#[utoipa::path(put, path = "/api/Guests/{id}/departure", tag = "Guests", request_body = GuestDeparture,
    params(("id" = GuestId, Path),
        ("If-Match" = Option<String>, Header, description = "the version that the caller saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 200, description = "the guest after the change", body = GuestView)))]
pub async fn set(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<GuestId>,
    headers: HeaderMap,
    Body(input): Body<GuestDeparture>,
) -> Result<Response> {
    const BEFORE: &str = "SELECT expected_departure FROM guests WHERE id = $1";
    const SET: &str = "UPDATE guests SET expected_departure = $2, version = version + 1 WHERE id = $1";
    let site = &caller.guest(id, Action::PlaceGuest).await?;
    let day = parse_optional_day(input.expected_departure.as_deref().unwrap_or_default());
    let day = &day.map_err(|sentence| Error::field("/expectedDeparture", sentence))?;
    let (caller, sent, version) = (&caller, &headers, input.version);
    let seen = Entry::at(site, AuditAction::GuestViewed.by(caller), (ObjectKind::Guest, id.0), "");
    let asked = ("PUT departure", id.0, &input);
    change::once_showing(&app, Author::caller(caller, Some(site)), &headers, &asked, seen, |mut change| async move {
        change.touch(site).await?;
        let (now, tx) = (change.now, &mut change.tx);
        let (code, facts) = board::facts(tx, id).await?;
        etag::guard(sent, version, facts.version)?;
        may_set_departure(&facts, now).map_err(|refusal| Error::conflict(refusal.sentence()))?;
        let before: Option<String> = tx.query(BEFORE).bind(id).scalar().await?;
        check_not_passed(day.as_deref(), before.as_deref(), &date_at(now, &site.time_zone))
            .map_err(|sentence| Error::field("/expectedDeparture", sentence))?;
        if *day == before {
            let guest = GuestView::load(tx, site, id, view_of(caller, site), now).await?;
            return change::unchanged(Answer::naming(StatusCode::OK, &guest, vec![id])?.tagged(tag(&guest)));
        }
        tx.query(SET).bind(id).bind(day.as_deref()).execute().await?;
        let guest = GuestView::load(tx, site, id, view_of(caller, site), now).await?;
        let summary = format!("{code}: expected to leave: {}", day.as_deref().unwrap_or("unknown"));
        change.record(Entry::at(site, AuditAction::GuestDepartureSet, (ObjectKind::Guest, id.0), summary)).await?;
        change.done(Answer::naming(StatusCode::OK, &guest, vec![id])?.tagged(tag(&guest)))
    })
    .await
}
