//! Lists: `IN ($2..)`, and rows: `VALUES ($1..)`.
//!
//! Neither engine's way to bind a list is understood by the other (`json_each`, `= ANY`), so a literal writes the
//! marker `$2..` as the whole list, and [`expand`] puts `$2, $3, …` there; likewise [`expand_rows`] puts
//! `(?, ?), (?, ?), …` in the place of `($1..)` for SQLite. That, and the `COPY` that `PostgreSQL` gets in the place of
//! the latter, is the only SQL that is not a literal.

use crate::{Error, Result};

/// The most values bound by one statement: SQLite takes 32,766.
const MOST_VALUES: usize = 32_000;

/// The most rows of one statement. More are not faster, and SQLite keeps the text prepared.
const MOST_ROWS: usize = 128;

/// Where an `INSERT` wants its rows.
const ROWS: &str = "VALUES ($1..)";

/// Replaces the marker `${first}..` by `count` parameters. An empty list becomes `NULL`, which no value is `IN`; after
/// `NOT IN` that would be wrong, so there it is an error.
pub(crate) fn expand(text: &str, first: usize, count: usize) -> Result<String> {
    let marker = format!("${first}..");
    let Some((before, after)) = text.split_once(&marker) else {
        return Err(Error::misuse("bind_list needs a text with the marker of its parameter, as in IN ($2..)"));
    };
    if count == 0 {
        if before.trim_end_matches(['(', ' ']).to_ascii_uppercase().ends_with("NOT IN") {
            return Err(Error::misuse("NOT IN an empty list: leave the condition out instead"));
        }
        return Ok(format!("{before}NULL{after}"));
    }
    let parameters: Vec<String> = (first..first + count).map(|number| format!("${number}")).collect();
    Ok(format!("{before}{}{after}", parameters.join(", ")))
}

/// An `INSERT INTO table (a, b, …) VALUES ($1..)`, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Insert<'t> {
    /// `table (a, b, …)`
    pub(crate) target: &'t str,
    /// How many columns that names, 1 to [`MOST_VALUES`].
    pub(crate) columns: usize,
}

/// Takes the text of an insert apart.
pub(crate) fn insert(text: &str) -> Result<Insert<'_>> {
    let target = text.strip_prefix("INSERT INTO ").and_then(|rest| rest.strip_suffix(ROWS)).map(str::trim_end);
    let names = target.and_then(|target| target.strip_suffix(')')?.split_once('('));
    match (target, names.map(|(_, names)| names.split(',').count())) {
        (Some(target), Some(columns @ 1..=MOST_VALUES)) => Ok(Insert { target, columns }),
        _ => Err(Error::misuse("insert needs a text like INSERT INTO beds (id, name) VALUES ($1..)")),
    }
}

/// How many of `waiting` rows go into the next statement: a power of two, so that one literal becomes eight texts at most,
/// each prepared once a connection.
pub(crate) fn rows_at_once(columns: usize, waiting: usize) -> usize {
    let most = (MOST_VALUES / columns.max(1)).min(MOST_ROWS).min(waiting).max(1);
    1 << most.ilog2()
}

/// Puts `count` rows of `columns` parameters in the place of `($1..)`. They are `?`, since SQLite looks numbered ones up
/// in a list, which takes seconds for thousands of them.
pub(crate) fn expand_rows(text: &str, columns: usize, count: usize) -> Result<String> {
    let Some(before) = text.strip_suffix(ROWS) else {
        return Err(Error::misuse("insert needs a text that ends in VALUES ($1..)"));
    };
    let row = format!("({})", vec!["?"; columns].join(", "));
    Ok(format!("{before}VALUES {}", vec![row.as_str(); count].join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{Insert, MOST_VALUES, expand, expand_rows, insert, rows_at_once};

    #[test]
    fn a_list_becomes_one_parameter_for_each_item() {
        let text = expand("SELECT id FROM beds WHERE site_id = $1 AND id IN ($2..) ORDER BY id", 2, 3).unwrap();
        assert_eq!(text, "SELECT id FROM beds WHERE site_id = $1 AND id IN ($2, $3, $4) ORDER BY id");
    }

    #[test]
    fn nothing_is_in_an_empty_list() {
        assert_eq!(expand("id IN ($1..)", 1, 0).unwrap(), "id IN (NULL)");
    }

    #[test]
    fn not_in_an_empty_list_is_refused() {
        assert!(expand("id NOT IN ($1..)", 1, 0).is_err());
    }

    #[test]
    fn a_list_without_its_marker_is_refused() {
        assert!(expand("id IN ($1..)", 2, 1).is_err());
    }

    #[test]
    fn rows_become_parameters_in_the_place_of_their_marker() {
        let text = "INSERT INTO beds (id, name) VALUES ($1..)";
        assert_eq!(expand_rows(text, 2, 3).unwrap(), "INSERT INTO beds (id, name) VALUES (?, ?), (?, ?), (?, ?)");
        let one = "INSERT INTO marks (id) VALUES ($1..)";
        assert_eq!(expand_rows(one, 1, 2).unwrap(), "INSERT INTO marks (id) VALUES (?), (?)");
    }

    #[test]
    fn an_insert_names_its_columns() {
        let parts = insert("INSERT INTO beds (id, site_id, name) VALUES ($1..)").unwrap();
        assert_eq!(parts, Insert { target: "beds (id, site_id, name)", columns: 3 });
        assert_eq!(insert("INSERT INTO marks (id) VALUES ($1..)").unwrap().columns, 1);
        for text in [
            "INSERT INTO beds VALUES ($1..)",
            "INSERT INTO beds (id) VALUES ($1)",
            "INSERT INTO beds (id) VALUES ($1..) ON CONFLICT DO NOTHING",
            "id IN ($1..)",
        ] {
            assert!(insert(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_statement_never_binds_more_values_than_both_engines_take() {
        for columns in [1, 2, 3, 13, 29, 63, 1_000, 16_001, MOST_VALUES] {
            for waiting in [1, 2, 3, 511, 512, 513, 100_000] {
                let rows = rows_at_once(columns, waiting);
                assert!(rows.is_power_of_two() && rows <= waiting, "{columns} columns, {waiting} rows: {rows}");
                assert!(rows * columns <= MOST_VALUES, "{columns} columns, {waiting} rows: {rows}");
            }
        }
    }
}
