//! Owners get an email about what they must do for their subscriptions, once per event and never with a card number.

use berth_server::billing::subscriptions;
use berth_stripe::sandbox::catalog::{MONTHLY, YEARLY};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::card_steps::{card_of, control};
use crate::harness::{HOUR, House, MINUTE};
use crate::mail::{header, mails, send, settings};
use crate::mail_server::MailServer;
use crate::steps::DAY;
use crate::subscription_steps::{at_stripe, begin, behave, client, command, deliver, later, monthly, status};
use crate::{both_engines, world};

/// The emails with a link to Billing: recipient and text, oldest first.
async fn emails(house: &House) -> Vec<(String, String)> {
    let link = format!("http://localhost:8080/payment-details/{}", world::HARBOR);
    let messages = house.outbox().await.into_iter().rev();
    messages.filter(|(_, _, body)| body.contains(&link)).map(|(_, to, body)| (to, body)).collect()
}

/// The beginning of the only email, after checking who got it and that it contains no digits of a card.
async fn the_only_email(house: &House) -> String {
    let emails = emails(house).await;
    let [(to, body)] = &emails[..] else { panic!("{emails:?}") };
    assert_eq!(to, "owner@test.example");
    for digits in ["4242", "4444"] {
        assert!(!body.replace(&world::HARBOR.to_string(), "").contains(digits), "{body}");
    }
    body.split("\n\n").next().unwrap().to_owned()
}

/// Runs the job until it has nothing left to do.
async fn settle(house: &House) {
    for _ in 0..5 {
        subscriptions::run(&house.app).await.unwrap();
    }
}

/// A subscription whose renewal failed.
async fn overdue(house: &House) -> String {
    begin(house).await;
    monthly(house).send().await.expect(201);
    settle(house).await;
    behave(house, "pm_harbor0", "DeclinesCharges").await;
    later(house, 32 * DAY).await;
    at_stripe(house).await.remove(0).id
}

/// Sets the last month of the default card in our row.
async fn valid_through(house: &House, month: i64, year: i64) {
    const CARD: &str = "UPDATE saved_cards SET expiry_month = $2, expiry_year = $3 WHERE id = $1";
    let mut tx = house.db().begin().await.unwrap();
    let card = tx.query(CARD).bind(card_of(world::HARBOR, 0)).bind(month).bind(year);
    assert_eq!(card.execute().await.unwrap(), 1);
    tx.commit().await.unwrap();
}

/// Takes a price out of the catalog of the sandbox, or puts it back.
async fn offer(house: &House, price: &str, active: bool) {
    let (address, key) = house.app.payments.sandbox_address().await.unwrap().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let call = http.post(format!("{address}/v1/prices/{price}")).bearer_auth(key.expose_secret());
    let call = call.form(&[("active", if active { "true" } else { "false" })]);
    assert_eq!(call.send().await.unwrap().status().as_u16(), 200);
}

