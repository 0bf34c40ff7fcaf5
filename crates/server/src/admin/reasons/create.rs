//! `POST /api/Organizations/{id}/reasons`.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::check::Check;
use berth_domain::id::{OrganizationId, ReasonId};
use berth_domain::policy::Action;
use berth_domain::reason::{ReasonKind, ReasonName, may_add};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Reason, entry, load, taken, words};
use crate::admin::audit_log::{AuditAction, Author};
use crate::admin::organizations;
use crate::auth::caller::Caller;
use crate::change::{self, Answer};
use crate::http::body::{Body, Path};
use crate::{App, Error, Result};

/// A new reason.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReason {
    /// The decisions that it is for.
    kind: ReasonKind,
    /// The text, 1 to 100 characters, unique among the reasons of its kind.
    name: String,
}

/// Adds a reason for declines or discharges to an organization, which may have 100 of each kind, retired ones included.
#[utoipa::path(post, path = "/api/Organizations/{id}/reasons", tag = "Reasons", request_body = NewReason,
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 201, body = Reason)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    headers: HeaderMap,
    Body(body): Body<NewReason>,
) -> Result<Response> {
    const COUNT: &str = "SELECT COUNT(*) FROM reasons WHERE organization_id = $1 AND kind = $2";
    const INSERT: &str =
        "INSERT INTO reasons (id, organization_id, kind, name, name_key, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    caller.organization(id, Action::EditOrganization).await?;
    let mut check = Check::new();
    let name = check.field("/name", ReasonName::parse(&body.name));
    let name = &check.build(|| name)?;
    let kind = body.kind;
    let by = Author::caller(&caller, None);
    change::once(&app, by, &headers, &("POST reason", id, &body), |mut change| async move {
        organizations::lock(&mut change.tx, id).await?;
        let count = change.tx.query(COUNT).bind(id).bind(kind).scalar().await?;
        may_add(count).map_err(|message| Error::field("/name", message))?;
        let (reason, now) = (ReasonId(change.app.id()), change.now);
        let insert = change.tx.query(INSERT).bind(reason).bind(id).bind(kind).bind(name.as_str());
        insert.bind(name.key()).bind(now).execute().await.map_err(taken)?;
        let summary = format!("{} {}", words(kind), name.as_str());
        change.record(entry(id, AuditAction::ReasonCreated, reason, summary)).await?;
        let view = load(&mut change.tx, id, reason).await?;
        change.done(Answer::new(StatusCode::CREATED, &view)?)
    })
    .await
}
