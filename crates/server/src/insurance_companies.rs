//! Insurance companies: the list, which every signed-in person may read (spec A 3; DESIGN 4).

use axum::Json;
use axum::extract::State;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::{App, Result};

/// An insurance company.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct InsuranceCompany {
    /// The company.
    pub id: InsuranceCompanyId,
    /// Its name.
    pub name: String,
    /// Its logo.
    pub logo_path: Option<String>,
    /// Shown as 'Top Insurance', before the others.
    pub is_primary: bool,
}

/// The insurance companies of the platform, top ones first, then by name.
#[utoipa::path(get, path = "/api/InsuranceCompanies", tag = "Insurance companies",
    responses((status = 200, body = Vec<InsuranceCompany>)))]
pub async fn list(State(app): State<App>, caller: Caller) -> Result<Json<Vec<InsuranceCompany>>> {
    const COMPANIES: &str = "SELECT id, name, logo_path, is_primary FROM insurance_companies \
        WHERE deleted_at IS NULL ORDER BY is_primary DESC, name_key COLLATE \"C\", id";
    caller.platform(Action::ListInsurers)?;
    Ok(Json(app.db.query(COMPANIES).all().await?))
}
