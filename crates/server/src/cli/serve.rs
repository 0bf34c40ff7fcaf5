//! `berth serve`: opens and migrates the database, serves until a signal, and finishes open requests before it ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use berth_db::{Db, Options};
use futures_util::StreamExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::admin::audit_log::seals;
use crate::app::{Clock, Random};
use crate::billing::payments::{self, Payments};
use crate::cli::data_folder;
use crate::cli::worlds::{PASSWORD, Worlds};
use crate::http::{connections, demo_guard, requester};
use crate::integrations::live;
use crate::jobs::channels::Channels;
use crate::jobs::{self, name_keys};
use crate::settings::Settings;
use crate::{App, cli, routes};

/// Time that open requests get to finish after a signal.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);

/// Serves until SIGTERM or SIGINT; with `--demo` the demo of `worlds`.
///
/// # Errors
/// A sentence that says what to do.
pub async fn run(mut settings: Settings, worlds: &dyn Worlds) -> anyhow::Result<()> {
    settings.clone().checked()?;
    let _lock = lock(&settings)?;
    let listener =
        TcpListener::bind(settings.listen).await.with_context(|| format!("cannot listen on {}", settings.listen))?;
    // With port 0 the system chooses one, and links must use it.
    settings.listen = listener.local_addr()?;
    let settings = settings.checked()?;
    demo_guard::may_serve(&settings)?;
    payments::may_serve(&settings)?;
    let channels = Channels::open(&settings)?;
    let db = open(&settings).await?;
    migrate(&db).await?;
    demo_guard::may_serve_data(&settings, demo_guard::Data::of(&db).await?)?;
    let customers = if settings.demo { worlds.demo_customers() } else { &[] };
    let payments = Payments::new(&settings, &db, customers);
    let app = App::with_payments(db, settings, Clock::System, Random::System, payments);
    seals::follow(&app).await?;
    if app.settings.demo {
        worlds.fill_demo(&app).await?;
    }

    let stop = CancellationToken::new();
    let jobs = jobs::start(app.clone(), Arc::new(channels), stop.clone());
    let relay = tokio::spawn(live::relay(app.clone(), live::listen(&app).await));
    let router = routes::build(app.clone());
    if app.settings.demo {
        tokio::spawn(worlds.send_demo_reservations(app.clone(), router.clone(), stop.clone()));
        print_demo(&app.settings, worlds);
    }
    if let Some(warning) = requester::proxy_warning(&app.settings) {
        tracing::warn!("{warning}");
    }
    tracing::info!(address = %app.settings.listen, "Berth serves");
    tokio::spawn(wait_for_signal(stop.clone()));

    let streams = stop.clone();
    let router = router.layer(middleware::from_fn(move |request, next| end_streams(streams.clone(), request, next)));
    tokio::select! {
        () = connections::serve(listener, router, connections::TimeLimits::default(), stop.clone()) => {}
        () = async { stop.cancelled().await; tokio::time::sleep(DRAIN_TIMEOUT).await } => {
            tracing::warn!("requests still run after {} seconds and are aborted", DRAIN_TIMEOUT.as_secs());
        }
    }
    stop.cancel();
    relay.abort();
    jobs.await.context("the jobs failed")?;
    if let Err(error) = app.reads.flush(&app).await {
        tracing::error!(error = %error, "the last reads could not be put on record");
    }
    if let Err(error) = seals::run(&app).await {
        tracing::warn!(error = %error, "the newest rows of the audit trail were not sealed; the next start does it");
    }
    app.db.close().await;
    tracing::info!("Berth has stopped");
    Ok(())
}

/// Prints where the demo is and how to sign in to it.
fn print_demo(settings: &Settings, worlds: &dyn Worlds) {
    let origin = settings.origins.first().map(String::as_str).unwrap_or_default();
    cli::say("");
    cli::say(&format!("  Berth demo   {origin}"));
    cli::say(&format!("  Messages     {origin}/dev/outbox   (sign-in codes arrive here)"));
    cli::say(&format!("  API          {origin}/api/docs"));
    cli::say("");
    cli::say(&format!("  Accounts, all with the password {PASSWORD}"));
    for account in worlds.demo_accounts() {
        cli::say(&format!("    {:<26} {}", account.email, account.role));
    }
    cli::say("");
    cli::say(&format!("  Data         {}   (Ctrl+C ends the demo and keeps the data)", settings.data.display()));
    cli::say("");
}

/// Opens the database; creates the data folder, closed to other accounts.
///
/// # Errors
/// A sentence that names the database, without its password.
pub async fn open(settings: &Settings) -> anyhow::Result<Db> {
    open_with(settings, Options::default()).await
}

/// The same with other options; the settings decide the number of connections.
pub async fn open_with(settings: &Settings, mut options: Options) -> anyhow::Result<Db> {
    let url = settings.database();
    data_folder::prepare(settings)?;
    if let Some(connections) = settings.database_connections {
        options.max_connections = connections;
        options.readers = connections;
    }
    Db::open_with(&url, options).await.with_context(|| format!("cannot open {}", without_password(&url)))
}

/// Migrates the tables and their contents to this version.
pub async fn migrate(db: &Db) -> anyhow::Result<()> {
    const FAILED: &str = "the database could not be brought up to this version";
    db.migrate().await.context(FAILED)?;
    name_keys::renew(db).await.context(FAILED)?;
    Ok(())
}

/// Returns an address without its password.
#[must_use]
pub fn without_password(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(mut url) if url.password().is_some() => {
            // It has a password, so it can have one.
            let _ = url.set_password(Some("***"));
            url.into()
        }
        _ => address.to_owned(),
    }
}

/// Locks a SQLite database for this process: with a second server, caches would be wrong. The lock ends with the process.
fn lock(settings: &Settings) -> anyhow::Result<Option<File>> {
    let url = settings.database();
    let Some(database) = url.strip_prefix("sqlite:").map(|path| Path::new(path.strip_prefix("//").unwrap_or(path)))
    else {
        return Ok(None);
    };
    let folder = database.parent().unwrap_or(&settings.data);
    data_folder::create(folder)?;
    let path = database.with_extension("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .with_context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => anyhow::bail!(
            "another `berth serve` is using the data folder {}. Stop it first, or choose another folder with --data. \
             To run several servers together, give them one PostgreSQL with --database-url.",
            folder.display()
        ),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock the data folder {}", folder.display()))
        }
    }
}

/// Waits for SIGTERM (service managers) or SIGINT (Ctrl+C), then cancels `stop`.
async fn wait_for_signal(stop: CancellationToken) {
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be received; kill this process to stop it");
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping; open requests finish first");
    stop.cancel();
}

/// Ends live streams when `stop` is canceled, because they never end by themselves. Browsers reconnect.
async fn end_streams(stop: CancellationToken, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.headers().get(header::CONTENT_TYPE) != Some(&HeaderValue::from_static("text/event-stream")) {
        return response;
    }
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(stop.cancelled_owned())))
}
