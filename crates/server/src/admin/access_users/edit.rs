//! `PATCH /api/AccessUsers/{id}`: role, names, text messages, disabling and enabling (spec A 2, 6, 7).

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_db::Tx;
use berth_domain::access::Refusal;
use berth_domain::check::Check;
use berth_domain::id::MembershipId;
use berth_domain::role::{MembershipStatus, Role};
use serde_json::{Map, Value};

use super::forms::{AccessUserChange, Input};
use super::remove::end_sessions;
use super::{AccessUserView, Row, last_holder, load, load_again, names, refused, show};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::Caller;
use crate::change::{self, Change};
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::{App, Error, Result};

/// Edits an access user with one of three strict forms. Disabling is effective from the person's next request on.
#[utoipa::path(patch, path = "/api/AccessUsers/{id}", tag = "Access users", request_body = AccessUserChange,
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 200, body = AccessUserView)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<MembershipId>,
    headers: HeaderMap,
    Body(body): Body<Map<String, Value>>,
) -> Result<Json<AccessUserView>> {
    let seen = load(&app, &caller, id).await?;
    check_reach(&caller, &seen)?;
    let input = Input::parse(body)?;
    check_place(&seen, &input)?;

    let (caller, seen, headers, input) = (&caller, &seen, &headers, &input);
    change::run(&app, Author::caller(caller, None), |mut change| async move {
        last_holder::lock(&mut change.tx, seen.role, seen.organization_id).await?;
        let row = load_again(&mut change.tx, id).await?;
        row.held().may_edit(&caller.actor).map_err(refused)?;
        update(&mut change, caller, &row, input, headers).await?;
        let view = show(&mut change.tx, caller, id).await?;
        change.done(Json(view))
    })
    .await
}

/// Rejects a caller who may not edit this access user at all, before the form is validated.
fn check_reach(caller: &Caller, row: &Row) -> Result<()> {
    match row.held().may_remove(&caller.actor) {
        Err(refusal @ (Refusal::Oneself | Refusal::Rank)) => Err(refused(refusal)),
        _ => Ok(()),
    }
}

/// Checks that the ids of the body are those of the record: an edit does not move a person to another place.
fn check_place(row: &Row, input: &Input) -> Result<()> {
    const OTHER: &str = "This user's access is to another place.";
    let mut check = Check::new();
    let is_same = input.access_user_id.is_none_or(|id| id == row.id);
    check.require(is_same, "/accessUserId", "This is the access of another user.");
    if let Some((organization_id, site_id)) = input.place {
        check.require(site_id == row.site_id, "/siteId", OTHER);
        // For a user of a site, the organization may be left out: it follows from the site.
        let fits = organization_id == row.organization_id || (organization_id.is_none() && row.site_id.is_some());
        check.require(fits, "/organizationId", OTHER);
    }
    Ok(check.finish()?)
}

/// The fields of a membership that an edit may change.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fields {
    role: Role,
    is_disabled: bool,
    receive_reservation_texts: bool,
}

impl Fields {
    fn of(row: &Row) -> Self {
        let is_disabled = row.status == MembershipStatus::Disabled;
        Self { role: row.role, is_disabled, receive_reservation_texts: row.receive_reservation_texts }
    }

    fn after(input: &Input, old: Self) -> Self {
        Self {
            role: input.role.unwrap_or(old.role),
            is_disabled: input.is_disabled.unwrap_or(old.is_disabled),
            receive_reservation_texts: input.receive_reservation_texts.unwrap_or(old.receive_reservation_texts),
        }
    }

    const fn action(self, old: Self) -> AuditAction {
        match (self.is_disabled, old.is_disabled) {
            (true, false) => AuditAction::MembershipDisabled,
            (false, true) => AuditAction::MembershipEnabled,
            _ => AuditAction::MembershipChanged,
        }
    }
}

/// Checks what differs, writes it, and records it in one audit row.
///
/// # Errors
/// 412 if the caller saw another version, or if somebody else is writing at the same moment.
async fn update(change: &mut Change, caller: &Caller, row: &Row, input: &Input, headers: &HeaderMap) -> Result<()> {
    let old = Fields::of(row);
    let new = Fields::after(input, old);
    let names = input.names.as_ref().filter(|(first, last)| names::differ(row, first, last));
    if new == old && names.is_none() {
        return Ok(());
    }
    // Before the rights: what the caller did not see may make the difference that they do not have the right to.
    etag::guard(headers, input.version, row.version())?;
    let mut differences = Vec::new();
    if new.role != old.role {
        row.held().may_become(&caller.actor, new.role).map_err(refused)?;
        differences.push(format!("{} to {}", old.role, new.role));
    }
    if new.is_disabled != old.is_disabled {
        row.held().may_disable(&caller.actor).map_err(refused)?;
        differences.push(if new.is_disabled { "disabled" } else { "enabled" }.to_owned());
    }
    if new.receive_reservation_texts != old.receive_reservation_texts {
        differences.push(format!("reservation texts {}", if new.receive_reservation_texts { "on" } else { "off" }));
    }
    if names.is_some() {
        names::check(&mut change.tx, caller, row).await?;
        differences.push("name changed".to_owned());
    }
    update_membership(&mut change.tx, row, new).await?;
    if let Some((first, last)) = names {
        names::update(&mut change.tx, row, first, last).await?;
    }
    if new.is_disabled && !old.is_disabled {
        end_sessions(&change.app, &mut change.tx, row.user_id, "disabled").await?;
    }
    change.record(row.entry(new.action(old), differences.join(", "))).await
}

/// # Errors
/// 412 if the membership was changed since it was read.
async fn update_membership(tx: &mut Tx, row: &Row, new: Fields) -> Result<()> {
    const UPDATE: &str = "UPDATE memberships SET role = $2, status = $3, receive_reservation_texts = $4 \
        WHERE id = $1 AND deleted_at IS NULL AND role = $5 AND status = $6 AND receive_reservation_texts = $7";
    let status = if new.is_disabled { MembershipStatus::Disabled } else { MembershipStatus::Active };
    let update = tx.query(UPDATE).bind(row.id).bind(new.role).bind(status).bind(new.receive_reservation_texts);
    let update = update.bind(row.role).bind(row.status).bind(row.receive_reservation_texts);
    if update.execute().await? == 1 { Ok(()) } else { Err(Error::Stale(None)) }
}
