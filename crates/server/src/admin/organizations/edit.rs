//! Editing an organization: name, logo, ways to pay, linked insurers, and whether it is shown (spec A 3, 5, 6).

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_db::Tx;
use berth_domain::catalog::PaymentMethod;
use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::{InsuranceCompanyId, OrganizationId};
use berth_domain::policy::{Action, Target};
use berth_domain::value::Name;
use serde::Deserialize;
use utoipa::ToSchema;

use super::list::{self, OrganizationView};
use super::{create, lock, taken};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::auth::caller::{Caller, Organization};
use crate::housing::sites;
use crate::http::body::{Body, Path, present};
use crate::http::etag;
use crate::integrations::files::{self, Prefix};
use crate::{App, Error, Result, locks};

/// An organization as it shall be.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OrganizationEdit {
    /// The organization; the same as in the address.
    #[schema(nullable = false)]
    id: Option<OrganizationId>,
    /// Its name, no other organization has it.
    #[schema(required = true)]
    name: String,
    /// Its logo, as the upload answered; absent leaves it, but it cannot be taken away.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    logo_path: Option<Option<String>>,
    /// Hidden from search with all its sites; absent leaves it. Only global admins change it.
    #[schema(nullable = false)]
    is_disabled: Option<bool>,
    /// Linked insurers, of a commercial organization; absent leaves them.
    #[schema(nullable = false)]
    insurance_company_ids: Option<BTreeSet<InsuranceCompanyId>>,
    /// Ways to pay, 1 to 3, at least one.
    #[schema(required = true)]
    reservation_payment_method_ids: BTreeSet<i64>,
    /// The version that the caller saw; `If-Match` says the same. Another one is answered by 412.
    version: Option<i64>,
}

/// The payload once it is understood; what is absent stays as it is.
struct Wish {
    name: Name,
    logo_path: Option<String>,
    is_disabled: Option<bool>,
    insurers: Option<BTreeSet<InsuranceCompanyId>>,
    methods: BTreeSet<i64>,
}

impl OrganizationEdit {
    fn parse(self, organization: &Organization) -> Result<Wish, FieldErrors> {
        let mut check = Check::new();
        check.require(self.id.is_none_or(|id| id == organization.id), "/id", "This is the id of another organization.");
        let name = check.field("/name", create::name(&self.name));
        let logo_path = self.logo_path.map(|sent| create::logo(&mut check, sent.as_deref()));
        let no_insurers = self.insurance_company_ids.as_ref().is_none_or(BTreeSet::is_empty);
        let sentence = "Only commercial organizations work with insurance companies.";
        check.require(organization.is_commercial || no_insurers, "/insuranceCompanyIds", sentence);
        let methods = self.reservation_payment_method_ids;
        let pointer = "/reservationPaymentMethodIds";
        check.require(!methods.is_empty(), pointer, "At least one payment method is required.");
        let known = methods.iter().all(|id| PaymentMethod::from_id(*id).is_some());
        check.require(known, pointer, "Please choose from the payment methods of the list.");
        let (is_disabled, insurers) = (self.is_disabled, self.insurance_company_ids);
        check.build(|| Some(Wish { name: name?, logo_path: logo_path.flatten(), is_disabled, insurers, methods }))
    }
}

/// What an edit may change, before and after.
#[derive(PartialEq, Eq)]
struct Fields {
    name: String,
    logo_path: Option<String>,
    is_disabled: bool,
    insurers: BTreeSet<InsuranceCompanyId>,
    methods: BTreeSet<i64>,
}

impl Fields {
    fn of(view: &OrganizationView) -> Self {
        Self {
            name: view.name.clone(),
            logo_path: view.logo_path.clone(),
            is_disabled: view.is_disabled,
            insurers: view.insurance_companies.iter().map(|company| company.id).collect(),
            methods: view.reservation_payment_methods.iter().map(|method| method.id).collect(),
        }
    }

    fn after(wish: Wish, old: &Self) -> Self {
        Self {
            name: wish.name.into(),
            logo_path: wish.logo_path.or_else(|| old.logo_path.clone()),
            is_disabled: wish.is_disabled.unwrap_or(old.is_disabled),
            insurers: wish.insurers.unwrap_or_else(|| old.insurers.clone()),
            methods: wish.methods,
        }
    }

    /// What changed, in words for the trail.
    fn differences(&self, old: &Self) -> String {
        let mut words = Vec::new();
        if self.name != old.name {
            words.push(format!("{} is now {}", old.name, self.name));
        }
        for (changed, what) in [
            (self.logo_path != old.logo_path, "logo"),
            (self.insurers != old.insurers, "insurers"),
            (self.methods != old.methods, "payment methods"),
        ] {
            if changed {
                words.push(format!("{what} changed"));
            }
        }
        words.join(", ")
    }
}

