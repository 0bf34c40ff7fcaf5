//! Attacks on sign-in with their figures (security-and-proof 5: 1 to 4 and 17): credential stuffing, lockouts, bursts of
//! codes, ended sessions, tokens of another kind.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use berth_db::Engine;
use berth_domain::id::SessionId;
use berth_server::auth::hasher::Hasher;
use berth_server::auth::sessions;
use berth_server::auth::tokens::Kind;
use berth_server::settings::Settings;
use futures_util::future::join_all;
use serde_json::json;
use uuid::Uuid;

use crate::harness::{Answer, Ask, House, MINUTE};
use crate::sign_in::{self, challenge, code, exchange, password, token_of};
use crate::{both_engines, world};

const EMAIL: &str = "intake@test.example";
/// Pairs of email and password tried in the hour. 3,000 gave the same number of guesses per account in ten times the time.
const PAIRS: u32 = 480;
/// Number of parallel attempts.
const BURST: u32 = 12;
/// Attacked emails. The guesses include the right password of the first two; the last four do not exist.
const ATTACKED: [&str; 8] = [
    "owner@test.example",
    "admin@test.example",
    "intake@test.example",
    "staff@test.example",
    "a@nowhere.example",
    "b@nowhere.example",
    "c@nowhere.example",
    "d@nowhere.example",
];
/// An hour of guessing has six windows of five guesses: the pauses between them are 1, 2, 4, 8, 16 and 32 minutes.
const MOST_IN_AN_HOUR: usize = 30;

/// The `number`-th address of a large network.
fn address(number: u32) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(100, 64, 0, 0)) + number)
}

fn first_factor(house: &House, email: &str, password: &str) -> Ask {
    house.form("/connect/token", &[("grant_type", "password"), ("username", email), ("password", password)])
}

/// Counts the audit rows of an action.
async fn noted(house: &House, action: &str) -> usize {
    house.trail().await.iter().filter(|noted| *noted == action).count()
}

/// Requests a code and guesses it, as an attacker with the right password does.
async fn guess_the_code(house: &House, answer: &Answer, from: Ipv4Addr) {
    let first = token_of(answer);
    house.post("/api/Users/phone/challenge", json!({})).by(&first).from(from).send().await;
    for guess in 0..6 {
        let opened = exchange(house, &first, &format!("{guess:06}")).await;
        assert_ne!(
            opened.status, 200,
            "a one-in-a-million code was guessed; try another seed to see whether it was chance"
        );
    }
}

/// Signs in fully in a browser and returns the cookie that makes it a known device.
async fn known_browser(house: &House) -> String {
    let cookie =
        [("grant_type", "password"), ("username", EMAIL), ("password", world::PASSWORD), ("session", "cookie")];
    let first = house.form("/connect/token", &cookie).header("x-berth", "1").send().await;
    let jar = format!("__Host-berth-step={}", first.cookie("__Host-berth-step").unwrap());
    let sent = house.post("/api/Users/phone/challenge", json!({})).header("cookie", &jar).header("x-berth", "1");
    sent.send().await.expect(200);
    let otp = code(house).await;
    let full = [("grant_type", "two_factor_exchange"), ("otp", otp.as_str()), ("session", "cookie")];
    let full = house.form("/connect/token", &full).header("cookie", &jar).header("x-berth", "1").send().await;
    format!("__Host-berth-device={}", full.cookie("__Host-berth-device").unwrap())
}

async fn sign_in_known(house: &House, jar: &str, from: Ipv4Addr) -> u16 {
    first_factor(house, EMAIL, world::PASSWORD).header("cookie", jar).header("x-berth", "1").from(from).status().await
}

#[tokio::test]
async fn a_client_that_disconnects_frees_its_place_in_the_hashing_queue() {
    let house = House::empty(Engine::Sqlite).await;
    let settings = Settings { hashing_permits: 1, hashing_queue: 2, ..Settings::default() };
    let hasher = Hasher::new(&settings);
    let mut served = Box::pin(hasher.hash(&house.app, "first".to_owned()));
    assert!(futures_util::poll!(&mut served).is_pending());
    for _ in 0..10 {
        let mut gone = Box::pin(hasher.verify("second".to_owned(), None));
        assert!(futures_util::poll!(&mut gone).is_pending());
    }
    assert!(!hasher.verify("third".to_owned(), None).await.expect("there is room in the queue"));
    served.await.expect("the first one is served");
}

