//! Workbooks of one sheet for spreadsheets. Texts are written as strings, which a spreadsheet never takes for a formula, a link or a number.

use berth_domain::time::Timestamp;
use jiff::civil::Date;
use rust_xlsxwriter::{
    ColNum, DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder, RowNum, Workbook, Worksheet, XlsxError,
};

use super::{Cell, Table, two_decimals};

/// Maximum length of the text in a cell, in UTF-16 code units, set by spreadsheets.
const MAX_CELL_UNITS: usize = 32_767;
/// The paper size US Letter.
const LETTER: u8 = 1;

/// Writes a workbook with one sheet: the lines above the table, an empty row, the head, the rows.
///
/// # Errors
/// If the table has more rows or columns than a sheet can hold.
pub(super) fn workbook(table: &Table, made_at: Timestamp) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let made_at = ExcelDateTime::from_timestamp(made_at.millis() / 1000)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made_at));
    write(book.add_worksheet(), table)?;
    book.save_to_buffer()
}

fn write(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    let title = Format::new().set_bold().set_font_size(14);
    let head = Format::new().set_bold().set_border_bottom(FormatBorder::Thin);
    sheet.set_name(table.name)?;
    for (row, fact) in (0..).zip(&table.facts) {
        let format = if row == 0 { &title } else { &Format::default() };
        sheet.write_string_with_format(row, 0, in_cell(fact), format)?;
    }
    // An empty row keeps spreadsheets from taking the lines above for a part of the table.
    let head_row = row_number(table.facts.len() + 1)?;
    let mut last_column = 0;
    for (number, column) in (0..).zip(&table.columns) {
        sheet.set_column_width(number, column.width)?;
        sheet.write_string_with_format(head_row, number, column.head, &head)?;
        last_column = number;
    }
    let formats = Formats {
        text: Format::new().set_text_wrap().set_align(FormatAlign::Top),
        day: Format::new().set_num_format("yyyy-mm-dd"),
    };
    for (row, cells) in (head_row + 1..).zip(&table.rows) {
        for (number, cell) in (0..).zip(cells) {
            write_cell(sheet, (row, number), cell, &formats)?;
        }
    }
    sheet.autofilter(head_row, 0, head_row + row_number(table.rows.len())?, last_column)?;
    sheet.set_freeze_panes(head_row + 1, 0)?.set_repeat_rows(head_row, head_row)?;
    sheet.set_paper_size(LETTER).set_landscape().set_print_fit_to_pages(1, 0);
    Ok(())
}

/// The formats of the cells below the header.
struct Formats {
    text: Format,
    day: Format,
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, column): (RowNum, ColNum),
    cell: &Cell,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => {
            sheet.write_string_with_format(row, column, in_cell(text), &formats.text)?;
        }
        Cell::Number(number) => {
            sheet.write_number(row, column, *number)?;
        }
        Cell::Decimal(number) => {
            sheet.write_number(row, column, two_decimals(*number))?;
        }
        Cell::Day(day) => match day.parse::<Date>() {
            Ok(date) => {
                sheet.write_datetime_with_format(row, column, date, &formats.day)?;
            }
            Err(_) => {
                sheet.write_string(row, column, in_cell(day))?;
            }
        },
    }
    Ok(())
}

fn row_number(rows: usize) -> Result<RowNum, XlsxError> {
    RowNum::try_from(rows).map_err(|_| XlsxError::RowColumnLimitError)
}

/// Truncates a text to the length that a cell can hold.
fn in_cell(text: &str) -> String {
    let mut units = 0;
    let fits = |character: &char| {
        units += character.len_utf16();
        units <= MAX_CELL_UNITS
    };
    text.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use berth_domain::time::Timestamp;
    use zip::ZipArchive;

    use super::workbook;
    use crate::http::export::{Cell, Column, Table};

    /// A part of the workbook of a table.
    fn part(table: &Table, name: &str) -> String {
        let bytes = workbook(table, Timestamp::from_millis(1_772_474_400_000)).unwrap();
        let mut text = String::new();
        ZipArchive::new(Cursor::new(bytes)).unwrap().by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    fn table(heads: &[&'static str], rows: Vec<Vec<Cell>>) -> Table {
        let columns = heads.iter().map(|head| Column { head, width: 10 }).collect();
        Table { name: "Beds", facts: vec!["=fact".to_owned()], columns, rows }
    }

    #[test]
    fn no_text_of_a_workbook_is_a_formula_a_number_or_markup() {
        let written = ["=1+1", "+1", "-1", "@SUM(A1)", "<b>&", "x_x000D_y", "2"];
        let rows = written.iter().map(|text| vec![Cell::Text((*text).to_owned())]).collect();
        let table = table(&["=head"], rows);
        let sheet = part(&table, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f>"), "{sheet}");
        assert_eq!(sheet.matches("t=\"s\"").count(), written.len() + 2, "every cell is a string: {sheet}");
        let strings = part(&table, "xl/sharedStrings.xml");
        for shown in ["=1+1", "+1", "-1", "@SUM(A1)", "&lt;b&gt;&amp;", "x_x005F_x000D_y", "2", "=fact", "=head"] {
            assert!(strings.contains(&format!("<t>{shown}</t>")), "{shown}: {strings}");
        }
        assert!(
            part(&table, "docProps/core.xml").contains(">2026-03-02T18:00:00Z<"),
            "the caller sets the creation time"
        );
    }

    #[test]
    fn a_text_longer_than_a_cell_is_cut() {
        let table = table(&["Text"], vec![vec![Cell::Text("😀".repeat(20_000))]]);
        assert_eq!(part(&table, "xl/sharedStrings.xml").matches('😀').count(), 16_383);
    }

    #[test]
    fn numbers_and_dates_have_their_types_and_an_empty_table_is_a_valid_workbook() {
        let heads = ["Days", "Day", "Empty"];
        let row = vec![Cell::Number(7), Cell::Day("2026-12-01".to_owned()), Cell::Empty];
        let sheet = part(&table(&heads, vec![row]), "xl/worksheets/sheet1.xml");
        assert!(sheet.contains("<c r=\"A4\"><v>7</v></c>"), "{sheet}");
        assert!(sheet.contains("<v>46357</v>"), "{sheet}");
        assert!(sheet.contains("<autoFilter ref=\"A3:C4\"/>"), "{sheet}");
        assert!(part(&table(&heads, Vec::new()), "xl/worksheets/sheet1.xml").contains("<autoFilter ref=\"A3:C3\"/>"));
    }
}
