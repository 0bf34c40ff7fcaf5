//! Account recovery cannot be blocked (security-and-proof 2.2; docs/decisions/0035): several links for a new password are
//! valid at the same time, and a change of the email can be undone from the old address.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::{both_engines, world};

const EMAIL: &str = "intake@test.example";
const NEW: &str = "Calm-Harbor 7 lights";
const SITE: &str = "http://localhost:8080";

/// Requests a link from another network address, as a stranger would.
async fn ask_for_reset(house: &House, email: &str, from: u32) -> Answer {
    let body = json!({"email": email, "redirectUri": SITE});
    Browser::at(from).send(house.post("/api/Users/password/reset", body)).await
}

/// Returns the parameters of the links to a page in the mails to an address, newest first.
async fn links(house: &House, to: &str, page: &str) -> Vec<Value> {
    let mails =
        house.outbox().await.into_iter().filter(|(channel, recipient, _)| channel == "email" && recipient == to);
    let urls = mails.filter_map(|(_, _, text)| {
        let link = text.split_whitespace().find(|word| word.starts_with("http"))?;
        url::Url::parse(link).ok().filter(|url| url.path() == page)
    });
    let bodies = urls.map(|url| {
        assert_eq!(url.query(), None, "tokens are in the fragment, which no server sees: {url}");
        let pairs = url::form_urlencoded::parse(url.fragment().unwrap_or_default().as_bytes()).into_owned();
        Value::Object(pairs.map(|(name, value)| (name, Value::String(value))).collect())
    });
    bodies.collect()
}

async fn reset(house: &House, link: &Value) -> u16 {
    let mut body = link.clone();
    body["newPassword"] = json!(NEW);
    house.put("/api/Users/password", body).send().await.status
}

async fn first_step(house: &House, email: &str, password: &str) -> u16 {
    let fields = [("grant_type", "password"), ("username", email), ("password", password)];
    house.form("/connect/token", &fields).send().await.status
}

/// Changes the email of the user with this token and opens the link.
async fn change_email(house: &House, token: &str, email: &str) {
    house.post("/connect/prove", json!({"password": world::PASSWORD})).by(token).send().await.expect(204);
    let body = json!({"email": email, "redirectUri": SITE});
    house.post("/api/Users/email/challenge", body).by(token).send().await.expect(204);
    house.put("/api/Users/email", links(house, email, "/confirm-email").await.remove(0)).send().await.expect(204);
}

