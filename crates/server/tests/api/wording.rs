//! No answer shows a parser's error text: every operation of the OpenAPI document gets invalid bodies, forms and queries,
//! and each refusal is a sentence, with a pointer if it is about a field. Both engines use the same parsers.

use std::collections::BTreeSet;

use axum::http::Method;
use berth_db::Engine;
use serde_json::{Value, json};

use crate::harness::{Answer, House};
use crate::matrix::{self, Sample};
use crate::{attacks, world};

/// Words that only readers of our code or a library's code understand.
const JARGON: [&str; 36] = [
    "line 1",
    " column",
    "invalid type",
    "invalid value",
    "invalid length",
    "missing field",
    "unknown field",
    "unknown variant",
    "variant",
    "untagged",
    "deseriali",
    "serde",
    "struct ",
    "tuple",
    "enum ",
    "newtype",
    "u8",
    "u16",
    "u32",
    "u64",
    "i32",
    "i64",
    "f64",
    "usize",
    "utf-8",
    "utf8",
    "pars",
    "eof",
    "trailing",
    "expected ",
    "unexpected",
    "`",
    "::",
    "option<",
    "uuid",
    "nul byte",
];

/// Values of every kind, none of which is valid everywhere.
fn values() -> Vec<Value> {
    let deep = json!([[[[{"x": [{}]}]]]]);
    vec![
        json!(null),
        json!(true),
        json!(7),
        json!(-1),
        json!(2.5),
        json!(1e30),
        json!(u64::MAX),
        json!("x"),
        json!(""),
        json!("\u{0}"),
        json!([]),
        json!([7]),
        json!(["x"]),
        json!([{"x": 1}]),
        json!([null]),
        json!({}),
        json!({"x": {}}),
        json!("x".repeat(5000)),
        deep,
    ]
}

/// A body for each wrong value at each place of the schema, down to the fields of lists.
fn spoiled(document: &Value, schema: &Value, whole: &Value) -> Vec<Value> {
    let schema = match schema["$ref"].as_str().and_then(|text| text.strip_prefix("#/components/schemas/")) {
        Some(name) => &document["components"]["schemas"][name],
        None => schema,
    };
    let mut all = values();
    for form in ["oneOf", "anyOf", "allOf"] {
        for part in schema[form].as_array().into_iter().flatten() {
            all.extend(spoiled(document, part, whole));
        }
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        for wrong in spoiled(document, field, &whole[name]) {
            let mut body = if whole.is_object() { whole.clone() } else { json!({}) };
            body[name] = wrong;
            all.push(body);
        }
        // Without the field, and with an additional one.
        let mut less = whole.clone();
        if less.as_object_mut().is_some_and(|fields| fields.remove(name).is_some()) {
            all.push(less);
        }
    }
    if schema["properties"].is_object() {
        let mut more = if whole.is_object() { whole.clone() } else { json!({}) };
        more["unaskedFor"] = json!(1);
        all.push(more);
    }
    if schema["items"].is_object() {
        all.extend(spoiled(document, &schema["items"], &whole[0]).into_iter().map(|item| json!([item])));
    }
    all
}

/// Every sentence of an answer, with its pointer.
fn sentences(answer: &Answer) -> Vec<(String, String)> {
    let body = answer.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut all: Vec<(String, String)> = ["message", "detail", "error_description", "title"]
        .into_iter()
        .filter(|name| body.get(name).is_some())
        .map(|name| (name.to_owned(), text(&body[name])))
        .collect();
    for error in body["errors"].as_array().into_iter().flatten() {
        all.push((text(&error["pointer"]), text(&error["message"])));
    }
    all
}

/// Checks one answer and collects its sentences.
#[track_caller]
fn judge(operation: &str, what: &str, answer: &Answer, seen: &mut BTreeSet<String>) {
    assert!(answer.status < 500, "{operation}: {} to {what}: {}", answer.status, answer.text);
    if answer.status < 400 {
        return;
    }
    let sentences = sentences(answer);
    assert!(!sentences.is_empty(), "{operation}: {} without a sentence to {what}", answer.status);
    for (pointer, sentence) in &sentences {
        let low = sentence.to_lowercase();
        let jargon = JARGON.iter().find(|word| low.contains(*word));
        assert_eq!(jargon, None, "{operation}: {sentence:?} at {pointer:?} to {what}");
        assert!(!sentence.is_empty() && sentence.len() < 500, "{operation}: {sentence:?} to {what}");
        seen.insert(sentence.clone());
    }
    if answer.status == 422 {
        let errors = answer.json()["errors"].as_array().cloned().unwrap_or_default();
        assert!(!errors.is_empty(), "{operation}: no field is named to {what}: {}", answer.text);
        let is_pointer =
            |error: &Value| error["pointer"].as_str().is_some_and(|text| text.is_empty() || text.starts_with('/'));
        assert!(errors.iter().all(is_pointer), "{operation}: {}", answer.text);
    }
}

