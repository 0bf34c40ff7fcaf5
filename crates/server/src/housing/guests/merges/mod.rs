//! Merged duplicates: two reservations of one person, of which one is kept (docs/decisions/0070).

pub(crate) mod create;
mod rows;
pub(crate) mod undo;

pub(super) use rows::{MergeEvent, of_guest};
