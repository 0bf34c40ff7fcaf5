//! The platform dashboard of global admins (spec A 2, 3, 7): users, organizations and sites as lists and as files, the
//! dialog of an organization, and how full the beds were.

mod directory;
mod list;
mod occupancy;
mod organization;
mod organizations;
mod parts;
mod sites;
mod users;

use crate::audit::{self, AuditAction, By, Entry};
use crate::caller::Caller;
use crate::{App, Result};

pub use directory::Directory;
pub use occupancy::{__path_occupancy, __path_site_occupancy, PastDays, occupancy, site_occupancy};
pub use organization::{__path_organization, organization};
pub use organizations::{__path_organizations, __path_organizations_file, organizations, organizations_file};
pub use parts::{Part, note, raise, raise_all};
pub use sites::{
    __path_site, __path_site_totals, __path_sites, __path_sites_file, site, site_totals, sites, sites_file,
};
pub use users::{__path_user, __path_users, __path_users_file, user, users, users_file};

/// A list that leaves as a file is on record before it does.
async fn record_export(app: &App, caller: &Caller, list: &'static str, rows: usize) -> Result<()> {
    let summary = format!("{list} of the dashboard as a file, {rows} rows");
    audit::record(app, &By::caller(caller, None), &Entry::anywhere(AuditAction::DashboardExported, None, summary)).await
}
