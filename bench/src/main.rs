//! `berth-bench`: measures Berth beside its limits and its peers. `make bench` runs it; `bench/README.md` tells how to read
//! what comes out.

mod book;
mod client;
mod crowd;
mod database;
mod limits;
mod measures;
mod peers;
mod place;
mod process;
mod runner;
mod work;
mod world;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::book::Book;
use crate::place::{Place, Postgres};
use crate::runner::Bench;

/// Measures Berth beside its limits and its peers.
#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measures what has no figures yet; needs scripts/with-postgres around it
    Run(Ask),
    /// A limit program: axum with static bytes
    #[command(hide = true)]
    Static {
        /// Where it listens
        port: u16,
    },
}

#[derive(Debug, clap::Args)]
struct Ask {
    /// The sources of Berth
    #[arg(long, default_value = ".")]
    sources: PathBuf,
    /// The program `berth`, built with --release
    #[arg(long)]
    berth: PathBuf,
    /// Where worlds, peers and figures are kept
    #[arg(long, env = "BERTH_BENCH_DIR")]
    folder: PathBuf,
    /// A smoke run of a few minutes
    #[arg(long)]
    short: bool,
    /// Begins anew though there are figures of this program
    #[arg(long)]
    fresh: bool,
    /// Runs of each server, of which the median counts [default: 5, with --short 1]
    #[arg(long)]
    rounds: Option<usize>,
    /// Only measures whose number begins so, as in P1 or P3-disk
    #[arg(long)]
    only: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    match Line::parse().command {
        Command::Run(ask) => measure(&ask),
        Command::Static { port } => limits::serve_static(port),
    }
}

fn measure(ask: &Ask) -> anyhow::Result<()> {
    let sources = ask.sources.canonicalize()?;
    let berth = ask.berth.canonicalize().with_context(|| format!("{} is not built", ask.berth.display()))?;
    std::fs::create_dir_all(&ask.folder)?;
    let place = Place::open(sources, ask.folder.canonicalize()?, berth)?;
    let result = measure_in(&place, ask);
    place.leave();
    result
}

fn measure_in(place: &Place, ask: &Ask) -> anyhow::Result<()> {
    let file = place.folder.join(if ask.short { "short.json" } else { "results.json" });
    if ask.fresh {
        let _ = std::fs::remove_file(&file);
    }
    let mut bench = Bench {
        postgres: Postgres::found()?,
        peers: peers::install(place)?,
        book: Book::open(&file, place.identity()?),
        rounds: ask.rounds.unwrap_or(if ask.short { 1 } else { 5 }),
        short: ask.short,
        place: place.clone(),
    };
    bench.book.facts.extend(place.facts(&bench.postgres));
    let chosen = |name: &str| ask.only.is_empty() || ask.only.iter().any(|only| name.starts_with(only.as_str()));
    for (name, measure) in measures::ALL.iter().filter(|(name, _)| chosen(name)) {
        let begun = std::time::Instant::now();
        measure(&mut bench).with_context(|| (*name).to_owned())?;
        if begun.elapsed().as_secs() > 0 {
            eprintln!("── {name}: {} s", begun.elapsed().as_secs());
        }
    }
    Ok(())
}
