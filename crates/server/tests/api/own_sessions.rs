//! A browser has one session at a time, an invalid cookie is removed, and users see and end their own sessions.

use serde_json::json;

use crate::browser::{Browser, DEVICE, SESSION, STEP, code_to};
use crate::harness::MINUTE;
use crate::{both_engines, world};

const EMAIL: &str = "intake@test.example";
const OTHER_EMAIL: &str = "staff@test.example";
const WINDOWS: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0";

both_engines! {
    async fn another_sign_in_in_the_same_browser_ends_the_previous_session(house: House) {
        let mut browser = Browser::at(1);
        browser.sign_in(&house, EMAIL).await;
        let mut copy = browser.clone();
        house.advance(MINUTE);
        browser.password(&house, OTHER_EMAIL, "wrong").await.expect(400);
        copy.send(house.get("/api/Sites")).await.expect(200);
        browser.password(&house, OTHER_EMAIL, world::PASSWORD).await.expect(200);
        copy.send(house.get("/api/Sites")).await.expect(401);
        assert!(house.trail().await.contains(&"session.ended".to_owned()));

        // The second step ends a session that was opened in another tab in the meantime.
        let mut tab = Browser::at(1);
        tab.sign_in(&house, EMAIL).await;
        let mut before = tab.clone();
        browser.challenge(&house, json!({})).await.expect(200);
        browser.set(SESSION, tab.cookie(SESSION).unwrap());
        let otp = code_to(&house, world::PEOPLE[6].3).await;
        browser.exchange(&house, &otp).await.expect(200);
        before.send(house.get("/api/Sites")).await.expect(401);
        browser.send(house.get("/api/Sites")).await.expect(200);
    }

    async fn a_repeated_first_step_ends_only_the_previous_one_in_that_browser(house: House) {
        let mut browser = Browser::at(1);
        browser.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        let mut first = browser.clone();
        let mut elsewhere = Browser::at(2);
        elsewhere.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        browser.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        first.send(house.get("/connect/userinfo")).await.expect(401);
        for browser in [&mut browser, &mut elsewhere] {
            browser.send(house.get("/connect/userinfo")).await.expect(200);
        }
    }

    async fn an_invalid_cookie_is_removed_and_a_valid_one_is_kept(house: House) {
        let mut browser = Browser::at(1);
        browser.sign_in(&house, EMAIL).await;
        house.advance(15 * MINUTE);
        browser.send(house.get("/api/Sites")).await.expect(401);
        assert_eq!((browser.cookie(SESSION), browser.cookie(DEVICE).is_some()), (None, true), "the device stays known");

        browser.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        let half = browser.send(house.get("/api/Sites")).await;
        assert_eq!(half.refusal(401), "Please finish signing in with your code first.");
        assert!(browser.cookie(STEP).is_some(), "an unfinished sign-in continues");
        browser.set(SESSION, "berth_c_nothing");
        browser.send(house.get("/connect/userinfo")).await.expect(200);
        assert!(browser.cookie(STEP).is_some());
        house.advance(10 * MINUTE);
        browser.send(house.get("/connect/userinfo")).await.expect(401);
        assert_eq!((browser.cookie(SESSION), browser.cookie(STEP)), (None, None));
    }

    async fn users_see_their_own_sessions_and_can_end_one_of_them(house: House) {
        let mut office = Browser::at(1);
        office.sign_in(&house, EMAIL).await;
        house.advance(MINUTE);
        let mut phone = Browser::at(2);
        phone.password(&house, EMAIL, world::PASSWORD).await.expect(200);
        phone.challenge(&house, json!({})).await.expect(200);
        let otp = code_to(&house, world::PEOPLE[5].3).await;
        let fields = [("grant_type", "two_factor_exchange"), ("otp", otp.as_str()), ("session", "cookie")];
        phone.send(house.form("/connect/token", &fields).header("user-agent", WINDOWS)).await.expect(200);

        let list = phone.send(house.get("/api/Users/sessions")).await.expect(200);
        // The session of the test world was used last, because it never idles.
        let list = &list.as_array().unwrap()[1..];
        assert_eq!(list.len(), 2, "two browsers: {list:?}");
        assert_eq!((&list[0]["isCurrent"], &list[0]["browser"], &list[0]["system"]), (&json!(true), &json!("Edge"), &json!("Windows")));
        assert_eq!((&list[1]["isCurrent"], &list[1]["address"], &list[1]["browser"]), (&json!(false), &json!("100.64.0.1"), &json!(null)));
        let of_office = format!("/api/Users/sessions/{}", list[1]["id"].as_str().unwrap());
        assert_eq!(house.delete(&of_office).by(world::STAFF).send().await.status, 404, "only one's own session");
        phone.send(house.delete(&of_office)).await.expect(204);
        office.send(house.get("/api/Sites")).await.expect(401);
        phone.send(house.delete(&of_office)).await.expect(404);
        phone.send(house.get("/api/Sites")).await.expect(200);
        let own = format!("/api/Users/sessions/{}", list[0]["id"].as_str().unwrap());
        phone.send(house.delete(&own)).await.expect(204);
        assert_eq!(phone.cookie(SESSION), None, "ending the current session signs out");
    }

    async fn signing_out_everywhere_ends_every_session_and_every_known_device(house: House) {
        let mut office = Browser::at(1);
        office.sign_in(&house, EMAIL).await;
        house.advance(MINUTE);
        let mut phone = Browser::at(2);
        phone.sign_in(&house, EMAIL).await;
        let gone = phone.send(house.delete("/api/Users/sessions")).await;
        assert_eq!((gone.status, gone.header("clear-site-data")), (204, "\"cache\""));
        for browser in [&mut office, &mut phone] {
            browser.send(house.get("/api/Sites")).await.expect(401);
        }
        house.get("/api/Sites").by(world::INTAKE).send().await.expect(401);
        house.get("/connect/userinfo").by(world::FIRST_STEP).send().await.expect(401);
        house.get("/api/Sites").by(world::STAFF).send().await.expect(200);
        for number in 0..6 {
            Browser::at(100 + number).password(&house, EMAIL, "wrong").await;
        }
        assert_eq!(office.password(&house, EMAIL, world::PASSWORD).await.status, 429, "there are no known devices left");
    }
}
