//! Accounts (spec A 2, 5, 7): restoring and resetting the password, and the profile.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::{both_engines, sign_in, steps, world};

const EMAIL: &str = "intake@test.example";
const NEW: &str = "Calm-Harbor 7 lights";
const SITE: &str = "http://localhost:8080";

async fn ask_for_reset(house: &House, email: &str) -> Answer {
    house.post("/api/Users/password/reset", json!({"email": email, "redirectUri": SITE})).send().await
}

/// Returns the parameters of the link in the newest mail.
async fn link(house: &House, page: &str) -> Value {
    let mails: Vec<_> = house.outbox().await.into_iter().filter(|(channel, ..)| channel == "email").collect();
    let text = mails.iter().map(|(_, _, body)| body).find(|body| body.contains("http")).expect("a mail with a link");
    let link = text.split_whitespace().find(|word| word.starts_with("http")).unwrap();
    let link = url::Url::parse(link).unwrap();
    assert_eq!((link.origin().ascii_serialization().as_str(), link.path()), (SITE, page));
    assert_eq!(link.query(), None, "the token is in the fragment");
    let pairs = url::form_urlencoded::parse(link.fragment().unwrap_or_default().as_bytes()).into_owned();
    Value::Object(pairs.map(|(name, value)| (name, Value::String(value))).collect())
}

fn with(mut body: Value, name: &str, value: &str) -> Value {
    body[name] = json!(value);
    body
}

async fn reset_link(house: &House) -> Value {
    ask_for_reset(house, EMAIL).await.expect(204);
    with(link(house, "/reset-password").await, "newPassword", NEW)
}

async fn first_step(house: &House, email: &str, password: &str) -> Answer {
    let fields = [("grant_type", "password"), ("username", email), ("password", password)];
    house.form("/connect/token", &fields).send().await
}

