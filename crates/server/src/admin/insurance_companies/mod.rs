//! Insurance companies of the platform: the list, which every signed-in person may read, and its keeping by global admins
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

/// One of them; none when it was removed.
async fn find(tx: &mut Tx, id: InsuranceCompanyId) -> Result<Option<ListedInsuranceCompany>> {
    const COMPANY: &str = "SELECT id, name, logo_path, is_primary, version FROM insurance_companies \
        WHERE id = $1 AND deleted_at IS NULL";
    Ok(tx.query(COMPANY).bind(id).optional().await?)
}
