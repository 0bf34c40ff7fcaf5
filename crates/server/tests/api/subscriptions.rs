//! Subscriptions according to our rows (spec B 2, 3, 4, 7), and what is refused before Stripe is called.

use axum::http::Method;
use berth_domain::id::OrganizationId;
use serde_json::{Value, json};

use crate::both_engines;
use crate::card_steps::rows;
use crate::harness::{Answer, HOUR, House};
use crate::steps::sorted_trail;
use crate::world;

async fn status(house: &House, site: impl std::fmt::Display, by: &str) -> Answer {
    house.get(&format!("/api/Subscriptions/site-status?siteId={site}")).by(by).send().await
}

/// Sets our subscription row of Harbor House.
async fn set(house: &House, status: &'static str, hours_paid: i64) {
    const SET: &str = "UPDATE site_subscriptions SET status = $1, paid_period_end = $2 WHERE site_id = $3";
    let end = house.app.now().plus_hours(hours_paid);
    let mut tx = house.db().begin().await.unwrap();
    tx.query(SET).bind(status).bind(end).bind(world::HARBOR_HOUSE).execute().await.unwrap();
    tx.commit().await.unwrap();
}

async fn post(house: &House, call: &str) -> Answer {
    house
        .post(&format!("/api/Subscriptions/{call}"), json!({"siteId": world::HARBOR_HOUSE}))
        .by(world::OWNER)
        .send()
        .await
}

