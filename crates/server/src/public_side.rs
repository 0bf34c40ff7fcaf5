//! The public side: sites with beds, and reservations by people without an account. Strict limits, and nothing about
//! any guest goes out (DESIGN 6).

mod reserve;
mod search;

pub use reserve::{NewReservation, ReservationView};
pub use search::{PublicSite, SiteSearch};

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use berth_domain::id::SiteId;

use crate::body::{Body, Path, Query};
use crate::paging::{PageQuery, Paged};
use crate::requester::Requester;
use crate::throttle::{self, PUBLIC_READ_REQUESTER, RESERVATION_REQUESTER};
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
    limit_reads(&app, &requester)?;
    Ok(Json(search::page(&app, &ask, page.page()).await?))
}

/// One site. A hidden one is not there.
#[utoipa::path(get, path = "/api/public/sites/{id}", tag = "Public", params(("id" = SiteId, Path)),
    responses((status = 200, description = "the site", body = PublicSite)))]
pub async fn site(State(app): State<App>, requester: Requester, Path(id): Path<SiteId>) -> Result<Json<PublicSite>> {
    limit_reads(&app, &requester)?;
    Ok(Json(search::one(&app, id).await?))
}

/// Reserves a bed for a person without an account. It is held as long as the site's screening period; its staff decide
/// until then. The answer tells the code by which the reservation is asked for by telephone, and nothing else.
#[utoipa::path(post, path = "/api/public/reservations", tag = "Public", request_body = NewReservation,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, description = "held", body = ReservationView)))]
pub async fn reserve(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    Body(NewReservation(form)): Body<NewReservation>,
) -> Result<Response> {
    let key = format!("reservation:{}", requester.network());
    throttle::attempt(&app.db, &key, RESERVATION_REQUESTER, app.now()).await?;
    reserve::Work::new(app, requester, headers, form).await?.run().await
}

fn limit_reads(app: &App, requester: &Requester) -> Result<()> {
    app.read_limits.attempt(format!("public:{}", requester.network()), PUBLIC_READ_REQUESTER, app.now())
}
