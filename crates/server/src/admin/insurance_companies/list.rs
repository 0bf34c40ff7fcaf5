//! `GET /api/InsuranceCompanies`.

use axum::Json;
use axum::extract::State;
use berth_domain::policy::Action;

use super::ListedInsuranceCompany;
use crate::auth::caller::Caller;
use crate::{App, Result};

/// Lists the insurance companies of the platform, top ones first, then by name.
#[utoipa::path(get, path = "/api/InsuranceCompanies", tag = "Insurance companies",
    responses((status = 200, body = Vec<ListedInsuranceCompany>)))]
pub async fn list(State(app): State<App>, caller: Caller) -> Result<Json<Vec<ListedInsuranceCompany>>> {
    const COMPANIES: &str = "SELECT id, name, logo_path, is_primary, version FROM insurance_companies \
        WHERE deleted_at IS NULL ORDER BY is_primary DESC, name_key COLLATE \"C\", id";
    caller.platform(Action::ListInsurers)?;
    Ok(Json(app.db.query(COMPANIES).all().await?))
}
