//! Sign-in: `/connect/token` with its four grants, `/connect/userinfo`, logout and the idle limit (DESIGN 5; spec A 4).
//!
//! Errors of the token endpoint have the format of RFC 6749. With `session=cookie` in the form, tokens are set as cookies
//! and the response contains none, so that scripts of the web app never see one.

mod agreements;
mod code;
mod enter;
pub(crate) mod extend;
mod invitation;
pub(crate) mod logout;
mod password;
mod refresh;
pub(crate) mod userinfo;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_domain::check::FieldError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::admin::audit_log::Author;
use crate::auth::caller;
use crate::auth::sessions::{self, FIRST_STEP_COOKIE};
use crate::http::body::Form;
use crate::http::problem::messages::{self, Coded};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

pub use userinfo::UserInfo;

/// The form of `POST /connect/token`. The required fields depend on `grant_type`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = TokenRequest)]
pub struct TokenRequest {
    /// `password`, `two_factor_exchange`, `refresh_token` or `invitation`.
    #[serde(default)]
    grant_type: String,
    /// Email (password).
    #[schema(nullable = false)]
    username: Option<String>,
    /// Password (password).
    #[schema(nullable = false)]
    password: Option<String>,
    /// Accepted and ignored: there is only one client.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the spec's clients send it")]
    client_id: Option<String>,
    /// Accepted and ignored: there are no scopes.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the spec's clients send it")]
    scope: Option<String>,
    /// The first-step token (`two_factor_exchange`); omitted if it is sent as a cookie.
    #[schema(nullable = false)]
    pre_two_factor_token: Option<String>,
    /// The code (`two_factor_exchange`).
    #[schema(nullable = false)]
    otp: Option<String>,
    /// The refresh token (`refresh_token`).
    #[schema(nullable = false)]
    refresh_token: Option<String>,
    /// The one-time token of an invitation link (`invitation`).
    #[schema(nullable = false)]
    access_token: Option<String>,
    /// `cookie` to receive the tokens as cookies.
    #[schema(nullable = false)]
    session: Option<String>,
    /// Version of the terms and the user agreement that the user has just accepted.
    #[schema(nullable = false)]
    agreements: Option<String>,
}

/// Stage of a sign-in.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignInStage {
    /// The password or invitation was verified; the code is still required.
    FirstStep,
    /// Fully signed in.
    Full,
}

/// Response of the token endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenAnswer {
    /// First-step or access token; absent in a cookie session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    access_token: Option<String>,
    /// Refresh token after a full sign-in; absent in a cookie session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    refresh_token: Option<String>,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seconds until the token expires.
    expires_in: i64,
    /// Stage of the sign-in.
    stage: SignInStage,
}

/// An error of the token endpoint (RFC 6749, 5.2).
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenError {
    /// Stable error name: `invalid_request`, `invalid_grant`, `access_disabled`, `expired_token`, `login_required`,
    /// `unsupported_grant_type`, `slow_down`, `temporarily_unavailable` or `server_error`.
    error: &'static str,
    /// Message for the user.
    error_description: String,
    /// Stable code of the message, as in a problem response.
    code: &'static str,
    /// Values that appear in the message, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    values: BTreeMap<&'static str, String>,
    #[serde(skip)]
    status: StatusCode,
    #[serde(skip)]
    retry_after: Option<i64>,
}

impl TokenError {
    fn new(error: &'static str, description: impl Into<String>) -> Self {
        let error_description = description.into();
        let Coded { code, values } = messages::coded(&error_description);
        Self { error, error_description, code, values, status: StatusCode::BAD_REQUEST, retry_after: None }
    }

    /// The same error for an unknown email, a wrong password and a user without a password.
    fn wrong_credentials() -> Self {
        Self::new("invalid_grant", "Email or password is incorrect.")
    }

    /// The error for a correct password of a user whose access is disabled.
    fn access_disabled() -> Self {
        Self::new("access_disabled", "Your access is disabled. Please contact the person in charge of your site.")
    }

