//! What the web app reports. A failed sign-in is recorded by the server itself, so this call writes nothing of its own
//! (security-and-proof 2.3, 9).

use serde::Deserialize;
use utoipa::ToSchema;

use crate::Result;
use crate::body::{Body, Done};

/// A sign-in that failed, as the web app saw it.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LoginFailed {
    /// The login that was tried; not kept.
    #[schema(nullable = false)]
    #[expect(dead_code, reason = "the wire has it, and nothing is done with it")]
    login: Option<String>,
}

/// Takes the report of a failed sign-in and keeps nothing: the server has recorded it.
#[utoipa::path(post, path = "/api/EventLogs/loginFailed", tag = "EventLogs", request_body = LoginFailed,
    responses((status = 204, description = "taken")))]
pub async fn login_failed(_report: Body<LoginFailed>) -> Result<Done> {
    Ok(Done)
}
