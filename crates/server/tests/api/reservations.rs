//! The public side: what people without an account find, reserve and are shown (DESIGN 3, 6).

use std::net::Ipv4Addr;

use berth_domain::id::SiteId;
use berth_server::jobs::cleanup;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::both_engines;
use crate::harness::{Answer, Ask, HOUR, House, MINUTE};
use crate::steps::{Asked, add, ask_for, code_of, command, form, id, newest_text, phone, place, reserve, sorted_trail};
use crate::{invariants, world};

/// The sentence of a refused confirmation.
const REFUSED: &str = "This reservation cannot be made: either this site has no free beds left, or this phone already has two active \
    reservations. We sent you a text message with the reason. Please choose another site or call this one.";
const WRONG_CODE: [&str; 1] = ["/otp: Invalid confirmation code."];

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

async fn available(house: &House, site: SiteId) -> i64 {
    let site = house.get(&format!("/api/public/sites/{site}")).send().await.expect(200);
    site["availableBeds"].as_i64().unwrap()
}

/// A request for the `number`-th person from this address.
fn ask_from(house: &House, address: Ipv4Addr, site: SiteId, number: usize) -> Ask {
    house.post("/api/public/reservations", form(site, number)).from(address)
}

/// An answer without ids and times.
fn shape(answer: &Answer) -> (u16, Vec<String>, Vec<String>) {
    let mut headers: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
    headers.sort_unstable();
    let body = answer.json();
    let body = body.as_object().unwrap().iter();
    let fields = body.map(|(name, value)| format!("{name}: {} characters", value.as_str().unwrap().len()));
    (answer.status, headers, fields.collect())
}

async fn hide(house: &House, text: &'static str) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query(text).execute().await.unwrap();
    tx.commit().await.unwrap();
}

