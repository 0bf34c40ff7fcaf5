//! `POST /api/InsuranceCompanies`.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::check::Check;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::write::{Input, entry, taken};
use super::{ListedInsuranceCompany, load};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::Caller;
use crate::change::{self, Answer};
use crate::http::body::Body;
use crate::integrations::files::{self, Prefix};
use crate::{App, Result};

/// A new insurance company.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewInsuranceCompany {
    /// Name, unique among insurance companies.
    #[schema(required = true)]
    name: String,
    /// Shown as 'Top Insurance', before the others.
    is_primary: bool,
    /// Path of the logo, a JPEG, as returned by the upload.
    #[schema(required = true)]
    logo_path: Option<String>,
}

/// Creates an insurance company. The name must be unique.
#[utoipa::path(post, path = "/api/InsuranceCompanies", tag = "Insurance companies", request_body = NewInsuranceCompany,
    responses((status = 201, body = ListedInsuranceCompany)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<NewInsuranceCompany>,
) -> Result<Response> {
    caller.platform(Action::EditInsurers)?;
    let input = Input::parse(Check::new(), &body.name, body.logo_path.as_deref(), body.is_primary)?;

    let (by, input) = (Author::caller(&caller, None), &input);
    change::once(&app, by, &headers, &("POST insurance company", &body), |mut change| async move {
        let id = InsuranceCompanyId(change.app.id());
        insert(&mut change.tx, id, input, change.now).await?;
        let summary = format!("insurance company {}", input.name);
        change.record(entry(AuditAction::InsurerCreated, id, summary)).await?;
        let view = load(&mut change.tx, id).await?;
        change.done(Answer::new(StatusCode::CREATED, &view)?)
    })
    .await
}

async fn insert(tx: &mut Tx, id: InsuranceCompanyId, input: &Input, now: Timestamp) -> Result<()> {
    const INSERT: &str = "INSERT INTO insurance_companies (id, name, name_key, logo_path, is_primary, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    files::claim(tx, Prefix::Insurer, "/logoPath", Some(&input.logo_path), None, now).await?;
    let insert = tx.query(INSERT).bind(id).bind(input.name.as_str()).bind(input.name.key()).bind(&input.logo_path);
    insert.bind(input.is_primary).bind(now).execute().await.map_err(taken)?;
    Ok(())
}
