//! Stores the state of the sandbox in the database, so that the nodes of a server share one account.

use std::io;
use std::path::PathBuf;

use berth_db::Db;
use berth_stripe::sandbox::{Saved, Store, StoreFuture};

/// The version of a state that was read from the file: less than any version in the database.
const FILE_VERSION: i64 = -1;

/// Stores the sandbox's state in one row of the database.
pub(super) struct DatabaseStore {
    db: Db,
    /// The file with the state from before it was moved into the database. It is read only while there is no row.
    file: PathBuf,
}

impl DatabaseStore {
    pub(super) const fn new(db: Db, file: PathBuf) -> Self {
        Self { db, file }
    }

    async fn load_newer(&self, known: Option<i64>) -> io::Result<Option<Saved>> {
        const NEWER: &str = "SELECT version, body FROM payment_sandbox WHERE id = 1 AND version <> $1";
        let newer = self.db.query(NEWER).bind(known.unwrap_or(FILE_VERSION)).optional();
        let newer: Option<(i64, String)> = newer.await.map_err(io::Error::other)?;
        if let Some((version, text)) = newer {
            return Ok(Some(Saved { version, text }));
        }
        if known.is_some() {
            return Ok(None);
        }
        match std::fs::read_to_string(&self.file) {
            Ok(text) => Ok(Some(Saved { version: FILE_VERSION, text })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces the state `known` and returns the new version; `None` if another node was faster. One statement decides
    /// that, so that no lock is held during an operation. There is no application yet when the sandbox is created, so
    /// this is a plain transaction.
    async fn replace(&self, known: Option<i64>, text: &str) -> berth_db::Result<Option<i64>> {
        const FIRST: &str =
            "INSERT INTO payment_sandbox (id, version, body) VALUES (1, 0, $1) ON CONFLICT (id) DO NOTHING";
        const NEXT: &str = "UPDATE payment_sandbox SET version = version + 1, body = $2 WHERE id = 1 AND version = $1";
        let mut tx = self.db.begin().await?;
        let (changed, version) = match known.filter(|version| *version != FILE_VERSION) {
            None => (tx.query(FIRST).bind(text).execute().await?, 0),
            Some(version) => (tx.query(NEXT).bind(version).bind(text).execute().await?, version + 1),
        };
        tx.commit().await?;
        Ok((changed == 1).then_some(version))
    }
}

impl Store for DatabaseStore {
    fn load(&self, known: Option<i64>) -> StoreFuture<'_, Option<Saved>> {
        Box::pin(self.load_newer(known))
    }

    fn save<'a>(&'a self, known: Option<i64>, text: &'a str) -> StoreFuture<'a, Option<i64>> {
        Box::pin(async move { self.replace(known, text).await.map_err(io::Error::other) })
    }
}
