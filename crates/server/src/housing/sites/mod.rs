//! Sites: list, show, create, edit, remove, the touch with which every change begins, and the counters (spec A 2, 3;
//! spec B 3; DESIGN 2, 3).

mod address;
pub(crate) mod arrivals;
mod board;
mod counts;
pub(crate) mod create;
mod difference;
pub(crate) mod edit;
mod facts;
mod find;
pub(crate) mod list;
mod offer;
pub(crate) mod placement;
pub(crate) mod remove;
pub(crate) mod report;
pub(crate) mod show;
mod subscription;
mod touch;
mod visible;
mod write;

use berth_domain::check::Check;
use berth_domain::policy::Action;
use berth_domain::stay::{Refusal, available_beds};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::{Caller, Site};
use crate::http::cache::View;
use crate::{Error, Result};

pub use board::house;
pub use counts::{settle, settle_all, settle_offers};
pub use facts::intake_periods;
pub use find::{FoundSite, find};
pub use list::{SiteName, SiteSummary};
pub use offer::offer;
pub use show::SiteDetails;
pub use subscription::{SiteSubscription, subscription, subscriptions};
pub(crate) use subscription::{counting_first, is_live};
pub use touch::{touch, touch_all, touch_removed_too};
pub(crate) use visible::{ids_seen_by, is_public, is_seen_by};

/// A photo of a site. The photo with the lowest index is the cover.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteImage {
    /// Its path.
    pub image_path: String,
    /// Its position, from 0.
    pub index: i64,
}

/// Counts of a site's houses, beds and guests, computed from the rows (I15). Lists of many sites use the stored
/// counters in `counts`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SiteCounts {
    /// Houses.
    pub rooms: i64,
    /// Beds, disabled ones included.
    pub beds: i64,
    /// Enabled beds without a guest.
    pub vacant: i64,
    /// Beds that the site can still promise: vacant beds that no pending reservation holds and that are not on offer.
    pub available: i64,
    /// Vacant beds that are offered to people on the waitlist.
    pub offered: i64,
    /// Beds with a guest.
    pub occupied: i64,
    /// Disabled beds.
    pub disabled: i64,
    /// Reservations that wait for a decision and whose hold has not ended.
    pub pending: i64,
    /// Guests who have a bed.
    pub guests: i64,
}

impl SiteCounts {
    /// Sets the pending reservations, and what follows from them and the beds.
    pub(in crate::housing) const fn with_pending(self, pending: i64) -> Self {
        Self { pending, available: available_beds(self.vacant - self.offered, pending), guests: self.occupied, ..self }
    }
}

/// Returns the view of a site's board that the caller may have: staff see neither guests' contacts nor the
/// subscription, and only those who may edit the site see the admin with whom it was created (DESIGN 4).
#[must_use]
pub fn view(caller: &Caller, site: &Site) -> View {
    let target = site.target();
    let full = caller.may(Action::ViewGuestContact, &target) && caller.may(Action::ReadSubscriptionStatus, &target);
    match (full, caller.may(Action::EditSite, &target)) {
        (true, true) => View::Manage,
        (true, false) => View::Full,
        (false, _) => View::Staff,
    }
}

/// Checks that the kind of site in the path is that of the organization.
///
/// # Errors
/// 409 if it is not.
fn check_kind(is_commercial: bool, requested: bool) -> Result<()> {
    match (is_commercial, requested) {
        (true, false) => Err(Error::conflict("This organization is commercial, and so are its sites.")),
        (false, true) => Err(Error::conflict("This organization is non-commercial, and so are its sites.")),
        (true, true) | (false, false) => Ok(()),
    }
}

/// Turns the refusal of a change into a 409.
#[must_use]
pub fn refused(refusal: Refusal) -> Error {
    Error::conflict(refusal.sentence())
}

/// Parses the path of a photo. Empty means none; otherwise it must look like a path that the upload returned: letters,
/// digits, `-`, `_`, `.` and `/`, without `..` and a leading `//`.
pub fn photo(check: &mut Check, sent: Option<&str>) -> Option<String> {
    let path = sent.map(str::trim).filter(|path| !path.is_empty())?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let known = path.len() <= 300 && path.chars().all(plain) && !path.contains("..") && !path.starts_with("//");
    check.require(known, "/imagePath", "This photo was not found. Please upload it again.");
    Some(path.to_owned())
}
