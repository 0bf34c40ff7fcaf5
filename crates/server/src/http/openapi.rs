//! Completes the OpenAPI document with what all operations share.

use utoipa::openapi::schema::{ArrayItems, SchemaType, Type};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, ResponseBuilder, Schema};

use crate::housing::guests::ChangedBy;
use crate::http::problem::{BedPlace, FieldProblem, Problem};
use crate::integrations::sms;

/// Adds the error answers of layers, extractors and loaders to all operations.
pub(crate) fn complete(mut document: OpenApi) -> OpenApi {
    use utoipa::{PartialSchema, ToSchema};
    let components = document.components.get_or_insert_with(Default::default);
    for (name, schema) in [
        (Problem::name().into_owned(), Problem::schema()),
        (BedPlace::name().into_owned(), BedPlace::schema()),
        (ChangedBy::name().into_owned(), ChangedBy::schema()),
        (FieldProblem::name().into_owned(), FieldProblem::schema()),
    ] {
        components.schemas.insert(name, schema);
    }
    for (path, item) in &mut document.paths.paths {
        for change in [&mut item.put, &mut item.patch].into_iter().flatten() {
            let refused = refusal("someone else changed the record in the meantime");
            change.responses.responses.entry("412".to_owned()).or_insert_with(|| refused.into());
        }
        if let Some(removal) = &mut item.delete {
            removal
                .responses
                .responses
                .entry("409".to_owned())
                .or_insert_with(|| refusal("the record is in use").into());
        }
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            // Handlers of several folders have names such as `list`; an operation id must be unique.
            if let (Some(id), Some(tag)) = (&operation.operation_id, operation.tags.iter().flatten().next()) {
                operation.operation_id = Some(format!("{}_{id}", tag.replace([' ', '-'], "")));
            }
            if path == "/connect/token" {
                for (status, description) in TOKEN_REFUSALS {
                    let content = Content::new(Some(Ref::from_schema_name("TokenError")));
                    let response =
                        ResponseBuilder::new().description(description).content("application/json", content).build();
                    operation.responses.responses.entry(status.to_owned()).or_insert_with(|| response.into());
                }
                continue;
            }
            let open = path.starts_with("/api/public")
                || path.starts_with("/files/")
                || path == "/connect/logout"
                || path == "/api/Stripe/webhook"
                || path == sms::INBOUND_PATH;
            let has_body = operation.request_body.is_some();
            let mut refusals = vec![("400", "the request cannot be read"), ("503", "busy; try again")];
            if !open {
                refusals.push(("401", "not signed in, or not far enough"));
                refusals.push(("403", "seen, but not allowed"));
            }
            if path.contains('{') || operation.parameters.is_some() || has_body {
                refusals.push(("404", "not there, or not for the caller's eyes"));
            }
            if operation.parameters.is_some() {
                refusals.push(("422", "wrong fields"));
            }
            if has_body {
                refusals.extend([
                    ("409", "the record is in another state"),
                    ("413", "too large"),
                    ("415", "wrong media type"),
                    ("422", "wrong fields"),
                    ("507", "no space left"),
                ]);
            }
            for (status, description) in refusals.into_iter().chain([("429", "too often"), ("500", "our mistake")]) {
                operation.responses.responses.entry(status.to_owned()).or_insert_with(|| refusal(description).into());
            }
        }
    }
    name_rows_of_pages(&mut document);
    require_what_is_always_there(&mut document);
    document
}

/// The errors of the token endpoint besides 400 and 429, in the form of RFC 6749.
const TOKEN_REFUSALS: [(&str, &str); 6] = [
    ("403", "a cookie session asked for from elsewhere"),
    ("413", "too large"),
    ("415", "wrong media type"),
    ("500", "our mistake"),
    ("503", "busy; try again"),
    ("507", "no space left"),
];

/// Returns an error answer for the document.
fn refusal(description: &str) -> utoipa::openapi::Response {
    let content = Content::new(Some(Ref::from_schema_name(<Problem as utoipa::ToSchema>::name())));
    ResponseBuilder::new().description(description).content("application/problem+json", content).build()
}

/// Replaces the inlined rows of generic pages by references to their schemas.
fn name_rows_of_pages(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let pages: Vec<String> = components.schemas.keys().filter(|name| name.starts_with("Paged_")).cloned().collect();
    for page in pages {
        let row = page.trim_start_matches("Paged_").to_owned();
        let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(&page) else { continue };
        let Some(RefOr::T(Schema::Array(array))) = object.properties.get_mut("items") else { continue };
        let by_name = ArrayItems::RefOrSchema(Box::new(Ref::from_schema_name(&row).into()));
        if let ArrayItems::RefOrSchema(schema) = std::mem::replace(&mut array.items, by_name) {
            components.schemas.entry(row).or_insert(*schema);
        }
    }
}

/// Marks the fields of answers as required. Answers hold every field, empty ones as null, except those that a role may not see,
/// which are declared not nullable. utoipa marks each `Option` as optional, which is right for requests alone.
fn require_what_is_always_there(document: &mut OpenApi) {
    let bodies = document.paths.paths.values().flat_map(|item| [&item.post, &item.put, &item.patch]);
    let mut sent = std::collections::BTreeSet::new();
    let mut found: Vec<String> =
        bodies.filter_map(|operation| Some(names_in(&operation.as_ref()?.request_body))).flatten().collect();
    // A body refers to other schemas, which are then part of requests, too.
    while let Some(name) = found.pop() {
        if let Some(schema) = document.components.as_ref().and_then(|components| components.schemas.get(&name)) {
            found.extend(names_in(schema).into_iter().filter(|inner| !sent.contains(inner)));
        }
        sent.insert(name);
    }
    let schemas = document.components.iter_mut().flat_map(|components| &mut components.schemas);
    for (_, schema) in schemas.filter(|(name, _)| !sent.contains(*name)) {
        let RefOr::T(Schema::Object(object)) = schema else { continue };
        for (name, property) in &object.properties {
            if may_be_null(property) && !object.required.contains(name) {
                object.required.push(name.clone());
            }
        }
    }
}

/// Returns the names of the schemas that a part of the document refers to.
fn names_in(part: &impl serde::Serialize) -> Vec<String> {
    fn collect(value: &serde_json::Value, names: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => {
                let reference = fields.get("$ref").and_then(serde_json::Value::as_str);
                names.extend(reference.and_then(|location| location.rsplit('/').next()).map(str::to_owned));
                fields.values().for_each(|field| collect(field, names));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    collect(&serde_json::to_value(part).unwrap_or_default(), &mut names);
    names
}

/// Returns true if a property's schema allows null.
fn may_be_null(property: &RefOr<Schema>) -> bool {
    let of = |kind: &SchemaType| match kind {
        SchemaType::Array(kinds) => kinds.contains(&Type::Null),
        SchemaType::Type(kind) => *kind == Type::Null,
        SchemaType::AnyValue => false,
    };
    match property {
        RefOr::T(Schema::Object(object)) => of(&object.schema_type),
        RefOr::T(Schema::Array(array)) => of(&array.schema_type),
        RefOr::T(Schema::OneOf(one)) => one.items.iter().any(may_be_null),
        _ => false,
    }
}
