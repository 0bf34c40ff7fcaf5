//! The waitlist of a site (docs/decisions/0066): people who wait for a bed, and the offers of beds that became free. The rules are in
//! `domain::waitlist`.
//!
//! Offers are made under the lock of the site, by the job or by the change that ended the offer before. While an offer is open, its bed is
//! promised: no other guest can get it, and no reservation counts on it.

pub(crate) mod add;
mod cards;
pub(crate) mod edit;
mod find;
pub(crate) mod form;
mod line;
pub(crate) mod list;
mod offers;
pub(crate) mod period;
mod person;
mod store;
pub(crate) mod take;

pub use add::NewWaitingGuest;
pub use edit::WaitingGuestUpdate;
pub use find::{FoundWaitingGuest, find};
pub use form::{WaitingGuestEdit, WaitingGuestForm, of_editor};
pub use line::due;
pub use list::{BedOffer, WaitingGuestView, Waitlist};
pub use offers::{end_all, offer_due, withdraw_offers, withdraw_unfit};
pub use period::OfferPeriod;
pub use take::OfferTaken;

/// SQL condition: the bed is not offered to a person on the waitlist. `$b` is the alias of `beds` with its dot.
macro_rules! is_unoffered {
    ($b:literal) => {
        concat!("NOT EXISTS (SELECT 1 FROM bed_offers f WHERE f.bed_id = ", $b, "id AND f.ended_at IS NULL)")
    };
}
pub(crate) use is_unoffered;
