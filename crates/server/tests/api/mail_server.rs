//! A real mail server for tests: `scripts/smtp-judge`, which runs aiosmtpd.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// The running server. It stops with the test.
pub struct MailServer {
    process: Child,
    folder: TempDir,
    told: Receiver<Value>,
    /// The port it listens on.
    pub port: u16,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl MailServer {
    /// Starts one; `tls` is `starttls`, `implicit` or `none`.
    pub fn start(tls: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/smtp-judge");
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(script)
            .arg(folder.path())
            .args(["--tls", tls])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (tell, told) = channel();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = tell.send(serde_json::from_str(&line).unwrap());
            }
        });
        // The first start installs aiosmtpd.
        let first: Value = told.recv_timeout(Duration::from_mins(4)).expect("the mail server starts");
        let port = first["port"].as_u64().and_then(|port| u16::try_from(port).ok()).unwrap();
        Self { process, folder, told, port }
    }

    /// The root certificate that issued its certificate.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// What has happened since the last call: sign-ins and mails.
    pub fn events(&self) -> Vec<Value> {
        // The server reports an event before it answers; half a second is enough for the pipe.
        std::iter::from_fn(|| self.told.recv_timeout(Duration::from_millis(500)).ok()).collect()
    }
}
