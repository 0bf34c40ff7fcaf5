//! Subscriptions and invoices of the sandbox through the client. Each call and each answer is checked against Stripe's
//! schema.

use berth_stripe::sandbox::{PUBLISHABLE_KEY, catalog};
use berth_stripe::{Discount, FirstPayment, InvoiceStatus, NewSubscription, SubscriptionStatus};
use serde_json::{Value, json};

use crate::account::{Account, ORGANIZATION, account};

const DAY: i64 = 24 * 60 * 60;
const NOON: i64 = 1_795_348_800;

fn of<'a>(customer: &'a str, price: &'a str) -> NewSubscription<'a> {
    NewSubscription {
        customer,
        price,
        discount: None,
        first_payment: FirstPayment::Now,
        description: Some("Harbor & House"),
        site_id: "s-1",
        organization_id: "o-1",
    }
}

/// An account whose clock is stopped.
async fn still() -> Account {
    let account = account().await;
    account.sandbox.freeze(NOON).await.unwrap();
    account
}

async fn status(account: &Account, id: &str) -> SubscriptionStatus {
    account.client.subscription(id).await.unwrap().status
}

async fn declines(account: &Account, card: &str) {
    account.control("card", &json!({"payment_method": card, "behaviour": "DeclinesCharges"})).await;
}

#[tokio::test]
async fn the_catalog_has_active_recurring_prices_with_their_products() {
    let account = account().await;
    let prices = account.client.prices().await.unwrap();
    let months: Vec<_> = prices.iter().map(|price| (price.id.as_str(), price.unit_amount, price.months())).collect();
    assert_eq!(
        months,
        [
            (catalog::PLUS_YEARLY, Some(1_560_000), Some(12)),
            (catalog::PLUS_MONTHLY, Some(145_000), Some(1)),
            (catalog::YEARLY, Some(1_440_000), Some(12)),
            (catalog::MONTHLY, Some(135_000), Some(1)),
        ]
    );
    let product = prices[2].product.object().unwrap();
    assert_eq!((product.id.as_str(), product.name.as_str(), product.active), (catalog::PRODUCT, "Standard", true));
    let (archived, _) = account.post(&format!("/v1/prices/{}", catalog::MONTHLY), "active=false").await;
    assert_eq!(archived, 200);
    assert_eq!(account.client.prices().await.unwrap().len(), 3);
    assert!(!account.client.price(catalog::MONTHLY).await.unwrap().active);
    assert!(account.client.price("price_none").await.unwrap_err().is_missing("price"));
}

#[tokio::test]
async fn a_promotion_code_is_found_in_any_case_as_long_as_it_is_valid() {
    let account = account().await;
    let code = account.client.find_promotion_code("welcome20").await.unwrap().unwrap();
    let coupon = code.promotion.coupon.as_ref().unwrap().object().unwrap();
    assert_eq!((coupon.valid, coupon.percent_off), (true, Some(20.0)));
    assert!(account.client.find_promotion_code(catalog::EXPIRED).await.unwrap().is_none());
    assert!(account.client.find_promotion_code("NONE").await.unwrap().is_none());
    assert!(account.client.find_coupon(catalog::PARTNER).await.unwrap().unwrap().valid);
    for id in ["NONE", "", "..", "a/b", "a b"] {
        assert!(account.client.find_coupon(id).await.unwrap().is_none(), "{id}");
    }
    // One code that can be used once, and one that expires.
    let now = account.sandbox.now().await;
    for fields in [
        "code=ONCE&max_redemptions=1&promotion[type]=coupon&promotion[coupon]=PARTNER10".to_owned(),
        format!("code=SOON&expires_at={}&promotion[type]=coupon&promotion[coupon]=PARTNER10", now + DAY),
    ] {
        assert_eq!(account.post("/v1/promotion_codes", &fields).await.0, 200);
    }
    assert!(account.client.find_promotion_code("SOON").await.unwrap().is_some());
    account.advance(2 * DAY).await;
    assert!(account.client.find_promotion_code("SOON").await.unwrap().is_none());
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let once = account.client.find_promotion_code("ONCE").await.unwrap().unwrap();
    let new = NewSubscription { discount: Some(Discount::PromotionCode(&once.id)), ..of(&customer, catalog::MONTHLY) };
    account.client.create_subscription(&new, "a").await.unwrap();
    assert!(account.client.find_promotion_code("ONCE").await.unwrap().is_none(), "used up");
    assert!(account.client.create_subscription(&new, "b").await.unwrap_err().is_bad_discount());
}

