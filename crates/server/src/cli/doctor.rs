//! `berth doctor`: the settings in force and where they come from, whether the database answers, and a recount of what
//! must always be true.

use berth_db::Engine;
use secrecy::SecretString;

use super::say;
use crate::App;
use crate::admin::audit_log::seals;
use crate::app::{Clock, Random};
use crate::cli::{invariants, serve};
use crate::http::requester;
use crate::integrations::mail::smtp::Smtp;
use crate::integrations::sms;
use crate::settings::{Settings, SmsProvider};

/// Examines; fails when anything is wrong.
pub(super) async fn run(settings: Settings, origins: Vec<(&'static str, String)>) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    say("Settings");
    for (name, value) in shown(&settings) {
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
    super::audit::tell(&report);
    broken += i32::try_from(report.findings.len()).unwrap_or(i32::MAX);
    app.db.close().await;
    anyhow::ensure!(
        broken == 0,
        "{broken} of these rules are broken; please keep a copy of the database and report it"
    );
    say("All is well.");
    Ok(())
}

/// Tells where mail and SMS go, and whether the mail server lets us in.
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

/// Every setting as text, secrets covered. A new setting that is not shown here does not compile.
fn shown(settings: &Settings) -> Vec<(&'static str, String)> {
    let Settings {
        listen,
        data,
        database_url,
        database_connections,
        demo,
        demo_quiet,
        demo_allow_public,
        origins,
        trusted_proxies,
        idle_minutes,
        session_hours,
        hashing_permits,
        hashing_queue,
        live_streams_per_address,
        find_page,
        find_frame_ancestors,
        moved_address,
        support_phone,
        contact_email,
        foundation,
        metrics_token,
        secret_key,
        smtp_host,
        smtp_port,
        smtp_user,
        smtp_password,
        smtp_from,
        smtp_ca_file,
        sms_provider,
        twilio_account_sid,
        twilio_auth_token,
        twilio_from,
        twilio_messaging_service,
        twilio_base_url,
        sms_webhook_url,
        sms_webhook_secret,
        files_s3_bucket,
        files_s3_region,
        files_s3_endpoint,
        files_s3_access_key_id,
        files_s3_secret_access_key,
        places_provider,
        places_photon_url,
        places_google_key,
        places_google_base_url,
        stripe_secret_key,
        stripe_publishable_key,
        stripe_webhook_secrets,
        stripe_api_base,
        stripe_allow_sandbox,
        log,
        log_json,
    } = settings;
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let proxies: Vec<String> = trusted_proxies.iter().map(ToString::to_string).collect();
    let covered = |value: &Option<SecretString>| if value.is_some() { "(set)" } else { "–" }.to_owned();
    vec![
        ("listen", listen.to_string()),
        ("data", data.display().to_string()),
        ("database_url", database_url.as_deref().map_or_else(|| "–".to_owned(), serve::without_password)),
        ("database_connections", database_connections.map_or_else(|| "–".to_owned(), |count| count.to_string())),
        ("demo", demo.to_string()),
        ("demo_quiet", demo_quiet.to_string()),
        ("demo_allow_public", demo_allow_public.to_string()),
        ("origins", origins.join(", ")),
        ("trusted_proxies", if proxies.is_empty() { "–".to_owned() } else { proxies.join(", ") }),
        ("idle_minutes", idle_minutes.to_string()),
        ("session_hours", session_hours.to_string()),
        ("hashing_permits", hashing_permits.to_string()),
        ("hashing_queue", hashing_queue.to_string()),
        ("live_streams_per_address", live_streams_per_address.to_string()),
        ("find_page", find_page.unwrap_or(*demo).to_string()),
        (
            "find_frame_ancestors",
            if find_frame_ancestors.is_empty() { "–".to_owned() } else { find_frame_ancestors.join(", ") },
        ),
        ("moved_address", text(moved_address)),
        ("support_phone", text(support_phone)),
        ("contact_email", text(contact_email)),
        ("foundation", text(foundation)),
        ("metrics_token", covered(metrics_token)),
        ("secret_key", covered(secret_key)),
        ("smtp_host", text(smtp_host)),
        ("smtp_port", smtp_port.to_string()),
        ("smtp_user", text(smtp_user)),
        ("smtp_password", covered(smtp_password)),
        ("smtp_from", text(smtp_from)),
        ("smtp_ca_file", smtp_ca_file.as_ref().map_or_else(|| "–".to_owned(), |file| file.display().to_string())),
        ("sms_provider", sms_provider.map_or("–", SmsProvider::as_str).to_owned()),
        ("twilio_account_sid", text(twilio_account_sid)),
        ("twilio_auth_token", covered(twilio_auth_token)),
        ("twilio_from", text(twilio_from)),
        ("twilio_messaging_service", text(twilio_messaging_service)),
        ("twilio_base_url", twilio_base_url.clone()),
        ("sms_webhook_url", sms_webhook_url.as_deref().map_or_else(|| "–".to_owned(), serve::without_password)),
        ("sms_webhook_secret", covered(sms_webhook_secret)),
        ("files_s3_bucket", text(files_s3_bucket)),
        ("files_s3_region", files_s3_region.clone()),
        ("files_s3_endpoint", text(files_s3_endpoint)),
        ("files_s3_access_key_id", text(files_s3_access_key_id)),
        ("files_s3_secret_access_key", covered(files_s3_secret_access_key)),
        ("places_provider", places_provider.as_str().to_owned()),
        ("places_photon_url", text(places_photon_url)),
        ("places_google_key", covered(places_google_key)),
        ("places_google_base_url", places_google_base_url.clone()),
        ("stripe_secret_key", covered(stripe_secret_key)),
        ("stripe_publishable_key", text(stripe_publishable_key)),
        ("stripe_webhook_secrets", covered(&stripe_webhook_secrets.first().cloned())),
        ("stripe_api_base", stripe_api_base.clone()),
        ("stripe_allow_sandbox", stripe_allow_sandbox.to_string()),
        ("log", log.clone()),
        ("log_json", log_json.to_string()),
    ]
}