/// Changes an organization. What it says of itself changes on the pages of all its sites at once.
#[utoipa::path(put, path = "/api/Organizations/{id}", tag = "Organizations", request_body = OrganizationEdit,
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 200, body = OrganizationView)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    headers: HeaderMap,
    Body(ask): Body<OrganizationEdit>,
) -> Result<Json<OrganizationView>> {
    let organization = caller.organization(id, Action::EditOrganization).await?;
    let seen = ask.version;
    let wish = ask.parse(&organization)?;
    let mut tx = app.db.begin().await?;
    lock(&mut tx, id).await?;
    let view = list::find(&app, &mut tx, &caller, id).await?;
    let old = Fields::of(&view);
    let new = Fields::after(wish, &old);
    if new == old {
        return Ok(Json(view));
    }
    etag::guard(&headers, seen, view.version)?;
    check_rights(&caller, &organization, &old, &new)?;
    let logo = new.logo_path.as_deref();
    files::claim(&mut tx, Prefix::Organization, "/logoPath", logo, old.logo_path.as_deref(), app.now()).await?;
    check_insurers(&mut tx, &old, &new).await?;

    store(&mut tx, id, &old, &new).await?;
    let by = Author::caller(&caller, None);
    let differences = new.differences(&old);
    if !differences.is_empty() {
        audit_log::write(
            &app,
            &mut tx,
            &by,
            &super::entry(&organization, AuditAction::OrganizationEdited, differences),
        )
        .await?;
    }
    if new.is_disabled != old.is_disabled {
        let (action, word) = if new.is_disabled {
            (AuditAction::OrganizationHidden, "hidden from")
        } else {
            (AuditAction::OrganizationShown, "shown in")
        };
        let entry = super::entry(&organization, action, format!("{} is {word} the search", new.name));
        audit_log::write(&app, &mut tx, &by, &entry).await?;
    }
    let events = sites::touch_all(&mut tx, id).await?;
    let view = list::find(&app, &mut tx, &caller, id).await?;
    app.live.commit_many(tx, id, events).await?;
    Ok(Json(view))
}

/// Some fields need more than the right to edit.
fn check_rights(caller: &Caller, organization: &Organization, old: &Fields, new: &Fields) -> Result<()> {
    let (id, is_commercial) = (organization.id, organization.is_commercial);
    let target = Target::Organization { id, is_commercial, actor_sites: false };
    let may_show_hide = || caller.may(Action::ShowHideOrganization, &target);
    if new.is_disabled != old.is_disabled && !may_show_hide() {
        return Err(Error::Forbidden("Only a global admin may show or hide an organization.".to_owned()));
    }
    if new.insurers != old.insurers && !caller.may(Action::LinkInsurers, &target) {
        return Err(Error::Forbidden("Your role does not allow this.".to_owned()));
    }
    Ok(())
}

/// Insurers that are newly linked must be there, and are held: whoever removes one at this moment sees the new link. One
/// after the other, so that two who link the same ones do not wait for each other.
async fn check_insurers(tx: &mut Tx, old: &Fields, new: &Fields) -> Result<()> {
    for added in new.insurers.difference(&old.insurers) {
        if !locks::insurance_company(tx, *added).await? {
            let sentence = "An insurance company in this list was removed. Reload the page.";
            return Err(Error::field("/insuranceCompanyIds", sentence));
        }
    }
    Ok(())
}

async fn store(tx: &mut Tx, id: OrganizationId, old: &Fields, new: &Fields) -> Result<()> {
    const UPDATE: &str = "UPDATE organizations SET name = $2, name_key = $3, logo_path = $4, is_disabled = $5, \
        version = version + 1 WHERE id = $1";
    const NO_METHODS: &str = "DELETE FROM organization_payment_methods WHERE organization_id = $1";
    const METHOD: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, $2)";
    const NO_INSURERS: &str = "DELETE FROM organization_insurance_companies WHERE organization_id = $1";
    const INSURER: &str =
        "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) VALUES ($1, $2)";
    let key = berth_domain::name_key(&new.name);
    let update = tx.query(UPDATE).bind(id).bind(&new.name).bind(key).bind(new.logo_path.as_deref());
    update.bind(new.is_disabled).execute().await.map_err(taken)?;
    if new.methods != old.methods {
        tx.query(NO_METHODS).bind(id).execute().await?;
        for method in &new.methods {
            tx.query(METHOD).bind(id).bind(*method).execute().await?;
        }
    }
    if new.insurers != old.insurers {
        tx.query(NO_INSURERS).bind(id).execute().await?;
        for insurer in &new.insurers {
            tx.query(INSURER).bind(id).bind(*insurer).execute().await?;
        }
    }
    Ok(())
}
