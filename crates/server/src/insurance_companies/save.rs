//! Adding, changing and removing an insurance company (spec B 5, 7). Its name and logo stand on the page of each site whose
//! organization works with it, so a change touches all of those.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::{InsuranceCompanyId, OrganizationId};
use berth_domain::policy::Action;
use berth_domain::value::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{InsuranceCompany, ListedInsuranceCompany, find};
use crate::audit::{self, AuditAction, By, Entry, ObjectKind};
use crate::body::{Body, Done, Path};
use crate::caller::Caller;
use crate::files::{self, Prefix};
use crate::idempotency::{self, Claim, Claimed};
use crate::live::LiveEvent;
use crate::{App, Error, Result, etag, locks, sites};

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

/// A payload once it is understood.
struct Wish {
    name: Name,
    logo_path: String,
    is_primary: bool,
}

fn parse(mut check: Check, name: &str, logo_path: Option<&str>, is_primary: bool) -> Result<Wish, FieldErrors> {
    let name = if name.trim().is_empty() { Err("Required field.") } else { Name::parse(name) };
    let name = check.field("/name", name);
    let logo_path = logo_path.map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned);
    check.require(logo_path.is_some(), "/logoPath", "Please add a logo of insurance company.");
    check.build(|| Some(Wish { name: name?, logo_path: logo_path?, is_primary }))
}

/// A name that another company has belongs to its field; anything else went wrong.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("insurance_companies_name_key_key") => {
            Error::conflict_field("/name", "An insurance company with this name already exists.")
        }
        _ => error.into(),
    }
}

fn entry(action: AuditAction, id: InsuranceCompanyId, summary: String) -> Entry {
    Entry::anywhere(action, Some((ObjectKind::InsuranceCompany, id.0)), summary)
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
    let claim = match idempotency::claim(&app, &mut tx, &headers, caller.actor.user_id.to_string(), &asked).await? {
        Claimed::Go(claim) => claim,
        Claimed::Replay(replay) => return replay.of_nobody(),
    };
    files::claim(&mut tx, Prefix::Insurer, "/logoPath", Some(&wish.logo_path), None, now).await?;
    let insert = tx.query(INSERT).bind(id).bind(wish.name.as_str()).bind(wish.name.key()).bind(&wish.logo_path);
    insert.bind(wish.is_primary).bind(now).execute().await.map_err(taken)?;
    let entry = entry(AuditAction::InsurerCreated, id, format!("insurance company {}", wish.name));
    audit::write(&app, &mut tx, &By::caller(&caller, None), &entry).await?;
    let Wish { name, logo_path, is_primary } = wish;
    let company = InsuranceCompany { id, name: name.into(), logo_path: Some(logo_path), is_primary };
    let view = ListedInsuranceCompany { company, version: 1 };
    let response = Claim::answer(claim, &mut tx, StatusCode::CREATED, &view).await?;
    tx.commit().await?;
    Ok(response)
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
    audit::write(app, &mut tx, &By::caller(caller, None), &entry).await?;
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
    audit::write(app, &mut tx, &By::caller(caller, None), &entry).await?;
    app.live.commit_places(tx, places.0).await
}

/// Takes the company's lock: nobody links it in the meantime (see `organizations::edit`).
async fn lock(tx: &mut Tx, id: InsuranceCompanyId) -> Result<ListedInsuranceCompany> {
    locks::insurance_company(tx, id).await?;
    find(tx, id).await?.ok_or(Error::NotFound)
}

/// The organizations that work with a company and the sites of theirs that were touched. Who links a company holds the
/// organization first and then the company, so they are held in this order here, too.
struct Places(Vec<(OrganizationId, Vec<LiveEvent>)>);

impl Places {
    async fn hold(tx: &mut Tx, id: InsuranceCompanyId) -> Result<Self> {
        let mut places = Self(Vec::new());
        places.hold_new(tx, id).await?;
        Ok(places)
    }

    /// Also those that linked it just before it was locked.
    async fn hold_new(&mut self, tx: &mut Tx, id: InsuranceCompanyId) -> Result<()> {
        const LINKED: &str = "SELECT organization_id FROM organization_insurance_companies \
            WHERE insurance_company_id = $1 ORDER BY organization_id";
        let linked: Vec<(OrganizationId,)> = tx.query(LINKED).bind(id).all().await?;
        for (organization,) in linked {
            if self.0.iter().any(|(held, _)| *held == organization) {
                continue;
            }
            locks::organization(tx, organization).await?;
            self.0.push((organization, sites::touch_all(tx, organization).await?));
        }
        Ok(())
    }
}
