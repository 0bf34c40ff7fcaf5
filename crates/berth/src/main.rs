//! The binary `berth`: the command line of the server, with the made-up data of `berth-demo`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything opens a connection: the one TLS provider of the process. It fails only if there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    berth_server::cli::main(&berth_demo::MadeUp)
}
