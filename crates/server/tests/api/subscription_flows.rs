//! Subscriptions against the sandbox over HTTP (spec B 4, 7): what owners do, and lost answers. Each call of our client is
//! checked against Stripe's schema (see `harness::House`).

use std::net::Ipv4Addr;

use axum::http::Method;
use berth_server::billing::subscriptions;
use berth_stripe::sandbox::catalog::{EXPIRED, FREE, MONTHLY, PARTNER, WELCOME, YEARLY};
use serde_json::{Value, json};

use crate::both_engines;
use crate::card_steps::{control, fault};
use crate::harness::{HOUR, House, MINUTE};
use crate::steps::{all_at_once, statuses};
use crate::subscription_steps::{
    DAY, at_stripe, begin, behave, charged, command, count, later, monthly, other_card, start, status,
};
use crate::world;

/// Calls the sandbox with its secret key. Returns the answer.
async fn sandbox(house: &House, method: Method, path: &str, fields: String) -> Value {
    use secrecy::ExposeSecret;
    let (address, key) = house.app.payments.sandbox_address().await.unwrap().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let call = http.request(method, format!("{address}{path}")).bearer_auth(key.expose_secret());
    let call = call.header("content-type", "application/x-www-form-urlencoded").body(fields);
    let answer = call.send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

/// The description that Stripe's pages show for the newest subscription of Harbor Recovery.
async fn description(house: &House) -> Value {
    let newest = at_stripe(house).await.remove(0).id;
    sandbox(house, Method::GET, &format!("/v1/subscriptions/{newest}"), String::new()).await["description"].clone()
}

/// Creates a promotion code for the sandbox's coupon without codes. `fields` are the code and its restrictions.
async fn new_code(house: &House, fields: &str) {
    let fields = format!("{fields}&promotion[type]=coupon&promotion[coupon]={PARTNER}");
    sandbox(house, Method::POST, "/v1/promotion_codes", fields).await;
}

both_engines! {
    async fn the_catalog_has_plans_by_month_and_year_in_dollars(house: House) {
        let catalog = house.get("/api/Stripe/catalog").by(world::OWNER).send().await.expect(200);
        let standard = catalog.as_array().unwrap().iter().find(|product| product["name"] == "Standard").unwrap();
        let prices: Vec<Value> = standard["prices"].as_array().unwrap().iter().map(|price| {
            json!([price["priceId"], price["unitAmountInDollars"], price["interval"], price["durationInMonths"]])
        }).collect();
        assert_eq!(standard["descriptionEs"], "Berth para un centro: tablero de camas, reservas, huéspedes e historial.");
        assert_eq!(prices, [json!([MONTHLY, 1350.0, "month", 1]), json!([YEARLY, 14400.0, "year", 12])]);
    }

    async fn a_promo_code_is_valid_or_not(house: House) {
        let check = async |code: &str| {
            let body = json!({"couponCode": code, "organizationId": world::HARBOR});
            house.post("/api/Stripe/coupon", body).by(world::OWNER).send().await.expect(200)
        };
        let good = check(&format!(" {WELCOME} ")).await;
        assert_eq!((&good["valid"], &good["percentOff"], &good["duration"]), (&json!(true), &json!(20.0), &json!("once")));
        assert_eq!(good["name"], "20% off your first payment");
        for bad in [EXPIRED, "nonsense", "", "../x", " "] {
            assert_eq!((&check(bad).await["valid"], &check(bad).await["id"]), (&json!(false), &Value::Null), "{bad}");
        }
    }

    /// A code limits until when, for whom and how often it may be used. The coupon's own id must not get around that.
    async fn a_coupon_with_codes_is_granted_only_by_its_codes(house: House) {
        begin(&house).await;
        let check = async |code: &str| {
            let body = json!({"couponCode": code, "organizationId": world::HARBOR});
            house.post("/api/Stripe/coupon", body).by(world::OWNER).send().await.expect(200)
        };
        assert_eq!(check(PARTNER).await["valid"], json!(true), "it has no codes");
        let known = check(WELCOME).await;
        for id in ["sandboxSummer", known["id"].as_str().unwrap()] {
            assert_eq!(check(id).await["valid"], json!(false), "{id}");
            let refused = start(&house, MONTHLY, 1, Some(id)).send().await;
            assert_eq!(refused.field_errors(), ["/couponCode: Invalid or expired code"], "{id}");
        }
    }

    /// Plans and promo codes are shown to owners who pay.
    async fn owners_of_non_commercial_organizations_see_neither_plans_nor_codes(house: House) {
        let ask = async |who: &'static str| {
            let catalog = house.get("/api/Stripe/catalog").by(who).send().await;
            let body = json!({"couponCode": WELCOME});
            let coupon = house.post("/api/Stripe/coupon", body).by(who).send().await;
            assert_eq!(catalog.status, coupon.status, "{who}");
            if catalog.status == 403 {
                assert_eq!(catalog.refusal(403), "Your role does not allow this.");
                assert_eq!(coupon.refusal(403), "Your role does not allow this.");
            }
            catalog.status
        };
        for (who, status) in [(world::OWNER_FREE, 403), (world::ADMIN, 403), (world::OWNER, 200), (world::GLOBAL, 200)] {
            assert_eq!(ask(who).await, status, "{who}");
        }
        // A user who also owns a commercial organization may see them.
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE organizations SET is_commercial = TRUE WHERE id = $1").bind(world::OPEN_HANDS).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(ask(world::OWNER_FREE).await, 200);
    }

    async fn a_code_for_new_customers_is_invalid_for_customers_who_have_paid(house: House) {
        begin(&house).await;
        new_code(&house, "code=NEW&restrictions[first_time_transaction]=true").await;
        let check = async || {
            let body = json!({"couponCode": "new", "organizationId": world::HARBOR});
            house.post("/api/Stripe/coupon", body).by(world::OWNER).send().await.expect(200)["valid"].clone()
        };
        assert_eq!(check().await, json!(true));
        start(&house, MONTHLY, 1, Some("NEW")).send().await.expect(201);
        command(&house, "cancel").send().await.expect(200);
        assert_eq!(check().await, json!(false));
        assert_eq!(start(&house, MONTHLY, 1, Some("NEW")).send().await.field_errors(), ["/couponCode: Invalid or expired code"]);
    }

    /// Stripe's pages name the site, so that owners of several sites know what an invoice is for.
    async fn a_subscription_has_the_name_of_its_site(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        assert_eq!(description(&house).await, "Harbor House");
    }

    /// An ended subscription is never read again, so its paid period is read before it ends.
    async fn a_cancellation_keeps_a_renewal_whose_event_was_lost(house: House) {
        begin(&house).await;
        let started = monthly(&house).send().await.expect(201);
        later(&house, 32 * DAY).await;
        assert_eq!(charged(&house).await.0, 2);
        let canceled = command(&house, "cancel").send().await.expect(200);
        assert_eq!((&canceled["status"], &canceled["isActive"]), (&json!("canceled"), &json!(true)));
        assert!(canceled["paidPeriodEnd"].as_str() > started["paidPeriodEnd"].as_str(), "{canceled}");
    }

    /// Race: the renewal is charged while the owner cancels. The period that was paid is kept, and nothing more is charged.
    async fn a_subscription_canceled_during_its_renewal_keeps_the_paid_period(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        fault(&house, "DELETE /v1/subscriptions/{subscription_exposed_id}", "hold", 1).await;
        let before = status(&house).await;
        later(&house, 32 * DAY).await;
        let canceling = tokio::spawn(command(&house, "cancel").send());
        control(&house, "held", json!({})).await;
        // Stripe's events about the renewal arrive while the cancellation is in progress.
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(charged(&house).await, (2, 270_000), "renewed");
        control(&house, "release", json!({})).await;
        let canceled = canceling.await.unwrap().expect(200);
        assert_eq!((&canceled["status"], &canceled["isActive"]), (&json!("canceled"), &json!(true)));
        assert!(canceled["paidPeriodEnd"].as_str() > before["paidPeriodEnd"].as_str(), "the paid period is kept");
        later(&house, 32 * DAY).await;
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(charged(&house).await, (2, 270_000), "nothing after the end");
        assert_ne!(status(&house).await["isActive"], json!(true));
    }

    /// The complete flow: from 402 to a guest in a bed, with the bill.
    async fn a_paid_subscription_lets_guests_be_accepted(house: House) {
        begin(&house).await;
        assert_eq!(status(&house).await["status"], 404);
        let started = start(&house, MONTHLY, 1, Some(WELCOME)).send().await.expect(201);
        assert_eq!((&started["status"], &started["isActive"], &started["clientSecret"]),
            (&json!("active"), &json!(true), &Value::Null));
        assert_eq!(charged(&house).await, (1, 108_000), "with 20 % off");
        assert_eq!(status(&house).await["paidPeriodEnd"], started["paidPeriodEnd"]);
        assert!(started["paidPeriodEnd"].is_string());

        let path = format!("/api/Subscriptions/sites?organizationId={}", world::HARBOR);
        let summary = house.get(&path).by(world::OWNER).send().await.expect(200);
        assert_eq!((&summary[0]["totalInvoice"], &summary[0]["stripePriceId"]), (&json!(1350.0), &json!(MONTHLY)));
        assert_eq!(summary[0]["nextInvoiceDate"].as_str().map(|date| &date[..10]),
            started["paidPeriodEnd"].as_str().map(|date| &date[..10]));
        let history = house.get(&format!("/api/Payments/site/{}", world::HARBOR_HOUSE)).by(world::OWNER).send().await;
        let history = history.expect(200);
        assert_eq!((&history[0]["amount"], &history[0]["status"]), (&json!(1080.0), &json!("paid")));
        assert!(history[0]["hostedInvoiceUrl"].is_string() && history[0]["receiptUrl"].is_string(), "{history}");

        fault(&house, "GET /v1/invoices", "before", 2).await;
        let again = house.get(&format!("/api/Payments/site/{}", world::HARBOR_HOUSE)).by(world::OWNER).send().await;
        assert_eq!(again.expect(200), history, "our copies, while Stripe is unreachable");
        assert!(house.trail().await.contains(&"subscription.started".to_owned()));
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_operations WHERE outcome = 'done'").await, 1);
    }

    /// Race: two browsers, twice.
    async fn of_concurrent_starts_one_pays(house: House) {
        begin(&house).await;
        let answers = all_at_once((0..4).map(|_| monthly(&house)).collect()).await;
        let counts = statuses(&answers);
        assert_eq!((counts.get(&201), counts.get(&409)), (Some(&1), Some(&3)), "{counts:?}");
        assert_eq!((at_stripe(&house).await.len(), charged(&house).await.0), (1, 1));
        assert_eq!(count(&house, "SELECT COUNT(*) FROM site_subscriptions").await, 1);
    }

    /// Race: Stripe created it, and its answer was lost.
    async fn a_lost_answer_is_requested_again_and_charges_once(house: House) {
        begin(&house).await;
        fault(&house, "POST /v1/subscriptions", "after", 2).await;
        assert_eq!(monthly(&house).send().await.status, 503);
        assert_eq!(status(&house).await["status"], 404, "we do not know yet");
        let started = monthly(&house).send().await.expect(201);
        assert_eq!(started["status"], "active");
        assert_eq!((at_stripe(&house).await.len(), charged(&house).await.0), (1, 1));
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_operations").await, 1);
    }

    /// The request is not repeated, for example after a crash, so the job finds out.
    async fn the_job_finishes_an_operation_that_a_request_left_open(house: House) {
        begin(&house).await;
        fault(&house, "POST /v1/subscriptions", "after", 2).await;
        assert_eq!(monthly(&house).send().await.status, 503);
        assert!(subscriptions::is_due(&house.app).await.unwrap());
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(status(&house).await["status"], "active");
        assert_eq!((at_stripe(&house).await.len(), charged(&house).await.0), (1, 1));
        let trail = "SELECT COUNT(*) FROM audit WHERE action = 'subscription.started' AND actor_email = 'owner@test.example'";
        assert_eq!(count(&house, trail).await, 1, "in the name of the user who asked");
    }

    /// The answer was lost, and another user requests the same: one subscription, in the name of the first user.
    async fn an_operation_finished_by_another_user_belongs_to_the_user_who_asked(house: House) {
        const STARTED: &str = "SELECT actor_email, address FROM audit WHERE action = 'subscription.started'";
        begin(&house).await;
        fault(&house, "POST /v1/subscriptions", "after", 2).await;
        assert_eq!(monthly(&house).send().await.status, 503);
        let body = json!({"siteId": world::HARBOR_HOUSE, "stripePriceId": MONTHLY, "subscriptionDurationInMonths": 1});
        house.post("/api/Subscriptions/site", body).by(world::GLOBAL).send().await.expect(201);
        let trail: Vec<(Option<String>, String)> = house.db().query(STARTED).all().await.unwrap();
        assert_eq!(trail, [(Some("owner@test.example".to_owned()), "job".to_owned())]);
        assert_eq!((at_stripe(&house).await.len(), charged(&house).await.0), (1, 1));
    }

    /// The same user asks again: the audit trail has the address of that user, not of the job.
    async fn an_operation_finished_by_its_own_user_has_the_users_address(house: House) {
        const STARTED: &str = "SELECT actor_email, address FROM audit WHERE action = 'subscription.started'";
        begin(&house).await;
        fault(&house, "POST /v1/subscriptions", "after", 2).await;
        assert_eq!(monthly(&house).send().await.status, 503);
        monthly(&house).from(Ipv4Addr::new(198, 51, 100, 7)).send().await.expect(201);
        let trail: Vec<(Option<String>, String)> = house.db().query(STARTED).all().await.unwrap();
        assert_eq!(trail, [(Some("owner@test.example".to_owned()), "198.51.100.7".to_owned())]);
    }

    /// A failure that Stripe keeps repeating for the same key is resolved by reading the current state.
    async fn an_operation_that_never_gets_an_answer_is_settled_by_reading(house: House) {
        begin(&house).await;
        fault(&house, "POST /v1/subscriptions", "after", 100).await;
        assert_eq!(monthly(&house).send().await.status, 503);
        for _ in 0..4 {
            let _ = subscriptions::run(&house.app).await;
            later(&house, 20 * MINUTE).await;
        }
        assert_eq!(status(&house).await["status"], "active");
        assert_eq!((at_stripe(&house).await.len(), charged(&house).await.0), (1, 1));
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_operations WHERE outcome = 'done'").await, 1);
    }

    async fn an_operation_that_stripe_never_ran_is_given_up(house: House) {
        begin(&house).await;
        fault(&house, "POST /v1/subscriptions", "before", 100).await;
        assert_eq!(monthly(&house).send().await.status, 503);
        for _ in 0..5 {
            let _ = subscriptions::run(&house.app).await;
            later(&house, 20 * MINUTE).await;
        }
        assert_eq!(at_stripe(&house).await.len(), 0);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_operations WHERE outcome = 'given-up'").await, 1);
    }

    /// Race: the code was good when it was checked.
    async fn a_code_that_ends_meanwhile_is_reported_at_its_field(house: House) {
        begin(&house).await;
        assert_eq!(start(&house, MONTHLY, 1, Some(EXPIRED)).send().await.field_errors(),
            ["/couponCode: Invalid or expired code"]);
        let wrong = start(&house, "price_unknown", 7, Some("nonsense")).send().await.field_errors();
        assert_eq!(wrong, ["/stripePriceId: This plan is no longer offered. Please choose another one.",
            "/couponCode: Invalid or expired code"]);
        let months = start(&house, MONTHLY, 12, None).send().await.field_errors();
        assert_eq!(months, ["/subscriptionDurationInMonths: The duration does not match the plan. Reload the page."]);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_operations").await, 0);
    }

    async fn a_free_code_activates_the_subscription_without_a_charge(house: House) {
        begin(&house).await;
        let started = start(&house, YEARLY, 12, Some(FREE)).send().await.expect(201);
        assert_eq!((&started["status"], &started["isActive"]), (&json!("active"), &json!(true)));
        assert!(started["paidPeriodEnd"].is_string(), "an invoice of 0 is paid");
        assert_eq!(charged(&house).await.0, 0);
    }

    /// Declined, a new card, restarted.
    async fn a_declined_card_leaves_the_subscription_incomplete_until_another_card_pays(house: House) {
        begin(&house).await;
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        let started = monthly(&house).send().await.expect(201);
        assert_eq!((&started["status"], &started["isActive"]), (&json!("incomplete"), &json!(false)));
        assert_eq!(started["paidPeriodEnd"], Value::Null, "nothing was paid");
        assert_eq!(command(&house, "restart").send().await.refusal(409), "Your card was declined.");
        assert_eq!(status(&house).await["status"], "incomplete");
        other_card(&house).await;
        let restarted = command(&house, "restart").send().await.expect(200);
        assert_eq!((&restarted["status"], &restarted["isActive"]), (&json!("active"), &json!(true)));
        assert_eq!(charged(&house).await, (1, 135_000));
        assert!(house.trail().await.contains(&"subscription.restarted".to_owned()));
        assert_eq!(command(&house, "restart").send().await.status, 409, "there is nothing left to pay");
    }

    async fn a_subscription_expired_before_its_first_payment_restarts_at_the_same_price(house: House) {
        begin(&house).await;
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        monthly(&house).send().await.expect(201);
        later(&house, 24 * HOUR).await;
        assert_eq!(status(&house).await["status"], "incomplete_expired");
        other_card(&house).await;
        let restarted = command(&house, "restart").send().await.expect(200);
        assert_eq!(restarted["status"], "active");
        assert_eq!((at_stripe(&house).await.len(), charged(&house).await.0), (2, 1));
        assert_eq!(description(&house).await, "Harbor House", "the new one names the site, too");
    }

    /// A failed renewal pays for nothing: the unpaid period is not shown as paid, whether canceled or not.
    async fn an_overdue_renewal_is_paid_by_a_restart(house: House) {
        begin(&house).await;
        let started = monthly(&house).send().await.expect(201);
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        later(&house, 32 * DAY).await;
        let overdue = status(&house).await;
        assert_eq!((&overdue["status"], &overdue["isActive"]), (&json!("past_due"), &json!(false)));
        assert_eq!(overdue["paidPeriodEnd"], started["paidPeriodEnd"]);
        other_card(&house).await;
        let restarted = command(&house, "restart").send().await.expect(200);
        assert_eq!(restarted["status"], "active");
        assert_ne!(restarted["paidPeriodEnd"], started["paidPeriodEnd"]);
        assert_eq!(charged(&house).await.0, 2);
    }

    /// A payment without an answer is not repeated for days, because nobody expects the charge then.
    async fn a_payment_that_never_gets_an_answer_is_given_up(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        later(&house, 32 * DAY).await;
        assert_eq!(status(&house).await["status"], "past_due");
        other_card(&house).await;
        fault(&house, "POST /v1/invoices/{invoice}/pay", "before", 6).await;
        assert_eq!(command(&house, "restart").send().await.status, 503);
        for _ in 0..5 {
            let _ = subscriptions::run(&house.app).await;
            later(&house, 20 * MINUTE).await;
        }
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_operations WHERE outcome = 'given-up'").await, 1);
        let _ = subscriptions::run(&house.app).await;
        assert_eq!(charged(&house).await.0, 1);
        assert_eq!(command(&house, "restart").send().await.expect(200)["status"], "active");
        assert_eq!(charged(&house).await.0, 2);
    }

    async fn a_canceled_subscription_stays_usable_and_is_not_paid_twice(house: House) {
        begin(&house).await;
        let started = start(&house, YEARLY, 12, None).send().await.expect(201);
        let canceled = command(&house, "cancel").send().await.expect(200);
        assert_eq!((&canceled["status"], &canceled["isActive"]), (&json!("canceled"), &json!(true)));
        assert_eq!(canceled["paidPeriodEnd"], started["paidPeriodEnd"]);
        assert_eq!(command(&house, "cancel").send().await.status, 409);
        // A year is paid. A new monthly subscription is charged only after the year is over.
        let again = monthly(&house).send().await.expect(201);
        assert_eq!(again["isActive"], true);
        assert_eq!(charged(&house).await, (1, 1_440_000));
        command(&house, "cancel").send().await.expect(200);
        let yearly = start(&house, YEARLY, 12, None).send().await.expect(201);
        assert_eq!((&yearly["status"], &yearly["isActive"]), (&json!("active"), &json!(true)));
        assert_eq!(charged(&house).await, (1, 1_440_000));
        later(&house, 370 * DAY).await;
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(charged(&house).await.0, 2, "then the next year is paid");
    }
}
