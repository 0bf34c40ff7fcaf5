//! `/healthz`, `/readyz`, `/metrics`, the API's own documentation and the demo's outbox page.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use berth_db::Engine;
use berth_server::app::{App, Clock, Random};
use berth_server::routes;
use berth_server::settings::Settings;
use tower::ServiceExt;

use crate::harness::{Ask, House};
use crate::sms::Log;
use crate::{both_engines, world};

both_engines! {
    async fn a_running_server_is_live_and_is_ready_while_the_database_answers(house: House) {
        assert_eq!(house.get("/healthz").send().await.expect(200)["status"], "alive");
        assert_eq!(house.get("/readyz").send().await.expect(200)["status"], "ready");
        house.db().close().await;
        let away = house.get("/readyz").send().await;
        assert_eq!(away.refusal(503), "The service is busy. Please try again in a moment.");
        assert!(!away.header("retry-after").is_empty());
        assert_eq!(house.get("/healthz").send().await.status, 200, "a process without its database stays alive");
    }

    async fn metrics_name_routes_by_template_and_never_by_path(house: House) {
        house.get("/api/public/sites/00000000-0000-7000-8000-000000000000").send().await.expect(404);
        house.get("/somewhere/else").send().await;
        let answer = house.get("/metrics").send().await;
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with("application/openmetrics-text"));
        let counted = "berth_http_requests_total{route=\"/api/public/sites/{id}\",method=\"GET\",status=\"4xx\"} 1";
        assert!(answer.text.contains(counted), "{}", answer.text);
        assert!(answer.text.contains("route=\"other\""));
        // Not the zeros of the id: a sum of seconds may have as many.
        assert!(!answer.text.contains("-7000-8000-") && !answer.text.contains("somewhere"));
        for name in ["berth_live_watchers 0", "berth_outbox_waiting 0", "berth_holds_expired_total 0"] {
            assert!(answer.text.contains(name), "{name} is missing: {}", answer.text);
        }
        assert!(answer.text.contains("berth_database_connections{pool="));
        assert!(answer.text.ends_with("# EOF\n"));
    }

    async fn the_outbox_page_shows_texts_as_text(house: House) {
        const PUT: &str = "INSERT INTO outbox (id, channel, recipient, subject, body, created_at, due_at) \
            VALUES ($1, 'email', 'ann@a.example', '<i>hello</i>', $2, $3, $3)";
        let mut tx = house.db().begin().await.unwrap();
        let body = "<script>alert(1)</script>\nhttps://a.example/?a=1&b=2";
        tx.query(PUT).bind(house.app.id()).bind(body).bind(house.app.now()).execute().await.unwrap();
        tx.commit().await.unwrap();
        let page = house.get("/dev/outbox").send().await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        assert!(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.text.contains("<script"));
        assert!(page.text.contains("<a href=\"https://a.example/?a=1&amp;b=2\">"));
        let nonce = page.text.split("nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert!(page.header("content-security-policy").contains(&format!("'nonce-{nonce}'")));

        let json = house.get("/dev/outbox").header("accept", "application/json").send().await.expect(200);
        let message = &json.as_array().unwrap()[0];
        let keys: Vec<&str> = message.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["body", "channel", "createdAt", "id", "subject", "to"]);
        assert_eq!((message["channel"].as_str(), message["body"].as_str()), (Some("email"), Some(body)));
        assert_eq!(message["createdAt"], "2026-03-02T18:00:00.000Z");
    }
}

/// The id that a user reads out from an error is on every log line of the request. It runs on one thread, so that every
/// line is written to the log of this test.
#[tokio::test]
async fn a_failure_is_logged_with_its_request_and_sql_is_not_in_the_answer() {
    const BREAK: &str = "ALTER TABLE insurance_companies RENAME TO broken";
    const REPAIR: &str = "ALTER TABLE broken RENAME TO insurance_companies";
    async fn alter(house: &House, text: &'static str) {
        let mut tx = house.db().begin().await.unwrap();
        tx.query(text).execute().await.unwrap();
        tx.commit().await.unwrap();
    }
    let house = House::new(Engine::Sqlite).await;
    let log = Log::default();
    // With a single subscriber, another test's thread may decide whether a line is logged.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    alter(&house, BREAK).await;
    let answer = house.get("/api/InsuranceCompanies?search=harbor").by(world::GLOBAL).send().await;
    alter(&house, REPAIR).await;
    drop(guard);
    assert_eq!(answer.status, 500, "{}", answer.text);
    assert!(!answer.text.contains("SELECT") && !answer.text.contains("insurance_companies"), "{}", answer.text);
    let id = answer.header("x-request-id").to_owned();
    assert!(answer.text.contains(&id));
    let log = log.text();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(&format!("request_id=\"{id}\""))).collect();
    assert!(lines.iter().any(|line| line.contains("internal error")), "{log}");
    let last = lines.last().unwrap();
    for part in ["route=\"/api/InsuranceCompanies\"", "user_id=", "status=500", "milliseconds=", "request failed"] {
        assert!(last.contains(part), "{part} is missing: {log}");
    }
    assert!(!log.contains("harbor"), "values are not logged: {log}");
}

#[test]
fn a_database_that_is_busy_or_away_is_logged_with_its_cause() {
    let log = Log::default();
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish();
    tracing::subscriber::with_default(subscriber, || {
        let _busy = berth_server::Error::from(berth_db::Error::Busy("lock timeout".into()));
        let _away = berth_server::Error::from(berth_db::Error::Connection("disk I/O error".into()));
    });
    for cause in ["lock timeout", "disk I/O error"] {
        assert!(log.text().contains(cause), "{}", log.text());
    }
}