/// Stripe counts payments and invoices of the customer, whatever they were for.
#[tokio::test]
async fn a_code_for_new_customers_is_refused_to_those_who_have_paid_or_were_billed() {
    let account = account().await;
    let fields =
        "code=NEW&restrictions[first_time_transaction]=true&promotion[type]=coupon&promotion[coupon]=PARTNER10";
    assert_eq!(account.post("/v1/promotion_codes", fields).await.0, 200);
    let code = account.client.find_promotion_code("NEW").await.unwrap().unwrap();
    assert!(code.restrictions.first_time_transaction);
    let try_it = async |customer: &str, key: &str| {
        let discount = Some(Discount::PromotionCode(&code.id));
        let new = NewSubscription { discount, ..of(customer, catalog::MONTHLY) };
        account.client.create_subscription(&new, key).await
    };
    let (new, _) = account.customer_with("pm_card_visa").await;
    let made = try_it(&new, "a").await.unwrap();
    account.client.cancel_subscription(&made.id).await.unwrap();
    let (unpaid, _) = account.customer_with("pm_card_chargeCustomerFail").await;
    account.client.create_subscription(&of(&unpaid, catalog::MONTHLY), "b").await.unwrap();
    for customer in [&new, &unpaid] {
        let error = try_it(customer, &format!("again {customer}")).await.unwrap_err();
        assert!(error.is_bad_discount());
        assert_eq!(
            error.api_error().unwrap().message.as_deref(),
            Some("This promotion code cannot be redeemed because the associated customer has prior transactions.")
        );
    }
    let old = account.client.create_subscription(&of(&new, catalog::MONTHLY), "c").await;
    assert!(old.is_ok(), "without the code");
}

#[tokio::test]
async fn a_subscription_is_paid_at_once_and_created_once_for_a_key() {
    let account = still().await;
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let new = of(&customer, catalog::MONTHLY);
    let made = account.client.create_subscription(&new, "key").await.unwrap();
    assert_eq!(made.status, SubscriptionStatus::Active);
    assert_eq!(made.metadata["site_id"], "s-1");
    assert_eq!(account.client.create_subscription(&new, "key").await.unwrap().id, made.id);
    assert_eq!(account.client.subscriptions(&customer).await.unwrap().len(), 1);
    let other = of(&customer, catalog::YEARLY);
    let error = account.client.create_subscription(&other, "key").await.unwrap_err();
    assert_eq!(error.api_error().unwrap().kind, "idempotency_error");

    let invoice = made.expanded_invoice().unwrap();
    assert_eq!((invoice.status, invoice.amount_paid), (Some(InvoiceStatus::Paid), 135_000));
    assert_eq!((invoice.subscription_id(), invoice.paid_until()), (Some(made.id.as_str()), made.current_period_end()));
    let listed = account.client.invoices(&made.id).await.unwrap();
    assert_eq!((listed.len(), listed[0].hosted_invoice_url.is_some()), (1, true));
    let charges = account.client.charges(&customer).await.unwrap();
    assert_eq!(listed[0].payment_intents(), [charges[0].payment_intent.as_deref().unwrap()]);
    assert!(charges[0].receipt_url.is_some());
    let next = account.client.preview_invoice(&made.id).await.unwrap();
    assert_eq!((next.total, Some(next.created)), (135_000, made.current_period_end()));
    assert!(account.client.pay_invoice(&invoice.id, "again").await.unwrap_err().is_already_paid());
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_rejected_with_its_reason() {
    let account = account().await;
    let poor = account.client.create_customer(&ORGANIZATION, "poor").await.unwrap();
    let error = account.client.create_subscription(&of(&poor.id, catalog::MONTHLY), "a").await.unwrap_err();
    assert!(error.has_no_payment_method(), "{error}");
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let error = account.client.create_subscription(&of("cus_none", catalog::MONTHLY), "b").await.unwrap_err();
    assert!(error.is_missing("customer"));
    assert!(account.client.create_subscription(&of(&customer, "price_none"), "c").await.is_err());
    account.post(&format!("/v1/prices/{}", catalog::MONTHLY), "active=false").await;
    let error = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "d").await.unwrap_err();
    assert_eq!(error.api_error().unwrap().param.as_deref(), Some("items[0][price]"), "archived");
    for discount in [Discount::Coupon("NONE"), Discount::PromotionCode("promo_sandboxSummer")] {
        let new = NewSubscription { discount: Some(discount), ..of(&customer, catalog::YEARLY) };
        assert!(
            account.client.create_subscription(&new, &format!("{discount:?}")).await.unwrap_err().is_bad_discount()
        );
    }
    assert!(account.client.subscriptions(&customer).await.unwrap().is_empty(), "nothing was left behind");
    let (status, error) = account.post("/v1/subscriptions", "coupon=PARTNER10").await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("parameter_missing")));
}

