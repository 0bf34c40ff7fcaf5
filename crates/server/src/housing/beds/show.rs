//! `GET /api/Beds/{id}`: shows a bed.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_domain::id::BedId;
use berth_domain::policy::Action;

use super::{BedView, load};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind, Shown};
use crate::auth::caller::Caller;
use crate::http::body::Path;
use crate::{App, Result};

/// Shows a bed. If it has a guest, the read is recorded in the audit log first (I11).
#[utoipa::path(get, path = "/api/Beds/{id}", tag = "Beds", params(("id" = BedId, Path, description = "the bed")),
    responses((status = 200, body = BedView)))]
pub async fn one(State(app): State<App>, caller: Caller, Path(id): Path<BedId>) -> Result<Response> {
    let site = caller.bed(id, Action::ViewSite).await?;
    let mut tx = app.db.read().await?;
    let bed = load(&mut tx, &site, id, app.now()).await?;
    drop(tx);
    let shown = Shown::of(&bed)?;
    let bytes = match &bed.guest {
        None => shown.named(&[])?,
        Some(guest) => {
            let object = (ObjectKind::Guest, guest.id.0);
            let entry = Entry::at(&site, AuditAction::GuestViewed.by(&caller), object, guest.code.as_str());
            let entry = entry.between(None, Some(id));
            shown.recorded(&app, &Author::caller(&caller, Some(&site)), entry).await?
        }
    };
    Ok(audit_log::json(StatusCode::OK, bytes))
}
