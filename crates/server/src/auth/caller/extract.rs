//! The extractors of callers, and the secrets that a request carries.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use berth_domain::policy::Stage;

use super::session::names;
use super::{AnyStage, Caller, Listener, SignedIn, TOUCH_INTERVAL};
use crate::auth::sessions::{self, BACKGROUND_HEADER, FIRST_STEP_COOKIE, HEADER, SESSION_COOKIE};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

pub(super) const NOBODY: Error = Error::Unauthenticated("Please sign in.");

/// Returns true if the request has a token or a session cookie, valid or not.
#[must_use]
pub fn carries_secret(headers: &HeaderMap) -> bool {
    headers.contains_key(header::AUTHORIZATION) || !secrets_of(headers).is_empty()
}

/// Returns the secrets of a request, the strongest first, each with the name of its cookie if it was sent in one.
fn secrets_of(headers: &HeaderMap) -> Vec<(String, Option<&'static str>)> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let bearer = value.to_str().ok().and_then(|value| value.split_once(' '));
        let token = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        return token.map(|token| (token.to_owned(), None)).into_iter().collect();
    }
    let cookies = [SESSION_COOKIE, FIRST_STEP_COOKIE].into_iter();
    let cookies = cookies.filter_map(|name| Some((sessions::cookie(headers, name)?, Some(name))));
    cookies.filter(|(secret, _)| !secret.is_empty()).collect()
}

/// Checks that a change by cookie has the header [`HEADER`] and, if the browser sends one, a known origin (security-and-proof 2.3, 6).
pub fn check_origin(app: &App, method: &Method, headers: &HeaderMap) -> Result<()> {
    if method.is_safe() {
        return Ok(());
    }
    let foreign = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| !app.settings.origins.iter().any(|ours| origin.as_bytes() == ours.as_bytes()));
    if foreign || !headers.contains_key(HEADER) {
        return Err(Error::Forbidden("This request did not come from the Berth website.".to_owned()));
    }
    Ok(())
}

async fn any_stage(parts: &Parts, app: &App) -> Result<Caller> {
    let requester = Requester::of(parts);
    let names = names(&parts.method, &parts.uri);
    let mut dead = Vec::new();
    for (secret, cookie) in secrets_of(&parts.headers) {
        if cookie.is_some() {
            check_origin(app, &parts.method, &parts.headers)?;
        }
        match Caller::authenticate(app, (secret, cookie.is_some()), requester.clone(), names).await {
            Err(Error::Unauthenticated(_)) => dead.extend(cookie),
            answer => return answer,
        }
    }
    Err(if dead.is_empty() { NOBODY } else { Error::SessionOver(dead) })
}

impl FromRequestParts<App> for AnyStage {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        any_stage(parts, app).await.map(AnyStage)
    }
}

async fn signed_in(parts: &Parts, app: &App) -> Result<Caller> {
    let caller = any_stage(parts, app).await?;
    if caller.actor.stage != Stage::Full {
        return Err(Error::Unauthenticated("Please finish signing in with your code first."));
    }
    Ok(caller)
}

async fn full(parts: &Parts, app: &App) -> Result<Caller> {
    let caller = signed_in(parts, app).await?;
    if caller.actor.memberships.is_empty() {
        return Err(Error::Forbidden("You have no access yet. Accept an invitation first.".to_owned()));
    }
    Ok(caller)
}

/// Restarts the idle limit of the session, unless the web app made the call by itself, without the user.
async fn touched(parts: &Parts, caller: Caller) -> Result<Caller> {
    if !parts.headers.contains_key(BACKGROUND_HEADER) && caller.is_touch_due() {
        caller.touch_session(TOUCH_INTERVAL).await?;
    }
    Ok(caller)
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        touched(parts, full(parts, app).await?).await
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        touched(parts, signed_in(parts, app).await?).await.map(SignedIn)
    }
}

impl FromRequestParts<App> for Listener {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        full(parts, app).await.map(Listener)
    }
}
