//! Lists: `IN ($2..)`, and rows: `VALUES ($1..)`.
//!
//! The engines bind a list in different ways (`json_each`, `= ANY`), so a SQL text writes a list as the marker `$2..`, which
//! [`expand`] replaces by `$2, $3, …`. Likewise [`expand_rows`] replaces `($1..)` by `($1, $2), ($3, $4), …`. No other SQL is
//! built at run time.

use std::fmt::Write;

use crate::{Engine, Error, Result};

/// Maximum number of values of a statement: SQLite allows 32,766, `PostgreSQL` 65,535.
const MAX_VALUES: usize = 32_000;

/// Maximum number of rows of a statement. More are not faster, and the prepared text takes memory.
const MAX_ROWS: usize = 128;

/// The marker for the rows of an `INSERT`.
const ROWS: &str = "VALUES ($1..)";

/// Replaces the marker `${first}..` by `count` parameters. An empty list becomes `IN (NULL)`, which matches nothing; after
/// `NOT IN` it is an error, since `NOT IN (NULL)` matches nothing either.
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

/// Returns the number of columns that an `INSERT INTO table (a, b, …) VALUES ($1..)` names, 1 to [`MAX_VALUES`].
pub(crate) fn columns(text: &str) -> Result<usize> {
    let names = text
        .split_once(ROWS)
        .and_then(|(before, _)| before.trim_end().strip_suffix(')')?.rsplit_once('('))
        .map(|(_, names)| names.split(',').count());
    match names {
        Some(count @ 1..=MAX_VALUES) => Ok(count),
        _ => Err(Error::misuse("insert needs a text like INSERT INTO beds (id, name) VALUES ($1..)")),
    }
}

/// Returns how many of `waiting` rows the next statement inserts: a power of two, so that a literal becomes at most eight texts,
/// each prepared once for each connection.
pub(crate) fn rows_at_once(columns: usize, waiting: usize) -> usize {
    let most = (MAX_VALUES / columns.max(1)).min(MAX_ROWS).min(waiting).max(1);
    1 << most.ilog2()
}

/// Replaces `($1..)` by `count` rows of `columns` parameters. For SQLite they are `?`, since it looks numbered parameters up in a
/// list, which takes seconds for thousands of them.
pub(crate) fn expand_rows(text: &str, columns: usize, count: usize, engine: Engine) -> Result<String> {
    let Some((before, after)) = text.split_once(ROWS) else {
        return Err(Error::misuse("insert needs a text with VALUES ($1..)"));
    };
    let mut expanded = String::with_capacity(text.len() + count * columns * 8);
    expanded.push_str(before);
    expanded.push_str("VALUES ");
    for value in 0..count * columns {
        expanded.push_str(match (value % columns, value) {
            (0, 0) => "(",
            (0, _) => "), (",
            _ => ", ",
        });
        match engine {
            Engine::Sqlite => expanded.push('?'),
            // Writing to a String does not fail.
            Engine::Postgres => drop(write!(expanded, "${}", value + 1)),
        }
    }
    expanded.push(')');
    expanded.push_str(after);
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use super::{MAX_VALUES, columns, expand, expand_rows, rows_at_once};
    use crate::Engine;

    #[test]
    fn a_list_becomes_one_parameter_for_each_item() {
        let text = expand("SELECT id FROM beds WHERE site_id = $1 AND id IN ($2..) ORDER BY id", 2, 3).unwrap();
        assert_eq!(text, "SELECT id FROM beds WHERE site_id = $1 AND id IN ($2, $3, $4) ORDER BY id");
    }

    #[test]
    fn an_empty_list_matches_nothing() {
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
    fn rows_become_parameters_at_their_marker() {
        let text = "INSERT INTO beds (id, name) VALUES ($1..) ON CONFLICT (id) DO NOTHING";
        let expected = "INSERT INTO beds (id, name) VALUES ($1, $2), ($3, $4), ($5, $6) ON CONFLICT (id) DO NOTHING";
        assert_eq!(expand_rows(text, 2, 3, Engine::Postgres).unwrap(), expected);
        let expected = "INSERT INTO beds (id, name) VALUES (?, ?), (?, ?), (?, ?) ON CONFLICT (id) DO NOTHING";
        assert_eq!(expand_rows(text, 2, 3, Engine::Sqlite).unwrap(), expected);
        let one = "INSERT INTO marks (id) VALUES ($1..)";
        assert_eq!(expand_rows(one, 1, 2, Engine::Postgres).unwrap(), "INSERT INTO marks (id) VALUES ($1), ($2)");
    }

    #[test]
    fn the_columns_of_an_insert_are_counted() {
        assert_eq!(columns("INSERT INTO beds (id, site_id, name) VALUES ($1..)").unwrap(), 3);
        assert_eq!(columns("INSERT INTO marks (id) VALUES ($1..)").unwrap(), 1);
        for text in ["INSERT INTO beds VALUES ($1..)", "INSERT INTO beds (id) VALUES ($1)", "id IN ($1..)"] {
            assert!(columns(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_statement_never_binds_more_values_than_both_engines_allow() {
        for columns in [1, 2, 3, 13, 29, 63, 1_000, 16_001, MAX_VALUES] {
            for waiting in [1, 2, 3, 511, 512, 513, 100_000] {
                let rows = rows_at_once(columns, waiting);
                assert!(rows.is_power_of_two() && rows <= waiting, "{columns} columns, {waiting} rows: {rows}");
                assert!(rows * columns <= MAX_VALUES, "{columns} columns, {waiting} rows: {rows}");
            }
        }
    }
}
