//! What adding, changing and removing an insurance company share (spec B 5, 7). Its name and logo stand on the page of each site whose
//! organization works with it, so a change touches all of those.

use berth_db::Tx;
use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::{InsuranceCompanyId, OrganizationId};
use berth_domain::value::Name;

use super::{ListedInsuranceCompany, find};
use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::housing::sites;
use crate::integrations::live::LiveEvent;
use crate::{Error, Result, locks};

/// A payload once it is understood.
pub(super) struct Wish {
    pub(super) name: Name,
    pub(super) logo_path: String,
    pub(super) is_primary: bool,
}

pub(super) fn parse(
    mut check: Check,
    name: &str,
    logo_path: Option<&str>,
    is_primary: bool,
) -> Result<Wish, FieldErrors> {
    let name = if name.trim().is_empty() { Err("Required field.") } else { Name::parse(name) };
    let name = check.field("/name", name);
    let logo_path = logo_path.map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned);
    check.require(logo_path.is_some(), "/logoPath", "Please add a logo of insurance company.");
    check.build(|| Some(Wish { name: name?, logo_path: logo_path?, is_primary }))
}

/// A name that another company has belongs to its field; anything else went wrong.
pub(super) fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("insurance_companies_name_key_key") => {
            Error::conflict_field("/name", "An insurance company with this name already exists.")
        }
        _ => error.into(),
    }
}

pub(super) fn entry(action: AuditAction, id: InsuranceCompanyId, summary: String) -> Entry {
    Entry::anywhere(action, Some((ObjectKind::InsuranceCompany, id.0)), summary)
}

/// Takes the company's lock: nobody links it in the meantime (see `organizations::edit`).
pub(super) async fn lock(tx: &mut Tx, id: InsuranceCompanyId) -> Result<ListedInsuranceCompany> {
    locks::insurance_company(tx, id).await?;
    find(tx, id).await?.ok_or(Error::NotFound)
}

/// The organizations that work with a company and the sites of theirs that were touched. Who links a company holds the
/// organization first and then the company, so they are held in this order here, too.
pub(super) struct Places(pub(super) Vec<(OrganizationId, Vec<LiveEvent>)>);

impl Places {
    pub(super) async fn hold(tx: &mut Tx, id: InsuranceCompanyId) -> Result<Self> {
        let mut places = Self(Vec::new());
        places.hold_new(tx, id).await?;
        Ok(places)
    }

    /// Also those that linked it just before it was locked.
    pub(super) async fn hold_new(&mut self, tx: &mut Tx, id: InsuranceCompanyId) -> Result<()> {
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
