//! The scenario of `berth stripe-live-check` against the sandbox, which does what Berth expects of Stripe.

use berth_stripe::live_check::live_check;
use serde_json::{Value, json};

use crate::account::{Account, account};

/// The rows of a list that the scenario named after its run.
async fn left(account: &Account, path: &str) -> Vec<Value> {
    let (status, list) = account.raw(&account.key, "GET", &format!("{path}limit=100"), "", &[]).await;
    assert_eq!(status, 200, "{list}");
    let rows = list["data"].as_array().unwrap().iter();
    rows.filter(|row| row.to_string().to_lowercase().contains("berthcheck") || row.to_string().contains("Berth check"))
        .cloned()
        .collect()
}

#[tokio::test]
async fn everything_that_berth_expects_of_stripe_holds_and_nothing_is_left_behind() {
    let account = account().await;
    let report = live_check(&account.client, "1f").await;
    let broken: Vec<_> = report.findings.iter().filter(|finding| finding.instead.is_some()).collect();
    assert!(report.is_good() && report.findings.len() > 30, "{broken:#?} {:?}", report.left_behind);
    for list in
        ["/v1/customers?", "/v1/prices?active=true&", "/v1/products?active=true&", "/v1/promotion_codes?active=true&"]
    {
        assert_eq!(left(&account, list).await, Vec::<Value>::new(), "{list}");
    }
    let again = live_check(&account.client, "20").await;
    assert!(again.is_good(), "the next run begins anew: {again:#?}");
}

#[tokio::test]
async fn what_does_not_hold_is_named_and_the_rest_is_tried() {
    let account = account().await;
    account.fault(json!({"operation": "POST /v1/billing_portal/sessions", "when": "before", "status": 400})).await;
    account
        .fault(json!({"operation": "POST /v1/promotion_codes/{promotion_code}", "when": "before", "status": 403}))
        .await;
    let report = live_check(&account.client, "1f").await;
    let broken: Vec<_> = report.findings.iter().filter(|finding| finding.instead.is_some()).collect();
    assert!(matches!(broken[..], [one] if one.expected.starts_with("the customer portal opens")), "{broken:#?}");
    assert!(
        matches!(&report.left_behind[..], [code] if code.starts_with("promo_") && code.contains("403")),
        "{report:#?}"
    );
    assert!(!report.is_good());
}

#[tokio::test]
async fn a_scenario_that_cannot_go_on_says_why_and_cleans_up() {
    let account = account().await;
    account.fault(json!({"operation": "POST /v1/setup_intents", "when": "before", "status": 400})).await;
    let report = live_check(&account.client, "1f").await;
    let last = report.findings.last().unwrap();
    assert_eq!(last.expected, "the scenario runs to its end");
    assert!(last.instead.as_ref().unwrap().contains("400"), "{last:?}");
    assert_eq!((left(&account, "/v1/customers?").await, report.left_behind), (Vec::new(), Vec::new()));
}
