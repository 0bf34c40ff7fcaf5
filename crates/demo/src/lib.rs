//! Made-up data: the world of the demo (`berth serve --demo`, DESIGN 9) and the large worlds of `berth seed`. Both use the
//! same random numbers (`dice`), names, towns and phone numbers (`words`) and the same six accounts
//! ([`accounts`]). None of these people exists.
//!
//! The server knows only the trait [`Worlds`]; the binary passes it [`MadeUp`].

pub mod accounts;
pub mod demo;
mod dice;
pub mod seed;
mod words;

use axum::Router;
use berth_server::App;
use berth_server::cli::worlds::{Account, Plan, Worlds};
use berth_stripe::sandbox::Seed;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

/// The worlds of this crate.
#[derive(Debug)]
pub struct MadeUp;

impl Worlds for MadeUp {
    fn demo_customers(&self) -> &'static [Seed] {
        demo::CUSTOMERS
    }

    fn demo_accounts(&self) -> Vec<Account> {
        demo::accounts()
    }

    fn fill_demo<'a>(&'a self, app: &'a App) -> BoxFuture<'a, anyhow::Result<()>> {
        Box::pin(demo::fill(app))
    }

    fn send_demo_reservations(&self, app: App, router: Router, stop: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(demo::send_reservations(app, router, stop))
    }

    fn seed_accounts(&self) -> Vec<Account> {
        accounts::SEED.iter().map(|person| Account { email: person.email, role: person.role.as_str() }).collect()
    }

    fn seed<'a>(
        &'a self,
        app: &'a App,
        plan: Plan,
        progress: &'a mut (dyn FnMut(usize) + Send),
    ) -> BoxFuture<'a, anyhow::Result<()>> {
        Box::pin(seed::fill(&app.db, plan, progress))
    }
}
