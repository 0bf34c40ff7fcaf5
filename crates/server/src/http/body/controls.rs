//! Control characters, which no text of a request may hold.

use berth_domain::check::FieldError;
use serde_json::Value;

use super::misfit::pointer;

/// The message for a text with a control character.
pub(super) const CONTROL: &str =
    "This text contains a control character that cannot be stored. Type it instead of pasting it.";

/// Returns true for control characters other than white space. PostgreSQL cannot store one of them, U+0000.
pub(super) const fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}')
}

/// Collects an error for every text of a JSON value that holds a control character; for a field name, at its object.
pub(super) fn find_controls(value: &Value, at: &str, errors: &mut Vec<FieldError>) {
    match value {
        Value::String(text) if text.chars().any(is_control) => errors.push(FieldError::new(at, CONTROL)),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_controls(item, &format!("{at}/{index}"), errors);
            }
        }
        Value::Object(fields) => {
            if fields.keys().any(|name| name.chars().any(is_control)) {
                errors.push(FieldError::new(at, "The name of a field contains a control character."));
            }
            for (name, field) in fields {
                find_controls(field, &format!("{at}{}", pointer(name)), errors);
            }
        }
        _ => {}
    }
}
