//! The client against the sandbox over HTTP. Each call and each answer is checked against Stripe's schema.

use berth_stripe::judge::Judge;
use berth_stripe::sandbox::{FileStore, PUBLISHABLE_KEY, Sandbox, Seed, SeedCard};
use berth_stripe::{Client, Error, NewCustomer};
use serde_json::{Value, json};

use crate::account::{ORGANIZATION, account, account_of};

#[tokio::test]
async fn a_customer_is_created_once_for_a_key_and_can_be_read_changed_and_deleted() {
    let account = account().await;
    let made = account.client.create_customer(&ORGANIZATION, "key-1").await.unwrap();
    assert_eq!(made.metadata["organization_id"], "o-1");
    assert_eq!(account.client.create_customer(&ORGANIZATION, "key-1").await.unwrap().id, made.id);
    let other = NewCustomer { email: "other@test.example", ..ORGANIZATION };
    let error = account.client.create_customer(&other, "key-1").await.unwrap_err();
    assert_eq!(error.api_error().unwrap().kind, "idempotency_error");
    assert_ne!(account.client.create_customer(&ORGANIZATION, "key-2").await.unwrap().id, made.id);

    assert!(account.client.delete_customer(&made.id).await.unwrap().deleted);
    assert!(account.client.customer(&made.id).await.unwrap().deleted);
    assert!(account.client.cards(&made.id).await.unwrap_err().is_missing("customer"));
    assert!(account.client.customer("cus_none").await.unwrap_err().is_missing("id"));
    assert!(account.client.customer("../v1/customers").await.unwrap_err().is_missing("id"), "never sent");
}

#[tokio::test]
async fn a_card_is_set_up_by_the_browser_listed_made_default_and_detached() {
    let account = account().await;
    let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
    let mut cards = Vec::new();
    for number in ["4242424242424242", "5555555555554444"] {
        let intent = account.client.create_setup_intent(&customer.id).await.unwrap();
        let secret = intent.client_secret.unwrap();
        let (status, method) = account.card(number).await;
        assert_eq!((status, &method["customer"]), (200, &Value::Null));
        let card = method["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/setup_intents/{}/confirm", intent.id);
        let fields = format!("client_secret={secret}&payment_method={card}");
        let (status, done) = account.raw(PUBLISHABLE_KEY, "POST", &path, &fields, &[]).await;
        assert_eq!((status, &done["status"]), (200, &json!("succeeded")));
        cards.push(card);
    }
    let listed = account.client.cards(&customer.id).await.unwrap();
    let told: Vec<_> = listed.iter().map(|card| (card.id.clone(), card.card.clone().unwrap())).collect();
    assert_eq!((&told[0].0, &told[1].0), (&cards[1], &cards[0]), "the newest first");
    assert_eq!((told[1].1.brand.as_str(), told[1].1.last4.as_str()), ("visa", "4242"));
    assert_eq!((told[0].1.exp_month, told[0].1.exp_year), (4, 2040));

    let changed = account.client.set_default_payment_method(&customer.id, &cards[0]).await.unwrap();
    assert_eq!(changed.invoice_settings.default_payment_method.as_deref(), Some(cards[0].as_str()));
    account.client.detach(&cards[0]).await.unwrap();
    let left = account.client.customer(&customer.id).await.unwrap();
    assert_eq!(left.invoice_settings.default_payment_method, None, "a card that went is nobody's default");
    let again = account.client.detach(&cards[0]).await.unwrap_err();
    assert_eq!(again.api_error().unwrap().status, 400);
    let back = account.client.attach(&cards[0], &customer.id, "key-3").await.unwrap_err();
    assert!(back.to_string().contains("may not be used again"), "{back}");
    let foreign = account.client.set_default_payment_method(&customer.id, "pm_none").await.unwrap_err();
    assert!(foreign.is_missing("invoice_settings[default_payment_method]"));
}

