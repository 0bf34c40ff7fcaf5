//! The guest as it is now, and who changed it, for the answer to a command that changed nothing.

use berth_domain::id::GuestId;

use super::changed_by;
use super::view::{GuestView, view_of};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind, Shown};
use crate::auth::caller::{Caller, Site};
use crate::http::problem::Current;
use crate::{App, Error, Result};

/// Returns the current guest and writes an audit row: the command changed nothing, but its answer shows a guest (I11).
///
/// # Errors
/// Those of the database.
pub(super) async fn show(
    app: &App,
    (caller, site): (&Caller, &Site),
    by: &Author,
    id: GuestId,
    reason: &str,
) -> Result<serde_json::Value> {
    let mut tx = app.db.read().await?;
    let guest = GuestView::load(&mut tx, site, id, view_of(caller, site), app.now()).await?;
    drop(tx);
    let summary = format!("{}: {reason}", guest.code);
    let entry = Entry::at(site, AuditAction::GuestRefused, (ObjectKind::Guest, id.0), summary);
    let bytes = Shown::of(&guest)?.recorded(app, by, entry).await?;
    serde_json::from_slice(&bytes).map_err(|error| Error::Internal(error.into()))
}

/// Returns the 412 for a command that knows an older version: with the current guest, and who changed it.
///
/// # Errors
/// Those of the database.
pub(super) async fn stale(app: &App, (caller, site): (&Caller, &Site), by: &Author, id: GuestId) -> Result<Error> {
    let guest = show(app, (caller, site), by, id, "someone else changed it first").await?;
    let mut tx = app.db.read().await?;
    let changed_by = changed_by::last_of_guest(&mut tx, id, caller.actor.user_id, true).await?;
    Ok(Error::Stale(Some(Box::new(Current { guest, changed_by }))))
}
