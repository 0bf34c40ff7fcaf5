//! The fields of a call in Stripe's format: `application/x-www-form-urlencoded`, with brackets for nested fields.

/// Form fields in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Creates a form without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field, such as `metadata[organization_id]`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.push((name.to_owned(), value.into()));
        self
    }

    /// Adds a field if there is a value.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Returns the URL-encoded fields.
    #[must_use]
    pub fn encoded(&self) -> String {
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }

    /// Returns true if there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
