//! An offered place and its signed id. The id contains the place itself, so that nothing has to be stored until it is
//! chosen.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use berth_domain::time::Timestamp;
use hmac::Mac;
use serde::{Deserialize, Serialize};

use super::{Place, key};

/// Minutes after which an id expires.
const LIFETIME_MINUTES: i64 = 60;
/// Length of the signature in bytes.
const SIGNATURE_BYTES: usize = 16;

/// An offered place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Offer {
    /// The known data, enough to save the place.
    pub(super) place: Place,
    /// The provider's id, if the provider has more data about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<Reference>,
}

/// A provider's id of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reference {
    /// The id of the place.
    pub(super) id: String,
    /// The session in which it was found.
    pub(super) session: String,
}

#[derive(Serialize, Deserialize)]
struct Packed {
    ends: i64,
    offer: Offer,
}

/// Returns when an id that is made now expires.
pub(super) const fn expiry(now: Timestamp) -> Timestamp {
    now.plus_minutes(LIFETIME_MINUTES)
}

impl From<Place> for Offer {
    fn from(place: Place) -> Self {
        Self { place, reference: None }
    }
}

impl Offer {
    /// Returns the signed id, which is valid until `ends`.
    pub(super) fn sign(&self, secret: &[u8; 32], ends: Timestamp) -> String {
        let packed = Packed { ends: ends.millis(), offer: self.clone() };
        let body = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&packed).unwrap_or_default());
        let signature = key::seal(secret, body.as_bytes()).finalize().into_bytes();
        format!("{body}.{}", URL_SAFE_NO_PAD.encode(&signature[..SIGNATURE_BYTES]))
    }

    /// Reads the offer of an id. Returns `None` if the signature is wrong or the id has expired.
    pub(super) fn read(secret: &[u8; 32], id: &str, now: Timestamp) -> Option<Self> {
        let (body, signature) = id.split_once('.')?;
        let signature =
            URL_SAFE_NO_PAD.decode(signature).ok().filter(|signature| signature.len() == SIGNATURE_BYTES)?;
        key::seal(secret, body.as_bytes()).verify_truncated_left(&signature).ok()?;
        let packed: Packed = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).ok()?).ok()?;
        (now.millis() < packed.ends).then_some(packed.offer)
    }
}