/// Browsers create payment methods without signing in, so only few of them are kept.
#[tokio::test]
async fn a_card_that_nobody_saves_is_forgotten_after_two_hundred_others() {
    let account = account().await;
    let (_, first) = account.card("4242424242424242").await;
    let path = format!("/v1/payment_methods/{}", first["id"].as_str().unwrap());
    for _ in 0..199 {
        assert_eq!(account.card("4242424242424242").await.0, 200);
    }
    assert_eq!(account.raw(&account.key, "GET", &path, "", &[]).await.0, 200);
    assert_eq!(account.card("4242424242424242").await.0, 200);
    assert_eq!(account.raw(&account.key, "GET", &path, "", &[]).await.0, 404);
}

#[tokio::test]
async fn a_long_list_of_cards_is_read_to_its_end() {
    let account = account().await;
    let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
    for number in 0..103 {
        account.client.attach("pm_card_visa", &customer.id, &format!("attach-{number}")).await.unwrap();
    }
    let mut ids: Vec<String> =
        account.client.cards(&customer.id).await.unwrap().into_iter().map(|card| card.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 103);
}

#[tokio::test]
async fn only_test_numbers_are_accepted_and_no_refused_number_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    let account = account_of(Box::new(FileStore::at(file.clone())), &[]).await;
    for (number, code) in
        [("4539578763621486", "card_declined"), ("4242424242424241", "incorrect_number"), ("1234", "incorrect_number")]
    {
        let (status, error) = account.card(number).await;
        assert_eq!((status, &error["error"]["code"]), (402, &json!(code)), "{number}");
    }
    let body = "type=card&card[number]=4539578763621486&card[exp_month]=4&card[exp_year]=40&card[cvc]=987";
    account.raw(PUBLISHABLE_KEY, "POST", "/v1/payment_methods", body, &[("idempotency-key", "typed")]).await;
    for (month, year, cvc, code) in [
        ("13", "40", "123", "invalid_expiry_month"),
        ("1", "2020", "123", "invalid_expiry_year"),
        ("1", "40", "1", "invalid_cvc"),
    ] {
        let body = format!(
            "type=card&card[number]=4242424242424242&card[exp_month]={month}&card[exp_year]={year}&card[cvc]={cvc}"
        );
        let (status, error) = account.raw(PUBLISHABLE_KEY, "POST", "/v1/payment_methods", &body, &[]).await;
        assert_eq!((status, &error["error"]["code"]), (402, &json!(code)));
    }
    assert_eq!(account.card("4242 4242 4242 4242").await.0, 200);
    let kept = std::fs::read_to_string(&file).unwrap();
    for secret in ["4539578763621486", "4242424242424242", "\"987\"", "typed"] {
        assert!(!kept.contains(secret), "{secret} is in the file");
    }
    assert!(kept.contains("\"last4\":\"4242\""));
}

#[tokio::test]
async fn a_card_without_money_is_refused_and_one_that_declines_charges_is_saved() {
    let account = account().await;
    let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
    let error =
        account.client.attach("pm_card_visa_chargeDeclinedInsufficientFunds", &customer.id, "a").await.unwrap_err();
    assert_eq!(error.card_sentence(), Some("Your card has insufficient funds."));
    assert_eq!(error.api_error().unwrap().decline_code.as_deref(), Some("insufficient_funds"));
    let error = account.client.attach("pm_card_visa_chargeDeclined", &customer.id, "c").await.unwrap_err();
    assert_eq!(error.card_sentence(), Some("Your card was declined."));
    assert_eq!(error.api_error().unwrap().decline_code.as_deref(), Some("generic_decline"));
    account.client.attach("pm_card_chargeCustomerFail", &customer.id, "b").await.unwrap();
    assert_eq!(account.client.cards(&customer.id).await.unwrap().len(), 1);

    for number in ["4000000000009995", "4000 0000 0000 0002"] {
        let intent = account.client.create_setup_intent(&customer.id).await.unwrap();
        let (_, method) = account.card(number).await;
        let fields = format!("payment_method={}", method["id"].as_str().unwrap());
        let (status, error) = account.post(&format!("/v1/setup_intents/{}/confirm", intent.id), &fields).await;
        assert_eq!((status, &error["error"]["setup_intent"]["status"]), (402, &json!("requires_payment_method")));
    }
}

