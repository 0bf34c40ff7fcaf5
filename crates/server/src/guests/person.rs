//! Identifies a person for limits and locks: a keyed hash of the phone or of the email address. The rows outlive the
//! guest, so a reader of the database must not be able to find a phone number by hashing all of them.

use tokio::sync::OnceCell;

use crate::places::key;
use crate::{App, Result, installation_key};

/// The key of this installation for such hashes, read once for each process.
#[derive(Default)]
pub struct Persons(OnceCell<[u8; 32]>);

impl Persons {
    /// The key. Not to be called while a transaction is open: it may write.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn key(&self, app: &App) -> Result<PersonKey> {
        let key = self.0.get_or_try_init(|| installation_key::load(app, "persons")).await?;
        Ok(PersonKey(*key))
    }
}

/// Makes the hashes of one installation.
#[derive(Clone, Copy)]
pub struct PersonKey([u8; 32]);

impl PersonKey {
    /// The hash of a phone, as +1 and 10 digits.
    #[must_use]
    pub fn phone(&self, phone: &str) -> String {
        self.hash("phone", phone)
    }

    /// The hash of the key of an email address.
    #[must_use]
    pub fn email(&self, email_key: &str) -> String {
        self.hash("email", email_key)
    }

    fn hash(&self, kind: &str, value: &str) -> String {
        use hmac::Mac;
        hex::encode(key::seal(&self.0, format!("{kind}:{value}").as_bytes()).finalize().into_bytes())
    }
}
