//! Encryption of texts that must be read again but must not be readable in a copy of the database: the secrets of
//! authenticator apps and the bodies of queued messages. Each text is sealed with ChaCha20-Poly1305 and bound to its row.
//! Recovery codes are stored as keyed hashes with the same keys.
//!
//! The key is derived from a key in the database and, if the operator has set `secret_key`, from that as well; then a copy of
//! the database alone decrypts nothing (docs/decisions/0013). Texts that were sealed without `secret_key` stay readable.

use berth_db::Tx;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use secrecy::ExposeSecret;
use sha2::Sha256;
use uuid::Uuid;

use crate::auth::installation_key;
use crate::{App, Error, Result};

/// The purpose of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Authenticator apps and recovery codes; rows of `users`.
    SecondFactors,
    /// Bodies of messages; rows of the outbox.
    Messages,
}

impl Purpose {
    /// Name of the key in the database.
    const fn key_name(self) -> &'static str {
        match self {
            Self::SecondFactors => "second-factors",
            Self::Messages => "messages",
        }
    }
}

/// The keys that a text was sealed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeySource {
    /// The key in the database.
    Database,
    /// The key in the database and `secret_key`.
    Both,
}

impl KeySource {
    /// Prefix of the sealed text.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Database => "d",
            Self::Both => "s",
        }
    }
}

/// The keys of this installation for one purpose.
#[derive(Clone)]
pub(crate) struct Keys {
    database: [u8; 32],
    both: Option<[u8; 32]>,
}

/// Returns the HMAC-SHA-256 of the concatenated parts.
fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

impl Keys {
    /// Loads the keys, and creates the one in the database on first use. Must not be called inside a transaction, since it may
    /// begin one.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored key is damaged.
    pub(crate) async fn load(app: &App, purpose: Purpose) -> Result<Self> {
        Ok(Self::from(app, &installation_key::load(app, purpose.key_name()).await?))
    }

    /// Loads the keys in the caller's transaction. A new key is lost if the transaction rolls back, so do not cache it.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored key is damaged.
    pub(crate) async fn load_in(app: &App, tx: &mut Tx, purpose: Purpose) -> Result<Self> {
        Ok(Self::from(app, &installation_key::load_in(app, tx, purpose.key_name()).await?))
    }

    fn from(app: &App, stored: &[u8; 32]) -> Self {
        let both = app.settings.secret_key.as_ref().map(|key| mac(key.expose_secret().as_bytes(), &[stored]));
        Self { database: mac(stored, &[b"database"]), both }
    }

    fn key(&self, source: KeySource) -> Option<[u8; 32]> {
        match source {
            KeySource::Database => Some(self.database),
            KeySource::Both => self.both,
        }
    }

    /// Returns the strongest key.
    fn strongest(&self) -> (KeySource, [u8; 32]) {
        self.both.map_or((KeySource::Database, self.database), |key| (KeySource::Both, key))
    }

    /// Seals a text and binds it to a row.
    pub(crate) fn seal(&self, app: &App, row: Uuid, secret: &[u8]) -> Result<String> {
        let (source, key) = self.strongest();
        let nonce = app.random::<NONCE_LEN>();
        let mut bytes = secret.to_vec();
        cipher(&key)?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(row.as_bytes().as_slice()),
                &mut bytes,
            )
            .map_err(|_| Error::internal("a secret could not be sealed"))?;
        Ok(format!("{}:{}:{}", source.prefix(), hex::encode(nonce), hex::encode(bytes)))
    }

    /// Opens a text that was sealed for the same row.
    ///
    /// # Errors
    /// [`Error::Internal`] if the key is missing or has changed, or the text was altered.
    pub(crate) fn open(&self, row: Uuid, sealed: &str) -> Result<Vec<u8>> {
        let wrong = || Error::internal("the sealed text cannot be opened; is secret_key the same?");
        let parts: Vec<&str> = sealed.split(':').collect();
        let [prefix, nonce, bytes] = parts[..] else { return Err(wrong()) };
        let source = [KeySource::Database, KeySource::Both]
            .into_iter()
            .find(|source| source.prefix() == prefix)
            .ok_or_else(wrong)?;
        let key = self.key(source).ok_or_else(wrong)?;
        let nonce = hex::decode(nonce).ok().and_then(|nonce| nonce.try_into().ok()).ok_or_else(wrong)?;
        let mut bytes = hex::decode(bytes).map_err(|_| wrong())?;
        let plain = cipher(&key)?
            .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(row.as_bytes().as_slice()), &mut bytes)
            .map_err(|_| wrong())?;
        Ok(plain.to_vec())
    }

    /// Returns the hash by which a recovery code is stored.
    pub(crate) fn hash(&self, row: Uuid, code: &str) -> String {
        let (source, key) = self.strongest();
        hash_with(source, &key, row, code)
    }

    /// Returns all hashes by which a recovery code may be stored.
    pub(crate) fn hashes(&self, row: Uuid, code: &str) -> Vec<String> {
        let sources = [KeySource::Database, KeySource::Both].into_iter();
        sources.filter_map(|source| Some(hash_with(source, &self.key(source)?, row, code))).collect()
    }
}

fn hash_with(source: KeySource, key: &[u8; 32], row: Uuid, code: &str) -> String {
    format!("{}:{}", source.prefix(), hex::encode(mac(key, &[row.as_bytes(), code.as_bytes()])))
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| Error::internal("the cipher took no key"))?;
    Ok(LessSafeKey::new(key))
}
