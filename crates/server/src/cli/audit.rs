//! `berth audit verify`: checks that nobody has changed the audit trail since it was sealed.

use clap::Subcommand;

use super::flags::Flags;
use crate::App;
use crate::admin::audit_log::seals::{self, Head, Report};
use crate::app::{Clock, Random};
use crate::cli::{self, serve};
use crate::settings::Settings;

/// Examines the audit trail
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Recomputes the seals of the trail and shows what was changed, removed, added or moved
    Verify(Verify),
}

/// What to verify against.
#[derive(Debug, clap::Args)]
pub(super) struct Verify {
    /// A seal that must be in the chain, NUMBER:HASH, as an earlier run, the log or a backup showed it
    #[arg(long, value_name = "NUMBER:HASH")]
    head: Option<Head>,
    #[command(flatten)]
    flags: Flags,
}

impl Verify {
    /// Splits into the settings and the seal that must be in the chain.
    pub(super) fn split(self) -> (Flags, Option<Head>) {
        (self.flags, self.head)
    }
}

/// Verifies the trail and prints what was found; fails if anything is wrong.
pub(super) async fn verify(settings: Settings, head: Option<Head>) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    let db = serve::open(&settings).await?;
    let app = App::new(db, settings, Clock::System, Random::System);
    let heads: Vec<Head> = head.into_iter().chain(Head::kept(&app.settings)?).collect();
    let report = seals::verify(&app.db, app.settings.secret_key.as_ref(), &heads, app.now()).await?;
    app.db.close().await;
    print(&report);
    anyhow::ensure!(
        report.findings.is_empty(),
        "the audit trail is not what was sealed. Keep the database as it is, and compare it with a backup. After a backup \
         was restored, put the file audit-head of that backup into the data folder, too."
    );
    cli::say("The audit trail is whole.");
    Ok(())
}

/// Prints what was found.
pub(super) fn print(report: &Report) {
    let Report { seals, rows, unsealed, head, findings } = report;
    cli::say(&format!("  {rows} rows under {seals} seals; {unsealed} newer rows are not sealed yet."));
    if let Some(head) = head {
        cli::say(&format!("  The last seal is {head}"));
    }
    for finding in findings {
        cli::say(&format!("  BROKEN: {finding}"));
    }
}
