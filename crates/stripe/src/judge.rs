//! Checks the fields and the answer of every sandbox call against Stripe's own OpenAPI document (guide payments 1.7).
//!
//! `scripts/stripe-schema` makes the slim version of the document. The judge is a layer around the operations, so it
//! also sees the calls of Stripe's SDK and of the server's tests. It answers a call that breaks the schema with 500,
//! and [`Judge::verdict`] returns what was wrong.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::sandbox::Wrap;
use crate::sandbox::parameters::tree;

static DOCUMENT: &[u8] = include_bytes!("../tests/openapi/stripe-slim.json.gz");

/// Maximum size of a body, in bytes.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Checks calls against Stripe's document. Cheap to clone; all clones share what they found.
#[derive(Clone, Default)]
pub struct Judge(Arc<Parts>);

#[derive(Default)]
struct Parts {
    seen: Mutex<Vec<String>>,
    found: Mutex<Vec<String>>,
}

/// Stripe's document, read once for all judges.
struct Document {
    operations: Map<String, Value>,
    definitions: Value,
    validators: Mutex<HashMap<String, Arc<jsonschema::Validator>>>,
}

static SCHEMA: LazyLock<Document> = LazyLock::new(Document::read);

impl Document {
    fn read() -> Self {
        let mut text = String::new();
        flate2::read::GzDecoder::new(DOCUMENT).read_to_string(&mut text).expect("the document can be unpacked");
        let document: Value = serde_json::from_str(&text).expect("the document is JSON");
        assert_eq!(document["version"], crate::API_VERSION, "run scripts/stripe-schema");
        Self {
            operations: document["operations"].as_object().cloned().unwrap_or_default(),
            definitions: document["$defs"].clone(),
            validators: Mutex::default(),
        }
    }
}

impl Judge {
    /// Returns the layer that checks the calls of a sandbox.
    #[must_use]
    pub fn wrap(&self) -> Wrap {
        let judge = self.clone();
        Arc::new(move |router: Router| router.layer(middleware::from_fn_with_state(judge.clone(), watch)))
    }

