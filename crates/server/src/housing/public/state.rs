//! `GET /api/public/reservations/{code}`: the state of a reservation for its guest, with what is needed for the next
//! step. Without names, services and other data of the form (docs/decisions/0049).

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_domain::guest::{PublicStatus, Source};
use berth_domain::time::{IntakePeriod, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::limit_calls;
use super::lookup::{self, Found, Proof};
use crate::housing::sites;
use crate::http::body::Path;
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Shows the state of a reservation to anyone who knows its code and the last four digits of its phone. The answer has
/// no names and no data of the form. 404 for any other pair, and more than 7 days after the decision; 429 after a few
/// wrong pairs.
#[utoipa::path(get, path = "/api/public/reservations/{code}", tag = "Public",
    params(("code" = String, Path, description = "the code of the reservation"),
        ("Phone-Last-Four" = String, Header, description = "the last four digits of the phone")),
    responses((status = 200, description = "the reservation as it is now", body = ReservationState)))]
pub async fn reservation(
    State(app): State<App>,
    requester: Requester,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ReservationState>> {
    limit_calls(&app, &requester)?;
    let proof = Proof::of_headers(&code, &headers)?;
    let found = lookup::find(&app, &requester, &proof, true).await?;
    Ok(Json(load(&app, &found).await?))
}

/// A reservation, as shown to anyone who knows its code and the last four digits of its phone.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReservationState {
    /// Short code that staff and guest read out over the phone.
    code: String,
    /// The state at `asOf`.
    status: PublicStatus,
    /// The time of the answer.
    as_of: Timestamp,
    /// When the reservation was made.
    created_at: Timestamp,
    /// The end of the hold. Null unless the reservation is pending.
    expires_at: Option<Timestamp>,
    /// True if the guest can cancel it here: while it is pending. Never if staff added it; then the guest calls the
    /// site.
    can_cancel: bool,
    /// The name of the site.
    site_name: String,
    /// The phone of the site.
    contact_phone: String,
    /// The address of the site. Null unless the reservation was accepted.
    address: Option<String>,
    /// When the site takes guests in. Empty unless the reservation was accepted.
    intake_periods: Vec<IntakePeriod>,
}

/// Loads the state of a reservation.
///
/// # Errors
/// 404 if it is no longer shown.
pub(super) async fn load(app: &App, found: &Found) -> Result<ReservationState> {
    const PLACE: &str = "SELECT address, contact_phone FROM sites WHERE id = $1";
    let now = app.now();
    let status = found.guest.public_status(now).ok_or(Error::NotFound)?;
    let mut tx = app.db.read().await?;
    let (address, contact_phone): (String, String) = tx.query(PLACE).bind(found.site.id).one().await?;
    let is_accepted = status == PublicStatus::Accepted;
    let is_waiting = status == PublicStatus::Waiting;
    let intake_periods = if is_accepted { sites::intake_periods(&mut tx, found.site.id).await? } else { Vec::new() };
    Ok(ReservationState {
        code: found.code.clone(),
        status,
        as_of: now,
        created_at: found.guest.created_at,
        expires_at: found.guest.expires_at.filter(|_| is_waiting),
        can_cancel: is_waiting && found.guest.source == Source::Web,
        site_name: found.site.name.clone(),
        contact_phone,
        address: is_accepted.then_some(address),
        intake_periods,
    })
}