#[tokio::test]
async fn a_bank_that_asks_gets_the_answer_of_the_card_holder() {
    for (agreed, status, ends) in [("true", 200, "succeeded"), ("false", 402, "requires_payment_method")] {
        let account = account().await;
        let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
        let intent = account.client.create_setup_intent(&customer.id).await.unwrap();
        let secret = intent.client_secret.unwrap();
        let (_, method) = account.card("4000002500003155").await;
        let fields = format!("client_secret={secret}&payment_method={}", method["id"].as_str().unwrap());
        let confirm = format!("/v1/setup_intents/{}/confirm", intent.id);
        let (_, waiting) = account.raw(PUBLISHABLE_KEY, "POST", &confirm, &fields, &[]).await;
        assert_eq!(waiting["status"], "requires_action");
        assert!(account.client.cards(&customer.id).await.unwrap().is_empty(), "not before the bank has the word");
        let path = format!("/authenticate/{}", intent.id);
        let (wrong, _) = account.raw(PUBLISHABLE_KEY, "POST", &path, "client_secret=guessed&agreed=true", &[]).await;
        assert_eq!(wrong, 400);
        let fields = format!("client_secret={secret}&agreed={agreed}");
        assert_eq!(account.raw(PUBLISHABLE_KEY, "POST", &path, &fields, &[]).await.0, status);
        let (_, now) = account.raw(&account.key, "GET", &format!("/v1/setup_intents/{}", intent.id), "", &[]).await;
        assert_eq!(now["status"], ends);
        assert_eq!(account.client.cards(&customer.id).await.unwrap().len(), usize::from(agreed == "true"));
    }
}

#[tokio::test]
async fn each_key_allows_only_its_own_calls() {
    let account = account().await;
    let (status, error) = account.raw("sk_live_somebody", "GET", "/v1/customers", "", &[]).await;
    assert_eq!((status, error["error"]["message"].as_str()), (401, Some("Invalid API Key provided.")));
    assert_eq!(account.raw(PUBLISHABLE_KEY, "GET", "/v1/customers", "", &[]).await.0, 403);
    assert!(account.key.starts_with("sk_test_sandbox_"));
    let intent = {
        let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
        account.client.create_setup_intent(&customer.id).await.unwrap()
    };
    let path = format!("/v1/setup_intents/{}", intent.id);
    assert_eq!(account.raw(PUBLISHABLE_KEY, "GET", &path, "", &[]).await.0, 400, "a browser needs the secret");
    let other = account.raw(&account.key, "GET", "/v1/customers", "", &[("stripe-version", "2020-08-27")]).await;
    assert_eq!(other.0, 400);
    assert_eq!(account.raw(&account.key, "GET", "/v1/refunds", "", &[]).await.0, 404);
}

#[tokio::test]
async fn unknown_fields_are_rejected_and_lists_and_expansions_work_like_at_stripe() {
    let account = account().await;
    let (status, error) = account.post("/v1/customers", "coupon=FREE").await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("parameter_unknown")));
    let (status, error) = account.post("/v1/customers", "email=nobody").await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("email_invalid")));
    for number in 0..3 {
        account.client.create_customer(&ORGANIZATION, &format!("key-{number}")).await.unwrap();
    }
    let (_, page) = account.raw(&account.key, "GET", "/v1/customers?limit=2", "", &[]).await;
    assert_eq!((page["data"].as_array().unwrap().len(), &page["has_more"]), (2, &json!(true)));
    let last = page["data"][1]["id"].as_str().unwrap();
    let (_, rest) = account.raw(&account.key, "GET", &format!("/v1/customers?starting_after={last}"), "", &[]).await;
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["has_more"]), (1, &json!(false)));
    let (_, intent) = account.post("/v1/setup_intents", &format!("customer={last}&expand[]=customer")).await;
    assert_eq!(intent["customer"]["id"], last);
    let (status, _) = account.post("/v1/setup_intents", "expand[]=nothing").await;
    assert_eq!(status, 400);
    let (_, none) = account.raw(&account.key, "GET", "/v1/customers?email=none@test.example", "", &[]).await;
    assert_eq!(none["data"], json!([]));
}

