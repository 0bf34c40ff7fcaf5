//! Sign-in (DESIGN 5): every step, every limit, and every attempt to get around them.

use crate::harness::{Answer, HOUR, House, MINUTE, START};
use crate::{both_engines, world};
use serde_json::json;

const EMAIL: &str = "intake@test.example";

/// Sends the password grant: the first factor.
pub async fn password(house: &House, email: &str, password: &str) -> Answer {
    let fields = [("grant_type", "password"), ("username", email), ("password", password), ("scope", "api")];
    house.form("/connect/token", &fields).send().await
}

/// Sends the code grant: the second factor.
pub async fn exchange(house: &House, token: &str, otp: &str) -> Answer {
    let fields = [("grant_type", "two_factor_exchange"), ("pre_two_factor_token", token), ("otp", otp)];
    house.form("/connect/token", &fields).send().await
}

/// Requests a code by SMS.
pub async fn challenge(house: &House, token: &str, body: serde_json::Value) -> Answer {
    house.post("/api/Users/phone/challenge", body).by(token).send().await
}

/// Returns the token of a successful answer.
pub fn token_of(answer: &Answer) -> String {
    answer.expect(200)["access_token"].as_str().unwrap().to_owned()
}

/// Returns the code in the newest SMS.
pub async fn code(house: &House) -> String {
    let (channel, _, body) = house.outbox().await.remove(0);
    assert_eq!(channel, "sms");
    body.chars().take(6).collect()
}

/// Signs in fully and returns the access and the refresh token.
pub async fn sign_in(house: &House, email: &str) -> (String, String) {
    let first = token_of(&password(house, email, world::PASSWORD).await);
    challenge(house, &first, json!({})).await.expect(200);
    let answer = exchange(house, &first, &code(house).await).await.expect(200);
    let text = |name: &str| answer[name].as_str().unwrap().to_owned();
    (text("access_token"), text("refresh_token"))
}

