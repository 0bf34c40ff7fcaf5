//! The embedded web application: files, caching, compression, the page and its nonce.
//!
//! The build may be absent where these tests run; what depends on it then says so and checks what stands in for it.

use std::path::Path;

use berth_db::Engine;

use crate::harness::House;

/// The files of the web build below `web/dist`, if there is one.
fn built(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist").join(folder);
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

#[tokio::test]
async fn every_address_of_the_application_answers_its_page_with_a_fresh_nonce() {
    let house = House::empty(Engine::Sqlite).await;
    let mut nonces = Vec::new();
    for path in ["/", "/login", "/paid-rehabs/1/2", "/reservations/guest/1/2?tab=x", "/developers", "/index.html"] {
        let answer = house.get(path).send().await;
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}: the page holds the nonce of one answer");
        assert!(!answer.text.contains("__BERTH_"));
        let built = answer.status == 200;
        // The demo's address: the banner stands in the first frame, before anything was asked.
        assert!(!built || answer.text.contains("content=\"https://admin.berth.example\""), "{path}");
        let policy = answer.header("content-security-policy");
        let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap().to_owned();
        assert!(answer.text.contains(&format!("nonce=\"{nonce}\"")), "{path}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"), "{policy}");
        assert!(!nonces.contains(&nonce), "a nonce came twice");
        nonces.push(nonce);
    }
}

#[tokio::test]
async fn unknown_addresses_of_the_api_and_missing_files_are_not_the_page() {
    let house = House::empty(Engine::Sqlite).await;
    for path in ["/api/nothing", "/API/nothing", "/connect/nothing", "/files/a.png", "/dev/nothing", "/nothing.png"] {
        let answer = house.get(path).send().await;
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        let policy = "default-src 'none'; frame-ancestors 'none'";
        assert_eq!(answer.header("content-security-policy"), policy, "{path}: what is no page may nothing");
        answer.expect(404);
    }
    for path in ["/assets/nothing-12345678.js", "/assets", "/assets/", "/.vite/manifest.json", "/../Cargo.toml"] {
        assert_eq!(house.get(path).status().await, 404, "{path}");
    }
    assert_eq!(house.ask(axum::http::Method::POST, "/login").status().await, 405);
}

#[tokio::test]
async fn files_with_a_hash_in_their_name_are_kept_for_good_and_others_are_asked_for_again() {
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
async fn scripts_travel_compressed_in_the_best_form_that_the_client_reads() {
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
    // What the build prepared is sent as it is; a build by hand may have prepared nothing.
    for (ending, size) in [("br", smallest), ("gz", smaller)] {
        let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../web/dist/assets/{name}.{ending}"));
        let prepared = std::fs::metadata(prepared).map_or(size as u64, |metadata| metadata.len());
        assert_eq!(size as u64, prepared, "{ending}");
    }
    let (refused, _) = size("br;q=0, gzip").await;
    assert_eq!(refused.as_deref(), Some("gzip"));
    assert_eq!(house.get(&format!("{path}.br")).status().await, 404, "the compressed form has no address of its own");
}
