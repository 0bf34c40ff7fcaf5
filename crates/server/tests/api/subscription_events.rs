//! What Stripe does on its own and how our job reacts: webhooks, lost events, subscriptions that only one side knows, sites
//! that no longer need one, and an unreachable Stripe (spec B 4, 7).

use berth_server::billing::subscriptions;
use berth_stripe::sandbox::catalog::MONTHLY;
use berth_stripe::webhook::sign;
use berth_stripe::{FirstPayment, NewSubscription};
use serde_json::json;

use crate::both_engines;
use crate::card_steps::{control, fault};
use crate::harness::MINUTE;
use crate::subscription_steps::{
    at_stripe, begin, behave, client, count, deliver, event, hook, later, monthly, status,
};
use crate::world;

both_engines! {
    /// A webhook with the signature is stored once and handled once; one without it is refused.
    async fn an_event_needs_its_signature_and_is_handled_once(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        let made = at_stripe(&house).await.remove(0);
        client(&house).await.cancel_subscription(&made.id).await.unwrap();
        for _ in 0..10 {
            deliver(&house, "evt_test1", "customer.subscription.deleted", &made.id).await.expect(200);
        }
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_events WHERE id = 'evt_test1'").await, 1);
        assert_eq!(status(&house).await["status"], "active", "the payload itself changes nothing");
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(status(&house).await["status"], "canceled");
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_events WHERE handled_at IS NULL").await, 0);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM audit WHERE action = 'subscription.changed'").await, 1);

        let body = event("evt_forged", "customer.subscription.deleted", &made.id);
        let secret = house.app.payments.webhook_secrets()[0].clone();
        let now = house.app.now().millis() / 1000;
        let mut tampered = body.clone();
        tampered[10] ^= 1;
        for (body, signature) in [
            (body.clone(), String::new()),
            (body.clone(), sign(&"whsec_other".to_owned().into(), &body, now)),
            (tampered, sign(&secret, &body, now)),
            (body.clone(), sign(&secret, &body, now - 301)),
            (b"[]".to_vec(), sign(&secret, b"[]", now)),
        ] {
            assert_eq!(hook(&house, body, &signature).send().await.refusal(400), "The signature of this event is not valid.");
        }
        let huge = vec![b' '; 1 << 20];
        assert_eq!(hook(&house, huge.clone(), &sign(&secret, &huge, now)).send().await.status, 413);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_events WHERE id = 'evt_forged'").await, 0);
    }

    async fn events_in_the_wrong_order_lead_to_stripes_state(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        let id = at_stripe(&house).await.remove(0).id;
        client(&house).await.cancel_subscription(&id).await.unwrap();
        for kind in ["deleted", "updated", "created"] {
            deliver(&house, &format!("evt_{kind}"), &format!("customer.subscription.{kind}"), &id).await.expect(200);
            subscriptions::run(&house.app).await.unwrap();
            assert_eq!(status(&house).await["status"], "canceled", "{kind}");
        }
    }

    async fn a_lost_webhook_is_recovered(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        subscriptions::run(&house.app).await.unwrap();
        let id = at_stripe(&house).await.remove(0).id;
        client(&house).await.cancel_subscription(&id).await.unwrap();
        later(&house, 2 * MINUTE).await;
        assert!(subscriptions::is_due(&house.app).await.unwrap());
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(count(&house, "SELECT COUNT(*) FROM site_subscriptions WHERE status = 'canceled'").await, 1);
    }

    /// Race: Stripe's event arrives before its answer, and nothing is requested twice.
    async fn an_event_before_the_answer_waits_for_it(house: House) {
        begin(&house).await;
        control(&house, "fault", json!({"operation": "POST /v1/subscriptions", "when": "hold_after"})).await;
        let call = tokio::spawn(monthly(&house).send());
        control(&house, "held", json!({})).await;
        let id = at_stripe(&house).await.remove(0).id;
        deliver(&house, "evt_early", "customer.subscription.created", &id).await.expect(200);
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(count(&house, "SELECT COUNT(*) FROM site_subscriptions").await, 0);
        control(&house, "release", json!({})).await;
        assert_eq!(call.await.unwrap().expect(201)["status"], "active");
        later(&house, MINUTE).await;
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(count(&house, "SELECT COUNT(*) FROM site_subscriptions").await, 1);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_events WHERE handled_at IS NULL").await, 0);
    }

    /// A lost row is restored; a second live subscription is ended, so that nobody pays twice.
    async fn subscriptions_that_only_stripe_knows_are_adopted_or_ended(house: House) {
        begin(&house).await;
        let (site, organization) = (world::HARBOR_HOUSE.to_string(), world::HARBOR.to_string());
        let new = NewSubscription { customer: "cus_harbor", price: MONTHLY, discount: None,
            first_payment: FirstPayment::Now, description: None, site_id: &site, organization_id: &organization };
        let first = client(&house).await.create_subscription(&new, "first").await.unwrap();
        deliver(&house, "evt_a", "customer.subscription.created", &first.id).await.expect(200);
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(status(&house).await["status"], "active");
        let second = client(&house).await.create_subscription(&new, "second").await.unwrap();
        deliver(&house, "evt_b", "customer.subscription.created", &second.id).await.expect(200);
        subscriptions::run(&house.app).await.unwrap();
        let live: Vec<String> = at_stripe(&house).await.into_iter()
            .filter(|subscription| !subscription.status.is_final()).map(|subscription| subscription.id).collect();
        assert_eq!(live, [first.id]);
    }

    async fn deleted_and_no_longer_commercial_sites_pay_nothing(house: House) {
        const FREE_NOW: &str = "UPDATE organizations SET is_commercial = FALSE WHERE id = $1";
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        let body = json!({"siteId": world::FAR_AWAY, "stripePriceId": MONTHLY, "subscriptionDurationInMonths": 1});
        house.post("/api/Subscriptions/site", body).by(world::OWNER_FOREIGN).send().await.expect(201);
        subscriptions::run(&house.app).await.unwrap();
        assert!(!subscriptions::is_due(&house.app).await.unwrap(), "both sites need theirs");

        house.delete(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::OWNER).send().await.expect(204);
        assert!(subscriptions::is_due(&house.app).await.unwrap());
        subscriptions::run(&house.app).await.unwrap();
        assert!(at_stripe(&house).await[0].status.is_final());
        assert_eq!(count(&house, "SELECT COUNT(*) FROM site_subscriptions WHERE status = 'canceled'").await, 1);
        assert!(!subscriptions::is_due(&house.app).await.unwrap());

        let mut tx = house.db().begin().await.unwrap();
        tx.query(FREE_NOW).bind(world::FOREIGN).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert!(subscriptions::is_due(&house.app).await.unwrap());
        subscriptions::run(&house.app).await.unwrap();
        let foreign = client(&house).await.subscriptions("cus_foreign").await.unwrap();
        assert!(foreign[0].status.is_final());
        assert!(!subscriptions::is_due(&house.app).await.unwrap());
    }

    /// For example after the key was replaced: the job does not call Stripe and store an operation every two seconds.
    async fn a_cancellation_that_stripe_refuses_is_retried_after_half_an_hour(house: House) {
        const TRIED: &str = "SELECT COUNT(*) FROM billing_operations WHERE kind = 'cancel'";
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        house.delete(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::OWNER).send().await.expect(204);
        let operation = "DELETE /v1/subscriptions/{subscription_exposed_id}";
        control(&house, "fault", json!({"operation": operation, "when": "before", "status": 401, "times": 2})).await;
        assert!(subscriptions::run(&house.app).await.is_err());
        subscriptions::run(&house.app).await.unwrap();
        assert_eq!(count(&house, TRIED).await, 1);
        later(&house, 31 * MINUTE).await;
        assert!(subscriptions::run(&house.app).await.is_err());
        later(&house, 31 * MINUTE).await;
        subscriptions::run(&house.app).await.unwrap();
        assert!(at_stripe(&house).await[0].status.is_final());
    }

    async fn a_customer_deleted_at_stripe_needs_a_card_again(house: House) {
        begin(&house).await;
        client(&house).await.delete_customer("cus_harbor").await.unwrap();
        let refused = monthly(&house).send().await.expect(409);
        assert_eq!(refused["code"], "card-needed");
        assert_eq!(count(&house, "SELECT COUNT(*) FROM saved_cards WHERE deleted_at IS NULL \
            AND payment_method LIKE 'pm_harbor%'").await, 0);
    }

    /// Accepting a guest relies on Stripe's current state, not on the state an hour ago.
    async fn an_old_subscription_row_is_compared_with_stripe_before_use(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        let id = at_stripe(&house).await.remove(0).id;
        client(&house).await.cancel_subscription(&id).await.unwrap();
        assert_eq!(status(&house).await["status"], "active", "it was compared a moment ago");
        later(&house, 6 * MINUTE).await;
        assert_eq!(status(&house).await["status"], "canceled");
    }

    /// If Stripe does not answer, a waiting user gets our row.
    async fn while_stripe_is_unreachable_our_row_is_used(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        later(&house, 6 * MINUTE).await;
        fault(&house, "GET /v1/subscriptions/{subscription_exposed_id}", "before", 2).await;
        assert_eq!(status(&house).await["status"], "active");
    }

    async fn no_secret_is_left_in_the_database(house: House) {
        begin(&house).await;
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        let started = monthly(&house).send().await;
        assert!(!started.text.contains("sk_test"));
        for text in ["SELECT COUNT(*) FROM audit WHERE summary LIKE '%_secret_%' OR summary LIKE '%sk_test%'",
            "SELECT COUNT(*) FROM billing_operations WHERE parameters LIKE '%_secret_%' OR parameters LIKE '%sk_test%'"] {
            assert_eq!(count(&house, text).await, 0);
        }
    }
}
