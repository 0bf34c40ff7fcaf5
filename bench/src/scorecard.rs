//! Compares the figures with the targets of the scorecard (security-and-proof 6.4).

use crate::book::{Book, Figures};
use crate::{search, today};

/// One target.
pub struct Row {
    /// Its number.
    pub number: &'static str,
    /// What is measured.
    pub what: String,
    /// The target in words.
    pub target: String,
    /// The figure in words.
    pub shown: String,
    /// True if the target is met; none if it was not measured.
    pub met: Option<bool>,
    /// Why it is missed, if known.
    pub cause: &'static str,
}

const OURS: &str = "berth, SQLite";
const POSTGRES: &str = "berth, PostgreSQL";

/// The direction of a target.
#[derive(Clone, Copy)]
enum Want {
    Most(f64),
    Least(f64),
}

/// Collects rows.
struct Card<'a> {
    book: &'a Book,
    rows: Vec<Row>,
}

impl Card<'_> {
    fn row(
        &mut self,
        number: &'static str,
        what: &str,
        want: Want,
        unit: &str,
        measured: Option<f64>,
        cause: &'static str,
    ) {
        let (sign, limit) = match want {
            Want::Most(limit) => ("≤", limit),
            Want::Least(limit) => ("≥", limit),
        };
        let measured = measured.filter(|value| value.is_finite());
        let met = measured.map(|value| match want {
            Want::Most(limit) => value <= limit,
            Want::Least(limit) => value >= limit,
        });
        let shown = measured.map_or_else(|| "not measured".to_owned(), |value| format!("{} {unit}", rounded(value)));
        let target = format!("{sign} {limit} {unit}");
        self.rows.push(Row { number, what: what.to_owned(), target, shown, met, cause });
    }

    fn cpu(&self, measure: &str, server: &str) -> Option<f64> {
        self.book.median(measure, server, |figures| figures.cpu)
    }

    /// CPU of `server` as a multiple of Berth's.
    fn better(&self, measure: &str, server: &str) -> Option<f64> {
        Some(self.cpu(measure, server)? / self.cpu(measure, OURS)?)
    }

    fn ratio(&self, (measure, server): (&str, &str), (other, than): (&str, &str)) -> Option<f64> {
        Some(self.cpu(measure, server)? / self.cpu(other, than)?)
    }
}

