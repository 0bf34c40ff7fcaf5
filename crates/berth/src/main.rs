//! The binary `berth`. What it can do stands in `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything opens a connection: the one TLS provider of the process. It fails only if there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    berth_server::cli::main()
}
