//! Organizations: who sees which, creating, editing and removing one (spec A 2, 3, 5, 7; DESIGN 4, 6).
//!
//! What an organization says of itself stands on the page of each of its sites, so every change touches all of them.

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod show;

pub use list::{PartQuery, insurers, payment_methods};

use berth_db::Tx;
use berth_domain::id::OrganizationId;

use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
pub use crate::admin::insurance_companies::InsuranceCompany;
use crate::auth::caller::Organization;
use crate::{Error, Result, locks};

/// Takes the organization's lock: what is read of it afterwards in the same transaction stays as it is until the commit.
/// Whoever adds something that belongs to it (a site, an owner) takes it too, so that a removal at the same moment
/// leaves nothing behind.
///
/// # Errors
/// 404 when the organization was removed in the meantime.
pub async fn lock(tx: &mut Tx, id: OrganizationId) -> Result<()> {
    if locks::organization(tx, id).await? { Ok(()) } else { Err(Error::NotFound) }
}

/// A row of the trail about an organization.
fn entry(organization: &Organization, action: AuditAction, summary: String) -> Entry {
    let object = Some((ObjectKind::Organization, organization.id.0));
    Entry::placed((Some(organization.id), None), action, object, summary)
}

/// A name that another organization has belongs to its field; anything else went wrong.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("organizations_name_key_key") => {
            Error::conflict_field("/name", "An organization with this name already exists.")
        }
        _ => error.into(),
    }
}