/// Race: Stripe did it, and the answer was lost. The same key gets the same answer.
#[tokio::test]
async fn a_lost_answer_is_repeated_and_nothing_happens_twice() {
    let account = account().await;
    account.fault(json!({"operation": "POST /v1/customers", "when": "after"})).await;
    let made = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
    let (_, all) = account.raw(&account.key, "GET", "/v1/customers", "", &[]).await;
    assert_eq!((all["data"].as_array().unwrap().len(), &all["data"][0]["id"]), (1, &json!(made.id)));

    account.fault(json!({"operation": "POST /v1/customers", "when": "before", "status": 503, "times": 2})).await;
    let error = account.client.create_customer(&ORGANIZATION, "other").await.unwrap_err();
    assert!(error.is_outcome_unknown() && matches!(error, Error::Api(_)));
    // A call without a key is not sent twice.
    account.fault(json!({"operation": "POST /v1/payment_methods/{payment_method}/detach", "when": "after"})).await;
    let card = account.client.attach("pm_card_visa", &made.id, "attach").await.unwrap();
    assert!(account.client.detach(&card.id).await.unwrap_err().is_outcome_unknown());
    assert_eq!(account.client.detach(&card.id).await.unwrap_err().api_error().unwrap().status, 400, "it had happened");
}

