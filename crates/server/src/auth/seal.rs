//! Texts that must be read again and that a copy of the database must not tell: the secrets of authenticator apps and the
//! bodies of messages that wait to be sent. They are sealed (ChaCha20-Poly1305, each bound to its row) rather than hashed.
//! Recovery codes are keyed hashes under the same keys.
//!
//! The key comes from one in the database and, where the operator has set `secret_key`, from that one too: then a copy of
//! the database opens nothing (docs/decisions/0013). What was sealed without `secret_key` stays readable once it is set.

use berth_db::Tx;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use secrecy::ExposeSecret;
use sha2::Sha256;
use uuid::Uuid;

use crate::auth::installation_key;
use crate::{App, Error, Result};

/// What a key is for; also its name in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Authenticator apps and recovery codes. Rows are users.
    SecondFactors,
    /// Bodies of messages. Rows are those of the outbox.
    Messages,
}

impl Purpose {
    const fn key_name(self) -> &'static str {
        match self {
            Self::SecondFactors => "second-factors",
            Self::Messages => "messages",
        }
    }
}

/// Which keys something was sealed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    /// That of the database.
    Database,
    /// That of the database and the operator's.
    Both,
}

impl Made {
    const fn mark(self) -> &'static str {
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

/// HMAC-SHA-256.
fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

impl Keys {
    /// Loads them; the one of the database is made on first use. Not inside a transaction: it may begin one.
    ///
    /// # Errors
    /// When the stored key is damaged.
    pub(crate) async fn load(app: &App, purpose: Purpose) -> Result<Self> {
        Ok(Self::from(app, &installation_key::load(app, purpose.key_name()).await?))
    }

    /// The same inside a transaction. A new key lasts only if the transaction commits, so keep none of it beyond.
    ///
    /// # Errors
    /// When the stored key is damaged.
    pub(crate) async fn load_in(app: &App, tx: &mut Tx, purpose: Purpose) -> Result<Self> {
        Ok(Self::from(app, &installation_key::load_in(app, tx, purpose.key_name()).await?))
    }

    fn from(app: &App, stored: &[u8; 32]) -> Self {
        let both = app.settings.secret_key.as_ref().map(|key| mac(key.expose_secret().as_bytes(), &[stored]));
        Self { database: mac(stored, &[b"database"]), both }
    }

    fn key(&self, made: Made) -> Option<[u8; 32]> {
        match made {
            Made::Database => Some(self.database),
            Made::Both => self.both,
        }
    }

    /// The strongest there is.
    fn best(&self) -> (Made, [u8; 32]) {
        self.both.map_or((Made::Database, self.database), |key| (Made::Both, key))
    }

    /// Seals a text of a row.
    pub(crate) fn seal(&self, app: &App, row: Uuid, secret: &[u8]) -> Result<String> {
        let (made, key) = self.best();
        let nonce = app.random::<NONCE_LEN>();
        let mut bytes = secret.to_vec();
        cipher(&key)?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(row.as_bytes().as_slice()),
                &mut bytes,
            )
            .map_err(|_| Error::internal("a secret could not be sealed"))?;
        Ok(format!("{}:{}:{}", made.mark(), hex::encode(nonce), hex::encode(bytes)))
    }

    /// Opens what was sealed for the same row.
    ///
    /// # Errors
    /// When the key is missing or another one, or the text was altered.
    pub(crate) fn open(&self, row: Uuid, sealed: &str) -> Result<Vec<u8>> {
        let wrong = || Error::internal("the sealed text cannot be opened; is secret_key the same?");
        let parts: Vec<&str> = sealed.split(':').collect();
        let [mark, nonce, bytes] = parts[..] else { return Err(wrong()) };
        let made = [Made::Database, Made::Both].into_iter().find(|made| made.mark() == mark).ok_or_else(wrong)?;
        let key = self.key(made).ok_or_else(wrong)?;
        let nonce = hex::decode(nonce).ok().and_then(|nonce| nonce.try_into().ok()).ok_or_else(wrong)?;
        let mut bytes = hex::decode(bytes).map_err(|_| wrong())?;
        let plain = cipher(&key)?
            .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(row.as_bytes().as_slice()), &mut bytes)
            .map_err(|_| wrong())?;
        Ok(plain.to_vec())
    }

    /// How a recovery code is stored.
    pub(crate) fn hash(&self, row: Uuid, code: &str) -> String {
        let (made, key) = self.best();
        hash_with(made, &key, row, code)
    }

    /// Every way in which a recovery code may be stored.
    pub(crate) fn hashes(&self, row: Uuid, code: &str) -> Vec<String> {
        let ways = [Made::Database, Made::Both].into_iter();
        ways.filter_map(|made| Some(hash_with(made, &self.key(made)?, row, code))).collect()
    }
}

fn hash_with(made: Made, key: &[u8; 32], row: Uuid, code: &str) -> String {
    format!("{}:{}", made.mark(), hex::encode(mac(key, &[row.as_bytes(), code.as_bytes()])))
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| Error::internal("the cipher took no key"))?;
    Ok(LessSafeKey::new(key))
}
