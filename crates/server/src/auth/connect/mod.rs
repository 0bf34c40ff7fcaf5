//! Sign-in: `/connect/token` with its four grants, `/connect/userinfo`, logout and the idle limit (DESIGN 5; spec A 4).
//!
//! The token endpoint answers errors as RFC 6749 spells them. A cookie session is opened when the form says
//! `session=cookie`; the answer then holds no token, and the web app never sees one.

mod agreements;
mod code;
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

use crate::auth::caller;
use crate::auth::sessions::{self, FIRST_STEP_COOKIE};
use crate::http::body::Form;
use crate::http::problem::messages::{self, Coded};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

pub use userinfo::UserInfo;

/// The form of `POST /connect/token`. Which fields are needed depends on `grant_type`.
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
    /// Accepted and not used: there is one client.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the spec's clients send it")]
    client_id: Option<String>,
    /// Accepted and not used: there are no scopes.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the spec's clients send it")]
    scope: Option<String>,
    /// The first-step token; absent when it travels in its cookie (`two_factor_exchange`).
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
    /// `cookie`: keep the tokens in cookies of the server.
    #[schema(nullable = false)]
    session: Option<String>,
    /// Version of terms and user agreement that the user has just accepted.
    #[schema(nullable = false)]
    agreements: Option<String>,
}

/// How far a sign-in has come.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignInStage {
    /// Password or invitation proved; the code is missing.
    FirstStep,
    /// Signed in.
    Full,
}

/// The answer of the token endpoint.
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
    /// Seconds until the token ends.
    expires_in: i64,
    /// How far the sign-in has come.
    stage: SignInStage,
}

/// An error of the token endpoint (RFC 6749, 5.2).
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenError {
    /// A stable word: `invalid_request`, `invalid_grant`, `access_disabled`, `expired_token`, `login_required`,
    /// `unsupported_grant_type`, `slow_down`, `temporarily_unavailable` or `server_error`.
    error: &'static str,
    /// A sentence for the user.
    error_description: String,
    /// Stable code of the sentence, as in a problem.
    code: &'static str,
    /// The values that the sentence holds, by their names.
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

    /// The one answer for a wrong login, a wrong password and a user without a password.
    fn wrong_credentials() -> Self {
        Self::new("invalid_grant", "Email or password is incorrect.")
    }

    /// The answer for a right password whose user has no access any more; nobody else is told.
    fn access_disabled() -> Self {
        Self::new("access_disabled", "Your access is disabled. Please contact the person in charge of your site.")
    }

    /// The one answer for every failure of a code (spec A 8). `dead`: the whole first step must be done again.
    fn wrong_code(dead: bool) -> Self {
        Self::new(if dead { "expired_token" } else { "invalid_grant" }, "Invalid confirmation code.")
    }
}

impl From<Error> for TokenError {
    fn from(error: Error) -> Self {
        let (status, retry_after) = (error.status(), error.retry_after());
        let word = match &error {
            Error::TooMany(_) | Error::CodeJustSent(_) => "slow_down",
            Error::Busy | Error::Unreachable | Error::DiskFull => "temporarily_unavailable",
            Error::Internal(chain) => {
                tracing::error!(error = format!("{chain:#}"), "internal error in sign-in");
                "server_error"
            }
            _ => "invalid_request",
        };
        // RFC 6749 knows 400 for whatever the form lacks.
        let (status, description) = match &error {
            Error::Fields(errors) => (StatusCode::BAD_REQUEST, first_sentence(errors)),
            _ => (status, error.to_string()),
        };
        Self { status, retry_after, ..Self::new(word, description) }
    }
}

/// The first field that is wrong, by its name: the answer has room for one sentence.
fn first_sentence(errors: &[FieldError]) -> String {
    let sentence =
        |error: &FieldError| format!("Check the field {}: {}", error.pointer.trim_start_matches('/'), error.message);
    errors.first().map(sentence).unwrap_or_default()
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

/// Tokens and errors about them are never kept by anyone on the way (RFC 6749, 5.1).
fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// One request to the token endpoint.
struct Ask {
    app: App,
    form: TokenRequest,
    headers: HeaderMap,
    requester: Requester,
    cookie: bool,
}

/// Signs in, step by step: `password` or `invitation` give a first-step token, `two_factor_exchange` turns it and a
/// code into a session, `refresh_token` renews a bearer session.
#[utoipa::path(post, path = "/connect/token", tag = "Sign-in",
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = TokenAnswer), (status = 400, description = "refused", body = TokenError),
        (status = 429, description = "too many attempts", body = TokenError)))]
pub async fn token(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    form: Result<Form<TokenRequest>>,
) -> Result<Response, TokenError> {
    let Form(form) = form?;
    let cookie = form.session.as_deref() == Some("cookie");
    if cookie {
        caller::check_origin(&app, &Method::POST, &headers)?;
    }
    let ask = Ask { app, form, headers, requester, cookie };
    let response = match ask.form.grant_type.as_str() {
        "password" => password::grant(ask).await?,
        "two_factor_exchange" => code::grant(ask).await?,
        "refresh_token" => refresh::grant(ask).await?,
        "invitation" => invitation::grant(ask).await?,
        _ => return Err(TokenError::new("unsupported_grant_type", "This kind of sign-in does not exist.")),
    };
    Ok(no_store(response))
}

/// The answer to a first step: the token, or its cookie in place of an older session's.
fn first_step_answer(ask: &Ask, secret: &str) -> Response {
    let answer = TokenAnswer {
        access_token: (!ask.cookie).then(|| secret.to_owned()),
        refresh_token: None,
        token_type: "Bearer",
        expires_in: sessions::FIRST_STEP_LIFE / 1000,
        stage: SignInStage::FirstStep,
    };
    let mut response = Json(answer).into_response();
    if ask.cookie {
        let headers = response.headers_mut();
        headers.append(header::SET_COOKIE, sessions::set_cookie(sessions::SESSION_COOKIE, "", false));
        headers.append(header::SET_COOKIE, sessions::set_cookie(FIRST_STEP_COOKIE, secret, false));
    }
    response
}
