//! Organizations: list, show, create, edit, remove (spec A 2, 3, 5, 7; DESIGN 4, 6).
//!
//! The name, logo, payment methods and insurers of an organization show on the page of each of its sites, so every change
//! touches all of them.

pub(crate) mod create;
pub(crate) mod edit;
mod find;
pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod show;

pub use find::{FoundOrganization, find};
pub use list::{PartQuery, insurers, payment_methods};

use berth_db::Tx;
use berth_domain::id::OrganizationId;

use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
pub use crate::admin::insurance_companies::InsuranceCompany;
use crate::auth::caller::Organization;
use crate::{Error, Result, locks};

/// Locks an organization until the end of the transaction. Also taken by whoever adds something that belongs to it (a
/// site, an owner, a card), so that nothing is added to an organization that is being removed.
///
/// # Errors
/// 404 if the organization was removed.
pub async fn lock(tx: &mut Tx, id: OrganizationId) -> Result<()> {
    if locks::organization(tx, id).await? { Ok(()) } else { Err(Error::NotFound) }
}

/// Returns an audit row about an organization.
fn entry(organization: &Organization, action: AuditAction, summary: String) -> Entry {
    let object = Some((ObjectKind::Organization, organization.id.0));
    Entry::placed((Some(organization.id), None), action, object, summary)
}

/// Maps a violation of the unique name to a 409 at the field.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("organizations_name_key_key") => {
            Error::conflict_field("/name", "An organization with this name already exists.")
        }
        _ => error.into(),
    }
}
