//! Secrets of the installation, each made on first use and kept in the database, so that all nodes have the same ones.

use berth_db::Tx;

use crate::{App, Error, Result};

const FIND: &str = "SELECT secret FROM installation_keys WHERE name = $1";

/// Loads the key of that name, and makes it if there is none. Not inside a transaction: it may begin one.
///
/// # Errors
/// When the stored key is damaged.
pub(crate) async fn load(app: &App, name: &'static str) -> Result<[u8; 32]> {
    let found: Option<(String,)> = app.db.query(FIND).bind(name).optional().await?;
    if let Some((secret,)) = found {
        return read(&secret);
    }
    let mut tx = app.db.begin().await?;
    let key = load_in(app, &mut tx, name).await?;
    tx.commit().await?;
    Ok(key)
}

/// Loads the key of that name inside a transaction, and makes it if there is none. A new key lasts only if the transaction
/// commits.
///
/// # Errors
/// When the stored key is damaged.
pub(crate) async fn load_in(app: &App, tx: &mut Tx, name: &'static str) -> Result<[u8; 32]> {
    const MAKE: &str = "INSERT INTO installation_keys (name, secret, created_at) VALUES ($1, $2, $3) \
        ON CONFLICT (name) DO NOTHING";
    if let Some((secret,)) = tx.query(FIND).bind(name).optional::<(String,)>().await? {
        return read(&secret);
    }
    let fresh = hex::encode(app.random::<32>());
    tx.query(MAKE).bind(name).bind(fresh).bind(app.now()).execute().await?;
    // Another node may have been first.
    let (secret,): (String,) = tx.query(FIND).bind(name).one().await?;
    read(&secret)
}

fn read(secret: &str) -> Result<[u8; 32]> {
    let bytes = hex::decode(secret).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.ok_or_else(|| Error::internal("a key of the installation is damaged"))
}
