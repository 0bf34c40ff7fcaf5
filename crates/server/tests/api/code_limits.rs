//! Limits of both sign-in steps (security-and-proof 2.2; docs/decisions/0035): what counts, what does not, and that nobody
//! can lock out someone else.

use berth_domain::id::UserId;
use futures_util::future::join_all;
use serde_json::json;

use crate::browser::{Browser, code_to};
use crate::harness::{Answer, House, MINUTE};
use crate::sign_in::{challenge, exchange, password, token_of};
use crate::{both_engines, world};

const EMAIL: &str = "intake@test.example";
const PHONE: &str = "+17145550165";
/// Email of the staff user.
const OTHER_EMAIL: &str = "staff@test.example";

/// Returns the seconds to wait from a rejected request.
fn wait_of(answer: &Answer) -> i64 {
    assert_eq!(answer.status, 429, "{}", answer.text);
    answer.header("retry-after").parse().unwrap()
}

/// Adds users of Harbor House, each with the shared test password and a phone. Returns email and phone of each.
async fn colleagues(house: &House, count: u128) -> Vec<(String, String)> {
    const USER: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, phone, \
        phone_confirmed_at, created_at) SELECT $1, $2, $2, 'Co', 'League', password_hash, $3, $4, $4 FROM users WHERE id = $5";
    const MEMBERSHIP: &str = "INSERT INTO memberships (id, user_id, role, site_id, status, created_at) \
        VALUES ($1, $2, 'Staff', $3, 'Active', $4)";
    let mut tx = house.db().begin().await.unwrap();
    let mut people = Vec::new();
    for number in 0..count {
        let (email, phone) = (format!("colleague{number}@test.example"), format!("+1714556{number:04}"));
        let id = UserId(house.app.id());
        let insert = tx.query(USER).bind(id).bind(email.clone()).bind(phone.clone()).bind(house.app.now());
        insert.bind(world::PEOPLE[6].2).execute().await.unwrap();
        let insert = tx.query(MEMBERSHIP).bind(house.app.id()).bind(id).bind(world::HARBOR_HOUSE);
        insert.bind(house.app.now()).execute().await.unwrap();
        people.push((email, phone));
    }
    tx.commit().await.unwrap();
    people
}

/// Signs in one user on a new device behind address 1.
async fn sign_in_on_a_new_device(house: &House, email: &str, phone: &str) {
    let mut browser = Browser::at(1);
    browser.password(house, email, world::PASSWORD).await.expect(200);
    browser.challenge(house, json!({})).await.expect(200);
    let otp = code_to(house, phone).await;
    browser.exchange(house, &otp).await.expect(200);
}

