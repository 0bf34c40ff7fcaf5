//! An OpenAPI document as an HTML page.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::http::html::Html;

/// An operation with its method and path.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    detail: &'a Value,
}

/// Returns the content of the page.
pub(super) fn content(document: &Value) -> Html {
    let mut html = Html::new();
    let by_tag = by_tag(document);
    html.markup("<p>")
        .text(text(document, "/info/description"))
        .markup(" Version ")
        .text(text(document, "/info/version"))
        .markup(". The same for programs: <a href=\"/api/openapi.json\">openapi.json</a> (OpenAPI 3.1).</p>\n")
        .markup("<p>Paths are matched without regard to case. Send <code>Authorization: Bearer …</code> with what ")
        .markup("<code>POST /connect/token</code> gave. Every refusal is problem+json with a <code>message</code> for ")
        .markup("the user; field errors stand in <code>errors</code>. A change may carry an ")
        .markup("<code>Idempotency-Key</code>: the same key and body again give the first answer again.</p>\n")
        .markup("<nav aria-label=\"Groups\"><ul>");
    for tag in by_tag.keys() {
        html.markup("<li><a href=\"#").text(&anchor("group", tag)).markup("\">").text(tag).markup("</a></li>");
    }
    html.markup("<li><a href=\"#schemas\">Schemas</a></li></ul></nav>\n");
    for (tag, operations) in &by_tag {
        html.markup("<h2 id=\"").text(&anchor("group", tag)).markup("\">").text(tag).markup("</h2>\n");
        for operation in operations {
            write_operation(&mut html, operation);
        }
    }
    html.markup("<h2 id=\"schemas\">Schemas</h2>\n");
    for (name, schema) in document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
        write_schema(&mut html, name, schema);
    }
    html
}

fn by_tag(document: &Value) -> BTreeMap<&str, Vec<Operation<'_>>> {
    let mut by_tag: BTreeMap<&str, Vec<Operation<'_>>> = BTreeMap::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in ["get", "post", "put", "patch", "delete"] {
            if let Some(detail) = item.get(method) {
                let tag = detail.pointer("/tags/0").and_then(Value::as_str).unwrap_or("Other");
                by_tag.entry(tag).or_default().push(Operation { method, path, detail });
            }
        }
    }
    by_tag
}

fn write_operation(html: &mut Html, operation: &Operation<'_>) {
    let detail = operation.detail;
    html.markup("<details><summary><span class=\"method\">")
        .text(&operation.method.to_uppercase())
        .markup("</span> <span class=\"path\">")
        .text(operation.path)
        .markup("</span> <span class=\"soft\">")
        .prose(text(detail, "/summary"))
        .markup("</span></summary>\n");
    let description = text(detail, "/description");
    if !description.is_empty() {
        html.markup("<p>").prose(description).markup("</p>\n");
    }
    if let Some(parameters) = detail["parameters"].as_array().filter(|parameters| !parameters.is_empty()) {
        html.markup("<h3>Parameters</h3>\n<div class=\"scroll\"><table><thead><tr><th>Name</th><th>In</th>")
            .markup("<th>Type</th><th>Meaning</th></tr></thead><tbody>\n");
        for parameter in parameters {
            let required = parameter["required"] == true;
            html.markup("<tr><td><code>").text(text(parameter, "/name")).markup("</code></td><td>");
            html.text(text(parameter, "/in")).markup("</td><td>");
            write_type(html, &parameter["schema"]);
            html.markup("</td><td>").text(if required { "required. " } else { "" });
            html.prose(text(parameter, "/description")).markup("</td></tr>\n");
        }
        html.markup("</tbody></table></div>\n");
    }
    if let Some(content) = detail.pointer("/requestBody/content").and_then(Value::as_object) {
        html.markup("<h3>Body</h3>\n");
        write_content(html, content);
    }
    html.markup("<h3>Answers</h3>\n<div class=\"scroll\"><table><thead><tr><th>Status</th><th>Meaning</th>")
        .markup("<th>Body</th></tr></thead><tbody>\n");
    for (status, answer) in detail["responses"].as_object().into_iter().flatten() {
        html.markup("<tr><td>")
            .text(status)
            .markup("</td><td>")
            .prose(text(answer, "/description"))
            .markup("</td><td>");
        if let Some(content) = answer["content"].as_object() {
            write_content(html, content);
        }
        html.markup("</td></tr>\n");
    }
    html.markup("</tbody></table></div>\n</details>\n");
}

fn write_content(html: &mut Html, content: &Map<String, Value>) {
    for (media_type, body) in content {
        html.markup("<div>");
        write_type(html, &body["schema"]);
        if media_type != "application/json" {
            html.markup(" <span class=\"soft\">").text(media_type).markup("</span>");
        }
        html.markup("</div>\n");
    }
}

fn write_schema(html: &mut Html, name: &str, schema: &Value) {
    html.markup("<article id=\"").text(&anchor("schema", name)).markup("\"><h3>").text(name).markup("</h3>\n");
    let description = text(schema, "/description");
    if !description.is_empty() {
        html.markup("<p>").prose(description).markup("</p>\n");
    }
    let Some(properties) = schema["properties"].as_object() else {
        html.markup("<p>");
        write_type(html, schema);
        html.markup("</p></article>\n");
        return;
    };
    html.markup("<div class=\"scroll\"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>");
    html.markup("<tbody>\n");
    let required = schema["required"].as_array();
    for (field, property) in properties {
        let is_required = required.is_some_and(|names| names.iter().any(|name| name == field));
        html.markup("<tr><td><code>").text(field).markup("</code></td><td>");
        write_type(html, property);
        html.markup(if is_required { "" } else { " <span class=\"soft\">may be absent</span>" });
        html.markup("</td><td>").prose(text(property, "/description")).markup("</td></tr>\n");
    }
    html.markup("</tbody></table></div></article>\n");
}

/// Describes a type in a few words, with links to named schemas.
fn write_type(html: &mut Html, schema: &Value) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        html.markup("<a href=\"#").text(&anchor("schema", name)).markup("\">").text(name).markup("</a>");
        return;
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        if let Some(choices) = schema[key].as_array() {
            for (index, choice) in choices.iter().enumerate() {
                html.markup(if index > 0 { " or " } else { "" });
                write_type(html, choice);
            }
            return;
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        for (index, value) in values.iter().enumerate() {
            html.markup(if index > 0 { " | " } else { "" });
            html.markup("<code>").text(value.as_str().unwrap_or("null")).markup("</code>");
        }
        return;
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec!["anything"],
    };
    for (index, kind) in kinds.iter().enumerate() {
        html.markup(if index > 0 { " or " } else { "" });
        if *kind == "array" {
            html.markup("list of ");
            write_type(html, &schema["items"]);
        } else {
            html.text(kind);
        }
    }
    if let Some(format) = schema["format"].as_str().filter(|format| *format != "int64") {
        html.markup(" <span class=\"soft\">").text(format).markup("</span>");
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn anchor(kind: &str, name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    format!("{kind}-{name}")
}