/// Formats a number with about three significant digits.
#[must_use]
pub fn rounded(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Every target.
#[must_use]
pub fn rows(book: &Book) -> Vec<Row> {
    let mut card = Card { book, rows: Vec::new() };
    reads(&mut card);
    writes(&mut card);
    platform(&mut card);
    whole(&mut card);
    card.rows
}

fn reads(card: &mut Card<'_>) {
    let own = card.cpu("P1", OURS);
    let far = "the way to SQLite's own thread and back, see docs/decisions/0021";
    card.row("P1", "board of 20 beds, CPU", Want::Most(0.10), "ms", own, far);
    let limit = card.ratio(("P1", OURS), ("P1", "axum, static bytes"));
    card.row("P1", "… of static bytes from axum", Want::Most(10.0), "×", limit, far);
    let bare = card.ratio(("P1", OURS), ("P1", "bare query and JSON"));
    card.row("P1", "… of the bare query and its JSON", Want::Most(1.3), "×", bare, far);
    let fastify = card.better("P1", "fastify");
    card.row("P1", "Fastify needs", Want::Least(2.0), "× our CPU", fastify, far);
    let fastapi = card.better("P1", "fastapi");
    card.row("P1", "FastAPI needs", Want::Least(12.0), "× our CPU", fastapi, far);
    card.row(
        "P1",
        "GNU Health 5.0.6 needed (quoted: 10.3 ms)",
        Want::Least(100.0),
        "× our CPU",
        own.map(|own| 10.3 / own),
        far,
    );
    card.row(
        "P1",
        "care, October 2024, needed (quoted: 15.6 ms)",
        Want::Least(150.0),
        "× our CPU",
        own.map(|own| 15.6 / own),
        far,
    );
    let postgres = card.ratio(("P1", POSTGRES), ("P1", OURS));
    card.row(
        "P10",
        "P1 on PostgreSQL, of its SQLite CPU",
        Want::Most(2.5),
        "×",
        postgres,
        "a query to another process costs more than the rest of the answer",
    );
}

fn writes(card: &mut Card<'_>) {
    let many = "some thirteen statements, five of them writes; the time in milliseconds depends on the machine's speed (docs/decisions/0055)";
    let create = card.cpu("P2", OURS);
    card.row("P2", "create a reservation, CPU", Want::Most(0.40), "ms", create, many);
    let fastapi = card.better("P2", "fastapi");
    card.row("P2", "… FastAPI needs", Want::Least(4.0), "× our CPU", fastapi, many);
    let assign = card.cpu("P3-assign", OURS);
    card.row("P3", "assign, CPU", Want::Most(0.30), "ms", assign, many);
    card.row(
        "P3",
        "… GNU Health needed (quoted: 11.5 ms)",
        Want::Least(35.0),
        "× our CPU",
        assign.map(|own| 11.5 / own),
        many,
    );
    card.row(
        "P3",
        "… care needed (quoted: 23.6 ms)",
        Want::Least(75.0),
        "× our CPU",
        assign.map(|own| 23.6 / own),
        many,
    );
    let swap = card.cpu("P3-swap", OURS);
    card.row("P3", "swap, CPU", Want::Most(0.40), "ms", swap, many);
    let group = card.book.more("P3-disk", OURS, "acknowledged a flush");
    card.row("P3", "acknowledged writes a flush, 16 clients", Want::Least(4.0), "", group, "");
    let late = card.book.median("P3-disk", OURS, |figures: &Figures| {
        let flush = figures.more.get("probe, ms a flush p50").copied().unwrap_or(f64::NAN);
        figures.met.all.p99 / (3.0 * flush + 5.0)
    });
    card.row(
        "P3",
        "p99 of 16 clients, of three flushes and 5 ms",
        Want::Most(1.0),
        "×",
        late,
        "the flush drifts within a run; the server's work stands in line too",
    );
    let rate = |measure: &str, server: &str| card.book.median(measure, server, Figures::rate);
    let share = rate("P3-disk-8", POSTGRES)
        .zip(card.book.more("P10-pgbench", "pgbench, 8 clients", "tps"))
        .map(|(own, limit)| own / limit);
    card.row(
        "P10",
        "assigns a second on PostgreSQL with 8 clients, of pgbench",
        Want::Least(0.6),
        "×",
        share,
        "12 round trips beside pgbench's five statements, on the same two cores",
    );
    for (server, name) in [(OURS, "SQLite"), (POSTGRES, "PostgreSQL")] {
        let losers = card
            .book
            .median("P4", server, |figures| figures.met.by_kind.get("contested 4xx").map_or(f64::NAN, |l| l.p99));
        card.row(
            "P4",
            &format!("losers of a contested bed, p99, {name}"),
            Want::Most(20.0),
            "ms",
            losers,
            "two flushes of this disk, one of the winner and one of the loser's own row in the trail",
        );
        let wrong = card.book.more("P4", server, "rounds without one winner");
        card.row("P4", &format!("rounds without exactly one winner, {name}"), Want::Most(0.0), "", wrong, "");
    }
}

fn platform(card: &mut Card<'_>) {
    for server in ["berth, SQLite, tier L", "berth, PostgreSQL, tier L"] {
        let late = card.book.median("P5", server, |figures| figures.met.all.p99);
        let cause = "the load maker and the server share two cores";
        card.row("P5", &format!("pages of the dashboard, p99, {server}"), Want::Most(3.0), "ms", late, cause);
        let ratio = card.book.more("P5", server, "plain SQL, times our p50");
        let small = "3,000 sites and 40,000 beds in tier L; the target was set for 10,000 and 200,000";
        card.row("P5", "… plain SQL needs", Want::Least(30.0), "× our p50", ratio, small);
        let rows = card.book.more("P6", server, "rows").unwrap_or_default();
        let (usual, late) = (
            card.book.median("P6", server, |figures| figures.met.all.p50),
            card.book.median("P6", server, |figures| figures.met.all.p99),
        );
        let what = format!("a page of the audit log anywhere in {rows:.0} rows, with their number, p50, {server}");
        card.row("P6", &what, Want::Most(1.0), "ms", usual, "");
        card.row("P6", "… p99", Want::Most(5.0), "ms", late, cause);
        let ratio = card.book.more("P6", server, "OFFSET and count, times our p50");
        card.row("P6", "… OFFSET and a count need", Want::Least(300.0), "× our p50", ratio, "");
        let first = card.book.more("P7", server, "first byte, ms p50");
        let counts = "the sites of all organizations are counted before the first rows are read";
        card.row("P7", &format!("all access users, first byte, {server}"), Want::Most(5.0), "ms", first, counts);
        let whole = card.book.median("P7", server, |figures| figures.met.all.p50);
        card.row("P7", "… the whole answer, not compressed", Want::Most(60.0), "ms", whole, "8 MB of JSON");
    }
}

/// Reads of past data in tier L on both engines.
fn records(card: &mut Card<'_>) {
    for server in ["berth, SQLite, tier L", "berth, PostgreSQL, tier L"] {
        let page = card.book.median("P12-history", server, |figures| figures.met.all.p50);
        card.row("P12", &format!("any page of a site's history, p50, {server}"), Want::Most(2.0), "ms", page, "");
        let ratio = card.book.more("P12-history", server, "OFFSET and count, times our p50");
        card.row("P12", "… OFFSET and a count need", Want::Least(1.0), "× our p50", ratio, "");
        for (figure, limit) in [("month of the site", 50.0), ("year of the organization", 1000.0)] {
            let value = card.book.more("P16", server, &format!("{figure}, ms p50"));
            card.row("P16", &format!("numbers: {figure}, p50, {server}"), Want::Most(limit), "ms", value, "");
        }
    }
}

/// Today and the search in tier L on both engines.
fn everywhere(card: &mut Card<'_>) {
    for server in ["berth, SQLite, tier L", "berth, PostgreSQL, tier L"] {
        for (measure, account) in today::CALLERS {
            let what = format!("Today from the cache, CPU, {}, {server}", account.name);
            card.row("P17", &what, Want::Most(0.15), "ms", card.cpu(measure, server), "");
            let ratio = card.book.more(measure, server, "plain SQL, times our CPU");
            card.row("P17", "… plain SQL needs", Want::Least(1.0), "× our CPU", ratio, "");
        }
        for account in search::CALLERS {
            let kind = format!("{} 2xx", account.name);
            let late =
                card.book.median("P18", server, |figures| figures.met.by_kind.get(&kind).map_or(f64::NAN, |l| l.p99));
            let what = format!("search, p99, {}, {server}", account.name);
            card.row("P18", &what, Want::Most(50.0), "ms", late, "");
            let ratio = card.book.more("P18", server, &format!("{}, plain SQL, times our p50", account.name));
            card.row("P18", "… plain SQL needs", Want::Least(1.0), "× our p50", ratio, "");
        }
    }
}

fn whole(card: &mut Card<'_>) {
    for (figure, what) in [
        ("ratio", "a password checked, of bare Argon2id"),
        ("ratio, two at once", "… two at once, of two bare ones at once"),
    ] {
        let ratio = card.book.more("P8", OURS, figure);
        let cause = "the session's rows and its token come on top; more is not known";
        card.row("P8", what, Want::Most(1.15), "×", ratio, cause);
    }
    for (measure, what, cause) in [
        (
            "P8-storm",
            "board p99 while 200 sign in, of p99 before",
            "hashing, boards and the load maker share two cores",
        ),
        (
            "P8-attack",
            "… who do not wait as they are told",
            "some 28,000 refusals a second: the load maker's 200 threads fill the cores, with one hashing at a time as well",
        ),
    ] {
        let times = card.book.more(measure, OURS, "board p99, times");
        card.row("P8", what, Want::Most(3.0), "×", times, cause);
    }
    let memory = card.book.median("P8-storm", OURS, |figures| {
        figures.memory - figures.more.get("memory before, MB").copied().unwrap_or(f64::NAN)
    });
    card.row("P8", "memory that 200 sign-ins add", Want::Most(64.0), "MB", memory, "");
    for (server, name) in [(OURS, "SQLite"), (POSTGRES, "PostgreSQL")] {
        let rate = card.book.median("P9", server, Figures::rate);
        let cause = "1 % sign-ins of 30 ms CPU each and the load maker share the two cores";
        card.row("P9", &format!("a mixed day, requests a second, {name}"), Want::Least(3000.0), "/s", rate, cause);
        let late =
            card.book.median("P9", server, |figures| figures.met.by_kind.get("read 2xx").map_or(f64::NAN, |l| l.p99));
        card.row("P9", &format!("… p99 of reads, {name}"), Want::Most(20.0), "ms", late, cause);
    }
    for tier in ["S", "M", "L"] {
        let server = format!("berth, SQLite, tier {tier}");
        if card.book.all("P11", &server).is_empty() {
            continue;
        }
        let own = "the pages of the program that a start touches are 14 MB of it (docs/decisions/0026)";
        let inside = "the web app, its compressed copies and the places are inside (docs/decisions/0026)";
        for (figure, limit, unit, cause) in
            [("ready, ms", 100.0, "ms", ""), ("idle, MB", 25.0, "MB", own), ("program, MB", 20.0, "MB", inside)]
        {
            let value = card.book.more("P11", &server, figure);
            card.row(
                "P11",
                &format!("{}, tier {tier}", figure.split(',').next().unwrap_or(figure)),
                Want::Most(limit),
                unit,
                value,
                cause,
            );
        }
    }
    let loaded = card.book.median("P9", OURS, |figures| figures.memory);
    card.row("P11", "memory after the mixed day", Want::Most(120.0), "MB", loaded, "");
    for (measure, what) in [("P12-board", "board"), ("P12-assign", "assign")] {
        for engine in ["SQLite", "PostgreSQL"] {
            let [large, small] = ["L", "S"].map(|tier| format!("berth, {engine}, tier {tier}"));
            let grown = card.ratio((measure, &large), (measure, &small));
            let cause = "deeper trees and a colder cache";
            let what = format!("{what} in tier L, CPU, of tier S, {engine}");
            card.row("P12", &what, Want::Most(1.2), "×", grown, cause);
        }
    }
    records(card);
    everywhere(card);
    for (measure, what) in [("P15-sites", "sites"), ("P15-organizations", "organizations")] {
        for server in ["berth, SQLite, tier S", "berth, SQLite, tier L", "berth, PostgreSQL, tier L"] {
            let ratio = card.ratio((measure, server), (measure, "axum, static bytes"));
            let what = format!("first page of {what}, CPU, of axum's static bytes, {server}");
            card.row(
                "P15",
                &what,
                Want::Most(20.0),
                "×",
                ratio,
                "one query of the session, and 25 rows of JSON to send",
            );
        }
    }
    let minutes =
        card.book.more("P14", OURS, "minutes").map_or_else(String::new, |minutes| format!(", {minutes} minutes"));
    let slope = card.book.more("P14", OURS, "MB an hour");
    card.row(
        "P14",
        &format!("growth of memory{minutes} of P9 in place of 30"),
        Want::Most(1.0),
        "MB an hour",
        slope,
        "a run this short cannot tell warmth from growth",
    );
    let errors = card.book.more("P14", OURS, "5xx");
    card.row("P14", "answers 5xx in it", Want::Most(0.0), "", errors, "");
    let browser = |name: &str| card.book.more("P13", "Chromium, CPU slowed 4×", name);
    let shared = "the slowed processor is one of two that other work shares";
    let figures = [
        (
            "500 beds: first render",
            "first render, ms",
            1500.0,
            "from the address on: the code, two answers, the page and the first houses",
        ),
        ("500 beds: longest task of the load", "longest task, ms", 500.0, shared),
        (
            "500 beds: frame while dragging, p95",
            "drag frame p95, ms",
            16.7,
            "below 17, no frame is left out: the page's clock has steps of 0.1",
        ),
    ];
    for (what, figure, limit, cause) in figures {
        card.row("P13", what, Want::Most(limit), "ms", browser(figure), cause);
    }
    let ordinary = card.book.more("P13", "Chromium", "first render, ms");
    card.row(
        "P13",
        "… first render, not slowed",
        Want::Most(1500.0),
        "ms",
        ordinary,
        "the load maker is the browser itself",
    );
}
