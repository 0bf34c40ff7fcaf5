//! The demo: a believable world in an empty database, its accounts, reservations that arrive while it runs, and the
//! outbox page (DESIGN 9). The world comes from a fixed seed; its times are relative to now.

mod arrivals;
mod cards;
mod customers;
mod dice;
mod fill;
pub mod guard;
mod guests;
mod histories;
mod names;
mod outages;
mod outbox_page;
mod people;
mod pictures;
mod places;
mod plan;
pub mod seed;
mod site;
mod subscriptions;
mod traces;

pub use arrivals::{reservations_arrive, send_reservation};
pub use customers::CUSTOMERS;
pub use fill::fill;
pub use outbox_page::show_outbox;

use crate::{App, cli};

/// Password of every account of the demo.
pub const PASSWORD: &str = "Open-Door-2026";

/// Tells the person at the terminal where the demo is and how to get in.
pub fn announce(app: &App) {
    let origin = app.settings.origins.first().map(String::as_str).unwrap_or_default();
    cli::say("");
    cli::say(&format!("  Berth demo   {origin}"));
    cli::say(&format!("  Messages     {origin}/dev/outbox   (sign-in codes arrive here)"));
    cli::say(&format!("  API          {origin}/api/docs"));
    cli::say("");
    cli::say(&format!("  Accounts, all with the password {PASSWORD}"));
    for account in people::ACCOUNTS {
        cli::say(&format!("    {:<26} {}", account.email, account.told));
    }
    cli::say("");
    cli::say(&format!("  Data         {}   (Ctrl+C ends the demo and keeps the data)", app.settings.data.display()));
    cli::say("");
}
