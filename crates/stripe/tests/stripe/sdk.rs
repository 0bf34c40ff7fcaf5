//! Stripe's official SDK for Node.js drives the sandbox, under the eyes of the judge (guide payments 1.7).

use std::path::Path;
use std::process::Command;

use berth_stripe::API_VERSION;
use berth_stripe::judge::Judge;
use berth_stripe::sandbox::{MemoryStore, Sandbox};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdk_of_stripe_finds_what_it_expects() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2).unwrap();
    let installed = Command::new(root.join("scripts/install-web")).arg("e2e").output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));

    let judge = Judge::default();
    let sandbox = Sandbox::open_wrapped(Box::new(MemoryStore::default()), &[], Some(judge.wrap())).unwrap();
    let address = sandbox.listen().await.unwrap();
    let port = address.rsplit(':').next().unwrap().to_owned();
    let script = here.join("tests/stripe/sdk.mjs");
    let key = sandbox.secret_key();
    let drive =
        move || Command::new("node").arg(script).args([port.as_str(), key.expose_secret(), API_VERSION]).output();
    let output = tokio::task::spawn_blocking(drive).await.unwrap().unwrap();
    let (told, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{wrong}");
    assert_eq!(judge.verdict(), Vec::<String>::new());

    let seen: Value = serde_json::from_str(told.trim()).unwrap();
    let refusal = |class: &str, kind: &str, code: Option<&str>, status: u16| {
        let mut refusal = json!({"class": class, "type": kind, "status": status});
        if let Some(code) = code {
            refusal["code"] = json!(code);
        }
        refusal
    };
    let mut declined = refusal("StripeCardError", "card_error", Some("card_declined"), 402);
    declined["decline"] = json!("insufficient_funds");
    let invalid = "StripeInvalidRequestError";
    let expected = json!({
        "replay": "true", "livemode": false, "setup": "succeeded", "card": ["visa", "4242", true], "listed": true,
        "default": true, "detached": null, "noDefault": null, "portal": true, "deleted": true, "gone": true,
        "otherFields": refusal("StripeIdempotencyError", "idempotency_error", None, 400),
        "declined": declined,
        "unknown": refusal(invalid, "invalid_request_error", Some("resource_missing"), 404),
        "noKey": refusal("StripeAuthenticationError", "invalid_request_error", None, 401),
    });
    assert_eq!(seen, expected, "{seen:#}");
}
