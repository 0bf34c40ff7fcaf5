//! Picture storage: one suite for the folder and for S3, which is tested against moto (`scripts/s3-judge`).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use axum::body::to_bytes;
use berth_db::Engine;
use berth_server::integrations::files::{self, Storage};
use berth_server::routes;
use berth_server::settings::Settings;
use serde_json::Value;

use crate::harness::{HOUR, House};
use crate::images::{seen, upload};
use crate::mail::node;
use crate::{pictures, world};

/// A running S3 server, which checks signatures. It stops with the test.
struct S3 {
    process: Child,
    /// Its address, the bucket, and the key with its id.
    facts: Value,
}

impl Drop for S3 {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl S3 {
    /// Starts a server. The first start installs moto.
    fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/s3-judge");
        let mut process = Command::new(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { facts: serde_json::from_str(&line).expect("the S3 starts"), process }
    }

    fn settings(&self) -> Settings {
        let fact = |name: &str| Some(self.facts[name].as_str().unwrap().to_owned());
        Settings {
            files_s3_bucket: fact("bucket"),
            files_s3_endpoint: fact("endpoint"),
            files_s3_access_key_id: fact("id"),
            files_s3_secret_access_key: fact("key").map(Into::into),
            ..Settings::default()
        }
    }
}

async fn bytes(storage: &Storage, key: &str) -> Option<Vec<u8>> {
    let (length, body) = storage.get(key).await.unwrap()?;
    let bytes = to_bytes(body, 64 << 20).await.unwrap().to_vec();
    assert_eq!(usize::try_from(length).unwrap(), bytes.len());
    Some(bytes)
}

/// What every store must do.
async fn suite(storage: &Storage) {
    const KEY: &str = "uploads/site_0190_front.jpg";
    assert_eq!(bytes(storage, KEY).await, None);
    storage.delete(KEY).await.expect("removing a missing file succeeds");
    let large: Vec<u8> = (0..3_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    storage.put(KEY, large.clone()).await.unwrap();
    storage.put(&files::thumbnail_of(KEY), vec![1, 2, 3]).await.unwrap();
    assert_eq!(bytes(storage, KEY).await, Some(large));
    storage.put(KEY, Vec::new()).await.unwrap();
    assert_eq!(bytes(storage, KEY).await, Some(Vec::new()), "a second put replaces the first");
    assert_eq!(bytes(storage, "thumbnails/site_0190_front.jpg").await, Some(vec![1, 2, 3]));
    storage.delete(KEY).await.unwrap();
    assert_eq!(bytes(storage, KEY).await, None);
    storage.answers().await.unwrap();
}

/// Runs a picture from upload to sweep on a node with these settings.
async fn life_of_a_picture(settings: Settings) {
    let mut house = House::new(Engine::Sqlite).await;
    let app = node(&house, settings);
    house.router = routes::build(app.clone());
    let path = upload(&house, world::OWNER, "site_", "front.png", pictures::png(600, 20)).await;
    assert_eq!(image::load_from_memory(&seen(&house, &path).await).unwrap().width(), 600);
    let small = seen(&house, &format!("{path}?size=thumb")).await;
    assert_eq!(image::load_from_memory(&small).unwrap().width(), 480);
    let mut tx = house.db().begin().await.unwrap();
    tx.query("UPDATE files SET keep_until = keep_until - $1").bind(25 * HOUR).execute().await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(files::sweep(&app).await.unwrap(), 1);
    assert!(app.files.storage.get(&path).await.unwrap().is_none());
    assert_eq!(house.get(&format!("/files/{path}")).status().await, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_keeps_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let settings = || Settings { data: folder.path().join("new"), ..Settings::default() };
    suite(&Storage::new(&settings())).await;
    life_of_a_picture(settings()).await;
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(folder.path().join("new/files")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "only the server may read it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s3_keeps_pictures() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let s3 = tokio::task::spawn_blocking(S3::start).await.unwrap();
    suite(&Storage::new(&s3.settings().checked().unwrap())).await;
    life_of_a_picture(s3.settings()).await;
    let wrong = Settings { files_s3_secret_access_key: Some("wrong".to_owned().into()), ..s3.settings() };
    let refused = Storage::new(&wrong).put("uploads/x", vec![1]).await.unwrap_err();
    assert_eq!(refused.status(), 503, "the judge checks signatures");
    let elsewhere = Settings { files_s3_bucket: Some("elsewhere".to_owned()), ..s3.settings() };
    let told = Storage::new(&elsewhere).answers().await.unwrap_err().to_string();
    assert!(told.starts_with("the bucket elsewhere cannot be used"), "{told}");
}

#[test]
fn settings_of_the_store_are_complete_or_absent() {
    let told = |settings: Settings| settings.checked().map(drop).unwrap_err().to_string();
    let bucket = || Some("pictures".to_owned());
    let key = || Some("id".to_owned());
    assert!(told(Settings { files_s3_access_key_id: key(), ..Settings::default() }).starts_with("files_s3_bucket"));
    assert!(told(Settings { files_s3_bucket: bucket(), ..Settings::default() }).starts_with("files_s3_access_key_id"));
    let half = Settings { files_s3_bucket: bucket(), files_s3_access_key_id: key(), ..Settings::default() };
    assert!(told(half).starts_with("files_s3_secret_access_key"));
}
