//! A full disk (security-and-proof 4e; I7): acknowledged changes stay, refused ones leave nothing behind, reads continue,
//! and with free space again, the same process continues to write. The data folder is a small tmpfs.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_db::Engine;
use serde_json::json;

use crate::chance::{Dice, seed};
use crate::client::Shot;
use crate::cluster::Cluster;
use crate::world;

/// Space for the test world and little more.
const SIZE: &str = "size=24m";
/// Number of changes tried on the full disk.
const TRIES: usize = 60;

/// A mounted tmpfs. It is unmounted when dropped.
struct Small(PathBuf);

impl Small {
    /// Only root may mount. Without root, this proof is skipped with a message.
    fn mount(at: &Path) -> Option<Self> {
        let done = Command::new("mount").args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(at).output().ok()?;
        done.status.success().then(|| Self(at.to_owned()))
    }

    /// Fills the free space except for `spare` bytes.
    fn fill(&self, spare: usize) -> PathBuf {
        let path = self.0.join("ballast");
        let mut file = File::create(&path).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
        let length = file.metadata().unwrap().len();
        file.set_len(length.saturating_sub(u64::try_from(spare).unwrap())).unwrap();
        path
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_changes_completely_and_accepts_them_again_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let Some(small) = Small::mount(folder.path()) else {
        eprintln!("FIGURE full disk: left out, since only root may mount a tmpfs here");
        return;
    };
    let mut cluster = Cluster::within(Engine::Sqlite, &mut Dice::new(seed()), folder, Vec::new()).await;
    let ask = |number: usize| {
        let body = json!({"roomId": world::ROOM_2, "name": format!("N{number}"), "type": "Detox", "count": 20,
            "description": "x".repeat(2000)});
        Shot::new("POST", "/api/Beds", world::OWNER, body)
    };
    let (mut acknowledged, mut refused) = (HashSet::new(), 0);
    let ballast = small.fill(256 * 1024);
    for number in 0..TRIES {
        let answer = cluster.one(ask(number)).await;
        match answer.status {
            201 => acknowledged.extend(answer.body.as_array().unwrap().iter().map(|bed| bed["id"].to_string())),
            507 | 503 => refused += 1,
            status => panic!("{status}: {}", answer.body),
        }
        let page = cluster.one(Shot::get(format!("/api/Sites/{}", world::HARBOR_HOUSE), world::OWNER)).await;
        assert_eq!(page.status, 200, "reads continue: {}", page.body);
    }
    assert!(refused > TRIES / 2, "the disk was not full: {refused} refused");
    std::fs::remove_file(ballast).unwrap();
    let after = cluster.one(ask(TRIES)).await;
    acknowledged.extend(after.expect(201).as_array().unwrap().iter().map(|bed| bed["id"].to_string()));

    let db = cluster.db().await;
    let stored: Vec<(uuid::Uuid,)> =
        db.query("SELECT id FROM beds WHERE name LIKE 'N%' AND room_id = $1").bind(world::ROOM_2).all().await.unwrap();
    let check: String = db.query("PRAGMA integrity_check").scalar().await.unwrap();
    db.close().await;
    let stored: HashSet<String> = stored.into_iter().map(|(id,)| format!("\"{id}\"")).collect();
    assert_eq!(stored, acknowledged, "exactly the acknowledged beds are there");
    assert_eq!(check, "ok");
    assert_eq!(cluster.broken().await, Vec::<String>::new());
    eprintln!(
        "FIGURE full disk: {TRIES} changes tried, {refused} refused whole, {} beds acknowledged, 0 violations",
        acknowledged.len()
    );
    cluster.end().await;
    drop(small);
}
