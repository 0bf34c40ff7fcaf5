//! Authenticator apps and recovery codes (security-and-proof 2.2 and 2.3, row 2): each code works once, and none gets
//! around the other limits.

use serde_json::{Value, json};
use totp_rs::{Builder, Secret, Totp};

use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::{both_engines, world};

const EMAIL: &str = "intake@test.example";

/// The authenticator app on the user's phone.
struct Phone(Totp);

impl Phone {
    fn new(setup: &Value) -> Self {
        let secret = Secret::try_from_base32(setup["secret"].as_str().unwrap()).unwrap();
        Self(Builder::new().with_secret(secret).with_account_name("x").build().unwrap())
    }

    /// Returns the code that it shows `steps` steps of 30 seconds from now.
    fn code(&self, house: &House, steps: i64) -> String {
        let seconds = house.app.now().millis() / 1000 + 30 * steps;
        self.0.generate(u64::try_from(seconds).unwrap()).to_string()
    }
}

async fn first_step(house: &House, password: &str) -> String {
    let fields = [("grant_type", "password"), ("username", EMAIL), ("password", password)];
    let answer = house.form("/connect/token", &fields).send().await.expect(200);
    answer["access_token"].as_str().unwrap().to_owned()
}

async fn exchange(house: &House, first: &str, otp: &str) -> Answer {
    let fields = [("grant_type", "two_factor_exchange"), ("pre_two_factor_token", first), ("otp", otp)];
    house.form("/connect/token", &fields).send().await
}

/// Signs in fully with a code.
async fn sign_in(house: &House, otp: &str) -> Answer {
    let first = first_step(house, world::PASSWORD).await;
    exchange(house, &first, otp).await
}

