//! `berth backup`: copies the data folder while the server runs: first the database as of one moment, then the pictures,
//! which never change.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use berth_db::{Db, Engine};

use super::audit;
use super::flags::Flags;
use crate::App;
use crate::admin::audit_log::seals;
use crate::app::{Clock, Random};
use crate::cli::{self, serve};
use crate::settings::Settings;

/// Arguments of `berth backup`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the copy; it must not be there yet
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    #[command(flatten)]
    flags: Flags,
}

impl Args {
    /// Splits into the settings and the folder.
    pub(super) fn split(self) -> (Flags, PathBuf) {
        (self.flags, self.to)
    }
}

/// Copies the data folder and verifies the audit trail of the copy.
pub(super) async fn run(settings: Settings, to: PathBuf) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    let db = serve::open(&settings).await?;
    anyhow::ensure!(
        db.engine() == Engine::Sqlite,
        "this installation keeps its data in PostgreSQL, which has tools of its own:\n\n    \
         pg_dump --format=custom --file=berth.dump \"$BERTH_DATABASE_URL\"\n    \
         pg_restore --clean --if-exists --no-owner --dbname=\"$BERTH_DATABASE_URL\" berth.dump\n\n\
         Then copy the pictures (the bucket, or {}) and {}. `berth audit verify` checks what was restored.",
        settings.data.join("files").display(),
        seals::Head::file(&settings).display()
    );
    DirBuilder::new()
        .mode(0o700)
        .create(&to)
        .with_context(|| format!("cannot create {}; choose a folder that is not there yet", to.display()))?;
    let file = to.join("berth.sqlite");
    db.copy_to(&file).await.context("the database could not be copied")?;
    db.close().await;
    fs::set_permissions(&file, Permissions::from_mode(0o600)).context("cannot close the copy to others")?;
    for name in ["files", "stripe-sandbox.json"] {
        copy(&settings.data.join(name), &to.join(name))?;
    }
    verify(&settings, &to).await?;
    cli::say(&format!("The backup is in {}. To use it, stop Berth and start it with --data {0}.", to.display()));
    if settings.files_s3_bucket.is_some() {
        cli::say("The pictures are in the bucket; back it up, too.");
    }
    if settings.secret_key.is_some() {
        cli::say("secret_key is not in it: keep it in another place.");
    }
    Ok(())
}

/// Verifies the audit trail of the copy and writes its last seal beside it.
async fn verify(settings: &Settings, to: &Path) -> anyhow::Result<()> {
    let copy = Settings { data: to.to_owned(), database_url: None, ..settings.clone() };
    let db = Db::open(&copy.database()).await.context("the copy cannot be opened")?;
    let app = App::new(db, copy, Clock::System, Random::System);
    let report = seals::verify(&app.db, app.settings.secret_key.as_ref(), &[], app.now()).await?;
    app.db.close().await;
    audit::print(&report);
    anyhow::ensure!(report.findings.is_empty(), "the audit trail of the copy is not what was sealed");
    report.head.map_or(Ok(()), |head| head.write(&app.settings))
}

/// Copies a file or a whole folder; skips what does not exist.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let failed = || format!("cannot copy {}", from.display());
    if from.is_dir() {
        DirBuilder::new().mode(0o700).create(to).with_context(failed)?;
        for entry in fs::read_dir(from).with_context(failed)? {
            let entry = entry.with_context(failed)?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if from.exists() {
        fs::copy(from, to).with_context(failed)?;
    }
    Ok(())
}
