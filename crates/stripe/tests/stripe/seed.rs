//! The subscriptions of a demo account with their past invoices. After the start they behave like any other.

use berth_stripe::sandbox::{FileStore, MemoryStore, Seed, SeedCard, SeedCourse, SeedSubscription, catalog};
use berth_stripe::{InvoiceStatus, SubscriptionStatus};

use crate::account::account_of;

const DAY: i64 = 24;
const CARDS: [SeedCard; 1] =
    [SeedCard { id: "pm_paying", test_card: "pm_card_visa", exp_month: 4, exp_year: 2040, is_removed: false }];
const REMOVED: [SeedCard; 1] =
    [SeedCard { id: "pm_removed", test_card: "pm_card_visa", exp_month: 4, exp_year: 2040, is_removed: true }];

const fn monthly(id: &'static str, months_before: i64, hours: i64, course: SeedCourse) -> SeedSubscription {
    SeedSubscription { id, site: "Harbor House", price: catalog::MONTHLY, months_before, hours, trial_days: 0, course }
}

const TRIAL: SeedSubscription =
    SeedSubscription { trial_days: 14, ..monthly("sub_trialing", 0, -5 * DAY, SeedCourse::Paid) };

const SEEDS: [Seed; 2] = [
    Seed {
        id: "cus_paying",
        name: "Harbor",
        email: "harbor@test.example",
        cards: &CARDS,
        subscriptions: &[
            monthly("sub_active", 3, 19 * DAY, SeedCourse::Paid),
            monthly("sub_expired", 3, 17 * DAY, SeedCourse::FirstDeclined),
            TRIAL,
            monthly("sub_past_due", 2, -6 * DAY, SeedCourse::DeclinedFor(10)),
            monthly("sub_canceled", 2, 12 * DAY, SeedCourse::CanceledFor(6)),
        ],
    },
    Seed {
        id: "cus_removed",
        name: "Sierra",
        email: "sierra@test.example",
        cards: &REMOVED,
        subscriptions: &[
            monthly("sub_unpaid", 2, -25 * DAY, SeedCourse::DeclinedFor(30)),
            monthly("sub_incomplete", 0, -5, SeedCourse::FirstDeclined),
        ],
    },
];

#[tokio::test]
async fn seeded_subscriptions_stand_where_their_past_led_them_and_can_be_paid_and_canceled() {
    let account = account_of(Box::new(MemoryStore::default()), &SEEDS).await;
    let client = &account.client;
    for (id, expected) in [
        ("sub_active", SubscriptionStatus::Active),
        ("sub_expired", SubscriptionStatus::IncompleteExpired),
        ("sub_trialing", SubscriptionStatus::Trialing),
        ("sub_past_due", SubscriptionStatus::PastDue),
        ("sub_canceled", SubscriptionStatus::Canceled),
        ("sub_unpaid", SubscriptionStatus::Unpaid),
        ("sub_incomplete", SubscriptionStatus::Incomplete),
    ] {
        assert_eq!(client.subscription(id).await.unwrap().status, expected, "{id}");
    }
    assert!(client.cards("cus_removed").await.unwrap().is_empty());
    assert!(client.latest_event().await.unwrap().is_none(), "nobody is told of the past");

    let invoices = client.invoices("sub_active").await.unwrap();
    assert_eq!(invoices.len(), 3, "one a month");
    assert!(invoices.iter().all(|invoice| invoice.status == Some(InvoiceStatus::Paid)));
    let paid = client.charges("cus_paying").await.unwrap();
    assert!(paid.iter().filter(|charge| charge.status == "succeeded").all(|charge| charge.receipt_url.is_some()));

    // Numbers follow time, across subscriptions.
    let mut numbers = Vec::new();
    for id in ["sub_active", "sub_trialing", "sub_past_due", "sub_canceled", "sub_expired"] {
        let all = client.invoices(id).await.unwrap();
        numbers.extend(all.iter().map(|invoice| (invoice.status_transitions.finalized_at, invoice.number.clone())));
    }
    numbers.sort();
    assert!(numbers.is_sorted_by_key(|(_, number)| number.clone()), "{numbers:?}");

    let due = client.subscription("sub_past_due").await.unwrap();
    client.pay_invoice(due.latest_invoice_id().unwrap(), "pay").await.unwrap();
    assert_eq!(client.subscription("sub_past_due").await.unwrap().status, SubscriptionStatus::Active);
    assert_eq!(client.cancel_subscription("sub_active").await.unwrap().status, SubscriptionStatus::Canceled);
}

#[tokio::test]
async fn the_next_start_finds_the_same_invoices() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let mut before = Vec::new();
    for _ in 0..2 {
        let account = account_of(Box::new(FileStore::at(file.clone())), &SEEDS).await;
        let invoices = account.client.invoices("sub_active").await.unwrap();
        let ids: Vec<String> = invoices.into_iter().map(|invoice| invoice.id).collect();
        assert!(before.is_empty() || before == ids, "nothing was written at the first start");
        before = ids;
    }
}