#[tokio::test]
async fn a_sandbox_starts_with_its_seed_and_continues_from_its_saved_state() {
    const CARDS: [SeedCard; 2] = [
        SeedCard { id: "pm_seedVisa", test_card: "pm_card_visa", exp_month: 4, exp_year: 2040, is_removed: false },
        SeedCard {
            id: "pm_seedMastercard",
            test_card: "pm_card_mastercard",
            exp_month: 5,
            exp_year: 2041,
            is_removed: false,
        },
    ];
    const SEED: [Seed; 1] =
        [Seed { id: "cus_seed", name: "Harbor", email: "a@test.example", cards: &CARDS, subscriptions: &[] }];
    assert_eq!((CARDS[0].last4(), CARDS[1].last4()), ("4242", "4444"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.json");
    {
        let account = account_of(Box::new(FileStore::at(file.clone())), &SEED).await;
        assert_eq!(account.client.cards("cus_seed").await.unwrap().len(), 2);
        let customer = account.client.customer("cus_seed").await.unwrap();
        assert_eq!(customer.invoice_settings.default_payment_method.as_deref(), Some("pm_seedVisa"));
        account.client.detach("pm_seedVisa").await.unwrap();
    }
    let account = account_of(Box::new(FileStore::at(file.clone())), &SEED).await;
    let left = account.client.cards("cus_seed").await.unwrap();
    assert_eq!(left.iter().map(|card| card.id.as_str()).collect::<Vec<_>>(), ["pm_seedMastercard"]);
    std::fs::write(&file, "{broken").unwrap();
    assert!(Sandbox::open(Box::new(FileStore::at(file)), &SEED).listen().await.is_err());
}

#[tokio::test]
async fn the_portal_shows_the_cards_and_does_what_is_asked_of_it() {
    let account = account().await;
    let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
    let first = account.client.attach("pm_card_visa", &customer.id, "a").await.unwrap();
    let second = account.client.attach("pm_card_mastercard", &customer.id, "b").await.unwrap();
    let session = account.client.open_portal(&customer.id, "https://berth.test.example/cards/o-1").await.unwrap();
    let path = session.url.strip_prefix("https://berth.test.example/dev/stripe").unwrap().to_owned();

    let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let page = async |language: &str| {
        let get = http.get(format!("{}{path}", account.address)).header("accept-language", language);
        get.send().await.unwrap().text().await.unwrap()
    };
    let english = page("en").await;
    for text in [
        "Test payments: no card is charged",
        "Harbor &amp; Söhne",
        "visa ending in 4242",
        "mastercard ending in 4444",
        "href=\"https://berth.test.example/cards/o-1\"",
    ] {
        assert!(english.contains(text), "{text} in {english}");
    }
    assert!(page("es-MX,es").await.contains("<html lang=\"es\">"));
    let send = async |body: String| {
        let post = http.post(format!("{}{path}", account.address)).body(body);
        post.send().await.unwrap().status().as_u16()
    };
    assert_eq!(send(format!("action=default&card={}", second.id)).await, 303);
    let now = account.client.customer(&customer.id).await.unwrap();
    assert_eq!(now.invoice_settings.default_payment_method, Some(second.id));
    assert_eq!(send(format!("action=remove&card={}", first.id)).await, 303);
    assert_eq!(send("action=email&email=new%40test.example".to_owned()).await, 303);
    assert_eq!(account.client.customer(&customer.id).await.unwrap().email.as_deref(), Some("new@test.example"));
    assert_eq!(account.client.cards(&customer.id).await.unwrap().len(), 1);
    assert_eq!(send(format!("action=remove&card={}", first.id)).await, 422, "it is not theirs any more");
    let foreign = http.get(format!("{}/portal/bps_guessed", account.address)).send().await.unwrap();
    assert_eq!(foreign.status().as_u16(), 404);
}

/// The judge rejects a wrong status, a missing field and an unknown field.
#[tokio::test]
async fn the_judge_finds_what_breaks_the_schema() {
    let account = account().await;
    let customer = account.client.create_customer(&ORGANIZATION, "key").await.unwrap();
    let (_, good) = account.raw(&account.key, "GET", &format!("/v1/customers/{}", customer.id), "", &[]).await;
    let get = "GET /v1/customers/{customer}";
    assert_eq!(Judge::answer(get, 200, &good), None);
    let with = |name: &str, value: Value| {
        let mut changed = good.clone();
        changed[name] = value;
        changed
    };
    let mut without = good.clone();
    without.as_object_mut().unwrap().remove("created");
    for wrong in [with("coupon", json!("FREE")), with("object", json!("guest")), with("livemode", json!("no")), without]
    {
        assert!(Judge::answer(get, 200, &wrong).is_some(), "{wrong}");
    }
    assert!(Judge::answer(get, 404, &good).is_some(), "an error has another form");
    let (_, list) = account.raw(&account.key, "GET", "/v1/customers", "", &[]).await;
    let mut no_rows = list.clone();
    no_rows.as_object_mut().unwrap().remove("data");
    assert!(Judge::answer("GET /v1/customers", 200, &no_rows).is_some());

    let create = "POST /v1/setup_intents";
    assert_eq!(Judge::fields(create, "form", "customer=cus_1&usage=off_session&payment_method_types[]=card"), None);
    for wrong in ["custumer=cus_1", "usage=sometimes", "payment_method_types=card", "confirm=perhaps"] {
        assert!(Judge::fields(create, "form", wrong).is_some(), "{wrong}");
    }
    assert!(Judge::fields("POST /v1/billing_portal/sessions", "form", "customer[id]=cus_1").is_some());
    assert!(Judge::fields("GET /v1/customers", "query", "limit=many").is_some());
}

#[tokio::test]
async fn a_violation_fails_the_call_that_caused_it() {
    let judge = Judge::default();
    let broken = axum::Router::new().route("/v1/customers/{id}", axum::routing::get(async || "{\"id\": \"cus_1\"}"));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = judge.wrap()(broken);
    tokio::spawn(async move { axum::serve(listener, router).await });
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::open(&address, "sk_test".to_owned().into()).unwrap();
    assert!(client.customer("cus_1").await.is_err());
    // Once for each attempt.
    assert_eq!(judge.verdict().len(), 2);
    assert_eq!(judge.seen(), ["GET /v1/customers/{customer} 200"; 2]);
}
