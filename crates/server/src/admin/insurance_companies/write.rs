//! Shared by creating, editing and removing an insurance company (spec B 5, 7). Its name and logo show on the page of each site
//! whose organization works with it, so a change touches all of those sites.

use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::{InsuranceCompanyId, OrganizationId};
use berth_domain::value::Name;

use super::{InsuranceCompany, ListedInsuranceCompany, load};
use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::change::Change;
use crate::{Error, Result, locks};

/// The validated request.
pub(super) struct Input {
    pub(super) name: Name,
    pub(super) logo_path: String,
    pub(super) is_primary: bool,
}

impl Input {
    pub(super) fn parse(
        mut check: Check,
        name: &str,
        logo_path: Option<&str>,
        is_primary: bool,
    ) -> Result<Self, FieldErrors> {
        let name = if name.trim().is_empty() { Err("Required field.") } else { Name::parse(name) };
        let name = check.field("/name", name);
        let logo_path = logo_path.map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned);
        check.require(logo_path.is_some(), "/logoPath", "Please add a logo of insurance company.");
        check.build(|| Some(Self { name: name?, logo_path: logo_path?, is_primary }))
    }

    pub(super) fn differs_from(&self, company: &InsuranceCompany) -> bool {
        self.name.as_str() != company.name
            || company.logo_path.as_ref() != Some(&self.logo_path)
            || self.is_primary != company.is_primary
    }
}

/// Maps a violation of the unique name to a 409 at the field.
pub(super) fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("insurance_companies_name_key_key") => {
            Error::conflict_field("/name", "An insurance company with this name already exists.")
        }
        _ => error.into(),
    }
}

/// Returns an audit row about an insurance company.
pub(super) fn entry(action: AuditAction, id: InsuranceCompanyId, summary: String) -> Entry {
    Entry::anywhere(action, Some((ObjectKind::InsuranceCompany, id.0)), summary)
}

/// Locks an insurance company and the organizations that work with it, touches their sites, and loads the company. Linking
/// a company locks the organization first, so this does, too.
///
/// # Errors
/// 404 if the company was removed.
pub(super) async fn lock_with_sites(change: &mut Change, id: InsuranceCompanyId) -> Result<ListedInsuranceCompany> {
    let mut locked = Vec::new();
    touch_linked(change, id, &mut locked).await?;
    locks::insurance_company(&mut change.tx, id).await?;
    let company = load(&mut change.tx, id).await?;
    // Organizations that linked it just before it was locked.
    touch_linked(change, id, &mut locked).await?;
    Ok(company)
}

/// Locks the organizations that work with a company, except those in `locked`, and touches their sites.
async fn touch_linked(change: &mut Change, id: InsuranceCompanyId, locked: &mut Vec<OrganizationId>) -> Result<()> {
    const LINKED: &str = "SELECT organization_id FROM organization_insurance_companies \
        WHERE insurance_company_id = $1 ORDER BY organization_id";
    let linked: Vec<(OrganizationId,)> = change.tx.query(LINKED).bind(id).all().await?;
    for (organization,) in linked {
        if !locked.contains(&organization) {
            locks::organization(&mut change.tx, organization).await?;
            change.touch_all(organization).await?;
            locked.push(organization);
        }
    }
    Ok(())
}
