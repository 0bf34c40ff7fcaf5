//! Guests and their reservations: the list, one of them, adding one by hand, and the command that places, moves,
//! declines or discharges one (DESIGN 3, 4; spec B 3 to 5).
//!
//! Rules decide in `domain::stay`; what is written stands in the SQL of `apply` and `reserve`, always after
//! the touch of the site.

mod apply;
mod board;
mod cancel;
mod changed_by;
pub(crate) mod create;
pub(crate) mod edit;
mod failure;
mod history;
mod hold;
pub(crate) mod list;
mod notices;
mod person;
mod reserve;
pub(crate) mod show;
mod state;
mod texts;
pub(crate) mod timeline;
mod undo;
mod view;

pub use board::{facts, find_by_code};
pub use cancel::cancel;
pub use changed_by::ChangedBy;
pub use edit::GuestUpdate;
pub use failure::Failure;
pub use history::HistoryMarks;
pub use hold::extend_holds;
pub use list::ListQuery;
pub(crate) use notices::queue as queue_notice;
pub use notices::settle as settle_notices;
pub use person::{PersonKey, Persons};
pub use reserve::{Reservation, Stored, on_record};
pub(crate) use state::{facts_columns, is_active, is_open, is_pending, is_undecided};
pub(crate) use texts::queue as queue_text;
pub use texts::{settle as settle_texts, withdraw as withdraw_text};
pub use timeline::{GuestEvent, GuestEventKind, GuestTimeline, names};
pub use view::{GuestBed, GuestPayment, GuestView};
