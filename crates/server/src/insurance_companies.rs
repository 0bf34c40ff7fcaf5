//! Insurance companies of the platform: the list, which every signed-in person may read, and its keeping by global admins
//! (spec A 3; spec B 2, 5, 6, 7; DESIGN 4).

mod save;

pub use save::{__path_create, __path_edit, __path_remove, create, edit, remove};

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::{App, Result};

/// An insurance company.
#[derive(Debug, Clone, Serialize, ToSchema, berth_db::FromRow)]
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

/// An insurance company in the list of the platform.
#[derive(Debug, Clone, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ListedInsuranceCompany {
    #[serde(flatten)]
    #[row(flatten)]
    company: InsuranceCompany,
    /// Raised by every edit; to be sent with the next one.
    version: i64,
}

/// The insurance companies of the platform, top ones first, then by name.
#[utoipa::path(get, path = "/api/InsuranceCompanies", tag = "Insurance companies",
    responses((status = 200, body = Vec<ListedInsuranceCompany>)))]
pub async fn list(State(app): State<App>, caller: Caller) -> Result<Json<Vec<ListedInsuranceCompany>>> {
    const COMPANIES: &str = "SELECT id, name, logo_path, is_primary, version FROM insurance_companies \
        WHERE deleted_at IS NULL ORDER BY is_primary DESC, name_key COLLATE \"C\", id";
    caller.platform(Action::ListInsurers)?;
    Ok(Json(app.db.query(COMPANIES).all().await?))
}

/// One of them; none when it was removed.
async fn find(tx: &mut Tx, id: InsuranceCompanyId) -> Result<Option<ListedInsuranceCompany>> {
    const COMPANY: &str = "SELECT id, name, logo_path, is_primary, version FROM insurance_companies \
        WHERE id = $1 AND deleted_at IS NULL";
    Ok(tx.query(COMPANY).bind(id).optional().await?)
}
