//! `berth seed`: fills an empty database with a large made-up world, for measurements.

use std::io::Write;
use std::time::{Duration, Instant};

use berth_db::Options;
use berth_domain::time::Timestamp;
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use super::flags::Flags;
use crate::App;
use crate::admin::audit_log::seals;
use crate::app::{Clock, Random};
use crate::cli::worlds::{PASSWORD, Plan, Tier, Worlds};
use crate::cli::{self, serve};
use crate::settings::Settings;

/// Time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(3);

/// Memory for pages while the rows are loaded, in MiB: a page is written once in a transaction, and most indexes stay in memory.
const WRITER_MEMORY: u32 = 1024;

/// Arguments of `berth seed`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How large
    #[arg(long, value_enum, ignore_case = true)]
    tier: Tier,
    /// Seed of the random numbers: the same seed and the same --now make the same rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The present, as in 2026-11-21T10:15:00Z: pending reservations are pending at this time [default: now]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| Timestamp::parse(text))]
    now: Option<Timestamp>,
    #[command(flatten)]
    flags: Flags,
}

impl Args {
    /// Splits into the settings and the world.
    pub(super) fn split(self) -> (Flags, Input) {
        (self.flags, Input { tier: self.tier, seed: self.seed, now: self.now })
    }
}

/// The world as typed.
#[derive(Debug)]
pub(super) struct Input {
    tier: Tier,
    seed: u64,
    now: Option<Timestamp>,
}

/// Migrates the database, fills it, and prints who can sign in.
pub(super) async fn run(settings: Settings, input: Input, worlds: &dyn Worlds) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    let options = Options { writer_memory: WRITER_MEMORY, ..Options::default() };
    let db = serve::open_with(&settings, options).await?;
    serve::migrate(&db).await?;
    let app = App::new(db, settings, Clock::System, Random::System);
    let plan = Plan { tier: input.tier, seed: input.seed, now: input.now.unwrap_or_else(|| app.now()) };
    let begun = Instant::now();
    let all = plan.tier.size().guests;
    let mut next = PROGRESS_INTERVAL;
    let mut progress = |guests| {
        if begun.elapsed() >= next {
            next = begun.elapsed() + PROGRESS_INTERVAL;
            let _ = writeln!(std::io::stderr(), "berth: {guests} of {all} guests, {} s", begun.elapsed().as_secs());
        }
    };
    worlds.seed(&app, plan, &mut progress).await?;
    // The first server on this world has nothing left to seal then. Nobody wants to read thousands of lines about it.
    while seals::run(&app).with_subscriber(NoSubscriber::default()).await? > 0 {}
    app.db.close().await;
    cli::say(&format!(
        "Tier {:?}, seed {}, now {}: {all} guests at {} sites in {:.1} s.",
        plan.tier,
        plan.seed,
        plan.now,
        plan.tier.size().sites,
        begun.elapsed().as_secs_f64()
    ));
    cli::say(&format!("Accounts, all with the password {PASSWORD}:"));
    for account in worlds.seed_accounts() {
        cli::say(&format!("  {:<26} {}", account.email, account.role));
    }
    Ok(())
}
