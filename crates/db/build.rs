//! Builds the crate again when a migration file is added or changed: `sqlx::migrate!` embeds the folder.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