#[tokio::test]
async fn a_discount_lowers_one_invoice_or_all_of_them() {
    let account = still().await;
    let (customer, _) = account.customer_with("pm_card_visa").await;
    for (discount, first, next) in [
        (Discount::PromotionCode("promo_sandboxWelcome"), 108_000, 135_000),
        (Discount::Coupon(catalog::PARTNER), 121_500, 121_500),
        (Discount::PromotionCode("promo_sandboxDemo"), 0, 0),
    ] {
        let new = NewSubscription { discount: Some(discount), ..of(&customer, catalog::MONTHLY) };
        let made = account.client.create_subscription(&new, &format!("{discount:?}")).await.unwrap();
        assert_eq!((made.status, made.expanded_invoice().unwrap().total), (SubscriptionStatus::Active, first));
        assert_eq!(account.client.preview_invoice(&made.id).await.unwrap().total, next);
    }
    // There is nothing to pay, so no card is needed.
    let poor = account.client.create_customer(&ORGANIZATION, "poor").await.unwrap();
    let free = Discount::PromotionCode("promo_sandboxDemo");
    let new = NewSubscription { discount: Some(free), ..of(&poor.id, catalog::MONTHLY) };
    let made = account.client.create_subscription(&new, "free").await.unwrap();
    assert_eq!(made.expanded_invoice().unwrap().status, Some(InvoiceStatus::Paid));
    assert_eq!(account.client.charges(&poor.id).await.unwrap(), []);
}

#[tokio::test]
async fn a_declined_first_payment_can_be_paid_with_another_card_within_23_hours() {
    let account = still().await;
    let (customer, _) = account.customer_with("pm_card_chargeCustomerFail").await;
    let made = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "a").await.unwrap();
    assert_eq!(made.status, SubscriptionStatus::Incomplete);
    let invoice = made.latest_invoice_id().unwrap().to_owned();
    let error = account.client.pay_invoice(&invoice, "b").await.unwrap_err();
    assert_eq!(error.card_sentence(), Some("Your card was declined."));
    let better = account.client.attach("pm_card_visa", &customer, "c").await.unwrap();
    account.client.set_default_payment_method(&customer, &better.id).await.unwrap();
    account.advance(23 * 3600 - 1).await;
    assert!(account.client.pay_invoice(&invoice, "d").await.unwrap().is_paid());
    assert_eq!(status(&account, &made.id).await, SubscriptionStatus::Active);
    let tried: Vec<_> = account.client.charges(&customer).await.unwrap();
    assert_eq!(
        tried.iter().map(|charge| charge.status.as_str()).collect::<Vec<_>>(),
        ["succeeded", "failed", "failed"]
    );

    let late = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "e").await.unwrap();
    assert_eq!(late.status, SubscriptionStatus::Active);
    declines(&account, &better.id).await;
    let late = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "f").await.unwrap();
    account.advance(23 * 3600).await;
    assert_eq!(status(&account, &late.id).await, SubscriptionStatus::IncompleteExpired);
    let void = account.client.invoice(late.latest_invoice_id().unwrap()).await.unwrap();
    assert_eq!(void.status, Some(InvoiceStatus::Void));
    assert!(account.client.pay_invoice(&void.id, "g").await.is_err());
    assert!(account.client.cancel_subscription(&late.id).await.unwrap_err().is_missing("id"), "it is over");
}

#[tokio::test]
async fn a_bank_that_asks_at_a_payment_gets_the_answer_of_the_card_holder() {
    for (agreed, answer, ends) in
        [("true", 200, SubscriptionStatus::Active), ("false", 402, SubscriptionStatus::Incomplete)]
    {
        let account = still().await;
        let (customer, card) = account.customer_with("pm_card_authenticationRequiredOnSetup").await;
        let made = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "a").await.unwrap();
        assert_eq!(made.status, SubscriptionStatus::Incomplete);
        let invoice = made.expanded_invoice().unwrap();
        let error = account.client.pay_invoice(&invoice.id, "b").await.unwrap_err();
        assert!(error.needs_authentication(), "{error}");
        let secret = {
            use secrecy::ExposeSecret;
            invoice.confirmation_secret.as_ref().unwrap().client_secret.expose_secret().to_owned()
        };
        let id = secret.split("_secret_").next().unwrap();
        let confirm = format!("/v1/payment_intents/{id}/confirm");
        let fields = format!("client_secret={secret}&payment_method={card}");
        let (_, intent) = account.raw(PUBLISHABLE_KEY, "POST", &confirm, &fields, &[]).await;
        assert_eq!(intent["status"], "requires_action");
        let path = format!("/authenticate/{id}");
        let guessed = account.raw(PUBLISHABLE_KEY, "POST", &path, "client_secret=guessed&agreed=true", &[]).await;
        assert_eq!(guessed.0, 400);
        let fields = format!("client_secret={secret}&agreed={agreed}");
        assert_eq!(account.raw(PUBLISHABLE_KEY, "POST", &path, &fields, &[]).await.0, answer);
        assert_eq!(status(&account, &made.id).await, ends);
        let shown = format!("{:?}", account.client.invoice(&invoice.id).await.unwrap());
        assert!(!shown.contains(&secret), "a log must not hold it");
    }
}