    /// The same error for every failure of a code (spec A 8). With `must_restart`, the first step has to be repeated.
    fn wrong_code(must_restart: bool) -> Self {
        Self::new(if must_restart { "expired_token" } else { "invalid_grant" }, "Invalid confirmation code.")
    }
}

impl From<Error> for TokenError {
    fn from(error: Error) -> Self {
        let (status, retry_after) = (error.status(), error.retry_after());
        let name = match &error {
            Error::TooMany(_) | Error::CodeJustSent(_) => "slow_down",
            Error::Busy | Error::Unreachable | Error::DiskFull => "temporarily_unavailable",
            Error::Internal(chain) => {
                tracing::error!(error = format!("{chain:#}"), "internal error in sign-in");
                "server_error"
            }
            _ => "invalid_request",
        };
        // RFC 6749 answers an invalid form with 400.
        let (status, description) = match &error {
            Error::Fields(errors) => (StatusCode::BAD_REQUEST, first_message(errors)),
            _ => (status, error.to_string()),
        };
        Self { status, retry_after, ..Self::new(name, description) }
    }
}

/// Returns the message of the first invalid field: the response has room for one.
fn first_message(errors: &[FieldError]) -> String {
    let message =
        |error: &FieldError| format!("Check the field {}: {}", error.pointer.trim_start_matches('/'), error.message);
    errors.first().map(message).unwrap_or_default()
}

impl From<berth_db::Error> for TokenError {
    fn from(error: berth_db::Error) -> Self {
        Error::from(error).into()
    }
}

impl IntoResponse for TokenError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(&self)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        no_store(response)
    }
}

/// Forbids caches to store a response with tokens or an error about them (RFC 6749, 5.1).
fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A request to the token endpoint.
struct GrantRequest {
    app: App,
    form: TokenRequest,
    headers: HeaderMap,
    requester: Requester,
    /// True if tokens are set as cookies.
    is_cookie: bool,
}

impl GrantRequest {
    /// The author of audit rows as long as the user is not signed in.
    fn stranger(&self) -> Author {
        Author::stranger(&self.requester)
    }
}

/// Signs a user in: `password` and `invitation` return a first-step token, `two_factor_exchange` exchanges it and a code for
/// a session, and `refresh_token` renews a bearer session.
#[utoipa::path(post, path = "/connect/token", tag = "Sign-in",
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = TokenAnswer), (status = 400, description = "the request was rejected", body = TokenError),
        (status = 429, description = "too many attempts", body = TokenError)))]
pub async fn token(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    form: Result<Form<TokenRequest>>,
) -> Result<Response, TokenError> {
    let Form(form) = form?;
    let is_cookie = form.session.as_deref() == Some("cookie");
    if is_cookie {
        caller::check_origin(&app, &Method::POST, &headers)?;
    }
    let request = GrantRequest { app, form, headers, requester, is_cookie };
    let response = match request.form.grant_type.as_str() {
        "password" => password::grant(request).await?,
        "two_factor_exchange" => code::grant(request).await?,
        "refresh_token" => refresh::grant(request).await?,
        "invitation" => invitation::grant(request).await?,
        _ => return Err(TokenError::new("unsupported_grant_type", "This kind of sign-in does not exist.")),
    };
    Ok(no_store(response))
}

/// Returns the response to a first step: the token, or its cookie, which replaces the cookie of an earlier session.
fn first_step_answer(request: &GrantRequest, secret: &str) -> Response {
    let answer = TokenAnswer {
        access_token: (!request.is_cookie).then(|| secret.to_owned()),
        refresh_token: None,
        token_type: "Bearer",
        expires_in: sessions::FIRST_STEP_LIFE / 1000,
        stage: SignInStage::FirstStep,
    };
    let mut response = Json(answer).into_response();
    if request.is_cookie {
        let headers = response.headers_mut();
        headers.append(header::SET_COOKIE, sessions::set_cookie(sessions::SESSION_COOKIE, "", false));
        headers.append(header::SET_COOKIE, sessions::set_cookie(FIRST_STEP_COOKIE, secret, false));
    }
    response
}
