//! `PUT /api/InsuranceCompanies/{id}`: another name, logo or place in the list.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_domain::check::Check;
use berth_domain::id::InsuranceCompanyId;
use berth_domain::policy::Action;
use serde::Deserialize;
use utoipa::ToSchema;

use super::write::{Places, Wish, entry, lock, parse, taken};
use super::{InsuranceCompany, ListedInsuranceCompany, find};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::integrations::files::{self, Prefix};
use crate::{App, Error, Result};

/// An insurance company as it shall be.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct InsuranceCompanyEdit {
    /// The company; the same as in the address.
    #[schema(nullable = false)]
    id: Option<InsuranceCompanyId>,
    /// Its name, no other company has it.
    #[schema(required = true)]
    name: String,
    /// Its logo, a JPEG, as the upload answered.
    #[schema(required = true)]
    logo_path: Option<String>,
    /// Whether it is shown as 'Top Insurance', before the others.
    is_primary: bool,
    /// The version that the caller saw; `If-Match` says the same. Another one is answered by 412.
    version: Option<i64>,
}

/// Changes an insurance company, on the pages of all sites that show it at once.
#[utoipa::path(put, path = "/api/InsuranceCompanies/{id}", tag = "Insurance companies",
    request_body = InsuranceCompanyEdit, params(("id" = InsuranceCompanyId, Path, description = "the company")),
    responses((status = 200, body = ListedInsuranceCompany)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<InsuranceCompanyId>,
    headers: HeaderMap,
    Body(ask): Body<InsuranceCompanyEdit>,
) -> Result<Json<ListedInsuranceCompany>> {
    caller.platform(Action::EditInsurers)?;
    berth_db::retry(|| change(&app, &caller, id, &headers, &ask)).await.map(Json)
}

async fn change(
    app: &App,
    caller: &Caller,
    id: InsuranceCompanyId,
    headers: &HeaderMap,
    ask: &InsuranceCompanyEdit,
) -> Result<ListedInsuranceCompany> {
    const UPDATE: &str = "UPDATE insurance_companies SET name = $2, name_key = $3, logo_path = $4, is_primary = $5, \
        version = version + 1 WHERE id = $1";
    let mut tx = app.db.begin().await?;
    let mut places = Places::hold(&mut tx, id).await?;
    let old = lock(&mut tx, id).await?;
    places.hold_new(&mut tx, id).await?;
    let mut check = Check::new();
    check.require(ask.id.is_none_or(|sent| sent == id), "/id", "This is the id of another insurance company.");
    let wish = parse(check, &ask.name, ask.logo_path.as_deref(), ask.is_primary)?;
    let before = &old.company;
    let same_logo = before.logo_path.as_ref() == Some(&wish.logo_path);
    if before.name == wish.name.as_str() && same_logo && before.is_primary == wish.is_primary {
        return Ok(old);
    }
    etag::guard(headers, ask.version, old.version)?;
    let (logo, now) = (Some(wish.logo_path.as_str()), app.now());
    files::claim(&mut tx, Prefix::Insurer, "/logoPath", logo, before.logo_path.as_deref(), now).await?;
    let update = tx.query(UPDATE).bind(id).bind(wish.name.as_str()).bind(wish.name.key()).bind(&wish.logo_path);
    update.bind(wish.is_primary).execute().await.map_err(taken)?;
    let entry = entry(AuditAction::InsurerEdited, id, differences(before, &wish));
    audit_log::write(app, &mut tx, &Author::caller(caller, None), &entry).await?;
    let view = find(&mut tx, id).await?.ok_or(Error::NotFound)?;
    app.live.commit_places(tx, places.0).await?;
    Ok(view)
}

/// What changed, in words for the trail.
fn differences(old: &InsuranceCompany, new: &Wish) -> String {
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
