//! The whole binary with a clock that jumps (security-and-proof 4g; I9): forward over due holds, backward, over the change
//! of the hour and a leap day. libfaketime sets the clock and is controlled through a file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use berth_db::Engine;
use serde_json::{Value, json};

use crate::chance::{Dice, seed};
use crate::client::Shot;
use crate::cluster::{Cluster, confirmation};
use crate::{steps, world};

/// Where Debian installs the library, on the platforms we support.
const LIBRARIES: [&str; 2] =
    ["/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"];
/// Longest wait for the job that records expired holds: I9 allows a minute.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sets the server's time, which takes effect at once.
fn set(file: &Path, time: &str) {
    let new = file.with_extension("new");
    std::fs::write(&new, format!("@{time}\n")).unwrap();
    std::fs::rename(new, file).unwrap();
}

async fn state(cluster: &mut Cluster, id: &str) -> String {
    let guest = cluster.one(Shot::get(format!("/api/Guests/{id}"), world::GLOBAL)).await.expect(200);
    guest["status"].as_str().unwrap().to_owned()
}

/// The number of recorded expiries of a guest.
async fn expiries(cluster: &Cluster, id: &str) -> i64 {
    const EXPIRIES: &str = "SELECT COUNT(*) FROM audit WHERE action = 'guest.expired' AND object_id = $1";
    let db = cluster.db().await;
    let id: uuid::Uuid = id.parse().unwrap();
    let count = db.query(EXPIRIES).bind(id).scalar().await.unwrap();
    db.close().await;
    count
}

async fn recorded(cluster: &Cluster, id: &str) -> i64 {
    let start = Instant::now();
    loop {
        let count = expiries(cluster, id).await;
        if count > 0 || start.elapsed() > PATIENCE {
            return count;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn jumps(engine: Engine) {
    let Some(library) = LIBRARIES.map(PathBuf::from).into_iter().find(|path| path.exists()) else {
        eprintln!("FIGURE jumping clock on {engine:?}: left out, since faketime is not installed");
        return;
    };
    let times = tempfile::tempdir().unwrap();
    let file = times.path().join("time");
    let mut jumps = 0;
    // Each jump: before, after the hold, back. The second crosses the change of the hour, the third a leap day.
    for [before, after] in [
        ["2026-03-02 18:00:00", "2026-03-06 18:00:01"],
        ["2026-10-31 20:00:00", "2026-11-04 20:00:01"],
        ["2024-02-27 20:00:00", "2024-03-02 20:00:01"],
    ] {
        set(&file, before);
        let environment = vec![
            ("LD_PRELOAD", library.clone()),
            ("FAKETIME_TIMESTAMP_FILE", file.clone()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("DONT_FAKE_MONOTONIC", "1".into()),
            ("TZ", "UTC".into()),
        ];
        let mut cluster =
            Cluster::within(engine, &mut Dice::new(seed()), tempfile::tempdir().unwrap(), environment).await;
        let mut form = steps::form(world::HARBOR_HOUSE, 1);
        let fields = form.as_object_mut().unwrap();
        fields.remove("source");
        let ask = Shot {
            token: None,
            ..Shot::new("POST", "/api/public/reservations", world::GLOBAL, Value::Object(fields.clone()))
        };
        let asked = cluster.one(ask).await.expect(202);
        let db = cluster.db().await;
        let confirm = confirmation(&db, &asked, steps::phone(1)).await;
        db.close().await;
        let made = cluster.one(confirm).await.expect(201);
        let list = cluster
            .one(Shot::get(format!("/api/Guests?siteId={}", world::HARBOR_HOUSE), world::GLOBAL))
            .await
            .expect(200);
        let guests = list["items"].as_array().cloned().unwrap_or_default();
        let guest =
            guests.iter().find(|guest| guest["code"] == made["code"]).unwrap()["id"].as_str().unwrap().to_owned();
        assert_eq!(state(&mut cluster, &guest).await, "pending", "{before}");

        set(&file, after);
        assert_eq!(state(&mut cluster, &guest).await, "expired", "at once, whether or not the job has run");
        let late = json!({"status": "ACCEPTED", "bedId": cluster.beds[0]});
        let refused = cluster.one(Shot::new("PATCH", format!("/api/Guests/{guest}"), world::INTAKE, late)).await;
        assert_eq!(refused.status, 409, "{}", refused.body);
        assert_eq!(recorded(&cluster, &guest).await, 1, "{after}");

        // Back before the end of the hold and over it once more, with a restart in between.
        set(&file, before);
        assert_eq!(state(&mut cluster, &guest).await, "expired", "an expired hold stays expired");
        cluster.nodes[0].kill();
        cluster.nodes[0] = cluster.start().await;
        cluster.forget_clients();
        set(&file, after);
        assert_eq!(state(&mut cluster, &guest).await, "expired");
        assert_eq!(expiries(&cluster, &guest).await, 1, "exactly once");
        assert_eq!(cluster.broken().await, Vec::<String>::new());
        jumps += 4;
        cluster.end().await;
    }
    eprintln!("FIGURE jumping clock on {engine:?}: {jumps} jumps over due holds, each expired once, 0 violations");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_expires_each_hold_once_on_sqlite() {
    jumps(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_expires_each_hold_once_on_postgres() {
    jumps(Engine::Postgres).await;
}
