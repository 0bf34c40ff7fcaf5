//! `POST /connect/extend`: restarts the idle limit of the session.

use crate::Result;
use crate::auth::caller::SignedIn;
use crate::http::body::Done;

/// Restarts the idle limit of the session.
#[utoipa::path(post, path = "/connect/extend", tag = "Sign-in",
    responses((status = 204, description = "the idle limit was restarted")))]
pub async fn extend(SignedIn(caller): SignedIn) -> Result<Done> {
    caller.extend().await?;
    Ok(Done)
}
