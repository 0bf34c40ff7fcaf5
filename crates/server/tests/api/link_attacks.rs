//! Links and headers of emails (security-and-proof 5, attack 8), for every operation that takes a `redirectUri` or writes
//! an email: foreign origins, headers that name another host, line ends.

use berth_db::Engine;
use berth_server::integrations::outbox;
use serde_json::{Value, json};

use crate::attacks;
use crate::both_engines;
use crate::harness::House;
use crate::{matrix, world};

const FOREIGN: [&str; 16] = [
    "https://evil.example",
    "https://evil.example/login/callback",
    "http://localhost:8080.evil.example",
    "http://localhost:8080@evil.example/login/callback",
    "http://evil@localhost:8080/",
    "http://localhost:8081",
    "https://localhost:8080",
    "//evil.example",
    "/\\evil.example",
    "http:evil.example",
    "http://localhost:8080/login/callback?next=https://evil.example",
    "http://localhost:8080/login/callback#@evil.example",
    "http://localhost:8080/..//evil.example",
    "http://localhost:8080\r\nBcc: all@evil.example",
    "javascript:alert('evil')",
    "http://localhost:8080/\u{2028}evil",
];
/// Whatever a proxy or a client may say about the host.
const HOSTS: [(&str, &str); 7] = [
    ("host", "evil.example"),
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-server", "evil.example"),
    ("forwarded", "host=evil.example;proto=https"),
    ("x-original-host", "evil.example"),
    ("x-host", "evil.example"),
    ("referer", "https://evil.example/"),
];
const LINE_ENDS: [&str; 5] =
    ["\r\nBcc: all@evil.example", "\nBcc: all@evil.example\n\nevil", "\r evil", "\u{85}evil", "\u{2028}evil"];

/// The operations that take a `redirectUri`, each with a call that succeeds or gets as far as a sample can.
async fn with_link() -> Vec<attacks::Good> {
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let known = attacks::calls().await;
    let mut all = Vec::new();
    for operation in matrix::operations() {
        if !attacks::fields(&document, &operation).contains_key("redirectUri") {
            continue;
        }
        let good = known.iter().find(|(name, ..)| *name == operation).cloned();
        all.push(good.unwrap_or_else(|| {
            match matrix::sample(&operation, &matrix::places()[usize::from(operation.contains("nonCommercial"))]) {
                Some(matrix::Sample::At(path, body) | matrix::Sample::Once(path, body)) => {
                    (operation, world::GLOBAL, path, body)
                }
                _ => panic!("{operation} takes a redirectUri and has no sample"),
            }
        }));
    }
    assert!(all.len() >= 8, "{all:?}");
    all
}

/// Recipients, subjects and bodies in the outbox.
async fn written(house: &House) -> Vec<(String, String, String)> {
    let mut messages = outbox::newest(&house.app, 10_000).await.unwrap();
    messages.sort_by_key(|message| message.id);
    messages.into_iter().map(|message| (message.to, message.subject, message.body)).collect()
}

async fn call(house: &House, good: &attacks::Good, body: Value, headers: &[(&str, &str)]) -> u16 {
    let (operation, actor, path, _) = good;
    let mut tx = house.db().begin().await.unwrap();
    tx.query("DELETE FROM throttles").execute().await.unwrap();
    tx.commit().await.unwrap();
    let method = operation.split(' ').next().unwrap().parse().unwrap();
    let ask = house.ask(method, path).json(body).by(actor);
    headers.iter().fold(ask, |ask, (name, value)| ask.header(name, value)).send().await.status
}

async fn attack(engine: Engine) {
    let house = matrix::house(engine).await;
    let (mut tried, operations) = (0, with_link().await);
    for good in &operations {
        let before = written(&house).await;
        for uri in FOREIGN {
            let mut body = good.3.clone();
            body["redirectUri"] = json!(uri);
            let status = call(&house, good, body, &[]).await;
            assert!([400, 422].contains(&status), "{} {uri}: {status}", good.0);
            tried += 1;
        }
        assert_eq!(written(&house).await, before, "{}", good.0);
    }
    for good in &operations {
        call(&house, good, good.3.clone(), &HOSTS).await;
        tried += 1;
    }
    let mails = written(&house).await;
    assert!(mails.len() >= 4, "only {mails:?} were written");
    for (recipient, _, body) in &mails {
        assert!(body.contains("http://localhost:8080/") && !body.contains("evil"), "{recipient}: {body}");
    }

    // Line ends in everything that becomes part of an email.
    for good in attacks::calls().await {
        for (name, value) in good.3.as_object().unwrap().clone() {
            let Some(text) = value.as_str().filter(|_| name != "redirectUri") else { continue };
            for end in LINE_ENDS {
                let mut body = good.3.clone();
                body[&name] = json!(format!("{text}{end}"));
                let status = call(&house, &good, body, &[]).await;
                assert!(status < 500, "{} {name}: {status}", good.0);
                tried += 1;
            }
        }
    }
    let heads = written(&house).await;
    for (recipient, subject, _) in &heads {
        assert!(!recipient.chars().chain(subject.chars()).any(char::is_control), "{recipient:?} {subject:?}");
        assert!(!recipient.contains("evil"), "{recipient:?}");
    }
    eprintln!(
        "FIGURE links and heads on {engine:?}: {} operations with a link, {tried} calls, {} mails, 0 with a foreign origin, 0 \
         with a line end in their head",
        operations.len(),
        heads.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mail_leads_to_a_foreign_place_or_gets_another_head_on_sqlite() {
    attack(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mail_leads_to_a_foreign_place_or_gets_another_head_on_postgres() {
    attack(Engine::Postgres).await;
}

both_engines! {
    async fn a_name_that_looks_like_an_address_is_not_a_link_in_an_email(house: House) {
        let mut tx = house.db().begin().await.unwrap();
        for text in [
            "UPDATE sites SET name = 'https://evil.example/win' WHERE name_key = 'harbor house'",
            "UPDATE organizations SET name = 'www.evil.example' WHERE name_key = 'harbor recovery'",
        ] {
            tx.query(text).execute().await.unwrap();
        }
        tx.commit().await.unwrap();
        let body = json!({"redirectUri": "http://localhost:8080", "email": "new@test.example", "firstName": "Nadia",
            "lastName": "Flores", "siteId": world::HARBOR_HOUSE, "role": "Staff", "receiveReservationTexts": true});
        house.post("/api/AccessUsers/siteScopeUsers", body).by(world::ADMIN).send().await.expect(201);
        let mails = written(&house).await;
        assert_eq!(mails.len(), 1);
        for text in [&mails[0].1, &mails[0].2] {
            assert!(text.contains("evil") && !text.contains("evil.example") && !text.contains("https:/"), "{text}");
        }
    }
}
