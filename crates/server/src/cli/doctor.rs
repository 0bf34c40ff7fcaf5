//! `berth doctor`: prints the settings in force and where they come from, checks the database, the mail server and Stripe,
//! and recounts what must always be true.

use berth_db::Engine;

use super::say;
use crate::App;
use crate::admin::audit_log::seals;
use crate::app::{Clock, Random};
use crate::cli::{flags, invariants, serve};
use crate::http::requester;
use crate::integrations::mail::smtp::Smtp;
use crate::integrations::sms;
use crate::settings::Settings;

/// Prints the settings and checks the installation; fails if anything is wrong.
pub(super) async fn run(settings: Settings, origins: Vec<(&'static str, String)>) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    say("Settings");
    for (name, mut value) in flags::shown(&settings) {
        if name == "find_page" {
            value = settings.serves_find_page().to_string();
        }
        let from = origins.iter().find(|(known, _)| *known == name).map_or("default", |(_, from)| from.as_str());
        say(&format!("  {name:<24} {value}  ({from})"));
    }
    if let Some(warning) = requester::proxy_warning(&settings) {
        say(&format!("  Warning: {warning}"));
    }
    say("Messages");
    messages(&settings).await?;
    say("Database");
    if let Some(file) = settings.database().strip_prefix("sqlite:")
        && !std::path::Path::new(file).exists()
    {
        say(&format!("  There is none yet: `berth serve` and `berth migrate` create {file}."));
        return Ok(());
    }
    let db = serve::open(&settings).await?;
    let engine = match db.engine() {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    };
    db.ping().await?;
    say(&format!("  {engine} answers."));
    let app = App::new(db, settings, Clock::System, Random::System);
    say("Pictures");
    let place = app.files.storage.answers().await?;
    say(&format!("  They are kept in {place}."));
    let mut broken = 0;
    say("Payments");
    say(if app.payments.is_sandbox() {
        "  The sandbox runs: no card is charged. Set stripe_secret_key and stripe_publishable_key for Stripe."
    } else {
        app.payments.answers().await?;
        "  Stripe answers and knows the key."
    });
    say("What must always be true");
    for finding in invariants::recount(&app.db, app.now()).await? {
        let verdict =
            if finding.violations == 0 { "holds".to_owned() } else { format!("BROKEN {}×", finding.violations) };
        broken += i32::from(finding.violations != 0);
        say(&format!("  {:<4} {verdict:<10} {}", finding.invariant, finding.rule));
    }
    say("Audit trail");
    let kept: Vec<seals::Head> = seals::Head::kept(&app.settings)?.into_iter().collect();
    let report = seals::verify(&app.db, app.settings.secret_key.as_ref(), &kept, app.now()).await?;
    super::audit::print(&report);
    broken += i32::try_from(report.findings.len()).unwrap_or(i32::MAX);
    app.db.close().await;
    anyhow::ensure!(
        broken == 0,
        "{broken} of these rules are broken; please keep a copy of the database and report it"
    );
    say("All is well.");
    Ok(())
}

/// Prints where mail and SMS go, and tries to sign in to the mail server.
async fn messages(settings: &Settings) -> anyhow::Result<()> {
    if settings.demo {
        say("  The demo keeps mails and SMS at /dev/outbox, whatever is set.");
        return Ok(());
    }
    match Smtp::open(settings)? {
        None => say("  Mails are kept in the outbox."),
        Some(smtp) => {
            smtp.answers().await?;
            say("  The mail server answers.");
        }
    }
    sms::open(settings)?;
    match settings.sms_provider {
        None => say("  SMS are kept in the outbox."),
        Some(provider) => say(&format!("  SMS leave by {}.", provider.as_str())),
    }
    Ok(())
}