#[tokio::test]
async fn a_renewal_that_is_not_paid_is_past_due_then_unpaid_and_a_payment_makes_it_active() {
    let account = still().await;
    let (customer, card) = account.customer_with("pm_card_visa").await;
    let made = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "a").await.unwrap();
    let first_end = made.current_period_end().unwrap();
    assert_eq!(first_end, NOON + 30 * DAY, "November has 30 days");
    account.advance(30 * DAY).await;
    let renewed = account.client.subscription(&made.id).await.unwrap();
    let draft = renewed.expanded_invoice().unwrap();
    assert_eq!((renewed.status, draft.status), (SubscriptionStatus::Active, Some(InvoiceStatus::Draft)));
    assert!(renewed.current_period_end().unwrap() > first_end, "the period goes on before it is paid");
    account.advance(3600).await;
    assert!(account.client.invoice(&draft.id).await.unwrap().is_paid());

    declines(&account, &card).await;
    account.advance(32 * DAY).await;
    let overdue = account.client.subscription(&made.id).await.unwrap();
    assert_eq!(overdue.status, SubscriptionStatus::PastDue);
    let open = overdue.expanded_invoice().unwrap();
    assert!(open.next_payment_attempt.is_some());
    account.advance(16 * DAY).await;
    assert_eq!(status(&account, &made.id).await, SubscriptionStatus::Unpaid);
    assert_eq!(account.client.invoice(&open.id).await.unwrap().next_payment_attempt, None);
    account.control("card", &json!({"payment_method": card, "behaviour": "Works"})).await;
    assert!(account.client.pay_invoice(&open.id, "b").await.unwrap().is_paid());
    assert_eq!(status(&account, &made.id).await, SubscriptionStatus::Active);
}

#[tokio::test]
async fn a_canceled_subscription_ends_at_once_and_is_not_found_twice() {
    let account = still().await;
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let made = account.client.create_subscription(&of(&customer, catalog::YEARLY), "a").await.unwrap();
    let end = made.current_period_end().unwrap();
    let canceled = account.client.cancel_subscription(&made.id).await.unwrap();
    assert_eq!((canceled.status, canceled.ended_at), (SubscriptionStatus::Canceled, Some(NOON)));
    assert!(account.client.cancel_subscription(&made.id).await.unwrap_err().is_missing("id"));
    assert_eq!(account.client.preview_invoice(&made.id).await.unwrap_err().api_error().unwrap().status, 404);
    account.advance(800 * DAY).await;
    assert_eq!(account.client.invoices(&made.id).await.unwrap().len(), 1, "nothing is charged any more");

    // Starting again inside the paid period is free until its end. An anchor can be at most one interval ahead.
    account.sandbox.freeze(NOON + 10 * DAY).await.unwrap();
    let anchor = FirstPayment::Anchor(end);
    let new = NewSubscription { first_payment: anchor, ..of(&customer, catalog::YEARLY) };
    let again = account.client.create_subscription(&new, "b").await.unwrap();
    let told = (again.status, again.expanded_invoice().unwrap().total, again.current_period_end());
    assert_eq!(told, (SubscriptionStatus::Active, 0, Some(end)));
    let new = NewSubscription { first_payment: anchor, ..of(&customer, catalog::MONTHLY) };
    let error = account.client.create_subscription(&new, "c").await.unwrap_err();
    assert_eq!(error.api_error().unwrap().param.as_deref(), Some("billing_cycle_anchor"));
    let new = NewSubscription { first_payment: FirstPayment::TrialEnd(end), ..of(&customer, catalog::MONTHLY) };
    let trial = account.client.create_subscription(&new, "d").await.unwrap();
    let told = (trial.status, trial.expanded_invoice().unwrap().total, trial.current_period_end());
    assert_eq!(told, (SubscriptionStatus::Trialing, 0, Some(end)));
    account.advance(end - NOON - 10 * DAY + 3600).await;
    for id in [&again.id, &trial.id] {
        let now = account.client.subscription(id).await.unwrap();
        assert_eq!((now.status, now.expanded_invoice().unwrap().is_paid()), (SubscriptionStatus::Active, true));
    }
}