async fn put(house: &House, path: &str, body: Value) -> Answer {
    house.put(path, body).by(world::INTAKE).send().await
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// All sensitive account changes, by the intake user. Each requires a fresh proof.
async fn changes(house: &House) -> Vec<Answer> {
    vec![
        put(house, "/api/Users/password", json!({"oldPassword": "wrong", "newPassword": NEW})).await,
        put(house, "/api/Users/phone", json!({"phone": "+17145550199", "token": "000000"})).await,
        house.post("/api/Users/phone/challenge", json!({"phone": "x"})).by(world::INTAKE).send().await,
        house
            .post("/api/Users/email/challenge", json!({"email": "x", "redirectUri": SITE}))
            .by(world::INTAKE)
            .send()
            .await,
    ]
}

both_engines! {
    async fn a_link_sets_a_new_password_once_ends_every_session_and_a_code_is_still_required(house: House) {
        let (access, refresh) = sign_in::sign_in(&house, EMAIL).await;
        let body = reset_link(&house).await;
        let mut others = body.clone();
        others["userId"] = json!(world::PEOPLE[4].2);
        assert_eq!(house.put("/api/Users/password", others).send().await.status, 409, "bound to its user");
        let weak = house.put("/api/Users/password", with(body.clone(), "newPassword", "short")).send().await;
        assert!(weak.field_errors()[0].starts_with("/newPassword: Password should have at least 12 characters"));
        let known = house.put("/api/Users/password", with(body.clone(), "newPassword", "Intake-Harbor 7 l")).send().await;
        assert_eq!(known.field_errors(), ["/newPassword: Password contains a common phrase or sequence"]);

        house.put("/api/Users/password", body.clone()).send().await.expect(204);
        let again = house.put("/api/Users/password", body).send().await.expect(409);
        assert_eq!(again["code"], "expired-link", "a code or link works once");
        for token in [access.as_str(), world::INTAKE, world::FIRST_STEP] {
            house.get("/connect/userinfo").by(token).send().await.expect(401);
        }
        house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]).send().await.expect(400);
        assert_eq!(first_step(&house, EMAIL, world::PASSWORD).await.status, 400, "the old password is gone");
        assert_eq!(first_step(&house, EMAIL, NEW).await.expect(200)["stage"], "first_step", "a code is still required");
        assert!(house.trail().await.contains(&"password.reset".to_owned()));
    }

    async fn a_page_without_a_token_is_answered_as_signed_out_and_an_ended_session_is_refused(house: House) {
        const FIRST: &str = "/connect/userinfo?orNobody=true";
        house.get(FIRST).send().await.expect(204);
        house.get("/connect/userinfo").send().await.expect(401);
        house.get("/connect/userinfo?orNobody=false").send().await.expect(401);
        house.get(FIRST).by("berth_a_nothing").send().await.expect(401);
        assert_eq!(house.get(FIRST).by(world::INTAKE).send().await.expect(200)["email"], EMAIL);
        house.get("/connect/userinfo?orNobody=perhaps").by(world::INTAKE).send().await.expect(422);
    }

    async fn a_link_ends_after_thirty_minutes(house: House) {
        let (late, timely) = (reset_link(&house).await, reset_link(&house).await);
        house.advance(30 * MINUTE - 1);
        house.put("/api/Users/password", timely).send().await.expect(204);
        house.advance(1);
        assert_eq!(house.put("/api/Users/password", late).send().await.status, 409, "too late");
    }

    async fn of_two_uses_of_a_link_at_once_one_sets_the_password(house: House) {
        let body = reset_link(&house).await;
        let answers = steps::all_at_once((0..6).map(|_| house.put("/api/Users/password", body.clone())).collect()).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 204).count(), 1, "{:?}", steps::statuses(&answers));
    }

    async fn unknown_disabled_and_invited_users_get_the_same_answer_after_the_same_time_and_no_mail(house: House) {
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE memberships SET status = 'Disabled' WHERE user_id = $1").bind(world::PEOPLE[6].2).execute().await.unwrap();
        tx.query("UPDATE users SET password_hash = NULL WHERE id = $1").bind(world::PEOPLE[4].2).execute().await.unwrap();
        tx.commit().await.unwrap();
        for email in ["nobody@test.example", "staff@test.example", "admin@test.example", " INTAKE@test.example"] {
            let start = Instant::now();
            let answer = ask_for_reset(&house, email).await;
            assert_eq!((answer.status, answer.text.as_str()), (204, ""), "{email}");
            assert!(start.elapsed() >= Duration::from_millis(245), "{email} was answered early");
            house.advance(MINUTE);
        }
        let sent: Vec<String> = house.outbox().await.into_iter().map(|(_, to, _)| to).collect();
        assert_eq!(sent, [EMAIL]);
        assert_eq!(house.trail().await, ["password.reset-asked"; 4]);
    }

    async fn a_requester_gets_twenty_links_a_minute_and_an_address_five(house: House) {
        for _ in 0..5 {
            ask_for_reset(&house, EMAIL).await.expect(204);
        }
        assert_eq!(ask_for_reset(&house, EMAIL).await.status, 429);
        for number in 6..20 {
            ask_for_reset(&house, &format!("u{number}@test.example")).await.expect(204);
        }
        assert_eq!(ask_for_reset(&house, "nobody@test.example").await.status, 429, "the requester waits, too");
        assert_eq!(count(&house, "SELECT COUNT(*) FROM throttles WHERE key LIKE 'reset:address:%'").await, 15);
        house.advance(MINUTE);
        ask_for_reset(&house, "nobody@test.example").await.expect(204);
    }

    async fn a_link_leads_only_to_our_own_pages(house: House) {
        for foreign in ["https://evil.example", "http://localhost:8080.evil.example", "http://localhost:8080@evil.example/",
            "http://evil@localhost:8080/", "//localhost:8080", "http://localhost:8081", "http://localhost:8080/login",
            "http://localhost:8080/reset-password?next=x", "http://localhost:8080/#x", "javascript:alert(1)", ""] {
            let body = json!({"email": EMAIL, "redirectUri": foreign});
            let reset = house.post("/api/Users/password/reset", body.clone()).header("host", "localhost:8080").send().await;
            assert_eq!(reset.status, 400, "{foreign}");
            let email = house.post("/api/Users/email/challenge", body).by(world::INTAKE).send().await;
            assert_eq!(email.status, 400, "{foreign}");
        }
        let body = json!({"email": EMAIL, "redirectUri": "http://localhost:8080/reset-password"});
        house.post("/api/Users/password/reset", body).header("host", "evil.example").send().await.expect(204);
        link(&house, "/reset-password").await;
    }

    async fn a_new_password_has_two_strict_forms(house: House) {
        let reset = reset_link(&house).await;
        for body in [json!({"newPassword": NEW}), with(reset.clone(), "oldPassword", world::PASSWORD),
            json!({"oldPassword": world::PASSWORD, "newPassword": NEW, "userId": world::PEOPLE[4].2}),
            with(reset, "email", "x@test.example")] {
            assert_eq!(put(&house, "/api/Users/password", body.clone()).await.status, 422, "{body}");
        }
        let change = json!({"oldPassword": world::PASSWORD, "newPassword": NEW});
        house.put("/api/Users/password", change.clone()).send().await.expect(401);
        house.put("/api/Users/password", change).by(world::FIRST_STEP).send().await.expect(401);
        assert_eq!(first_step(&house, EMAIL, world::PASSWORD).await.status, 200, "nothing was changed");
    }

    async fn a_password_change_needs_the_old_one_and_ends_other_sessions(house: House) {
        let (other, _) = sign_in::sign_in(&house, EMAIL).await;
        let wrong = put(&house, "/api/Users/password", json!({"oldPassword": "wrong", "newPassword": NEW})).await;
        assert_eq!(wrong.field_errors(), ["/oldPassword: The old password is incorrect."]);
        put(&house, "/api/Users/password", json!({"oldPassword": world::PASSWORD, "newPassword": NEW})).await.expect(204);
        house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(200);
        house.get("/connect/userinfo").by(&other).send().await.expect(401);
        house.get("/connect/userinfo").by(world::FIRST_STEP).send().await.expect(401);
        assert_eq!(first_step(&house, EMAIL, NEW).await.status, 200);
        let (_, to, text) = house.outbox().await.remove(0);
        assert_eq!((to.as_str(), text.contains("was changed")), (EMAIL, true));
    }

    async fn sensitive_changes_need_a_proof_of_the_last_five_minutes(house: House) {
        house.advance(5 * MINUTE);
        assert!(changes(&house).await.iter().all(|answer| answer.status == 422), "still fresh");
        house.advance(1);
        let mut stale = changes(&house).await;
        stale.push(house.delete("/api/Users").by(world::INTAKE).send().await);
        for answer in stale {
            assert_eq!(answer.expect(403)["code"], "fresh-proof");
        }
        let wrong = house.post("/connect/prove", json!({"password": "wrong"})).by(world::INTAKE).send().await;
        assert_eq!(wrong.field_errors(), ["/password: The password is incorrect."]);
        assert_eq!(changes(&house).await[0].status, 403, "a wrong password proves nothing");
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::INTAKE).send().await.expect(204);
        assert_eq!(changes(&house).await[0].status, 422, "proved");
        let trail = house.trail().await;
        assert!(trail.contains(&"proof.failed".to_owned()) && trail.contains(&"session.proved".to_owned()), "{trail:?}");
    }

    async fn an_open_session_cannot_be_used_to_guess_the_password(house: House) {
        for _ in 0..5 {
            house.post("/connect/prove", json!({"password": "wrong"})).by(world::INTAKE).send().await.expect(422);
        }
        let sixth = house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::INTAKE).send().await;
        assert_eq!(sixth.status, 429);
        let change = json!({"oldPassword": world::PASSWORD, "newPassword": NEW});
        assert_eq!(put(&house, "/api/Users/password", change).await.status, 429, "the same limit of five");
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::FIRST_STEP).send().await.expect(401);
    }

    async fn a_new_phone_is_confirmed_by_a_code_and_the_user_gets_an_email(house: House) {
        let ask = json!({"phone": "(714) 555-0199"});
        house.post("/api/Users/phone/challenge", json!({})).by(world::INTAKE).send().await.expect(422);
        let sent = house.post("/api/Users/phone/challenge", ask).by(world::INTAKE).send().await.expect(200);
        assert_eq!(sent["phone"], "+1 ••• ••• 0199");
        let (_, to, text) = house.outbox().await.remove(0);
        assert_eq!(to, "+17145550199");
        let code: String = text.chars().take(6).collect();
        let other_phone = put(&house, "/api/Users/phone", json!({"phone": "+17145550198", "token": code})).await;
        assert_eq!(other_phone.field_errors(), ["/token: Invalid confirmation code."]);
        let other_user = house.put("/api/Users/phone", json!({"phone": "+17145550199", "token": code})).by(world::STAFF);
        assert_eq!(other_user.send().await.status, 422);
        let body = json!({"phone": "+17145550199", "token": code});
        put(&house, "/api/Users/phone", body.clone()).await.expect(204);
        assert_eq!(put(&house, "/api/Users/phone", body).await.status, 422, "a code or link works once");
        let info = house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(200);
        assert_eq!(info["phone_number"], "+17145550199");
        house.get("/connect/userinfo").by(world::FIRST_STEP).send().await.expect(401);
        assert_eq!(house.outbox().await[0].1, EMAIL);
    }

    async fn a_code_for_another_phone_has_five_tries(house: House) {
        house.post("/api/Users/phone/challenge", json!({"phone": "+17145550199"})).by(world::INTAKE).send().await.expect(200);
        let code: String = house.outbox().await[0].2.chars().take(6).collect();
        let wrong = if code == "000000" { "000001" } else { "000000" };
        for _ in 0..5 {
            put(&house, "/api/Users/phone", json!({"phone": "+17145550199", "token": wrong})).await.expect(422);
        }
        let sixth = put(&house, "/api/Users/phone", json!({"phone": "+17145550199", "token": code})).await;
        assert_eq!(sixth.field_errors(), ["/token: Invalid confirmation code."]);
    }

    async fn a_new_email_is_confirmed_by_a_link_and_the_old_address_is_notified(house: House) {
        let reset = reset_link(&house).await;
        let ask = json!({"email": "Ines@new.example", "redirectUri": SITE});
        house.post("/api/Users/email/challenge", ask).by(world::INTAKE).send().await.expect(204);
        let body = link(&house, "/confirm-email").await;
        let info = house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(200);
        assert_eq!(info["email"], EMAIL, "only the link changes it");
        let other = with(body.clone(), "userId", &world::PEOPLE[4].2.to_string());
        assert_eq!(house.put("/api/Users/email", other).send().await.status, 409);
        house.put("/api/Users/email", body.clone()).send().await.expect(204);
        assert_eq!(house.put("/api/Users/email", body).send().await.expect(409)["code"], "expired-link");
        let info = house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(200);
        assert_eq!(info["email"], "Ines@new.example");
        assert_eq!(first_step(&house, "ines@new.example", world::PASSWORD).await.status, 200);
        assert_eq!(first_step(&house, EMAIL, world::PASSWORD).await.status, 400);
        assert_eq!(house.put("/api/Users/password", reset).send().await.status, 409, "links to the old mailbox end");
        assert!(house.outbox().await.iter().any(|(_, to, text)| to == EMAIL && text.contains("another email")));
    }

    async fn a_taken_email_is_revealed_only_by_the_busy_check_and_refused_on_confirm(house: House) {
        let busy = async |email: &str| {
            house.get(&format!("/api/Users/emailBusyness?email={email}")).by(world::INTAKE).send().await
        };
        assert_eq!(busy("Admin@test.example").await.expect(200), json!({"isBusy": true}));
        assert_eq!(busy("free@test.example").await.expect(200), json!({"isBusy": false}));
        assert_eq!(busy(EMAIL).await.expect(200), json!({"isBusy": false}), "the caller's own address");
        let ask = async |email: &str| {
            let body = json!({"email": email, "redirectUri": SITE});
            house.post("/api/Users/email/challenge", body).by(world::INTAKE).send().await
        };
        ask("admin@test.example").await.expect(204);
        assert!(house.outbox().await.is_empty(), "the same answer, but no mail");
        ask("free@test.example").await.expect(204);
        let body = link(&house, "/confirm-email").await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE users SET email = $2, email_key = $2 WHERE id = $1").bind(world::PEOPLE[6].2)
            .bind("free@test.example").execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(house.put("/api/Users/email", body).send().await.refusal(409), "This email is already in use.");
        for _ in 0..7 {
            busy("x@test.example").await.expect(200);
        }
        assert_eq!(busy("x@test.example").await.status, 429, "the eleventh within the hour");
        house.advance(HOUR);
        busy("x@test.example").await.expect(200);
    }

    async fn a_deleted_profile_cannot_sign_in_and_its_email_is_free(house: House) {
        let gone = house.delete("/api/Users").by(world::INTAKE).send().await;
        assert_eq!((gone.status, gone.cookie("__Host-berth").as_deref()), (204, Some("")));
        house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(401);
        house.get("/connect/userinfo").by(world::FIRST_STEP).send().await.expect(401);
        assert_eq!(first_step(&house, EMAIL, world::PASSWORD).await.status, 400);
        let busy = house.get("/api/Users/emailBusyness?email=intake@test.example").by(world::STAFF).send().await;
        assert_eq!(busy.expect(200), json!({"isBusy": false}));
        assert_eq!(count(&house, "SELECT COUNT(*) FROM users WHERE deleted_at IS NOT NULL").await, 1, "the row stays");
        assert!(house.trail().await.contains(&"user.deleted".to_owned()));
    }

    async fn the_last_owner_and_the_last_global_admin_cannot_be_removed(house: House) {
        let owner = house.delete("/api/Users").by(world::OWNER).send().await;
        assert_eq!(owner.refusal(409), "The last owner of an organization cannot be removed or disabled.");
        let global = house.delete("/api/Users").by(world::GLOBAL).send().await;
        assert_eq!(global.refusal(409), "The last global admin cannot be removed or disabled.");
        house.get("/connect/userinfo").by(world::OWNER).send().await.expect(200);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE memberships SET organization_id = $1 WHERE user_id = $2").bind(world::HARBOR)
            .bind(world::PEOPLE[2].2).execute().await.unwrap();
        tx.commit().await.unwrap();
        let both = [world::OWNER, world::OWNER_FREE].map(|token| house.delete("/api/Users").by(token));
        let statuses = steps::statuses(&steps::all_at_once(both.into()).await);
        assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [(204, 1), (409, 1)], "one of the two can be deleted");
    }
}
