//! Stripe's official SDKs for Node.js and for Python call the sandbox, and the judge checks the calls (guide payments 1.7). Both
//! drive it through the same scenario.

use std::path::{Path, PathBuf};
use std::process::Command;

use berth_stripe::API_VERSION;
use berth_stripe::judge::Judge;
use berth_stripe::sandbox::{MemoryStore, Sandbox};
use berth_stripe::webhook::{self, SignatureError};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// When the webhook of the test was signed, in Unix seconds.
const TIME: i64 = 1_795_250_000;

/// How an SDK names its errors.
struct Names {
    card: &'static str,
    invalid: &'static str,
    idempotency: &'static str,
    authentication: &'static str,
    signature: &'static str,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn beside(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stripe").join(file)
}

/// Runs the scenario of an SDK against a fresh sandbox, and returns what the SDK saw. The judge must agree with each call, and we
/// must accept the webhook that the SDK signs.
async fn drive(mut command: Command) -> Value {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let judge = Judge::default();
    let sandbox = Sandbox::open_wrapped(Box::new(MemoryStore::default()), &[], Some(judge.wrap()));
    let address = sandbox.listen().await.unwrap();
    let port = address.rsplit(':').next().unwrap().to_owned();
    let key = sandbox.secret_key();
    let secret = sandbox.webhook_secret();
    let body = r#"{"id":"evt_1","object":"event","type":"invoice.paid","data":{"object":{}}}"#;
    let header = webhook::sign(&secret, body.as_bytes(), TIME);
    let (whsec, time) = (secret.expose_secret().to_owned(), TIME.to_string());
    let run =
        move || command.args([port.as_str(), key.expose_secret(), API_VERSION, &whsec, &time, &header, body]).output();
    let output = tokio::task::spawn_blocking(run).await.unwrap().unwrap();
    let (told, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{wrong}");
    assert_eq!(judge.verdict(), Vec::<String>::new());

    let mut seen: Value = serde_json::from_str(told.trim()).unwrap();
    // We accept what the SDK signs, and reject what was changed or is old.
    let theirs = seen["theirHeader"].take();
    let theirs = theirs.as_str().unwrap();
    let verify = |body: &str, now: i64| webhook::verify(std::slice::from_ref(&secret), theirs, body.as_bytes(), now);
    assert_eq!(verify(body, TIME).unwrap().id, "evt_1");
    assert_eq!(verify(&format!("{body} "), TIME), Err(SignatureError::Mismatch));
    assert_eq!(verify(body, TIME + 301), Err(SignatureError::Stale));
    seen
}

/// What an SDK has to see.
fn expected(names: &Names) -> Value {
    let refusal = |class: &str, kind: &str, code: Option<&str>, status: u16| {
        let mut refusal = json!({"class": class, "type": kind, "status": status});
        if let Some(code) = code {
            refusal["code"] = json!(code);
        }
        refusal
    };
    let mut declined = refusal(names.card, "card_error", Some("card_declined"), 402);
    declined["decline"] = json!("insufficient_funds");
    let mut not_paid = refusal(names.card, "card_error", Some("card_declined"), 402);
    not_paid["decline"] = json!("generic_decline");
    let missing = |status: u16| refusal(names.invalid, "invalid_request_error", Some("resource_missing"), status);
    json!({
        "replay": "true", "livemode": false, "setup": "succeeded", "card": ["visa", "4242", true], "listed": true,
        "default": true, "detached": null, "noDefault": null, "portal": true, "deleted": true, "gone": true,
        "price": [135_000, "usd"], "subscribed": ["active", "paid", true], "charged": [1, true, 135_000],
        "coupon": [20.0, 108_000], "preview": 135_000, "incomplete": ["incomplete", "open", "payment_intent"],
        "paid": "paid", "active": "active", "canceled": "canceled", "subscriptions": 3, "events": [1, true],
        "webhook": ["evt_1", names.signature, names.signature],
        "theirHeader": null,
        "badCoupon": missing(400),
        "notPaid": not_paid,
        "paidTwice": refusal(names.invalid, "invalid_request_error", None, 400),
        "canceledTwice": missing(404),
        "otherFields": refusal(names.idempotency, "idempotency_error", None, 400),
        "declined": declined,
        "unknown": missing(404),
        "noKey": refusal(names.authentication, "invalid_request_error", None, 401),
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdk_of_stripe_finds_what_it_expects() {
    let installed = Command::new(root().join("scripts/install-web")).arg("e2e").output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let mut command = Command::new("node");
    command.arg(beside("sdk.mjs"));
    let mut seen = drive(command).await;
    // JavaScript writes 20.0 as 20.
    seen["coupon"][0] = json!(seen["coupon"][0].as_f64());
    let names = Names {
        card: "StripeCardError",
        invalid: "StripeInvalidRequestError",
        idempotency: "StripeIdempotencyError",
        authentication: "StripeAuthenticationError",
        signature: "StripeSignatureVerificationError",
    };
    assert_eq!(seen, expected(&names), "{seen:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_sdk_of_stripe_finds_the_same() {
    let mut command = Command::new(root().join("scripts/with-python-packages"));
    command.arg(beside("stripe-sdk.txt")).arg(beside("sdk.py"));
    let mut seen = drive(command).await;
    assert_eq!(seen.as_object_mut().unwrap().remove("stale"), Some(json!("SignatureVerificationError")));
    let names = Names {
        card: "CardError",
        invalid: "InvalidRequestError",
        idempotency: "IdempotencyError",
        authentication: "AuthenticationError",
        signature: "SignatureVerificationError",
    };
    assert_eq!(seen, expected(&names), "{seen:#}");
}
