//! The object store for pictures: a folder or an S3 bucket. Metadata is in our table, never in the store, and only the
//! server accesses the store.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::body::Body;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};
use secrecy::ExposeSecret;
use tokio::sync::OnceCell;
use url::Url;

use crate::settings::Settings;
use crate::{Error, Result};

/// Timeout of one request to the bucket.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for which requests to a bucket that does not answer are retried.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);

/// The object store. It is opened when it is first needed.
pub struct Storage {
    place: Place,
    opened: OnceCell<Arc<dyn ObjectStore>>,
}

enum Place {
    Folder(PathBuf),
    Bucket(Box<AmazonS3Builder>, String),
}

/// Checks the settings of the store.
///
/// # Errors
/// A message that names the wrong setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    let Some(bucket) = &settings.files_s3_bucket else {
        let has_s3_settings = settings.files_s3_endpoint.is_some()
            || settings.files_s3_access_key_id.is_some()
            || settings.files_s3_secret_access_key.is_some();
        anyhow::ensure!(
            !has_s3_settings,
            "files_s3_bucket is missing; without it pictures are kept in the data folder"
        );
        return Ok(());
    };
    anyhow::ensure!(!bucket.is_empty() && !bucket.contains('/'), "files_s3_bucket: write the bare name of the bucket");
    anyhow::ensure!(settings.files_s3_access_key_id.is_some(), "files_s3_access_key_id is missing");
    anyhow::ensure!(settings.files_s3_secret_access_key.is_some(), "files_s3_secret_access_key is missing");
    if let Some(endpoint) = &settings.files_s3_endpoint {
        let url = Url::parse(endpoint).with_context(|| format!("files_s3_endpoint: {endpoint} is no address"))?;
        let known = matches!(url.scheme(), "https" | "http");
        anyhow::ensure!(known, "files_s3_endpoint must begin with https:// (or http:// within a closed network)");
    }
    Ok(())
}

/// Returns the key of a picture's thumbnail.
#[must_use]
pub fn thumbnail_of(path: &str) -> String {
    format!("thumbnails/{}", path.rsplit('/').next().unwrap_or_default())
}

impl Storage {
    /// Prepares the store of the settings. Opens nothing yet.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let place = match &settings.files_s3_bucket {
            None => Place::Folder(settings.data.join("files")),
            Some(bucket) => Place::Bucket(Box::new(builder(settings, bucket)), bucket.clone()),
        };
        Self { place, opened: OnceCell::new() }
    }

    async fn store(&self) -> Result<&dyn ObjectStore> {
        let opened = self.opened.get_or_try_init(async || self.open()).await;
        opened.map(AsRef::as_ref).map_err(Error::Internal)
    }

    fn open(&self) -> anyhow::Result<Arc<dyn ObjectStore>> {
        match &self.place {
            Place::Folder(folder) => {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(folder)
                    .with_context(|| format!("cannot create the folder {}", folder.display()))?;
                let store = LocalFileSystem::new_with_prefix(folder)
                    .with_context(|| format!("cannot use the folder {}", folder.display()))?;
                Ok(Arc::new(store.with_automatic_cleanup(false)))
            }
            Place::Bucket(builder, name) => {
                let store = builder.clone().build().with_context(|| format!("cannot use the bucket {name}"))?;
                Ok(Arc::new(store))
            }
        }
    }

    /// Stores an object.
    ///
    /// # Errors
    /// 507 if the disk is full; 503 if the store is unavailable.
    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<()> {
        let result = self.store().await?.put(&Path::from(key), bytes.into()).await;
        result.map(drop).map_err(failed)
    }

    /// Returns the length of an object and its content as a stream; `None` if it does not exist.
    ///
    /// # Errors
    /// 503 if the store is unavailable.
    pub async fn get(&self, key: &str) -> Result<Option<(u64, Body)>> {
        match self.store().await?.get(&Path::from(key)).await {
            Ok(found) => Ok(Some((found.meta.size, Body::from_stream(found.into_stream())))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Removes an object. Succeeds if it does not exist.
    ///
    /// # Errors
    /// 503 if the store is unavailable.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.store().await?.delete(&Path::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Checks that the store can write, read and remove an object, and returns the name of the folder or bucket. For
    /// `berth doctor`.
    pub async fn answers(&self) -> anyhow::Result<String> {
        const TRIAL: &str = "trials/doctor";
        let name = match &self.place {
            Place::Folder(folder) => format!("the folder {}", folder.display()),
            Place::Bucket(_, name) => format!("the bucket {name}"),
        };
        let trial = async {
            self.put(TRIAL, b"berth".to_vec()).await?;
            let found = self.get(TRIAL).await?.is_some();
            self.delete(TRIAL).await?;
            Result::Ok(found)
        };
        match trial.await {
            Ok(true) => Ok(name),
            Ok(false) => anyhow::bail!("{name} does not give back what was put into it"),
            Err(Error::Internal(error)) => Err(error),
            Err(error) => anyhow::bail!("{name} cannot be used: {error} The log says more."),
        }
    }
}

fn builder(settings: &Settings, bucket: &str) -> AmazonS3Builder {
    let retry = RetryConfig { max_retries: 3, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(bucket)
        .with_region(&settings.files_s3_region)
        .with_retry(retry)
        .with_client_options(ClientOptions::new().with_timeout(REQUEST_TIMEOUT).with_allow_http(uses_http(settings)));
    if let Some(endpoint) = &settings.files_s3_endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
    }
    if let (Some(id), Some(key)) = (&settings.files_s3_access_key_id, &settings.files_s3_secret_access_key) {
        builder = builder.with_access_key_id(id).with_secret_access_key(key.expose_secret());
    }
    builder
}

fn uses_http(settings: &Settings) -> bool {
    settings.files_s3_endpoint.as_deref().is_some_and(|endpoint| endpoint.starts_with("http://"))
}

/// Turns an error of the store into ours.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn failed(error: object_store::Error) -> Error {
    let mut cause: Option<&dyn std::error::Error> = Some(&error);
    while let Some(now) = cause {
        let full = now.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        if matches!(full, Some(std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)) {
            return Error::DiskFull;
        }
        cause = now.source();
    }
    tracing::error!(error = %error, "the picture store failed");
    Error::Busy
}
