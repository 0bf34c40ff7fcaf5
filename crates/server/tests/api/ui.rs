//! The embedded web application: files, caching, compression, the page and its nonce.
//!
//! The web build may be missing where these tests run. Tests that need it then report it and check the fallback.

use std::path::Path;

use berth_db::Engine;
use berth_server::app::{Clock, Random};
use berth_server::settings::Settings;
use berth_server::{App, routes};

use crate::harness::{Answer, House};

/// The files of the web build below `web/dist`, if there is one.
fn built(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist").join(folder);
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

#[tokio::test]
async fn every_address_of_the_web_app_returns_its_page_with_a_fresh_nonce() {
    let house = House::empty(Engine::Sqlite).await;
    let mut nonces = Vec::new();
    for path in ["/", "/login", "/paid-rehabs/1/2", "/reservations/guest/1/2?tab=x", "/developers", "/index.html"] {
        let answer = house.get(path).send().await;
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(
            answer.header("cache-control"),
            "no-store",
            "{path}: the page contains a nonce for this answer only"
        );
        assert!(!answer.text.contains("__BERTH_"));
        let built = answer.status == 200;
        // The demo's address: the banner is in the first frame, before any request.
        assert!(!built || answer.text.contains("content=\"https://admin.berth.example\""), "{path}");
        let policy = answer.header("content-security-policy");
        let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap().to_owned();
        assert!(answer.text.contains(&format!("nonce=\"{nonce}\"")), "{path}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"), "{policy}");
        assert!(!nonces.contains(&nonce), "a nonce was used twice");
        nonces.push(nonce);
    }
}

#[tokio::test]
async fn unknown_api_addresses_and_missing_files_do_not_return_the_page() {
    let house = House::empty(Engine::Sqlite).await;
    for path in ["/api/nothing", "/API/nothing", "/connect/nothing", "/files/a.png", "/dev/nothing", "/nothing.png"] {
        let answer = house.get(path).send().await;
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        let policy = "default-src 'none'; frame-ancestors 'none'";
        assert_eq!(
            answer.header("content-security-policy"),
            policy,
            "{path}: the policy of other files allows nothing"
        );
        answer.expect(404);
    }
    for path in ["/assets/nothing-12345678.js", "/assets", "/assets/", "/.vite/manifest.json", "/../Cargo.toml"] {
        assert_eq!(house.get(path).status().await, 404, "{path}");
    }
    assert_eq!(house.ask(axum::http::Method::POST, "/login").status().await, 405);
}

#[tokio::test]
async fn files_with_a_hash_in_their_name_are_cached_forever_and_others_are_revalidated() {
    let house = House::empty(Engine::Sqlite).await;
    if built("assets").is_empty() {
        assert_eq!(house.get("/").status().await, 503);
        return;
    }
    for name in built("assets").iter().filter(|name| name.ends_with(".js") || name.ends_with(".woff2")) {
        let answer = house.get(&format!("/assets/{name}")).send().await;
        assert_eq!(answer.status, 200, "{name}");
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    }
    let icon = house.get("/favicon.svg").send().await;
    assert_eq!((icon.status, icon.header("content-type")), (200, "image/svg+xml"));
    assert_eq!(icon.header("cache-control"), "no-cache");
    let again = house.get("/favicon.svg").header("if-none-match", icon.header("etag")).send().await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_eq!(again.header("etag"), icon.header("etag"));
}

