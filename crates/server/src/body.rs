//! Our extractors, so that every refusal has our form: [`Body`] (JSON), [`Form`], [`Query`] and [`Path`].

use std::borrow::Cow;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Error;

/// A JSON body, read into `T`. Wrong media type is 415, unreadable JSON 400, too large 413.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let bytes = bytes_of(request, state, "application/json").await?;
        serde_json::from_slice(&without_nul(&bytes))
            .map(Body)
            .map_err(|error| Error::Unreadable(format!("The request could not be read: {error}.")))
    }
}

/// The character that PostgreSQL keeps in no text, as JSON and as addresses spell it.
const NUL_IN_JSON: &[u8] = br"\u0000";
const NUL_IN_ADDRESS: &str = "%00";

/// JSON without that character in its texts: nobody means it, so what came with it is not refused for it.
fn without_nul(json: &[u8]) -> Cow<'_, [u8]> {
    if !json.windows(NUL_IN_JSON.len()).any(|part| part == NUL_IN_JSON) {
        return Cow::Borrowed(json);
    }
    let mut kept = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(first) = rest.first() {
        if let Some(after) = rest.strip_prefix(NUL_IN_JSON) {
            rest = after;
            continue;
        }
        // An escaped backslash is no beginning of another escape.
        let length = if *first == b'\\' { rest.len().min(2) } else { 1 };
        kept.extend_from_slice(&rest[..length]);
        rest = &rest[length..];
    }
    Cow::Owned(kept)
}

/// A form-encoded body, as `/connect/token` takes it.
#[derive(Debug)]
pub struct Form<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let bytes = bytes_of(request, state, "application/x-www-form-urlencoded").await?;
        let fields: serde_json::Map<String, serde_json::Value> = url::form_urlencoded::parse(&bytes)
            .map(|(name, value)| (name.into_owned(), serde_json::Value::String(value.into_owned())))
            .collect();
        serde_json::from_value(serde_json::Value::Object(fields))
            .map(Form)
            .map_err(|error| Error::Unreadable(format!("The request could not be read: {error}.")))
    }
}

async fn bytes_of<S: Send + Sync>(request: Request, state: &S, media_type: &'static str) -> Result<Bytes, Error> {
    let sent = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !sent.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type) {
        return Err(Error::UnsupportedMediaType(media_type));
    }
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => Error::TooLarge,
        _ => Error::Unreadable("The request was cut off before it was complete.".to_owned()),
    })
}

/// Query parameters; a name may be repeated. Unreadable ones are 400.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        if let Some(query) = parts.uri.query().filter(|query| query.contains(NUL_IN_ADDRESS)) {
            let kept = format!("{}?{}", parts.uri.path(), query.replace(NUL_IN_ADDRESS, ""));
            parts.uri = kept.parse().map_err(|_| Error::Unreadable("The address could not be read.".to_owned()))?;
        }
        axum_extra::extract::Query::<T>::from_request_parts(parts, state)
            .await
            .map(|query| Self(query.0))
            .map_err(|error| Error::Unreadable(format!("The address could not be read: {}.", error.body_text())))
    }
}

/// Parameters of the path. An id that is none cannot exist: 404.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        if parts.uri.path().contains(NUL_IN_ADDRESS) {
            return Err(Error::NotFound);
        }
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|path| Self(path.0))
            .map_err(|_| Error::NotFound)
    }
}

/// A 201 answer with the record that was created.
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

/// Tells a field that is null (`Some(None)`: clear it) from one that is absent (`None`: leave it), for
/// `#[serde(default, deserialize_with = "present")]`.
///
/// # Errors
/// Those of the field.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(field).map(Some)
}