both_engines! {
    async fn several_password_links_are_valid_and_using_one_ends_them_all(house: House) {
        for number in 0..3 {
            ask_for_reset(&house, EMAIL, number).await.expect(204);
            house.advance(MINUTE);
        }
        let links = links(&house, EMAIL, "/reset-password").await;
        assert_eq!(links.len(), 3);
        assert_eq!(reset(&house, &links[2]).await, 204, "the oldest link: a stranger's request does not invalidate it");
        for link in &links[..2] {
            assert_eq!(reset(&house, link).await, 409);
        }
    }

    async fn a_strangers_requests_send_valid_links_and_block_nobody(house: House) {
        let mut known = Browser::at(500);
        known.sign_in(&house, EMAIL).await;
        for number in 0..5 {
            ask_for_reset(&house, EMAIL, number).await.expect(204);
        }
        let sixth = ask_for_reset(&house, EMAIL, 6).await;
        assert_eq!((sixth.status, sixth.header("retry-after")), (429, "1800"));
        for _ in 0..5 {
            ask_for_reset(&house, "nobody@test.example", 7).await.expect(204);
        }
        assert_eq!(ask_for_reset(&house, "nobody@test.example", 8).await.status, 429, "an unknown address looks the same");
        house.advance(30 * MINUTE - 1);
        assert_eq!(ask_for_reset(&house, EMAIL, 9).await.status, 429);
        let body = json!({"email": EMAIL, "redirectUri": SITE});
        known.send(house.post("/api/Users/password/reset", body)).await.expect(204);
        let live = links(&house, EMAIL, "/reset-password").await;
        assert_eq!(live.len(), 6, "five of the stranger's requests, one of the known device");
        assert_eq!(reset(&house, &live[5]).await, 204, "even the oldest is valid until more can be requested");
        house.advance(1);
        ask_for_reset(&house, EMAIL, 10).await.expect(204);
    }

    async fn a_known_device_gets_five_links_in_half_an_hour_whatever_its_address_does(house: House) {
        let mut known = Browser::at(1);
        known.sign_in(&house, EMAIL).await;
        for number in 0..20 {
            ask_for_reset(&house, &format!("u{number}@test.example"), 1).await.expect(204);
        }
        assert_eq!(ask_for_reset(&house, "u20@test.example", 1).await.status, 429, "the address must wait");
        let ask = || house.post("/api/Users/password/reset", json!({"email": EMAIL, "redirectUri": SITE}));
        for _ in 0..5 {
            known.send(ask()).await.expect(204);
        }
        assert_eq!(known.send(ask()).await.status, 429);
    }

    async fn a_link_works_whatever_links_others_at_its_address_make_up(house: House) {
        ask_for_reset(&house, EMAIL, 1).await.expect(204);
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::STAFF).send().await.expect(204);
        let body = json!({"email": "new.staff@test.example", "redirectUri": SITE});
        house.post("/api/Users/email/challenge", body).by(world::STAFF).send().await.expect(204);
        let of_password = links(&house, EMAIL, "/reset-password").await.remove(0);
        let of_email = links(&house, "new.staff@test.example", "/confirm-email").await.remove(0);
        // A true token of another user, and of another kind of link, counts as made up.
        let made_up = [
            json!({"token": "guessed", "userId": of_password["userId"]}),
            json!({"token": of_password["token"], "userId": of_email["userId"]}),
            json!({"token": of_email["token"], "userId": of_password["userId"]}),
        ];
        let with_password = |link: &Value| {
            let mut body = link.clone();
            body["newPassword"] = json!(NEW);
            house.put("/api/Users/password", body)
        };
        for number in 0..20 {
            let link = &made_up[number % 3];
            assert_eq!(with_password(link).send().await.expect(409)["code"], "expired-link");
            assert_eq!(house.put("/api/Users/email", link.clone()).send().await.expect(409)["code"], "expired-link");
        }
        let refused = || async {
            let of_password = with_password(&made_up[0]).send().await;
            let of_email = house.put("/api/Users/email", made_up[0].clone()).send().await;
            [of_password, of_email].map(|answer| (answer.status, answer.header("retry-after").to_owned()))
        };
        let must_wait = || [(429, "60".to_owned()), (429, "60".to_owned())];
        assert_eq!(refused().await, must_wait(), "made-up links count");
        assert_eq!(reset(&house, &of_password).await, 204);
        house.put("/api/Users/email", of_email.clone()).send().await.expect(204);
        assert_eq!(reset(&house, &of_password).await, 409, "a used link is known and does not count either");
        house.put("/api/Users/email", of_email).send().await.expect(409);
        assert_eq!(refused().await, must_wait(), "true links take no attempt back");
    }

    async fn undoing_an_email_change_from_the_old_address_signs_everyone_out(house: House) {
        change_email(&house, world::INTAKE, "thief@test.example").await;
        let undo = links(&house, EMAIL, "/undo-email-change").await.remove(0);
        // The thief also changes the password and requests another change of the email. Neither invalidates the undo link.
        let body = json!({"oldPassword": world::PASSWORD, "newPassword": NEW});
        house.put("/api/Users/password", body).by(world::INTAKE).send().await.expect(204);
        let body = json!({"email": "other@test.example", "redirectUri": SITE});
        house.post("/api/Users/email/challenge", body).by(world::INTAKE).send().await.expect(204);
        ask_for_reset(&house, "thief@test.example", 1).await.expect(204);
        let theirs = links(&house, "thief@test.example", "/reset-password").await.remove(0);
        house.advance(MINUTE);

        house.put("/api/Users/email", undo.clone()).send().await.expect(204);
        house.get("/connect/userinfo").by(world::INTAKE).send().await.expect(401);
        assert_eq!(reset(&house, &theirs).await, 409, "links in the thief's mailbox are void");
        assert_eq!(house.put("/api/Users/email", undo).send().await.expect(409)["code"], "expired-link", "one use");
        ask_for_reset(&house, EMAIL, 2).await.expect(204);
        let mut link = links(&house, EMAIL, "/reset-password").await.remove(0);
        link["newPassword"] = json!("Quiet-Harbor 8 boats");
        house.put("/api/Users/password", link).send().await.expect(204);
        assert_eq!(first_step(&house, EMAIL, "Quiet-Harbor 8 boats").await, 200);
        let (_, to, text) = house.outbox().await.into_iter().find(|(_, to, text)| to == "thief@test.example" && text.contains("undone")).unwrap();
        assert_eq!((to.as_str(), text.contains("http")), ("thief@test.example", false));
        assert!(house.trail().await.contains(&"email.change-undone".to_owned()));
    }

    async fn a_later_link_does_not_restore_an_undone_email_change(house: House) {
        change_email(&house, world::INTAKE, "first@thief.example").await;
        let undo = links(&house, EMAIL, "/undo-email-change").await.remove(0);
        house.advance(MINUTE);
        change_email(&house, world::INTAKE, "second@thief.example").await;
        let later = links(&house, "first@thief.example", "/undo-email-change").await.remove(0);
        house.put("/api/Users/email", undo).send().await.expect(204);
        house.put("/api/Users/email", later).send().await.expect(409);
        assert_eq!(first_step(&house, EMAIL, world::PASSWORD).await, 200);
    }

    async fn an_earlier_link_stays_valid_when_a_later_one_is_used(house: House) {
        change_email(&house, world::INTAKE, "first@thief.example").await;
        let undo = links(&house, EMAIL, "/undo-email-change").await.remove(0);
        house.advance(MINUTE);
        change_email(&house, world::INTAKE, "second@thief.example").await;
        let later = links(&house, "first@thief.example", "/undo-email-change").await.remove(0);
        house.put("/api/Users/email", later).send().await.expect(204);
        house.put("/api/Users/email", undo).send().await.expect(204);
        assert_eq!(first_step(&house, EMAIL, world::PASSWORD).await, 200);
    }

    async fn an_email_change_can_be_undone_for_three_days_if_the_address_is_free(house: House) {
        change_email(&house, world::STAFF, "new.staff@test.example").await;
        change_email(&house, world::INTAKE, "new.intake@test.example").await;
        let late = links(&house, "staff@test.example", "/undo-email-change").await.remove(0);
        let taken = links(&house, EMAIL, "/undo-email-change").await.remove(0);
        change_email(&house, world::ADMIN, EMAIL).await;
        assert_eq!(house.put("/api/Users/email", taken).send().await.refusal(409), "This email is already in use.");
        house.advance(72 * HOUR - 1);
        let mut other = late.clone();
        other["userId"] = json!(world::PEOPLE[4].2);
        house.put("/api/Users/email", other).send().await.expect(409);
        house.advance(1);
        house.put("/api/Users/email", late).send().await.expect(409);
    }
}
