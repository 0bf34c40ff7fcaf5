//! Workbooks of one sheet for spreadsheets (ECMA-376, Office Open XML): a ZIP archive of a few XML parts. Texts are inline strings, which
//! a spreadsheet never takes for a formula, a link or a number. Written by hand, because a library brings
//! six crates for what these parts say.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use berth_domain::time::Timestamp;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use jiff::civil::{Date, date};

use super::{Cell, Table};

/// Maximum number of characters in a cell, set by spreadsheets.
const MAX_CELL_CHARS: usize = 32_767;
/// Formats of cells: indexes of `cellXfs` in [`STYLES`].
const PLAIN: u8 = 0;
const TITLE: u8 = 1;
const HEAD: u8 = 2;
const DAY: u8 = 3;
const WRAPPED: u8 = 4;

static XML: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;
static CONTENT_TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>"#;
static PACKAGE: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>"#;
static PARTS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
static STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="14"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0" applyFont="1" applyBorder="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>"#;

/// Writes a workbook with one sheet: the lines above the table, an empty row, the head, the rows.
///
/// # Errors
/// If it grows beyond 4 GiB.
pub(super) fn workbook(table: &Table, made_at: Timestamp) -> io::Result<Vec<u8>> {
    // An empty row keeps spreadsheets from taking the lines above for a part of the table.
    let head = table.facts.len() + 2;
    let whole = format!("$A${head}:${}${}", column(table.columns.len().max(1) - 1), head + table.rows.len());
    let name = escaped(table.name);
    let book = format!(
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="{name}" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">{name}!{whole}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">{name}!${head}:${head}</definedName></definedNames></workbook>"#
    );
    let properties = format!(
        r#"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dcterms:created xsi:type="dcterms:W3CDTF">{made_at}</dcterms:created></cp:coreProperties>"#
    );
    archive(&[
        ("[Content_Types].xml", CONTENT_TYPES),
        ("_rels/.rels", PACKAGE),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", PARTS),
        ("xl/styles.xml", STYLES),
        ("xl/worksheets/sheet1.xml", &sheet(table, head, &whole.replace('$', ""))),
        ("docProps/core.xml", &properties),
    ])
}

