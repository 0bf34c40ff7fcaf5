//! What the command line needs of made-up data. The crate `berth-demo` makes it, and the binary hands it to
//! [`super::main`], so that the server depends on none of it.

use axum::Router;
use berth_domain::time::Timestamp;
use berth_stripe::sandbox::Seed as SandboxCustomer;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::App;

/// Made-up data: the world of the demo and the worlds of `berth seed`.
pub trait Worlds: Sync {
    /// Returns the customers that the payment sandbox of the demo starts with.
    fn demo_customers(&self) -> &'static [SandboxCustomer];

    /// Returns the accounts that `berth serve --demo` prints.
    fn demo_accounts(&self) -> Vec<Account>;

    /// Fills the database with the demo if it is empty; leaves the demo of an earlier start as it is.
    ///
    /// # Errors
    /// A sentence when the database holds real data.
    fn fill_demo<'a>(&'a self, app: &'a App) -> BoxFuture<'a, anyhow::Result<()>>;

    /// Sends a reservation from the public side every few minutes, until `stop`.
    fn send_demo_reservations(&self, app: App, router: Router, stop: CancellationToken) -> BoxFuture<'static, ()>;

    /// Returns the accounts that every world of `berth seed` has.
    fn seed_accounts(&self) -> Vec<Account>;

    /// Fills an empty, migrated database with a large world. Calls `progress` with the number of guests so far.
    ///
    /// # Errors
    /// A sentence when the database is not empty. After any other error, throw away what was loaded.
    fn seed<'a>(
        &'a self,
        app: &'a App,
        plan: Plan,
        progress: &'a mut (dyn FnMut(usize) + Send),
    ) -> BoxFuture<'a, anyhow::Result<()>>;
}

/// The password of every made-up account. It is published, so `http::demo_guard` keeps made-up data off public
/// addresses.
pub const PASSWORD: &str = "Open-Door-2026";

/// An account that is printed at the terminal.
#[derive(Debug)]
pub struct Account {
    /// What to sign in with.
    pub email: &'static str,
    /// Its role, and for the demo also the place of the role.
    pub role: &'static str,
}

/// Which world `berth seed` makes. The same plan makes the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How large.
    pub tier: Tier,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The present: reservations that are pending are pending at this time.
    pub now: Timestamp,
}

/// The size of a world (issue "Proof and speed of the main job").
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Tier {
    /// 5 sites, 120 beds, 2,000 guests, 40 users
    #[value(name = "S")]
    S,
    /// 280 sites, 12,500 beds, 350,000 guests, 1,400 users
    #[value(name = "M")]
    M,
    /// 3,000 sites, 40,000 beds, 2,000,000 guests, 12,000 users
    #[value(name = "L")]
    L,
}

/// How many rows a tier has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Sites, none of them removed.
    pub sites: usize,
    /// Beds, without those that were removed.
    pub beds: usize,
    /// Guests, in every state.
    pub guests: usize,
    /// Users, with and without a password.
    pub users: usize,
    /// Beds of the largest site; five in each of its houses.
    pub largest: usize,
}

impl Tier {
    /// Returns the number of rows.
    #[must_use]
    pub const fn size(self) -> Size {
        match self {
            Self::S => Size { sites: 5, beds: 120, guests: 2_000, users: 40, largest: 85 },
            Self::M => Size { sites: 280, beds: 12_500, guests: 350_000, users: 1_400, largest: 500 },
            Self::L => Size { sites: 3_000, beds: 40_000, guests: 2_000_000, users: 12_000, largest: 500 },
        }
    }
}