both_engines! {
    async fn password_then_code_opens_a_session_and_each_step_names_its_stage(house: House) {
        let answer = password(&house, " Intake@Test.Example ", world::PASSWORD).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let body = answer.expect(200);
        assert_eq!((body["stage"].as_str(), body["expires_in"].as_i64()), (Some("first_step"), Some(600)));
        let first = token_of(&answer);

        let info = house.get("/connect/userinfo").by(&first).send().await.expect(200);
        assert_eq!(info["stage"], "first_step");
        assert_eq!(info["phone_number"], "+1 ••• ••• 0165", "the phone is masked until the code is proved");
        assert_eq!(info["role_intake_site_ids"], "", "a first step tells no roles");

        let sent = challenge(&house, &first, json!({})).await.expect(200);
        assert_eq!(sent, json!({"phone": "+1 ••• ••• 0165", "resendAfterSeconds": 30}));
        let full = exchange(&house, &first, &code(&house).await).await;
        assert_eq!(full.expect(200)["stage"], "full");

        let info = house.get("/connect/userinfo").by(&token_of(&full)).send().await.expect(200);
        assert_eq!(info["stage"], "full");
        assert_eq!(info["phone_number"], "+17145550165");
        assert_eq!(info["role_intake_site_ids"], format!("{},{}", world::HARBOR_HOUSE, world::OPEN_DOOR));
        assert_eq!((&info["role_owner_organization_ids"], &info["role_global"]), (&json!(""), &json!(false)));
        assert_eq!(house.trail().await.last().map(String::as_str), Some("session.opened"));
    }

    async fn accepted_agreements_are_stored_with_version_time_and_address(house: House) {
        const ACCEPTED: &str = "SELECT version, accepted_at, address FROM agreement_acceptances WHERE user_id = $1";
        let settings = house.get("/api/public/settings").send().await.expect(200);
        let version = settings["agreementsVersion"].as_str().unwrap();
        for (password, agreements) in
            [(world::PASSWORD, "an older one"), ("not the password", version), (world::PASSWORD, version)]
        {
            let form = [("grant_type", "password"), ("username", EMAIL), ("password", password), ("agreements", agreements)];
            house.form("/connect/token", &form).send().await;
        }
        let user = world::PEOPLE.iter().find(|person| person.0 == EMAIL || person.1 == EMAIL).unwrap().2;
        let stored: Vec<(String, i64, String)> = house.db().query(ACCEPTED).bind(user).all().await.unwrap();
        assert_eq!(stored.len(), 1, "neither an older version nor a wrong password accepts anything: {stored:?}");
        assert_eq!((stored[0].0.as_str(), stored[0].1), (version, START));
        assert!(!stored[0].2.is_empty());
    }

    async fn wrong_password_unknown_user_and_disabled_user_get_the_same_answer(house: House) {
        disable(&house, 6).await;
        let wrong = password(&house, EMAIL, "not the password").await;
        let unknown = password(&house, "nobody@test.example", world::PASSWORD).await;
        let disabled = password(&house, "staff@test.example", "not the password").await;
        assert_eq!(wrong.expect(400), json!({
            "error": "invalid_grant", "error_description": "Email or password is incorrect.",
            "code": "wrong-credentials"
        }));
        assert_eq!(wrong.text, unknown.text);
        assert_eq!(wrong.text, disabled.text);
        assert_eq!(house.trail().await, ["login.failed", "login.failed", "login.failed"]);
    }

    async fn a_disabled_user_is_told_so_after_the_right_password_and_only_then(house: House) {
        disable(&house, 6).await;
        for _ in 0..7 {
            let told = password(&house, "staff@test.example", world::PASSWORD).await;
            let answer = told.expect(400);
            assert_eq!(answer["error"], "access_disabled");
            assert_eq!(answer["error_description"], "Your access is disabled. Please contact the person in charge of your site.");
        }
        assert_eq!(house.trail().await, ["login.failed"; 7], "each is recorded, and none counts as a guess that makes the account wait");
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let otp = code(&house).await;
        disable(&house, 5).await;
        assert_eq!(exchange(&house, &first, &otp).await.expect(400)["error"], "access_disabled", "also at the second step");
    }

    async fn five_failures_make_known_and_unknown_accounts_wait_alike(house: House) {
        for email in [EMAIL, "nobody@test.example"] {
            for _ in 0..5 {
                assert_eq!(password(&house, email, "wrong").await.status, 400);
            }
            let sixth = password(&house, email, world::PASSWORD).await;
            assert_eq!(sixth.status, 429, "the right password does not help during the pause");
            assert_eq!((sixth.header("retry-after"), &sixth.json()["error"]), ("60", &json!("slow_down")));
            house.advance(MINUTE);
        }
        house.advance(MINUTE);
        assert_eq!(password(&house, EMAIL, world::PASSWORD).await.status, 200);
    }

    async fn parallel_failures_cannot_slip_past_the_limit(house: House) {
        let calls: Vec<_> = (0..12).map(|_| password(&house, EMAIL, "wrong")).collect();
        let answers = futures_util::future::join_all(calls).await;
        let let_in = answers.iter().filter(|answer| answer.status == 400).count();
        assert!(let_in <= 5, "{let_in} guesses were checked");
        assert!(answers.iter().all(|answer| matches!(answer.status, 400 | 429)));
    }

    async fn a_strangers_failures_never_lock_out_a_known_browser(house: House) {
        let cookie_sign_in = [("grant_type", "password"), ("username", EMAIL), ("password", world::PASSWORD), ("session", "cookie")];
        let first = house.form("/connect/token", &cookie_sign_in).header("x-berth", "1").send().await;
        let step = first.cookie("__Host-berth-step").unwrap();
        let jar = format!("__Host-berth-step={step}");
        house.post("/api/Users/phone/challenge", json!({})).header("cookie", &jar).header("x-berth", "1").send().await.expect(200);
        let otp = code(&house).await;
        let full = house
            .form("/connect/token", &[("grant_type", "two_factor_exchange"), ("otp", &otp), ("session", "cookie")])
            .header("cookie", &jar).header("x-berth", "1").send().await;
        let device = full.cookie("__Host-berth-device").unwrap();
        for _ in 0..6 {
            password(&house, EMAIL, "wrong").await;
        }
        assert_eq!(password(&house, EMAIL, world::PASSWORD).await.status, 429, "a stranger must wait");
        let known = house.form("/connect/token", &cookie_sign_in).header("x-berth", "1")
            .header("cookie", &format!("__Host-berth-device={device}")).send().await;
        known.expect(200);
    }

    async fn a_cookie_session_exposes_no_token_and_its_cookies_are_strict(house: House) {
        let fields = [("grant_type", "password"), ("username", EMAIL), ("password", world::PASSWORD), ("session", "cookie")];
        assert_eq!(house.form("/connect/token", &fields).send().await.status, 403, "our header is needed");
        let foreign = house.form("/connect/token", &fields).header("x-berth", "1").header("origin", "https://evil.example");
        assert_eq!(foreign.send().await.status, 403, "and our origin");
        let first = house.form("/connect/token", &fields).header("x-berth", "1").send().await;
        assert_eq!(first.expect(200), json!({"token_type": "Bearer", "expires_in": 600, "stage": "first_step"}));
        let set: Vec<&str> = first.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).collect();
        assert!(set.iter().all(|cookie| cookie.contains("HttpOnly; SameSite=Strict; Secure; Path=/")), "{set:?}");

        let jar = format!("__Host-berth-step={}", first.cookie("__Host-berth-step").unwrap());
        house.post("/api/Users/phone/challenge", json!({})).header("cookie", &jar).header("x-berth", "1").send().await.expect(200);
        let otp = code(&house).await;
        let fields = [("grant_type", "two_factor_exchange"), ("otp", otp.as_str()), ("session", "cookie")];
        let full = house.form("/connect/token", &fields).header("cookie", &jar).header("x-berth", "1").send().await;
        assert_eq!(full.expect(200)["access_token"], json!(null));
        let jar = format!("__Host-berth={}", full.cookie("__Host-berth").unwrap());
        house.get("/connect/userinfo").header("cookie", &jar).send().await.expect(200);
        house.get("/connect/userinfo").by(full.cookie("__Host-berth").unwrap().as_str()).send().await.expect(401);
        let no_header = house.post("/connect/extend", json!({})).header("cookie", &jar).send().await;
        assert_eq!(no_header.status, 403, "a change by cookie needs our header");
        let out = house.post("/connect/logout", json!({})).header("cookie", &jar).header("x-berth", "1").send().await;
        assert_eq!((out.status, out.cookie("__Host-berth").as_deref()), (204, Some("")));
        assert_eq!(out.header("clear-site-data"), "\"cache\"", "a shared computer keeps no answers");
        house.get("/connect/userinfo").header("cookie", &jar).send().await.expect(401);
    }

    async fn a_first_step_token_grants_only_the_sign_in_steps(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        for path in ["/api/Sites", "/api/Organizations", "/api/live"] {
            assert_eq!(house.get(path).by(&first).send().await.status, 401, "{path}");
        }
        assert_eq!(house.post("/connect/extend", json!({})).by(&first).send().await.status, 401);
        house.get("/connect/userinfo").by(&first).send().await.expect(200);
    }

    async fn a_code_has_five_attempts_even_if_resent_and_then_the_first_step_ends(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        for _ in 0..3 {
            assert_eq!(exchange(&house, &first, "000000").await.expect(400)["error_description"], "Invalid confirmation code.");
        }
        house.advance(31_000);
        challenge(&house, &first, json!({})).await.expect(200);
        let right = code(&house).await;
        assert_eq!(exchange(&house, &first, "000000").await.json()["error"], "invalid_grant");
        assert_eq!(exchange(&house, &first, "000000").await.json()["error"], "expired_token");
        let late = exchange(&house, &first, &right).await;
        assert_eq!(late.expect(400)["error_description"], "Invalid confirmation code.");
        house.get("/connect/userinfo").by(&first).send().await.expect(401);
    }

    async fn parallel_attempts_share_the_limit_of_five(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let guesses: Vec<String> = (0..20).map(|guess| format!("{guess:06}")).collect();
        futures_util::future::join_all(guesses.iter().map(|guess| exchange(&house, &first, guess))).await;
        let (tries,): (i64,) = house.db().query("SELECT tries FROM secrets WHERE hash = $1")
            .bind(berth_server::auth::tokens::hash(&first)).one().await.unwrap();
        assert_eq!(tries, 5);
    }

    async fn a_code_works_once_for_five_minutes_and_only_for_its_own_sign_in(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let right = code(&house).await;
        let other = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        assert_eq!(exchange(&house, &other, &right).await.status, 400, "a code of another sign-in");
        exchange(&house, &first, &right).await.expect(200);
        assert_eq!(exchange(&house, &first, &right).await.json()["error"], "expired_token", "one use");

        house.advance(MINUTE);
        challenge(&house, &other, json!({})).await.expect(200);
        let right = code(&house).await;
        house.advance(5 * MINUTE);
        assert_eq!(exchange(&house, &other, &right).await.status, 400, "too late");
    }

    async fn codes_are_resent_after_thirty_seconds_and_five_an_hour(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let soon = challenge(&house, &first, json!({})).await;
        assert_eq!((soon.status, soon.header("retry-after")), (429, "30"));
        for _ in 0..4 {
            house.advance(30_000);
            challenge(&house, &first, json!({})).await.expect(200);
        }
        house.advance(30_000);
        assert_eq!(challenge(&house, &first, json!({})).await.status, 429, "the sixth within the hour");
        house.advance(HOUR);
        let again = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &again, json!({})).await.expect(200);
    }

    async fn the_code_is_not_in_the_database(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let (hash,): (String,) = house.db().query("SELECT hash FROM codes").one().await.unwrap();
        assert_eq!(hash.len(), 64);
        assert!(!hash.contains(&code(&house).await));
        let rows: Vec<(String,)> = house.db().query("SELECT hash FROM secrets").all().await.unwrap();
        assert!(rows.iter().all(|(hash,)| *hash != first), "tokens are stored as hashes");
    }

    async fn a_stored_phone_cannot_be_replaced_during_sign_in(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({"phone": "+12025550199"})).await.expect(200);
        assert_eq!(house.outbox().await[0].1, "+17145550165");
    }

    async fn refresh_rotates_and_reuse_ends_the_whole_session(house: House) {
        let (access, refresh) = sign_in(&house, EMAIL).await;
        let renew = async |token: &str| {
            house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", token)]).send().await
        };
        let second = renew(&refresh).await.expect(200);
        let newer = second["access_token"].as_str().unwrap().to_owned();
        house.get("/connect/userinfo").by(&newer).send().await.expect(200);
        assert_eq!(renew(&refresh).await.expect(400)["error"], "invalid_grant", "used twice");
        for token in [&access, &newer] {
            house.get("/connect/userinfo").by(token).send().await.expect(401);
        }
        assert_eq!(renew(second["refresh_token"].as_str().unwrap()).await.status, 400, "both the thief's and the owner's session end");
    }

    async fn a_refresh_token_used_twice_at_once_works_at_most_once(house: House) {
        let (_, refresh) = sign_in(&house, EMAIL).await;
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
        let answers = futures_util::future::join_all((0..8).map(|_| house.form("/connect/token", &fields).send())).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    }

    async fn a_session_ends_after_fifteen_idle_minutes_or_twelve_hours(house: House) {
        let (access, refresh) = sign_in(&house, EMAIL).await;
        house.advance(14 * MINUTE);
        house.post("/connect/extend", json!({})).by(&access).send().await.expect(204);
        house.advance(MINUTE);
        house.get("/connect/userinfo").by(&access).send().await.expect(401);
        let renew = async |token: &str| {
            house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", token)]).send().await
        };
        let mut newest = renew(&refresh).await.expect(200);
        for _ in 0..50 {
            house.advance(14 * MINUTE);
            newest = renew(newest["refresh_token"].as_str().unwrap()).await.expect(200);
        }
        house.advance(14 * MINUTE);
        renew(newest["refresh_token"].as_str().unwrap()).await.expect(400);
    }

    async fn background_calls_do_not_keep_a_session_alive(house: House) {
        let (access, _) = sign_in(&house, EMAIL).await;
        for _ in 0..2 {
            house.advance(7 * MINUTE);
            house.get("/api/Sites").by(&access).header("x-berth-background", "1").send().await.expect(200);
        }
        house.advance(MINUTE);
        house.get("/api/Sites").by(&access).send().await.expect(401);
    }

    async fn disabling_the_last_membership_works_on_the_next_call(house: House) {
        let (access, refresh) = sign_in(&house, EMAIL).await;
        house.get("/api/Sites").by(&access).send().await.expect(200);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE memberships SET status = 'Disabled' WHERE user_id = $1")
            .bind(world::PEOPLE[5].2).execute().await.unwrap();
        tx.commit().await.unwrap();
        house.get("/api/Sites").by(&access).send().await.expect(401);
        house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]).send().await.expect(400);
    }

    async fn logout_ends_the_session_on_the_server(house: House) {
        let (access, refresh) = sign_in(&house, EMAIL).await;
        house.post("/connect/logout", json!({})).by(&access).send().await.expect(204);
        house.get("/connect/userinfo").by(&access).send().await.expect(401);
        house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]).send().await.expect(400);
        house.post("/connect/logout", json!({})).send().await.expect(204);
    }

    async fn logout_never_reports_success_while_the_session_continues(house: House) {
        let (access, _) = sign_in(&house, EMAIL).await;
        house.db().close().await;
        house.post("/connect/logout", json!({})).by(&access).send().await.expect(503);
    }

    async fn a_foreign_page_cannot_remove_a_browsers_cookies(house: House) {
        let from = async |origin: &str| {
            let ask = house.post("/connect/logout", json!({})).header("origin", origin);
            ask.header("x-berth", "1").send().await.cookie("__Host-berth")
        };
        assert_eq!(from("https://elsewhere.example").await, None);
        let plain_form = house.post("/connect/logout", json!({})).send().await;
        assert_eq!((plain_form.cookie("__Host-berth"), plain_form.header("clear-site-data")), (None, ""));
        assert_eq!(from("http://localhost:8080").await, Some(String::new()));
    }

    async fn a_first_step_ends_with_the_last_membership(house: House) {
        house.get("/connect/userinfo").by(world::FIRST_STEP).send().await.expect(200);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE memberships SET status = 'Disabled' WHERE user_id = $1")
            .bind(world::PEOPLE[5].2).execute().await.unwrap();
        tx.commit().await.unwrap();
        let refused = house.get("/connect/userinfo").by(world::FIRST_STEP).send().await;
        refused.expect(401);
        assert_eq!(refused.header("www-authenticate"), "Bearer");
    }

    async fn a_login_that_no_database_can_store_is_refused(house: House) {
        let wrong = password(&house, "in\0take@test.example", world::PASSWORD).await;
        assert_eq!(wrong.expect(400)["error"], "invalid_request");
    }

    async fn an_invitation_leads_through_password_phone_and_code_to_a_session(house: House) {
        let link = invite(&house).await;
        let use_link = async || {
            house.form("/connect/token", &[("grant_type", "invitation"), ("access_token", &link)]).send().await
        };
        let first = token_of(&use_link().await);
        let info = house.get("/connect/userinfo").by(&first).send().await.expect(200);
        assert_eq!((&info["has_password"], &info["has_phone_number"]), (&json!(false), &json!(false)));
        assert_eq!(challenge(&house, &first, json!({"phone": "+17145550177"})).await.refusal(409), "Please create your password first.");

        let weak = house.post("/api/Users/password", json!({"password": "admin"})).by(&first).send().await;
        assert_eq!(weak.field_errors(), [
            "/password: Password should have at least 12 characters",
            "/password: Password must have at least one uppercase letter",
            "/password: Password must have at least one digit",
            "/password: Password must have at least one special character (punctuation) — spaces included",
            "/password: This password is too common and not allowed",
            "/password: Password contains a common phrase or sequence",
        ]);
        let mine = json!({"password": "Calm-Harbor 7 lights"});
        house.post("/api/Users/password", mine.clone()).by(&first).send().await.expect(204);
        assert_eq!(house.post("/api/Users/password", mine).by(&first).send().await.status, 409, "only the first password is set without the old one");
        assert_eq!(use_link().await.expect(400)["error"], "login_required", "the password used the link up");
        assert_eq!(challenge(&house, &first, json!({})).await.field_errors(), ["/phone: Please enter your phone number"]);
        assert_eq!(challenge(&house, &first, json!({"phone": "12"})).await.field_errors(), ["/phone: Phone number is incorrect"]);
        challenge(&house, &first, json!({"phone": "(714) 555-0177"})).await.expect(200);
        let full = exchange(&house, &first, &code(&house).await).await;
        let info = house.get("/connect/userinfo").by(&token_of(&full)).send().await.expect(200);
        assert_eq!(info["phone_number"], "+17145550177");
        assert_eq!(info["role_staff_site_ids"], world::HARBOR_HOUSE.to_string());
        assert_eq!(password(&house, "new@test.example", "Calm-Harbor 7 lights").await.status, 200);
    }

    async fn an_invitation_expires_after_seven_days_and_does_not_sign_in_a_known_user(house: House) {
        let link = invite(&house).await;
        house.advance(7 * 24 * HOUR);
        let fields = [("grant_type", "invitation"), ("access_token", link.as_str())];
        assert_eq!(house.form("/connect/token", &fields).send().await.expect(400)["error"], "expired_token");
        assert_eq!(password(&house, "new@test.example", "").await.status, 400, "nobody signs in without a password");
    }

    async fn tokens_of_another_kind_truncated_or_altered_are_refused(house: House) {
        let (access, refresh) = sign_in(&house, EMAIL).await;
        let cut = &access[..access.len() - 1];
        let altered = format!("{cut}{}", if access.ends_with('A') { "B" } else { "A" });
        for token in [refresh.as_str(), cut, &altered, "", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."] {
            house.get("/connect/userinfo").by(token).send().await.expect(401);
        }
        house.get("/connect/userinfo").header("authorization", "Basic aW50YWtlOng=").send().await.expect(401);
        let unknown = house.form("/connect/token", &[("grant_type", "client_credentials")]).send().await;
        assert_eq!(unknown.expect(400)["error"], "unsupported_grant_type");
    }

    async fn a_reported_failure_is_accepted_and_writes_nothing(house: House) {
        house.post("/api/EventLogs/loginFailed", json!({"login": "x@y.z"})).send().await.expect(204);
        assert_eq!(house.trail().await, Vec::<String>::new());
    }
}