#[tokio::test]
async fn the_subscriptions_of_a_deleted_customer_are_canceled() {
    let account = account().await;
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let made = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "a").await.unwrap();
    account.client.delete_customer(&customer).await.unwrap();
    assert_eq!(status(&account, &made.id).await, SubscriptionStatus::Canceled);
    assert!(account.client.subscriptions(&customer).await.unwrap_err().is_missing("customer"));
}

#[tokio::test]
async fn the_pages_of_an_invoice_and_a_receipt_say_that_no_card_is_charged() {
    let account = still().await;
    let (customer, _) = account.customer_with("pm_card_chargeCustomerFail").await;
    let made = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "a").await.unwrap();
    let invoice = account.client.invoice(made.latest_invoice_id().unwrap()).await.unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let path = |url: &str| format!("{}{}", account.address, url.strip_prefix("/dev/stripe").unwrap());
    let page = async |url: &str, language: &str| {
        let get = http.get(path(url)).header("accept-language", language);
        get.send().await.unwrap().text().await.unwrap()
    };
    let url = invoice.hosted_invoice_url.unwrap();
    let english = page(&url, "en").await;
    for text in ["no card is charged", "Harbor &amp; Söhne", "$1,350.00", "To be paid", "Pay with the default card"] {
        assert!(english.contains(text), "{text} in {english}");
    }
    for text in ["<dd>Nov 22, 2026</dd>", "Nov 22, 2026 – Dec 22, 2026", "<dt>For</dt>\n<dd>Harbor &amp; House</dd>"]
    {
        assert!(english.contains(text), "{text} in {english}");
    }
    let spanish = page(&url, "es-MX").await;
    for text in ["no se cobra ninguna tarjeta", "<dd>22 nov 2026</dd>", "22 nov 2026 – 22 dic 2026"] {
        assert!(spanish.contains(text), "{text} in {spanish}");
    }
    assert_eq!(http.post(path(&url)).send().await.unwrap().status().as_u16(), 422, "declined");
    let better = account.client.attach("pm_card_visa", &customer, "b").await.unwrap();
    account.client.set_default_payment_method(&customer, &better.id).await.unwrap();
    assert_eq!(http.post(path(&url)).send().await.unwrap().status().as_u16(), 200);
    assert_eq!(status(&account, &made.id).await, SubscriptionStatus::Active);
    let charge = account.client.charges(&customer).await.unwrap().remove(0);
    let receipt = page(&charge.receipt_url.unwrap(), "en").await;
    assert!(receipt.contains("no card is charged") && receipt.contains("4242"), "{receipt}");
    assert!(receipt.contains("<dd>Nov 22, 2026</dd>"), "{receipt}");
    for path in ["/dev/stripe/invoices/in_none", "/dev/stripe/receipts/ch_none"] {
        assert!(page(path, "en").await.contains("does not exist"));
    }
}

/// The judge rejects what tutorials for older versions do.
#[tokio::test]
async fn the_judge_knows_the_traps_of_this_version() {
    use berth_stripe::judge::Judge;
    let create = "POST /v1/subscriptions";
    let good = "customer=cus_1&items[0][price]=price_1&discounts[0][coupon]=X&trial_end=1795348800";
    assert_eq!(Judge::fields(create, "form", good), None);
    for wrong in ["coupon=X", "promotion_code=promo_1", "items[0][prize]=price_1", "payment_behavior=maybe"] {
        assert!(Judge::fields(create, "form", wrong).is_some(), "{wrong}");
    }
    let account = account().await;
    let (customer, _) = account.customer_with("pm_card_visa").await;
    let made = account.client.create_subscription(&of(&customer, catalog::MONTHLY), "a").await.unwrap();
    let get = "GET /v1/subscriptions/{subscription_exposed_id}";
    let (_, good) = account.raw(&account.key, "GET", &format!("/v1/subscriptions/{}", made.id), "", &[]).await;
    assert_eq!(Judge::answer(get, 200, &good), None);
    let with = |name: &str, value: Value| {
        let mut changed = good.clone();
        changed[name] = value;
        changed
    };
    let mut without = good.clone();
    without.as_object_mut().unwrap().remove("items");
    for wrong in
        [with("current_period_end", json!(1)), with("status", json!("paid")), with("coupon", json!("X")), without]
    {
        assert!(Judge::answer(get, 200, &wrong).is_some(), "{wrong}");
    }
}