/// Sets up an app and returns it with the recovery codes.
async fn enable(house: &House) -> (Phone, Vec<String>) {
    let setup = house.post("/api/Users/totp", json!({})).by(world::INTAKE).send().await.expect(200);
    let phone = Phone::new(&setup);
    let body = json!({"token": phone.code(house, 0)});
    let codes = house.put("/api/Users/totp", body).by(world::INTAKE).send().await.expect(200);
    let codes =
        codes["recoveryCodes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    house.advance(MINUTE);
    (phone, codes)
}

async fn info(house: &House) -> Value {
    house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(200)
}

both_engines! {
    async fn an_app_is_enabled_by_one_of_its_codes(house: House) {
        let setup = house.post("/api/Users/totp", json!({})).by(world::INTAKE).send().await.expect(200);
        let uri = setup["uri"].as_str().unwrap();
        assert!(uri.starts_with("otpauth://totp/Berth:intake%40test.example?secret="), "{uri}");
        let svg = setup["qrSvg"].as_str().unwrap();
        assert!(svg.starts_with("<svg ") && !svg.contains("script"), "{svg}");
        let phone = Phone::new(&setup);
        assert_eq!(sign_in(&house, &phone.code(&house, 0)).await.status, 400, "not confirmed yet");
        assert_eq!(info(&house).await["has_totp"], false);
        let wrong = house.put("/api/Users/totp", json!({"token": "000000"})).by(world::INTAKE).send().await;
        assert_eq!(wrong.field_errors(), ["/token: Invalid confirmation code."]);
        let body = json!({"token": phone.code(&house, 0)});
        let codes = house.put("/api/Users/totp", body).by(world::INTAKE).send().await.expect(200);
        assert_eq!(codes["recoveryCodes"].as_array().unwrap().len(), 10);
        assert_eq!((&info(&house).await["has_totp"], &info(&house).await["recovery_codes_left"]), (&json!(true), &json!(10)));
        assert_eq!(house.post("/api/Users/totp", json!({})).by(world::INTAKE).send().await.refusal(409),
            "You already have an authenticator app. Turn it off first.");
        assert_eq!(house.outbox().await[0].1, EMAIL);
        let trail = house.trail().await;
        assert!(trail.contains(&"totp.begun".to_owned()) && trail.contains(&"totp.enabled".to_owned()), "{trail:?}");
    }

    async fn an_app_code_signs_in_once_within_a_step_before_and_after_and_sms_still_works(house: House) {
        let (phone, _) = enable(&house).await;
        let code = phone.code(&house, 0);
        sign_in(&house, &code).await.expect(200);
        assert_eq!(sign_in(&house, &code).await.expect(400)["error_description"], "Invalid confirmation code.", "a replay");
        assert_eq!(sign_in(&house, &phone.code(&house, -1)).await.status, 400, "an older step than the last one used");
        sign_in(&house, &phone.code(&house, 1)).await.expect(200);
        house.advance(5 * MINUTE);
        assert_eq!(sign_in(&house, &phone.code(&house, -2)).await.status, 400, "too old");
        assert_eq!(sign_in(&house, &phone.code(&house, 2)).await.status, 400, "too new");
        let spaced = phone.code(&house, -1);
        sign_in(&house, &format!("{} {}", &spaced[..3], &spaced[3..])).await.expect(200);

        let first = first_step(&house, world::PASSWORD).await;
        house.post("/api/Users/phone/challenge", json!({})).by(&first).send().await.expect(200);
        let sms: String = house.outbox().await[0].2.chars().take(6).collect();
        exchange(&house, &first, &sms).await.expect(200);
    }

    async fn of_two_uses_of_an_app_code_at_once_one_signs_in(house: House) {
        let (phone, codes) = enable(&house).await;
        for otp in [phone.code(&house, 0), codes[0].clone()] {
            let firsts = [first_step(&house, world::PASSWORD).await, first_step(&house, world::PASSWORD).await];
            let calls = firsts.map(|first| {
                let fields = [("grant_type", "two_factor_exchange"), ("pre_two_factor_token", &first), ("otp", &otp)];
                house.form("/connect/token", &fields.map(|(name, value)| (name, value as &str)))
            });
            let answers = crate::steps::all_at_once(calls.into()).await;
            assert_eq!(crate::steps::statuses(&answers).into_iter().collect::<Vec<_>>(), [(200, 1), (400, 1)]);
        }
    }

    async fn sms_and_app_codes_share_five_attempts_and_new_first_steps_give_a_limited_number(house: House) {
        let (phone, codes) = enable(&house).await;
        let first = first_step(&house, world::PASSWORD).await;
        for _ in 0..3 {
            assert_eq!(exchange(&house, &first, "000000").await.json()["error"], "invalid_grant");
        }
        assert_eq!(exchange(&house, &first, "aaaa-aaaa-aaaa").await.json()["error"], "invalid_grant");
        assert_eq!(exchange(&house, &first, "000000").await.json()["error"], "expired_token");
        assert_eq!(exchange(&house, &first, &phone.code(&house, 0)).await.status, 400, "the first step is over");
        let first = first_step(&house, world::PASSWORD).await;
        for _ in 0..5 {
            assert_eq!(exchange(&house, &first, "000000").await.status, 400);
        }
        assert_eq!(sign_in(&house, &phone.code(&house, 0)).await.status, 400, "the eleventh attempt, although the code is right");
        assert_eq!(sign_in(&house, &codes[0]).await.status, 400);
        let first = first_step(&house, world::PASSWORD).await;
        house.post("/api/Users/phone/challenge", json!({})).by(&first).send().await.expect(200);
        let sms: String = house.outbox().await[0].2.chars().take(6).collect();
        exchange(&house, &first, &sms).await.expect(200);
        house.advance(HOUR);
        sign_in(&house, &phone.code(&house, 0)).await.expect(200);
    }

    async fn a_recovery_code_works_once_and_the_user_gets_an_email(house: House) {
        let (_, codes) = enable(&house).await;
        sign_in(&house, &codes[3].to_uppercase().replace('-', " ")).await.expect(200);
        let (_, to, text) = house.outbox().await.remove(0);
        assert_eq!(to, EMAIL);
        assert!(text.contains("recovery code. Codes left: 9."), "{text}");
        assert_eq!(info(&house).await["recovery_codes_left"], 9);
        assert_eq!(sign_in(&house, &codes[3]).await.status, 400, "one use");
        house.advance(5 * MINUTE);
        let renewed = house.post("/api/Users/totp/recoveryCodes", json!({})).by(world::INTAKE).send().await;
        assert_eq!(renewed.status, 403, "six minutes after the proof");
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::INTAKE).send().await.expect(204);
        let renewed = house.post("/api/Users/totp/recoveryCodes", json!({})).by(world::INTAKE).send().await.expect(200);
        assert_eq!(sign_in(&house, &codes[4]).await.status, 400, "the old ones are void");
        sign_in(&house, renewed["recoveryCodes"][0].as_str().unwrap()).await.expect(200);
    }

    async fn turning_off_the_app_needs_a_fresh_proof_and_voids_all_codes(house: House) {
        let (phone, codes) = enable(&house).await;
        house.advance(5 * MINUTE);
        let off = async || house.delete("/api/Users/totp").by(world::INTAKE).send().await;
        assert_eq!(off().await.expect(403)["code"], "fresh-proof");
        assert_eq!(house.post("/api/Users/totp", json!({})).by(world::INTAKE).send().await.expect(403)["code"], "fresh-proof");
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::INTAKE).send().await.expect(204);
        off().await.expect(204);
        assert!(house.outbox().await[0].2.contains("no longer sign in to Berth with codes from an authenticator app"));
        assert!(house.trail().await.contains(&"totp.disabled".to_owned()));
        for otp in [phone.code(&house, 0), codes[0].clone()] {
            assert_eq!(sign_in(&house, &otp).await.status, 400);
        }
        assert_eq!(house.post("/api/Users/totp/recoveryCodes", json!({})).by(world::INTAKE).send().await.status, 409);
        let told = house.outbox().await.len();
        off().await.expect(204);
        assert_eq!(house.outbox().await.len(), told, "nothing was turned off, so no message is sent");
    }

    async fn a_new_password_by_link_never_gets_around_the_second_factor(house: House) {
        let (phone, _) = enable(&house).await;
        let ask = json!({"email": EMAIL, "redirectUri": "http://localhost:8080"});
        house.post("/api/Users/password/reset", ask).send().await.expect(204);
        let text = house.outbox().await.remove(0).2;
        let link = url::Url::parse(text.split_whitespace().find(|word| word.starts_with("http")).unwrap()).unwrap();
        let pairs = url::form_urlencoded::parse(link.fragment().unwrap().as_bytes());
        let value = |name: &str| pairs.clone().find(|(key, _)| key == name).unwrap().1.into_owned();
        let body = json!({"token": value("token"), "userId": value("userId"), "newPassword": "Calm-Harbor 7 lights"});
        house.put("/api/Users/password", body).send().await.expect(204);
        let first = first_step(&house, "Calm-Harbor 7 lights").await;
        house.get("/api/Sites").by(&first).send().await.expect(401);
        assert_eq!(exchange(&house, &first, "000000").await.status, 400);
        exchange(&house, &first, &phone.code(&house, 0)).await.expect(200);
    }

    async fn secret_and_codes_are_not_readable_in_the_database_and_belong_to_one_user(house: House) {
        let setup = house.post("/api/Users/totp", json!({})).by(world::INTAKE).send().await.expect(200);
        let phone = Phone::new(&setup);
        let body = json!({"token": phone.code(&house, 0)});
        let codes = house.put("/api/Users/totp", body).by(world::INTAKE).send().await.expect(200);
        let secret = Secret::try_from_base32(setup["secret"].as_str().unwrap()).unwrap();
        let sealed: (String,) = house.db().query("SELECT totp_sealed FROM users WHERE totp_sealed IS NOT NULL").one().await.unwrap();
        assert!(sealed.0.starts_with("d:") && !sealed.0.contains(&hex::encode(secret.as_bytes())), "{}", sealed.0);
        assert!(!sealed.0.contains(setup["secret"].as_str().unwrap()));
        let hashes: Vec<(String,)> = house.db().query("SELECT hash FROM recovery_codes").all().await.unwrap();
        let plain = codes["recoveryCodes"][0].as_str().unwrap();
        assert!(hashes.iter().all(|(hash,)| hash.len() == 66 && !hash.contains(&plain.replace('-', ""))));
        // The sealed secret cannot be opened in another user's row.
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE users SET totp_sealed = $2, totp_confirmed_at = 1 WHERE id = $1").bind(world::PEOPLE[6].2)
            .bind(sealed.0).execute().await.unwrap();
        tx.commit().await.unwrap();
        house.advance(MINUTE);
        let fields = [("grant_type", "password"), ("username", "staff@test.example"), ("password", world::PASSWORD)];
        let first = house.form("/connect/token", &fields).send().await.expect(200)["access_token"].as_str().unwrap().to_owned();
        assert_eq!(exchange(&house, &first, &phone.code(&house, 0)).await.status, 500);
    }

    async fn emails_and_texts_are_in_the_chosen_language(house: House) {
        let choose = async |language: &str| {
            house.put("/api/Users/language", json!({"language": language})).by(world::INTAKE).send().await
        };
        assert_eq!(info(&house).await["language"], "en");
        assert_eq!(choose("fr").await.field_errors(), ["/language: Choose one of: en, es."]);
        choose("es").await.expect(204);
        choose("es").await.expect(204);
        assert_eq!(house.trail().await, ["user.language-chosen"], "only a real change is recorded");
        assert_eq!(info(&house).await["language"], "es");
        let first = first_step(&house, world::PASSWORD).await;
        house.post("/api/Users/phone/challenge", json!({})).by(&first).send().await.expect(200);
        assert!(house.outbox().await[0].2.contains("es su código de Berth"));
        let ask = json!({"email": EMAIL, "redirectUri": "http://localhost:8080"});
        house.post("/api/Users/password/reset", ask).send().await.expect(204);
        assert!(house.outbox().await[0].2.starts_with("Alguien, probablemente usted"));
        crate::steps::reserve(&house, world::HARBOR_HOUSE, 1).await;
        let texts: Vec<String> = house.outbox().await.into_iter().take(2).map(|(_, _, text)| text).collect();
        assert!(texts.iter().all(|text| text.contains("ha llegado y espera una decisión.")), "{texts:?}");
    }

    async fn a_stranger_with_the_password_uses_up_no_attempts_of_a_known_device(house: House) {
        let (phone, _) = enable(&house).await;
        let mut known = crate::browser::Browser::at(1);
        known.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        known.exchange(&house, &phone.code(&house, 0)).await.expect(200);
        house.advance(MINUTE);
        for number in 0..3 {
            let mut stranger = crate::browser::Browser::at(2 + number);
            stranger.password(&house, EMAIL, world::PASSWORD).await.expect(200);
            for _ in 0..4 {
                stranger.exchange(&house, "abcd-efgh-1234").await.expect(400);
            }
        }
        let mut stranger = crate::browser::Browser::at(9);
        stranger.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        assert_eq!(stranger.exchange(&house, &phone.code(&house, 0)).await.status, 400, "strangers must wait, even with a right code");
        known.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        known.exchange(&house, &phone.code(&house, 0)).await.expect(200);
    }
}
