//! The table that compares two programs: what each figure of the newer one is, of that of the older one.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::book::{Book, Figures};
use crate::runner::OLDER;

/// A figure by which programs are compared: its name, and its value in a run.
type Figure = (String, Box<dyn Fn(&Figures) -> f64>);

/// The table in Markdown; empty if no older program was measured. Each cell has the median and the range of the runs.
#[must_use]
pub fn table(book: &Book) -> String {
    let mut rows = String::new();
    for (measure, servers) in &book.runs {
        for (older, before) in servers.iter().filter(|(name, _)| name.starts_with(OLDER)) {
            let now = older
                .strip_prefix(OLDER)
                .into_iter()
                .flat_map(|rest| [format!("berth{rest}"), rest[1..].trim().to_owned()]);
            let Some((newer, now)) = now.into_iter().find_map(|name| servers.get_key_value(&name)) else { continue };
            for (name, value) in figures(before) {
                let [was, is] = [before, now].map(|runs| Spread::of(runs, &value));
                if was.median != 0.0 {
                    let _ = writeln!(
                        rows,
                        "| {measure} | {newer} | {name} | {was} | {is} | {:.2} × |",
                        is.median / was.median
                    );
                }
            }
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!("| | server | figure | older | newer | newer, of older |\n|---|---|---|---|---|---|\n{rows}")
}

/// The figures that the runs of a server have.
fn figures(runs: &[Figures]) -> Vec<Figure> {
    let mut all: Vec<Figure> = Vec::new();
    if runs.iter().any(|run| run.met.requests > 0) {
        all.push(("CPU, ms".to_owned(), Box::new(|run| run.cpu)));
        all.push(("requests a second".to_owned(), Box::new(Figures::rate)));
        all.push(("p50, ms".to_owned(), Box::new(|run| run.met.all.p50)));
        all.push(("p99, ms".to_owned(), Box::new(|run| run.met.all.p99)));
        all.push(("memory, MB".to_owned(), Box::new(|run| run.memory)));
    }
    let own: BTreeSet<&String> = runs.iter().flat_map(|run| run.more.keys()).collect();
    for name in own {
        let key = name.clone();
        all.push((name.clone(), Box::new(move |run| run.more.get(&key).copied().unwrap_or(f64::NAN))));
    }
    all
}

/// The median of some runs, and their range.
struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    fn of(runs: &[Figures], value: &dyn Fn(&Figures) -> f64) -> Self {
        let mut values: Vec<f64> = runs.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
        let last = values.len().saturating_sub(1);
        Self { median: f64::midpoint(at(last / 2), at(last.div_ceil(2))), least: at(0), most: at(last) }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{} ({} to {})", short(self.median), short(self.least), short(self.most))
    }
}

/// Three digits.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(measure: &str, servers: &[(&str, &[f64])]) -> Book {
        let run = |value: &f64| Figures::only(&[("first byte, ms", *value)]);
        let servers = servers.iter().map(|(name, runs)| ((*name).to_owned(), runs.iter().map(run).collect()));
        let mut book = Book::default();
        book.runs.insert(measure.to_owned(), servers.collect());
        book
    }

    #[test]
    fn medians_of_both_programs_stand_in_one_row() {
        let book = book("P7", &[("older berth, SQLite", &[4.0, 2.0, 3.0]), ("berth, SQLite", &[1.0, 2.0, 1.5])]);
        let row = "| P7 | berth, SQLite | first byte, ms | 3.00 (2.00 to 4.00) | 1.50 (1.00 to 2.00) | 0.50 × |";
        assert!(table(&book).contains(row), "{}", table(&book));
    }

    #[test]
    fn the_browser_is_compared_too() {
        let book = book("P13", &[("older berth, Chromium", &[2.0]), ("Chromium", &[3.0])]);
        assert!(
            table(&book).contains("| P13 | Chromium | first byte, ms | 2.00 (2.00 to 2.00) | 3.00"),
            "{}",
            table(&book)
        );
    }

    #[test]
    fn without_an_older_program_there_is_no_table() {
        assert_eq!(table(&book("P7", &[("berth, SQLite", &[1.0])])), "");
    }
}
