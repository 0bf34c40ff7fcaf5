//! The public side: sites with beds, and reservations by people without an account, proved by their phone. Strict limits,
//! and nothing about any guest goes out (DESIGN 3, 6; docs/decisions/0033).

mod cancel;
mod cards;
mod confirm;
mod limits;
mod lookup;
mod reserve;
mod search;
mod state;
mod texts;

pub use cancel::Cancellation;
pub use confirm::{Confirmation, ReservationView};
pub use reserve::{NewReservation, ReservationRequest};
pub use search::{PublicSite, PublicSiteDetails, SiteSearch};
pub use state::ReservationState;
pub use texts::{NotMade, tell_not_made};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use berth_domain::id::SiteId;
use uuid::Uuid;

use self::lookup::Proof;
use crate::body::{Body, Done, Path, Query};
use crate::images::CardImages;
use crate::paging::{PageQuery, Paged};
use crate::requester::Requester;
use crate::throttle::PUBLIC_REQUESTER;
use crate::{App, Result};

/// The sites that can be found, by name; `search` finds part of the name or the address. Sites that are hidden, by
/// themselves or with their organization, are left out.
#[utoipa::path(get, path = "/api/public/sites", tag = "Public", params(SiteSearch, PageQuery),
    responses((status = 200, description = "by name", body = Paged<PublicSite>)))]
pub async fn sites(
    State(app): State<App>,
    requester: Requester,
    Query(ask): Query<SiteSearch>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Paged<PublicSite>>> {
    limit_calls(&app, &requester)?;
    Ok(Json(search::page(&app, &ask, page.page()).await?))
}

/// One site, with what its reservation form may offer. A hidden one is not there.
#[utoipa::path(get, path = "/api/public/sites/{id}", tag = "Public", params(("id" = SiteId, Path)),
    responses((status = 200, description = "the site", body = PublicSiteDetails)))]
pub async fn site(
    State(app): State<App>,
    requester: Requester,
    Path(id): Path<SiteId>,
) -> Result<Json<PublicSiteDetails>> {
    limit_calls(&app, &requester)?;
    Ok(Json(search::one(&app, id).await?))
}

/// Asks for a reservation for a person without an account. A code goes to the phone; nothing is held before it is
/// confirmed. The answer is the same for everyone. 409 `site-full`: no bed is free at this site.
#[utoipa::path(post, path = "/api/public/reservations", tag = "Public", request_body = NewReservation,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect"),
        ("Accept-Language" = Option<String>, Header, description = "the language of text messages, en or es, unless `language` is sent")),
    responses((status = 202, description = "a code is on its way", body = ReservationRequest)))]
pub async fn reserve(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    Body(NewReservation(form)): Body<NewReservation>,
) -> Result<Response> {
    limit_calls(&app, &requester)?;
    reserve::AskForReservation::new(app, requester, headers, form).await?.run().await
}

/// Makes the reservation with the code from the phone. A bed is held as long as the site's screening period; its staff
/// decide until then. 409 `not-available`: no bed is free any more, or two reservations of this phone are active; a text
/// message says which. 422 at `/otp`: the code is wrong or too old, or was tried five times.
#[utoipa::path(post, path = "/api/public/reservations/{id}/confirm", tag = "Public", request_body = Confirmation,
    params(("id" = Uuid, Path, description = "from the answer to the request"),
        ("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, description = "held", body = ReservationView)))]
pub async fn confirm(
    State(app): State<App>,
    requester: Requester,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    Body(confirmation): Body<Confirmation>,
) -> Result<Response> {
    limit_calls(&app, &requester)?;
    confirm::ConfirmReservation::new(app, requester, headers, id, confirmation).run().await
}

/// Adds pictures of the insurance card to a confirmed reservation, for 30 minutes after the confirmation. They are shown to
/// those who may see the guest's contact, and to nobody else.
#[utoipa::path(post, path = "/api/public/reservations/{id}/cards", tag = "Public",
    params(("id" = Uuid, Path, description = "from the answer to the request")),
    request_body(content = CardImages, content_type = "multipart/form-data"),
    responses((status = 204, description = "added")))]
pub async fn add_cards(
    State(app): State<App>,
    requester: Requester,
    Path(id): Path<Uuid>,
    request: Request,
) -> Result<Done> {
    limit_calls(&app, &requester)?;
    cards::add(&app, &requester, id, request).await?;
    Ok(Done)
}

/// Shows the state of a reservation to anybody who knows its code and the last four digits of its phone. The answer has no names and
/// nothing of the form. 404 for any other pair, and more than 7 days after the decision; 429 after a few wrong ones.
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
    Ok(Json(state::load(&app, &found).await?))
}

/// Cancels a reservation that waits, as its guest. The bed is free at once, and a text message goes to the phone
/// in the language of the reservation. Cancelling again is answered alike. 404 and 429 as for its state; 409 once the site has decided.
#[utoipa::path(post, path = "/api/public/reservations/{code}/cancel", tag = "Public", request_body = Cancellation,
    params(("code" = String, Path, description = "the code of the reservation")),
    responses((status = 200, description = "the reservation as it is now", body = ReservationState)))]
pub async fn cancel(
    State(app): State<App>,
    requester: Requester,
    Path(code): Path<String>,
    Body(cancellation): Body<Cancellation>,
) -> Result<Json<ReservationState>> {
    limit_calls(&app, &requester)?;
    let proof = Proof::new(&code, &cancellation.phone_last_four)?;
    let found = cancel::run(&app, &requester, &proof).await?;
    Ok(Json(state::load(&app, &found).await?))
}

/// Counts every call of the public side, whatever it leads to. In memory: a stranger's read writes nothing.
fn limit_calls(app: &App, requester: &Requester) -> Result<()> {
    app.read_limits.attempt(format!("public:{}", requester.network()), PUBLIC_REQUESTER, app.now())
}
