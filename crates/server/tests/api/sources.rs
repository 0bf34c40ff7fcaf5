//! Rules about the server's source files that the compiler cannot check.

use std::path::Path;

use crate::sql_texts::rust_files;

/// Files that begin a transaction themselves, each with the reason.
const OWN_TRANSACTIONS: [&str; 3] = [
    // The runner.
    "change.rs",
    // Runs with the migrations, before there is an application.
    "jobs/name_keys.rs",
    // The sandbox's state, which is loaded before there is an application.
    "billing/payments/store.rs",
];

#[test]
fn every_change_goes_through_the_runner() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for path in rust_files(&folder) {
        let source = std::fs::read_to_string(&path).expect("a source can be read");
        let name = path.strip_prefix(&folder).expect("a file of the folder").display().to_string();
        // Unit tests are at the end of their file.
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        if source.contains(".begin()") && !OWN_TRANSACTIONS.contains(&name.as_str()) {
            found.push(name);
        }
    }
    assert!(found.is_empty(), "use change::run or change::once: {found:?}");
}
