//! `PATCH /api/AccessUsers/{id}`: role, names, messages, disabling and enabling (spec A 2, 6, 7).

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::MembershipId;
use berth_domain::role::MembershipStatus;
use serde_json::{Map, Value};

use super::forms::{AccessUserChange, Wish};
use super::remove::end_sessions;
use super::{AccessUserView, Row, last_holder, load, load_again, names, refused, show};
use crate::admin::audit_log::{self, AuditAction};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Path};
use crate::{App, Error, Result};

/// Changes an access user, in one of three strict forms. Disabling works on the person's next call.
#[utoipa::path(patch, path = "/api/AccessUsers/{id}", tag = "Access users", request_body = AccessUserChange,
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 200, body = AccessUserView)))]
pub async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<MembershipId>,
    Body(body): Body<Map<String, Value>>,
) -> Result<Json<AccessUserView>> {
    let seen = load(&app, &caller, id).await?;
    // Who may not touch it at all learns nothing about the form.
    if let Err(refusal) = seen.held().may_remove(&caller.actor)
        && matches!(refusal, berth_domain::access::Refusal::Oneself | berth_domain::access::Refusal::Rank)
    {
        return Err(refused(refusal));
    }
    let wish = Wish::parse(body)?;
    check_place(&seen, &wish)?;
    let mut tx = app.db.begin().await?;
    last_holder::lock(&mut tx, seen.role, seen.organization_id).await?;
    let row = load_again(&mut tx, id).await?;
    row.held().may_edit(&caller.actor).map_err(refused)?;
    apply(&app, &mut tx, &caller, &row, &wish).await?;
    let view = show(&mut tx, &caller, id).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// The ids of the body are those of the record: a change never moves anybody to another place.
fn check_place(row: &Row, wish: &Wish) -> Result<()> {
    const OTHER: &str = "This user's access is to another place.";
    let mut check = berth_domain::check::Check::new();
    check.require(
        wish.access_user_id.is_none_or(|id| id == row.id),
        "/accessUserId",
        "This is the access of another user.",
    );
    if let Some((organization_id, site_id)) = wish.place {
        check.require(site_id == row.site_id, "/siteId", OTHER);
        // A site's user may leave the organization out: the site tells it.
        let fits = organization_id == row.organization_id || (organization_id.is_none() && row.site_id.is_some());
        check.require(fits, "/organizationId", OTHER);
    }
    Ok(check.finish()?)
}

/// Writes what differs, and one row of the trail that tells all of it.
async fn apply(app: &App, tx: &mut Tx, caller: &Caller, row: &Row, wish: &Wish) -> Result<()> {
    const SET: &str = "UPDATE memberships SET role = $2, status = $3, receive_reservation_texts = $4 \
        WHERE id = $1 AND deleted_at IS NULL AND role = $5 AND status = $6";
    let mut told = Vec::new();
    let role = wish.role.unwrap_or(row.role);
    if role != row.role {
        row.held().may_become(&caller.actor, role).map_err(refused)?;
        told.push(format!("{} to {role}", row.role));
    }
    let is_disabled = row.status == MembershipStatus::Disabled;
    let disables = wish.is_disabled.unwrap_or(is_disabled);
    if disables != is_disabled {
        row.held().may_disable(&caller.actor).map_err(refused)?;
        told.push(if disables { "disabled" } else { "enabled" }.to_owned());
    }
    let status = if disables { MembershipStatus::Disabled } else { MembershipStatus::Active };
    let texts = wish.receive_reservation_texts.unwrap_or(row.receive_reservation_texts);
    if texts != row.receive_reservation_texts {
        told.push(format!("reservation texts {}", if texts { "on" } else { "off" }));
    }
    if let Some((first, last)) = &wish.names
        && names::store(tx, caller, row, first, last).await?
    {
        told.push("name changed".to_owned());
    }
    if told.is_empty() {
        return Ok(());
    }
    let set = tx.query(SET).bind(row.id).bind(role).bind(status).bind(texts).bind(row.role).bind(row.status);
    if set.execute().await? != 1 {
        return Err(Error::conflict("Someone else changed this person's access in the meantime."));
    }
    if disables && !is_disabled {
        end_sessions(app, tx, row.user_id, "disabled").await?;
    }
    let action = match (disables, is_disabled) {
        (true, false) => AuditAction::MembershipDisabled,
        (false, true) => AuditAction::MembershipEnabled,
        _ => AuditAction::MembershipChanged,
    };
    audit_log::write(app, tx, &audit_log::Author::caller(caller, None), &row.entry(action, told.join(", "))).await
}
