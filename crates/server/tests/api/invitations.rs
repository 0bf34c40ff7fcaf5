//! Invitations (DESIGN 5; security-and-proof 2.3, rows 5, 10 and 13, attacks 8 and 16): the email, its link, and what the
//! link gives access to.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::{both_engines, world};

const SITE: &str = "http://localhost:8080";
const EMAIL: &str = "new@test.example";

fn invitation(email: &str, redirect_uri: &str) -> Value {
    json!({"redirectUri": redirect_uri, "email": email, "firstName": "Nadia", "lastName": "Flores",
        "siteId": world::HARBOR_HOUSE, "role": "Staff", "receiveReservationTexts": true})
}

async fn invite(house: &House, body: Value) -> Answer {
    house.post("/api/AccessUsers/siteScopeUsers", body).by(world::ADMIN).send().await
}

/// The token in the newest invitation email.
async fn token(house: &House) -> String {
    let (_, _, body) = house.outbox().await.remove(0);
    let (_, rest) = body.split_once("/login/callback#access_token=").unwrap_or_else(|| panic!("no link in {body}"));
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn look(house: &House, token: &str) -> Answer {
    house.post("/api/public/invitation", json!({"token": token})).send().await
}

async fn open(house: &House, token: &str) -> Answer {
    house.form("/connect/token", &[("grant_type", "invitation"), ("access_token", token)]).send().await
}

/// Opens a link and returns the token of the first step.
async fn first_step(house: &House, token: &str) -> String {
    open(house, token).await.expect(200)["access_token"].as_str().unwrap().to_owned()
}

async fn set_password(house: &House, first: &str) -> Answer {
    house.post("/api/Users/password", json!({"password": "Calm-Harbor 7 lights"})).by(first).send().await
}

async fn send_code(house: &House, first: &str, phone: &str) -> Answer {
    house.post("/api/Users/phone/challenge", json!({"phone": phone})).by(first).send().await
}

/// The code in the newest message.
async fn sent_code(house: &House) -> String {
    house.outbox().await[0].2.chars().take(6).collect()
}

async fn exchange(house: &House, first: &str, code: &str) -> Answer {
    let fields = [("grant_type", "two_factor_exchange"), ("pre_two_factor_token", first), ("otp", code)];
    house.form("/connect/token", &fields).send().await
}

/// Accepts as a new user with password, phone and code: a full sign-in.
async fn accept(house: &House, token: &str) -> String {
    let first = first_step(house, token).await;
    set_password(house, &first).await.expect(204);
    send_code(house, &first, "+17145550177").await.expect(200);
    let full = exchange(house, &first, &sent_code(house).await).await.expect(200);
    full["access_token"].as_str().unwrap().to_owned()
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// Counts everything that an invitation writes.
async fn effects(house: &House) -> [i64; 5] {
    [
        count(house, "SELECT COUNT(*) FROM users").await,
        count(house, "SELECT COUNT(*) FROM memberships").await,
        count(house, "SELECT COUNT(*) FROM secrets").await,
        count(house, "SELECT COUNT(*) FROM outbox").await,
        count(house, "SELECT COUNT(*) FROM audit").await,
    ]
}

both_engines! {
    async fn an_invitation_email_leads_to_a_full_sign_in(house: House) {
        let user = invite(&house, invitation(" New@Test.Example ", SITE)).await.expect(201);
        assert_eq!((&user["membershipStatus"], &user["firstName"], &user["user"]["email"]),
            (&json!("PendingInvitation"), &json!("Nadia"), &json!("New@Test.Example")));
        let (channel, to, body) = house.outbox().await.remove(0);
        assert_eq!((channel.as_str(), to.as_str()), ("email", "New@Test.Example"));
        assert!(body.contains("Harbor House (Harbor Recovery) as staff"), "{body}");
        let link = token(&house).await;
        let shown = look(&house, &link).await;
        assert_eq!(shown.expect(200), json!({"organizationName": "Harbor Recovery", "siteName": "Harbor House",
            "role": "Staff", "email": "N•••@Test.Example", "state": "open"}));
        for _ in 0..3 {
            look(&house, &link).await.expect(200);
        }
        let access = accept(&house, &link).await;
        house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(&access).send().await.expect(200);
        assert_eq!(look(&house, &link).await.json()["state"], "used");
        let trail = house.trail().await;
        for action in ["membership.invited", "invitation.used", "password.created", "membership.activated"] {
            assert!(trail.iter().any(|found| found == action), "{action} is not in {trail:?}");
        }
    }

    async fn whoever_opened_the_link_as_well_is_out_once_the_first_password_is_set(house: House) {
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let link = token(&house).await;
        let (other, own) = (first_step(&house, &link).await, first_step(&house, &link).await);
        set_password(&house, &own).await.expect(204);
        for refused in [set_password(&house, &other).await, send_code(&house, &other, "+17145550160").await] {
            assert_eq!(refused.status, 401);
        }
        send_code(&house, &own, "+17145550177").await.expect(200);
        exchange(&house, &own, &sent_code(&house).await).await.expect(200);
    }

    async fn a_code_for_another_phone_is_worth_nothing_once_a_phone_is_confirmed(house: House) {
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let own = first_step(&house, &token(&house).await).await;
        set_password(&house, &own).await.expect(204);
        let signed_in = crate::sign_in::password(&house, EMAIL, "Calm-Harbor 7 lights").await.expect(200);
        let other = signed_in["access_token"].as_str().unwrap();
        send_code(&house, other, "+17145550160").await.expect(200);
        let code_of_other = sent_code(&house).await;
        house.advance(MINUTE);
        send_code(&house, &own, "+17145550177").await.expect(200);
        exchange(&house, &own, &sent_code(&house).await).await.expect(200);
        exchange(&house, other, &code_of_other).await.expect(400);
        let phone: String = house.db().query("SELECT phone FROM users WHERE email_key = 'new@test.example'").scalar().await.unwrap();
        assert_eq!(phone, "+17145550177");
    }

    async fn forty_people_at_one_address_open_their_invitations_in_one_minute_whoever_guesses_there(house: House) {
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let link = token(&house).await;
        for _ in 0..40 {
            look(&house, &link).await.expect(200);
            open(&house, &link).await.expect(200);
        }
        for _ in 0..20 {
            look(&house, "guessed").await.expect(404);
            open(&house, "guessed").await.expect(400);
        }
        assert_eq!((look(&house, "guessed").await.status, open(&house, "guessed").await.status), (429, 429), "guesses count");
        look(&house, &link).await.expect(200);
        open(&house, &link).await.expect(200);
    }

    async fn a_grant_without_its_token_is_a_client_error_not_a_used_link(house: House) {
        for grant in ["invitation", "refresh_token"] {
            for fields in [&[("grant_type", grant)][..], &[("grant_type", grant), ("access_token", ""), ("refresh_token", "")]] {
                let refused = house.form("/connect/token", fields).send().await.expect(400);
                assert_eq!(refused["error"], "invalid_request", "{grant}: {refused}");
                assert!(refused["error_description"].as_str().unwrap().ends_with("is missing."), "{refused}");
            }
        }
    }

    async fn inviting_to_the_same_place_twice_is_refused_with_advice(house: House) {
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let again = invite(&house, invitation("NEW@test.example", SITE)).await;
        let sentence = "This person has already been invited. You can send the invitation again.";
        assert_eq!(again.refusal(409), sentence);
        assert_eq!(again.json()["errors"], json!([{"pointer": "/email", "message": sentence, "code": "already-invited"}]));
        let known = invite(&house, invitation("intake@test.example", SITE)).await;
        assert_eq!(known.refusal(409), "This person already has access.");
        let mut elsewhere = invitation(EMAIL, SITE);
        elsewhere["siteId"] = json!(world::OPEN_DOOR);
        invite(&house, elsewhere).await.expect(201);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM users WHERE email_key = 'new@test.example'").await, 1);
    }

    async fn of_two_invitations_at_once_one_is_sent(house: House) {
        let calls = [0, 1].map(|_| house.post("/api/AccessUsers/siteScopeUsers", invitation(EMAIL, SITE)).by(world::ADMIN));
        let answers = crate::steps::all_at_once(calls.into()).await;
        assert_eq!(crate::steps::statuses(&answers).into_iter().collect::<Vec<_>>(), [(201, 1), (409, 1)]);
        assert_eq!(house.outbox().await.len(), 1);
    }

    async fn foreign_redirects_host_headers_and_line_ends_have_no_effect(house: House) {
        let before = effects(&house).await;
        for uri in [
            "https://evil.example", "http://localhost:8080.evil.example/login/callback", "http://localhost:8081",
            "http://user@localhost:8080/login/callback", "http://localhost:8080/login/callback?next=//evil.example",
            "http://localhost:8080/login/callback#access_token=x", "http://localhost:8080/reset-password",
            "http://localhost:8080/login/callback\r\nBcc: all@evil.example", "http://localhost:8080\n", "//localhost:8080",
            "http://localhost:8080/login/../login/callback/x", "javascript:alert(1)", "", "http://localhost:8080/ login/callback",
        ] {
            let refused = invite(&house, invitation(EMAIL, uri)).await;
            assert_eq!(refused.refusal(400), "redirectUri is not an address of this site.", "{uri}");
            let body = json!({"redirectUri": uri, "email": EMAIL, "firstName": "A", "lastName": "B"});
            let global = house.post("/api/AccessUsers/globalAdmins", body).by(world::GLOBAL).send().await;
            assert_eq!(global.status, 400, "{uri}");
        }
        for email in ["a@b.example\r\nBcc: all@evil.example", "a@b.example,c@d.example", "<a@b.example>"] {
            assert_eq!(invite(&house, invitation(email, SITE)).await.field_errors(), ["/email: Invalid email."]);
        }
        assert_eq!(effects(&house).await, before);
        let call = house.post("/api/AccessUsers/siteScopeUsers", invitation(EMAIL, SITE)).by(world::ADMIN);
        call.header("host", "evil.example").header("x-forwarded-host", "evil.example").send().await.expect(201);
        let body = house.outbox().await.remove(0).2;
        assert!(body.contains("http://localhost:8080/login/callback#") && !body.contains("evil"), "{body}");
    }

    async fn missing_fields_are_reported_in_the_words_of_the_screen(house: House) {
        let empty = |path: &str| json!({"redirectUri": SITE, "role": if path.contains("site") { "Owner" } else { "Staff" },
            "siteId": world::HARBOR_HOUSE});
        let site = house.post("/api/AccessUsers/siteScopeUsers", empty("site")).by(world::ADMIN).send().await;
        assert_eq!(site.field_errors(), ["/email: Please enter your new email", "/firstName: Please enter your first name",
            "/lastName: Please enter your last name", "/role: This role cannot be held here."]);
        let owner = json!({"redirectUri": SITE, "role": "GlobalAdmin", "organizationId": world::HARBOR});
        let owner = house.post("/api/AccessUsers/organizationScopeUsers", owner).by(world::OWNER).send().await;
        assert_eq!(owner.field_errors(), ["/email: Email is a required field.", "/firstName: First Name is mandatory.",
            "/lastName: Last Name is mandatory.", "/role: This role cannot be held here."]);
    }

    async fn an_invitation_sent_again_replaces_the_link_and_is_limited(house: House) {
        let user = invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let old = token(&house).await;
        let path = format!("/api/AccessUsers/{}/invitation", user["id"].as_str().unwrap());
        let again = async |uri: &str| house.post(&path, json!({"redirectUri": uri})).by(world::ADMIN).send().await;
        assert_eq!(again("https://evil.example").await.status, 400);
        house.advance(MINUTE);
        again(SITE).await.expect(202);
        let new = token(&house).await;
        assert_eq!(look(&house, &old).await.json()["state"], "expired");
        assert_eq!(open(&house, &old).await.expect(400)["error"], "expired_token");
        for _ in 0..4 {
            again(SITE).await.expect(202);
        }
        assert_eq!(again(SITE).await.status, 429, "five a minute");
        assert_eq!(open(&house, &new).await.status, 400, "only the newest link works");
        let newest = token(&house).await;
        accept(&house, &newest).await;
        house.advance(MINUTE);
        assert_eq!(again(SITE).await.refusal(409), "This person has already accepted the invitation.");
        assert_eq!(house.post(&path, json!({"redirectUri": SITE})).by(world::OWNER_FOREIGN).send().await.status, 404);
        assert_eq!(house.post(&path, json!({"redirectUri": SITE})).by(world::STAFF).send().await.status, 403);
    }

    async fn anyone_can_renew_an_expired_link_and_the_email_goes_to_the_invited_person(house: House) {
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let old = token(&house).await;
        house.advance(7 * 24 * HOUR);
        assert_eq!(look(&house, &old).await.json()["state"], "expired");
        assert_eq!(open(&house, &old).await.expect(400)["error"], "expired_token");
        let renew = async |token: &str| house.post("/api/public/invitation/renewal", json!({"token": token})).send().await;
        renew(&old).await.expect(202);
        assert_eq!(house.outbox().await[0].1, EMAIL);
        accept(&house, &token(&house).await).await;
        let mails = house.outbox().await.len();
        house.advance(MINUTE);
        let (known, unknown) = (renew(&old).await, renew("berth_i_nothing").await);
        assert_eq!((known.status, &known.text), (202, &unknown.text), "used up and unknown look alike");
        assert_eq!(house.outbox().await.len(), mails, "and send nothing");
        for _ in 0..3 {
            renew("berth_i_nothing").await.expect(202);
        }
        assert_eq!(renew(&old).await.status, 429, "five a minute");
        assert_eq!(look(&house, "berth_i_nothing").await.status, 404);
    }

    async fn a_renewal_takes_the_same_time_with_or_without_an_email(house: House) {
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        for token in [token(&house).await.as_str(), "berth_i_nothing"] {
            let before = Instant::now();
            house.post("/api/public/invitation/renewal", json!({"token": token})).send().await.expect(202);
            assert!(before.elapsed() >= Duration::from_millis(250));
        }
    }

    async fn a_removed_invitation_is_void_and_a_link_works_only_for_its_purpose(house: House) {
        let user = invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let link = token(&house).await;
        let mut other = invitation(EMAIL, SITE);
        other["siteId"] = json!(world::OPEN_DOOR);
        invite(&house, other).await.expect(201);
        house.delete(&format!("/api/AccessUsers/{}", user["id"].as_str().unwrap())).by(world::ADMIN).send().await.expect(204);
        assert_eq!(look(&house, &link).await.json()["state"], "expired");
        assert_eq!(open(&house, &link).await.expect(400)["error"], "expired_token");
        let mails = house.outbox().await.len();
        house.post("/api/public/invitation/renewal", json!({"token": link})).send().await.expect(202);
        assert_eq!(house.outbox().await.len(), mails);
    }

    async fn emails_to_one_address_are_limited_across_inviters(house: House) {
        for site in [world::HARBOR_HOUSE, world::OPEN_DOOR] {
            for _ in 0..2 {
                let mut body = invitation(EMAIL, SITE);
                body["siteId"] = json!(site);
                let user = invite(&house, body).await.expect(201);
                house.delete(&format!("/api/AccessUsers/{}", user["id"].as_str().unwrap())).by(world::ADMIN).send().await.expect(204);
            }
        }
        invite(&house, invitation(EMAIL, SITE)).await.expect(201);
        let mut body = invitation(EMAIL, SITE);
        body["siteId"] = json!(world::OPEN_DOOR);
        assert_eq!(invite(&house, body).await.status, 429);
    }
}