fn short(what: &str) -> String {
    what.chars().take(300).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_refusal_of_a_body_shows_a_parser_error() {
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let place = &matrix::places()[0];
    let (mut tried, mut seen) = (0, BTreeSet::new());
    for operation in matrix::operations() {
        let (method, template) = operation.split_once(' ').unwrap();
        let schema =
            &document["paths"][template][method.to_lowercase()]["requestBody"]["content"]["application/json"]["schema"];
        let Some(Sample::At(path, good) | Sample::Once(path, good)) = matrix::sample(&operation, place) else {
            continue;
        };
        if schema.is_null() {
            continue;
        }
        let house = matrix::house(Engine::Sqlite).await;
        let method: Method = method.parse().unwrap();
        let ask = || house.ask(method.clone(), &path).by(world::GLOBAL);
        for text in [
            "",
            "{",
            "nonsense",
            "{\"a\":1} more",
            "{\"a\":}",
            "\u{feff}{}",
            "[1,2",
            "{\"a\":\"\\ud800\"}",
            "{\"name\":\"\u{1}\"}",
        ] {
            let answer = ask().raw("application/json", text.as_bytes().to_vec()).send().await;
            judge(&operation, text, &answer, &mut seen);
            tried += 1;
        }
        let answer = ask().raw("application/json", vec![b'"', 0xff, 0xfe, b'"']).send().await;
        judge(&operation, "bytes that are no text", &answer, &mut seen);
        for body in spoiled(&document, schema, &good) {
            let answer = ask().json(body.clone()).send().await;
            judge(&operation, &short(&body.to_string()), &answer, &mut seen);
            tried += 1;
        }
    }
    for known in [
        "Required field.",
        "This field does not exist here.",
        "Send a text here.",
        "Send a whole number here.",
        "Send a list here.",
    ] {
        assert!(seen.contains(known), "{known} was never answered");
    }
    assert!(tried > 3000, "{tried}");
    eprintln!("FIGURE wording: {tried} bodies that do not fit, {} sentences, 0 of a parser", seen.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_refusal_of_a_query_or_a_form_shows_a_parser_error() {
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let house = matrix::house(Engine::Sqlite).await;
    let place = &matrix::places()[0];
    let (mut tried, mut seen) = (0, BTreeSet::new());
    for operation in matrix::operations() {
        let (method, template) = operation.split_once(' ').unwrap();
        let Some(Sample::At(path, _) | Sample::Once(path, _)) = matrix::sample(&operation, place) else { continue };
        let bare = path.split('?').next().unwrap();
        let parameters = document["paths"][template][method.to_lowercase()]["parameters"].as_array().cloned();
        for parameter in parameters.unwrap_or_default().iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            for wrong in
                ["", "x", "-1", "1e9", "99999999999999999999", "%00", "%1b", "%ff%fe", "true", "%5B%5D", "a&{name}=b"]
            {
                let path = format!("{bare}?{name}={}", wrong.replace("{name}", name));
                let answer = house.ask(method.parse().unwrap(), &path).by(world::GLOBAL).send().await;
                judge(&operation, &path, &answer, &mut seen);
                tried += 1;
            }
        }
        if path.contains('?') {
            let answer = house.ask(method.parse().unwrap(), bare).by(world::GLOBAL).send().await;
            judge(&operation, bare, &answer, &mut seen);
        }
    }
    for grant in ["", "password", "two_factor_exchange", "refresh_token", "invitation", "x"] {
        for field in
            ["", "&username=%00", "&username=a&username=b", "&otp=%00", "&refresh_token=&access_token=", "&session=x"]
        {
            let form = format!("grant_type={grant}{field}");
            let ask = house.ask(Method::POST, "/connect/token");
            let answer = ask.raw("application/x-www-form-urlencoded", form.clone().into_bytes()).send().await;
            judge("POST /connect/token", &form, &answer, &mut seen);
            assert!(answer.status == 429 || answer.json()["error"].is_string(), "{}", answer.text);
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
    assert!(seen.contains("This id is not valid."), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_nested_value_is_reported_at_its_own_pointer() {
    let house = House::new(Engine::Sqlite).await;
    let told = async |method: Method, path: &str, body: Value| {
        house.ask(method, path).json(body).by(world::GLOBAL).send().await.field_errors()
    };
    let site = json!({"organizationId": world::OPEN_HANDS, "rooms": [{"beds": [{"count": 1}, {"count": "two"}]}]});
    assert_eq!(
        told(Method::POST, "/api/Sites/nonCommercial", site).await,
        ["/rooms/0/beds/1/count: Send a whole number here."]
    );
    let hours = json!({"intakePeriods": [{"timePeriod": "Weekends", "enabled": "yes"}]});
    let edit = format!("/api/Sites/commercial/{}", world::HARBOR_HOUSE);
    assert_eq!(told(Method::PUT, &edit, hours).await, ["/intakePeriods/0/enabled: Send true or false here."]);
    let site = json!({"siteId": "here", "firstName": "A"});
    assert_eq!(told(Method::POST, "/api/Guests", site).await, ["/siteId: This id is not valid."]);
    let invitation = json!({"redirectUri": "http://localhost:8080", "siteId": world::HARBOR_HOUSE, "role": "King"});
    let roles = "/role: Choose one of: GlobalAdmin, Owner, Admin, Intake, Staff.";
    assert_eq!(told(Method::POST, "/api/AccessUsers/siteScopeUsers", invitation).await, [roles]);
    assert_eq!(told(Method::PUT, "/api/Users/password", json!({"token": "x"})).await, ["/userId: Required field."]);
    assert_eq!(told(Method::PUT, "/api/Users/password", json!({})).await, ["/oldPassword: Required field."]);
    assert!(
        attacks::fields(&serde_json::to_value(berth_server::routes::document()).unwrap(), "PUT /api/Users/password")
            .len()
            >= 4
    );
}