    /// Returns the violations found so far, and forgets them.
    #[must_use]
    pub fn verdict(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.found.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the operations called so far, each with the status of its answer.
    #[must_use]
    pub fn seen(&self) -> Vec<String> {
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns what is wrong with the fields of a call, if anything.
    #[must_use]
    pub fn fields(operation: &str, part: &str, encoded: &str) -> Option<String> {
        let schema = &SCHEMA.operations.get(operation)?[part];
        let typed = Self::typed(&Value::Object(tree(encoded)), schema);
        let complaint = Self::complaint(&format!("{operation} {part}"), schema, &typed)?;
        Some(format!("{operation}: the {part} {typed}: {complaint}"))
    }

    /// Returns what is wrong with an answer, if anything.
    #[must_use]
    pub fn answer(operation: &str, status: u16, body: &Value) -> Option<String> {
        let answers = &SCHEMA.operations.get(operation)?["answers"];
        let kind = if status == 200 { "200" } else { "default" };
        let complaint = Self::complaint(&format!("{operation} {kind}"), &answers[kind], body)?;
        Some(format!("{operation}: the answer {status} {body}: {complaint}"))
    }

    /// Finds the operation of a call, such as `GET /v1/customers/{customer}`.
    fn operation(method: &Method, path: &str) -> Option<String> {
        let asked: Vec<&str> = path.split('/').collect();
        let fits = |name: &&String| {
            let (known_method, known) = name.split_once(' ').unwrap_or_default();
            let known: Vec<&str> = known.split('/').collect();
            known_method == method.as_str()
                && known.len() == asked.len()
                && known.iter().zip(&asked).all(|(known, asked)| known.starts_with('{') || known == asked)
        };
        // A literal segment wins over a parameter: `invoices/create_preview` over `invoices/{invoice}`.
        SCHEMA.operations.keys().filter(fits).min_by_key(|name| name.matches('{').count()).cloned()
    }

    fn complaint(name: &str, schema: &Value, value: &Value) -> Option<String> {
        let validator = {
            let mut validators = SCHEMA.validators.lock().unwrap_or_else(PoisonError::into_inner);
            let made = validators.entry(name.to_owned()).or_insert_with(|| {
                let whole = json!({"$defs": SCHEMA.definitions, "allOf": [schema]});
                Arc::new(jsonschema::validator_for(&whole).expect("Stripe's schema is one"))
            });
            Arc::clone(made)
        };
        let complaints: Vec<String> =
            validator.iter_errors(value).map(|error| format!("{error} at {}", error.instance_path())).collect();
        (!complaints.is_empty()).then(|| complaints.join("; "))
    }

    /// Converts the texts of a parameter tree to the types of a schema.
    fn typed(value: &Value, schema: &Value) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
            return Self::typed(value, &SCHEMA.definitions[name]);
        }
        let kinds: Vec<&Value> = schema["anyOf"].as_array().into_iter().flatten().collect();
        match value {
            Value::String(text) => {
                let of = |kind: &str| schema["type"] == kind || kinds.iter().any(|one| one["type"] == kind);
                match (text.parse::<i64>(), text.parse::<bool>()) {
                    (Ok(number), _) if of("integer") => number.into(),
                    _ if of("number") => text.parse::<f64>().map_or_else(|_| value.clone(), Value::from),
                    (_, Ok(flag)) if of("boolean") => flag.into(),
                    _ => value.clone(),
                }
            }
            Value::Array(items) => {
                let schema = kinds.iter().copied().find(|one| one["type"] == "array").unwrap_or(schema);
                items.iter().map(|item| Self::typed(item, &schema["items"])).collect()
            }
            Value::Object(fields) => {
                let schema = kinds.iter().copied().find(|one| one["type"] == "object").unwrap_or(schema);
                let inner = |name: &String| match &schema["properties"][name] {
                    Value::Null => schema["additionalProperties"].clone(),
                    known => known.clone(),
                };
                Value::Object(
                    fields.iter().map(|(name, value)| (name.clone(), Self::typed(value, &inner(name)))).collect(),
                )
            }
            other => other.clone(),
        }
    }

    fn note(&self, complaint: String) {
        self.0.found.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
    }
}

/// Checks a call and its answer as they pass through.
async fn watch(State(judge): State<Judge>, request: Request, next: Next) -> Response {
    let Some(operation) = Judge::operation(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let sent = to_bytes(body, MAX_BODY_BYTES).await.unwrap_or_default();
    let query = parts.uri.query().unwrap_or_default();
    let wrong = if parts.method == Method::POST {
        Judge::fields(&operation, "form", &String::from_utf8_lossy(&sent))
    } else if parts.method == Method::DELETE {
        // The document puts the fields of a DELETE in the body; Stripe's SDKs send them in the query.
        Judge::fields(&operation, "form", &format!("{query}&{}", String::from_utf8_lossy(&sent)))
    } else {
        Judge::fields(&operation, "query", query)
    };
    let response = next.run(Request::from_parts(parts, Body::from(sent))).await;
    let (head, body) = response.into_parts();
    let body = to_bytes(body, MAX_BODY_BYTES).await.unwrap_or_default();
    let status = head.status.as_u16();
    judge.0.seen.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{operation} {status}"));
    // A wrong call that the sandbox rejects is not a violation.
    let wrong = wrong.filter(|_| status != 400);
    let value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    match wrong.or_else(|| Judge::answer(&operation, status, &value)) {
        None => Response::from_parts(head, Body::from(body)),
        Some(complaint) => {
            judge.note(complaint.clone());
            (StatusCode::INTERNAL_SERVER_ERROR, complaint).into_response()
        }
    }
}
