//! The world of the demo, its accounts, and the reservations that arrive while it runs (DESIGN 9). The world comes from a
//! fixed seed; its times are relative to now.

mod arrivals;
mod cards;
mod customers;
mod departures;
mod fill;
mod guests;
mod histories;
mod merges;
mod outages;
mod people;
mod pictures;
mod places;
mod plan;
mod reasons;
mod rules;
mod site;
mod subscriptions;
mod traces;
mod waitlist;

pub use arrivals::{send_reservation, send_reservations};
pub use customers::CUSTOMERS;
pub use fill::fill;

use berth_server::cli::worlds::Account;

/// The seed of the demo's random numbers: stream 0 makes the world, the others a picture each.
const SEED: u64 = 2026;

/// Returns the accounts that the start of the demo prints.
pub(crate) fn accounts() -> Vec<Account> {
    people::ACCOUNTS.iter().map(|account| Account { email: account.email, role: account.description }).collect()
}
