//! `PATCH /api/Organizations/{id}/reasons/{reasonId}`.

use axum::Json;
use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::id::{OrganizationId, ReasonId};
use berth_domain::policy::Action;
use berth_domain::reason::ReasonName;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Reason, entry, load, taken, words};
use crate::admin::audit_log::{AuditAction, Author};
use crate::admin::organizations;
use crate::auth::caller::Caller;
use crate::change;
use crate::http::body::{Body, Path};
use crate::{App, Result};

/// A change of a reason. Absent fields stay as they are.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReasonEdit {
    /// The new text, 1 to 100 characters, unique among the reasons of its kind. Earlier decisions show it, too.
    #[schema(nullable = false)]
    name: Option<String>,
    /// True retires the reason, false restores it.
    #[schema(nullable = false)]
    is_disabled: Option<bool>,
}

/// Renames, retires or restores a reason of an organization. A retired reason cannot be chosen any more, and remains with the guests
/// who have it.
#[utoipa::path(patch, path = "/api/Organizations/{id}/reasons/{reasonId}", tag = "Reasons", request_body = ReasonEdit,
    params(("id" = OrganizationId, Path, description = "the organization"),
        ("reasonId" = ReasonId, Path, description = "the reason")),
    responses((status = 200, body = Reason)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path((id, reason)): Path<(OrganizationId, ReasonId)>,
    Body(body): Body<ReasonEdit>,
) -> Result<Json<Reason>> {
    const UPDATE: &str = "UPDATE reasons SET name = $2, name_key = $3, is_disabled = $4 WHERE id = $1";
    caller.organization(id, Action::EditOrganization).await?;
    let mut check = Check::new();
    let name = body.name.as_deref().and_then(|name| check.field("/name", ReasonName::parse(name)));
    check.finish()?;
    let name = &name;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        organizations::lock(&mut change.tx, id).await?;
        let old = load(&mut change.tx, id, reason).await?;
        let new_name = name.as_ref().filter(|name| name.as_str() != old.name);
        let is_disabled = body.is_disabled.unwrap_or(old.is_disabled);
        if new_name.is_none() && is_disabled == old.is_disabled {
            return change::unchanged(Json(old));
        }
        let (text, key) = match new_name {
            Some(name) => (name.as_str().to_owned(), name.key()),
            None => (old.name.clone(), berth_domain::name_key(&old.name)),
        };
        let update = change.tx.query(UPDATE).bind(reason).bind(text.as_str()).bind(key).bind(is_disabled);
        update.execute().await.map_err(taken)?;
        if new_name.is_some() {
            // Guests show the name.
            change.touch_all(id).await?;
            let summary = format!("{} {} is now {text}", words(old.kind), old.name);
            change.record(entry(id, AuditAction::ReasonEdited, reason, summary)).await?;
        }
        if is_disabled != old.is_disabled {
            let action = if is_disabled { AuditAction::ReasonRetired } else { AuditAction::ReasonRestored };
            change.record(entry(id, action, reason, format!("{} {text}", words(old.kind)))).await?;
        }
        let view = load(&mut change.tx, id, reason).await?;
        change.done(Json(view))
    })
    .await
}
