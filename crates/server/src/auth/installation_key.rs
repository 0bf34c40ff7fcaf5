//! Secret keys of the installation. Each is created on first use and stored in the database, so that all nodes share it.

use berth_db::Tx;

use crate::admin::audit_log::Author;
use crate::{App, Error, Result, change};

const FIND: &str = "SELECT secret FROM installation_keys WHERE name = $1";

/// Loads the key with this name, or creates it. Must not be called inside a transaction, since it may begin one.
///
/// # Errors
/// [`Error::Internal`] if the stored key is damaged.
pub(crate) async fn load(app: &App, name: &'static str) -> Result<[u8; 32]> {
    let found: Option<(String,)> = app.db.query(FIND).bind(name).optional().await?;
    if let Some((secret,)) = found {
        return decode(&secret);
    }
    change::run(app, Author::job(), |mut change| async move {
        let key = load_in(app, &mut change.tx, name).await?;
        change.done(key)
    })
    .await
}

/// Loads the key with this name in the caller's transaction, or creates it. A new key is lost if the transaction rolls back.
///
/// # Errors
/// [`Error::Internal`] if the stored key is damaged.
pub(crate) async fn load_in(app: &App, tx: &mut Tx, name: &'static str) -> Result<[u8; 32]> {
    const INSERT: &str = "INSERT INTO installation_keys (name, secret, created_at) VALUES ($1, $2, $3) \
        ON CONFLICT (name) DO NOTHING";
    if let Some((secret,)) = tx.query(FIND).bind(name).optional::<(String,)>().await? {
        return decode(&secret);
    }
    let fresh = hex::encode(app.random::<32>());
    tx.query(INSERT).bind(name).bind(fresh).bind(app.now()).execute().await?;
    // Another node may have created it at the same moment.
    let (secret,): (String,) = tx.query(FIND).bind(name).one().await?;
    decode(&secret)
}

fn decode(secret: &str) -> Result<[u8; 32]> {
    let bytes = hex::decode(secret).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.ok_or_else(|| Error::internal("a key of the installation is damaged"))
}
