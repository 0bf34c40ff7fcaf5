//! Signatures of webhooks: the `Stripe-Signature` header.

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::objects::Event;

/// The header with the signature.
pub const SIGNATURE_HEADER: &str = "Stripe-Signature";

/// Maximum difference between the time of a signature and our own, in seconds.
pub const TOLERANCE: i64 = 300;

/// Why a webhook was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The header does not have Stripe's format.
    #[error("the signature header cannot be read")]
    Malformed,
    /// No signature was made with one of our secrets for this body.
    #[error("the signature does not fit")]
    Mismatch,
    /// The signature is right but too old, or from the future.
    #[error("the signature is too old")]
    Stale,
    /// The signature is right, but the body is not an event.
    #[error("the body is no event")]
    NoEvent,
}

/// Returns the value of [`SIGNATURE_HEADER`] for a body that is sent at `now` (Unix seconds).
#[must_use]
pub fn sign(secret: &SecretString, body: &[u8], now: i64) -> String {
    format!("t={now},v1={}", hex::encode(mac(secret, body, &now.to_string()).finalize().into_bytes()))
}

/// Reads an event whose signature was made with one of `secrets`; there are several while a secret is being replaced.
/// `body` must be the bytes as they came, and `now` is our own time in Unix seconds.
///
/// # Errors
/// See [`SignatureError`]. The time is checked last, so that a sender without the secret learns nothing about our
/// clock.
pub fn verify(secrets: &[SecretString], header: &str, body: &[u8], now: i64) -> Result<Event, SignatureError> {
    let (mut time, mut signatures) = (None, Vec::new());
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", value)) if time.is_none() => time = Some(value),
            Some(("v1", value)) => signatures.extend(hex::decode(value)),
            // Other schemes, such as the weaker v0, are ignored.
            _ => {}
        }
    }
    let time = time.ok_or(SignatureError::Malformed)?;
    let signed_at: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    let fits = secrets.iter().any(|secret| {
        let mac = mac(secret, body, time);
        // `verify_slice` takes the same time for every wrong signature.
        signatures.iter().any(|signature| mac.clone().verify_slice(signature).is_ok())
    });
    if !fits {
        return Err(SignatureError::Mismatch);
    }
    if now.abs_diff(signed_at) > TOLERANCE.unsigned_abs() {
        return Err(SignatureError::Stale);
    }
    serde_json::from_slice(body).map_err(|_| SignatureError::NoEvent)
}

/// Computes the HMAC of the time and the body. The key is the whole secret, including its prefix `whsec_`.
fn mac(secret: &SecretString, body: &[u8], time: &str) -> Hmac<Sha256> {
    let key = secret.expose_secret().as_bytes();
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::{SecretString, SignatureError, TOLERANCE, sign, verify};

    const BODY: &[u8] = br#"{"id":"evt_1","object":"event","type":"invoice.paid","data":{"object":{}}}"#;
    const TIME: i64 = 1_795_250_000;
    const HEADER: &str = "t=1795250000,v1=ae2e52a50052cd570d3934e99ccbb4a9e115663e4062efe20a72b141fa79db27";

    fn secret() -> SecretString {
        "whsec_x".to_owned().into()
    }

    #[test]
    fn the_signature_matches_the_known_vector() {
        assert_eq!(sign(&secret(), BODY, TIME), HEADER);
        let event = verify(&[secret()], HEADER, BODY, TIME).unwrap();
        assert_eq!((event.id.as_str(), event.kind.as_str()), ("evt_1", "invoice.paid"));
    }

    #[test]
    fn only_configured_secrets_verify_a_signature() {
        let other: SecretString = "whsec_y".to_owned().into();
        assert!(verify(&[other.clone(), secret()], HEADER, BODY, TIME).is_ok(), "while the secret is replaced");
        assert_eq!(verify(&[other], HEADER, BODY, TIME), Err(SignatureError::Mismatch));
        assert_eq!(verify(&[], HEADER, BODY, TIME), Err(SignatureError::Mismatch));
        // Stripe signs with the old and the new secret while it replaces one.
        let both = format!("{},{}", HEADER.replace("v1=ae", "v1=00"), HEADER.split_once(',').unwrap().1);
        assert!(verify(&[secret()], &both, BODY, TIME).is_ok());
    }

    #[test]
    fn a_tampered_body_time_or_scheme_is_rejected() {
        let tampered = String::from_utf8(BODY.to_vec()).unwrap().replace("evt_1", "evt_2");
        assert_eq!(verify(&[secret()], HEADER, tampered.as_bytes(), TIME), Err(SignatureError::Mismatch));
        let later = HEADER.replace("1795250000", "1795250001");
        assert_eq!(verify(&[secret()], &later, BODY, TIME), Err(SignatureError::Mismatch));
        assert_eq!(verify(&[secret()], &HEADER.replace("v1=", "v0="), BODY, TIME), Err(SignatureError::Mismatch));
        for header in ["", "v1=ae2e", "t=now,v1=ae2e", "t=,v1=ae2e"] {
            assert_eq!(verify(&[secret()], header, BODY, TIME), Err(SignatureError::Malformed), "{header}");
        }
        for header in ["t=1795250000", "t=1795250000,v1=", "t=1795250000,v1=xyz"] {
            assert_eq!(verify(&[secret()], header, BODY, TIME), Err(SignatureError::Mismatch), "{header}");
        }
    }

    #[test]
    fn a_signature_is_valid_for_five_minutes_before_and_after() {
        for (now, expected) in [
            (TIME + TOLERANCE, None),
            (TIME + TOLERANCE + 1, Some(SignatureError::Stale)),
            (TIME - TOLERANCE, None),
            (TIME - TOLERANCE - 1, Some(SignatureError::Stale)),
            (i64::MIN, Some(SignatureError::Stale)),
        ] {
            assert_eq!(verify(&[secret()], HEADER, BODY, now).err(), expected, "{now}");
        }
    }

    #[test]
    fn a_signed_body_that_is_not_an_event_is_rejected() {
        let header = sign(&secret(), b"[]", TIME);
        assert_eq!(verify(&[secret()], &header, b"[]", TIME), Err(SignatureError::NoEvent));
    }
}
