//! `GET /api/Guests/{id}`: one guest.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_domain::id::GuestId;
use berth_domain::policy::Action;

use super::edit;
use super::view::{self, GuestView};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind, Shown};
use crate::auth::caller::Caller;
use crate::http::body::Path;
use crate::{App, Result};

/// Shows a guest. The ETag is the guest's version, for `If-Match`; there is no 304, because house and bed can change
/// without it. Each read is recorded in the audit log (I11).
#[utoipa::path(get, path = "/api/Guests/{id}", tag = "Guests", params(("id" = GuestId, Path)),
    responses((status = 200, description = "the guest", body = GuestView)))]
pub async fn one(State(app): State<App>, caller: Caller, Path(id): Path<GuestId>) -> Result<Response> {
    let site = caller.guest(id, Action::ViewGuests).await?;
    let mut tx = app.db.read().await?;
    let guest = GuestView::load(&mut tx, &site, id, view::view_of(&caller, &site), app.now()).await?;
    drop(tx);
    let object = (ObjectKind::Guest, id.0);
    let entry = Entry::at(&site, AuditAction::GuestViewed.by(&caller), object, guest.code.as_str());
    let bytes = Shown::of(&guest)?.recorded(&app, &Author::caller(&caller, Some(&site)), entry).await?;
    Ok(([(header::ETAG, edit::tag(&guest))], audit_log::json(StatusCode::OK, bytes)).into_response())
}
