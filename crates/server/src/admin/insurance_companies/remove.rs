//! `DELETE /api/InsuranceCompanies/{id}`.

use axum::extract::State;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;

use super::write::{entry, lock_with_sites};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::Caller;
use crate::change;
use crate::http::body::{Done, Path};
use crate::{App, Result};

/// Removes an insurance company from the platform and from all organizations. Guests who came with it keep its name.
#[utoipa::path(delete, path = "/api/InsuranceCompanies/{id}", tag = "Insurance companies",
    params(("id" = InsuranceCompanyId, Path, description = "the company")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<InsuranceCompanyId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE insurance_companies SET deleted_at = $2, version = version + 1 WHERE id = $1";
    const UNLINK: &str = "DELETE FROM organization_insurance_companies WHERE insurance_company_id = $1";
    caller.platform(Action::EditInsurers)?;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let old = lock_with_sites(&mut change, id).await?;
        change.tx.query(REMOVE).bind(id).bind(change.app.now()).execute().await?;
        change.tx.query(UNLINK).bind(id).execute().await?;
        let summary = format!("insurance company {}", old.company.name);
        change.record(entry(AuditAction::InsurerRemoved, id, summary)).await?;
        change.done(Done)
    })
    .await
}