#[tokio::test]
async fn scripts_are_sent_in_the_best_compression_the_client_accepts() {
    let house = House::empty(Engine::Sqlite).await;
    let largest = built("assets").into_iter().filter(|name| name.ends_with(".js")).max_by_key(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist/assets").join(name);
        std::fs::metadata(path).map_or(0, |metadata| metadata.len())
    });
    let Some(name) = largest else { return };
    let path = format!("/assets/{name}");
    let size = async |accepted: &str| {
        let answer = house.get(&path).header("accept-encoding", accepted).open().await;
        let encoding = answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(answer.headers()["content-type"], "text/javascript; charset=utf-8");
        assert!(answer.headers()["vary"].to_str().unwrap().to_lowercase().contains("accept-encoding"));
        (encoding, axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().len())
    };
    let (none, plain) = size("identity").await;
    let (gzip, smaller) = size("gzip, deflate").await;
    let (brotli, smallest) = size("gzip, deflate, br").await;
    assert_eq!((none, gzip.as_deref(), brotli.as_deref()), (None, Some("gzip"), Some("br")));
    assert!(smallest < plain && smaller < plain, "{smallest} {smaller} {plain}");
    // Files that the build compressed are sent unchanged; a manual build may have compressed none.
    for (ending, size) in [("br", smallest), ("gz", smaller)] {
        let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../web/dist/assets/{name}.{ending}"));
        let prepared = std::fs::metadata(prepared).map_or(size as u64, |metadata| metadata.len());
        assert_eq!(size as u64, prepared, "{ending}");
    }
    let (refused, _) = size("br;q=0, gzip").await;
    assert_eq!(refused.as_deref(), Some("gzip"));
    assert_eq!(house.get(&format!("{path}.br")).status().await, 404, "the compressed file has no address of its own");
}

/// A house with these settings of the public page.
async fn with_find_page(find_page: Option<bool>, ancestors: &[&str]) -> House {
    let mut house = House::empty(Engine::Sqlite).await;
    let find_frame_ancestors = ancestors.iter().map(ToString::to_string).collect();
    let settings = Settings { find_page, find_frame_ancestors, ..house.app.settings.clone() };
    let clock = Clock::Fixed(std::sync::Arc::clone(&house.clock));
    house.router = routes::build(App::new(house.db().clone(), settings, clock, Random::seeded(3)));
    house
}

/// The `frame-ancestors` part of the policy.
fn ancestors(answer: &Answer) -> String {
    let policy = answer.header("content-security-policy");
    policy.split("frame-ancestors ").nth(1).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_public_page_is_served_only_if_the_settings_allow_it() {
    let on = with_find_page(None, &[]).await.get("/find?place=Orange").send().await;
    let off = with_find_page(Some(false), &[]).await.get("/find").send().await;
    if built("assets").is_empty() {
        assert_eq!((on.status, off.status), (503, 503), "the demo serves it, and nothing is built here");
    } else {
        assert_eq!((on.status, off.status), (200, 404));
        assert!(!on.text.contains("__BERTH_") && on.text != off.text);
        assert_eq!(on.header("cache-control"), "no-store");
    }
    let house = with_find_page(Some(true), &[]).await;
    assert_eq!(house.get("/find.html").status().await, 404, "the file has no address of its own");
    let defaults = Settings::default();
    assert!(!defaults.serves_find_page() && Settings { demo: true, ..defaults }.serves_find_page());
}

#[tokio::test]
async fn only_the_public_page_may_be_framed_and_only_by_configured_origins() {
    let named = ["https://county.example.org", "https://clinic.example.com:8443"];
    let house = with_find_page(Some(true), &named).await;
    let page = house.get("/find").send().await;
    if !built("assets").is_empty() {
        assert_eq!((ancestors(&page), page.headers.get("x-frame-options")), (named.join(" "), None));
        let policy = page.header("content-security-policy");
        assert!(!policy.contains("stripe") && !policy.contains("unsafe"), "{policy}");
        assert!(!page.headers.contains_key("set-cookie"));
    }
    for path in ["/", "/login", "/api/public/sites", "/find/more"] {
        let other = house.get(path).send().await;
        assert_eq!((ancestors(&other).as_str(), other.header("x-frame-options")), ("'none'", "DENY"), "{path}");
    }
    let alone = with_find_page(Some(true), &[]).await.get("/find").send().await;
    assert_eq!((ancestors(&alone).as_str(), alone.header("x-frame-options")), ("'none'", "DENY"));
    for wrong in ["https://county.example.org/", "county.example.org", "*", "https://a.example.org; script-src *"] {
        let settings = Settings { find_frame_ancestors: vec![wrong.to_owned()], ..Settings::default() };
        assert!(settings.checked().is_err(), "{wrong}");
    }
}
