//! The demo's data: what DESIGN 9 promises, on both engines.

use berth_db::testing::Template;
use berth_demo::accounts::PASSWORD;
use berth_demo::demo;
use berth_domain::guest::GuestStatus;
use berth_domain::subscription::SubscriptionStatus;
use berth_server::App;
use serde_json::Value;

use crate::both_engines;
use crate::harness::House;
use crate::{images, invariants};

/// A new demo on the same engine, because the database of the other tests is not empty.
async fn filled(house: &House) -> House {
    static DEMO: Template = Template::new();
    let fill = async |app: &App| demo::fill(app).await.unwrap();
    House::copy_with(&DEMO, house.db().engine(), demo::CUSTOMERS, fill).await
}

/// Like [`filled`], but filled by this server itself, with the files of its pictures and the invoices of its card provider.
async fn filled_here(house: &House) -> House {
    let house = House::empty_with(house.db().engine(), demo::CUSTOMERS).await;
    demo::fill(&house.app).await.unwrap();
    house
}

/// The access token of a full sign-in to the demo, with the code from the outbox.
async fn sign_in(house: &House, email: &str) -> String {
    let fields = [("grant_type", "password"), ("username", email), ("password", PASSWORD)];
    let first = house.form("/connect/token", &fields).send().await.expect(200);
    let first = first["access_token"].as_str().unwrap();
    let ask = house.post("/api/Users/phone/challenge", serde_json::json!({})).by(first);
    assert_eq!(ask.send().await.status, 200);
    let (_, _, body) = house.outbox().await.into_iter().find(|(_, _, body)| body.contains("code")).unwrap();
    let code: String = body.chars().filter(char::is_ascii_digit).take(6).collect();
    let fields = [("grant_type", "two_factor_exchange"), ("pre_two_factor_token", first), ("otp", code.as_str())];
    let full = house.form("/connect/token", &fields).send().await.expect(200);
    full["access_token"].as_str().unwrap().to_owned()
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

both_engines! {
    async fn the_demo_has_the_promised_data(house: House) {
        let house = filled(&house).await;
        let commercial = count(&house, "SELECT COUNT(*) FROM organizations WHERE is_commercial").await;
        let free = count(&house, "SELECT COUNT(*) FROM organizations WHERE NOT is_commercial").await;
        assert_eq!((commercial, free, count(&house, "SELECT COUNT(*) FROM sites").await), (2, 2, 8));
        assert!((115..=125).contains(&count(&house, "SELECT COUNT(*) FROM beds").await));
        assert!((85..=95).contains(&count(&house, "SELECT COUNT(*) FROM guests").await));
        assert!(count(&house, "SELECT COUNT(*) FROM beds WHERE disabled").await >= 5);
        assert!(count(&house, "SELECT COUNT(*) FROM stays WHERE ended_at IS NOT NULL").await >= 20);
        assert_eq!(count(&house, "SELECT COUNT(DISTINCT kind) FROM beds").await, 3);
        let statuses: Vec<(String,)> =
            house.db().query("SELECT DISTINCT status FROM site_subscriptions ORDER BY status").all().await.unwrap();
        assert_eq!(statuses.len(), SubscriptionStatus::ALL.len() - 1, "every status but none, which has no row");
        invariants::hold(&house).await;
    }

    async fn every_guest_state_occurs_and_holds_differ(house: House) {
        let house = filled(&house).await;
        let token = sign_in(&house, "owner@demo.example").await;
        let sites = house.get("/api/Sites?search=Costa").by(&token).send().await.expect(200);
        let site = sites["items"][0]["id"].as_str().unwrap().to_owned();
        assert_eq!(sites["items"][0]["name"], "Harbor Light Costa Mesa");
        for status in GuestStatus::ALL {
            let path = format!("/api/Guests?siteId={site}&Status={status}&pageSize=100");
            let guests = house.get(&path).by(&token).send().await.expect(200);
            assert!(!guests["items"].as_array().unwrap().is_empty(), "{status}");
        }
        let path = format!("/api/Guests?siteId={site}&Status=pending&pageSize=100");
        let pending = house.get(&path).by(&token).send().await.expect(200);
        let pending = pending["items"].as_array().unwrap();
        let mut ends: Vec<&Value> = pending.iter().map(|guest| &guest["expiresAt"]).collect();
        ends.dedup();
        assert_eq!(ends.len(), pending.len(), "different remaining holds");
        let sources = |source: &str| pending.iter().filter(|guest| guest["source"] == source).count();
        assert!(sources("Web") > 1 && sources("Admin") == 1);
        let details = house.get(&format!("/api/Sites/{site}")).by(&token).send().await.expect(200);
        assert_eq!(details["subscription"]["status"], "active");
    }

    async fn the_demo_has_a_strict_site_with_a_waitlist_and_arrivals(house: House) {
        let house = filled(&house).await;
        let token = sign_in(&house, "admin@demo.example").await;
        let sites = house.get("/api/Sites?search=Open%20Door").by(&token).send().await.expect(200);
        let id = sites["items"][0]["id"].as_str().unwrap().to_owned();
        let site = house.get(&format!("/api/Sites/{id}")).by(&token).send().await.expect(200);
        assert_eq!((&site["strictPlacement"], &site["asksArrival"]), (&true.into(), &true.into()));
        let rooms = site["rooms"].as_array().unwrap();
        let rules: Vec<&Value> = rooms.iter().map(|room| &room["meantFor"]).collect();
        let (men, women) = (serde_json::json!(["gender-male"]), serde_json::json!(["gender-female"]));
        assert_eq!(rules, [&men, &men, &women, &serde_json::json!(["age-18-26", "age-under-18"])]);
        let beds = || rooms.iter().flat_map(|room| room["beds"].as_array().unwrap());
        for guest in beds().map(|bed| &bed["guest"]).filter(|guest| !guest.is_null()) {
            let id = guest["id"].as_str().unwrap();
            let guest = house.get(&format!("/api/Guests/{id}")).by(&token).send().await.expect(200);
            let room = rooms.iter().find(|room| room["id"] == guest["room"]["id"]).unwrap();
            let wanted = [format!("gender-{}", guest["gender"].as_str().unwrap().to_lowercase()), guest["age"]["id"].as_str().unwrap().to_owned()];
            let is_for = room["meantFor"].as_array().unwrap().iter().any(|rule| wanted.iter().any(|trait_| rule == trait_.as_str()));
            assert!(is_for, "{guest}");
        }
        assert!(rooms[2]["beds"].as_array().unwrap().iter().all(|bed| bed["isOccupied"] == true), "{}", rooms[2]);
        let today = house.get("/api/Today").by(&token).send().await.expect(200);
        assert_eq!(today["arriving"].as_array().unwrap().len(), 2, "{}", today["arriving"]);
        let waitlist = house.get(&format!("/api/Sites/{id}/waitlist")).by(&token).send().await.expect(200);
        let people = waitlist["items"].as_array().unwrap();
        let priorities: Vec<bool> = people.iter().map(|person| person["hasPriority"] == true).collect();
        assert_eq!(priorities, [true, false, false], "the person with a reason is asked first");

        // The first bed of the full house that becomes free is offered to the first of them, who can take it.
        let leaving = rooms[2]["beds"].as_array().unwrap().iter().find(|bed| bed["guest"]["isArriving"] == false).unwrap();
        let path = format!("/api/Guests/{}", leaving["guest"]["id"].as_str().unwrap());
        house.patch(&path, serde_json::json!({"status": "DISCHARGED"})).by(&token).send().await.expect(200);
        house.advance(11_000);
        berth_server::jobs::offers::run(&house.app).await.unwrap();
        let waitlist = house.get(&format!("/api/Sites/{id}/waitlist")).by(&token).send().await.expect(200);
        let offered = &waitlist["items"][0];
        assert_eq!(offered["offer"]["bedId"], leaving["id"], "{waitlist}");
        invariants::hold(&house).await;
    }

    async fn the_demo_has_one_pair_of_reservations_to_merge_and_one_that_is_merged(house: House) {
        const PAIRS: &str = "SELECT COUNT(*) FROM guests a JOIN guests b ON b.phone = a.phone AND b.email_key = a.email_key \
            AND b.first_name = a.first_name AND b.id > a.id";
        let house = filled(&house).await;
        assert_eq!(count(&house, PAIRS).await, 2);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM guests WHERE merged_at IS NOT NULL").await, 1);
        let token = sign_in(&house, "admin@demo.example").await;
        let (one, other): (uuid::Uuid, uuid::Uuid) = house.db().query("SELECT a.id, b.id FROM guests a JOIN guests b \
            ON b.phone = a.phone AND b.id <> a.id AND a.source = 'Web' AND b.source = 'Admin' AND a.merged_at IS NULL \
            AND b.merged_at IS NULL AND b.accepted_at IS NULL").one().await.unwrap();
        let earlier = house.get(&format!("/api/Guests/{one}/earlier")).by(&token).send().await.expect(200);
        assert_eq!(earlier["items"][0]["id"], other.to_string(), "{earlier}");
        let merge = serde_json::json!({"duplicateId": other});
        house.post(&format!("/api/Guests/{one}/merge"), merge).by(&token).send().await.expect(200);
        invariants::hold(&house).await;
    }

    async fn the_card_provider_knows_the_subscriptions_of_the_demo(house: House) {
        let house = filled(&house).await;
        let token = sign_in(&house, "owner@demo.example").await;
        let sites = house.get("/api/Sites?pageSize=100").by(&token).send().await.expect(200);
        let id_of = |name: &str| {
            let site = sites["items"].as_array().unwrap().iter().find(|site| site["name"] == name).unwrap();
            site["id"].as_str().unwrap().to_owned()
        };
        let (main, detox) = (id_of("Harbor Light Costa Mesa"), id_of("Harbor Light Anaheim Detox"));
        let organization = sites["items"][0]["organizationId"].as_str().unwrap();
        let path = format!("/api/Subscriptions/sites?organizationId={organization}");
        let summary = house.get(&path).by(&token).send().await.expect(200);
        for row in summary.as_array().unwrap() {
            assert!(row["totalInvoice"].is_number() && row["nextInvoiceDate"].is_string(), "{row}");
            assert_eq!(row["card"]["lastFourDigits"], "4242", "{row}");
        }

        let ids = serde_json::json!({"siteIds": [&main, &detox]});
        let billing = house.post("/api/Subscriptions/billing", ids).by(&token).send().await.expect(200);
        for site in billing.as_array().unwrap() {
            let items = site["items"].as_array().unwrap();
            assert!(items.len() >= 5, "{site}");
            let paid = items.iter().find(|item| item["status"] == "paid").unwrap();
            assert!(paid["hostedInvoiceUrl"].is_string() && paid["receiptUrl"].is_string(), "{paid}");
        }

        let of = |site: &str| serde_json::json!({"siteId": site});
        let restarted = house.post("/api/Subscriptions/restart", of(&detox)).by(&token).send().await.expect(200);
        assert_eq!((&restarted["status"], &restarted["isActive"]), (&"active".into(), &true.into()));
        let canceled = house.post("/api/Subscriptions/cancel", of(&main)).by(&token).send().await.expect(200);
        assert_eq!((&canceled["status"], &canceled["isActive"]), (&"canceled".into(), &true.into()));
    }

    async fn the_demos_subscriptions_match_the_card_provider(house: House) {
        const ROWS: &str = "SELECT stripe_id, status, latest_invoice FROM site_subscriptions ORDER BY stripe_id";
        let house = filled_here(&house).await;
        let client = house.app.payments.client().await.unwrap();
        let rows: Vec<(String, String, String)> = house.db().query(ROWS).all().await.unwrap();
        assert_eq!(rows.len(), 8);
        for (id, status, invoice) in rows {
            let known = client.subscription(&id).await.unwrap();
            assert_eq!((known.status.as_str(), known.latest_invoice_id()), (status.as_str(), Some(invoice.as_str())));
        }
    }

    async fn every_logo_and_every_site_cover_of_the_demo_is_served(house: House) {
        const LOGOS: &str = "SELECT o.logo_path FROM organizations o JOIN files f ON f.path = o.logo_path";
        const INSURERS: &str = "SELECT i.logo_path FROM insurance_companies i JOIN files f ON f.path = i.logo_path \
            WHERE f.prefix = 'ins_'";
        const PHOTOS: &str = "SELECT i.image_path FROM site_images i JOIN files f ON f.path = i.image_path \
            ORDER BY i.site_id, i.position";
        let house = filled_here(&house).await;
        let logos: Vec<(String,)> = house.db().query(LOGOS).all().await.unwrap();
        let photos: Vec<(String,)> = house.db().query(PHOTOS).all().await.unwrap();
        assert_eq!((logos.len(), photos.len()), (4, 24), "three photos of each site");
        let insurers: Vec<(String,)> = house.db().query(INSURERS).all().await.unwrap();
        assert_eq!(insurers.len(), 10, "each insurer has a logo, so that its name can be changed");
        assert_eq!(count(&house, "SELECT COUNT(DISTINCT sha256) FROM files").await, 38, "no two are the same");
        for (path,) in logos.iter().chain(&photos).chain(&insurers) {
            let whole = images::seen(&house, path).await;
            let small = images::seen(&house, &format!("{path}?size=thumb")).await;
            // A flat logo of 512 pixels takes more bytes at 480 pixels, because scaling blurs its edges.
            assert!(!small.is_empty() && (small.len() < whole.len() || path.contains("/org_") || path.contains("/ins_")), "{path}");
        }
        let token = sign_in(&house, "owner@demo.example").await;
        let sites = house.get("/api/Sites?search=Costa").by(&token).send().await.expect(200);
        let site = sites["items"][0]["id"].as_str().unwrap().to_owned();
        let details = house.get(&format!("/api/Sites/{site}")).by(&token).send().await.expect(200);
        let shown = details["images"].as_array().unwrap();
        assert_eq!(shown.len(), 3, "{details}");
    }

    async fn the_invited_user_has_an_email_with_a_working_link(house: House) {
        let house = filled(&house).await;
        let mails = house.outbox().await;
        let (_, to, body) = mails.iter().find(|(channel, ..)| channel == "email").unwrap();
        assert_eq!(to, "lena.ortiz@harborlight.example");
        let token = body.split_once("#access_token=").unwrap().1.split_whitespace().next().unwrap();
        let fields = [("grant_type", "invitation"), ("access_token", token)];
        house.form("/connect/token", &fields).send().await.expect(200);
    }

    async fn the_demo_is_filled_once_and_never_over_other_data(house: House) {
        let house = filled(&house).await;
        let guests = count(&house, "SELECT COUNT(*) FROM guests").await;
        demo::fill(&house.app).await.unwrap();
        assert_eq!(count(&house, "SELECT COUNT(*) FROM guests").await, guests);

        let mut tx = house.db().begin().await.unwrap();
        tx.query("DELETE FROM made_up_data").execute().await.unwrap();
        tx.commit().await.unwrap();
        let refusal = demo::fill(&house.app).await.unwrap_err().to_string();
        assert!(refusal.starts_with("the database holds data that is not the demo's"), "{refusal}");
    }

    async fn reservations_arrive_from_the_public_side_until_sites_are_about_full(house: House) {
        const FREE: &str = "SELECT (SELECT COUNT(*) FROM beds b WHERE NOT b.disabled AND NOT EXISTS \
            (SELECT 1 FROM stays s WHERE s.bed_id = b.id AND s.ended_at IS NULL)) - (SELECT COUNT(*) FROM guests \
            WHERE accepted_at IS NULL AND rejected_at IS NULL AND expired_at IS NULL \
            AND (expires_at IS NULL OR expires_at > $1))";
        let house = filled(&house).await;
        let mut arrived = 0;
        // A person drawn two or three times may be refused, which is neither a reservation nor a failure.
        for _ in 0..200 {
            match demo::send_reservation(&house.app, &house.router).await {
                Ok(Some(code)) => {
                    assert_eq!(code.len(), 6);
                    arrived += 1;
                }
                Ok(None) => break,
                Err(refusal) => assert!(refusal.to_string().starts_with("409"), "{refusal}"),
            }
            // Past the limit of one requester, and long before the first hold ends.
            house.advance(61_000);
        }
        assert!(arrived > 10, "{arrived} arrived");
        let free: i64 = house.db().query(FREE).bind(house.app.now()).scalar().await.unwrap();
        assert!(free >= 3, "{free} beds are left");
        invariants::hold(&house).await;
    }
}