both_engines! {
    async fn a_failed_renewal_is_reported_once_however_often_stripe_sends_it(house: House) {
        let id = overdue(&house).await;
        assert_eq!(emails(&house).await, []);
        for number in 0..3 {
            deliver(&house, &format!("evt_{number}"), "customer.subscription.updated", &id).await.expect(200);
            settle(&house).await;
        }
        assert_eq!(the_only_email(&house).await, "The payment for the subscription of Harbor House failed. Until it is paid, \
            reservations from the public search cannot be accepted there. Check the card, then restart the subscription.");
        command(&house, "restart").send().await.expect(409);
        settle(&house).await;
        assert_eq!(emails(&house).await.len(), 1, "a restart that fails is shown on the screen");
    }

    async fn a_failed_first_payment_is_reported_once_after_ten_minutes(house: House) {
        begin(&house).await;
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        assert_eq!(monthly(&house).send().await.expect(201)["status"], "incomplete");
        later(&house, 10 * MINUTE - 1).await;
        settle(&house).await;
        assert_eq!(emails(&house).await, [], "the paying owner sees it on the screen");
        later(&house, 1).await;
        assert!(subscriptions::is_due(&house.app).await.unwrap());
        settle(&house).await;
        assert_eq!(the_only_email(&house).await, "The first payment for the subscription of Harbor House failed, so the \
            subscription has not started. Reservations from the public search cannot be accepted there. Check the card, then \
            restart the subscription.");
        command(&house, "restart").send().await.expect(409);
        later(&house, HOUR).await;
        settle(&house).await;
        assert_eq!(emails(&house).await.len(), 1);
    }

    async fn a_first_payment_whose_event_was_lost_is_not_reported(house: House) {
        begin(&house).await;
        behave(&house, "pm_harbor0", "DeclinesCharges").await;
        monthly(&house).send().await.expect(201);
        control(&house, "webhooks", json!({"url": ""})).await;
        behave(&house, "pm_harbor0", "Works").await;
        let invoice = at_stripe(&house).await.remove(0).latest_invoice.unwrap().id().to_owned();
        client(&house).await.pay_invoice(&invoice, "paid-at-stripe").await.unwrap();
        later(&house, 10 * MINUTE).await;
        settle(&house).await;
        assert_eq!(status(&house).await["status"], "active");
        assert_eq!(emails(&house).await, []);
    }

    async fn a_subscription_that_stripe_gives_up_on_gets_its_own_email(house: House) {
        let id = overdue(&house).await;
        deliver(&house, "evt_late", "customer.subscription.updated", &id).await.expect(200);
        settle(&house).await;
        assert_eq!(emails(&house).await.len(), 1);
        later(&house, 25 * DAY).await;
        deliver(&house, "evt_over", "customer.subscription.updated", &id).await.expect(200);
        settle(&house).await;
        let emails = emails(&house).await;
        assert_eq!(emails.len(), 2, "{emails:?}");
        assert!(emails[1].1.starts_with("The subscription of Harbor House is suspended"), "{emails:?}");
    }

    async fn a_card_in_its_last_month_is_reported_once_and_a_renewed_one_when_it_expires(house: House) {
        begin(&house).await;
        // Tests begin in March 2026.
        valid_through(&house, 4, 2026).await;
        settle(&house).await;
        assert_eq!(emails(&house).await, [], "no subscription is paid with it, and it is valid for another month");
        valid_through(&house, 3, 2026).await;
        assert!(!subscriptions::is_due(&house.app).await.unwrap(), "no subscription is paid with it");
        monthly(&house).send().await.expect(201);
        assert!(subscriptions::is_due(&house.app).await.unwrap());
        settle(&house).await;
        settle(&house).await;
        assert_eq!(the_only_email(&house).await, "The card that pays for your subscriptions is valid through 3/26. Add another \
            card and make it the default, so that the next payment does not fail.");
        valid_through(&house, 4, 2026).await;
        settle(&house).await;
        assert_eq!(emails(&house).await.len(), 1);
        later(&house, 31 * DAY).await;
        settle(&house).await;
        assert_eq!(emails(&house).await.len(), 2);
    }

    async fn an_archived_plan_is_reported_to_its_paying_owners(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        settle(&house).await;
        for (number, price, active) in [(0, YEARLY, false), (1, MONTHLY, false), (2, MONTHLY, true), (3, MONTHLY, false)] {
            offer(&house, price, active).await;
            deliver(&house, &format!("evt_{number}"), "price.updated", price).await.expect(200);
            settle(&house).await;
            assert_eq!(emails(&house).await.len(), usize::from(number > 0), "after {price} {active}");
        }
        assert!(the_only_email(&house).await.starts_with("The plan of the subscription of Harbor House is no longer offered."));
    }

    /// Race: two nodes read the same failure.
    async fn two_nodes_at_once_send_one_email(house: House) {
        let id = overdue(&house).await;
        deliver(&house, "evt_race", "customer.subscription.updated", &id).await.expect(200);
        let jobs = (0..2).map(|_| {
            let app = house.app.clone();
            tokio::spawn(async move { subscriptions::run(&app).await })
        });
        for job in jobs.collect::<Vec<_>>() {
            job.await.unwrap().unwrap();
        }
        assert_eq!(emails(&house).await.len(), 1);
    }

    /// The email as the SMTP judge receives it, in Spanish. A line end in a site's name adds no header.
    async fn an_owner_who_reads_spanish_gets_spanish_text_and_html(house: House) {
        const SPANISH: &str = "UPDATE users SET language = 'es' WHERE email = 'owner@test.example'";
        const NAME: &str = "UPDATE sites SET name = $2 WHERE id = $1";
        const DUE: &str = "UPDATE outbox SET due_at = 0";
        let server = MailServer::start("starttls");
        let id = overdue(&house).await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query(SPANISH).execute().await.unwrap();
        tx.query(NAME).bind(world::HARBOR_HOUSE).bind("Casa Ñandú\r\nBcc: all@test.example").execute().await.unwrap();
        tx.commit().await.unwrap();
        deliver(&house, "evt_mail", "customer.subscription.updated", &id).await.expect(200);
        settle(&house).await;
        assert_eq!(emails(&house).await.len(), 1);
        // The judge's node has its own clock, which is behind.
        let mut tx = house.db().begin().await.unwrap();
        tx.query(DUE).execute().await.unwrap();
        tx.commit().await.unwrap();
        send(&house, &settings(&server, "right")).await;
        let events = server.events();
        let [mail] = mails(&events)[..] else { panic!("{events:?}") };
        assert_eq!(mail["recipients"], json!(["owner@test.example"]));
        assert_eq!(header(mail, "Subject"), ["Pago fallido: Casa Ñandú Bcc: all@ test. example"]);
        assert!(header(mail, "Bcc").is_empty(), "{mail}");
        assert_eq!((&mail["kind"], &mail["defects"]), (&json!("multipart/alternative"), &json!([])));
        let html = mail["html"].as_str().unwrap();
        assert!(html.contains("<html lang=\"es\">") && html.contains(">Abrir facturación</a>"), "{html}");
    }
}
