//! An offer and its signed id: the place itself, packed, so that nothing has to be kept until it is chosen.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use berth_domain::time::Timestamp;
use hmac::Mac;
use serde::{Deserialize, Serialize};

use super::{Place, key};

/// How long an id is good, in minutes.
const GOOD_FOR: i64 = 60;
/// Bytes of the signature.
const SIGNATURE: usize = 16;

/// A place that is offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Offer {
    /// What is known of it; enough to be kept.
    pub(super) place: Place,
    /// How its provider calls it, when it has more to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<Reference>,
}

/// A provider's own name of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reference {
    /// The place.
    pub(super) id: String,
    /// The search that it was found by.
    pub(super) session: String,
}

#[derive(Serialize, Deserialize)]
struct Packed {
    ends: i64,
    offer: Offer,
}

/// When an id that is given out now ends.
pub(super) const fn end(now: Timestamp) -> Timestamp {
    now.plus_minutes(GOOD_FOR)
}

impl From<Place> for Offer {
    fn from(place: Place) -> Self {
        Self { place, reference: None }
    }
}

impl Offer {
    /// The id under which it may be chosen until `ends`.
    pub(super) fn sign(&self, secret: &[u8; 32], ends: Timestamp) -> String {
        let packed = Packed { ends: ends.millis(), offer: self.clone() };
        let body = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&packed).unwrap_or_default());
        let signature = key::seal(secret, body.as_bytes()).finalize().into_bytes();
        format!("{body}.{}", URL_SAFE_NO_PAD.encode(&signature[..SIGNATURE]))
    }

    /// The offer of an id; none if we have not signed it, or too long ago.
    pub(super) fn read(secret: &[u8; 32], id: &str, now: Timestamp) -> Option<Self> {
        let (body, signature) = id.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok().filter(|signature| signature.len() == SIGNATURE)?;
        key::seal(secret, body.as_bytes()).verify_truncated_left(&signature).ok()?;
        let packed: Packed = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).ok()?).ok()?;
        (now.millis() < packed.ends).then_some(packed.offer)
    }
}
