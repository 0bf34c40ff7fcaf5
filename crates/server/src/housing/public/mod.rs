//! The public side: sites with beds, and reservations by people without an account, proved by their phone. Strict limits,
//! and nothing about any guest goes out (DESIGN 3, 6; docs/decisions/0033).

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

/// Counts every call of the public side, whatever it leads to. In memory: a stranger's read writes nothing.
fn limit_calls(app: &App, requester: &Requester) -> Result<()> {
    app.read_limits.attempt(format!("public:{}", requester.network()), PUBLIC_REQUESTER, app.now())
}