both_engines! {
    async fn an_hour_of_credential_stuffing_opens_no_session_and_gets_six_windows_of_five(house: House) {
        let mut looked_at: BTreeMap<&str, usize> = BTreeMap::new();
        let mut right = 0;
        for burst in 0..PAIRS / BURST {
            let numbers: Vec<u32> = (burst * BURST..(burst + 1) * BURST).collect();
            let calls = numbers.iter().map(|number| {
                let whom = (number % 8) as usize;
                let guess = if whom < 2 && number % 7 == 0 { world::PASSWORD.to_owned() } else { format!("guess {number}") };
                // Anyone can forge this header.
                let call = first_factor(&house, ATTACKED[whom], &guess).header("x-forwarded-for", &address(77 * number).to_string());
                call.from(address(*number)).send()
            });
            for (number, answer) in numbers.iter().zip(join_all(calls).await) {
                match answer.status {
                    200 => {
                        right += 1;
                        guess_the_code(&house, &answer, address(*number)).await;
                    }
                    400 => *looked_at.entry(ATTACKED[(number % 8) as usize]).or_default() += 1,
                    status => assert_eq!(status, 429, "{}", answer.text),
                }
            }
            house.advance(60 * MINUTE * i64::from(BURST) / i64::from(PAIRS));
        }
        assert!(right > 0, "the right passwords were never checked");
        assert_eq!(noted(&house, "session.opened").await, 0);
        for whom in &ATTACKED[2..] {
            let guesses = looked_at[whom];
            assert!(guesses <= MOST_IN_AN_HOUR, "{guesses} guesses at {whom}");
            assert_eq!(guesses, looked_at[ATTACKED[7]], "known and unknown accounts wait alike");
        }
        eprintln!(
            "FIGURE stuffing: {PAIRS} pairs in an hour from {PAIRS} addresses, {right} right ones planted and looked at, \
             0 full sign-ins, {} guesses an account",
            looked_at[ATTACKED[7]]
        );
    }

    async fn forged_forwarded_addresses_count_as_one_requester(house: House) {
        let mut answers = Vec::new();
        for burst in 0..20 {
            let calls = (burst * 25..(burst + 1) * 25).map(|number| {
                let call = first_factor(&house, &format!("u{number}@test.example"), "guess").from(address(1));
                call.header("x-forwarded-for", &address(number).to_string()).header("forwarded", "for=192.0.2.60").send()
            });
            answers.extend(join_all(calls).await);
        }
        let looked_at = answers.iter().filter(|answer| answer.status == 400).count();
        assert!(looked_at <= 30, "{looked_at}");
        assert!(answers.iter().all(|answer| matches!(answer.status, 400 | 429)));
        eprintln!("FIGURE forged addresses: 500 guesses, {looked_at} looked at");
    }

    async fn a_thousand_failures_of_strangers_do_not_lock_users_out_of_known_browsers(house: House) {
        let jar = known_browser(&house).await;
        let mut entered = 0;
        for round in 0..10 {
            for burst in 0..10 {
                let calls = (0..10).map(|number| {
                    first_factor(&house, EMAIL, "wrong").from(address(round * 100 + burst * 10 + number)).send()
                });
                assert!(join_all(calls).await.iter().all(|answer| matches!(answer.status, 400 | 429)));
                house.advance(MINUTE);
            }
            entered += u32::from(sign_in_known(&house, &jar, address(9_999)).await == 200);
        }
        // Strangers in the same building share its address.
        let calls = (0..40).map(|number| first_factor(&house, &format!("u{number}@test.example"), "wrong").from(address(9_999)).send());
        assert!(join_all(calls).await.iter().any(|answer| answer.status == 429), "the address itself must wait");
        entered += u32::from(sign_in_known(&house, &jar, address(9_999)).await == 200);
        assert_eq!(entered, 11);
        // The browser does not give anyone more guesses than it should, either.
        let calls = (0..20).map(|_| first_factor(&house, EMAIL, "wrong").header("cookie", &jar).header("x-berth", "1").send());
        assert!(join_all(calls).await.iter().filter(|answer| answer.status == 400).count() <= 5);
        let other = first_factor(&house, "staff@test.example", "wrong").header("cookie", &jar).header("x-berth", "1");
        assert_eq!(other.from(address(9_999)).send().await.status, 429, "a known browser is known only for its own user");
        eprintln!("FIGURE locking out: 1000 failures of 1000 addresses and 40 of the same one, the owner entered 11 of 11 times");
    }

    async fn bursts_resends_and_other_sign_ins_give_only_five_attempts(house: House) {
        let first = token_of(&password(&house, EMAIL, world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let mut guessed = 0;
        for round in 0..3 {
            let sent = code(&house).await;
            let guesses: Vec<String> =
                (0..20).map(|guess| format!("{:06}", round * 20 + guess)).filter(|guess| *guess != sent).collect();
            let answers = join_all(guesses.iter().map(|guess| exchange(&house, &first, guess))).await;
            assert!(answers.iter().all(|answer| answer.status == 400));
            guessed += answers.len();
            house.advance(31_000);
            challenge(&house, &first, json!({})).await.expect(401);
        }
        assert_eq!(noted(&house, "code.failed").await, 5);

        // Ten sign-ins of an attacker with the password: five codes an hour, each for its own sign-in.
        let mut sent = 1;
        for _ in 0..10 {
            let other = token_of(&password(&house, EMAIL, world::PASSWORD).await);
            house.advance(31_000);
            if challenge(&house, &other, json!({})).await.status != 200 {
                continue;
            }
            sent += 1;
            let right = code(&house).await;
            let another = token_of(&password(&house, EMAIL, world::PASSWORD).await);
            assert_eq!(exchange(&house, &another, &right).await.status, 400, "the code of another sign-in");
            let wrong = if right == "000000" { "000001" } else { "000000" };
            let answers = join_all((0..20).map(|_| exchange(&house, &other, wrong))).await;
            assert!(answers.iter().all(|answer| answer.status == 400));
            guessed += answers.len() + 2;
            assert_eq!(exchange(&house, &other, &right).await.status, 400, "too late");
        }
        assert_eq!(sent, 5);
        // Five of each code, and the four codes that were tried with another sign-in.
        let looked_at = noted(&house, "code.failed").await;
        assert_eq!(looked_at, 5 * 5 + 4);
        assert_eq!(noted(&house, "session.opened").await, 0);
        eprintln!("FIGURE codes: {guessed} guesses at 5 codes in bursts, {looked_at} looked at, 0 sessions");
    }

    async fn an_ended_session_is_refused_whichever_way_it_ended(house: House) {
        const HELD: &str = "SELECT id FROM memberships WHERE user_id = $1 AND deleted_at IS NULL";
        let mut tried = 0;
        for (person, way) in [(5, "logout"), (6, "disabled"), (4, "removed"), (1, "link"), (2, "password"), (3, "reuse"), (0, "deleted")] {
            let (token, email, user, _) = world::PEOPLE[person];
            let (access, refresh) = sign_in::sign_in(&house, email).await;
            let renew = || house.form("/connect/token", &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]);
            let held: Vec<(Uuid,)> = house.db().query(HELD).bind(user).all().await.unwrap();
            let paths: Vec<String> = held.iter().map(|(id,)| format!("/api/AccessUsers/{id}")).collect();
            match way {
                "logout" => drop(house.post("/connect/logout", json!({})).by(&access).send().await.expect(204)),
                "disabled" => for path in &paths {
                    house.patch(path, json!({"isDisabled": true})).by(world::GLOBAL).send().await.expect(200);
                },
                "removed" => for path in &paths {
                    house.delete(path).by(world::GLOBAL).send().await.expect(204);
                },
                "link" => {
                    let body = json!({"email": email, "redirectUri": "http://localhost:8080"});
                    house.post("/api/Users/password/reset", body).send().await.expect(204);
                    let mails = house.outbox().await;
                    let (_, _, mail) = mails.iter().find(|(_, to, text)| to == email && text.contains("http")).unwrap();
                    let link = mail.split_whitespace().find(|word| word.starts_with("http")).unwrap();
                    let (_, rest) = link.split_once("#token=").unwrap();
                    let secret = rest.split('&').next().unwrap();
                    let body = json!({"token": secret, "userId": user, "newPassword": "Calm-Harbor 7 lights"});
                    house.put("/api/Users/password", body).send().await.expect(204);
                }
                "password" => {
                    let body = json!({"oldPassword": world::PASSWORD, "newPassword": "Calm-Harbor 7 lights"});
                    house.put("/api/Users/password", body).by(token).send().await.expect(204);
                }
                "reuse" => {
                    renew().send().await.expect(200);
                    renew().send().await.expect(400);
                }
                _ => {
                    // A second global admin, because the last one cannot be removed.
                    let mut tx = house.db().begin().await.unwrap();
                    tx.query("INSERT INTO memberships (id, user_id, role, status, created_at) VALUES ($1, $2, 'GlobalAdmin', 'Active', $3)")
                        .bind(house.app.id()).bind(world::PEOPLE[1].2).bind(house.app.now()).execute().await.unwrap();
                    tx.commit().await.unwrap();
                    house.delete("/api/Users").by(token).send().await.expect(204);
                }
            }
            let renewals = join_all((0..8).map(|_| renew().send())).await;
            assert!(renewals.iter().all(|answer| answer.status == 400), "{way}");
            let uses = join_all((0..8).map(|_| house.get("/api/Sites").by(&access).status())).await;
            assert_eq!(uses, [401; 8], "{way}");
            tried += 16;
        }
        eprintln!("FIGURE sessions that are over: 7 ways to end one, {tried} uses afterwards, 0 accepted");
    }

    async fn a_secret_works_only_for_its_own_purpose(house: House) {
        const EVERY: [Kind; 8] = [Kind::FirstStep, Kind::Access, Kind::Refresh, Kind::Cookie, Kind::Invitation, Kind::Reset, Kind::Email, Kind::Device];
        let user = world::PEOPLE[5].2;
        let session = SessionId(Uuid::from_u128(user.0.as_u128() + 0x1000));
        let issue = async |kind: Kind, user, minutes: i64| {
            let mut tx = house.db().begin().await.unwrap();
            let ends = house.app.now().plus_minutes(minutes);
            let secret = sessions::issue(&house.app, &mut tx, kind, user, Some(session), ends).await.unwrap();
            tx.commit().await.unwrap();
            secret
        };
        let grant = async |fields: &[(&str, &str)]| house.form("/connect/token", fields).send().await;
        // True if a secret is accepted as one of a kind.
        let opens = async |kind: Kind, secret: &str| match kind {
            Kind::Access => house.get("/api/Sites").by(secret).status().await == 200,
            Kind::Cookie => house.get("/api/Sites").header("cookie", &format!("__Host-berth={secret}")).status().await == 200,
            Kind::FirstStep => {
                let seen = house.get("/connect/userinfo").by(secret).send().await;
                let tried = exchange(&house, secret, "000000").await;
                seen.json()["stage"] == "first_step" || tried.json()["error"] == "invalid_grant"
            }
            Kind::Refresh => grant(&[("grant_type", "refresh_token"), ("refresh_token", secret)]).await.status == 200,
            Kind::Invitation => {
                house.advance(MINUTE); // Links are limited per requester.
                let shown = house.post("/api/public/invitation", json!({"token": secret})).send().await;
                shown.status == 200 || grant(&[("grant_type", "invitation"), ("access_token", secret)]).await.status == 200
            }
            Kind::Reset => {
                house.advance(MINUTE);
                let body = json!({"token": secret, "userId": user, "newPassword": "Calm-Harbor 7 lights"});
                house.put("/api/Users/password", body).send().await.status == 204
            }
            Kind::Email => {
                house.advance(MINUTE);
                house.put("/api/Users/email", json!({"token": secret, "userId": user})).send().await.status == 204
            }
            Kind::Device => {
                let call = first_factor(&house, EMAIL, "wrong").header("cookie", &format!("__Host-berth-device={secret}"));
                call.header("x-berth", "1").send().await;
                let rows: Vec<(String,)> = house.db().query("SELECT key FROM throttles WHERE key LIKE 'sign-in:device:%'").all().await.unwrap();
                !rows.is_empty()
            }
        };
        let mut tried = 0;
        for (which, kind) in EVERY.into_iter().enumerate() {
            let whole = issue(kind, user, 60).await;
            let late = issue(kind, user, 0).await;
            let foreign = issue(kind, world::PEOPLE[6].2, 60).await;
            let cut = &whole[..whole.len() - 1];
            let altered = format!("{cut}{}", if whole.ends_with('A') { 'B' } else { 'A' });
            let renamed = EVERY.map(|other| format!("berth_{}_{}", char::from(b"farcipedx"[other as usize]), &whole[8..]));
            for (other, purpose) in EVERY.into_iter().enumerate() {
                if other != which {
                    assert!(!opens(purpose, &whole).await, "{kind:?} as {purpose:?}");
                    tried += 1;
                }
            }
            for wrong in [cut, &altered, &late, "", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."] {
                assert!(!opens(kind, wrong).await, "{kind:?}: {wrong}");
                tried += 1;
            }
            for wrong in renamed.iter().filter(|renamed| **renamed != whole) {
                assert!(!opens(kind, wrong).await, "{kind:?}: {wrong}");
                tried += 1;
            }
            if matches!(kind, Kind::Reset | Kind::Email | Kind::Device) {
                assert!(!opens(kind, &foreign).await, "{kind:?} of another user");
                tried += 1;
            }
        }
        // Each secret works for its own purpose; otherwise the checks above would prove nothing.
        for kind in [Kind::Access, Kind::Cookie, Kind::FirstStep, Kind::Refresh, Kind::Device, Kind::Reset] {
            let secret = issue(kind, user, 60).await;
            assert!(opens(kind, &secret).await, "{kind:?}");
        }
        let link = sign_in::invite(&house).await;
        assert!(opens(Kind::Invitation, &link).await);
        eprintln!("FIGURE secrets of another kind, cut, altered, late, renamed, another user's: {tried} tried, 0 accepted");
    }
}
