//! Collecting the field errors of a request, so that a form shows all of them at once.
//!
//! ```
//! # use berth_domain::{Check, Email, FieldErrors, Name};
//! # struct Contact { name: Name, email: Email }
//! fn contact(name: &str, email: &str) -> Result<Contact, FieldErrors> {
//!     let mut check = Check::new();
//!     let name = check.field("/name", Name::parse(name));
//!     let email = check.field("/email", Email::parse(email));
//!     check.build(|| Some(Contact { name: name?, email: email? }))
//! }
//! assert_eq!(contact("", "x").err().map(|errors| errors.0.len()), Some(2));
//! ```

use std::fmt;

/// An error of a field, as in the answer 422.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
pub struct FieldError {
    /// RFC 6901 pointer into the request body, for example `/firstName`. Empty for the whole body.
    pub pointer: String,
    /// The sentence shown beside the field.
    pub message: String,
}

impl FieldError {
    /// An error at `pointer`.
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

/// The field errors of a request. Never empty if it comes from [`Check`].
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(transparent)]
pub struct FieldErrors(pub Vec<FieldError>);

impl FieldErrors {
    /// A single error.
    pub fn one(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self(vec![FieldError::new(pointer, message)])
    }

    /// Returns the errors of a form that is the part `pointer` of a larger one.
    #[must_use]
    pub fn under(self, pointer: &str) -> Self {
        Self(
            self.0
                .into_iter()
                .map(|error| FieldError::new(format!("{pointer}{}", error.pointer), error.message))
                .collect(),
        )
    }

    /// Returns the first message, for answers with a single sentence.
    #[must_use]
    pub fn first(&self) -> &str {
        self.0.first().map_or("", |error| &error.message)
    }
}

impl fmt::Display for FieldErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str(" ")?;
            }
            formatter.write_str(&error.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for FieldErrors {}

/// Collects field errors while a request is parsed.
#[derive(Debug, Default)]
#[must_use = "errors that were collected must be finished"]
pub struct Check {
    errors: Vec<FieldError>,
}

impl Check {
    /// Creates a check without errors.
    pub const fn new() -> Self {
        Self { errors: Vec::new() }
    }

    /// Returns the value, or collects its error at `pointer`.
    pub fn field<T, E: Into<String>>(&mut self, pointer: &str, value: Result<T, E>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(message) => {
                self.reject(pointer, message);
                None
            }
        }
    }

    /// Returns the value, or collects `message` instead of its error, for forms with their own wording.
    pub fn field_as<T, E>(&mut self, pointer: &str, value: Result<T, E>, message: &str) -> Option<T> {
        self.field(pointer, value.map_err(|_| message))
    }

    /// Returns the value, or collects each of its errors at `pointer` (passwords).
    pub fn field_all<T, E: Into<String>>(&mut self, pointer: &str, value: Result<T, Vec<E>>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(messages) => {
                for message in messages {
                    self.reject(pointer, message);
                }
                None
            }
        }
    }

    /// Parses an optional field. Absent and blank texts are `None` without an error.
    pub fn optional<T, E: Into<String>>(
        &mut self,
        pointer: &str,
        text: Option<&str>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = text.map(str::trim).filter(|text| !text.is_empty())?;
        self.field(pointer, parse(text))
    }

    /// Collects `message` at `pointer` unless `condition` is true.
    pub fn require(&mut self, condition: bool, pointer: &str, message: &str) {
        if !condition {
            self.reject(pointer, message);
        }
    }

    /// Collects `message` at `pointer`.
    pub fn reject(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.errors.push(FieldError::new(pointer, message));
    }

    /// Collects the errors of a nested part, with `prefix` (for example `/rooms/0`) before their pointers.
    pub fn nested<T>(&mut self, prefix: &str, part: Result<T, FieldErrors>) -> Option<T> {
        match part {
            Ok(value) => Some(value),
            Err(FieldErrors(errors)) => {
                let moved = errors.into_iter().map(|e| FieldError::new(format!("{prefix}{}", e.pointer), e.message));
                self.errors.extend(moved);
                None
            }
        }
    }

    /// Returns true if there are no errors so far.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// Ends the check.
    ///
    /// # Errors
    /// The collected errors.
    pub fn finish(self) -> Result<(), FieldErrors> {
        if self.errors.is_empty() { Ok(()) } else { Err(FieldErrors(self.errors)) }
    }

    /// Ends the check and builds the value from the parsed fields.
    ///
    /// # Errors
    /// The collected errors, or one for the whole body if `build` returns `None` without any.
    pub fn build<T>(self, build: impl FnOnce() -> Option<T>) -> Result<T, FieldErrors> {
        self.finish()?;
        build().ok_or_else(|| FieldErrors::one("", "Required field."))
    }
}
