//! Secrets: random 256-bit strings with a prefix for the kind, stored as SHA-256 (DESIGN 5). Codes are stored as an HMAC keyed by
//! the token that they belong to, which is not in the database.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::App;

/// The kind of a secret: what it gives access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The steps of sign-in only; 10 minutes.
    FirstStep,
    /// The API; 15 minutes.
    Access,
    /// A new access token; single use.
    Refresh,
    /// The API, from the web app's cookie.
    Cookie,
    /// The first step of an invited user; single use, 7 days.
    Invitation,
    /// A new password; single use, 30 minutes.
    Reset,
    /// A new email; single use, 30 minutes.
    Email,
    /// A known device, which has rate limits of its own.
    Device,
}

impl Kind {
    /// Returns the spelling in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FirstStep => "first_step",
            Self::Access => "access",
            Self::Refresh => "refresh",
            Self::Cookie => "cookie",
            Self::Invitation => "invitation",
            Self::Reset => "reset",
            Self::Email => "email",
            Self::Device => "device",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::FirstStep => "berth_f_",
            Self::Access => "berth_a_",
            Self::Refresh => "berth_r_",
            Self::Cookie => "berth_c_",
            Self::Invitation => "berth_i_",
            Self::Reset => "berth_p_",
            Self::Email => "berth_e_",
            Self::Device => "berth_d_",
        }
    }
}

/// Generates a random secret.
#[must_use]
pub fn generate(app: &App, kind: Kind) -> String {
    format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(app.random::<32>()))
}

/// Returns the SHA-256 of a secret in hex, by which it is stored and looked up.
#[must_use]
pub fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// Generates a code of six random digits.
#[must_use]
pub fn code(app: &App) -> String {
    // 64 bits modulo a million: the bias is below one in 10^13.
    format!("{:06}", u64::from_le_bytes(app.random::<8>()) % 1_000_000)
}

/// Returns the HMAC-SHA-256 by which a code is stored. The key is the token that the code was requested with, so that a copy of
/// the database is not enough to find the code by trying all of them.
///
/// # Panics
/// Never: HMAC takes a key of any length.
#[must_use]
pub fn code_hash(token: &str, phone: &str, code: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).expect("HMAC takes any key");
    mac.update(phone.as_bytes());
    mac.update(b"|");
    mac.update(code.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

/// Compares two hashes in constant time.
#[must_use]
pub fn same(left: &str, right: &str) -> bool {
    use subtle::ConstantTimeEq;
    left.as_bytes().ct_eq(right.as_bytes()).into()
}
