//! Errors and their answers: RFC 9457 `application/problem+json` with the `message` that the spec's clients
//! read, and field errors with JSON pointers (DESIGN 2, "Answers").
//!
//! A handler returns an [`Error`]; its [`Problem`] travels in the response's extensions and is written once, by
//! [`render`], which knows the request id.

use std::collections::BTreeMap;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_domain::check::{FieldError, FieldErrors};
use serde::Serialize;
use utoipa::ToSchema;

use self::messages::Coded;
use crate::auth::sessions;
use crate::housing::guests::ChangedBy;
use crate::http::requester::RequestId;

pub mod messages;

/// The result of a handler.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The errors of handlers.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the body or query cannot be read at all.
    #[error("{0}")]
    Unreadable(String),
    /// 401: nobody is signed in, or the sign-in is not complete.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// 401: the cookies of the request have expired. The answer removes them.
    #[error("Please sign in.")]
    SessionOver(Vec<&'static str>),
    /// 402: the site needs an active subscription first.
    #[error("{0}")]
    SubscriptionNeeded(String),
    /// 403: the caller may view the record but not do this.
    #[error("{0}")]
    Forbidden(String),
    /// 403: the password must have been entered within the last minutes.
    #[error("Please enter your password again to continue.")]
    FreshProofNeeded,
    /// 404: it does not exist, or the caller may not know that it does.
    #[error("Not found. It may have been removed, or you may not have access to it.")]
    NotFound,
    /// 405: the path is known, the method is not.
    #[error("This address does not take that kind of request.")]
    MethodNotAllowed,
    /// 409: the record is no longer in a state that allows this.
    #[error("{}", .0.message)]
    Conflict(Box<Conflict>),
    /// 412: `If-Match` or `version` is older than the record.
    #[error("Someone else changed this in the meantime. Here is how it is now.")]
    Stale(Option<Box<Current>>),
    /// 413: the body is larger than the call takes.
    #[error("The request is too large.")]
    TooLarge,
    /// 431: the line and the headers of the request are larger than the server takes.
    #[error("The headers of the request are too large.")]
    HeadTooLarge,
    /// 415: the body is of a type that the call does not take.
    #[error("Send this request as {0}.")]
    UnsupportedMediaType(&'static str),
    /// 422: fields are invalid.
    #[error("Please check the marked fields.")]
    Fields(Vec<FieldError>),
    /// 429: too many attempts. Retry after this number of seconds.
    #[error("Too many attempts. Please wait {0} seconds and try again.")]
    TooMany(i64),
    /// 429: a code was sent less than 30 seconds ago. Retry after this number of seconds.
    #[error("A code was sent a moment ago. Please wait {0} seconds before you ask for another one.")]
    CodeJustSent(i64),
    /// 503: the database is busy or away.
    #[error("The service is busy. Please try again in a moment.")]
    Busy,
    /// 503: the database went away. The change may or may not have happened, so it is not repeated automatically.
    #[error("The service is busy. Please try again in a moment.")]
    Unreachable,
    /// 503: Stripe does not answer, or its answer is invalid.
    #[error("The card provider cannot be reached. Please try again in a moment.")]
    CardProviderAway,
    /// 507: there is no room left to store anything.
    #[error("The server is out of storage space. Nothing was changed.")]
    DiskFull,
    /// 500: an unexpected failure. The chain of errors is logged and never shown.
    #[error("Something went wrong on our side. Please try again. If it happens again, give support the number below.")]
    Internal(#[source] anyhow::Error),
}

/// A guest as it now is, and who made it so.
#[derive(Debug)]
pub struct Current {
    /// The guest.
    pub guest: serde_json::Value,
    /// The author of the change that the client did not know.
    pub changed_by: Option<ChangedBy>,
}

/// The content of a 409.
#[derive(Debug, Default)]
pub struct Conflict {
    /// The sentence for the user.
    pub message: String,
    /// The code of the sentence. Looked up if `None`.
    pub code: Option<&'static str>,
    /// The guest as it now is.
    pub guest: Option<serde_json::Value>,
    /// A vacant bed to offer instead.
    pub next_free_bed: Option<BedPlace>,
    /// The author of the change that came first.
    pub changed_by: Option<ChangedBy>,
    /// The fields that conflict with another record, such as a name that is taken.
    pub errors: Vec<FieldError>,
}

impl Error {
    /// A 409 with only a sentence.
    #[must_use]
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::Conflict(Box::new(Conflict { message: message.into(), ..Conflict::default() }))
    }

    /// A 409 with a sentence and its code.
    #[must_use]
    pub fn conflict_code(code: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict(Box::new(Conflict { message: message.into(), code: Some(code), ..Conflict::default() }))
    }

    /// A 409 of one field whose value another record has already.
    #[must_use]
    pub fn conflict_field(pointer: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let errors = vec![FieldError { pointer: pointer.to_owned(), message: message.clone() }];
        Self::Conflict(Box::new(Conflict { message, errors, ..Conflict::default() }))
    }

    /// A 422 of one field.
    #[must_use]
    pub fn field(pointer: &str, message: impl Into<String>) -> Self {
        Self::Fields(vec![FieldError { pointer: pointer.to_owned(), message: message.into() }])
    }

    /// An unexpected failure.
    #[must_use]
    pub fn internal(message: &'static str) -> Self {
        Self::Internal(anyhow::anyhow!(message))
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Unreadable(_) => StatusCode::BAD_REQUEST,
            Self::Unauthenticated(_) | Self::SessionOver(_) => StatusCode::UNAUTHORIZED,
            Self::SubscriptionNeeded(_) => StatusCode::PAYMENT_REQUIRED,
            Self::Forbidden(_) | Self::FreshProofNeeded => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Stale(_) => StatusCode::PRECONDITION_FAILED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::UnsupportedMediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Fields(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany(_) | Self::CodeJustSent(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Unreachable | Self::CardProviderAway => StatusCode::SERVICE_UNAVAILABLE,
            Self::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the number of seconds after which to retry.
    #[must_use]
    pub const fn retry_after(&self) -> Option<i64> {
        match self {
            Self::TooMany(seconds) | Self::CodeJustSent(seconds) => Some(*seconds),
            Self::Busy | Self::Unreachable => Some(1),
            Self::CardProviderAway => Some(5),
            _ => None,
        }
    }
}

impl From<berth_db::Error> for Error {
    fn from(error: berth_db::Error) -> Self {
        match error {
            berth_db::Error::NotFound => Self::NotFound,
            berth_db::Error::Busy(cause) => {
                tracing::warn!(error = %cause, "database did not answer in time");
                Self::Busy
            }
            berth_db::Error::Connection(cause) => {
                tracing::warn!(error = %cause, "database went away");
                Self::Unreachable
            }
            berth_db::Error::DiskFull(_) => Self::DiskFull,
            other => Self::Internal(anyhow::Error::new(other)),
        }
    }
}

impl berth_db::IsBusy for Error {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }
}

impl From<FieldErrors> for Error {
    fn from(errors: FieldErrors) -> Self {
        Self::Fields(errors.0)
    }
}

/// The body of every error answer except those of `/connect/token` (RFC 9457; `message` repeats `detail`).
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Always `about:blank`: the kind is the status.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// A sentence that the user can act on.
    pub detail: String,
    /// The same sentence, for clients of the spec (spec A 8).
    pub message: String,
    /// The request id, which users give to support.
    pub instance: String,
    /// Stable code of the sentence, for programs and translations. `untranslated` for a sentence of another service.
    pub code: String,
    /// The values in the sentence, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub values: BTreeMap<&'static str, String>,
    /// Field errors of a 422, and of a 409 that belongs to a field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldProblem>,
    /// The current state of the guest, with a 409 or 412 of a guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = crate::housing::guests::GuestView, nullable = false)]
    pub guest: Option<serde_json::Value>,
    /// A vacant bed to offer when the chosen one is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_free_bed: Option<BedPlace>,
    /// The author of the change that conflicts with the command, with a 409 or 412 of a guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<ChangedBy>,
}

/// An error of one field.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FieldError)]
pub struct FieldProblem {
    /// RFC 6901 pointer into the request body, for example `/firstName`. Empty for the whole body.
    pub pointer: String,
    /// The sentence shown beside the field.
    pub message: String,
    /// Stable code of the sentence, as in the problem itself.
    pub code: &'static str,
    /// The values in the sentence, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub values: BTreeMap<&'static str, String>,
}

impl From<FieldError> for FieldProblem {
    fn from(FieldError { pointer, message }: FieldError) -> Self {
        let Coded { code, values } = messages::coded(&message);
        Self { pointer, message, code, values }
    }
}

/// A bed with the names of the bed and its house.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BedPlace {
    /// The bed.
    pub bed_id: berth_domain::id::BedId,
    /// Its name.
    pub bed_name: String,
    /// The name of its house.
    pub room_name: String,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Self::Internal(error) = &self {
            tracing::error!(error = format!("{error:#}"), "internal error");
        }
        let status = self.status();
        let message = self.to_string();
        let retry_after = self.retry_after();
        let Coded { code, values } = messages::coded(&message);
        let mut problem = Problem {
            kind: "about:blank".to_owned(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: message.clone(),
            message,
            instance: String::new(),
            code: code.to_owned(),
            values,
            errors: Vec::new(),
            guest: None,
            next_free_bed: None,
            changed_by: None,
        };
        let mut removed = Vec::new();
        match self {
            Self::SessionOver(cookies) => removed = cookies,
            Self::Fields(errors) => problem.errors = errors.into_iter().map(FieldProblem::from).collect(),
            Self::Stale(Some(current)) => {
                problem.guest = Some(current.guest);
                problem.changed_by = current.changed_by;
            }
            Self::Conflict(conflict) => {
                if let Some(code) = conflict.code {
                    code.clone_into(&mut problem.code);
                }
                problem.errors = conflict.errors.into_iter().map(FieldProblem::from).collect();
                problem.guest = conflict.guest;
                problem.next_free_bed = conflict.next_free_bed;
                problem.changed_by = conflict.changed_by;
            }
            _ => {}
        }
        let mut response = status.into_response();
        for cookie in removed {
            response.headers_mut().append(header::SET_COOKIE, sessions::set_cookie(cookie, "", false));
        }
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(problem);
        response
    }
}

/// Writes the body of an error: the [`Problem`] in the response's extensions.
pub fn render(id: &RequestId, response: &mut Response) {
    if let Some(mut problem) = response.extensions_mut().remove::<Problem>() {
        problem.instance.clone_from(&id.0);
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = axum::body::Body::from(body);
    }
}
