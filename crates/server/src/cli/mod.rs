//! The command line: `berth serve`, `migrate`, `create-admin`, `openapi`, `seed`, `doctor`, `audit verify`, `backup`,
//! `stripe-live-check` (DESIGN 9).
//!
//! Errors are printed as plain sentences; the exit code is 1 when something failed, 2 when the command line is wrong.

mod audit;
mod backup;
mod check;
mod create_admin;
pub mod data_folder;
mod doctor;
mod flags;
pub mod invariants;
mod migrate;
mod openapi;
mod seed;
pub mod serve;
mod shown;
mod stripe_live_check;
pub mod worlds;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use self::flags::Flags;
use self::worlds::Worlds;
use crate::settings::Settings;

/// Beds, reservations and guests of treatment housing.
#[derive(Debug, Parser)]
#[command(name = "berth", version)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves the web application and the API until it is stopped
    Serve(Flags),
    /// Brings the database up to this version, and ends
    Migrate(Flags),
    /// Makes someone a global admin and prints the invitation link
    CreateAdmin(create_admin::Args),
    /// Writes the OpenAPI document of the API to the standard output
    Openapi,
    /// Fills an empty database with a large made-up world, for measurements
    Seed(seed::Args),
    /// Shows the settings in force, tries the database and recounts what must always be true
    Doctor(Flags),
    /// Examines the audit trail
    #[command(subcommand)]
    Audit(audit::Command),
    /// Checks with a test key that Stripe does what Berth expects of it
    StripeLiveCheck(Flags),
    /// Copies the data folder while the server runs, and verifies the audit trail of the copy
    Backup(backup::Args),
}

/// Runs the command of the command line. `worlds` makes the data of the demo and of `berth seed`.
#[must_use]
pub fn main(worlds: &dyn Worlds) -> ExitCode {
    let matches = Line::command().get_matches();
    let result = Line::from_arg_matches(&matches).map_err(anyhow::Error::new).and_then(|line| {
        let (_, chosen) = matches.subcommand().unwrap_or(("", &matches));
        run(line.command, chosen, worlds)
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "berth: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, matches: &ArgMatches, worlds: &dyn Worlds) -> anyhow::Result<()> {
    match command {
        Command::Serve(flags) => start(flags.load(matches)?.settings, |settings| serve::run(settings, worlds)),
        Command::Migrate(flags) => start(flags.load(matches)?.settings, migrate::run),
        Command::CreateAdmin(args) => {
            let (flags, input) = args.split();
            start(flags.load(matches)?.settings, |settings| create_admin::run(settings, input))
        }
        Command::Openapi => openapi::run(),
        Command::Seed(args) => {
            let (flags, input) = args.split();
            start(flags.load(matches)?.settings, |settings| seed::run(settings, input, worlds))
        }
        Command::Doctor(flags) => {
            let loaded = flags.load(matches)?;
            start(loaded.settings, |settings| doctor::run(settings, loaded.origins))
        }
        Command::StripeLiveCheck(flags) => start(flags.load(matches)?.settings, stripe_live_check::run),
        Command::Audit(audit::Command::Verify(args)) => {
            let (flags, head) = args.split();
            let (_, chosen) = matches.subcommand().unwrap_or(("", matches));
            start(flags.load(chosen)?.settings, |settings| audit::verify(settings, head))
        }
        Command::Backup(args) => {
            let (flags, to) = args.split();
            start(flags.load(matches)?.settings, |settings| backup::run(settings, to))
        }
    }
}

/// Starts logging and the async runtime, then runs the command.
fn start<F>(settings: Settings, command: impl FnOnce(Settings) -> F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    let filter = EnvFilter::try_new(&settings.log)
        .map_err(|_| anyhow::anyhow!("log: write it as in info,berth_server=debug"))?;
    let colors = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colors).with_writer(std::io::stderr);
    if settings.log_json {
        log.json().init();
    } else {
        log.with_target(false).init();
    }
    data_folder::close_to_others();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(command(settings))
}

/// Prints a line to the standard output. A closed pipe is not an error.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
