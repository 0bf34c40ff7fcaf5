//! `berth-bench`: measures Berth and compares it with its limits and its peers. `make bench` runs it; `bench/README.md`
//! explains the results.

mod book;
mod client;
mod compare;
mod crowd;
mod database;
mod limits;
mod measures;
mod peers;
mod people;
mod picture;
mod place;
mod platform;
mod process;
mod proofs;
mod records;
mod report;
mod runner;
mod scorecard;
mod search;
mod today;
mod work;
mod world;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::book::Book;
use crate::place::{Place, Postgres};
use crate::runner::Bench;

/// Measures Berth and compares it with its limits and its peers.
#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Takes the measures that have no figures yet; run it inside scripts/with-postgres
    Run(Ask),
    /// Writes RESULTS.md and results.svg from figures
    Report {
        /// `results.json` of a run
        figures: PathBuf,
        /// Folder to write the page to
        folder: PathBuf,
    },
    /// A limit program: axum with static bytes
    #[command(hide = true)]
    Static {
        /// Port to listen on
        port: u16,
    },
}

#[derive(Debug, clap::Args)]
struct Ask {
    /// Folder with the sources of Berth
    #[arg(long, default_value = ".")]
    sources: PathBuf,
    /// The program `berth`, built with --release
    #[arg(long)]
    berth: PathBuf,
    /// An older program, to measure both in turns and write `comparison.md` beside the figures; it makes the worlds
    #[arg(long)]
    older: Option<PathBuf>,
    /// Folder for worlds, peers and figures
    #[arg(long, env = "BERTH_BENCH_DIR")]
    folder: PathBuf,
    /// A smoke run of a few minutes
    #[arg(long)]
    short: bool,
    /// Starts from scratch even if there are figures of this program
    #[arg(long)]
    fresh: bool,
    /// Skips the peers
    #[arg(long)]
    alone: bool,
    /// Runs of each server; the median counts [default: 5, with --short 1]
    #[arg(long)]
    rounds: Option<usize>,
    /// Only these measures, as in P1 or P3-disk; P3 is all of P3
    #[arg(long)]
    only: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    match Line::parse().command {
        Command::Run(ask) => measure(&ask),
        Command::Report { figures, folder } => {
            let book = Book::read(&figures)?;
            std::fs::write(folder.join("results.svg"), picture::draw(&book))?;
            let short = figures.file_stem().is_some_and(|name| name == "short");
            let proofs = figures.with_file_name(if short { "short-proofs.jsonl" } else { "proofs.jsonl" });
            let page = report::page(&book, short) + &proofs::section(&proofs)?;
            Ok(std::fs::write(folder.join("RESULTS.md"), page)?)
        }
        Command::Static { port } => limits::serve_static(port),
    }
}

fn measure(ask: &Ask) -> anyhow::Result<()> {
    let sources = ask.sources.canonicalize()?;
    let found = |path: &PathBuf| path.canonicalize().with_context(|| format!("{} is not built", path.display()));
    let berth = found(&ask.berth)?;
    let older = ask.older.as_ref().map(found).transpose()?;
    std::fs::create_dir_all(&ask.folder)?;
    let place = Place::open(sources, ask.folder.canonicalize()?, berth, older)?;
    let result = measure_in(&place, ask);
    place.leave();
    result
}

fn measure_in(place: &Place, ask: &Ask) -> anyhow::Result<()> {
    let file = place.folder.join(match (&ask.older, ask.short) {
        (Some(_), _) => "comparison.json",
        (None, true) => "short.json",
        (None, false) => "results.json",
    });
    if ask.fresh {
        let _ = std::fs::remove_file(&file);
    }
    let mut bench = Bench {
        postgres: Postgres::found()?,
        peers: if ask.alone { None } else { Some(peers::install(place)?) },
        book: Book::open(&file, place.identity()?),
        rounds: ask.rounds.unwrap_or(if ask.short { 1 } else { 5 }),
        short: ask.short,
        place: place.clone(),
    };
    bench.book.facts.extend(place.facts(&bench.postgres));
    bench.book.facts.insert("rounds".to_owned(), bench.rounds.to_string());
    bench.book.save()?;
    let fits =
        |name: &str, only: &str| name == only || name.strip_prefix(only).is_some_and(|rest| rest.starts_with('-'));
    let chosen = |name: &str| ask.only.is_empty() || ask.only.iter().any(|only| fits(name, only));
    for (name, measure) in measures::ALL.iter().filter(|(name, _)| chosen(name)) {
        let begun = std::time::Instant::now();
        let key = format!("broken off: {name}");
        bench.book.facts.remove(&key);
        if let Err(error) = measure(&mut bench) {
            // The other measures can still be taken; the page names this one.
            eprintln!("── {name} broke off: {error:#}");
            bench.book.facts.insert(key, format!("{error:#}").lines().next().unwrap_or_default().to_owned());
            bench.book.save()?;
        }
        if begun.elapsed().as_secs() > 0 {
            eprintln!("── {name}: {} s", begun.elapsed().as_secs());
        }
        if ask.older.is_some() {
            std::fs::write(place.folder.join("comparison.md"), compare::table(&bench.book))?;
        }
    }
    Ok(())
}
