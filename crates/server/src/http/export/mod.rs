//! Exports of tables as files: CSV for all programs, XLSX for spreadsheets.

pub mod csv;
mod xlsx;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use berth_domain::time::Timestamp;

use crate::{Error, Result};

/// Maximum number of rows in a file.
pub const MAX_ROWS: usize = 10_000;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// A workbook of Excel 2007 and later.
    Xlsx,
}

impl Format {
    /// The extension of a file name.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A text, never a formula.
    Text(String),
    /// A number.
    Number(u32),
    /// A number that is written with at most two decimals.
    Decimal(f64),
    /// A day, such as `2026-12-01`.
    Day(String),
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Empty, Self::Text)
    }
}

/// A number with at most two decimals, as both files write it.
fn two_decimals(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The text above the column.
    pub head: &'static str,
    /// The width in characters.
    pub width: u16,
}

/// A table with the lines above its header.
#[derive(Debug)]
pub struct Table {
    /// The name of the sheet.
    pub name: &'static str,
    /// The lines above the table; the first one is its title.
    pub facts: Vec<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// Answers with a table as a file that browsers save and do not cache. `name` is without extension; `made_at` is the date in the
/// properties of a workbook.
///
/// # Errors
/// 500 if a workbook cannot be written.
pub async fn answer(name: &str, format: Format, table: Table, made_at: Timestamp) -> Result<Response> {
    let bytes = match format {
        Format::Csv => csv::table(&table),
        Format::Xlsx => {
            let made = tokio::task::spawn_blocking(move || xlsx::workbook(&table, made_at)).await;
            made.map_err(|error| Error::Internal(error.into()))?.map_err(|error| Error::Internal(error.into()))?
        }
    };
    let headers = [
        (header::CONTENT_TYPE, format.content_type().to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.{}\"", file_name(name), format.extension())),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

/// Returns a name for any file system: lower-case ASCII letters, digits and single hyphens, at most 80 characters.
fn file_name(text: &str) -> String {
    let mut name = String::new();
    for character in text.to_lowercase().chars() {
        if character.is_ascii_alphanumeric() {
            name.push(character);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(80);
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{file_name, two_decimals};

    #[test]
    fn a_file_name_is_safe_for_headers_and_file_systems() {
        assert_eq!(file_name("Berth Harbor House 2026-11-23"), "berth-harbor-house-2026-11-23");
        assert_eq!(file_name("../\"a\"\r\nSet-Cookie: x; Größe/"), "a-set-cookie-x-gr-e");
        assert_eq!(file_name(&"x".repeat(300)).len(), 80);
        assert_eq!(file_name("…"), "");
    }

    #[test]
    fn a_number_has_at_most_two_decimals() {
        assert_eq!(
            [0.0, 12.0, 33.333_33, 66.666_6, 4.5].map(|number| two_decimals(number).to_string()),
            ["0", "12", "33.33", "66.67", "4.5"]
        );
    }
}
