//! Sites: the list, the page of one site, the touch with which every change begins, and what the counts are made of
//! (spec A 2, 3; spec B 3; DESIGN 2, 3).

mod address;
mod board;
mod counts;
pub(crate) mod create;
mod difference;
pub(crate) mod edit;
mod facts;
pub(crate) mod list;
mod offer;
pub(crate) mod remove;
pub(crate) mod report;
pub(crate) mod show;
mod subscription;
mod touch;
mod visible;
mod write;

use berth_domain::check::Check;
use berth_domain::policy::Action;
use berth_domain::stay::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::{Caller, Site};
use crate::http::cache::View;
use crate::{Error, Result};

pub use board::house;
pub use counts::{settle, settle_all};
pub use facts::intake_periods;
pub use list::{SiteName, SiteSummary};
pub use offer::offer;
pub use show::SiteDetails;
pub use subscription::{SiteSubscription, subscription, subscriptions};
pub(crate) use subscription::{counting_first, is_live};
pub use touch::{touch, touch_all, touch_removed_too};
pub(crate) use visible::{ids_seen_by, is_public, is_seen_by};

/// A photo of a site; the one with the lowest index is the cover.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteImage {
    /// Where it is kept.
    pub image_path: String,
    /// Its place in the order, from 0.
    pub index: i64,
}

/// What a site has and holds now. All of it is counted (I15); what lists of many sites need is also kept, see `counts`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SiteCounts {
    /// Houses.
    pub rooms: i64,
    /// Beds, disabled ones included.
    pub beds: i64,
    /// Enabled beds without a guest.
    pub vacant: i64,
    /// Beds with a guest.
    pub occupied: i64,
    /// Beds taken out of use.
    pub disabled: i64,
    /// Reservations that wait for a decision and whose hold has not run out.
    pub pending: i64,
    /// Guests who have a bed.
    pub guests: i64,
}

/// Which form of a site's board the caller gets: staff see neither contacts of guests nor the subscription, and only
/// those who may edit the site see whom it was created with (DESIGN 4).
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

/// The path of a change names the kind of site: another one than the organization's is a mistake of the client.
fn check_kind(is_commercial: bool, asked: bool) -> Result<()> {
    match (is_commercial, asked) {
        (true, false) => Err(Error::conflict("This organization is commercial, and so are its sites.")),
        (false, true) => Err(Error::conflict("This organization is non-commercial, and so are its sites.")),
        (true, true) | (false, false) => Ok(()),
    }
}

/// A rule of the house that stands against a change, as 409.
#[must_use]
pub fn refused(refusal: Refusal) -> Error {
    Error::conflict(refusal.sentence())
}

/// Reads the path of a photo: empty is none; else it must look like an answer of the upload (letters, digits, `-`, `_`,
/// `.` and `/`, nothing that climbs).
pub fn photo(check: &mut Check, sent: Option<&str>) -> Option<String> {
    let path = sent.map(str::trim).filter(|path| !path.is_empty())?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let known = path.len() <= 300 && path.chars().all(plain) && !path.contains("..") && !path.starts_with("//");
    check.require(known, "/imagePath", "This photo was not found. Please upload it again.");
    Some(path.to_owned())
}
