//! Helpers for tests of a site's creation, edits and removal: payloads, calls, and checks.

use berth_domain::id::SiteId;
use serde_json::{Value, json};

use crate::harness::{Answer, House};
use crate::sites::page;
use crate::world;

/// The path at which a commercial site is created.
pub const COMMERCIAL: &str = "/api/Sites/commercial";
/// The path at which a non-commercial site is created.
pub const NON_COMMERCIAL: &str = "/api/Sites/nonCommercial";
/// The address that an invitation leads to.
pub const REDIRECT: &str = "http://localhost:8080/login/callback";

/// Adds only the row of an uploaded picture. The first word of its name says what it is for.
pub async fn picture(house: &House, name: &str) -> String {
    let prefix = format!("{}_", name.split('_').next().unwrap());
    world::picture(&house.app, name, &prefix).await
}

/// The first suggestion for a typed address.
pub async fn place(house: &House, typed: &str) -> Value {
    let query = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect::<String>();
    let places = house.get(&format!("/api/places?query={query}&kind=city")).by(world::OWNER).send().await.expect(200);
    places["items"][0].clone()
}

/// The fields that every payload has.
pub fn told(address: &Value, images: &[&str]) -> Value {
    let images: Vec<Value> =
        images.iter().enumerate().map(|(index, path)| json!({"imagePath": path, "index": index})).collect();
    json!({
        "name": "Cedar Court", "alias": "The Court", "description": "A quiet house. ".repeat(6),
        "address": address["label"], "placeId": address["id"], "contactWeb": "cedar.example",
        "contactPhone": "(714) 555-0134", "contactEmail": "cedar@test.example",
        "intakePeriods": [{"timePeriod": "Monday to Friday", "from": "09:00:00", "to": "17:00:00", "enabled": true},
            {"timePeriod": "Weekends", "from": null, "to": null, "enabled": false},
            {"timePeriod": "Holidays", "from": "00:01:00", "to": "00:01:00", "enabled": true}],
        "showDaysOfWeek": true, "screeningPeriod": "00:12:00:00", "languageIds": ["es", "en"],
        "serviceIds": ["mental-health", "drug-treatment"], "insuranceIds": [], "nonCommercialPaymentMethodIds": [],
        "images": images, "lengthOfStayDaysMin": null, "lengthOfStayDaysMax": null
    })
}

/// A new site of a non-commercial organization, with two houses.
pub async fn free(house: &House) -> Value {
    let mut body = told(&place(house, "Anaheim").await, &[]);
    body["organizationId"] = json!(world::OPEN_HANDS);
    body["adminEmail"] = json!("robin.reyes@test.example");
    body["adminFirstName"] = json!("Robin");
    body["adminLastName"] = json!("Reyes");
    body["nonCommercialPaymentMethodIds"] = json!(["moc", "pp"]);
    let beds = json!([{"type": "Detox", "count": 1}, {"type": "Sober Living", "count": 2}]);
    body["rooms"] = json!([{"name": null, "imagePath": null, "beds": beds},
        {"name": "Pier", "imagePath": null, "beds": [{"type": 2, "count": 1}]}]);
    body["redirectUri"] = json!(REDIRECT);
    body
}

/// A new site of a commercial organization, with a photo and no house.
pub async fn paid(house: &House, photo: &str) -> Value {
    let mut body = told(&place(house, "Denver").await, &[photo]);
    for (name, value) in free(house).await.as_object().unwrap() {
        if name.starts_with("admin") || name == "redirectUri" {
            body[name] = value.clone();
        }
    }
    body["organizationId"] = json!(world::HARBOR);
    body["rooms"] = json!([]);
    body
}

/// Creates a site.
pub async fn create(house: &House, path: &str, body: &Value, token: &str) -> Answer {
    house.post(path, body.clone()).by(token).send().await
}

/// The payload with another value in one field.
pub fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// An edit of a site that changes nothing.
pub async fn as_it_is(house: &House, site: SiteId) -> Value {
    let now = page(house, site, world::GLOBAL).await.expect(200);
    let ids = |list: &Value| -> Vec<Value> { list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect() };
    let mut body = json!({"id": site, "editVersion": now["editVersion"], "rooms": []});
    for name in [
        "name",
        "alias",
        "description",
        "address",
        "contactWeb",
        "contactPhone",
        "contactEmail",
        "intakePeriods",
        "showDaysOfWeek",
        "images",
        "isDisabled",
        "timeZone",
    ] {
        body[name] = now[name].clone();
    }
    body["screeningPeriod"] = now["screeningPeriod"]["value"].clone();
    body["languageIds"] = json!(ids(&now["languages"]));
    body["serviceIds"] = json!(ids(&now["services"]));
    body["nonCommercialPaymentMethodIds"] = json!(ids(&now["nonCommercialPaymentMethods"]));
    body
}

/// Gives the non-commercial site of the test world the intake hours that its form needs, by an edit.
pub async fn ready(house: &House) -> Value {
    let mut body = as_it_is(house, world::OPEN_DOOR).await;
    body["intakePeriods"] = told(&Value::Null, &[])["intakePeriods"].clone();
    edit(house, world::OPEN_DOOR, &body, world::ADMIN).await.expect(200);
    as_it_is(house, world::OPEN_DOOR).await
}

/// Edits a site at the path of its kind.
pub async fn edit(house: &House, site: SiteId, body: &Value, token: &str) -> Answer {
    let kind = if site == world::OPEN_DOOR { NON_COMMERCIAL } else { COMMERCIAL };
    house.put(&format!("{kind}/{site}"), body.clone()).by(token).send().await
}

/// Removes a site.
pub async fn remove(house: &House, site: SiteId, token: &str) -> Answer {
    house.delete(&format!("/api/Sites/{site}")).by(token).send().await
}

/// The id of a site.
pub fn id(site: &Value) -> SiteId {
    site["id"].as_str().unwrap().parse().unwrap()
}

/// Houses and their beds, as "house: bed, bed".
pub fn houses(site: &Value) -> Vec<String> {
    let name = |one: &Value| one["name"].as_str().unwrap().to_owned();
    let beds = |room: &Value| room["beds"].as_array().unwrap().iter().map(name).collect::<Vec<_>>().join(", ");
    site["rooms"].as_array().unwrap().iter().map(|room| format!("{}: {}", name(room), beds(room))).collect()
}

/// The result of a counting query.
pub async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// Names of the sites that a public search finds.
pub async fn found(house: &House, search: &str) -> Vec<String> {
    let sites = house.get(&format!("/api/public/sites?search={search}")).send().await.expect(200);
    sites["items"].as_array().unwrap().iter().map(|site| site["name"].as_str().unwrap().to_owned()).collect()
}

/// The summaries of an action in the audit trail.
pub async fn summaries(house: &House, action: &str) -> Vec<String> {
    const ROWS: &str = "SELECT summary FROM audit WHERE action = $1 ORDER BY at, id";
    let rows: Vec<(String,)> = house.db().query(ROWS).bind(action.to_owned()).all().await.unwrap();
    rows.into_iter().map(|(summary,)| summary).collect()
}
