//! Tells cargo when an optimised build must be made again because the web application changed. Debug builds read
//! `web/dist` from the disk (see `src/http/ui.rs`) and need no new binary for it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("PROFILE").is_some_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../web/dist/index.html");
    }
}