both_engines! {
    async fn a_refused_resend_counts_against_no_limit(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        for sent in 1..=5 {
            challenge(&house, &first, json!({})).await.expect(200);
            for _ in 0..20 {
                let refused = challenge(&house, &first, json!({})).await;
                assert_eq!((wait_of(&refused), refused.json()["code"].as_str()), (30, Some("code-just-sent")), "after {sent}");
            }
            house.advance(30_000);
        }
        let sixth = challenge(&house, &first, json!({})).await;
        assert_eq!(wait_of(&sixth), 3600 - 150, "the real wait: the hour began with the first code");
        assert_ne!(sixth.json()["code"], "code-just-sent");
    }

    async fn codes_used_for_a_sign_in_do_not_count(house: House) {
        for _ in 0..12 {
            let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
            challenge(&house, &first, json!({})).await.expect(200);
            house.advance(30_000);
            challenge(&house, &first, json!({})).await.expect(200);
            exchange(&house, &first, &code_to(&house, PHONE).await).await.expect(200);
            house.advance(2 * MINUTE);
        }
    }

    async fn twenty_people_behind_one_address_sign_in_at_a_shift_change(house: House) {
        let people = colleagues(&house, 20).await;
        // Four times an hour, as a sign-out after 15 idle minutes requires; each time all at the same moment.
        for _ in 0..4 {
            join_all(people.iter().map(|(email, phone)| sign_in_on_a_new_device(&house, email, phone))).await;
            house.advance(15 * MINUTE);
        }
    }

    async fn a_requester_gets_sixty_unused_codes_an_hour_and_known_devices_more(house: House) {
        let mut known = Browser::at(1);
        known.sign_in(&house, EMAIL).await;
        let people = colleagues(&house, 13).await;
        let mut sent = 0;
        for _ in 0..5 {
            house.advance(31_000);
            for (email, _) in &people {
                let mut browser = Browser::at(1);
                browser.password(&house, email, world::PASSWORD).await.expect(200);
                let answer = browser.challenge(&house, json!({})).await;
                sent += usize::from(answer.status == 200);
                assert!(answer.status == 200 || sent == 60, "{} after {sent}", answer.text);
            }
        }
        assert_eq!(sent, 60);
        known.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        known.challenge(&house, json!({})).await.expect(200);
        let mut elsewhere = Browser::at(2);
        elsewhere.password(&house, OTHER_EMAIL, world::PASSWORD).await.expect(200);
        elsewhere.challenge(&house, json!({})).await.expect(200);
    }

    async fn a_stranger_with_the_password_uses_up_no_codes_of_a_known_device(house: House) {
        let mut known = Browser::at(1);
        known.sign_in(&house, EMAIL).await;
        house.advance(MINUTE);
        let mut stranger = Browser::at(2);
        stranger.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        for _ in 0..5 {
            stranger.challenge(&house, json!({})).await.expect(200);
            house.advance(30_000);
        }
        assert!(wait_of(&stranger.challenge(&house, json!({})).await) > 30, "the stranger must wait");
        known.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        for _ in 0..5 {
            known.challenge(&house, json!({})).await.expect(200);
            house.advance(30_000);
        }
        assert!(wait_of(&known.challenge(&house, json!({})).await) > 30, "and a known device has its own five");
        known.exchange(&house, &code_to(&house, PHONE).await).await.expect(200);
    }

    async fn entering_someone_elses_number_does_not_lock_them_out(house: House) {
        let ask = async |token: &str| {
            house.post("/connect/prove", json!({"password": world::PASSWORD})).by(token).send().await.expect(204);
            house.post("/api/Users/phone/challenge", json!({"phone": PHONE})).by(token).send().await
        };
        for token in [world::STAFF, world::ADMIN] {
            for _ in 0..5 {
                ask(token).await.expect(200);
                house.advance(30_000);
            }
            assert!(wait_of(&ask(token).await) > 30, "five an hour for one user");
        }
        assert!(wait_of(&ask(world::OWNER).await) > 30, "ten an hour to one number that nobody has confirmed");
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        for _ in 0..5 {
            challenge(&house, &first, json!({})).await.expect(200);
            house.advance(30_000);
        }
        exchange(&house, &first, &code_to(&house, PHONE).await).await.expect(200);
    }

    async fn confirming_a_number_resets_its_code_limit(house: House) {
        for round in 0..4 {
            let phone = if round % 2 == 0 { "+17145550199" } else { "+17145550198" };
            let prove = house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::INTAKE);
            prove.send().await.expect(204);
            for _ in 0..2 {
                house.advance(30_000);
                let ask = house.post("/api/Users/phone/challenge", json!({"phone": phone}));
                ask.by(world::INTAKE).send().await.expect(200);
            }
            let body = json!({"phone": phone, "token": code_to(&house, phone).await});
            house.put("/api/Users/phone", body).by(world::INTAKE).send().await.expect(204);
        }
    }

    async fn codes_are_sent_to_personal_numbers_only(house: House) {
        const NOT_PERSONAL: &str = "/phone: Codes cannot be sent to this number. Please enter a mobile number.";
        const INCORRECT: &str = "/phone: Phone number is incorrect";
        for (phone, message) in [
            ("+19005550134", INCORRECT), ("+17149760134", INCORRECT), ("+17149110134", INCORRECT), ("+11145550134", INCORRECT),
            ("+18005550134", NOT_PERSONAL), ("+15005550134", NOT_PERSONAL),
        ] {
            let refused = house.post("/api/Users/phone/challenge", json!({"phone": phone})).by(world::INTAKE).send().await;
            assert_eq!(refused.field_errors(), [message], "{phone}");
            let change = house.put("/api/Users/phone", json!({"phone": phone, "token": "000000"})).by(world::INTAKE);
            assert_eq!(change.send().await.field_errors(), [message], "{phone}");
        }
        assert!(house.outbox().await.is_empty());
    }

    async fn a_shared_browser_is_a_known_device_of_each_of_its_users(house: House) {
        let mut shared = Browser::at(1);
        shared.sign_in(&house, EMAIL).await;
        shared.sign_in(&house, OTHER_EMAIL).await;
        house.advance(MINUTE);
        shared.sign_in(&house, OTHER_EMAIL).await;
        for stranger in 0..6 {
            for email in [EMAIL, OTHER_EMAIL] {
                Browser::at(100 + stranger).password(&house, email, "wrong").await;
            }
        }
        for email in [EMAIL, OTHER_EMAIL] {
            assert_eq!(Browser::at(200).password(&house, email, world::PASSWORD).await.status, 429, "strangers wait");
            house.advance(30_000);
            shared.sign_in(&house, email).await;
        }
        let value = shared.cookie(crate::browser::DEVICE).unwrap();
        assert_eq!(value.split('.').count(), 2, "one secret per user, however often the user signs in: {value}");
    }

    async fn thirty_failures_a_minute_make_an_address_wait_and_right_passwords_do_not_count(house: House) {
        let people = colleagues(&house, 20).await;
        for (email, _) in &people {
            Browser::at(1).password(&house, email, world::PASSWORD).await.expect(200);
        }
        for number in 0..30 {
            let failure = Browser::at(1).password(&house, &format!("u{number}@test.example"), "wrong").await;
            assert_eq!(failure.status, 400, "{number}");
        }
        assert_eq!(wait_of(&Browser::at(1).password(&house, EMAIL, world::PASSWORD).await), 60);
        Browser::at(2).password(&house, EMAIL, world::PASSWORD).await.expect(200);
        house.advance(MINUTE);
        Browser::at(1).password(&house, EMAIL, world::PASSWORD).await.expect(200);
    }

    async fn codes_for_a_first_phone_have_their_own_limits(house: House) {
        let link = crate::sign_in::invite(&house).await;
        let answer = house.form("/connect/token", &[("grant_type", "invitation"), ("access_token", &link)]).send().await;
        let first = token_of(&answer);
        house.post("/api/Users/password", json!({"password": "Calm-Harbor 7 lights"})).by(&first).send().await.expect(204);
        for _ in 0..5 {
            challenge(&house, &first, json!({"phone": "+17145550177"})).await.expect(200);
            house.advance(30_000);
        }
        assert!(wait_of(&challenge(&house, &first, json!({"phone": "+17145550178"})).await) > 30);
        exchange(&house, &first, &code_to(&house, "+17145550177").await).await.expect(200);
        let keys: i64 = house.db().query("SELECT CAST(COALESCE(SUM(count), 0) AS BIGINT) FROM throttles WHERE key LIKE 'code:%'")
            .scalar().await.unwrap();
        assert_eq!(keys, 0, "the sign-in gave them back");
    }
}