both_engines! {
    async fn the_status_of_a_site_is_404_when_it_never_had_a_subscription(house: House) {
        let active = status(&house, world::HARBOR_HOUSE, world::INTAKE).await.expect(200);
        assert_eq!(active, json!({"status": "active", "isActive": true, "paidPeriodEnd": null}));
        assert_eq!(status(&house, world::FAR_AWAY, world::OWNER_FOREIGN).await.status, 404, "none");
        assert_eq!(status(&house, world::OPEN_DOOR, world::INTAKE).await.status, 404, "not commercial");
        assert_eq!(status(&house, world::HARBOR_HOUSE, world::STAFF).await.status, 403);
        assert_eq!(status(&house, world::HARBOR_HOUSE, world::OWNER_FOREIGN).await.status, 404);
    }

    async fn a_canceled_subscription_is_active_until_its_paid_period_ends(house: House) {
        set(&house, "canceled", 1).await;
        assert_eq!(status(&house, world::HARBOR_HOUSE, world::ADMIN).await.expect(200)["isActive"], true);
        house.advance(HOUR);
        let ended = status(&house, world::HARBOR_HOUSE, world::ADMIN).await.expect(200);
        assert_eq!((&ended["status"], &ended["isActive"]), (&json!("canceled"), &json!(false)));
    }

    /// A first payment that was never made is shown, but does not hide a paid period.
    async fn of_several_subscriptions_the_relevant_one_is_shown(house: House) {
        const ADD: &str = "INSERT INTO site_subscriptions (id, site_id, status, created_at, updated_at) \
            VALUES ($1, $2, 'incomplete_expired', $3, $3)";
        set(&house, "canceled", 1).await;
        house.advance(1);
        let mut tx = house.db().begin().await.unwrap();
        let now = house.app.now();
        tx.query(ADD).bind(house.app.id()).bind(world::HARBOR_HOUSE).bind(now).execute().await.unwrap();
        tx.commit().await.unwrap();
        let told = async |house: &House| {
            let status = status(house, world::HARBOR_HOUSE, world::ADMIN).await.expect(200);
            let path = format!("/api/Subscriptions/sites?organizationId={}", world::HARBOR);
            let sites = house.get(&path).by(world::OWNER).send().await.expect(200);
            assert_eq!(sites[0]["status"], status["status"], "the summary says the same");
            (status["status"].clone(), status["isActive"].clone())
        };
        assert_eq!(told(&house).await, (json!("canceled"), json!(true)));
        house.advance(HOUR);
        assert_eq!(told(&house).await, (json!("incomplete_expired"), json!(false)));
    }

    async fn the_summary_has_every_site_of_the_organization(house: House) {
        let sites = async |organization: OrganizationId, by: &str| {
            house.get(&format!("/api/Subscriptions/sites?organizationId={organization}")).by(by).send().await
        };
        let harbor = sites(world::HARBOR, world::OWNER).await.expect(200);
        assert_eq!(harbor, json!([{"siteId": world::HARBOR_HOUSE, "siteName": "Harbor House", "status": "active",
            "isActive": true, "paidPeriodEnd": null, "nextInvoiceDate": null, "totalInvoice": null, "stripePriceId": null,
            "subscriptionDurationInMonths": null, "card": null}]));
        rows(&house).await;
        let card = &sites(world::HARBOR, world::GLOBAL).await.expect(200)[0]["card"];
        assert_eq!(*card, json!({"brand": "visa", "lastFourDigits": "4242", "brandLogoImageSrc": null}));
        let foreign = sites(world::FOREIGN, world::OWNER_FOREIGN).await.expect(200);
        assert_eq!((&foreign[0]["status"], &foreign[0]["card"]), (&json!("none"), &Value::Null));
        assert_eq!(sites(world::OPEN_HANDS, world::OWNER_FREE).await.status, 403, "non-commercial");
        assert_eq!(sites(world::FOREIGN, world::OWNER).await.status, 404);
        assert_eq!(sites(world::HARBOR, world::ADMIN).await.status, 403);
    }

    async fn the_billing_history_uses_copies_if_stripe_knows_nothing(house: House) {
        const COPY: &str = "INSERT INTO billing_invoices (id, site_id, number, issued_at, description, amount_cents, \
            currency, status, hosted_url, receipt_url) VALUES ($1, $2, $3, $4, 'Berth', $5, 'usd', 'paid', $6, $6)";
        let now = house.app.now();
        let mut tx = house.db().begin().await.unwrap();
        for (number, site) in [(1, world::HARBOR_HOUSE), (2, world::HARBOR_HOUSE), (3, world::FAR_AWAY)] {
            let copy = tx.query(COPY).bind(format!("in_{number}")).bind(site).bind(format!("A-{number}"));
            let copy = copy.bind(now.plus_days(number)).bind(number * 100 + 5).bind("https://x.example/1");
            copy.execute().await.unwrap();
        }
        tx.commit().await.unwrap();
        let ask = async |sites: Value, by: &str| {
            house.post("/api/Subscriptions/billing", json!({"siteIds": sites})).by(by).send().await
        };
        let history = ask(json!([world::HARBOR_HOUSE]), world::OWNER).await.expect(200);
        let ids: Vec<&Value> = history[0]["items"].as_array().unwrap().iter().map(|item| &item["invoiceId"]).collect();
        assert_eq!(ids, ["in_2", "in_1"], "the newest first");
        assert_eq!(history[0]["items"][1], json!({"invoiceId": "in_1", "invoiceNumber": "A-1",
            "date": now.plus_days(1), "description": "Berth", "amount": 1.05, "currency": "usd", "status": "paid",
            "hostedInvoiceUrl": "https://x.example/1", "receiptUrl": "https://x.example/1"}));
        assert_eq!((&history[0]["siteName"], history.as_array().unwrap().len()), (&json!("Harbor House"), 1));
        let path = format!("/api/Payments/site/{}", world::HARBOR_HOUSE);
        assert_eq!(house.get(&path).by(world::OWNER).send().await.expect(200), history[0]["items"]);
        assert_eq!(ask(json!([]), world::OWNER).await.expect(200), json!([]));
        assert_eq!(ask(json!([world::HARBOR_HOUSE, world::FAR_AWAY]), world::OWNER).await.status, 404, "not one of them");
        assert_eq!(ask(json!([world::OPEN_DOOR]), world::OWNER_FREE).await.status, 403);
        let many: Vec<_> = (0..1001).map(|_| house.app.id()).collect();
        let errors = ask(json!(many), world::OWNER).await.field_errors();
        assert_eq!(errors, ["/siteIds: At most 1000 sites can be selected at once."]);
    }

    async fn invoices_of_a_deleted_site_stay_in_the_history_of_its_organization(house: House) {
        const COPY: &str = "INSERT INTO billing_invoices (id, site_id, number, issued_at, description, amount_cents, \
            currency, status) VALUES ('in_1', $1, 'A-1', $2, 'Berth', 5000, 'usd', 'paid')";
        let mut tx = house.db().begin().await.unwrap();
        tx.query(COPY).bind(world::HARBOR_HOUSE).bind(house.app.now()).execute().await.unwrap();
        tx.commit().await.unwrap();
        let ask = async |organization: OrganizationId, by: &str| {
            let body = json!({"siteIds": [], "organizationId": organization});
            house.post("/api/Subscriptions/billing", body).by(by).send().await
        };
        assert_eq!(ask(world::HARBOR, world::OWNER).await.expect(200), json!([]), "only deleted sites are added");
        assert_eq!(ask(world::HARBOR, world::ADMIN).await.status, 403);
        let site = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        house.ask(Method::DELETE, &site).by(world::OWNER).send().await.expect(204);
        let history = ask(world::HARBOR, world::OWNER).await.expect(200);
        assert_eq!((&history[0]["siteName"], &history[0]["items"][0]["invoiceId"]), (&json!("Harbor House"), &json!("in_1")));
        assert_eq!(ask(world::HARBOR, world::OWNER_FOREIGN).await.status, 404);
    }

    async fn a_command_the_status_does_not_allow_is_refused_without_calling_stripe(house: House) {
        const OPERATIONS: &str = "SELECT COUNT(*) FROM billing_operations";
        assert_eq!(post(&house, "restart").await.refusal(409), "This subscription has no payment to repeat.");
        let start = async |house: &House| {
            let body = json!({"siteId": world::HARBOR_HOUSE, "stripePriceId": "price_x", "subscriptionDurationInMonths": 1});
            house.post("/api/Subscriptions/site", body).by(world::OWNER).send().await
        };
        assert_eq!(start(&house).await.refusal(409), "This site already has a subscription.");
        set(&house, "past_due", 0).await;
        let sentence = "A payment of this site's subscription is open. Restart the subscription instead.";
        assert_eq!(start(&house).await.refusal(409), sentence);
        set(&house, "canceled", 0).await;
        assert_eq!(post(&house, "cancel").await.refusal(409), "This site has no subscription to cancel.");
        assert_eq!(post(&house, "restart").await.refusal(409), "This site has no subscription to restart. Start a new one.");
        let without_card = start(&house).await.expect(409);
        assert_eq!(without_card["code"], "card-needed");
        assert_eq!(without_card["message"], "There is no saved card yet. Add a card first.");
        let operations: i64 = house.db().query(OPERATIONS).scalar().await.unwrap();
        assert_eq!((operations, house.app.payments.is_open()), (0, false), "Stripe was not called");
    }

    /// Rows that were created without Stripe, such as those of `berth seed`.
    async fn a_subscription_that_stripe_does_not_know_can_be_canceled(house: House) {
        set(&house, "active", 5).await;
        let canceled = post(&house, "cancel").await.expect(200);
        assert_eq!((&canceled["status"], &canceled["isActive"]), (&json!("canceled"), &json!(true)));
        assert_eq!(canceled["clientSecret"], Value::Null);
        assert_eq!(sorted_trail(&house).await, ["subscription.changed"]);
        assert!(!house.app.payments.is_open());
    }

    async fn payment_attempts_are_limited(house: House) {
        set(&house, "incomplete", 0).await;
        for _ in 0..20 {
            assert_eq!(post(&house, "restart").await.status, 409);
        }
        assert_eq!(post(&house, "restart").await.status, 429);
        house.advance(HOUR);
        assert_eq!(post(&house, "restart").await.status, 409);
    }
}
