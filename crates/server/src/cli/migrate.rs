//! `berth migrate`: brings the database up to this version, for those who do not leave it to `berth serve`.

use crate::cli::{self, serve};
use crate::settings::Settings;

/// Migrates the database.
pub(super) async fn run(settings: Settings) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    let db = serve::open(&settings).await?;
    serve::migrate(&db).await?;
    db.close().await;
    cli::say("The database is up to date.");
    Ok(())
}
