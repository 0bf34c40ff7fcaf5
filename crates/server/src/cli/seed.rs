//! `berth seed`: fills an empty database with a large made-up world, for measurements.

use std::io::Write;
use std::time::{Duration, Instant};

use berth_domain::time::Timestamp;

use super::flags::Flags;
use crate::App;
use crate::admin::audit_log::seals;
use crate::app::{Clock, Random};
use crate::cli::{self, serve};
use crate::demo::seed::{self, ACCOUNTS, PASSWORD, Plan, Tier};
use crate::settings::Settings;

/// How often the person at the terminal is told how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(3);

/// Which world to make.
#[derive(Debug, clap::Args)]
pub(super) struct Ask {
    /// How large
    #[arg(long, value_enum, ignore_case = true)]
    tier: Tier,
    /// Which world: the same number and the same --now make the same rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The present, as in 2026-11-21T10:15:00Z; what is pending is pending then [default: now]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| Timestamp::parse(text))]
    now: Option<Timestamp>,
    #[command(flatten)]
    flags: Flags,
}

impl Ask {
    /// The settings and the world.
    pub(super) fn split(self) -> (Flags, Wish) {
        (self.flags, Wish { tier: self.tier, seed: self.seed, now: self.now })
    }
}

/// The world as typed.
#[derive(Debug)]
pub(super) struct Wish {
    tier: Tier,
    seed: u64,
    now: Option<Timestamp>,
}

/// Migrates, fills, and says who can sign in.
pub(super) async fn run(settings: Settings, wish: Wish) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    let db = serve::open(&settings).await?;
    serve::migrate(&db).await?;
    let app = App::new(db, settings, Clock::System, Random::System);
    let plan = Plan { tier: wish.tier, seed: wish.seed, now: wish.now.unwrap_or_else(|| app.now()) };
    let begun = Instant::now();
    let all = plan.tier.size().guests;
    let mut next = TOLD_EVERY;
    seed::fill(&app.db, plan, |guests| {
        if begun.elapsed() >= next {
            next = begun.elapsed() + TOLD_EVERY;
            let _ = writeln!(std::io::stderr(), "berth: {guests} of {all} guests, {} s", begun.elapsed().as_secs());
        }
    })
    .await?;
    // So that the first server on this world has nothing to make up for.
    while seals::run(&app).await? > 0 {}
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
    for (email, role, ..) in ACCOUNTS {
        cli::say(&format!("  {email:<26} {role}"));
    }
    Ok(())
}
