//! Tests of the data layer: each rule of `berth_db` is checked on SQLite and on `PostgreSQL`.
//!
//! Run through `scripts/with-postgres cargo test -p berth-db`.

// `cfg(test)` tells Clippy that the helpers next to the tests are test code too.
#[cfg(test)]
mod at_hand;
#[cfg(test)]
mod busy;
#[cfg(test)]
mod constraints;
#[cfg(test)]
mod group;
#[cfg(test)]
mod in_place;
#[cfg(test)]
mod insert;
#[cfg(test)]
mod layout;
#[cfg(test)]
mod listen;
#[cfg(test)]
mod migrate;
#[cfg(test)]
mod one_connection;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod read;
#[cfg(test)]
mod restart;
#[cfg(test)]
mod rollback;
#[cfg(test)]
mod state;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod types;
