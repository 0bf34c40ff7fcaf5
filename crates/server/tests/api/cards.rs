//! Saved cards (spec B 2, 4, 7; guide payments 1.4, 1.5, 1.8), against the sandbox over HTTP. Each call that our client
//! makes, and each answer, is checked against Stripe's schema (see `harness::House`).

use axum::http::Method;
use berth_db::Engine;
use berth_server::app::{App, Clock, Random};
use berth_server::billing::payments;
use berth_server::routes;
use berth_server::settings::Settings;
use berth_stripe::sandbox::PUBLISHABLE_KEY;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::both_engines;
use crate::card_steps::{CARDS, add, browser, card_of, control, fault, listed, rows, setup, summaries};
use crate::harness::{Answer, House, MINUTE};
use crate::steps::{all_at_once, sorted_trail, statuses};
use crate::world;

const EMAIL: Option<&str> = Some("receipts@test.example");

async fn client(house: &House) -> &berth_stripe::Client {
    house.app.payments.client().await.unwrap()
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// The customer of Harbor Recovery.
async fn customer(house: &House) -> String {
    const CUSTOMER: &str = "SELECT stripe_id FROM billing_customers WHERE organization_id = $1";
    house.db().query(CUSTOMER).bind(world::HARBOR).scalar().await.unwrap()
}

fn id(card: &Value) -> String {
    card["id"].as_str().unwrap().to_owned()
}

fn make_default(house: &House, card: &str) -> crate::harness::Ask {
    let body = json!({"organizationId": world::HARBOR, "savedPaymentMethodId": card});
    house.put(&format!("{CARDS}/default"), body).by(world::OWNER)
}

fn remove(house: &House, card: &str) -> crate::harness::Ask {
    house.delete(&format!("{CARDS}/{card}")).by(world::OWNER)
}

async fn portal(house: &House) -> Answer {
    let path = format!("/api/Stripe/customer-portal?organizationId={}", world::HARBOR);
    house.get(&path).by(world::OWNER).header("host", "localhost:8080").send().await
}

both_engines! {
    /// The complete flow: secret, the browser's calls with a typed number, our row.
    async fn a_card_typed_in_the_browser_is_saved_without_its_number_reaching_us(house: House) {
        let secret = setup(&house, EMAIL).send().await.expect(200)["clientSecret"].as_str().unwrap().to_owned();
        let intent = secret.split("_secret_").next().unwrap();
        let typed = [("type", "card"), ("card[number]", "4242424242424242"), ("card[exp_month]", "8"),
            ("card[exp_year]", "2040"), ("card[cvc]", "737")];
        let method = browser(&house, "/v1/payment_methods", &typed).await.expect(200);
        let confirm = [("client_secret", secret.as_str()), ("payment_method", method["id"].as_str().unwrap())];
        let done = browser(&house, &format!("/v1/setup_intents/{intent}/confirm"), &confirm).await.expect(200);
        let saved = add(&house, done["payment_method"].as_str().unwrap(), None).send().await.expect(201);
        let cards = listed(&house).await;
        assert_eq!(cards, [json!({"id": saved["id"], "brand": "visa", "lastFourDigits": "4242", "isDefault": true,
            "expirationDate": "8/40", "formattedExpirationDate": "8/40"})]);
        assert_eq!(sorted_trail(&house).await, ["card.added"]);
        for text in ["SELECT COUNT(*) FROM audit WHERE summary LIKE '%4242424242424242%'",
            "SELECT COUNT(*) FROM saved_cards WHERE last_four <> '4242'"] {
            assert_eq!(count(&house, text).await, 0);
        }
    }

    async fn the_first_card_needs_an_email_and_becomes_the_default(house: House) {
        let sentence = "/email: The first card needs an email address for receipts.";
        assert_eq!(add(&house, "pm_card_visa", None).send().await.field_errors(), [sentence]);
        assert_eq!(setup(&house, Some(" ")).send().await.field_errors(), [sentence]);
        assert_eq!(setup(&house, Some("nobody")).send().await.field_errors(), ["/email: Invalid email."]);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_customers").await, 0, "Stripe was not called");
        add(&house, "pm_card_visa", EMAIL).send().await.expect(201);
        let second = add(&house, "pm_card_mastercard", None).send().await.expect(201);
        assert_eq!(second["isDefault"], false);
        assert_eq!(summaries(&house).await, ["visa 4242*", "mastercard 4444"]);
        let at_stripe = client(&house).await.customer(&customer(&house).await).await.unwrap();
        assert_eq!(at_stripe.email.as_deref(), EMAIL);
        assert_eq!(at_stripe.metadata["organization_id"], world::HARBOR.to_string());
    }

    async fn saving_a_card_twice_saves_it_once(house: House) {
        add(&house, "pm_card_visa", EMAIL).send().await.expect(201);
        let method = client(&house).await.cards(&customer(&house).await).await.unwrap()[0].id.clone();
        let answers = all_at_once((0..4).map(|_| add(&house, &method, None)).collect()).await;
        assert_eq!(statuses(&answers).into_iter().collect::<Vec<_>>(), [(201, 4)]);
        assert_eq!(summaries(&house).await, ["visa 4242*"]);
        assert_eq!(sorted_trail(&house).await, ["card.added"]);
    }

    async fn one_card_is_the_default_here_and_at_stripe(house: House) {
        rows(&house).await;
        let second = card_of(world::HARBOR, 1).to_string();
        let answered = make_default(&house, &second).send().await.expect(200);
        assert_eq!(answered.as_array().unwrap().iter().filter(|card| card["isDefault"] == true).count(), 1);
        assert_eq!(summaries(&house).await, ["mastercard 4444*", "visa 4242"]);
        let at_stripe = client(&house).await.customer("cus_harbor").await.unwrap();
        assert_eq!(at_stripe.invoice_settings.default_payment_method.as_deref(), Some("pm_harbor1"));
        make_default(&house, &second).send().await.expect(200);
        assert_eq!(sorted_trail(&house).await, ["card.made-default"], "the second time nothing changed");
        // Not with the id of someone else's card, not even for a global admin.
        let foreign = card_of(world::FOREIGN, 0).to_string();
        assert_eq!(make_default(&house, &foreign).status().await, 404);
        let body = json!({"organizationId": world::HARBOR, "savedPaymentMethodId": foreign});
        assert_eq!(house.put(&format!("{CARDS}/default"), body).by(world::GLOBAL).status().await, 404);
        let calls = [0, 1].repeat(3).into_iter().map(|n| make_default(&house, &card_of(world::HARBOR, n).to_string()));
        let answers = all_at_once(calls.collect()).await;
        assert_eq!(statuses(&answers).into_keys().collect::<Vec<_>>(), [200]);
        assert_eq!(summaries(&house).await.iter().filter(|card| card.ends_with('*')).count(), 1);
    }

    async fn when_the_default_card_is_removed_another_becomes_the_default(house: House) {
        rows(&house).await;
        remove(&house, &card_of(world::HARBOR, 0).to_string()).send().await.expect(204);
        // In our own rows, before a list has called Stripe.
        const DEFAULT: &str = "SELECT payment_method FROM saved_cards WHERE is_default AND deleted_at IS NULL AND organization_id = $1";
        let own: String = house.db().query(DEFAULT).bind(world::HARBOR).scalar().await.unwrap();
        assert_eq!(own, "pm_harbor1");
        assert_eq!(summaries(&house).await, ["mastercard 4444*"]);
        let at_stripe = client(&house).await.customer("cus_harbor").await.unwrap();
        assert_eq!(at_stripe.invoice_settings.default_payment_method.as_deref(), Some("pm_harbor1"));
        assert_eq!(sorted_trail(&house).await, ["card.removed"]);
        assert_eq!(remove(&house, &card_of(world::HARBOR, 0).to_string()).status().await, 404, "it is gone");
    }

    async fn the_last_card_cannot_be_removed_while_a_subscription_is_live(house: House) {
        const END: &str = "UPDATE site_subscriptions SET status = 'canceled' WHERE site_id = $1";
        rows(&house).await;
        remove(&house, &card_of(world::HARBOR, 1).to_string()).send().await.expect(204);
        let last = card_of(world::HARBOR, 0).to_string();
        let refused = remove(&house, &last).send().await;
        assert!(refused.refusal(409).starts_with("This is the last card, and a subscription is paid with it."));
        assert_eq!(summaries(&house).await, ["visa 4242*"]);
        let mut tx = house.db().begin().await.unwrap();
        tx.query(END).bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.commit().await.unwrap();
        remove(&house, &last).send().await.expect(204);
        assert!(summaries(&house).await.is_empty());
    }

    /// Race: two browsers, each removes one of the last two.
    async fn of_the_last_two_cards_removed_at_once_one_stays(house: House) {
        rows(&house).await;
        let calls = [0, 1].map(|number| remove(&house, &card_of(world::HARBOR, number).to_string()));
        let answers = all_at_once(calls.into()).await;
        assert_eq!(statuses(&answers).into_iter().collect::<Vec<_>>(), [(204, 1), (409, 1)]);
        let left = summaries(&house).await;
        assert!(left == ["visa 4242*"] || left == ["mastercard 4444*"], "{left:?}");
        assert_eq!(client(&house).await.cards("cus_harbor").await.unwrap().len(), 1);
    }

    async fn a_card_of_someone_else_is_not_saved(house: House) {
        rows(&house).await;
        assert_eq!(add(&house, "pm_foreign0", None).send().await.refusal(403), "This card belongs to someone else.");
        // Nor by an organization that has no customer yet.
        let mut tx = house.db().begin().await.unwrap();
        tx.query("DELETE FROM billing_customers").execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(add(&house, "pm_foreign0", EMAIL).status().await, 403);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_customers").await, 0);
    }

    async fn a_card_that_cannot_be_saved_is_explained_at_its_field(house: House) {
        let field = "/externalSavedPaymentMethodId: ";
        for unknown in ["pm_none", "", "../customers", "cus_harbor?x=1"] {
            let errors = add(&house, unknown, EMAIL).send().await.field_errors();
            assert_eq!(errors, [format!("{field}The card provider does not know this card. Please enter it again.")]);
        }
        let declined = add(&house, "pm_card_visa_chargeDeclinedInsufficientFunds", EMAIL).send().await.field_errors();
        assert_eq!(declined, [format!("{field}Your card has insufficient funds.")]);
        add(&house, "pm_card_visa", None).send().await.expect(201);
        let card = listed(&house).await;
        let method: String = house.db().query("SELECT payment_method FROM saved_cards").scalar().await.unwrap();
        add(&house, "pm_card_mastercard", None).send().await.expect(201);
        remove(&house, &id(&card[0])).send().await.expect(204);
        let again = add(&house, &method, None).send().await.field_errors();
        assert_eq!(again, [format!("{field}This card cannot be saved. Please enter it again.")]);
    }

    async fn a_non_commercial_organization_has_no_cards(house: House) {
        let path = format!("{CARDS}?organizationId={}", world::OPEN_HANDS);
        for token in [world::OWNER_FREE, world::GLOBAL] {
            assert_eq!(house.get(&path).by(token).status().await, 403);
            let body = json!({"organizationId": world::OPEN_HANDS, "email": "x@test.example"});
            assert_eq!(house.post("/api/Stripe/setup-intent", body).by(token).status().await, 403);
        }
    }

    /// Race: two browsers ask for the first time at once, one of them with another email.
    async fn concurrent_first_requests_create_one_customer(house: House) {
        let calls = (0..6).map(|number| setup(&house, Some(if number % 2 == 0 { "a@test.example" } else { "b@test.example" })));
        let answers = all_at_once(calls.collect()).await;
        assert_eq!(statuses(&answers).into_iter().collect::<Vec<_>>(), [(200, 6)]);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM billing_customers WHERE stripe_id IS NOT NULL").await, 1);
        let seen = house.judge.get().unwrap().seen();
        assert!(seen.iter().any(|call| call == "POST /v1/customers 200"));
        assert_eq!(customers_made(&house).await, 1);
    }

    /// Race: Stripe made the customer, and no answer came.
    async fn a_customer_whose_answer_was_lost_is_found_by_the_same_key(house: House) {
        fault(&house, "POST /v1/customers", "after", 2).await;
        let away = "The card provider cannot be reached. Please try again in a moment.";
        let answer = setup(&house, EMAIL).send().await;
        assert_eq!((answer.refusal(503), answer.header("retry-after")), (away.to_owned(), "5"));
        // The next caller repeats the same request, whatever email it has: only then is it the same request to Stripe.
        setup(&house, Some("other@test.example")).send().await.expect(200);
        assert_eq!(customers_made(&house).await, 1);
        let at_stripe = client(&house).await.customer(&customer(&house).await).await.unwrap();
        assert_eq!(at_stripe.email.as_deref(), EMAIL);
    }

    async fn a_request_that_was_never_answered_is_given_up_after_an_hour(house: House) {
        fault(&house, "POST /v1/customers", "before", 2).await;
        setup(&house, EMAIL).send().await.expect(503);
        house.advance(61 * MINUTE);
        setup(&house, Some("other@test.example")).send().await.expect(200);
        let at_stripe = client(&house).await.customer(&customer(&house).await).await.unwrap();
        assert_eq!(at_stripe.email.as_deref(), Some("other@test.example"));
    }

    /// Race: the card was removed, and no answer came.
    async fn a_removal_whose_answer_was_lost_is_completed(house: House) {
        rows(&house).await;
        fault(&house, "POST /v1/payment_methods/{payment_method}/detach", "after", 1).await;
        remove(&house, &card_of(world::HARBOR, 1).to_string()).send().await.expect(204);
        assert_eq!(summaries(&house).await, ["visa 4242*"]);
        // And a removal that did not happen changes nothing: the card is still there.
        add(&house, "pm_card_mastercard", None).send().await.expect(201);
        let card = id(&listed(&house).await[1]);
        fault(&house, "POST /v1/payment_methods/{payment_method}/detach", "before", 1).await;
        remove(&house, &card).send().await.expect(503);
        assert_eq!(summaries(&house).await, ["visa 4242*", "mastercard 4444"]);
        remove(&house, &card).send().await.expect(204);
    }

    async fn while_stripe_is_unreachable_cards_are_listed_from_our_own_rows(house: House) {
        rows(&house).await;
        for operation in ["GET /v1/customers/{customer}", "GET /v1/customers/{customer}/payment_methods"] {
            fault(&house, operation, "before", 2).await;
        }
        assert_eq!(summaries(&house).await, ["visa 4242*", "mastercard 4444"]);
        fault(&house, "POST /v1/customers/{customer}", "before", 1).await;
        make_default(&house, &card_of(world::HARBOR, 1).to_string()).send().await.expect(503);
        assert_eq!(summaries(&house).await, ["visa 4242*", "mastercard 4444"], "nothing was changed");
        fault(&house, "GET /v1/payment_methods/{payment_method}", "before", 2).await;
        add(&house, "pm_card_visa", None).send().await.expect(503);
    }

    /// Race: someone removes and adds cards on Stripe's own page.
    async fn card_changes_made_at_stripe_are_seen_here(house: House) {
        rows(&house).await;
        client(&house).await.detach("pm_harbor0").await.unwrap();
        let gone = card_of(world::HARBOR, 0).to_string();
        assert_eq!(
            make_default(&house, &gone).send().await.refusal(409),
            "This card was removed at the card provider. Here is how it is now."
        );
        assert_eq!(summaries(&house).await, ["mastercard 4444"], "Stripe chose no other default");
        client(&house).await.attach("pm_card_visa", "cus_harbor", "other side").await.unwrap();
        assert_eq!(summaries(&house).await, ["visa 4242", "mastercard 4444"]);
        assert_eq!(sorted_trail(&house).await, ["card.added", "card.removed"]);
        let by: Vec<(String,)> = house.db().query("SELECT address FROM audit").all().await.unwrap();
        assert!(by.iter().all(|(address,)| address == "job"), "no user of Berth did it");
        // Once seen, it is not written again.
        summaries(&house).await;
        assert_eq!(sorted_trail(&house).await.len(), 2);
    }

    /// Race: the customer is deleted at Stripe.
    async fn a_customer_that_was_deleted_is_forgotten_with_all_cards(house: House) {
        rows(&house).await;
        client(&house).await.delete_customer("cus_harbor").await.unwrap();
        assert_eq!(portal(&house).await.refusal(409), "There is no billing information yet. Add a card first.");
        assert!(summaries(&house).await.is_empty());
        assert_eq!(sorted_trail(&house).await, ["card.removed", "card.removed"]);
        assert_eq!(setup(&house, None).send().await.field_errors().len(), 1, "as for the first card");
        setup(&house, EMAIL).send().await.expect(200);
        assert_ne!(customer(&house).await, "cus_harbor");
    }

    async fn setting_up_a_card_detects_a_deleted_customer(house: House) {
        rows(&house).await;
        client(&house).await.delete_customer("cus_harbor").await.unwrap();
        setup(&house, EMAIL).send().await.expect(200);
        assert!(summaries(&house).await.is_empty());
    }

    async fn the_database_itself_allows_one_default_one_customer_and_one_row_per_card(house: House) {
        const AGAIN: &str = "INSERT INTO billing_customers (organization_id, attempt, email, name, created_at) \
            SELECT organization_id, attempt, email, name, created_at FROM billing_customers";
        rows(&house).await;
        for (text, guard) in [
            ("UPDATE saved_cards SET is_default = TRUE", "saved_cards_organization_id_key"),
            ("UPDATE saved_cards SET payment_method = 'pm_same'", "saved_cards_payment_method_key"),
            ("UPDATE billing_customers SET stripe_id = 'cus_same'", "billing_customers_stripe_id_key"),
            (AGAIN, "billing_customers_pkey"),
        ] {
            let mut tx = house.db().begin().await.unwrap();
            let refused = tx.query(text).execute().await.unwrap_err();
            tx.rollback().await.unwrap();
            assert_eq!(refused.unique(), Some(guard));
        }
    }

    /// On SQLite a transaction that waits for Stripe would stop every writer.
    async fn no_transaction_is_open_during_a_call_to_stripe(house: House) {
        fault(&house, "POST /v1/customers", "hold", 1).await;
        let asked = tokio::spawn(setup(&house, EMAIL).send());
        control(&house, "held", json!({})).await;
        let room = json!({"siteId": world::HARBOR_HOUSE});
        house.post("/api/Rooms", room).by(world::OWNER).send().await.expect(201);
        let edit = json!({"name": "Harbor Again", "reservationPaymentMethodIds": [1]});
        let path = format!("/api/Organizations/{}", world::HARBOR);
        house.put(&path, edit).by(world::OWNER).send().await.expect(200);
        control(&house, "release", json!({})).await;
        asked.await.unwrap().expect(200);
    }

    async fn the_portal_opens_at_our_own_origin_and_leads_back_to_the_cards(house: House) {
        assert_eq!(portal(&house).await.refusal(409), "There is no billing information yet. Add a card first.");
        rows(&house).await;
        let answer = portal(&house).await.expect(200);
        let page = answer["url"].as_str().unwrap().strip_prefix("http://localhost:8080").unwrap().to_owned();
        let shown = house.get(&page).send().await;
        assert_eq!(shown.status, 200);
        let back = format!("http://localhost:8080/cards/{}", world::HARBOR);
        assert!(shown.text.contains(&back) && shown.text.contains("Harbor Recovery"), "{}", shown.text);
        assert!(shown.header("content-security-policy").contains("script-src 'self'"));
        let removed = house.form(&page, &[("action", "remove"), ("card", "pm_harbor1")]).send().await;
        assert_eq!((removed.status, removed.header("location")), (303, page.as_str()));
        assert_eq!(summaries(&house).await, ["visa 4242*"]);
        // The reservation that the owner came from is kept, and only an id gets into the address.
        let of = |reservation: &str| {
            format!("/api/Stripe/customer-portal?organizationId={}&reservation={reservation}", world::HARBOR)
        };
        let waiting = "019a0000-0000-7000-8000-000000000001";
        let answer = house.get(&of(waiting)).by(world::OWNER).send().await.expect(200);
        let page = answer["url"].as_str().unwrap().strip_prefix("http://localhost:8080").unwrap();
        let shown = house.get(page).send().await;
        assert!(shown.text.contains(&format!("{back}?reservation={waiting}\"")), "{}", shown.text);
        house.get(&of("x%22%3E%26next=https://evil.example")).by(world::OWNER).send().await.expect(422);
        // A foreign origin is ignored.
        let path = format!("/api/Stripe/customer-portal?organizationId={}", world::HARBOR);
        let other = house.get(&path).by(world::OWNER).header("host", "evil.example").send().await.expect(200);
        assert!(other["url"].as_str().unwrap().starts_with("http://localhost:8080/dev/stripe/portal/"));
    }
}

/// Returns how many customers Stripe has for Harbor Recovery in addition to those of the seed.
async fn customers_made(house: &House) -> usize {
    use secrecy::ExposeSecret;
    let (address, key) = house.app.payments.sandbox_address().await.unwrap().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let call = http.get(format!("{address}/v1/customers?limit=100")).bearer_auth(key.expose_secret());
    let all: Value = call.send().await.unwrap().json().await.unwrap();
    let ours = |one: &&Value| one["metadata"]["organization_id"] == world::HARBOR.to_string();
    all["data"].as_array().unwrap().iter().filter(ours).count()
}

#[tokio::test]
async fn browsers_reach_only_the_public_part_of_the_sandbox() {
    let house = House::new(Engine::Sqlite).await;
    let script = house.get("/dev/stripe/stripe.js").send().await;
    assert_eq!((script.status, script.header("content-type")), (200, "text/javascript; charset=utf-8"));
    assert!(house.get("/dev/stripe/portal.css").send().await.header("content-type").starts_with("text/css"));
    for (method, path) in [
        (Method::GET, "/dev/stripe/v1/customers"),
        (Method::POST, "/dev/stripe/v1/customers"),
        (Method::POST, "/dev/stripe/v1/payment_methods/pm_harbor0/detach"),
        (Method::POST, "/dev/stripe/_sandbox/fault"),
        (Method::GET, "/dev/stripe/"),
    ] {
        assert_eq!(house.ask(method.clone(), path).status().await, 404, "{method} {path}");
    }
    assert_eq!(house.get("/dev/stripe/portal/bps_guessed").status().await, 404);
}

/// A foreign page whose host name was pointed at this machine sends its own host name.
#[tokio::test]
async fn the_sandbox_answers_only_browsers_on_this_machine() {
    let house = House::new(Engine::Sqlite).await;
    let ask = |name, value| house.get("/dev/stripe/stripe.js").header(name, value);
    assert_eq!(ask("host", "localhost:8080").status().await, 200);
    assert_eq!(ask("host", "rebound.example:8080").status().await, 404);
    assert_eq!(ask("x-forwarded-for", "10.0.0.7").status().await, 404);
}

#[tokio::test]
async fn a_field_with_thousands_of_brackets_is_refused_and_the_server_keeps_running() {
    let house = House::new(Engine::Sqlite).await;
    let nested = format!("a{}=1", "[b]".repeat(10_000));
    let send = |form: String| {
        let ask = house.ask(Method::POST, "/dev/stripe/v1/payment_methods").by(PUBLISHABLE_KEY);
        ask.raw("application/x-www-form-urlencoded", form.into_bytes())
    };
    assert_eq!(send(nested).status().await, 400);
    let card = "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2040";
    assert_eq!(send(format!("{card}&metadata[a]{}=1", "[b]".repeat(150))).status().await, 400);
    assert_eq!(send(card.to_owned()).status().await, 200);
}

/// An app with keys of Stripe, which it never calls here.
async fn with_stripe() -> (House, axum::Router) {
    let house = House::new(Engine::Sqlite).await;
    let settings = Settings {
        stripe_secret_key: Some("sk_test_of_the_test".to_owned().into()),
        stripe_publishable_key: Some("pk_test_of_the_test".to_owned()),
        ..house.app.settings.clone()
    };
    let app = App::new(
        house.db().clone(),
        settings.checked().unwrap(),
        Clock::Fixed(Arc::clone(&house.clock)),
        Random::seeded(3),
    );
    (house, routes::build(app))
}

#[tokio::test]
async fn with_stripe_pages_may_load_stripes_scripts_and_there_is_no_sandbox() {
    let (mut house, stripe) = with_stripe().await;
    let policy = |answer: &Answer| answer.header("content-security-policy").to_owned();
    let played = policy(&house.get("/api/docs").send().await);
    assert!(
        !played.contains("stripe") && played.contains("connect-src 'self';"),
        "the sandbox is part of us: {played}"
    );
    let settings = house.get("/api/public/settings").send().await.expect(200);
    assert_eq!(
        (&settings["testPayments"], &settings["stripePublishableKey"]),
        (&json!(true), &json!("pk_test_sandbox_berth"))
    );

    house.router = stripe;
    let real = policy(&house.get("/api/docs").send().await);
    for part in [
        "script-src 'self' 'nonce-",
        " https://js.stripe.com https://*.js.stripe.com; style-src",
        "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;",
        "connect-src 'self' https://api.stripe.com;",
    ] {
        assert!(real.contains(part), "{part} in {real}");
    }
    let settings = house.get("/api/public/settings").send().await.expect(200);
    assert_eq!(
        (&settings["testPayments"], &settings["stripePublishableKey"]),
        (&json!(false), &json!("pk_test_of_the_test"))
    );
    assert!(!settings.to_string().contains("sk_test"));
    assert_eq!(house.get("/dev/stripe/stripe.js").status().await, 404);
}

#[test]
fn stripe_keys_come_in_matching_pairs_and_are_sent_over_https() {
    let of = |secret: Option<&str>, publishable: Option<&str>, base: &str| {
        let settings = Settings {
            stripe_secret_key: secret.map(|key| key.to_owned().into()),
            stripe_publishable_key: publishable.map(str::to_owned),
            stripe_api_base: base.to_owned(),
            ..Settings::default()
        };
        settings.checked().map(|_| ()).map_err(|error| error.to_string())
    };
    let base = "https://api.stripe.com";
    for (secret, publishable) in
        [(None, None), (Some("sk_test_1"), Some("pk_test_1")), (Some("rk_live_1"), Some("pk_live_1"))]
    {
        assert_eq!(of(secret, publishable, base), Ok(()));
    }
    assert_eq!(of(Some("sk_test_1"), Some("pk_test_1"), "http://127.0.0.1:9"), Ok(()));
    for (secret, publishable, base, named) in [
        (Some("sk_test_1"), None, base, "stripe_publishable_key"),
        (None, Some("pk_test_1"), base, "stripe_secret_key"),
        (Some("pk_test_1"), Some("pk_test_1"), base, "stripe_secret_key"),
        (Some("sk_test_1"), Some("sk_test_1"), base, "stripe_publishable_key"),
        (Some("sk_live_1"), Some("pk_test_1"), base, "one of the two Stripe keys"),
        (Some("sk_test_1"), Some("pk_test_1"), "http://stripe.test.example", "stripe_api_base"),
    ] {
        let told = of(secret, publishable, base).unwrap_err();
        assert!(told.contains(named) && !told.contains("_test_1"), "{told}");
    }
}

#[test]
fn a_public_server_does_not_start_on_the_sandbox_by_accident() {
    let of = |listen: &str, origins: &[&str], change: fn(&mut Settings)| {
        let mut settings = Settings {
            listen: listen.parse().unwrap(),
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
            ..Settings::default()
        };
        change(&mut settings);
        payments::may_serve(&settings.checked().unwrap()).is_ok()
    };
    assert!(of("127.0.0.1:8080", &[], |_| {}));
    assert!(!of("0.0.0.0:8080", &["http://localhost:8080"], |_| {}));
    assert!(!of("127.0.0.1:8080", &["https://berth.test.example"], |_| {}), "it is behind a proxy");
    let public = |change| of("0.0.0.0:8080", &["https://berth.test.example"], change);
    assert!(public(|settings| settings.demo = true));
    assert!(public(|settings| settings.stripe_allow_sandbox = true));
    assert!(public(|settings| {
        settings.stripe_secret_key = Some("sk_live_1".to_owned().into());
        settings.stripe_publishable_key = Some("pk_live_1".to_owned());
    }));
}
