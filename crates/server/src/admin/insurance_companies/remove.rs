//! `DELETE /api/InsuranceCompanies/{id}`: the company leaves the lists.

use axum::extract::State;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;

use super::write::{Places, entry, lock};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::auth::caller::Caller;
use crate::http::body::{Done, Path};
use crate::{App, Result};

/// Removes an insurance company from the platform and from the lists of all organizations. Guests who came with it keep
/// its name.
#[utoipa::path(delete, path = "/api/InsuranceCompanies/{id}", tag = "Insurance companies",
    params(("id" = InsuranceCompanyId, Path, description = "the company")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<InsuranceCompanyId>) -> Result<Done> {
    caller.platform(Action::EditInsurers)?;
    berth_db::retry(|| end(&app, &caller, id)).await?;
    Ok(Done)
}

async fn end(app: &App, caller: &Caller, id: InsuranceCompanyId) -> Result<()> {
    const END: &str = "UPDATE insurance_companies SET deleted_at = $2, version = version + 1 WHERE id = $1";
    const UNLINK: &str = "DELETE FROM organization_insurance_companies WHERE insurance_company_id = $1";
    let mut tx = app.db.begin().await?;
    let mut places = Places::hold(&mut tx, id).await?;
    let old = lock(&mut tx, id).await?;
    places.hold_new(&mut tx, id).await?;
    tx.query(END).bind(id).bind(app.now()).execute().await?;
    tx.query(UNLINK).bind(id).execute().await?;
    let entry = entry(AuditAction::InsurerRemoved, id, format!("insurance company {}", old.company.name));
    audit_log::write(app, &mut tx, &Author::caller(caller, None), &entry).await?;
    app.live.commit_places(tx, places.0).await
}
