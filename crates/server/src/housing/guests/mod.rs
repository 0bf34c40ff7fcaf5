//! Guests and their reservations: list, show, create, and the command that places, moves, declines or discharges a
//! guest (DESIGN 3, 4; spec B 3 to 5).
//!
//! The rules in `domain::stay` decide; `apply` and `reserve` write, always after the site was touched.

mod apply;
mod board;
mod cancel;
mod changed_by;
pub(crate) mod create;
mod current;
pub(crate) mod departure;
pub(crate) mod earlier;
pub(crate) mod edit;
mod failure;
mod find;
mod history;
mod hold;
pub(crate) mod list;
pub(crate) mod merges;
mod notices;
mod person;
mod placement;
mod reserve;
pub(crate) mod several;
pub(crate) mod show;
mod state;
mod texts;
pub(crate) mod timeline;
mod undo;
mod view;

pub use board::{facts, find_by_code};
pub use cancel::cancel;
pub use changed_by::ChangedBy;
pub use edit::{GuestUpdate, accept_new, show_new};
pub use failure::Failure;
pub use find::{FoundGuest, find};
pub use history::HistoryMarks;
pub use hold::extend_holds;
pub use list::ListQuery;
pub(crate) use notices::queue as queue_notice;
pub use notices::settle as settle_notices;
pub use person::{PersonKey, Persons, check_another};
pub use placement::of_site as meant_for;
pub use reserve::{Reservation, Stored, retry_overdue};
pub(crate) use state::{facts_columns, is_active, is_open, is_pending, is_undecided};
pub(crate) use texts::{judge_phone, opt_out_hint, queue as queue_text};
pub use texts::{settle as settle_texts, withdraw as withdraw_text};
pub use timeline::{GuestEvent, GuestEventKind, GuestTimeline, names};
pub use view::{GuestBed, GuestPayment, GuestView};
