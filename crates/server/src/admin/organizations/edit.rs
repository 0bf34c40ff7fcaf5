//! Editing an organization: name, logo, payment methods, linked insurers and visibility (spec A 3, 5, 6).

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
use crate::admin::audit_log::{AuditAction, Author, Entry};
use crate::auth::caller::{Caller, Organization};
use crate::change::{self, Change};
use crate::http::body::{Body, Path, present};
use crate::http::etag;
use crate::integrations::files::{self, Prefix};
use crate::{App, Error, Result, locks};

/// The new state of an organization.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OrganizationEdit {
    /// The organization. If sent, the same as in the path.
    #[schema(nullable = false)]
    id: Option<OrganizationId>,
    /// Name, unique among organizations.
    #[schema(required = true)]
    name: String,
    /// Path of the logo, as returned by the upload. Unchanged if absent; it cannot be removed.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    logo_path: Option<Option<String>>,
    /// Hidden from search with all its sites. Unchanged if absent; only global admins may change it.
    #[schema(nullable = false)]
    is_disabled: Option<bool>,
    /// Linked insurers of a commercial organization. Unchanged if absent.
    #[schema(nullable = false)]
    insurance_company_ids: Option<BTreeSet<InsuranceCompanyId>>,
    /// Accepted payment methods, 1 to 3; at least one.
    #[schema(required = true)]
    reservation_payment_method_ids: BTreeSet<i64>,
    /// The version that the caller loaded, as in `If-Match`. 412 if the organization has another version by now.
    version: Option<i64>,
}

/// The validated request. `None` leaves a field unchanged.
struct Input {
    name: Name,
    logo_path: Option<String>,
    is_disabled: Option<bool>,
    insurers: Option<BTreeSet<InsuranceCompanyId>>,
    methods: BTreeSet<i64>,
}

impl OrganizationEdit {
    fn parse(self, organization: &Organization) -> Result<Input, FieldErrors> {
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
        check.build(|| Some(Input { name: name?, logo_path: logo_path.flatten(), is_disabled, insurers, methods }))
    }
}

/// The fields that an edit may change.
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

    fn after(input: &Input, old: &Self) -> Self {
        Self {
            name: input.name.as_str().to_owned(),
            logo_path: input.logo_path.clone().or_else(|| old.logo_path.clone()),
            is_disabled: input.is_disabled.unwrap_or(old.is_disabled),
            insurers: input.insurers.clone().unwrap_or_else(|| old.insurers.clone()),
            methods: input.methods.clone(),
        }
    }

    /// Returns the summary of the audit row; empty if only `is_disabled` differs.
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

/// Edits an organization. The change shows on the pages of all its sites at once.
#[utoipa::path(put, path = "/api/Organizations/{id}", tag = "Organizations", request_body = OrganizationEdit,
    params(("id" = OrganizationId, Path, description = "the organization")),
    responses((status = 200, body = OrganizationView)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<OrganizationId>,
    headers: HeaderMap,
    Body(body): Body<OrganizationEdit>,
) -> Result<Json<OrganizationView>> {
    let organization = caller.organization(id, Action::EditOrganization).await?;
    let version = body.version;
    let input = body.parse(&organization)?;

    let (caller, organization, headers, input) = (&caller, &organization, &headers, &input);
    change::run(&app, Author::caller(caller, None), |mut change| async move {
        lock(&mut change.tx, id).await?;
        let view = list::load(&change.app, &mut change.tx, caller, id).await?;
        let old = Fields::of(&view);
        let new = Fields::after(input, &old);
        if new == old {
            return change::unchanged(Json(view));
        }
        etag::guard(headers, version, view.version)?;
        check_rights(caller, organization, &old, &new)?;
        update(&mut change, id, &old, &new).await?;
        // Before the audit rows, which lock the dashboard's parts (see `locks`).
        change.touch_all(id).await?;
        for entry in entries(organization, &old, &new) {
            change.record(entry).await?;
        }
        let view = list::load(&change.app, &mut change.tx, caller, id).await?;
        change.done(Json(view))
    })
    .await
}

/// Returns the audit rows of an edit.
fn entries(organization: &Organization, old: &Fields, new: &Fields) -> Vec<Entry> {
    let mut entries = Vec::new();
    let differences = new.differences(old);
    if !differences.is_empty() {
        entries.push(super::entry(organization, AuditAction::OrganizationEdited, differences));
    }
    if new.is_disabled != old.is_disabled {
        let (action, word) = if new.is_disabled {
            (AuditAction::OrganizationHidden, "hidden from")
        } else {
            (AuditAction::OrganizationShown, "shown in")
        };
        entries.push(super::entry(organization, action, format!("{} is {word} the search", new.name)));
    }
    entries
}

/// Rejects changes of fields that need more than the right to edit.
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

/// Locks the newly linked insurers, so that whoever removes one at the same time sees the new link. In the order of their
/// ids, so that two edits that link the same ones do not deadlock.
async fn lock_new_insurers(tx: &mut Tx, old: &Fields, new: &Fields) -> Result<()> {
    for added in new.insurers.difference(&old.insurers) {
        if !locks::insurance_company(tx, *added).await? {
            let sentence = "An insurance company in this list was removed. Reload the page.";
            return Err(Error::field("/insuranceCompanyIds", sentence));
        }
    }
    Ok(())
}

async fn update(change: &mut Change, id: OrganizationId, old: &Fields, new: &Fields) -> Result<()> {
    const UPDATE: &str = "UPDATE organizations SET name = $2, name_key = $3, logo_path = $4, is_disabled = $5, \
        version = version + 1 WHERE id = $1";
    const NO_METHODS: &str = "DELETE FROM organization_payment_methods WHERE organization_id = $1";
    const METHOD: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, $2)";
    const NO_INSURERS: &str = "DELETE FROM organization_insurance_companies WHERE organization_id = $1";
    const INSURER: &str =
        "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) VALUES ($1, $2)";
    let (now, tx) = (change.app.now(), &mut change.tx);
    let (logo, old_logo) = (new.logo_path.as_deref(), old.logo_path.as_deref());
    files::claim(tx, Prefix::Organization, "/logoPath", logo, old_logo, now).await?;
    lock_new_insurers(tx, old, new).await?;
    let key = berth_domain::name_key(&new.name);
    let update = tx.query(UPDATE).bind(id).bind(&new.name).bind(key).bind(logo);
    update.bind(new.is_disabled).execute().await.map_err(taken)?;
    files::give_up(tx, old_logo.filter(|old| logo != Some(*old)).as_slice(), now).await?;
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
