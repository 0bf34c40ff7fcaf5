//! Secrets that open something: random 256-bit strings behind a prefix that tells the kind, stored as SHA-256
//! (DESIGN 5). Codes are stored as an HMAC keyed by the token they belong to, which the database does not hold.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::App;

/// What a secret opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The steps of sign-in only; 10 minutes.
    FirstStep,
    /// The API; 15 minutes.
    Access,
    /// A new access token; one use.
    Refresh,
    /// The API, from the web app's cookie.
    Cookie,
    /// The first step of an invited user; one use, 7 days.
    Invitation,
    /// A new password; one use, 30 minutes.
    Reset,
    /// Another email; one use, 30 minutes.
    Email,
    /// A browser that signed in fully before; a limit of its own.
    Device,
}

impl Kind {
    /// As the database spells it.
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

/// A new random secret of a kind.
#[must_use]
pub fn generate(app: &App, kind: Kind) -> String {
    format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(app.random::<32>()))
}

/// How a secret is stored and looked up: SHA-256, in hex.
#[must_use]
pub fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// Six random digits.
#[must_use]
pub fn code(app: &App) -> String {
    // 64 bits modulo a million: the bias is below one in 10^13.
    format!("{:06}", u64::from_le_bytes(app.random::<8>()) % 1_000_000)
}

/// How a code is stored: HMAC-SHA-256 under the token it was asked for with, so that a copy of the database is not
/// enough to find it among a million.
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

/// Compares two hashes without telling by time where they differ.
#[must_use]
pub fn same(left: &str, right: &str) -> bool {
    use subtle::ConstantTimeEq;
    left.as_bytes().ct_eq(right.as_bytes()).into()
}
