//! The head of the chain, stored outside of the database: the file `audit-head` in the data folder. Without it, someone with
//! write access to the database could delete the newest seals, change their rows and let the job seal them again.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;

use super::last_seal;
use crate::settings::Settings;
use crate::{App, Error, Result};

/// The last seal: `145:9f86d0…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Position in the chain.
    pub ordinal: i64,
    /// Hash in hex.
    pub hash: String,
}

impl std::fmt::Display for Head {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.ordinal, self.hash)
    }
}

impl FromStr for Head {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.trim().split_once(':').and_then(|(ordinal, hash)| Some((ordinal.parse().ok()?, hash)));
        let is_hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        match parts.filter(|(_, hash)| is_hash(hash)) {
            Some((ordinal, hash)) => Ok(Self { ordinal, hash: hash.to_ascii_lowercase() }),
            None => Err("a head is written as NUMBER:HASH, as the log and `berth audit verify` show it".to_owned()),
        }
    }
}

impl Head {
    /// Returns the path of the file.
    #[must_use]
    pub fn file(settings: &Settings) -> PathBuf {
        settings.data.join("audit-head")
    }

    /// Reads the stored head; `None` if this node has not sealed anything.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn kept(settings: &Settings) -> anyhow::Result<Option<Self>> {
        let file = Self::file(settings);
        match std::fs::read_to_string(&file) {
            Ok(text) => {
                let head = text.parse().map_err(anyhow::Error::msg);
                head.with_context(|| format!("{} cannot be understood", file.display())).map(Some)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
        }
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn write(&self, settings: &Settings) -> anyhow::Result<()> {
        let file = Self::file(settings);
        let write = || {
            std::fs::create_dir_all(&settings.data)?;
            let new = file.with_extension("new");
            std::fs::write(&new, format!("{self}\n"))?;
            std::fs::rename(new, &file)
        };
        write().with_context(|| format!("cannot write {}", file.display()))
    }

    /// Returns true if the database has this seal.
    pub async fn is_in(&self, db: &berth_db::Db) -> Result<bool> {
        const HASH: &str = "SELECT hash FROM audit_seals WHERE ordinal = $1";
        let hash: Option<(String,)> = db.query(HASH).bind(self.ordinal).optional().await?;
        Ok(hash.is_some_and(|(hash,)| hash == self.hash))
    }
}

/// Logs an error if the database no longer has the stored head. Sealing goes on, and the stored head is kept for
/// `berth audit verify`.
pub(super) async fn check(app: &App) -> Result<()> {
    if let Some(head) = Head::kept(&app.settings).map_err(Error::Internal)?
        && !head.is_in(&app.db).await?
    {
        tracing::error!(
            ordinal = head.ordinal,
            "the audit trail does not have a seal that this node made: run `berth audit verify`"
        );
    }
    Ok(())
}

/// Stores the last seal, unless the stored one is missing in the database.
pub(super) async fn keep(app: &App) -> Result<()> {
    let kept = Head::kept(&app.settings).map_err(Error::Internal)?;
    if let Some(kept) = kept
        && !kept.is_in(&app.db).await?
    {
        return Ok(());
    }
    if let Some(seal) = last_seal(&app.db).await? {
        Head { ordinal: seal.ordinal, hash: seal.hash }.write(&app.settings).map_err(Error::Internal)?;
    }
    Ok(())
}
