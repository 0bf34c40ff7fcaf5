//! The calls of [`crate::injection`]: a valid call of an operation becomes many calls, each with one injected value.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::{attacks, world};

/// Headers that the server reads or might read.
const HEADERS: [&str; 10] = [
    "authorization",
    "cookie",
    "x-berth",
    "x-forwarded-for",
    "user-agent",
    "accept-language",
    "if-none-match",
    "if-match",
    "idempotency-key",
    "x-request-id",
];

/// A call with one injected value.
#[derive(Clone)]
pub struct Call {
    /// Where the value is.
    pub place: String,
    /// The path of the call.
    pub path: String,
    /// An additional header.
    pub header: Option<(&'static str, String)>,
    /// The JSON body, or null for an empty one.
    pub body: Value,
    /// A form body instead.
    pub form: Option<Vec<(String, String)>>,
}

fn in_address(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The body once for every value inside it, with this value replaced.
fn replaced(body: &Value, wrong: &str) -> Vec<(String, Value)> {
    let mut all = vec![(String::new(), json!(wrong))];
    match body {
        Value::Object(fields) => {
            for (name, value) in fields {
                for (pointer, inner) in replaced(value, wrong) {
                    let mut whole = body.clone();
                    whole[name] = inner;
                    all.push((format!("/{name}{pointer}"), whole));
                }
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                for (pointer, inner) in replaced(value, wrong) {
                    let mut whole = body.clone();
                    whole[index] = inner;
                    all.push((format!("/{index}{pointer}"), whole));
                }
            }
        }
        _ => {}
    }
    all
}

/// The calls of an operation with the wrong value in each place.
pub fn calls(document: &Value, operation: &str, path: &str, body: &Value, wrong: &str) -> Vec<Call> {
    let (method, template) = operation.split_once(' ').unwrap();
    let honest = Call { place: String::new(), path: path.to_owned(), header: None, body: body.clone(), form: None };
    let mut all = Vec::new();
    let spelled = in_address(wrong);
    let (bare, query) = path.split_once('?').unwrap_or((path, ""));
    for parameter in document["paths"][template][method.to_lowercase()]["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let place = format!("{} {name}", parameter["in"].as_str().unwrap());
        if parameter["in"] == "query" {
            let mut kept = String::new();
            for pair in query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with(&format!("{name}="))) {
                write!(kept, "{pair}&").unwrap();
            }
            all.push(Call { place, path: format!("{bare}?{kept}{name}={spelled}"), ..honest.clone() });
        }
    }
    for (part, stands) in template.split('/').enumerate().filter(|(_, part)| part.starts_with('{')) {
        let parts = bare.split('/').enumerate().map(|(at, text)| if at == part { spelled.as_str() } else { text });
        let path = parts.collect::<Vec<_>>().join("/");
        all.push(Call { place: format!("path {stands}"), path, ..honest.clone() });
    }
    for header in HEADERS {
        let value = match header {
            "authorization" => format!("Bearer {wrong}"),
            "cookie" => {
                format!("__Host-berth={0}; __Host-berth-step={0}; __Host-berth-device={0}", wrong.replace(';', " "))
            }
            _ => wrong.to_owned(),
        };
        all.push(Call { place: format!("header {header}"), header: Some((header, value)), ..honest.clone() });
    }
    if body.is_object() {
        for name in attacks::fields(document, operation).into_keys().filter(|name| body.get(name).is_none()) {
            let mut more = body.clone();
            more[&name] = json!(wrong);
            all.push(Call { place: format!("body /{name} (more)"), body: more, ..honest.clone() });
        }
        for (pointer, body) in replaced(body, wrong) {
            all.push(Call { place: format!("body {pointer}"), body, ..honest.clone() });
        }
    }
    all
}

/// The calls of the token endpoint: each grant, with the wrong value in each of its fields.
pub fn forms(wrong: &str) -> Vec<Call> {
    let grants: [&[(&str, &str)]; 4] = [
        &[
            ("grant_type", "password"),
            ("username", "intake@test.example"),
            ("password", "none"),
            ("scope", "api"),
            ("client_id", "web"),
            ("session", "cookie"),
            ("agreements", "1"),
        ],
        &[("grant_type", "two_factor_exchange"), ("pre_two_factor_token", world::FIRST_STEP), ("otp", "000000")],
        &[("grant_type", "refresh_token"), ("refresh_token", "none")],
        &[("grant_type", "invitation"), ("access_token", "none")],
    ];
    let mut all = Vec::new();
    for grant in grants {
        for (name, _) in grant {
            let value =
                |(field, honest): &(&str, &str)| if field == name { wrong.to_owned() } else { (*honest).to_owned() };
            let form = grant.iter().map(|field| (field.0.to_owned(), value(field))).collect();
            let path = "/connect/token".to_owned();
            all.push(Call { place: format!("form {name}"), path, header: None, body: Value::Null, form: Some(form) });
        }
    }
    all
}
