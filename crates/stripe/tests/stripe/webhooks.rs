//! Events and webhooks of the sandbox: what is sent, in which order, how often, and with which signature.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use berth_stripe::sandbox::catalog;
use berth_stripe::webhook::{SIGNATURE_HEADER, verify};
use berth_stripe::{FirstPayment, NewSubscription};
use serde_json::json;

use crate::account::{Account, account};

/// The webhooks that an endpoint got: the header with the signature, and the body.
type Got = Arc<Mutex<Vec<(String, Bytes)>>>;

/// An endpoint that rejects the first `failures` webhooks.
async fn endpoint(account: &Account, failures: usize) -> Got {
    let (got, seen) = (Got::default(), Arc::new(Mutex::new(0)));
    let kept = Arc::clone(&got);
    let handler = async move |headers: HeaderMap, body: Bytes| {
        let mut seen = seen.lock().unwrap();
        *seen += 1;
        if *seen <= failures {
            return StatusCode::SERVICE_UNAVAILABLE;
        }
        kept.lock().unwrap().push((headers[SIGNATURE_HEADER].to_str().unwrap().to_owned(), body));
        StatusCode::OK
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/hook", post(handler))).await });
    account.control("webhooks", &json!({"url": url, "pause_ms": 1})).await;
    got
}

/// The types of the events that came, once the queue is empty.
async fn kinds(account: &Account, got: &Got) -> Vec<String> {
    account.control("webhooks/settle", &json!({})).await;
    let secrets = [account.sandbox.webhook_secret()];
    let now = account.sandbox.now().await;
    got.lock().unwrap().iter().map(|(header, body)| verify(&secrets, header, body, now).unwrap().kind).collect()
}

async fn subscribe(account: &Account) -> String {
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let new = NewSubscription {
        customer: &customer,
        price: catalog::MONTHLY,
        discount: None,
        first_payment: FirstPayment::Now,
        description: None,
        site_id: "s-1",
        organization_id: "o-1",
    };
    account.client.create_subscription(&new, "key").await.unwrap().id
}

const SUBSCRIBED: [&str; 11] = [
    "customer.created",
    "payment_method.attached",
    "customer.updated",
    "invoice.created",
    "invoice.finalized",
    "charge.succeeded",
    "payment_intent.succeeded",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.created",
    "customer.subscription.deleted",
];

#[tokio::test]
async fn each_change_is_an_event_and_a_signed_webhook() {
    let account = account().await;
    let got = endpoint(&account, 0).await;
    let id = subscribe(&account).await;
    account.client.cancel_subscription(&id).await.unwrap();
    assert_eq!(kinds(&account, &got).await, SUBSCRIBED);
    let latest = account.client.latest_event().await.unwrap().unwrap();
    assert_eq!((latest.kind.as_str(), latest.data.object.id.as_deref()), (SUBSCRIBED[10], Some(id.as_str())));
    assert_eq!(account.client.event(&latest.id).await.unwrap(), latest);
    assert!(account.client.event("evt_none").await.unwrap_err().is_missing("id"));
}

#[tokio::test]
async fn events_after_a_known_one_are_listed_the_oldest_first() {
    let account = account().await;
    subscribe(&account).await;
    let last = account.client.latest_event().await.unwrap().unwrap();
    assert_eq!(account.client.events_after(&last.id).await.unwrap(), []);
    for number in 0..130 {
        let path = format!("/v1/prices/{}", catalog::MONTHLY);
        account.post(&path, &format!("active={}", number % 2 == 1)).await;
    }
    let events = account.client.events_after(&last.id).await.unwrap();
    assert_eq!((events.len(), events[0].kind.as_str()), (130, "price.updated"));
    let newest = account.client.latest_event().await.unwrap().unwrap();
    assert_eq!(events.last(), Some(&newest));
    // Stripe forgets what is older than 30 days.
    account.advance(31 * 24 * 60 * 60).await;
    assert!(account.client.events_after(&last.id).await.unwrap_err().is_missing("ending_before"));
}

#[tokio::test]
async fn a_webhook_is_sent_until_it_is_accepted() {
    let account = account().await;
    let got = endpoint(&account, 5).await;
    subscribe(&account).await;
    let mut came = kinds(&account, &got).await;
    came.sort_unstable();
    let mut expected = SUBSCRIBED[..10].to_vec();
    expected.sort_unstable();
    assert_eq!(came, expected, "all of them, once each");
}

#[tokio::test]
async fn webhooks_can_be_lost_doubled_and_reversed() {
    let account = account().await;
    let got = endpoint(&account, 0).await;
    account.control("webhooks", &json!({"drop": 3, "duplicate": 1, "hold": true})).await;
    subscribe(&account).await;
    assert_eq!(got.lock().unwrap().len(), 0, "held");
    account.control("webhooks", &json!({"reverse": true, "hold": false})).await;
    let expected: Vec<&str> = SUBSCRIBED[3..10].iter().rev().flat_map(|kind| [*kind, *kind]).collect();
    assert_eq!(kinds(&account, &got).await, expected);
}

/// Race: the webhook is there before the answer to the call that caused it.
#[tokio::test]
async fn a_webhook_can_come_before_the_answer() {
    let account = account().await;
    let got = endpoint(&account, 0).await;
    account.fault(json!({"operation": "POST /v1/customers", "when": "hold_after"})).await;
    let client = account.client.clone();
    let call = tokio::spawn(async move { client.create_customer(&crate::account::ORGANIZATION, "key").await });
    account.control("held", &json!({})).await;
    assert_eq!(kinds(&account, &got).await, ["customer.created"]);
    assert!(!call.is_finished());
    account.control("release", &json!({})).await;
    call.await.unwrap().unwrap();
}