/// Disables all memberships of a user.
async fn disable(house: &House, person: usize) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query("UPDATE memberships SET status = 'Disabled' WHERE user_id = $1")
        .bind(world::PEOPLE[person].2)
        .execute()
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Invites a user to Harbor House as staff and returns the user and the token of the link.
pub async fn invite(house: &House) -> String {
    let (user, membership) = (house.app.id(), house.app.id());
    let mut tx = house.db().begin().await.unwrap();
    tx.query("INSERT INTO users (id, email, email_key, first_name, last_name, created_at) VALUES ($1, $2, $2, 'New', 'Person', $3)")
        .bind(user).bind("new@test.example").bind(house.app.now()).execute().await.unwrap();
    tx.query("INSERT INTO memberships (id, user_id, role, site_id, status, created_at) VALUES ($1, $2, 'Staff', $3, 'PendingInvitation', $4)")
        .bind(membership).bind(user).bind(world::HARBOR_HOUSE).bind(house.app.now()).execute().await.unwrap();
    let ends = house.app.now().plus_hours(7 * 24);
    let kind = berth_server::auth::tokens::Kind::Invitation;
    let user = berth_domain::id::UserId(user);
    let link = berth_server::auth::sessions::issue(&house.app, &mut tx, kind, user, None, ends).await.unwrap();
    tx.commit().await.unwrap();
    link
}
