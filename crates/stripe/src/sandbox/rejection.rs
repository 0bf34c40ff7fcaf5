//! Error responses in Stripe's format.

use serde_json::{Value, json};

/// An error response.
#[derive(Debug, Clone)]
pub(super) struct Rejection(Box<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    status: u16,
    kind: &'static str,
    code: Option<&'static str>,
    decline_code: Option<&'static str>,
    param: Option<String>,
    message: String,
    /// An object that is part of the error.
    with: Option<(&'static str, Value)>,
}

impl Rejection {
    fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Parts { status, kind, code: None, decline_code: None, param: None, message, with: None }))
    }

    /// 400: the call is wrong.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    /// 404: the object does not exist. Callers change it to 400 if a field of the call named the object.
    pub(super) fn missing(noun: &str, id: &str, param: &str) -> Self {
        Self::invalid(format!("No such {noun}: '{id}'")).code("resource_missing").param(param).with_status(404)
    }

    /// 401.
    pub(super) fn unauthorized(message: &str) -> Self {
        Self::new(401, "invalid_request_error", message)
    }

    /// 402: the card is the reason.
    pub(super) fn card(code: &'static str, message: &str) -> Self {
        Self::new(402, "card_error", message).code(code)
    }

    /// 400: the key was used for another call.
    pub(super) fn idempotency(message: &str) -> Self {
        Self::new(400, "idempotency_error", message)
    }

    /// 500.
    pub(super) fn api(message: impl Into<String>) -> Self {
        Self::new(500, "api_error", message)
    }

    pub(super) fn code(mut self, code: &'static str) -> Self {
        self.0.code = Some(code);
        self
    }

    pub(super) fn declined_for(mut self, decline_code: &'static str) -> Self {
        self.0.decline_code = Some(decline_code);
        self
    }

    pub(super) fn param(mut self, param: &str) -> Self {
        self.0.param = Some(param.to_owned());
        self
    }

    pub(super) fn with_status(mut self, status: u16) -> Self {
        self.0.status = status;
        self
    }

    pub(super) fn with(mut self, name: &'static str, object: Value) -> Self {
        self.0.with = Some((name, object));
        self
    }

    /// Returns the HTTP status.
    pub(super) const fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the message.
    pub(super) fn sentence(&self) -> &str {
        &self.0.message
    }

    /// Returns the error in Stripe's format.
    pub(super) fn body(&self) -> Value {
        let mut error = json!({"type": self.0.kind, "message": self.0.message});
        for (name, value) in
            [("code", self.0.code), ("decline_code", self.0.decline_code), ("param", self.0.param.as_deref())]
        {
            if let Some(value) = value {
                error[name] = value.into();
            }
        }
        if let Some((name, object)) = &self.0.with {
            error[*name] = object.clone();
        }
        json!({"error": error})
    }
}
