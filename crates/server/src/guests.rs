//! Guests and their reservations: the list, one of them, adding one by hand, and the command that places, moves,
//! declines or discharges one (DESIGN 3, 4; spec B 3 to 5).
//!
//! Rules decide in `domain::stay`; what is written stands in the SQL of `apply` and `reserve`, always after
//! the touch of the site.

mod apply;
mod board;
mod cancel;
mod changed_by;
mod create;
mod failure;
mod history;
mod hold;
mod list;
mod notices;
mod person;
mod reserve;
mod state;
mod texts;
mod timeline;
mod undo;
mod update;
mod view;

pub use board::{facts, find_by_code};
pub use cancel::cancel;
pub use changed_by::ChangedBy;
pub use failure::Failure;
pub use history::HistoryMarks;
pub use hold::extend_holds;
pub use list::ListQuery;
pub(crate) use notices::queue as queue_notice;
pub use notices::settle as settle_notices;
pub use person::{PersonKey, Persons};
pub use reserve::{Reservation, Stored, on_record};
pub(crate) use state::{facts_columns, is_active, is_open, is_pending, is_undecided};
pub(crate) use texts::queue as queue_text;
pub use texts::{settle as settle_texts, withdraw as withdraw_text};
pub use timeline::{__path_timeline, GuestEvent, GuestEventKind, GuestTimeline, names, timeline};
pub use update::GuestUpdate;
pub use view::{GuestBed, GuestPayment, GuestView};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_domain::id::GuestId;
use berth_domain::new_guest::NewGuestForm;
use berth_domain::policy::Action;
use serde::Deserialize;
use std::borrow::Cow;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::audit::{self, AuditAction, By, Entry, Look, ObjectKind, Shown};
use crate::body::{Body, Path, Query};
use crate::caller::Caller;
use crate::paging::{PageQuery, Paged};
use crate::{App, Result};

/// The new guest payload (spec B 3).
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct NewGuestBody(pub NewGuestForm);

impl PartialSchema for NewGuestBody {
    fn schema() -> RefOr<Schema> {
        NewGuestForm::schema()
    }
}

impl ToSchema for NewGuestBody {
    fn name() -> Cow<'static, str> {
        "NewGuest".into()
    }
}

/// The guests of a site. Without Status: all pending and assigned ones, on one page. With one or more: paged, `search`
/// finds part of the first name. Assigned guests are in the order in which they were accepted, discharged, rejected and
/// expired ones in that of their end, the newest first; a mix of these in the order of their reservations.
#[utoipa::path(get, path = "/api/Guests", tag = "Guests", params(ListQuery, PageQuery), responses(
    (status = 200, description = "newest first", body = Paged<GuestView>),
    (status = 304, description = "the client has it")))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(ask): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response> {
    let site = caller.site(ask.site_id, Action::ViewGuests).await?;
    let states = ask.states()?;
    let view = view::view_of(&caller, &site);
    let look = Look::at(&caller, &site, AuditAction::GuestsListed);
    if states.is_empty() {
        return list::board(&app, &headers, look, &site, view).await;
    }
    history::page(&app, &headers, look, &site, view, (&ask, &states, page.page())).await
}

/// One guest. The ETag is the guest's version, good for If-Match; the answer is always whole, since house and bed are
/// part of it. Each read is on record before it leaves (I11).
#[utoipa::path(get, path = "/api/Guests/{id}", tag = "Guests", params(("id" = GuestId, Path)),
    responses((status = 200, description = "the guest", body = GuestView)))]
pub async fn one(State(app): State<App>, caller: Caller, Path(id): Path<GuestId>) -> Result<Response> {
    let site = caller.guest(id, Action::ViewGuests).await?;
    let mut tx = app.db.read().await?;
    let guest = GuestView::load(&mut tx, &site, id, view::view_of(&caller, &site), app.now()).await?;
    drop(tx);
    let object = (ObjectKind::Guest, id.0);
    let entry = Entry::at(&site, AuditAction::GuestViewed.by(&caller), object, guest.code.as_str());
    let bytes = Shown::of(&guest)?.recorded(&app, &By::caller(&caller, Some(&site)), entry).await?;
    Ok(([(header::ETAG, update::tag(&guest))], audit::json(StatusCode::OK, bytes)).into_response())
}

/// Adds a guest by hand. 409 `third-reservation`: the person has two active ones, and `allowThird` by an admin or owner
/// lets a third be; 409 `no-vacant-beds`: reservations hold every vacant bed, and `overCapacityReason` by an admin or owner
/// adds a walk-in while a bed is vacant. 422 at what the site does not serve, unless `allowNotServed` is sent.
#[utoipa::path(post, path = "/api/Guests", tag = "Guests", request_body = NewGuestBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, description = "the guest, pending", body = GuestView)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(NewGuestBody(form)): Body<NewGuestBody>,
) -> Result<Response> {
    create::Work::new(app, caller, headers, form).await?.run().await
}

/// Accepts, reassigns, swaps, declines or discharges a guest, or takes an accept, decline or discharge back (UNDO): the caller's own
/// within 10 seconds, any decline or discharge within 24 hours by an admin, owner or global admin. UNDO names the decision by the version that it led
/// to; without one it is 412. 409 carries the guest as it now is, who was faster and, when
/// the bed is taken, the next free one; 402 `subscription-needed`: a guest of the public side at a commercial site.
#[utoipa::path(patch, path = "/api/Guests/{id}", tag = "Guests", request_body = GuestUpdate,
    params(("id" = GuestId, Path),
        ("If-Match" = Option<String>, Header, description = "the version that the caller saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses(
        (status = 200, description = "the guest as it now is", body = GuestView),
        (status = 402, description = "the site needs an active subscription first", body = crate::problem::Problem,
            content_type = "application/problem+json"),
        (status = 412, description = "someone else changed the guest; `guest` is how it now is",
            body = crate::problem::Problem, content_type = "application/problem+json")))]
pub async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<GuestId>,
    headers: HeaderMap,
    Body(asked): Body<GuestUpdate>,
) -> Result<Response> {
    let site = caller.guest(id, Action::PlaceGuest).await?;
    update::Work::new(app, caller, site, id, headers, asked)?.run().await
}
