//! `POST /api/InsuranceCompanies`: a new insurance company.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::check::Check;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::write::{Wish, entry, parse, taken};
use super::{InsuranceCompany, ListedInsuranceCompany};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::auth::caller::Caller;
use crate::http::body::Body;
use crate::http::idempotency::{self, Claim, Claimed};
use crate::integrations::files::{self, Prefix};
use crate::{App, Result};

/// An insurance company to add.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewInsuranceCompany {
    /// Its name, no other company has it.
    #[schema(required = true)]
    name: String,
    /// Whether it is shown as 'Top Insurance', before the others.
    is_primary: bool,
    /// Its logo, a JPEG, as the upload answered.
    #[schema(required = true)]
    logo_path: Option<String>,
}

/// Adds an insurance company. The name must be free.
#[utoipa::path(post, path = "/api/InsuranceCompanies", tag = "Insurance companies", request_body = NewInsuranceCompany,
    responses((status = 201, body = ListedInsuranceCompany)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(ask): Body<NewInsuranceCompany>,
) -> Result<Response> {
    const INSERT: &str = "INSERT INTO insurance_companies (id, name, name_key, logo_path, is_primary, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    caller.platform(Action::EditInsurers)?;
    let wish = parse(Check::new(), &ask.name, ask.logo_path.as_deref(), ask.is_primary)?;
    let (id, now) = (InsuranceCompanyId(app.id()), app.now());
    let mut tx = app.db.begin().await?;
    let asked = ("POST insurance company", &ask);
    let claim = match idempotency::claim_for(&app, &mut tx, &headers, caller.actor.user_id.to_string(), &asked).await? {
        Claimed::Go(claim) => claim,
        Claimed::Replay(replay) => return replay.of_nobody(),
    };
    files::claim(&mut tx, Prefix::Insurer, "/logoPath", Some(&wish.logo_path), None, now).await?;
    let insert = tx.query(INSERT).bind(id).bind(wish.name.as_str()).bind(wish.name.key()).bind(&wish.logo_path);
    insert.bind(wish.is_primary).bind(now).execute().await.map_err(taken)?;
    let entry = entry(AuditAction::InsurerCreated, id, format!("insurance company {}", wish.name));
    audit_log::write(&app, &mut tx, &Author::caller(&caller, None), &entry).await?;
    let Wish { name, logo_path, is_primary } = wish;
    let company = InsuranceCompany { id, name: name.into(), logo_path: Some(logo_path), is_primary };
    let view = ListedInsuranceCompany { company, version: 1 };
    let response = Claim::answer_body(claim, &mut tx, StatusCode::CREATED, &view).await?;
    tx.commit().await?;
    Ok(response)
}
