//! The error of a value that does not fit: a sentence for people at its field.

use std::fmt;

use berth_domain::check::FieldError;
use serde::de::{Expected, Unexpected};

use crate::Error;

/// An invalid value and its place.
#[derive(Debug)]
pub(super) struct Misfit(FieldError);

impl Misfit {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(FieldError::new("", message))
    }

    /// Returns the error with the pointer prefixed by the field that contains the value.
    pub(super) fn below(mut self, step: &str) -> Self {
        self.0.pointer.insert_str(0, step);
        self
    }
}

impl From<Misfit> for Error {
    fn from(misfit: Misfit) -> Self {
        Self::Fields(vec![misfit.0])
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for Misfit {}

impl serde::de::Error for Misfit {
    /// A sentence of a type of this project.
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = expected.to_string();
        let sentence = match expected.as_str() {
            // Types of this project have messages for people.
            own if own.starts_with("a bed type: ") || own.starts_with("a gender: ") => {
                return Self::new(format!("Send {own}."));
            }
            "a string" | "a borrowed string" | "a character" => "Send a text here.",
            "a boolean" => "Send true or false here.",
            "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" | "isize" => {
                "Send a whole number here."
            }
            "f32" | "f64" => "Send a number here.",
            "a sequence" => "Send a list here.",
            "a map" => "Send an object with fields here.",
            other if other.starts_with("struct ") => "Send an object with fields here.",
            _ => "This value cannot be used here.",
        };
        Self::new(sentence)
    }

    fn invalid_value(unexpected: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::new(match unexpected {
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => {
                "This number is too large or too small."
            }
            _ => "This value cannot be used here.",
        })
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self::new("This list is too long or too short.")
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("Choose one of: {}.", expected.join(", ")))
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self::new("This field does not exist here.").below(&pointer(field))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("Required field.").below(&pointer(field))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("Send this field only once.").below(&pointer(field))
    }
}

/// Returns the pointer to a field (RFC 6901 writes "~" and "/" of a name as "~0" and "~1"). A long name is truncated, since it
/// comes from the request.
pub(super) fn pointer(name: &str) -> String {
    let short: String = name.chars().filter(|character| !character.is_control()).take(60).collect();
    format!("/{}", short.replace('~', "~0").replace('/', "~1"))
}
