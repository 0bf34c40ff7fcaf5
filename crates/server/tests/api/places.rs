//! Place search: its suggestions, that a suggestion cannot be forged, and that a failing provider is not noticed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use berth_server::integrations::places::resolve;
use berth_server::routes;
use berth_server::settings::{PlacesProvider, Settings};
use serde_json::{Value, json};

use crate::harness::{HOUR, House, MINUTE};
use crate::mail::node;
use crate::{both_engines, world};

async fn find(house: &House, query: &str, kind: &str) -> Value {
    let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    house.get(&format!("/api/places?query={query}&kind={kind}")).by(world::INTAKE).send().await.expect(200)
}

fn id(found: &Value) -> &str {
    found["items"][0]["id"].as_str().unwrap()
}

/// How the provider behaves, and the requests it got.
#[derive(Default)]
struct Fake {
    answers: Mutex<Vec<(&'static str, Value)>>,
    pause: Mutex<Duration>,
    calls: Mutex<Vec<(String, HeaderMap, String)>>,
}

async fn answer(State(fake): State<Arc<Fake>>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let line = format!("{method} {uri}");
    fake.calls.lock().unwrap().push((line.clone(), headers, String::from_utf8_lossy(&body).into_owned()));
    let pause = *fake.pause.lock().unwrap();
    tokio::time::sleep(pause).await;
    let answers = fake.answers.lock().unwrap();
    let known = answers.iter().find(|(beginning, _)| line.starts_with(beginning));
    known
        .map_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response(), |(_, body)| axum::Json(body).into_response())
}