both_engines! {
    async fn sites_are_found_by_name_and_city(house: House) {
        let names = async |search: &str| {
            let list = house.get(&format!("/api/public/sites?search={search}")).send().await.expect(200);
            let names: Vec<String> = list["items"].as_array().unwrap().iter()
                .map(|site| site["name"].as_str().unwrap().to_owned()).collect();
            assert_eq!(list["totalCount"], names.len());
            names
        };
        assert_eq!(names("").await, ["Harbor House", "Open Door"]);
        assert_eq!(names("HARBOR").await, ["Harbor House"]);
        assert_eq!(names("orange").await, ["Open Door"]);
        assert_eq!(names("%25").await, Vec::<String>::new());
        assert_eq!(names("desert").await, Vec::<String>::new(), "its organization is hidden");
        let page = house.get("/api/public/sites?page=2&pageSize=1").send().await.expect(200);
        assert_eq!(page["items"][0]["name"], "Open Door");
    }

    async fn sites_are_found_by_what_they_offer(house: House) {
        const CHANGES: [&str; 6] = [
            "DELETE FROM site_services WHERE service_id LIKE 'age-%' OR service_id LIKE 'gender-%'",
            "INSERT INTO site_services (site_id, service_id) SELECT id, 'age-18-26' FROM sites WHERE name_key = 'harbor house'",
            "INSERT INTO site_services (site_id, service_id) SELECT id, 'gender-female' FROM sites WHERE name_key = 'open door'",
            "INSERT INTO site_languages (site_id, language_id) SELECT id, 'vi' FROM sites WHERE name_key = 'open door'",
            "DELETE FROM site_payment_options",
            "INSERT INTO site_payment_options (site_id, option_id) SELECT id, 'moc' FROM sites WHERE name_key = 'open door'",
        ];
        for text in CHANGES {
            hide(&house, text).await;
        }
        let names = async |query: &str| {
            let list = house.get(&format!("/api/public/sites?{query}")).send().await.expect(200);
            let names: Vec<String> = list["items"].as_array().unwrap().iter()
                .map(|site| site["name"].as_str().unwrap().to_owned()).collect();
            assert_eq!(list["totalCount"], names.len(), "{query}");
            names.join(", ")
        };
        let both = "Harbor House, Open Door";
        for (query, found) in [
            ("age=age-18-26", both), ("age=age-over-27", "Open Door"), ("age=", both),
            ("gender=Female", both), ("gender=Male", "Harbor House"), ("gender=Other", "Harbor House"),
            ("language=vi", "Open Door"), ("language=xx", ""),
            ("bedType=Detox", "Harbor House"), ("bedType=Sober%20Living", both),
            ("payer=PrivatePay", "Harbor House"), ("payer=MediCal", both), ("payer=SlidingScale", ""),
            ("payer=Insurance", ""),
            ("payer=MediCal&gender=Male&search=long%20beach&age=age-18-26&language=en&available=true", "Harbor House"),
        ] {
            assert_eq!(names(query).await, found, "{query}");
        }
        crate::steps::link_insurer(&house).await;
        assert_eq!(names("payer=Insurance").await, "Harbor House", "only sites with an insurer to choose");
        let wrong = house.get("/api/public/sites?age=old").send().await;
        assert_eq!(wrong.field_errors(), ["/age: This value cannot be used here."]);
        // Full sites are left out only on request; a requested bed type must be vacant.
        reserve(&house, world::OPEN_DOOR, 1).await;
        assert_eq!(names("available=true").await, both);
        reserve(&house, world::OPEN_DOOR, 2).await;
        assert_eq!((names("available=true").await.as_str(), names("").await.as_str()), ("Harbor House", both));
        place(&house, world::HARBOR_HOUSE, 3, world::BED_A).await;
        assert_eq!(names("bedType=Detox").await, "");
    }

    async fn the_number_of_free_beds_comes_with_its_time(house: House) {
        house.advance(MINUTE);
        let list = house.get("/api/public/sites").send().await.expect(200);
        assert_eq!(list["items"][0]["asOf"], "2026-03-02T18:01:00.000Z");
    }

    async fn a_site_shows_the_public_information_and_no_more(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        add(&house, world::HARBOR_HOUSE, 2).await;
        let site = house.get(&format!("/api/public/sites/{}", world::HARBOR_HOUSE)).send().await.expect(200);
        assert_eq!(site, json!({
            "id": world::HARBOR_HOUSE, "name": "Harbor House", "alias": null,
            "description": "A calm house near the water with a kitchen, a garden \
                and people who have been where you are now.",
            "address": "12 Pier Avenue, Long Beach, CA 90802", "isCommercial": true, "coverImage": null,
            "services": [
                {"id": "drug-treatment", "name": "Drug treatment", "category": "General", "type": "DRUG_TREATMENT"},
                {"id": "mental-health", "name": "Mental health", "category": "Disability", "type": "MENTAL_HEALTH"},
            ],
            "languages": [{"id": "en", "name": "English"}],
            // Five beds: one disabled, one taken, one held by a pending reservation.
            "availableBeds": 2, "asOf": "2026-03-02T18:00:00.000Z", "bedTypes": ["Detox", "Treatment", "Sober Living"], "holdHours": 24,
            "contactPhone": "+17145550100",
            // Without insurers, the site accepts no insurance.
            "paymentMethods": [
                {"id": 1, "name": "Private pay", "category": "PrivatePay"},
                {"id": 3, "name": "Medicaid or No Insurance", "category": "MediCal"},
            ],
            "insuranceCompanies": [], "paymentOptions": [], "choices": site["choices"],
        }));
        // A site serves everything in a category from which it has chosen nothing.
        let choices = |category: &str| site["choices"].as_array().unwrap().iter()
            .filter(|choice| choice["category"] == category).map(|choice| choice["id"].as_str().unwrap()).collect::<Vec<_>>();
        assert_eq!((choices("General"), choices("Disability")), (vec!["drug-treatment"], vec!["mental-health"]));
        assert_eq!((choices("Age").len(), choices("Gender").len(), choices("Client").len()), (3, 3, 5));
    }

    async fn hidden_sites_are_not_found(house: House) {
        let site = |id| house.get(&format!("/api/public/sites/{id}"));
        site(world::FAR_AWAY).send().await.expect(404);
        let far = house.post("/api/public/reservations", form(world::FAR_AWAY, 1)).send().await;
        far.expect(404);
        hide(&house, "UPDATE sites SET is_disabled = TRUE WHERE name_key = 'harbor house'").await;
        site(world::HARBOR_HOUSE).send().await.expect(404);
        house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 1)).send().await.expect(404);
        hide(&house, "UPDATE sites SET deleted_at = 1 WHERE name_key = 'open door'").await;
        let list = house.get("/api/public/sites").send().await.expect(200);
        assert_eq!(list["totalCount"], 0);
    }

    async fn a_request_creates_no_guest_holds_no_bed_and_sends_no_event(house: House) {
        let before = available(&house, world::HARBOR_HOUSE).await;
        let answer = house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 1)).send().await.expect(202);
        assert_eq!(answer["codeExpiresAt"], "2026-03-02T18:10:00.000Z");
        assert_eq!(answer.as_object().unwrap().len(), 2, "{answer}");
        let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
        let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
        assert_eq!((list["totalCount"].as_i64(), available(&house, world::HARBOR_HOUSE).await), (Some(0), before));
        assert_eq!(count(&house, "SELECT COUNT(*) FROM guests").await, 0);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM sites WHERE version > 1").await, 0, "no board gets an event");
        let outbox = house.outbox().await;
        assert_eq!(outbox.len(), 1, "only the code: {outbox:?}");
        assert_eq!((outbox[0].0.as_str(), outbox[0].1.as_str()), ("sms", phone(1).as_str()));
        let code = code_of(&outbox[0].2);
        assert_eq!(outbox[0].2, format!("{code} is your Berth code for a reservation. It is valid for 10 minutes. If you \
            did not ask for it, ignore this text and do not share the code with anyone."));
    }

    async fn the_answer_to_a_request_does_not_depend_on_the_phone(house: House) {
        let ask = |number| house.post("/api/public/reservations", form(world::HARBOR_HOUSE, number)).send();
        let stranger = ask(1).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        reserve(&house, world::OPEN_DOOR, 2).await;
        let at_the_limit = ask(2).await;
        let out_of_codes = ask(2).await;
        let texts = house.outbox().await.into_iter().filter(|(channel, to, _)| channel == "sms" && *to == phone(2));
        assert_eq!(texts.count(), 3, "the fourth code within an hour is not sent");
        for answer in [&at_the_limit, &out_of_codes] {
            assert_eq!(shape(answer), shape(&stranger));
        }
        assert_eq!(stranger.status, 202);
        // Where no code was sent, no code is right.
        let silent = Asked { id: id(&out_of_codes.json()), otp: code_of(&newest_text(&house, &phone(2)).await) };
        for otp in [silent.otp.as_str(), "", "000000"] {
            assert_eq!(silent.with(&house, otp).send().await.field_errors(), WRONG_CODE);
        }
    }

    async fn a_reservation_is_held_for_the_screening_period_and_returns_only_its_code(house: House) {
        let mut sent = form(world::HARBOR_HOUSE, 1);
        sent["source"] = json!("Admin");
        let asked = id(&house.post("/api/public/reservations", sent).send().await.expect(202));
        let asked = Asked { id: asked, otp: code_of(&newest_text(&house, &phone(1)).await) };
        house.advance(5 * MINUTE);
        let answer = asked.confirm(&house).send().await.expect(201);
        let code = answer["code"].as_str().unwrap().to_owned();
        assert_eq!(answer, json!({"code": code, "siteName": "Harbor House", "createdAt": "2026-03-02T18:05:00.000Z",
            "expiresAt": "2026-03-03T18:05:00.000Z", "cardsUntil": "2026-03-02T18:35:00.000Z"}));
        let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
        let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
        let guest = &list["items"][0];
        assert_eq!((&guest["code"], &guest["source"]), (&json!(code), &json!("Web")));
        assert_eq!(guest["status"], "pending");
        assert_eq!(guest["expiresAt"], answer["expiresAt"], "the hold starts with the confirmation");
        assert_eq!(sorted_trail(&house).await, ["guest.created", "guests.listed"]);
        assert_eq!(asked.confirm(&house).send().await.field_errors(), WRONG_CODE, "once");
    }

    async fn a_code_allows_five_attempts_in_ten_minutes(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        for _ in 0..4 {
            assert_eq!(asked.with(&house, asked.wrong()).send().await.field_errors(), WRONG_CODE);
        }
        let spaced = format!("{} {}", &asked.otp[..3], &asked.otp[3..]);
        asked.with(&house, &spaced).send().await.expect(201);

        let asked = ask_for(&house, world::HARBOR_HOUSE, 2).await;
        for _ in 0..5 {
            asked.with(&house, asked.wrong()).send().await.expect(422);
        }
        assert_eq!(asked.confirm(&house).send().await.field_errors(), WRONG_CODE);

        let asked = ask_for(&house, world::HARBOR_HOUSE, 3).await;
        house.advance(10 * MINUTE - 1);
        asked.with(&house, "").send().await.expect(422);
        house.advance(1);
        assert_eq!(asked.confirm(&house).send().await.field_errors(), WRONG_CODE);
        let nobody = Asked { id: "01900000-0000-7000-8000-00000000ffff".to_owned(), otp: "123456".to_owned() };
        assert_eq!(nobody.confirm(&house).send().await.field_errors(), WRONG_CODE);
        Asked { id: "none".to_owned(), ..nobody }.confirm(&house).send().await.expect(404);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM guests").await, 1);
    }

    async fn one_code_does_not_confirm_another_request(house: House) {
        let (one, other) = (ask_for(&house, world::HARBOR_HOUSE, 1).await, ask_for(&house, world::HARBOR_HOUSE, 2).await);
        assert_ne!(one.otp, other.otp);
        assert_eq!(one.with(&house, &other.otp).send().await.field_errors(), WRONG_CODE);
        one.confirm(&house).send().await.expect(201);
    }

    async fn neither_the_id_nor_the_code_of_a_request_is_in_the_database(house: House) {
        const ROWS: &str = "SELECT hash, form, code_hash, language, network FROM reservation_requests";
        type Row = (String, String, String, String, String);
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        let rows: Vec<Row> = house.db().query(ROWS).all().await.unwrap();
        let text = format!("{rows:?}");
        assert!(!text.contains(&asked.id) && !text.contains(&asked.otp), "{text}");
        asked.confirm(&house).send().await.expect(201);
        let rows: Vec<Row> = house.db().query(ROWS).all().await.unwrap();
        assert_eq!(rows[0].1, "", "the form has moved to the guest");
    }

    async fn an_unconfirmed_request_leaves_nothing_behind(house: House) {
        ask_for(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(10 * MINUTE);
        cleanup::run(&house.app).await.unwrap();
        assert_eq!(count(&house, "SELECT COUNT(*) FROM reservation_requests").await, 0);
    }

    async fn public_texts_are_in_the_language_of_the_browser(house: House) {
        for (number, language, begin) in [(1, "es-MX,es;q=0.9,en;q=0.8", " es su código"), (2, "de, en;q=0.5", " is your"),
            (3, "en;q=0.4, es;q=0.6", " es su código"), (4, "", " is your")] {
            let ask = house.post("/api/public/reservations", form(world::HARBOR_HOUSE, number));
            ask.header("accept-language", language).send().await.expect(202);
            let text = newest_text(&house, &phone(number)).await;
            assert!(text[6..].starts_with(begin), "{language}: {text}");
        }
    }

    async fn subscribed_users_get_a_code_and_a_link_and_nothing_else(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        let answer = asked.confirm(&house).send().await.expect(201);
        let code = answer["code"].as_str().unwrap();
        let link = format!("http://localhost:8080/reservations/{}", world::HARBOR_HOUSE);
        let outbox: Vec<_> = house.outbox().await.into_iter().filter(|(_, to, _)| *to != phone(1)).collect();
        let mut to: Vec<(&str, &str)> = outbox.iter().map(|(channel, to, _)| (channel.as_str(), to.as_str())).collect();
        to.sort_unstable();
        assert_eq!(to, [("email", "intake@test.example"), ("sms", "+17145550165")]);
        for (_, _, body) in &outbox {
            assert!(body.contains(code) && body.contains(&link), "{body}");
            for secret in ["Person", "555000", "guests.example", "Drug", "Mental", "Harbor", "Detox"] {
                assert!(!body.contains(secret), "{body} contains {secret}");
            }
        }
    }

    async fn owners_are_notified_too_but_nobody_of_other_places(house: House) {
        hide(&house, "UPDATE memberships SET receive_reservation_texts = TRUE").await;
        hide(&house, "UPDATE memberships SET status = 'Disabled' WHERE role = 'Admin'").await;
        hide(&house, "UPDATE users SET phone = NULL WHERE email_key = 'staff@test.example'").await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let mut to: Vec<String> = house.outbox().await.into_iter().map(|(_, to, _)| to).collect();
        to.retain(|to| *to != phone(1));
        to.sort_unstable();
        assert_eq!(to,
            ["+17145550161", "+17145550165", "intake@test.example", "owner@test.example", "staff@test.example"]);
    }

    async fn a_guest_added_by_hand_sends_no_message(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(house.outbox().await, []);
    }

    async fn refused_confirmations_look_the_same_and_the_phone_gets_the_reason(house: House) {
        let third = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        let last = ask_for(&house, world::HARBOR_HOUSE, 2).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let two = third.confirm(&house).send().await;
        assert_eq!(newest_text(&house, &phone(1)).await, "Berth: A reservation for this phone number was not made, because \
            it already has two active reservations, the most one person may have.");
        add(&house, world::HARBOR_HOUSE, 3).await;
        add(&house, world::HARBOR_HOUSE, 4).await;
        let full = last.confirm(&house).send().await;
        assert_eq!(newest_text(&house, &phone(2)).await, "Berth: Your reservation was not made, because the site has no \
            free beds left. Please choose another site.");
        for refused in [&two, &full] {
            assert_eq!(refused.refusal(409), REFUSED);
            assert_eq!(refused.json()["code"], "not-available");
            assert_eq!(refused.json().get("guest"), None::<&Value>);
        }
        assert_eq!(two.text.len(), full.text.len(), "the same except for the request id");
        // A retry gets the same answer, but the text is sent once.
        let texts = house.outbox().await.len();
        assert_eq!(third.confirm(&house).send().await.refusal(409), REFUSED);
        assert_eq!(house.outbox().await.len(), texts);
        invariants::hold(&house).await;
    }

    async fn a_refused_confirmation_succeeds_once_there_is_a_vacant_bed(house: House) {
        let asked = ask_for(&house, world::OPEN_DOOR, 1).await;
        let other = add(&house, world::OPEN_DOOR, 2).await;
        add(&house, world::OPEN_DOOR, 3).await;
        asked.confirm(&house).send().await.expect(409);
        command(&house, &id(&other), "REJECTED", None).send().await.expect(200);
        asked.confirm(&house).send().await.expect(201);
        invariants::hold(&house).await;
    }

    async fn a_full_site_is_reported_before_a_code_is_sent(house: House) {
        add(&house, world::OPEN_DOOR, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        let full = house.post("/api/public/reservations", form(world::OPEN_DOOR, 3)).send().await;
        assert_eq!(full.refusal(409),
            "This site has no free beds left. Please choose another site or call this one.");
        assert_eq!((full.json()["code"].as_str(), house.outbox().await.len()), (Some("site-full"), 0));
    }

    async fn an_unverified_email_reveals_nothing_and_blocks_nobody(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::OPEN_DOOR, 1).await;
        // Another phone with the victim's email: two reservations, as for any phone.
        for _ in 0..2 {
            let mut probe = form(world::HARBOR_HOUSE, 2);
            probe["email"] = form(world::HARBOR_HOUSE, 1)["email"].clone();
            let asked = id(&house.post("/api/public/reservations", probe).send().await.expect(202));
            let otp = code_of(&newest_text(&house, &phone(2)).await);
            Asked { id: asked, otp }.confirm(&house).send().await.expect(201);
        }
        // They do not block the victim from being added by staff either.
        let mut victim = form(world::HARBOR_HOUSE, 3);
        victim["email"] = form(world::HARBOR_HOUSE, 1)["email"].clone();
        house.post("/api/Guests", victim).by(world::INTAKE).send().await.expect(201);
        invariants::hold(&house).await;
    }

    async fn guests_added_by_staff_do_not_block_the_owner_of_their_phone(house: House) {
        for _ in 0..2 {
            add(&house, world::HARBOR_HOUSE, 1).await;
        }
        reserve(&house, world::OPEN_DOOR, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let third = ask_for(&house, world::OPEN_DOOR, 1).await.confirm(&house).send().await;
        assert_eq!(third.refusal(409), REFUSED, "two that the phone has proved");
        invariants::hold(&house).await;
    }

    async fn person_locks_are_keyed_hashes(house: House) {
        const LOCKS: &str = "SELECT person FROM person_locks";
        add(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        let locks: Vec<(String,)> = house.db().query(LOCKS).all().await.unwrap();
        assert_eq!(locks.len(), 3, "phone and email of one, phone of the other");
        let plain = |text: &str| hex::encode(Sha256::digest(text));
        for known in [format!("phone:{}", phone(1)), format!("phone:{}", phone(2)), "email:person1@guests.example".into()] {
            assert!(!locks.contains(&(plain(&known),)), "{known}: it could be found by trying all phones");
        }
    }

    async fn the_public_form_has_the_same_checks_as_the_staff_form(house: House) {
        let empty = json!({"siteId": world::OPEN_DOOR});
        let errors = house.post("/api/public/reservations", empty).send().await.field_errors();
        assert_eq!(errors.len(), 7, "{errors:?}");
        let errors = house.post("/api/public/reservations", json!({})).send().await.field_errors();
        assert_eq!(errors, ["/siteId: Required field."]);
    }

    async fn reservation_codes_are_sent_to_personal_numbers_only(house: House) {
        for service in ["800-555-0134", "500-555-0134", "876-555-0134"] {
            let mut sent = form(world::OPEN_DOOR, 1);
            sent["phone"] = json!(service);
            let refused = house.post("/api/public/reservations", sent.clone()).send().await.field_errors();
            assert_eq!(refused, ["/phone: Codes cannot be sent to this number. Please enter a mobile number."], "{service}");
            // Staff may enter any number that they are given.
            house.post("/api/Guests", sent).by(world::INTAKE).send().await;
        }
        assert!(house.outbox().await.is_empty());
    }

    async fn thirty_requests_of_an_address_may_be_unconfirmed(house: House) {
        let empty = || house.post("/api/public/reservations", json!({"siteId": world::OPEN_DOOR})).send();
        let keyed = || {
            house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 1)).header("idempotency-key", "again").send()
        };
        for _ in 0..20 {
            empty().await.expect(422);
            keyed().await.expect(202);
        }
        for number in 2..=30 {
            ask_for(&house, world::HARBOR_HOUSE, number).await;
        }
        let one_more = house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 31)).send().await;
        assert_eq!(one_more.refusal(429), "Too many attempts. Please wait 600 seconds and try again.");
        assert_eq!(one_more.header("retry-after"), "600");
        ask_from(&house, Ipv4Addr::new(203, 0, 113, 9), world::HARBOR_HOUSE, 31).send().await.expect(202);
        house.advance(10 * MINUTE);
        ask_for(&house, world::HARBOR_HOUSE, 32).await;
    }

    async fn a_confirmed_request_no_longer_counts_as_unconfirmed(house: House) {
        for number in 1..=4 {
            ask_for(&house, world::HARBOR_HOUSE, number).await.confirm(&house).send().await.expect(201);
        }
        let declined: Value = house.get(&format!("/api/Guests?siteId={}", world::HARBOR_HOUSE)).by(world::INTAKE)
            .send().await.expect(200);
        for guest in declined["items"].as_array().unwrap() {
            command(&house, &id(guest), "REJECTED", None).send().await.expect(200);
        }
        for number in 5..=34 {
            ask_for(&house, world::HARBOR_HOUSE, number).await;
        }
        house.post("/api/public/reservations", form(world::HARBOR_HOUSE, 35)).send().await.expect(429);
    }

    /// Repeated requests from one address do not block the form or remove requests of others.
    async fn at_most_a_hundred_requests_per_site_wait_and_the_busiest_address_loses_first(house: House) {
        const WAITING: &str = "SELECT COUNT(*) FROM reservation_requests WHERE site_id = (SELECT id FROM sites WHERE name_key = 'harbor house')";
        let victim = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        for number in 0..116_u8 {
            let address = Ipv4Addr::new(203, 0, 113, number / 29);
            ask_from(&house, address, world::HARBOR_HOUSE, usize::from(number) + 100).send().await.expect(202);
        }
        ask_from(&house, Ipv4Addr::new(203, 0, 113, 0), world::OPEN_DOOR, 300).send().await.expect(202);
        assert_eq!(count(&house, WAITING).await, 100);
        assert_eq!(available(&house, world::HARBOR_HOUSE).await, 4, "none of them holds a bed");
        let late = ask_for(&house, world::HARBOR_HOUSE, 2).await;
        victim.confirm(&house).send().await.expect(201);
        late.confirm(&house).send().await.expect(201);
        invariants::hold(&house).await;
    }

    async fn strangers_cannot_use_up_the_first_code_of_a_phone(house: House) {
        let ask = async |address: u8| {
            ask_from(&house, Ipv4Addr::new(203, 0, 113, address), world::HARBOR_HOUSE, 1).send().await.expect(202);
            house.outbox().await.len()
        };
        let mut sent = 0;
        for address in 1..=4 {
            for _ in 0..5 {
                sent = ask(address).await;
            }
        }
        assert_eq!(sent, 12, "four first codes and eight further codes");
        for _ in 0..3 {
            sent = ask(5).await;
        }
        assert_eq!(sent, 15);
        for _ in 0..3 {
            sent = ask(6).await;
        }
        assert_eq!(sent, 16, "the further codes of this hour are used up");
        assert_eq!(ask(7).await, 17, "another person's first code is not");
    }

    async fn a_phone_gets_at_most_ninety_codes_a_day_from_all_requesters(house: House) {
        for (hour, sent) in [(0, 30), (1, 60), (2, 90), (3, 90)] {
            for number in 0..50_u8 {
                let address = Ipv4Addr::new(203, 0, 113, hour * 25 + number / 2);
                ask_from(&house, address, world::HARBOR_HOUSE, 1).send().await.expect(202);
            }
            assert_eq!(house.outbox().await.len(), sent);
            house.advance(HOUR);
        }
        house.advance(20 * HOUR);
        ask_from(&house, Ipv4Addr::new(203, 0, 113, 1), world::HARBOR_HOUSE, 1).send().await.expect(202);
        assert_eq!(house.outbox().await.len(), 91);
    }

    async fn public_reads_are_limited_and_write_nothing(house: House) {
        let before = crate::attacks::tables(&house).await;
        for _ in 0..120 {
            house.get("/api/public/sites?pageSize=1").send().await.expect(200);
        }
        house.get("/api/public/sites").send().await.expect(429);
        let limits: i64 = house.db().query("SELECT COUNT(*) FROM throttles").scalar().await.unwrap();
        assert_eq!((limits, crate::attacks::tables(&house).await), (0, before));
        house.advance(MINUTE);
        house.get("/api/public/sites").send().await.expect(200);
    }

    async fn an_overdue_hold_frees_its_bed_before_a_job_runs(house: House) {
        let first = reserve(&house, world::OPEN_DOOR, 1).await;
        reserve(&house, world::OPEN_DOOR, 2).await;
        assert_eq!(available(&house, world::OPEN_DOOR).await, 0);
        house.advance(24 * HOUR - 1);
        assert_eq!(available(&house, world::OPEN_DOOR).await, 0);
        house.advance(1);
        assert_eq!(available(&house, world::OPEN_DOOR).await, 2);
        let guest = house.get(&format!("/api/Guests/{first}")).by(world::INTAKE).send().await.expect(200);
        assert_eq!((&guest["status"], &guest["expiredAt"]), (&json!("expired"), &guest["expiresAt"]));
        let answer = command(&house, &first, "ACCEPTED", Some(world::BED_F)).send().await;
        assert_eq!(answer.refusal(409), "This reservation has expired. Add the guest again to give a bed.");
        // And the person's limit counts it no longer.
        assert_ne!(reserve(&house, world::OPEN_DOOR, 1).await, first);
        let path = format!("/api/Guests?siteId={}", world::OPEN_DOOR);
        let list = house.get(&path).by(world::STAFF).send().await.expect(200);
        assert_eq!(list["totalCount"], 1);
        assert_ne!(id(&list["items"][0]), first);
        invariants::hold(&house).await;
    }

    async fn a_bed_freed_by_an_expired_hold_stays_given_away_when_the_clock_goes_back(house: House) {
        let status = async |guest: &str| {
            let guest = house.get(&format!("/api/Guests/{guest}")).by(world::INTAKE).send().await.expect(200);
            guest["status"].as_str().unwrap().to_owned()
        };
        let (first, second) = (reserve(&house, world::OPEN_DOOR, 1).await, reserve(&house, world::OPEN_DOOR, 2).await);
        let elsewhere = reserve(&house, world::HARBOR_HOUSE, 3).await;
        reserve(&house, world::HARBOR_HOUSE, 3).await;
        house.advance(24 * HOUR);
        // The bed of one expired hold, and the two expired reservations of a person.
        reserve(&house, world::OPEN_DOOR, 3).await;
        house.advance(-1);
        for guest in [&first, &second, &elsewhere] {
            assert_eq!(status(guest).await, "expired", "its end is recorded");
        }
        let metrics = house.get("/metrics").send().await.text;
        assert!(metrics.contains("berth_holds_expired_total 4"), "each of the four is counted: {metrics}");
        invariants::hold(&house).await;

        let third = reserve(&house, world::OPEN_DOOR, 4).await;
        house.advance(24 * HOUR);
        house.delete(&format!("/api/Beds/{}", world::BED_F)).by(world::STAFF).send().await.expect(204);
        house.advance(-1);
        assert_eq!(status(&third).await, "expired", "the bed it no longer needed was removed");
        invariants::hold(&house).await;
    }
}