/// The same house with other settings.
fn with(house: &House, settings: Settings) -> axum::Router {
    let app = App::new(house.db().clone(), settings.checked().unwrap(), Clock::System, Random::System);
    routes::build(app)
}

/// The status of `GET /metrics` from `peer`, with headers.
async fn metrics_from(router: &axum::Router, peer: &str, headers: &[(&str, &str)]) -> u16 {
    let mut request = Request::get("/metrics");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut request = request.body(Body::empty()).unwrap();
    request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
    router.clone().oneshot(request).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn metrics_are_only_for_this_machine_unless_a_token_is_set() {
    let house = House::empty(Engine::Sqlite).await;
    let open = with(&house, Settings::default());
    assert_eq!(metrics_from(&open, "127.0.0.1:5000", &[]).await, 200);
    assert_eq!(metrics_from(&open, "[::1]:5000", &[]).await, 200);
    assert_eq!(metrics_from(&open, "[::ffff:127.0.0.1]:5000", &[]).await, 200);
    assert_eq!(metrics_from(&open, "192.0.2.7:5000", &[]).await, 404);
    let passed_on = [("x-forwarded-for", "192.0.2.7")];
    assert_eq!(metrics_from(&open, "127.0.0.1:5000", &passed_on).await, 404, "a proxy on this machine gives no access");

    let rebound = [("host", "rebound.example")];
    assert_eq!(
        metrics_from(&open, "127.0.0.1:5000", &rebound).await,
        404,
        "a page whose host name points to this machine"
    );
    let origins = vec!["https://berth.example.org".to_owned()];
    let proxied = with(&house, Settings { origins, ..Settings::default() });
    let silent = [("host", "127.0.0.1:8080")];
    assert_eq!(metrics_from(&proxied, "127.0.0.1:5000", &silent).await, 404, "a proxy that says nothing");

    let locked = with(&house, Settings { metrics_token: Some("s3cret".into()), ..Settings::default() });
    assert_eq!(metrics_from(&locked, "192.0.2.7:5000", &[("authorization", "Bearer s3cret")]).await, 200);
    assert_eq!(metrics_from(&locked, "127.0.0.1:5000", &[("authorization", "Bearer s3cre")]).await, 404);
    assert_eq!(metrics_from(&locked, "127.0.0.1:5000", &[]).await, 404);
}

#[tokio::test]
async fn the_outbox_page_exists_only_in_the_demo_and_only_for_this_machine() {
    let house = House::empty(Engine::Sqlite).await;
    let origins = vec!["https://berth.example.org".to_owned()];
    let asked = async |settings: Settings, peer: &str, host: &str| -> u16 {
        let mut request = Request::get("/dev/outbox").header("host", host).body(Body::empty()).unwrap();
        request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
        with(&house, settings).oneshot(request).await.unwrap().status().as_u16()
    };
    let demo = Settings { demo: true, ..Settings::default() };
    assert_eq!(asked(Settings::default(), "127.0.0.1:5000", "localhost").await, 404, "no demo");
    assert_eq!(asked(demo.clone(), "127.0.0.1:5000", "localhost:8080").await, 200);
    assert_eq!(asked(demo.clone(), "192.0.2.7:5000", "localhost:8080").await, 404, "another machine");
    assert_eq!(asked(demo.clone(), "127.0.0.1:5000", "rebound.example").await, 404, "a foreign page");
    let public = Settings { origins: origins.clone(), ..demo.clone() };
    assert_eq!(asked(public, "127.0.0.1:5000", "localhost:8080").await, 404, "a public origin is set");
    let told_twice = Settings { origins, demo_allow_public: true, ..demo };
    assert_eq!(asked(told_twice, "192.0.2.7:5000", "berth.example.org").await, 200);
}

#[tokio::test]
async fn the_documentation_lists_every_operation_of_the_document() {
    let house = House::empty(Engine::Sqlite).await;
    let get = |path: &str| -> Ask { house.get(path) };
    let json = get("/api/openapi.json").send().await;
    let document = json.expect(200);
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    assert_eq!(get("/api/openapi.json").header("if-none-match", json.header("etag")).send().await.status, 304);

    let page = get("/api/docs").send().await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    for (path, item) in document["paths"].as_object().unwrap() {
        let operations = item.as_object().unwrap().keys().filter(|key| *key != "parameters").count();
        let shown = page.text.matches(&format!("<span class=\"path\">{path}</span>")).count();
        assert_eq!(shown, operations, "{path}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(page.text.contains(&format!("id=\"schema-{name}\"")), "{name}");
    }
    // Every link inside the page leads somewhere.
    for link in page.text.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(page.text.contains(&format!("id=\"{link}\"")), "#{link}");
    }
    assert!(!page.text.contains("<script") && !page.text.contains("src=") && !page.text.contains("style=\""));
}

#[test]
fn each_operation_of_the_document_has_an_id_of_its_own() {
    // The web's types are generated by these ids: of two operations with the same id, one would get the types of the other.
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let mut ids: Vec<&str> = operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    let count = ids.len();
    assert!(count > 150, "{count} operations have an id");
    ids.sort_unstable();
    let twice: Vec<_> = ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(twice.is_empty(), "several operations are named {twice:?}");
}
