//! Insurance companies of the platform. Every signed-in person may list them, global admins create, edit and remove them
//! (spec A 3; spec B 2, 5, 6, 7; DESIGN 4).

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod remove;
mod write;

use berth_db::Tx;
use berth_domain::id::InsuranceCompanyId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;

/// An insurance company.
#[derive(Debug, Clone, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct InsuranceCompany {
    /// Id.
    pub id: InsuranceCompanyId,
    /// Name.
    pub name: String,
    /// Path of the logo.
    pub logo_path: Option<String>,
    /// Shown as 'Top Insurance', before the others.
    pub is_primary: bool,
}

/// An insurance company and its version.
#[derive(Debug, Clone, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ListedInsuranceCompany {
    #[serde(flatten)]
    #[row(flatten)]
    company: InsuranceCompany,
    /// Raised by every edit. Send it with the next edit.
    version: i64,
}

/// Loads an insurance company.
///
/// # Errors
/// 404 if it was removed.
async fn load(tx: &mut Tx, id: InsuranceCompanyId) -> Result<ListedInsuranceCompany> {
    const COMPANY: &str = "SELECT id, name, logo_path, is_primary, version FROM insurance_companies \
        WHERE id = $1 AND deleted_at IS NULL";
    Ok(tx.query(COMPANY).bind(id).one().await?)
}
