//! `POST /connect/extend`: the idle limit starts again.

use crate::Result;
use crate::auth::caller::SignedIn;
use crate::http::body::Done;

/// The user is still there: the idle limit starts again.
#[utoipa::path(post, path = "/connect/extend", tag = "Sign-in", responses((status = 204, description = "extended")))]
pub async fn extend(SignedIn(caller): SignedIn) -> Result<Done> {
    caller.extend().await?;
    Ok(Done)
}
