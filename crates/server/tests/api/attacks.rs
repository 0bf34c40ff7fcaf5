//! Attacks generated from the OpenAPI document (security-and-proof 5, attacks 7 and 9): every body of every operation,
//! with unexpected fields and with markup in every text. They run on SQLite, whose tables can be compared as text;
//! bodies are parsed by the same code on both engines.

use std::collections::BTreeMap;

use berth_db::Engine;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::harness::House;
use crate::matrix::{self, Sample};
use crate::world;

/// For every operation, one of these callers may do it.
const ACTORS: [&str; 4] = [world::GLOBAL, world::OWNER, world::ADMIN, world::FIRST_STEP];

/// Fields that would be dangerous if the server stored them.
fn unasked() -> Vec<(&'static str, Value)> {
    vec![
        ("id", json!(world::FAR_AWAY)),
        ("userId", json!(world::PEOPLE[0].2)),
        ("organizationId", json!(world::FOREIGN)),
        ("siteId", json!(world::FAR_AWAY)),
        ("roomId", json!(world::FAR_ROOM)),
        ("bedId", json!(world::BED_H)),
        ("role", json!("GlobalAdmin")),
        ("roles", json!(["GlobalAdmin"])),
        ("roleGlobal", json!(true)),
        ("isAdmin", json!(true)),
        ("membershipStatus", json!("Active")),
        ("isCommercial", json!(false)),
        ("isDisabled", json!(true)),
        ("deletedAt", json!(1)),
        ("createdAt", json!("2001-01-01T00:00:00Z")),
        ("acceptedAt", json!("2001-01-01T00:00:00Z")),
        ("expiresAt", json!("2099-01-01T00:00:00Z")),
        ("passwordHash", json!("x")),
        ("phoneConfirmedAt", json!(1)),
        ("isActive", json!(true)),
        ("source", json!("Admin")),
        ("allowThird", json!(true)),
    ]
}

/// Tables and their rows, as text.
pub type Stored = BTreeMap<String, Vec<String>>;

/// Every table as text, row by row, except for tables and columns that only record that a call was made.
pub async fn tables(house: &House) -> Stored {
    static SQLITE: OnceCell<Lines> = OnceCell::const_new();
    static POSTGRES: OnceCell<Lines> = OnceCell::const_new();
    let lines = if house.db().engine() == Engine::Sqlite { &SQLITE } else { &POSTGRES };
    let lines = lines.get_or_init(|| lines_of(house)).await;
    let mut all: Stored = lines.tables.iter().map(|table| (table.clone(), Vec::new())).collect();
    let rows: Vec<(String, String)> = house.db().query(lines.text).all().await.unwrap();
    for (table, line) in rows {
        all.get_mut(&table).unwrap().push(line);
    }
    assert!(!all["organizations"].is_empty(), "comparing nothing would always succeed");
    all.values_mut().for_each(|rows| rows.sort_unstable());
    all
}

/// The tables that are compared, and the statement that reads all their rows.
struct Lines {
    tables: Vec<String>,
    text: &'static str,
}

async fn lines_of(house: &House) -> Lines {
    const NAMES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    const COLUMNS: &str = "SELECT name FROM pragma_table_info($1)";
    const NAMES_OF_POSTGRES: &str = "SELECT table_name::text FROM information_schema.tables \
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name";
    const RECORDS: [&str; 8] =
        ["_sqlx_migrations", "audit", "audit_seals", "guest_sets", "throttles", "sessions", "idempotency_keys", "jobs"];
    let sqlite = house.db().engine() == Engine::Sqlite;
    let names: Vec<(String,)> = house.db().query(if sqlite { NAMES } else { NAMES_OF_POSTGRES }).all().await.unwrap();
    let tables = names.into_iter().map(|(name,)| name).filter(|name| !RECORDS.contains(&name.as_str()));
    let tables: Vec<String> = tables.collect();
    let mut parts = Vec::new();
    for table in &tables {
        let line = if sqlite {
            let columns: Vec<(String,)> = house.db().query(COLUMNS).bind(table).all().await.unwrap();
            columns.iter().map(|(name,)| format!("'{name}=' || quote({name})")).collect::<Vec<_>>().join(" || ' ' || ")
        } else {
            format!("{table}::text")
        };
        parts.push(format!("SELECT '{table}' AS name, {line} AS line FROM {table}"));
    }
    Lines { tables, text: parts.join(" UNION ALL ").leak() }
}

/// The fields of an operation's body according to the document, of all its variants together.
pub fn fields(document: &Value, operation: &str) -> BTreeMap<String, Value> {
    let (method, path) = operation.split_once(' ').unwrap();
    let content = &document["paths"][path][method.to_lowercase()]["requestBody"]["content"];
    let mut open = vec![content["application/json"]["schema"].clone()];
    let mut fields = BTreeMap::new();
    while let Some(schema) = open.pop() {
        if let Some(name) = schema["$ref"].as_str().and_then(|text| text.strip_prefix("#/components/schemas/")) {
            open.push(document["components"]["schemas"][name].clone());
        }
        for form in ["oneOf", "anyOf", "allOf"] {
            open.extend(schema[form].as_array().cloned().unwrap_or_default());
        }
        for (name, field) in schema["properties"].as_object().cloned().unwrap_or_default() {
            fields.insert(name, field);
        }
    }
    fields
}

