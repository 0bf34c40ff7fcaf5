//! The public side: the search for sites, and reservations by people without an account, confirmed by a code to the
//! phone. It has strict limits and reveals nothing about guests (DESIGN 3, 6; docs/decisions/0033).

pub(crate) mod cancel;
pub(crate) mod cards;
pub(crate) mod confirm;
mod limits;
pub(crate) mod list;
mod lookup;
pub(crate) mod reserve;
mod search;
pub(crate) mod show;
pub(crate) mod state;
mod texts;

pub use cancel::Cancellation;
pub use confirm::{Confirmation, ReservationView};
pub use reserve::{NewReservation, ReservationRequest};
pub use search::{PublicSite, PublicSiteDetails, SiteSearch};
pub use state::ReservationState;
pub use texts::{FailureReason, send_failure};

use crate::auth::throttle::PUBLIC_REQUESTER;
use crate::http::requester::Requester;
use crate::{App, Result};

/// Counts a call of the public side, whatever its result. The counters are in memory, so that reads write nothing.
fn limit_calls(app: &App, requester: &Requester) -> Result<()> {
    app.read_limits.attempt(format!("public:{}", requester.network()), PUBLIC_REQUESTER, app.now())
}
