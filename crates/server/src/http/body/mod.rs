//! Extractors whose errors are problem answers: [`Body`] (JSON), [`Form`], [`Query`] and [`Path`].

mod controls;
mod misfit;
pub mod read;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Error;

/// A JSON body, parsed into `T`. Errors: 415 for another media type, 400 for invalid JSON, 422 for an invalid field, 413 if too large.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        read::json(&bytes_of(request, state, "application/json").await?).map(Body)
    }
}

/// A form-encoded body, for `/connect/token`.
#[derive(Debug)]
pub struct Form<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        read::pairs(&bytes_of(request, state, "application/x-www-form-urlencoded").await?).map(Form)
    }
}

/// Maximum length of the body of a call, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct MaxBody(usize);

/// Limits bodies to `max` bytes. The layer nearest to the handler decides.
pub fn limit(max: usize) -> (DefaultBodyLimit, Extension<MaxBody>) {
    (DefaultBodyLimit::max(max), Extension(MaxBody(max)))
}

/// Checks the announced length of a body before any of it is read.
///
/// # Errors
/// 413 if it is too large.
pub fn check_length(request: &Request) -> Result<(), Error> {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let length: Option<u64> = length.and_then(|length| length.parse().ok());
    let max = request.extensions().get::<MaxBody>();
    match length.zip(max) {
        Some((length, MaxBody(max))) if usize::try_from(length).map_or(true, |length| length > *max) => {
            Err(Error::TooLarge)
        }
        _ => Ok(()),
    }
}

async fn bytes_of<S: Send + Sync>(request: Request, state: &S, media_type: &'static str) -> Result<Bytes, Error> {
    let sent = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !sent.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type) {
        return Err(Error::UnsupportedMediaType(media_type));
    }
    raw(request, state).await
}

/// Reads the bytes of a body, whatever its media type.
///
/// # Errors
/// 413 if it is too large, 400 if it ended early.
pub async fn raw<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Error> {
    check_length(&request)?;
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => Error::TooLarge,
        _ => Error::Unreadable("The request was cut off before it was complete.".to_owned()),
    })
}

/// Query parameters. A name may be repeated. An invalid value is answered by 422.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        read::pairs(parts.uri.query().unwrap_or_default().as_bytes()).map(Self)
    }
}

/// Parameters of the path. A malformed id is answered like an unknown one: 404.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        if parts.uri.path().contains("%00") {
            return Err(Error::NotFound);
        }
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|path| Self(path.0))
            .map_err(|_| Error::NotFound)
    }
}

/// A 201 answer with the created record.
#[derive(Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (axum::http::StatusCode::CREATED, Json(self.0)).into_response()
    }
}

/// A 204 answer.
#[derive(Debug)]
pub struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        axum::http::StatusCode::NO_CONTENT.into_response()
    }
}

/// Deserializes an optional field so that null (`Some(None)`: clear it) differs from absent (`None`: keep it). For
/// `#[serde(default, deserialize_with = "present")]`.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(field).map(Some)
}
