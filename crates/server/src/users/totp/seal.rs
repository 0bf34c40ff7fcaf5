//! Keys of second factors at rest. The secret of an authenticator app must be read again to check a code, so it is
//! sealed (ChaCha20-Poly1305, bound to its user) rather than hashed; recovery codes are keyed hashes.
//!
//! The key comes from one in the database and, where the operator has set `secret_key`, from that one too: then a copy of
//! the database opens nothing (SECURITY.md). What was sealed without `secret_key` stays readable once it is set.

use berth_domain::id::UserId;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use secrecy::ExposeSecret;
use sha2::Sha256;

use crate::{App, Error, Result};

/// Name of the key in the database.
const KEY_NAME: &str = "second-factors";

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

/// The keys of this installation.
pub(in crate::users) struct Keys {
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
    /// Reads them; the one of the database is made on first use. Not inside a transaction: it may write.
    ///
    /// # Errors
    /// Those of the database.
    pub(in crate::users) async fn read(app: &App) -> Result<Self> {
        let stored = crate::places::key::of(app, KEY_NAME).await?;
        let both = app.settings.secret_key.as_ref().map(|key| mac(key.expose_secret().as_bytes(), &[&stored]));
        Ok(Self { database: mac(&stored, &[b"database"]), both })
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

    /// Seals a secret of a user.
    ///
    /// # Errors
    /// Never, as long as the cipher takes a key of 32 bytes.
    pub(in crate::users) fn seal(&self, app: &App, user_id: UserId, secret: &[u8]) -> Result<String> {
        let (made, key) = self.best();
        let nonce = app.random::<NONCE_LEN>();
        let mut bytes = secret.to_vec();
        cipher(&key)?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(user_id.0.as_bytes().as_slice()),
                &mut bytes,
            )
            .map_err(|_| Error::internal("a secret could not be sealed"))?;
        Ok(format!("{}:{}:{}", made.mark(), hex::encode(nonce), hex::encode(bytes)))
    }

    /// Opens what was sealed for the same user.
    ///
    /// # Errors
    /// When the key is missing or another one, or the text was altered.
    pub(in crate::users) fn open(&self, user_id: UserId, sealed: &str) -> Result<Vec<u8>> {
        let wrong = || Error::internal("the secret of an authenticator app cannot be opened; is secret_key the same?");
        let parts: Vec<&str> = sealed.split(':').collect();
        let [mark, nonce, bytes] = parts[..] else { return Err(wrong()) };
        let made = [Made::Database, Made::Both].into_iter().find(|made| made.mark() == mark).ok_or_else(wrong)?;
        let key = self.key(made).ok_or_else(wrong)?;
        let nonce = hex::decode(nonce).ok().and_then(|nonce| nonce.try_into().ok()).ok_or_else(wrong)?;
        let mut bytes = hex::decode(bytes).map_err(|_| wrong())?;
        let plain = cipher(&key)?
            .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(user_id.0.as_bytes().as_slice()), &mut bytes)
            .map_err(|_| wrong())?;
        Ok(plain.to_vec())
    }

    /// How a recovery code is stored.
    pub(in crate::users) fn hash(&self, user_id: UserId, code: &str) -> String {
        let (made, key) = self.best();
        hash_with(made, &key, user_id, code)
    }

    /// Every way in which a recovery code may be stored.
    pub(in crate::users) fn hashes(&self, user_id: UserId, code: &str) -> Vec<String> {
        let ways = [Made::Database, Made::Both].into_iter();
        ways.filter_map(|made| Some(hash_with(made, &self.key(made)?, user_id, code))).collect()
    }
}

fn hash_with(made: Made, key: &[u8; 32], user_id: UserId, code: &str) -> String {
    format!("{}:{}", made.mark(), hex::encode(mac(key, &[user_id.0.as_bytes(), code.as_bytes()])))
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| Error::internal("the cipher took no key"))?;
    Ok(LessSafeKey::new(key))
}
