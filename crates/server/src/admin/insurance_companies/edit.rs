//! `PUT /api/InsuranceCompanies/{id}`.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::ToSchema;

use super::write::{Input, entry, lock_with_sites, taken};
use super::{InsuranceCompany, ListedInsuranceCompany, load};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::Caller;
use crate::change::{self, Change};
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::integrations::files::{self, Prefix};
use crate::{App, Result};

/// The new state of an insurance company.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct InsuranceCompanyEdit {
    /// The company. If sent, the same as in the path.
    #[schema(nullable = false)]
    id: Option<InsuranceCompanyId>,
    /// Name, unique among insurance companies.
    #[schema(required = true)]
    name: String,
    /// Path of the logo, a JPEG, as returned by the upload.
    #[schema(required = true)]
    logo_path: Option<String>,
    /// Shown as 'Top Insurance', before the others.
    is_primary: bool,
    /// The version that the caller loaded, as in `If-Match`. 412 if the company has another version by now.
    version: Option<i64>,
}

/// Edits an insurance company. The change shows at once on the pages of all sites that work with it.
#[utoipa::path(put, path = "/api/InsuranceCompanies/{id}", tag = "Insurance companies",
    request_body = InsuranceCompanyEdit, params(("id" = InsuranceCompanyId, Path, description = "the company")),
    responses((status = 200, body = ListedInsuranceCompany)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<InsuranceCompanyId>,
    headers: HeaderMap,
    Body(body): Body<InsuranceCompanyEdit>,
) -> Result<Json<ListedInsuranceCompany>> {
    caller.platform(Action::EditInsurers)?;

    let (headers, body) = (&headers, &body);
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let old = lock_with_sites(&mut change, id).await?;
        let input = body.parse(id)?;
        if !input.differs_from(&old.company) {
            return change::unchanged(Json(old));
        }
        etag::guard(headers, body.version, old.version)?;
        update(&mut change, id, &old.company, &input).await?;
        change.record(entry(AuditAction::InsurerEdited, id, differences(&old.company, &input))).await?;
        let view = load(&mut change.tx, id).await?;
        change.done(Json(view))
    })
    .await
}

impl InsuranceCompanyEdit {
    fn parse(&self, id: InsuranceCompanyId) -> Result<Input, FieldErrors> {
        let mut check = Check::new();
        check.require(self.id.is_none_or(|sent| sent == id), "/id", "This is the id of another insurance company.");
        Input::parse(check, &self.name, self.logo_path.as_deref(), self.is_primary)
    }
}

async fn update(change: &mut Change, id: InsuranceCompanyId, old: &InsuranceCompany, new: &Input) -> Result<()> {
    const UPDATE: &str = "UPDATE insurance_companies SET name = $2, name_key = $3, logo_path = $4, is_primary = $5, \
        version = version + 1 WHERE id = $1";
    let (now, tx) = (change.app.now(), &mut change.tx);
    let lost = old.logo_path.as_deref().filter(|old| *old != new.logo_path);
    files::claim(tx, Prefix::Insurer, "/logoPath", Some(&new.logo_path), old.logo_path.as_deref(), now).await?;
    let update = tx.query(UPDATE).bind(id).bind(new.name.as_str()).bind(new.name.key()).bind(&new.logo_path);
    update.bind(new.is_primary).execute().await.map_err(taken)?;
    files::give_up(tx, lost.as_slice(), now).await
}

/// Returns the summary of the audit row.
fn differences(old: &InsuranceCompany, new: &Input) -> String {
    let mut words = Vec::new();
    if old.name != new.name.as_str() {
        words.push(format!("{} is now {}", old.name, new.name));
    }
    if old.logo_path.as_ref() != Some(&new.logo_path) {
        words.push("logo changed".to_owned());
    }
    if old.is_primary != new.is_primary {
        words.push(if new.is_primary { "top insurance" } else { "no top insurance any more" }.to_owned());
    }
    words.join(", ")
}
