//! The limit programs: what the parts cost on their own, to show how far a figure is from the optimum.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordVerifier, Version};
use axum::Router;
use axum::http::header;
use axum::routing::get;
use rusqlite::Connection;
use serde_json::json;

use crate::book::Figures;
use crate::crowd::{Latency, Met};

/// The hash of every seeded password.
const HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$EIFz6PoCNs6coQBgpZS8AA$3eSDZpnbxRUQWeyNMk4G9ZU76tczmibg4rpeUaxvD4g";

/// Serves 4,000 static bytes with axum: the cheapest answer that our web framework can give.
///
/// # Errors
/// If it cannot listen.
pub fn serve_static(port: u16) -> anyhow::Result<()> {
    static BODY: [u8; 4000] = [b'x'; 4000];
    let answer = async || ([(header::CONTENT_TYPE, "application/json")], BODY.as_slice());
    let router = Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/api/Beds", get(answer))
        .route("/api/Sites", get(answer))
        .route("/api/Organizations", get(answer));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        Ok(axum::serve(axum::serve::ListenerExt::tap_io(listener, |io| drop(io.set_nodelay(true))), router).await?)
    })
}

/// Runs `work` for a time on this thread only, and measures its CPU by the kernel's count for this process.
fn alone(time: Duration, mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Figures> {
    for _ in 0..3 {
        work()?;
    }
    let (begun, cpu) = (Instant::now(), own_cpu()?);
    let mut times = Vec::new();
    while begun.elapsed() < time {
        let one = Instant::now();
        work()?;
        times.push(one.elapsed());
    }
    let (seconds, cpu) = (begun.elapsed().as_secs_f64(), own_cpu()? - cpu);
    let requests = times.len();
    let met = Met { requests, seconds, all: Latency::of(times), ..Met::default() };
    Ok(Figures { met, cpu: cpu / requests as f64, ..Figures::default() })
}

/// CPU milliseconds of this thread so far.
fn own_cpu() -> anyhow::Result<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").context("/proc/thread-self/schedstat")?;
    let nanos: f64 = text.split_whitespace().next().unwrap_or_default().parse()?;
    Ok(nanos / 1e6)
}

/// The query of a board and its JSON, without HTTP, sign-in or scope.
///
/// # Errors
/// If the database fails.
pub fn query(file: &Path, site: &str, time: Duration) -> anyhow::Result<Figures> {
    const BEDS: &str = "SELECT b.id, b.name, b.description, b.kind, b.position, b.disabled, b.created_at, r.name, g.id, \
        g.code, g.first_name, g.last_name, g.gender, g.accepted_at FROM beds b JOIN rooms r ON r.id = b.room_id \
        LEFT JOIN stays t ON t.bed_id = b.id AND t.ended_at IS NULL LEFT JOIN guests g ON g.id = t.guest_id \
        WHERE b.site_id = ?1 AND b.deleted_at IS NULL ORDER BY r.position, b.position, b.id";
    let connection = Connection::open(file)?;
    let site = hex::decode(site.replace('-', ""))?;
    let mut statement = connection.prepare(BEDS)?;
    let mut written = 0;
    let figures = alone(time, || {
        let rows = statement.query_map([&site], |row| {
            let id = |column| row.get::<_, Option<Vec<u8>>>(column).map(|id| id.map(hex::encode));
            let text = |column| row.get::<_, Option<String>>(column);
            let number = |column| row.get::<_, Option<i64>>(column);
            Ok(json!({
                "id": id(0)?, "name": text(1)?, "description": text(2)?, "type": text(3)?, "index": number(4)?,
                "disabled": number(5)?, "createdAt": number(6)?, "room": text(7)?, "guest": {"id": id(8)?,
                "code": text(9)?, "firstName": text(10)?, "lastName": text(11)?, "gender": text(12)?, "acceptedAt": number(13)?},
            }))
        })?;
        let beds = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        written += serde_json::to_vec(&beds)?.len();
        Ok(())
    })?;
    anyhow::ensure!(written > 0, "the board was empty");
    Ok(figures)
}

/// CPU milliseconds of checking a password: Argon2id, 19 MiB, t = 2, p = 1, on the given number of threads at once.
/// Each thread uses its own memory, so two at once slow each other down.
///
/// # Errors
/// If the hash is not the expected one.
pub fn argon2(time: Duration, threads: usize) -> anyhow::Result<f64> {
    let each = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(move || argon2_alone(time))).collect();
        running
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow::anyhow!("a hashing thread panicked"))?)
            .collect::<anyhow::Result<Vec<_>>>()
    })?;
    Ok(each.iter().map(|figures| figures.cpu).sum::<f64>() / threads as f64)
}

fn argon2_alone(time: Duration) -> anyhow::Result<Figures> {
    let parameters = Params::new(19 * 1024, 2, 1, None).map_err(|error| anyhow::anyhow!("{error}"))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
    let hash = PasswordHash::new(HASH).map_err(|error| anyhow::anyhow!("{error}"))?;
    alone(time, || argon2.verify_password(b"Open-Door-2026", &hash).map_err(|error| anyhow::anyhow!("{error}")))
}

/// Flushes one after the other: appends 4 KB, then calls `fdatasync`, as a commit of SQLite does.
///
/// # Errors
/// If the file cannot be written.
pub fn flush(folder: &Path, time: Duration) -> anyhow::Result<Figures> {
    let path = folder.join("flush-probe");
    let mut file = File::create(&path)?;
    file.write_all(&[0; 64])?;
    let mut at = 0;
    let mut times = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < time {
        file.write_all_at(&[7; 4096], at)?;
        at += 4096;
        let one = Instant::now();
        file.sync_data()?;
        times.push(one.elapsed());
    }
    let seconds = begun.elapsed().as_secs_f64();
    drop(file);
    std::fs::remove_file(&path)?;
    let met = Met { requests: times.len(), seconds, all: Latency::of(times), ..Met::default() };
    Ok(Figures { met, ..Figures::default() })
}
