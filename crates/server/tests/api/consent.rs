//! Consent (DESIGN 5): an invitation does not reveal who has an account, nobody becomes a member of a place without
//! accepting, and an interrupted invitation can be continued.

use serde_json::{Value, json};

use crate::browser::{Browser, SESSION, code_to};
use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::{both_engines, sign_in, world};

const SITE: &str = "http://localhost:8080";
/// The owner of another organization, known there as "Test Person".
const KNOWN: &str = "owner.foreign@test.example";
const NEW: &str = "new@test.example";
const PASSWORD: &str = "Calm-Harbor 7 lights";

fn invitation(email: &str) -> Value {
    json!({"redirectUri": SITE, "email": email, "firstName": "Typed", "lastName": "Name", "siteId": world::HARBOR_HOUSE,
        "role": "Intake", "receiveReservationTexts": true})
}

async fn invite(house: &House, body: Value) -> Answer {
    house.post("/api/AccessUsers/siteScopeUsers", body).by(world::OWNER).send().await
}

/// Returns the token of the newest invitation mail.
async fn token(house: &House) -> String {
    let mails = house.outbox().await;
    let (_, rest) = mails.iter().find_map(|(_, _, body)| body.split_once("#access_token=")).expect("a link");
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn open(browser: &mut Browser, house: &House, token: &str) -> Answer {
    let fields = [("grant_type", "invitation"), ("access_token", token), ("session", "cookie")];
    browser.send(house.form("/connect/token", &fields)).await
}

async fn create_password(browser: &mut Browser, house: &House) -> Answer {
    browser.send(house.post("/api/Users/password", json!({"password": PASSWORD}))).await
}

/// Completes a sign-in after the password: phone and code.
async fn finish(browser: &mut Browser, house: &House) {
    browser.challenge(house, json!({"phone": "+17145550177"})).await.expect(200);
    let otp = code_to(house, "+17145550177").await;
    browser.exchange(house, &otp).await.expect(200);
}

async fn users(house: &House, query: &str) -> Vec<Value> {
    let path = format!("/api/AccessUsers?organizationId={}&{query}", world::HARBOR);
    house.get(&path).by(world::OWNER).send().await.expect(200)["items"].as_array().unwrap().clone()
}

/// Removes what differs between any two invitations.
fn without_ids(mut user: Value) -> Value {
    user["id"] = json!("id");
    user["user"] = json!("person");
    user
}

both_engines! {
    async fn an_invitation_looks_the_same_whoever_is_invited_until_it_is_accepted(house: House) {
        let unknown = invite(&house, invitation("Nobody@Test.Example")).await.expect(201);
        let known = invite(&house, invitation("Owner.Foreign@Test.Example")).await.expect(201);
        assert_eq!(without_ids(known.clone()), without_ids(unknown.clone()));
        assert_eq!((&known["firstName"], &known["lastName"]), (&json!("Typed"), &json!("Name")));
        assert_eq!(known["user"], json!({"id": known["id"], "email": "Owner.Foreign@Test.Example"}), "as typed");
        assert_eq!(users(&house, "search=person").await.iter().filter(|user| user["user"]["email"] == "Owner.Foreign@Test.Example").count(), 0);
        assert_eq!(users(&house, "search=typed").await.len(), 2);

        let accepted = sign_in::sign_in(&house, KNOWN).await.0;
        let path = format!("/api/Users/invitations/{}/acceptance", known["id"].as_str().unwrap());
        house.post(&path, json!({})).by(&accepted).send().await.expect(204);
        let found = users(&house, "search=person").await;
        let user = found.iter().find(|user| user["id"] == known["id"]).expect("the accepted one");
        assert_eq!((&user["firstName"], &user["user"]["email"]), (&json!("Test"), &json!(KNOWN)), "now it is a colleague");
        assert_eq!(user["user"]["id"], json!(world::PEOPLE[3].2));
    }

    async fn a_known_person_becomes_a_member_only_after_accepting(house: House) {
        let user = invite(&house, invitation(KNOWN)).await.expect(201);
        let text = house.outbox().await.remove(0).2;
        assert!(text.contains("http://localhost:8080/invitations\n") && !text.contains("access_token"), "{text}");
        let site = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let (access, _) = sign_in::sign_in(&house, KNOWN).await;
        house.get(&site).by(&access).send().await.expect(404);
        assert_eq!(house.get("/connect/userinfo").by(&access).send().await.expect(200)["pending_invitations"], 1);
        let list = house.get("/api/Users/invitations").by(&access).send().await.expect(200);
        assert_eq!(list, json!([{"id": user["id"], "role": "Intake", "organizationName": "Harbor Recovery",
            "siteName": "Harbor House", "invitedBy": "Test Person", "createdAt": "2026-03-02T18:00:00.000Z"}]));
        let path = format!("/api/Users/invitations/{}/acceptance", user["id"].as_str().unwrap());
        house.post(&path, json!({})).by(world::STAFF).send().await.expect(404);
        house.post(&path, json!({})).by(world::FIRST_STEP).send().await.expect(401);
        house.post(&path, json!({})).by(&access).send().await.expect(204);
        house.get(&site).by(&access).send().await.expect(200);
        house.post(&path, json!({})).by(&access).send().await.expect(404);
        assert_eq!(house.get("/api/Users/invitations").by(&access).send().await.expect(200), json!([]));
        let info = house.get("/connect/userinfo").by(&access).send().await.expect(200);
        assert_eq!((&info["first_name"], &info["pending_invitations"]), (&json!("Test"), &json!(0)), "an invitation does not rename a person");
        assert!(house.trail().await.contains(&"membership.activated".to_owned()));
    }

    async fn a_declined_invitation_is_gone_and_may_be_sent_again(house: House) {
        let user = invite(&house, invitation(KNOWN)).await.expect(201);
        let path = format!("/api/Users/invitations/{}", user["id"].as_str().unwrap());
        house.delete(&path).by(world::STAFF).send().await.expect(404);
        house.delete(&path).by(world::OWNER_FOREIGN).send().await.expect(204);
        house.delete(&path).by(world::OWNER_FOREIGN).send().await.expect(404);
        assert!(users(&house, "search=owner.foreign").await.is_empty());
        assert!(house.trail().await.contains(&"membership.declined".to_owned()));
        invite(&house, invitation(KNOWN)).await.expect(201);
    }

    async fn an_invited_user_can_sign_in_and_only_answer_invitations(house: House) {
        let first = invite(&house, invitation(KNOWN)).await.expect(201);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE memberships SET deleted_at = $2 WHERE user_id = $1 AND status = 'Active'")
            .bind(world::PEOPLE[3].2).bind(house.app.now()).execute().await.unwrap();
        tx.commit().await.unwrap();
        let mut browser = Browser::at(1);
        browser.sign_in(&house, KNOWN).await;
        let info = browser.send(house.get("/connect/userinfo")).await.expect(200);
        assert_eq!((&info["stage"], &info["pending_invitations"]), (&json!("full"), &json!(1)));
        for path in ["/api/Sites", "/api/Organizations", "/api/live", "/api/Languages", "/api/AccessUsers",
            "/api/Users/emailBusyness?email=x@test.example"] {
            let refused = browser.send(house.get(path)).await;
            assert_eq!(refused.refusal(403), "You have no access yet. Accept an invitation first.", "{path}");
        }
        browser.send(house.post("/connect/extend", json!({}))).await.expect(204);
        browser.send(house.get("/api/Users/sessions")).await.expect(200);
        let path = format!("/api/Users/invitations/{}", first["id"].as_str().unwrap());
        browser.send(house.delete(&path)).await.expect(204);
        browser.send(house.get("/connect/userinfo")).await.expect(401);
        assert_eq!(browser.cookie(SESSION), None, "there is no access left to sign in for");
    }

    async fn a_link_is_used_up_only_by_saving_the_password(house: House) {
        invite(&house, invitation(NEW)).await.expect(201);
        let link = token(&house).await;
        let mut closed = Browser::at(1);
        open(&mut closed, &house, &link).await.expect(200);
        // Back, a closed browser, another computer, ten minutes later.
        for number in 2..5 {
            house.advance(11 * MINUTE);
            let mut browser = Browser::at(number);
            open(&mut browser, &house, &link).await.expect(200);
            open(&mut browser, &house, &link).await.expect(200);
            let info = browser.send(house.get("/connect/userinfo")).await.expect(200);
            assert_eq!(info["has_password"], false);
        }
        let (mut first, mut second) = (Browser::at(8), Browser::at(9));
        for browser in [&mut first, &mut second] {
            open(browser, &house, &link).await.expect(200);
        }
        create_password(&mut first, &house).await.expect(204);
        create_password(&mut second, &house).await.expect(401);
        assert_eq!(open(&mut second, &house, &link).await.expect(400)["error"], "login_required");
        let shown = house.post("/api/public/invitation", json!({"token": link})).send().await.expect(200);
        assert_eq!(shown["state"], "used");
        finish(&mut first, &house).await;
        let info = first.send(house.get("/connect/userinfo")).await.expect(200);
        assert_eq!(info["role_intake_site_ids"], world::HARBOR_HOUSE.to_string(), "saving the password accepted the invitation");
        assert_eq!((&info["first_name"], &info["last_name"]), (&json!("Typed"), &json!("Name")));
    }

    async fn a_withdrawn_or_expired_invitation_accepts_no_password(house: House) {
        let user = invite(&house, invitation(NEW)).await.expect(201);
        let link = token(&house).await;
        let mut browser = Browser::at(1);
        open(&mut browser, &house, &link).await.expect(200);
        let mut elsewhere = invitation(NEW);
        elsewhere["siteId"] = json!(world::OPEN_DOOR);
        house.post("/api/AccessUsers/siteScopeUsers", elsewhere).by(world::ADMIN).send().await.expect(201);
        house.delete(&format!("/api/AccessUsers/{}", user["id"].as_str().unwrap())).by(world::OWNER).send().await.expect(204);
        assert_eq!(create_password(&mut browser, &house).await.expect(409)["code"], "expired-invitation");

        let link = token(&house).await;
        house.advance(7 * 24 * HOUR - 5 * MINUTE);
        open(&mut browser, &house, &link).await.expect(200);
        house.advance(5 * MINUTE);
        assert_eq!(create_password(&mut browser, &house).await.expect(409)["code"], "expired-invitation");
    }

    async fn of_two_invitations_the_linked_one_is_accepted_and_the_other_stays_pending(house: House) {
        let mut other = invitation(NEW);
        other["siteId"] = json!(world::OPEN_DOOR);
        other["firstName"] = json!("Other");
        house.post("/api/AccessUsers/siteScopeUsers", other).by(world::ADMIN).send().await.expect(201);
        let old = token(&house).await;
        house.advance(MINUTE);
        invite(&house, invitation(NEW)).await.expect(201);
        let link = token(&house).await;
        let mut browser = Browser::at(1);
        open(&mut browser, &house, &link).await.expect(200);
        create_password(&mut browser, &house).await.expect(204);
        finish(&mut browser, &house).await;
        let info = browser.send(house.get("/connect/userinfo")).await.expect(200);
        assert_eq!((&info["role_intake_site_ids"], &info["pending_invitations"], &info["first_name"]),
            (&json!(world::HARBOR_HOUSE), &json!(1), &json!("Typed")));
        assert_eq!(open(&mut Browser::at(2), &house, &old).await.expect(400)["error"], "login_required");
        let list = browser.send(house.get("/api/Users/invitations")).await.expect(200);
        let path = format!("/api/Users/invitations/{}/acceptance", list[0]["id"].as_str().unwrap());
        browser.send(house.post(&path, json!({}))).await.expect(204);
        let info = browser.send(house.get("/connect/userinfo")).await.expect(200);
        assert_eq!(info["role_intake_site_ids"], format!("{},{}", world::OPEN_DOOR, world::HARBOR_HOUSE));
        assert_eq!(info["first_name"], "Typed", "the name is kept");
    }

    async fn ten_invitations_an_hour_and_a_hundred_of_a_global_admin(house: House) {
        for number in 0..10 {
            invite(&house, invitation(&format!("new{number}@test.example"))).await.expect(201);
        }
        let eleventh = invite(&house, invitation("new10@test.example")).await;
        assert_eq!((eleventh.status, eleventh.header("retry-after")), (429, "3600"));
        for number in 10..110 {
            let body = invitation(&format!("new{number}@test.example"));
            house.post("/api/AccessUsers/siteScopeUsers", body).by(world::GLOBAL).send().await.expect(201);
        }
        let more = house.post("/api/AccessUsers/siteScopeUsers", invitation("more@test.example")).by(world::GLOBAL).send().await;
        assert_eq!(more.status, 429);
        house.advance(HOUR);
        invite(&house, invitation("new110@test.example")).await.expect(201);
    }

    async fn a_user_invited_without_a_name_sets_it_and_others_change_their_own(house: House) {
        let set = async |first: &str, last: &str| {
            house.put("/api/Users/name", json!({"firstName": first, "lastName": last})).by(world::OWNER).send().await
        };
        assert_eq!(set(" ", "").await.field_errors(), ["/firstName: First name is required", "/lastName: Last name is required"]);
        set(" Olivia <b>", "Hart").await.expect(204);
        let info = house.get("/connect/userinfo").by(world::OWNER).send().await.expect(200);
        assert_eq!((&info["first_name"], &info["last_name"]), (&json!("Olivia"), &json!("Hart")));
        set("Olivia", "Hart").await.expect(204);
        assert_eq!(house.trail().await, ["user.renamed"], "an edit that changes nothing is not recorded");
        house.put("/api/Users/name", json!({"firstName": "A", "lastName": "B"})).by(world::FIRST_STEP).send().await.expect(401);
    }

    async fn a_name_cannot_be_changed_if_the_person_has_access_elsewhere_but_the_role_can(house: House) {
        let listed = async |by: &str| {
            let path = format!("/api/AccessUsers/siteScopeUsers?siteId={}", world::HARBOR_HOUSE);
            let users = house.get(&path).by(by).send().await.expect(200);
            users.as_array().unwrap().iter().find(|user| user["user"]["email"] == "staff@test.example").unwrap().clone()
        };
        // Staff also works at Open Door, which belongs to another organization; the admin is in charge of both sites.
        for (by, rename) in [(world::OWNER, false), (world::ADMIN, true), (world::GLOBAL, true)] {
            assert_eq!(listed(by).await["can"]["rename"], rename, "{by}");
        }
        let user = listed(world::OWNER).await;
        let body = json!({"accessUserId": user["id"], "firstName": "", "lastName": "", "isNamesEditAllowed": false,
            "role": "Intake", "isDisabled": false, "organizationId": world::HARBOR, "receiveReservationTexts": false,
            "siteId": world::HARBOR_HOUSE});
        let path = format!("/api/AccessUsers/{}", user["id"].as_str().unwrap());
        let changed = house.patch(&path, body).by(world::OWNER).send().await.expect(200);
        assert_eq!((&changed["role"], &changed["firstName"], &changed["can"]["rename"]), (&json!("Intake"), &json!("Test"), &json!(false)));
    }

    async fn an_invitation_elsewhere_locks_no_name_before_it_is_accepted(house: House) {
        let global = json!({"redirectUri": SITE, "email": "solo@test.example", "firstName": "Sol", "lastName": "O",
            "siteId": world::HARBOR_HOUSE, "role": "Staff", "receiveReservationTexts": false});
        let user = invite(&house, global).await.expect(201);
        let mut browser = Browser::at(1);
        open(&mut browser, &house, &token(&house).await).await.expect(200);
        create_password(&mut browser, &house).await.expect(204);
        finish(&mut browser, &house).await;
        let mut foreign = invitation("solo@test.example");
        foreign["siteId"] = json!(world::FAR_AWAY);
        let elsewhere = house.post("/api/AccessUsers/siteScopeUsers", foreign).by(world::OWNER_FOREIGN).send().await.expect(201);
        let path = format!("/api/AccessUsers/siteScopeUsers?siteId={}", world::HARBOR_HOUSE);
        let rename = async || {
            let users = house.get(&path).by(world::OWNER).send().await.expect(200);
            users.as_array().unwrap().iter().find(|found| found["id"] == user["id"]).unwrap()["can"]["rename"].clone()
        };
        assert_eq!(rename().await, true);
        let path = format!("/api/Users/invitations/{}/acceptance", elsewhere["id"].as_str().unwrap());
        browser.send(house.post(&path, json!({}))).await.expect(204);
        assert_eq!(rename().await, false);
    }
}