/// The sheet. `head` is the number of the row of the heads, `whole` the range of the table with its heads.
fn sheet(table: &Table, head: usize, whole: &str) -> String {
    let mut xml = format!(
        r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="{head}" topLeftCell="A{}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>"#,
        head + 1
    );
    for (number, column) in (1..).zip(&table.columns) {
        let width = column.width;
        push(&mut xml, format_args!(r#"<col min="{number}" max="{number}" width="{width}" customWidth="1"/>"#));
    }
    xml.push_str("</cols><sheetData>");
    for (number, fact) in (1..).zip(&table.facts) {
        push(&mut xml, format_args!(r#"<row r="{number}">"#));
        push_text(&mut xml, (0, number), if number == 1 { TITLE } else { PLAIN }, fact);
        xml.push_str("</row>");
    }
    push(&mut xml, format_args!(r#"<row r="{head}">"#));
    for (number, column) in table.columns.iter().enumerate() {
        push_text(&mut xml, (number, head), HEAD, column.head);
    }
    xml.push_str("</row>");
    for (row, cells) in (head + 1..).zip(&table.rows) {
        push(&mut xml, format_args!(r#"<row r="{row}">"#));
        for (number, cell) in cells.iter().enumerate() {
            push_cell(&mut xml, (number, row), cell);
        }
        xml.push_str("</row>");
    }
    push(
        &mut xml,
        format_args!(
            r#"</sheetData><autoFilter ref="{whole}"/><pageSetup paperSize="1" orientation="landscape" fitToHeight="0"/></worksheet>"#
        ),
    );
    xml
}

fn push(xml: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = xml.write_fmt(text);
}

fn push_cell(xml: &mut String, at: (usize, usize), cell: &Cell) {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => push_text(xml, at, WRAPPED, text),
        Cell::Number(number) => push(xml, format_args!(r#"<c r="{}{}"><v>{number}</v></c>"#, column(at.0), at.1)),
        Cell::Day(day) => match day_number(day) {
            Some(number) => push(xml, format_args!(r#"<c r="{}{}" s="{DAY}"><v>{number}</v></c>"#, column(at.0), at.1)),
            None => push_text(xml, at, PLAIN, day),
        },
    }
}

fn push_text(xml: &mut String, (number, row): (usize, usize), style: u8, text: &str) {
    let (column, text) = (column(number), escaped(text));
    let is = format_args!(r#"<is><t xml:space="preserve">{text}</t></is>"#);
    push(xml, format_args!(r#"<c r="{column}{row}" s="{style}" t="inlineStr">{is}</c>"#));
}

/// The letters of a column, counted from 0: A to Z, AA and on.
fn column(number: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(number % 26).unwrap_or_default());
    if number < 26 { letter.to_string() } else { format!("{}{letter}", column(number / 26 - 1)) }
}

/// Days since the day that spreadsheets call 0.
fn day_number(day: &str) -> Option<i32> {
    let day: Date = day.parse().ok()?;
    Some(date(1899, 12, 30).until(day).ok()?.get_days())
}

/// A text in XML, without characters that XML does not know. Spreadsheets read `_x000D_` as a carriage return, so such a text is escaped too.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for (index, character) in text.char_indices().take(MAX_CELL_CHARS) {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '_' if is_escape(&text[index..]) => xml.push_str("_x005F_"),
            '\t' | '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => xml.push(character),
            _ => {}
        }
    }
    xml
}

/// Returns true if a text begins like `_x000D_`.
fn is_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 7 && bytes[1] == b'x' && bytes[6] == b'_' && bytes[2..6].iter().all(u8::is_ascii_hexdigit)
}

/// A ZIP archive of compressed parts (APPNOTE 6.3). Its dates are those of an unknown time: January 1, 1980.
fn archive(parts: &[(&str, &str)]) -> io::Result<Vec<u8>> {
    const VERSION: [u8; 2] = 20_u16.to_le_bytes();
    const DEFLATED: [u8; 2] = 8_u16.to_le_bytes();
    const TIME_AND_DATE: [u8; 4] = [0, 0, 0x21, 0];
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, part) in parts {
        let content = [XML, part].concat().into_bytes();
        let mut crc = Crc::new();
        crc.update(&content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&content)?;
        let packed = encoder.finish()?;
        let mut about = Vec::new();
        about.extend([VERSION, [0, 0], DEFLATED].concat());
        about.extend(TIME_AND_DATE);
        about.extend([crc.sum(), size(packed.len())?, size(content.len())?].map(u32::to_le_bytes).concat());
        about.extend(u16::try_from(name.len()).map_err(io::Error::other)?.to_le_bytes());
        about.extend([0, 0]);
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION);
        directory.extend(&about);
        // No comment, first disk, no attributes; then where the part begins.
        directory.extend([0; 10]);
        directory.extend(size(bytes.len())?.to_le_bytes());
        directory.extend(name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(about);
        bytes.extend(name.as_bytes());
        bytes.extend(packed);
    }
    let count = u16::try_from(parts.len()).map_err(io::Error::other)?.to_le_bytes();
    let (begin, length) = (size(bytes.len())?, size(directory.len())?);
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06");
    bytes.extend([[0, 0], [0, 0], count, count].concat());
    bytes.extend([length, begin].map(u32::to_le_bytes).concat());
    bytes.extend([0, 0]);
    Ok(bytes)
}

fn size(bytes: usize) -> io::Result<u32> {
    u32::try_from(bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use berth_domain::time::Timestamp;
    use flate2::Crc;
    use flate2::read::DeflateDecoder;

    use super::{column, workbook};
    use crate::export::{Cell, Column, Table};

    /// The parts of an archive, one after the other, found from its end as programs do.
    fn parts(bytes: &[u8]) -> String {
        let number = |at: usize, size: usize| -> usize {
            bytes[at..at + size].iter().rev().fold(0, |number, byte| number * 256 + usize::from(*byte))
        };
        let end = bytes.len() - 22;
        assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
        let (mut at, mut text) = (number(end + 16, 4), String::new());
        assert_eq!(at + number(end + 12, 4), end);
        for _ in 0..number(end + 10, 2) {
            assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
            let (crc, packed, whole) = (number(at + 16, 4), number(at + 20, 4), number(at + 24, 4));
            let (name, local) = (number(at + 28, 2), number(at + 42, 4));
            assert_eq!(&bytes[local..local + 4], b"PK\x03\x04");
            assert_eq!(bytes[local + 4..local + 30], bytes[at + 6..at + 32]);
            assert_eq!(bytes[local + 30..local + 30 + name], bytes[at + 46..at + 46 + name]);
            let begin = local + 30 + name;
            let mut content = String::new();
            DeflateDecoder::new(&bytes[begin..begin + packed]).read_to_string(&mut content).unwrap();
            let mut sum = Crc::new();
            sum.update(content.as_bytes());
            assert_eq!((content.len(), usize::try_from(sum.sum()).unwrap()), (whole, crc));
            text.push_str(&content);
            at += 46 + name;
        }
        assert_eq!(at, end);
        text
    }

    fn texts(texts: &[&str]) -> String {
        let rows = texts.iter().map(|text| vec![Cell::Text((*text).to_owned())]).collect();
        let columns = vec![Column { head: "=head", width: 10 }];
        let table = Table { name: "Beds", facts: vec!["=fact".to_owned()], columns, rows };
        parts(&workbook(&table, Timestamp::from_millis(1_772_474_400_000)).unwrap())
    }

    #[test]
    fn no_text_of_a_workbook_is_a_formula_or_markup() {
        let text = texts(&["=1+1", "+1", "-1", "@SUM(A1)", "<b>&\"'</b>", "a\u{1}b\u{ffff}c", "x_x000D_y_x", "2"]);
        assert!(!text.contains("<f>"), "{text}");
        for shown in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "=fact",
            "=head",
            "&lt;b&gt;&amp;&quot;'&lt;/b&gt;",
            "abc",
            "x_x005F_x000D_y_x",
            "2",
        ] {
            assert!(
                text.contains(&format!("t=\"inlineStr\"><is><t xml:space=\"preserve\">{shown}</t></is></c>")),
                "{shown}: {text}"
            );
        }
        assert!(text.contains(">2026-03-02T18:00:00.000Z<"), "made when the caller says");
    }

    #[test]
    fn numbers_are_numbers_days_are_dates_and_a_table_without_rows_is_a_workbook_too() {
        let columns = ["Days", "Day", "Empty"].map(|head| Column { head, width: 10 }).to_vec();
        let rows = vec![vec![Cell::Number(7), Cell::Day("2026-12-01".to_owned()), Cell::Empty]];
        let table = Table { name: "Beds", facts: Vec::new(), columns: columns.clone(), rows };
        let text = parts(&workbook(&table, Timestamp::from_millis(0)).unwrap());
        assert!(text.contains(r#"<row r="3"><c r="A3"><v>7</v></c><c r="B3" s="3"><v>46357</v></c></row>"#), "{text}");
        assert!(text.contains(r#"<autoFilter ref="A2:C3"/>"#), "{text}");
        let empty = Table { name: "Beds", facts: Vec::new(), columns, rows: Vec::new() };
        assert!(parts(&workbook(&empty, Timestamp::from_millis(0)).unwrap()).contains(r#"<autoFilter ref="A2:C2"/>"#));
    }

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 51, 52, 701, 702].map(column), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
