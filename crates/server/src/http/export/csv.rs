//! CSV files for spreadsheets: RFC 4180 in UTF-8 with a byte order mark, without cells that a spreadsheet reads as a formula,
//! whichever separator it uses (security-and-proof 5, attack 11). Every CSV file of Berth is written here.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};

use super::{Cell, Table, two_decimals};

/// Number of rows in a chunk of the answer.
const ROWS_AT_ONCE: usize = 500;

/// Adds a cell. A text that would begin a formula gets an apostrophe, which makes spreadsheets show it as text.
///
/// A formula begins with `=`, `+`, `-`, `@`, a tab or a carriage return, possibly after blanks, or with one of their full-width
/// forms, which some spreadsheets treat alike. Where semicolons separate cells (most of Europe and Latin America), a spreadsheet
/// ignores the commas, so it may begin a cell after any separator or line break within one of these.
fn cell(text: &str, into: &mut String) {
    into.push('"');
    let first = text.trim_start_matches([' ', '\u{a0}', '\u{feff}', '"', '\'']).chars().next();
    if first.is_some_and(begins_formula) {
        into.push('\'');
    }
    let mut may_begin = false;
    for character in text.chars().filter(|character| *character != '\0') {
        if may_begin && begins_formula(character) {
            into.push('\'');
            may_begin = false;
        }
        may_begin = match character {
            ';' | ',' | '|' | '\t' | '\n' | '\r' => true,
            ' ' | '\u{a0}' | '\u{feff}' | '"' | '\'' => may_begin,
            _ => false,
        };
        if character == '"' {
            into.push('"');
        }
        into.push(character);
    }
    into.push('"');
}

const fn begins_formula(character: char) -> bool {
    matches!(character, '=' | '+' | '-' | '@' | '\t' | '\r' | '＝' | '＋' | '－' | '＠')
}

fn line<S: AsRef<str>>(cells: &[S], into: &mut String) {
    for (number, text) in cells.iter().enumerate() {
        if number > 0 {
            into.push(',');
        }
        cell(text.as_ref(), into);
    }
    into.push_str("\r\n");
}

/// Writes a table with the lines above its header.
pub(super) fn table(table: &Table) -> Vec<u8> {
    let mut text = String::from('\u{feff}');
    for fact in &table.facts {
        line(&[fact], &mut text);
    }
    line(&table.columns.iter().map(|column| column.head).collect::<Vec<_>>(), &mut text);
    for row in &table.rows {
        let cells: Vec<String> = row
            .iter()
            .map(|cell| match cell {
                Cell::Empty => String::new(),
                Cell::Text(text) | Cell::Day(text) => text.clone(),
                Cell::Number(number) => number.to_string(),
                Cell::Decimal(number) => two_decimals(*number).to_string(),
            })
            .collect();
        line(&cells, &mut text);
    }
    text.into_bytes()
}

/// Answers with a file of `rows` below `head`, streamed.
pub fn answer<T, const N: usize>(
    name: &'static str,
    head: [&'static str; N],
    rows: Vec<T>,
    cells: impl Fn(&T) -> [String; N] + Send + 'static,
) -> Response
where
    T: Send + 'static,
{
    answer_with_notice(name, None, head, rows, cells)
}

/// The same with a line above the header.
pub fn answer_with_notice<T, const N: usize>(
    name: &'static str,
    notice: Option<&'static str>,
    head: [&'static str; N],
    rows: Vec<T>,
    cells: impl Fn(&T) -> [String; N] + Send + 'static,
) -> Response
where
    T: Send + 'static,
{
    let mut first = String::from('\u{feff}');
    if let Some(notice) = notice {
        line(&[notice], &mut first);
    }
    line(&head, &mut first);
    let chunks = stream::unfold((Some(first), rows.into_iter(), cells), |(first, mut rows, cells)| async move {
        let is_first = first.is_some();
        let mut text = first.unwrap_or_default();
        for row in rows.by_ref().take(ROWS_AT_ONCE) {
            line(&cells(&row), &mut text);
        }
        let is_over = text.is_empty() && !is_first;
        (!is_over).then(|| (Ok::<_, Infallible>(Bytes::from(text)), (None, rows, cells)))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    // Compression polls once more after the end.
    (headers, Body::from_stream(chunks.fuse())).into_response()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn cells_are_quoted_and_never_start_a_formula() {
        let mut text = String::new();
        line(
            &["plain", "a \"b\", c", "=1+1", "\tx", "\r=x", " @SUM(A1)", "＝1", "+1714", "two\r\nlines", ""],
            &mut text,
        );
        let cells = [
            "\"plain\"",
            "\"a \"\"b\"\", c\"",
            "\"'=1+1\"",
            "\"'\tx\"",
            "\"'\r'=x\"",
            "\"' @SUM(A1)\"",
            "\"'＝1\"",
            "\"'+1714\"",
            "\"two\r\nlines\"",
            "\"\"",
        ];
        assert_eq!(text, format!("{}\r\n", cells.join(",")));
    }

    /// Cells as a spreadsheet reads them that separates by `separator` and knows quotes only at the beginning of a cell.
    fn read(text: &str, separator: char) -> Vec<String> {
        let mut cells = vec![String::new()];
        let (mut is_quoted, mut characters) = (false, text.trim_start_matches('\u{feff}').chars().peekable());
        while let Some(character) = characters.next() {
            let cell = cells.last_mut().unwrap();
            match character {
                '"' if is_quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
                '"' if is_quoted => is_quoted = false,
                '"' if cell.is_empty() => is_quoted = true,
                other if !is_quoted && (other == separator || other == '\n') => cells.push(String::new()),
                other => cell.push(other),
            }
        }
        cells
    }

    #[test]
    fn no_countrys_separator_turns_a_text_into_a_formula() {
        let hostile = [
            "x;=cmd|'/c calc'!A1",
            "x; =1+1",
            "x;\"=1+1\"",
            "x;\"\"=1+1",
            "\";=1+1;\"",
            "x\t=1+1",
            "x|=1+1",
            "x\n=1+1",
            "x\r\n +1",
            "x,=1+1",
            "x;-1",
            "x;＠A1",
            "';=1",
        ];
        for separator in [',', ';', '\t', '|'] {
            for first in hostile {
                for second in hostile {
                    let mut text = String::from('\u{feff}');
                    line(&["head", "head"], &mut text);
                    line(&[first, second], &mut text);
                    for cell in read(&text, separator) {
                        let begins = cell.trim_start_matches([' ', '"']).chars().next();
                        let is_formula = begins.is_some_and(|first| "=+-@\t＝＋－＠".contains(first));
                        assert!(!is_formula, "{separator:?}: {cell:?} of {text:?}");
                    }
                }
            }
        }
    }
}
