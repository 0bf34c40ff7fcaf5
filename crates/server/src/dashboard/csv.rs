//! CSV files for spreadsheets: UTF-8 with a byte order mark, RFC 4180, and no cell that a spreadsheet takes for a formula
//! (security-and-proof 5, attack 11).

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};

/// Rows that are written before they are sent.
const ROWS_AT_ONCE: usize = 500;

/// Adds a cell. A text that begins like a formula is given an apostrophe, which spreadsheets show as text: `=`, `+`, `-`,
/// `@`, tab and carriage return, also behind blanks, and their wide forms, which some spreadsheets read alike.
fn cell(text: &str, into: &mut String) {
    let first = text.trim_start_matches([' ', '\u{a0}', '\u{feff}', '\n', '"', '\'']).chars().next();
    let is_formula = first.is_some_and(|first| "=+-@\t\r＝＋－＠".contains(first));
    into.push('"');
    if is_formula {
        into.push('\'');
    }
    for character in text.chars().filter(|character| *character != '\0') {
        if character == '"' {
            into.push('"');
        }
        into.push(character);
    }
    into.push('"');
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

/// An answer with a file of `rows` under `head`, written as it is sent.
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

/// The same with a line above the head.
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
    // Compression asks once more after the end.
    (headers, Body::from_stream(chunks.fuse())).into_response()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn cells_are_quoted_and_never_begin_a_formula() {
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
            "\"'\r=x\"",
            "\"' @SUM(A1)\"",
            "\"'＝1\"",
            "\"'+1714\"",
            "\"two\r\nlines\"",
            "\"\"",
        ];
        assert_eq!(text, format!("{}\r\n", cells.join(",")));
    }
}
