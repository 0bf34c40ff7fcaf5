//! `berth openapi`: writes the OpenAPI document, from which the types of the web app and the role × endpoint matrix are
//! generated. Needs no database.

use std::io::Write;

use crate::routes;

/// Writes the document to the standard output.
pub(super) fn run() -> anyhow::Result<()> {
    let mut text = routes::document().to_pretty_json()?;
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
