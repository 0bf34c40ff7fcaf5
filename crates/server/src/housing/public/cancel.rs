//! `POST /api/public/reservations/{code}/cancel`: the guest cancels a pending reservation (docs/decisions/0049). Its
//! bed is free at once. A text message tells the guest, who may not be the one who cancelled it.

use axum::Json;
use axum::extract::State;
use berth_domain::stay::Refusal;
use serde::Deserialize;
use utoipa::ToSchema;

use super::limit_calls;
use super::lookup::{self, Found, Proof};
use super::state::{self, ReservationState};
use crate::admin::audit_log::Author;
use crate::housing::guests::{self, Failure};
use crate::http::body::{Body, Path};
use crate::http::requester::Requester;
use crate::{App, Error, Result, change};

/// Cancels a pending reservation as its guest. The bed is free at once, and a text message in the language of the
/// reservation is sent to the phone. Cancelling again returns the same answer. 404 and 429 as for the state of a
/// reservation; 409 if the site has decided.
#[utoipa::path(post, path = "/api/public/reservations/{code}/cancel", tag = "Public", request_body = Cancellation,
    params(("code" = String, Path, description = "the code of the reservation")),
    responses((status = 200, description = "the reservation after the change", body = ReservationState)))]
pub async fn cancel(
    State(app): State<App>,
    requester: Requester,
    Path(code): Path<String>,
    Body(cancellation): Body<Cancellation>,
) -> Result<Json<ReservationState>> {
    limit_calls(&app, &requester)?;
    let proof = Proof::new(&code, &cancellation.phone_last_four)?;
    let found = run(&app, &requester, &proof).await?;
    Ok(Json(state::load(&app, &found).await?))
}

/// Proves that the caller is the guest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cancellation {
    /// The last four digits of the phone that made the reservation.
    #[serde(default)]
    pub(super) phone_last_four: String,
}

/// Cancels a reservation and returns it. Cancelling again changes nothing and returns the same, so that a client can
/// repeat a request whose answer was lost.
///
/// # Errors
/// 404 and 429 as for a lookup; 409 if the site has decided.
async fn run(app: &App, requester: &Requester, proof: &Proof) -> Result<Found> {
    let found = lookup::find(app, requester, proof, false).await?;
    let (site, guest_id) = (&found.site, found.guest.id);
    let cancelled: Result<_, Failure> = change::run(app, Author::stranger(requester), |mut change| async move {
        change.touch(site).await?;
        let guest = guests::cancel(&mut change, site, guest_id).await?;
        change.done(guest)
    })
    .await;
    match cancelled {
        Ok(guest) => Ok(Found { guest, ..found }),
        Err(Failure::Refused(Refusal::CancelledByGuest)) => lookup::find(app, requester, proof, true).await,
        Err(Failure::Refused(refusal)) => Err(Error::conflict(refusal.sentence())),
        Err(Failure::Other(error)) => Err(error),
        Err(Failure::Stale | Failure::Overdue) => Err(Error::Busy),
    }
}