/// A provider on its own port, and a node that uses it.
async fn with_provider(house: &mut House, answers: Vec<(&'static str, Value)>, google: bool) -> Arc<Fake> {
    let fake = Arc::new(Fake { answers: Mutex::new(answers), ..Fake::default() });
    let router = Router::new().fallback(answer).with_state(Arc::clone(&fake));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let settings = if google {
        Settings {
            places_provider: PlacesProvider::Google,
            places_google_key: Some("the key".to_owned().into()),
            places_google_base_url: address,
            ..Settings::default()
        }
    } else {
        Settings { places_provider: PlacesProvider::Photon, places_photon_url: Some(address), ..Settings::default() }
    };
    house.app = node(house, settings);
    house.router = routes::build(house.app.clone());
    fake
}

fn photon_street() -> Value {
    let feature = |country: &str, number: &str| {
        json!({"type": "Feature", "geometry": {"type": "Point", "coordinates": [-117.91, 33.8]}, "properties": {
            "countrycode": country, "type": "house", "housenumber": number, "street": "South Harbor Boulevard",
            "city": "Anaheim", "state": "California", "postcode": "92802-1234", "osm_id": 7}})
    };
    json!({"type": "FeatureCollection", "features": [feature("CA", "1"), feature("US", "1420"), feature("US", "1420")]})
}

both_engines! {
    async fn a_suggestion_has_city_state_position_and_time_zone(house: House) {
        let mut found = find(&house, "1420 Harbor Blvd, 92802", "address").await;
        found["items"][0]["id"].take();
        assert_eq!(found, json!({"items": [{
            "id": null, "label": "1420 Harbor Blvd, Anaheim, CA 92802", "city": "Anaheim", "state": "CA",
            "postalCode": "92802", "street": "1420 Harbor Blvd", "latitude": 33.8353, "longitude": -117.9145,
            "timeZone": "America/Los_Angeles", "precision": "city",
        }]}));
        assert_eq!(find(&house, "92868", "city").await["items"][0]["label"], "Orange, CA");
        assert_eq!(find(&house, "a", "city").await, json!({"items": []}), "a search needs two characters");
        assert_eq!(find(&house, "<b>zzzzz</b>", "city").await, json!({"items": []}));
        let planet = house.get("/api/places?query=Orange&kind=planet").by(world::INTAKE).send().await;
        assert_eq!(planet.field_errors(), ["/kind: Choose one of: city, address."]);
        assert_eq!(house.get("/api/places?query=Orange").status().await, 401);
    }

    async fn an_id_is_valid_on_every_node_for_an_hour_and_cannot_be_forged(house: House) {
        let found = find(&house, "5 Oak St, Orange, CA", "address").await;
        let id = id(&found);
        let place = resolve(&house.app, id).await.unwrap().unwrap();
        assert_eq!((place.label.as_str(), place.time_zone.as_str()), ("5 Oak St, Orange, CA", "America/Los_Angeles"));
        let other = house.another_node().await;
        assert_eq!(resolve(&other, id).await.unwrap(), Some(place));
        let (body, signature) = id.split_once('.').unwrap();
        let forged = body.replacen('e', "f", 1);
        for wrong in ["", ".", "x", body, &format!("{body}."), &format!("{body}.AAAAAAAAAAAAAAAAAAAAAA"),
            &format!("{forged}.{signature}"), &format!("{body}.{}", &signature[..8]), &format!("{body}.{signature}A")] {
            assert_eq!(resolve(&house.app, wrong).await.unwrap(), None, "{wrong}");
        }
        house.advance(HOUR - 1);
        assert!(resolve(&house.app, id).await.unwrap().is_some());
        house.advance(1);
        assert_eq!(resolve(&house.app, id).await.unwrap(), None, "an hour is over");
        let elsewhere = House::new(house.db().engine()).await;
        let foreign = find(&elsewhere, "5 Oak St, Orange, CA", "address").await;
        let key: String = elsewhere.db().query("SELECT secret FROM installation_keys").scalar().await.unwrap();
        assert_eq!(key.len(), 64);
        assert!(foreign["items"][0]["id"].is_string());
    }

    async fn photon_finds_houses_in_the_country_only(house: House) {
        let mut house = house;
        let fake = with_provider(&mut house, vec![("GET /api?", photon_street())], false).await;
        let found = find(&house, "1420 Harbor & 5th", "address").await;
        let place = resolve(&house.app, id(&found)).await.unwrap().unwrap();
        assert_eq!(found["items"].as_array().unwrap().len(), 1);
        assert_eq!(place.label, "1420 South Harbor Boulevard, Anaheim, CA 92802");
        assert_eq!((place.latitude, place.time_zone.as_str()), (Some(33.8), "America/Los_Angeles"));
        assert_eq!(found["items"][0]["precision"], "street");
        let (line, _, _) = fake.calls.lock().unwrap()[0].clone();
        assert_eq!(line, "GET /api?q=1420+Harbor+%26+5th&lang=en&limit=15&layer=house&layer=street");
    }

    async fn google_suggests_in_one_session_and_returns_the_full_address_on_selection(house: House) {
        let mut house = house;
        let prediction = json!({"suggestions": [{"placePrediction": {"placeId": "ChIJ/../x", "structuredFormat": {
            "mainText": {"text": "1420 S Harbor Blvd"}, "secondaryText": {"text": "Anaheim, CA, USA"}}}}, {"queryPrediction": {}}]});
        let part = |long: &str, short: &str, kind: &str| json!({"longText": long, "shortText": short, "types": [kind]});
        let details = json!({"location": {"latitude": 33.8, "longitude": -117.9}, "timeZone": {"id": "America/Los_Angeles"},
            "addressComponents": [part("1420", "1420", "street_number"), part("South Harbor Boulevard", "S Harbor Blvd", "route"),
                part("Anaheim", "Anaheim", "locality"), part("California", "CA", "administrative_area_level_1"),
                part("92802", "92802", "postal_code")]});
        let answers = vec![("POST /v1/places:autocomplete", prediction), ("GET /v1/places/ChIJ%2F..%2Fx?", details)];
        let fake = with_provider(&mut house, answers, true).await;
        let found = find(&house, "1420 har", "address").await;
        assert_eq!(found["items"][0]["label"], "1420 S Harbor Blvd, Anaheim, CA");
        let place = resolve(&house.app, id(&found)).await.unwrap().unwrap();
        assert_eq!(place.label, "1420 S Harbor Blvd, Anaheim, CA 92802");
        assert_eq!(place.latitude, Some(33.8));
        let calls = fake.calls.lock().unwrap().clone();
        assert!(calls.iter().all(|(_, headers, _)| headers["x-goog-api-key"] == "the key"));
        let asked: Value = serde_json::from_str(&calls[0].2).unwrap();
        let session = asked["sessionToken"].as_str().unwrap();
        assert!(calls[1].0.contains(&format!("sessionToken={session}")), "one session: {}", calls[1].0);
        assert_eq!(asked["includedRegionCodes"], json!(["us"]));
        fake.answers.lock().unwrap().truncate(1);
        let place = resolve(&house.app, id(&found)).await.unwrap().unwrap();
        assert_eq!(place.label, "1420 S Harbor Blvd, Anaheim, CA", "the suggestion is used if Google does not answer");
    }

    async fn a_provider_that_fails_or_hangs_is_replaced_by_the_embedded_list(house: House) {
        let mut house = house;
        let fake = with_provider(&mut house, Vec::new(), false).await;
        assert_eq!(find(&house, "anah", "city").await["items"][0]["label"], "Anaheim, CA");
        *fake.pause.lock().unwrap() = Duration::from_secs(20);
        let begun = Instant::now();
        assert_eq!(find(&house, "anah", "city").await["items"][0]["label"], "Anaheim, CA");
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        *fake.pause.lock().unwrap() = Duration::ZERO;
        fake.answers.lock().unwrap().push(("GET", json!({"features": "none"})));
        assert_eq!(find(&house, "anah", "city").await["items"][0]["label"], "Anaheim, CA");
        house.advance(MINUTE);
    }
}

#[test]
fn settings_of_a_provider_must_be_complete() {
    let told = |settings: Settings| settings.checked().map(drop).unwrap_err().to_string();
    let photon = Settings { places_provider: PlacesProvider::Photon, ..Settings::default() };
    assert_eq!(told(photon.clone()), "places_photon_url is missing");
    assert!(told(Settings { places_photon_url: Some("ftp://x".to_owned()), ..photon }).contains("https://"));
    let google = Settings { places_provider: PlacesProvider::Google, ..Settings::default() };
    assert_eq!(told(google), "places_google_key is missing");
}