/// An operation with a call that succeeds: caller, path, body.
pub type Good = (String, &'static str, String, Value);

/// The operations that take JSON, each with a call that succeeds; found once for all tests.
pub async fn calls() -> Vec<Good> {
    static FOUND: OnceCell<Vec<Good>> = OnceCell::const_new();
    FOUND.get_or_init(find_calls).await.clone()
}

async fn find_calls() -> Vec<Good> {
    let mut found: Vec<Good> = Vec::new();
    let mut house = matrix::house(Engine::Sqlite).await;
    for operation in matrix::operations() {
        for place in matrix::places().iter().take(2) {
            let Some(Sample::At(path, body) | Sample::Once(path, body)) = matrix::sample(&operation, place) else {
                continue;
            };
            if !body.is_object() || found.iter().any(|(known, ..)| *known == operation) {
                continue;
            }
            for actor in ACTORS {
                let status = call(&house, &operation, actor, &path, body.clone()).await;
                house = matrix::house(Engine::Sqlite).await;
                if (200..300).contains(&status) {
                    found.push((operation.clone(), actor, path.clone(), body.clone()));
                    break;
                }
            }
        }
    }
    assert!(found.len() >= 15, "the samples of the matrix no longer succeed: {found:?}");
    found
}

async fn call(house: &House, operation: &str, actor: &str, path: &str, body: Value) -> u16 {
    let method = operation.split(' ').next().unwrap().parse().unwrap();
    house.ask(method, path).json(body).by(actor).send().await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unexpected_field_is_refused_or_changes_nothing() {
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let untouched = tables(&matrix::house(Engine::Sqlite).await).await;
    let mut tried = 0;
    for (operation, actor, path, body) in calls().await {
        let known = fields(&document, &operation);
        let house = matrix::house(Engine::Sqlite).await;
        let status = call(&house, &operation, actor, &path, body.clone()).await;
        let expected = tables(&house).await;

        let mut more = body;
        for (name, value) in unasked() {
            if !known.contains_key(name) {
                more[name] = value;
                tried += 1;
            }
        }
        let house = matrix::house(Engine::Sqlite).await;
        let answered = call(&house, &operation, actor, &path, more).await;
        let stored = tables(&house).await;
        if answered == status {
            assert_eq!(stored, expected, "{operation} stored a field that is not its own");
        } else {
            assert!([400, 422].contains(&answered), "{operation}: {answered}");
            assert_eq!(stored, untouched, "{operation} was refused but changed something");
        }
    }
    eprintln!("FIGURE mass assignment: {tried} fields tried, 0 stored");
}

crate::both_engines! {
    async fn control_characters_are_refused_everywhere(house: House) {
        let control = "This text contains a control character that cannot be stored. Type it instead of pasting it.";
        for path in ["/api/Organizations?search=a%00b", "/api/public/sites?search=%00", "/api/Dashboard/users?search=%1b"] {
            assert_eq!(house.get(path).by(world::GLOBAL).send().await.field_errors(), [format!("/search: {control}")], "{path}");
        }
        assert_eq!(house.get("/files/uploads/%00").by(world::GLOBAL).status().await, 404);
        let sign_in = [("grant_type", "password"), ("username", "a\u{0}b"), ("password", "x")];
        let refused = house.form("/connect/token", &sign_in).send().await.expect(400);
        assert_eq!((&refused["error"], &refused["error_description"]), (&json!("invalid_request"), &json!(format!("Check the field username: {control}"))));

        let rename = |body: &'static str| {
            let ask = house.ask(axum::http::Method::PUT, &format!("/api/Rooms/{}", world::ROOM_1)).by(world::OWNER);
            ask.raw("application/json", body.as_bytes().to_vec())
        };
        for sent in [r#"{"name": "a\u0000b"}"#, r#"{"name": "a\u001bb"}"#, "{\"name\": \"a\u{7f}b\"}"] {
            assert_eq!(rename(sent).send().await.field_errors(), [format!("/name: {control}")], "{sent}");
        }
        // A single pass that removed "\u0000" would have produced this one.
        assert_eq!(rename(r#"{"name": "a\u00\u000000b"}"#).send().await.status, 400);
        let named = rename(r#"{"name": "back\\u0000slash"}"#).send().await.expect(200);
        assert_eq!(named["name"], "back\\u0000slash");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn markup_in_any_text_is_refused_or_stored_without_its_tags() {
    const MARKUP: &str = "Bo<script>alert(1)</script><img src=x onerror=alert(2)><svg/onload=alert(3)> Ann";
    let document = serde_json::to_value(berth_server::routes::document()).unwrap();
    let (mut tried, mut stored) = (0, 0);
    for (operation, actor, path, body) in calls().await {
        for (name, field) in fields(&document, &operation) {
            let kind = &field["type"];
            let is_text = kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")));
            if !is_text || field.get("enum").is_some() || name.to_lowercase().contains("password") {
                continue;
            }
            let mut marked = body.clone();
            marked[&name] = json!(MARKUP);
            let house = matrix::house(Engine::Sqlite).await;
            let status = call(&house, &operation, actor, &path, marked).await;
            tried += 1;
            assert!(status < 500, "{operation} {name}: {status}");
            if status < 300 {
                stored += 1;
                for (table, rows) in tables(&house).await {
                    let hit =
                        rows.iter().find(|row| row.contains("<script") || row.contains("<img") || row.contains("<svg"));
                    assert_eq!(hit, None, "{operation} {name} went into {table}");
                }
            }
        }
    }
    eprintln!("FIGURE markup: {tried} texts tried, {stored} taken without their tags, 0 tags stored");
}
