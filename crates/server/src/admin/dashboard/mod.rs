//! The platform dashboard of global admins (spec A 2, 3, 7): users, organizations and sites as lists and as files, the
//! dialog of an organization, and the occupancy of the beds.

mod directory;
mod list;
pub(crate) mod occupancy;
pub(crate) mod organization;
pub(crate) mod organizations;
mod parts;
pub(crate) mod sites;
pub(crate) mod users;

use crate::admin::audit_log::{self, AuditAction, Author, Entry};
use crate::auth::caller::Caller;
use crate::{App, Result};

pub use directory::Directory;
pub use occupancy::PastDays;
pub use parts::{Part, note, raise, raise_all};

/// Records the export of a list, before the file is sent.
async fn record_export(app: &App, caller: &Caller, list: &'static str, rows: usize) -> Result<()> {
    let summary = format!("{list} of the dashboard as a file, {rows} rows");
    audit_log::record(
        app,
        &Author::caller(caller, None),
        &Entry::anywhere(AuditAction::DashboardExported, None, summary),
    )
    .await
}
