//! `RESULTS.md`: the scorecard, then the figures it is based on.

use std::fmt::Write;

use crate::book::{Book, Figures};
use crate::scorecard::{self, rounded};

/// Renders the page.
#[must_use]
pub fn page(book: &Book, short: bool) -> String {
    let rows = scorecard::rows(book);
    let fact = |name: &str| book.facts.get(name).map_or("unknown", String::as_str);
    let met = rows.iter().filter(|row| row.met == Some(true)).count();
    let missed = rows.iter().filter(|row| row.met == Some(false)).count();
    let open = rows.iter().filter(|row| row.met.is_none()).count();
    let mut text = String::from("# Results\n\n");
    if short {
        text.push_str("**A smoke run: everything works, no figure of it is to be quoted.**\n\n");
    }
    let _ = write!(
        text,
        "{met} targets met, {missed} missed, {open} not measured. Written by `make bench`; how it measures and what the peers do: \
         [README.md](README.md).\n\n![CPU per request, Berth beside its limits and its peers](results.svg)\n\n\
         | | |\n|---|---|\n| command | `make bench` |\n| machine | {} |\n| system | {} |\n| load before (1, 5, 15 minutes) | {} |\n\
         | date | {} |\n| commit | {} |\n| runs | median of {} interleaved runs |\n\
         | versions | {}, Node {}, {}, {}, Fastify {}, better-sqlite3 {}, FastAPI {}, SQLAlchemy {} |\n\n",
        fact("machine"),
        fact("system"),
        fact("load before"),
        fact("date"),
        fact("commit"),
        fact("rounds"),
        fact("rustc"),
        fact("node"),
        fact("python"),
        fact("postgres"),
        fact("fastify"),
        fact("better-sqlite3"),
        fact("fastapi"),
        fact("sqlalchemy"),
    );
    text.push_str(
        "## The scorecard\n\n| | what | target | measured | | cause, where missed |\n|---|---|---|---|---|---|\n",
    );
    for row in &rows {
        let (sign, cause) = match row.met {
            Some(true) => ("met", ""),
            Some(false) => ("**missed**", if row.cause.is_empty() { "not known" } else { row.cause }),
            None => ("–", ""),
        };
        let _ = writeln!(text, "| {} | {} | {} | {} | {sign} | {cause} |", row.number, row.what, row.target, row.shown);
    }
    text.push_str(
        "\nFigures of GNU Health and care are quoted from an earlier measurement on two cores, with their versions; they do more \
         a call, so only orders of magnitude count.\n\n## The figures\n\nMedians. CPU is of the whole process tree, database included.\n",
    );
    for (measure, servers) in &book.runs {
        let _ = write!(
            text,
            "\n### {measure}\n\n| server | CPU ms a request | requests/s | p50 ms | p99 ms | MB | other |\n|---|---|---|---|---|---|---|\n"
        );
        for (server, runs) in servers {
            let median =
                |figure: fn(&Figures) -> f64| rounded(book.median(measure, server, figure).unwrap_or(f64::NAN));
            let mut more: Vec<String> = runs
                .first()
                .into_iter()
                .flat_map(|first| first.more.keys())
                .filter_map(|name| Some(format!("{name}: {}", rounded(book.more(measure, server, name)?))))
                .collect();
            if let Some(broken) = runs.iter().find_map(|figures| figures.met.broken.as_ref()) {
                more.push(format!("**a client broke off: {broken}**"));
            }
            let unlike: usize =
                runs.iter().flat_map(|run| run.met.statuses.range(500..)).map(|(_, count)| *count).sum();
            if unlike > 0 {
                more.push(format!("answers 5xx: {unlike}"));
            }
            let _ = writeln!(
                text,
                "| {server} | {} | {} | {} | {} | {} | {} |",
                median(|figures| figures.cpu),
                median(Figures::rate),
                median(|figures| figures.met.all.p50),
                median(|figures| figures.met.all.p99),
                median(|figures| figures.memory),
                more.join("; ")
            );
        }
    }
    text
}
